/**
 * Runs one process to its end: a tool, Git, the command that prints a key. It has no shell and no
 * terminal, and a process group of its own.
 *
 * Invariant: when the promise resolves, no process of the group is left, unless the plan lets it
 * stay. A process that leaves the group on purpose (`setsid`) is not followed.
 */
import type {Buffer} from 'node:buffer';
import {type ChildProcess, spawn} from 'node:child_process';
import type {ProcessControl, Variables} from '../environment.ts';
import {mebibyte} from '../wording.ts';
import {createOutputBuffer, type OutputBuffer} from './output-buffer.ts';
import {groupOf, limitTime, type ProcessGroup} from './process-group.ts';

export type ProcessPlan = {
	/** The program and its arguments. */
	readonly argv: readonly string[];
	readonly cwd: string;
	readonly variables: Variables;
	readonly stdin: string | Buffer;
	/** 0: no limit. */
	readonly timeLimitMs: number;
	readonly signal?: AbortSignal;
	readonly processes: ProcessControl;
	/** Default: it keeps the beginning and the end. */
	readonly stdout?: OutputBuffer;
	/** A process that writes more is stopped. Default 10 MiB. */
	readonly maxOutputBytes?: number;
	/**
	 * Lets its group live on, also after this process, and ignores its output: a clipboard has the text
	 * only as long as its program runs.
	 */
	readonly mayStay?: boolean;
};

export type ProcessEnd = {
	readonly exitCode: number | null;
	/** The signal it died of. */
	readonly signal: string | null;
	/** The reason if it did not end by itself. */
	readonly stoppedBy: 'abort' | 'time' | 'flood' | undefined;
	readonly stdout: OutputBuffer;
	readonly stderr: OutputBuffer;
};

/** Time between SIGTERM and SIGKILL. */
const graceMs = 2000;
/** The same when the user waits for the prompt. */
const abortGraceMs = 500;

/** @throws {NodeJS.ErrnoException} when it cannot be started */
export function runProcess(plan: ProcessPlan): Promise<ProcessEnd> {
	const {argv, cwd, variables, stdin, timeLimitMs, signal, processes} = plan;
	const {stdout = createOutputBuffer(), maxOutputBytes = 10 * mebibyte, mayStay = false} = plan;
	const outputs = mayStay ? 'ignore' : 'pipe';
	const [file = '', ...args] = argv;
	return new Promise((resolve, reject) => {
		const child = spawn(file, args, {
			cwd,
			env: variables,
			stdio: ['pipe', outputs, outputs],
			shell: false,
			detached: true,
			windowsHide: true,
		});
		const group = groupOf(child, processes);
		const stderr = createOutputBuffer();
		let stoppedBy: ProcessEnd['stoppedBy'];
		let releaseSignals = () => {};
		let killTimer: NodeJS.Timeout | undefined;
		const stop = (reason: NonNullable<ProcessEnd['stoppedBy']>) => {
			if (stoppedBy !== undefined) return;
			stoppedBy = reason;
			if (reason === 'abort') releaseSignals = processes.holdSignals();
			group.signal('SIGTERM');
			const wait = reason === 'abort' ? abortGraceMs : graceMs;
			killTimer = setTimeout(() => group.signal('SIGKILL'), wait);
		};
		const onAbort = () => stop('abort');
		const timer = timeLimitMs === 0 ? undefined : setTimeout(() => stop('time'), timeLimitMs);
		const settle = () => {
			clearTimeout(timer);
			clearTimeout(killTimer);
			releaseSignals();
			signal?.removeEventListener('abort', onAbort);
		};
		const collect = (buffer: OutputBuffer) => (chunk: Buffer) => {
			if (stdout.length + stderr.length <= maxOutputBytes) buffer.push(chunk);
			else stop('flood');
		};
		child.stdout?.on('data', collect(stdout));
		child.stderr?.on('data', collect(stderr));
		// A tool may end before it has read all of its input.
		child.stdin?.on('error', () => {});
		child.stdin?.end(stdin);
		if (mayStay) child.unref();
		child.once('error', (error) => {
			// A process that was started ends with `exit`.
			if (child.pid !== undefined) return;
			settle();
			reject(error);
		});
		child.once('exit', (exitCode, deathSignal) => {
			const waitMs = stoppedBy === undefined ? graceMs : 0;
			const isOver = mayStay ? Promise.resolve() : endRest(child, group, waitMs);
			void isOver.then(() => {
				settle();
				resolve({exitCode, signal: deathSignal, stoppedBy, stdout, stderr});
			});
		});
		signal?.addEventListener('abort', onAbort, {once: true});
		if (signal?.aborted) onAbort();
	});
}

/** Returns why a process did not end well; undefined if it did. */
export function describeFailure(
	{exitCode, signal, stoppedBy}: ProcessEnd,
	timeLimitMs: number,
): string | undefined {
	switch (stoppedBy) {
		case 'time':
			return `stopped after ${timeLimitMs / 1000} s`;
		case 'flood':
			return 'stopped: more than 10 MiB of output';
		case 'abort':
			return 'stopped by the user';
		case undefined:
			if (exitCode === 0) return undefined;
			return exitCode === null ? `ended by ${signal}` : `exit code ${exitCode}`;
		default:
			return stoppedBy satisfies never;
	}
}

/** Ends the other processes of the group, and reads the rest of their output. */
async function endRest(child: ChildProcess, group: ProcessGroup, waitMs: number): Promise<void> {
	const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
	const drained = limitTime(closed, drainMs);
	await group.end(waitMs);
	await drained;
	child.stdout?.destroy();
	child.stderr?.destroy();
}

/** Time limit for the rest of the output after the process has ended. */
const drainMs = 1000;
