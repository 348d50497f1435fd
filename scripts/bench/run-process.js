/**
 * Runs a command to its end, with its output into a pipe, and measures it from outside. The `time`
 * of bash includes the start and the end of the process, in milliseconds.
 */
import {execFile} from 'node:child_process';
import {readFile, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';

const run = promisify(execFile);
const preload = fileURLToPath(new URL('./processes/peak-memory.cjs', import.meta.url));

const script = `
exec 3> >(cat >/dev/null)
TIMEFORMAT='%3R %3U %3S'
time "$@" </dev/null >&3 2>/dev/null 3>&-
status=$?
[ $status = 0 ] || echo "exit code $status"
`;

/** @returns {Promise<{wallMs: number, cpuMs: number}>} */
export async function measureTime([file, ...words], variables) {
	const options = {env: {...variables, LC_ALL: 'C'}};
	const {stdout, stderr} = await run('bash', ['-c', script, 'bash', file, ...words], options);
	if (stdout !== '') throw new Error(`${file} ${words.join(' ')}: ${stdout.trim()}`);
	const [real, user, system] = stderr.trim().split(' ').map(Number);
	return {wallMs: real * 1000, cpuMs: (user + system) * 1000};
}

/** Peak memory in MiB, for scripts of Node only. */
export async function measureMemory([node, ...words], variables) {
	const file = join(variables.HOME, 'peak-memory');
	await measureTime([node, '--require', preload, ...words], {
		...variables,
		BENCH_MEMORY_FILE: file,
	});
	const peak = Number(await readFile(file, 'utf8')) / 1024;
	await rm(file);
	return peak;
}

export async function hasCommand(name) {
	return await run('bash', ['-c', 'command -v "$1"', 'bash', name]).then(
		() => true,
		() => false,
	);
}
