import {execFile} from 'node:child_process';
import {cp, mkdir, mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
	readonly version: string;
	readonly engines: {readonly node: string};
};

type Run = {readonly stdout: string; readonly stderr: string; readonly exitCode: number};

let folder: string;

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'chat-bin-'));
	await cp(join(root, 'bin'), join(folder, 'bin'), {recursive: true});
	await cp(join(root, 'package.json'), join(folder, 'package.json'));
});

afterEach(async () => {
	await rm(folder, {recursive: true});
});

/** Runs a copy of the command, whose `dist` the test provides. */
function runChat(words: readonly string[], nodeWords: readonly string[] = []): Promise<Run> {
	return new Promise((resolve) => {
		const command = [...nodeWords, join(folder, 'bin', 'chat.js'), ...words];
		const child = execFile(process.execPath, command, (_, stdout, stderr) => {
			resolve({stdout, stderr, exitCode: child.exitCode ?? -1});
		});
	});
}

async function buildStandIn(main: string): Promise<void> {
	await mkdir(join(folder, 'dist'));
	await writeFile(join(folder, 'dist', 'main.js'), main);
}

/** Makes Node report another version. */
function pretendNode(version: string): readonly string[] {
	const script = `Object.defineProperty(process.versions, 'node', {value: '${version}'})`;
	return ['--import', `data:text/javascript,${encodeURIComponent(script)}`];
}

describe('the version', () => {
	test.each(['--version', '-V'])('is printed for %s without the built program', async (flag) => {
		const run = await runChat([flag]);
		expect(run).toEqual({stdout: `${manifest.version}\n`, stderr: '', exitCode: 0});
	});

	test('is left to the program if there are more arguments', async () => {
		await buildStandIn('export const runProgram = async (words) => console.log(words.join(" "));');
		const run = await runChat(['--version', 'of', 'what']);
		expect(run.stdout).toBe('--version of what\n');
	});

	test.skipIf(process.platform !== 'linux')('is an output error on a full device', async () => {
		const command = `"${process.execPath}" "${join(folder, 'bin', 'chat.js')}" -V > /dev/full`;
		const exitCode = await new Promise((resolve) => {
			const child = execFile('sh', ['-c', command], () => resolve(child.exitCode));
		});
		expect(exitCode).toBe(74);
	});
});

describe('Node', () => {
	test.each(['10.24.1', '18.20.8', '20.18.3'])(
		'%s is refused with a readable message',
		async (version) => {
			const run = await runChat(['Hello'], pretendNode(version));
			const needed = manifest.engines.node.replace('>=', '');
			expect(run).toEqual({
				stdout: '',
				stderr: `chat: needs Node ${needed} or newer; this is Node ${version}.\n`,
				exitCode: 78,
			});
		},
	);

	test.each(['20.19.0', '22.0.0', '26.1.0'])('%s is accepted', async (version) => {
		const run = await runChat(['--version'], pretendNode(version));
		expect(run.exitCode).toBe(0);
	});

	test('10 can parse the command', async () => {
		const source = await readFile(join(root, 'bin', 'chat.js'), 'utf8');
		const body = source.replace(/^#!.*/, '').replaceAll(/\bimport\(/g, 'load(');
		expect(() => new Function(body)).not.toThrow();
		expect(body).not.toMatch(/\?\.|\?\?|\|\|=|&&=|^\s*await\b/m);
	});
});

describe('the program', () => {
	test('gets the words, and ends the process', async () => {
		await buildStandIn(
			`export const runProgram = async (words) => {
				console.log(JSON.stringify(words));
				process.exitCode = 79;
			};`,
		);
		const run = await runChat(['-m', 'terra', 'two words']);
		expect(JSON.parse(run.stdout)).toEqual(['-m', 'terra', 'two words']);
		expect(run.exitCode).toBe(79);
	});

	test.each([
		['is missing', undefined],
		[
			'is there only in part',
			"import './chunks/gone.js'; export const runProgram = async () => {};",
		],
	])('asks for a build when it %s', async (_, main) => {
		if (main !== undefined) await buildStandIn(main);
		const run = await runChat(['Hello']);
		expect(run.stdout).toBe('');
		expect(run.stderr).toContain('npm ci');
		expect(run.exitCode).toBe(78);
	});

	test('reports that too few files can be open', async () => {
		await buildStandIn("throw Object.assign(new Error('too many open files'), {code: 'EMFILE'});");
		const run = await runChat(['Hello']);
		expect(run.stderr).toMatch(/^chat: too many open files: .*ulimit -n 256\n$/);
		expect(run.exitCode).toBe(78);
	});

	test('is not reported as missing when it breaks', async () => {
		await buildStandIn("throw new Error('broken at load');");
		const run = await runChat(['Hello']);
		expect(run.stderr).toContain('broken at load');
		expect(run.stderr).not.toContain('npm ci');
		expect(run.exitCode).toBe(1);
	});
});
