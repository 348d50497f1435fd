/**
 * The process of a llama-server that belongs to this run, in a process group of its own.
 *
 * Invariant: it ends with this process, whatever ends this one, and so does all that it started.
 */
import {type ChildProcess, spawn} from 'node:child_process';
import type {ProcessControl, Variables} from '../environment.ts';
import {createLogTail} from './log-tail.ts';
import {groupOf} from './process-group.ts';

export type ServerProcess = {
	/** Resolves when it ends, however that happens. */
	readonly ended: Promise<void>;
	/** How it ended, as the end of a sentence; undefined while it runs. */
	endOf(): string | undefined;
	/** The last lines of its output, as it wrote them. */
	lastLines(): readonly string[];
	/** The number of bytes it has written. */
	logSize(): number;
	/** Ends the group. May be called more than once. */
	stop(): Promise<void>;
};

export type ServerCommand = {
	/** The program and its arguments. */
	readonly argv: readonly string[];
	readonly variables: Variables;
	readonly cwd: string;
	/** A folder of this run alone, for its key. */
	readonly folder: string;
};

/** Time between SIGTERM and SIGKILL. */
const graceMs = 1000;
/** Time limit for the rest of its output. */
const drainMs = 200;

export function startProcess(
	{argv: [file = '', ...args], variables, cwd, folder}: ServerCommand,
	processes: ProcessControl,
): ServerProcess {
	const child = spawn(file, args, {
		cwd,
		env: variables,
		stdio: ['ignore', 'pipe', 'pipe'],
		shell: false,
		detached: true,
		windowsHide: true,
	});
	const log = createLogTail();
	child.stdout.on('data', log.push);
	child.stderr.on('data', log.push);
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
		// Where there are no process groups.
		if (end === undefined && !group.signal(0)) child.kill();
		await group.end(graceMs);
		guard?.kill('SIGKILL');
		await ended;
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
		stop() {
			stopping ??= endGroup();
			return stopping;
		},
	};
}

const guardScript =
	'read -r _; rm -rf -- "$2"; kill -s TERM -- "-$1"; sleep 1; kill -s KILL -- "-$1"';

/**
 * Ends the group, and removes the folder, when this process is gone and could not do so itself: then
 * the pipe to the guard closes.
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
