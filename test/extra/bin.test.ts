import {execFile} from 'node:child_process';
import {cpSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';
import {type Line, wordsOf} from '../helpers/run-chat.ts';
import {createDirectory, writeTree} from '../input/input-helpers.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const {version, engines} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const oldest = engines.node.replace('>=', '');

type Given = {readonly main?: string; readonly node?: string; readonly output?: string};

/** Runs a copy of the command, with this program in `dist`, as this version of Node. */
function runCopy(line: Line, {main, node, output = ''}: Given): Promise<readonly unknown[]> {
	const folder = createDirectory();
	for (const name of ['bin', 'package.json']) {
		cpSync(join(root, name), join(folder, name), {recursive: true});
	}
	if (main !== undefined) writeTree(folder, {'dist/main.js': main});
	const script = `Object.defineProperty(process.versions, 'node', {value: '${node}'})`;
	const preload = `data:text/javascript,${encodeURIComponent(script)}`;
	const flags = node === undefined ? [] : ['--import', preload];
	const command = [process.execPath, ...flags, join(folder, 'bin', 'chat.js'), ...wordsOf(line)];
	return new Promise((resolve) => {
		const shell = ['-c', `exec "$@"${output}`, 'sh', ...command];
		const child = execFile('sh', shell, (_, ...outputs) => resolve([child.exitCode, ...outputs]));
	});
}

const own = `${version}\n`;
const words = ['-m', 'two words'];
const echo =
	'export const runProgram = async (all) => { console.log(all.join()); process.exitCode = 79; };';
const gone = "import './chunks/gone.js'; export const runProgram = async () => {};";
const tooMany = "throw Object.assign(new Error('too many open files'), {code: 'EMFILE'});";
const broken = "throw new Error('broken at load');";
const needs = new RegExp(`^chat: needs Node ${oldest} or newer; this is Node [\\d.]+\\.\n$`);
const limit = /^chat: too many open files: .*ulimit -n 256\n$/;
const reason = /^(?![\s\S]*npm ci)[\s\S]*broken at load/;

const rows: ReadonlyArray<
	readonly [string, Line, Given, number, stdout?: string, stderr?: RegExp]
> = [
	['prints its version without the program', '--version', {}, 0, own],
	['prints its version for -V too', '-V', {node: '26.1.0'}, 0, own],
	['leaves more words to the program', '--version of', {main: echo}, 79, '--version,of\n'],
	['fails to print to a full device', '-V', {output: ' >/dev/full'}, 74, '', /ENOSPC/],
	['accepts the oldest Node', '-V', {node: oldest}, 0, own],
	['refuses Node 10', 'Hello', {node: '10.24.1'}, 78, '', needs],
	['refuses an earlier Node', 'Hello', {node: '20.18.3'}, 78, '', needs],
	['passes words on, and the exit code', words, {main: echo}, 79, '-m,two words\n'],
	['asks for a build when there is none', 'Hello', {}, 78, '', /npm ci/],
	['asks for a build when a part is gone', 'Hello', {main: gone}, 78, '', /npm ci/],
	['says that too few files can be open', 'Hello', {main: tooMany}, 78, '', limit],
	['asks for no build when that breaks', 'Hello', {main: broken}, 1, '', reason],
];

const isLinux = process.platform === 'linux';
const runnable = rows.filter(([, , {output}]) => isLinux || output === undefined);

test.each(runnable.map(([name, ...row]) => ({name, row})))('the command $name', async ({row}) => {
	const [line, given, exitCode, stdout = '', stderr = /^$/] = row;
	expect(await runCopy(line, given)).toEqual([exitCode, stdout, expect.stringMatching(stderr)]);
});

test('Node 10 can parse the command', () => {
	const source = readFileSync(join(root, 'bin', 'chat.js'), 'utf8');
	const body = source.replace(/^#!.*/, '').replaceAll(/\bimport\(/g, 'load(');
	expect(() => new Function(body)).not.toThrow();
	expect(body).not.toMatch(/\?\.|\?\?|\|\|=|&&=|^\s*await\b/m);
});
