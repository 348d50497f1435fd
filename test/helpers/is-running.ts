import {existsSync, readFileSync} from 'node:fs';

/** Whether a process exists that has not ended. One whose parent has not noticed its end has. */
export function isRunning(pid: number): boolean {
	try {
		process.kill(pid, 0);
		const path = `/proc/${pid}/stat`;
		// Only Linux has such files.
		return !existsSync('/proc/self') || !/\) Z /.test(readFileSync(path, 'utf8'));
	} catch {
		return false;
	}
}
