import {execFile} from 'node:child_process';
import {cpSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';
import {createDirectory} from '../input/input-helpers.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const {version, engines} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const oldest = engines.node.replace('>=', '');

/** Runs a copy of the command, with this program in `dist`, as this version of Node. */
function runChat(
	words: readonly string[],
	{main, node, output = ''}: {main?: string; node?: string; output?: string} = {},
) {
	const folder = createDirectory();
	for (const name of ['bin', 'package.json']) {
		cpSync(join(root, name), join(folder, name), {recursive: true});
	}
	mkdirSync(join(folder, 'dist'));
	if (main !== undefined) writeFileSync(join(folder, 'dist', 'main.js'), main);
	const pretend = `Object.defineProperty(process.versions, 'node', {value: '${node}'})`;
	const preload =
		node === undefined ? [] : ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`];
	const command = [process.execPath, ...preload, join(folder, 'bin', 'chat.js'), ...words];
	return new Promise((resolve) => {
		const child = execFile(
			'sh',
			['-c', `exec "$@"${output}`, 'sh', ...command],
			(_, stdout, stderr) => {
				resolve({stdout, stderr, exitCode: child.exitCode});
			},
		);
	});
}

const text = (pattern: RegExp) => expect.stringMatching(pattern);
const echo = `export const runProgram = async (words) => {
	console.log(JSON.stringify(words));
	process.exitCode = 79;
};`;
const gone = "import './chunks/gone.js'; export const runProgram = async () => {};";
const tooMany = "throw Object.assign(new Error('too many open files'), {code: 'EMFILE'});";
const broken = "throw new Error('broken at load');";
const refusal = (node: string) =>
	text(new RegExp(`^chat: needs Node ${oldest} or newer; this is Node ${node}\\.\\n$`));

test.each([
	[
		'prints its version without the built program',
		['--version'],
		{},
		{stdout: `${version}\n`, stderr: '', exitCode: 0},
	],
	[
		'prints its version for -V too',
		['-V'],
		{node: '26.1.0'},
		{stdout: `${version}\n`, exitCode: 0},
	],
	[
		'leaves the version to the program with more words',
		['--version', 'of'],
		{main: echo},
		{stdout: '["--version","of"]\n'},
	],
	['fails to print its version to a full device', ['-V'], {output: ' >/dev/full'}, {exitCode: 74}],
	['accepts the oldest Node', ['-V'], {node: oldest}, {exitCode: 0}],
	[
		'refuses Node 10',
		['Hello'],
		{node: '10.24.1'},
		{stdout: '', stderr: refusal('10.24.1'), exitCode: 78},
	],
	[
		'refuses an earlier Node',
		['Hello'],
		{node: '20.18.3'},
		{stderr: refusal('20.18.3'), exitCode: 78},
	],
	[
		'passes words on, and the exit code',
		['-m', 'two words'],
		{main: echo},
		{stdout: '["-m","two words"]\n', exitCode: 79},
	],
	[
		'asks for a build when there is none',
		['Hello'],
		{},
		{stdout: '', stderr: text(/npm ci/), exitCode: 78},
	],
	[
		'asks for a build when it is there in part',
		['Hello'],
		{main: gone},
		{stderr: text(/npm ci/), exitCode: 78},
	],
	[
		'says that too few files can be open',
		['Hello'],
		{main: tooMany},
		{stderr: text(/^chat: too many open files: .*ulimit -n 256\n$/), exitCode: 78},
	],
	[
		'asks for no build when the program breaks',
		['Hello'],
		{main: broken},
		{stderr: text(/^(?![\s\S]*npm ci)[\s\S]*broken at load/), exitCode: 1},
	],
])('the command %s', async (_, words, given, expected) => {
	expect(await runChat(words, given)).toMatchObject(expected);
});

test('Node 10 can parse the command', () => {
	const source = readFileSync(join(root, 'bin', 'chat.js'), 'utf8');
	const body = source.replace(/^#!.*/, '').replaceAll(/\bimport\(/g, 'load(');
	expect(() => new Function(body)).not.toThrow();
	expect(body).not.toMatch(/\?\.|\?\?|\|\|=|&&=|^\s*await\b/m);
});
