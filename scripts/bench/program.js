/**
 * Copies the built program to `build/bench`, so that a build during the run does not affect it, and
 * bundles the minimal loop, so that both load equally fast.
 */
import {execFileSync} from 'node:child_process';
import {cp, mkdir, rm, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {build} from 'esbuild';
import {readBundleOptions} from '../bundle-options.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const staged = join(root, 'build', 'bench');
const processes = join(root, 'scripts', 'bench', 'processes');

/** The paths of the scripts. */
export async function stageProgram() {
	execFileSync(process.execPath, [join(root, 'scripts', 'build.js')], {stdio: 'pipe'});
	await rm(staged, {recursive: true, force: true});
	await mkdir(join(staged, 'home'), {recursive: true});
	for (const path of ['bin', 'dist', 'package.json']) {
		await cp(join(root, path), join(staged, path), {recursive: true});
	}
	const {outputFiles} = await build({
		...(await readBundleOptions(root)),
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
