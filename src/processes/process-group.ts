/** The process group of a started program. */
import type {ChildProcess} from 'node:child_process';
import {setTimeout as pause} from 'node:timers/promises';
import type {ProcessControl} from '../environment.ts';

export interface ProcessGroup {
	/** Returns whether there is any process to signal; 0 only asks. */
	signal(name: NodeJS.Signals | 0): boolean;
	/** Asks all processes to end, and kills them after this time. */
	end(graceMs: number): Promise<void>;
}

const pollMs = 10;
/** Time limit for the end after SIGKILL: nobody may be there to notice it. */
const killMs = 200;

/** @param child started with `detached`, so that it leads a group */
export function groupOf(child: ChildProcess, processes: ProcessControl): ProcessGroup {
	const {pid} = child;
	// Windows has no groups: only the process itself is signalled, while its id is certainly not reused.
	const isRunning = () => child.exitCode === null && child.signalCode === null;
	const signal = (name: NodeJS.Signals | 0) =>
		pid !== undefined &&
		(processes.signal(-pid, name) || (isRunning() && processes.signal(pid, name)));
	const waitForEnd = async (limitMs: number) => {
		const deadline = performance.now() + limitMs;
		while (signal(0) && performance.now() < deadline) await pause(pollMs);
	};
	return {
		signal,
		async end(graceMs) {
			signal('SIGTERM');
			await waitForEnd(graceMs);
			if (signal('SIGKILL')) await waitForEnd(killMs);
		},
	};
}

/** Returns what the promise resolves with, or `late` after this time. */
export async function limitTime<Value>(
	promise: Promise<Value>,
	limitMs: number,
): Promise<Value | 'late'> {
	const timer = new AbortController();
	const limit = pause(limitMs, 'late' as const, {signal: timer.signal});
	try {
		return await Promise.race([promise, limit]);
	} finally {
		timer.abort();
	}
}
