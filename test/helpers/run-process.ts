/** Runs the built command as a real process. */
import {type ChildProcess, spawn} from 'node:child_process';
import {mkdirSync, readFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Readable} from 'node:stream';
import {setTimeout as delay} from 'node:timers/promises';
import {onTestFinished} from 'vitest';
import {builtProgram} from './built-program.ts';

/** Keeps the settings of the developer who runs the tests out of them. */
const emptyHome = join(tmpdir(), 'chat-empty-home', String(process.pid));
mkdirSync(emptyHome, {recursive: true});

export type ProcessOptions = {
	/** `none`: `/dev/null`; `open`: a pipe without data. */
	readonly stdin?: 'none' | 'open';
	/** Variables in addition to an empty home folder, where nothing is saved. */
	readonly variables?: Readonly<Record<string, string>>;
	/** A line for `sh`, in which `"$@"` is the command. */
	readonly shell?: string;
	/**
	 * Registers the cleanup. A test that runs in parallel with others of its file must pass that of
	 * its own context.
	 */
	readonly onFinished?: (callback: () => void) => void;
	/** Starts a process group of its own. */
	readonly isDetached?: boolean;
};

export type Ended = {
	readonly code: number | null;
	readonly signal: NodeJS.Signals | null;
};

export type Running = {
	readonly child: ChildProcess;
	readonly pid: number;
	readonly stdout: Readable;
	/** All of stderr so far. */
	stderr(): string;
	/** Resolves when the process has ended and its output is read. */
	readonly ended: Promise<Ended>;
};

/** Starts the command, and kills it if it outlives the test. Its stdout is not read yet. */
export function startProcess(argv: readonly string[], options: ProcessOptions = {}): Running {
	const {stdin = 'none', variables = {}, shell, isDetached = false} = options;
	const {onFinished = onTestFinished} = options;
	const words = [process.execPath, builtProgram, ...argv];
	const [file = '', ...rest] =
		shell === undefined ? words : ['/bin/sh', '-c', shell, 'sh', ...words];
	const child = spawn(file, rest, {
		env: {HOME: emptyHome, CHAT_SAVE: 'false', ...variables},
		detached: isDetached,
		stdio: [stdin === 'open' ? 'pipe' : 'ignore', 'pipe', 'pipe'],
	});
	const {stdout, stderr, pid} = child;
	if (stdout === null || stderr === null || pid === undefined) throw new Error('not started');
	onFinished(() => {
		child.kill('SIGKILL');
	});
	let errors = '';
	stderr.on('data', (bytes: Buffer) => {
		errors += bytes.toString();
	});
	const ended = new Promise<Ended>((resolve) => {
		child.once('exit', (code, signal) => {
			// Unread output keeps the streams from closing.
			if (stdout.readableFlowing !== true) resolve({code, signal});
		});
		child.once('close', (code, signal) => resolve({code, signal}));
	});
	return {child, pid, stdout, stderr: () => errors, ended};
}

export type ProcessResult = Ended & {readonly stdout: string; readonly stderr: string};

/** Runs the command to its end. */
export async function runProcess(
	argv: readonly string[],
	options: ProcessOptions = {},
): Promise<ProcessResult> {
	const running = startProcess(argv, options);
	const text = readAll(running.stdout);
	const ended = await running.ended;
	return {...ended, stdout: await text, stderr: running.stderr()};
}

export async function readAll(stream: Readable): Promise<string> {
	const chunks: Buffer[] = [];
	stream.on('data', (bytes: Buffer) => chunks.push(bytes));
	await new Promise((resolve) => stream.once('close', resolve));
	return Buffer.concat(chunks).toString();
}

/** Resolves with all output so far, once it contains this text. */
export function waitForText(stream: Readable, text: string): Promise<string> {
	return new Promise((resolve, reject) => {
		let seen = '';
		stream.on('data', (bytes: Buffer) => {
			seen += bytes.toString();
			if (seen.includes(text)) resolve(seen);
		});
		stream.once('close', () => reject(new Error(`"${text}" did not appear: ${seen}`)));
	});
}

/** Resolves when a Linux process stops using the processor, because it is waiting. */
export async function waitUntilIdle(pid: number): Promise<void> {
	let last = -1;
	for (let still = 0; still < 4; ) {
		const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
		const used = Number(fields[11]) + Number(fields[12]);
		// On a busy machine, one that wants to run may have to wait.
		still = used === last && fields[0] === 'S' ? still + 1 : 0;
		last = used;
		await delay(25);
	}
}
