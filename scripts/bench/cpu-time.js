/** Reads what other processes have cost. */
import {readdirSync, readFileSync} from 'node:fs';

/** Other systems do not tell the CPU time of other processes. */
export const canReadCpu = process.platform === 'linux';

/** CPU time of all threads of a running process, in milliseconds. */
export function readCpuMs(pid) {
	const folder = `/proc/${pid}/task`;
	const nanoseconds = readdirSync(folder).map((thread) =>
		Number(readFileSync(`${folder}/${thread}/schedstat`, 'utf8').split(' ')[0]),
	);
	return nanoseconds.reduce((sum, time) => sum + time, 0) / 1e6;
}

/** Resident memory of a running process in MiB. */
export function readMemory(pid) {
	const status = readFileSync(`/proc/${pid}/status`, 'utf8');
	return Number(/VmRSS:\s*(\d+)/.exec(status)[1]) / 1024;
}
