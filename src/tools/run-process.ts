/**
 * One process of a tool, from its start to its end: no shell, no terminal, a group of its own.
 *
 * Invariant: when the promise resolves, nothing of its group runs any more, whatever ended it. A
 * process that leaves the group on purpose (`setsid`) is not followed.
 */
import {Buffer} from 'node:buffer';
import {type ChildProcess, spawn} from 'node:child_process';
import {holdSignals, signalProcess} from '../environment.ts';
import {createOutputBuffer, type OutputBuffer} from './output-buffer.ts';

export type ProcessPlan = {
	/** The program and its arguments, as they are. */
	readonly argv: readonly string[];
	readonly cwd: string;
	readonly variables: Readonly<Record<string, string>>;
	readonly stdin: string;
	/** 0: no limit. */
	readonly timeLimitMs: number;
	readonly signal: AbortSignal;
};

export type ProcessEnd = {
	readonly exitCode: number | null;
	/** The signal it died of. */
	readonly signal: string | null;
	/** Why it was ended from outside, if it was. */
	readonly stoppedBy: 'abort' | 'time' | 'flood' | undefined;
	readonly stdout: OutputBuffer;
	readonly stderr: OutputBuffer;
};

/** All that a tool may write before it is stopped. */
const maxOutputBytes = 10 * 1024 * 1024;
/** Between the request to end and the end. */
const graceMs = 2000;
/** The same when somebody waits for the prompt. */
const abortGraceMs = 500;

/** @throws {NodeJS.ErrnoException} when it cannot be started */
export function runProcess(plan: ProcessPlan): Promise<ProcessEnd> {
	const {argv, cwd, variables, stdin, timeLimitMs, signal} = plan;
	const [file = '', ...args] = argv;
	return new Promise((resolve, reject) => {
		const child = spawn(file, args, {
			cwd,
			env: variables,
			stdio: ['pipe', 'pipe', 'pipe'],
			shell: false,
			detached: true,
			windowsHide: true,
		});
		const stdout = createOutputBuffer();
		const stderr = createOutputBuffer();
		let stoppedBy: ProcessEnd['stoppedBy'];
		let releaseSignals = () => {};
		let killTimer: NodeJS.Timeout | undefined;
		const stop = (reason: NonNullable<ProcessEnd['stoppedBy']>) => {
			if (stoppedBy !== undefined) return;
			stoppedBy = reason;
			if (reason === 'abort') releaseSignals = holdSignals();
			signalGroup(child, 'SIGTERM');
			const wait = reason === 'abort' ? abortGraceMs : graceMs;
			killTimer = setTimeout(() => signalGroup(child, 'SIGKILL'), wait);
		};
		const onAbort = () => stop('abort');
		const timer = timeLimitMs === 0 ? undefined : setTimeout(() => stop('time'), timeLimitMs);
		const settle = () => {
			clearTimeout(timer);
			clearTimeout(killTimer);
			releaseSignals();
			signal.removeEventListener('abort', onAbort);
		};
		const collect = (buffer: OutputBuffer) => (chunk: Buffer) => {
			if (stdout.length + stderr.length <= maxOutputBytes) buffer.push(chunk);
			else stop('flood');
		};
		child.stdout.on('data', collect(stdout));
		child.stderr.on('data', collect(stderr));
		// A tool may end, or close its input, before it has read all of it.
		child.stdin.on('error', () => {});
		child.stdin.end(Buffer.from(stdin));
		child.once('error', (error) => {
			// One that was started ends with `exit`, whatever else fails.
			if (child.pid !== undefined) return;
			settle();
			reject(error);
		});
		child.once('exit', (exitCode, deathSignal) => {
			const waitMs = stoppedBy === undefined ? graceMs : 0;
			void endRest(child, waitMs).then(() => {
				settle();
				resolve({exitCode, signal: deathSignal, stoppedBy, stdout, stderr});
			});
		});
		signal.addEventListener('abort', onAbort, {once: true});
		if (signal.aborted) onAbort();
	});
}

/** What a tool leaves behind in its group must end too; what it wrote is still read. */
async function endRest(child: ChildProcess, waitMs: number): Promise<void> {
	const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
	const isGroupLeft = () => signalGroup(child, 0);
	const drained = waitFor(closed, drainMs);
	if (isGroupLeft()) signalGroup(child, 'SIGTERM');
	const deadline = performance.now() + waitMs;
	while (isGroupLeft() && performance.now() < deadline) await pause(pollMs);
	signalGroup(child, 'SIGKILL');
	await drained;
	child.stdout?.destroy();
	child.stderr?.destroy();
}

/** How long the end of the output may take once the process has ended. */
const drainMs = 1000;
const pollMs = 10;

function pause(durationMs: number): Promise<void> {
	return new Promise((resolve) => {
		setTimeout(resolve, durationMs);
	});
}

async function waitFor(promise: Promise<void>, limitMs: number): Promise<void> {
	let timer: NodeJS.Timeout | undefined;
	const limit = new Promise<void>((resolve) => {
		timer = setTimeout(resolve, limitMs);
	});
	await Promise.race([promise, limit]);
	clearTimeout(timer);
}

/** Whether there was anything to signal. */
function signalGroup({pid}: ChildProcess, signal: NodeJS.Signals | 0): boolean {
	return pid !== undefined && signalProcess(-pid, signal);
}
