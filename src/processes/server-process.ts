/**
 * The process of a server that belongs to this run, in a process group of its own.
 *
 * Invariant: it ends with this process, whatever ends this one, and so does all that it started.
 */
import type {Buffer} from 'node:buffer';
import {type ChildProcess, spawn} from 'node:child_process';
import type {ProcessControl, Variables} from '../environment.ts';
import {createLogTail} from './log-tail.ts';
import {groupOf, limitTime} from './process-group.ts';

export type ServerProcess = {
	/** Resolves when it ends, however that happens. */
	readonly ended: Promise<void>;
	/** How it ended, as the end of a sentence; undefined while it runs. */
	endOf(): string | undefined;
	/** The last lines of its output, as it wrote them. */
	lastLines(): readonly string[];
	/** The number of bytes it has written. */
	logSize(): number;
	/** Adds a line of ours. */
	log(line: string): void;
	/** Writes to its stdin; nothing, if it is closed or too much waits there. */
	write(text: string): 'written' | 'closed' | 'full';
	/** Ends the group. May be called more than once. */
	stop(): Promise<void>;
};

export type ServerCommand = {
	/** The program and its arguments. */
	readonly argv: readonly string[];
	readonly variables: Variables;
	readonly cwd: string;
	/** A folder of this run alone, which goes with the server. */
	readonly folder?: string;
	/** Takes its stdout, which is a part of the log otherwise. Such a server ends with its stdin. */
	readonly onOutput?: (chunk: Buffer) => void;
};

/** Time between the end of its stdin and SIGTERM. */
const patienceMs = 1000;
/** Time between SIGTERM and SIGKILL. */
const graceMs = 1000;
/** Time limit for the rest of its output. */
const drainMs = 200;
/** Threat: a server that reads nothing, and whose input fills the memory. */
const maxWaitingBytes = 32 * 1024 * 1024;

export function startProcess(
	{argv: [file = '', ...args], variables, cwd, folder = '', onOutput}: ServerCommand,
	processes: ProcessControl,
): ServerProcess {
	const child = spawn(file, args, {
		cwd,
		env: variables,
		stdio: ['pipe', 'pipe', 'pipe'],
		shell: false,
		detached: true,
		windowsHide: true,
	});
	const {stdin} = child;
	const log = createLogTail();
	child.stdout.on('data', (chunk: Buffer) => {
		(onOutput ?? log.push)(chunk);
		// Threat: a flood. Node would hand over 2 MiB before it hears of a signal or a key again.
		child.stdout.pause();
		setImmediate(() => child.stdout.resume());
	});
	child.stderr.on('data', log.push);
	// The process may end before reading all input.
	stdin.on('error', () => {});
	if (onOutput === undefined) stdin.end();
	let end: string | undefined;
	const ended = new Promise<void>((resolve) => {
		child.once('error', (error) => {
			end ??= `could not be started: ${error.message}`;
			resolve();
		});
		// After its output, unless something that it started keeps that open.
		child.once('exit', (code, signal) => {
			end ??= signal === null ? `ended with code ${code}` : `was ended by ${signal}`;
			const timer = setTimeout(resolve, drainMs);
			child.once('close', () => {
				clearTimeout(timer);
				resolve();
			});
		});
	});
	const guard = child.pid === undefined ? undefined : startGuard(child.pid, folder);
	const group = groupOf(child, processes);
	const endGroup = async () => {
		const release = processes.holdSignals();
		if (stdin.writable) {
			stdin.end();
			await limitTime(ended, patienceMs);
		}
		await group.end(graceMs);
		guard?.kill('SIGKILL');
		await ended;
		stdin.destroy();
		child.stdout.destroy();
		child.stderr.destroy();
		release();
	};
	let stopping: Promise<void> | undefined;
	return {
		ended,
		endOf: () => end,
		lastLines: log.lines,
		logSize: log.size,
		log: (line) => log.push(`${line}\n`),
		write(text) {
			if (!stdin.writable) return 'closed';
			if (stdin.writableLength > maxWaitingBytes) return 'full';
			stdin.write(text);
			return 'written';
		},
		stop() {
			stopping ??= endGroup();
			return stopping;
		},
	};
}

const guardScript =
	'read -r _; [ -z "$2" ] || rm -rf -- "$2"; kill -s TERM -- "-$1"; sleep 1; kill -s KILL -- "-$1"';

/**
 * Ends the group, and removes the folder if there is one, when this process is gone and could not do so
 * itself: then the pipe to the guard closes.
 */
function startGuard(pid: number, folder: string): ChildProcess {
	const guard = spawn('/bin/sh', ['-c', guardScript, 'sh', String(pid), folder], {
		stdio: ['pipe', 'ignore', 'ignore'],
		env: {PATH: '/usr/bin:/bin'},
		detached: true,
	});
	guard.on('error', () => {});
	guard.stdin?.on('error', () => {});
	return guard;
}
