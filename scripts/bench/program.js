/** The programs of the benchmark, their variables, and what one run of them costs. */
import {execFile, execFileSync} from 'node:child_process';
import {cp, mkdir, readFile, rm, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {promisify} from 'node:util';
import {build} from 'esbuild';
import {bundleOptions} from '../bundle-options.js';
import {root} from '../project.js';

const run = promisify(execFile);
const staged = join(root, 'build', 'bench');
const processes = join(root, 'scripts', 'bench', 'processes');

/**
 * Copies the built program to `build/bench`, so that a build during the run does not affect it, and
 * bundles the minimal loop, so that both load equally fast. Returns the paths of the scripts.
 */
export async function stageProgram() {
	execFileSync(process.execPath, [join(root, 'scripts', 'build.js')], {stdio: 'pipe'});
	await rm(staged, {recursive: true, force: true});
	await mkdir(join(staged, 'home'), {recursive: true});
	for (const path of ['bin', 'dist', 'package.json']) {
		await cp(join(root, path), join(staged, path), {recursive: true});
	}
	const {outputFiles} = await build({
		...bundleOptions,
		entryPoints: [join(processes, 'http-loop.js')],
		outdir: join(staged, 'processes'),
	});
	for (const {path, contents} of outputFiles) {
		await mkdir(dirname(path), {recursive: true});
		await writeFile(path, contents);
	}
	return {
		chat: join(staged, 'bin', 'chat.js'),
		httpLoop: join(staged, 'processes', 'http-loop.js'),
		sdk: join(processes, 'openai-sdk.js'),
		home: join(staged, 'home'),
	};
}

/** The same environment on every machine, without variables that slow Node down. */
export function createVariables(program, baseUrl) {
	return {
		PATH: process.env.PATH,
		HOME: program.home,
		TERM: 'xterm-256color',
		LC_ALL: 'C.UTF-8',
		// A run without a model asks for the list first.
		...(baseUrl === undefined
			? {}
			: {CHAT_BASE_URL: baseUrl, CHAT_API_KEY: 'bench', CHAT_MODEL: 'MODEL-5.6-sol'}),
	};
}

/** The `time` of bash measures from outside: with the start and the end of the process, into a pipe. */
const timed = `
exec 3> >(cat >/dev/null)
TIMEFORMAT='%3R %3U %3S'
time "$@" </dev/null >&3 2>/dev/null 3>&-
status=$?
[ $status = 0 ] || echo "exit code $status"
`;

/** @returns {Promise<{wallMs: number, cpuMs: number}>} */
export async function measureTime(command, variables) {
	const env = {...variables, LC_ALL: 'C'};
	const {stdout, stderr} = await run('bash', ['-c', timed, 'bash', ...command], {env});
	if (stdout !== '') throw new Error(`${command.join(' ')}: ${stdout.trim()}`);
	const [real, user, system] = stderr.trim().split(' ').map(Number);
	return {wallMs: real * 1000, cpuMs: (user + system) * 1000};
}

/** Peak memory in MiB, for scripts of Node only. */
export async function measureMemory([node, ...words], variables) {
	const file = join(variables.HOME, 'peak-memory');
	const preload = join(processes, 'peak-memory.cjs');
	await measureTime([node, '--require', preload, ...words], {
		...variables,
		BENCH_MEMORY_FILE: file,
	});
	return Number(await readFile(file, 'utf8')) / 1024;
}
