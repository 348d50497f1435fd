import {copyFileSync, mkdirSync, symlinkSync, truncateSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {loadFiles as loadWith} from '../../src/input/load-files.ts';
import type {FileSource} from '../../src/input/read-bytes.ts';
import {createDirectory, createRepository, gitWith, pixelPng} from './input-helpers.ts';

const pdf = Buffer.from('%PDF-1.7\n%%EOF\n');
const wav = Buffer.from('RIFF\x24\0\0\0WAVEfmt ', 'latin1');

const loadFiles = (path: string, source: FileSource) => loadWith(path, {...source, git: gitWith()});

async function namesOf(path: string, cwd: string): Promise<readonly string[]> {
	const {attachments} = await loadFiles(path, {cwd});
	return attachments.map(({name}) => name);
}

async function noticesOf(path: string, cwd: string): Promise<readonly string[]> {
	const {notices} = await loadFiles(path, {cwd});
	return notices.map(({message}) => message);
}

describe('a file is sent by its content', () => {
	test('as text, a document, a recording or an image', async () => {
		const cwd = createDirectory({'a.txt': 'text', paper: pdf, 'b.wav': wav, 'c.dat': pixelPng});
		const base64 = (bytes: Buffer) => bytes.toString('base64');
		const url = (type: string, bytes: Buffer) => `data:${type};base64,${base64(bytes)}`;
		const document = {type: 'document', name: 'paper.pdf'};
		const load = async (path: string) => (await loadFiles(path, {cwd})).attachments;
		expect(await load('a.txt')).toEqual([{type: 'file', name: 'a.txt', text: 'text'}]);
		expect(await load('./paper')).toEqual([
			{type: 'document', name: './paper', part: {...document, url: url('application/pdf', pdf)}},
		]);
		expect(await load('b.wav')).toEqual([
			{type: 'audio', name: 'b.wav', part: {type: 'audio', format: 'wav', data: base64(wav)}},
		]);
		expect(await load('c.dat')).toMatchObject([{part: {url: url('image/png', pixelPng)}}]);
	});

	test('up to 32 MiB, if it is not text', async () => {
		const cwd = createDirectory({'big.pdf': pdf});
		truncateSync(join(cwd, 'big.pdf'), 32 * 1_048_576 + 1);
		await expect(loadFiles('big.pdf', {cwd})).rejects.toMatchObject({
			kind: 'data',
			message: 'big.pdf is larger than the 32 MiB limit',
		});
	});
});

describe('lines of a file', () => {
	const files = {'a.txt': 'one\ntwo\r\nthree\nfour\n', 'b:2': 'a name with a colon'};
	test.each([
		['a.txt:2-3', 'a.txt:2-3', 'two\r\nthree'],
		['a.txt:3-', 'a.txt:3-4', 'three\nfour'],
		['a.txt:2-99', 'a.txt:2-4', 'two\r\nthree\nfour'],
		['b:2', 'b:2', 'a name with a colon'],
	])('%s are named by what is sent', async (path, name, text) => {
		const {attachments} = await loadFiles(path, {cwd: createDirectory(files)});
		expect(attachments).toEqual([{type: 'file', name, text}]);
	});

	test.each([
		['a.txt:5-9', 'data', 'a.txt:5-9 is beyond the end of a.txt, which has 4 lines'],
		['a.txt:0', 'usage', 'a.txt:0 is not a range of lines, which count from 1'],
		['src:1-2', 'usage', 'src:1-2 names lines, but src is a folder'],
		['paper.pdf:1-2', 'data', 'paper.pdf is a PDF, not text'],
	])('%s are an error', async (path, kind, message) => {
		const cwd = createDirectory({...files, 'paper.pdf': pdf, 'src/a.ts': ''});
		await expect(loadFiles(path, {cwd})).rejects.toMatchObject({kind, message});
	});
});

describe('a folder', () => {
	test('is sent with all text files below it, in order', async () => {
		const cwd = createDirectory({'src/b.ts': 'b', 'src/a/z.ts': 'z', 'src/B.md': 'B', 'c.ts': 'c'});
		const names = ['src/B.md', 'src/a/z.ts', 'src/b.ts'];
		expect(await namesOf('src', cwd)).toEqual(names);
		expect(await namesOf('./src/', cwd)).toEqual(names);
		expect(await namesOf('.', cwd)).toEqual(['c.ts', ...names]);
		expect(await namesOf(join(cwd, 'src'), '/')).toEqual(names.map((name) => join(cwd, name)));
		expect(await noticesOf('src', cwd)).toEqual([]);
	});

	test('is sent without binary, hidden and Git files, and what is left out is counted', async () => {
		const cwd = createRepository({
			'a.txt': 'a',
			'b.png': pixelPng,
			'paper.pdf': '%PDF-1.7\n',
			'late.bin': `${'x'.repeat(9000)}\0`,
			'utf16.txt': Buffer.from('\ufeffgrüß', 'utf16le'),
			'.env': 'SECRET=1',
		});
		expect(await namesOf('.', cwd)).toEqual(['a.txt', 'utf16.txt']);
		expect(await noticesOf('.', cwd)).toEqual(['.: 2 files; left out: 3 binary']);
		expect(await namesOf('.env', cwd)).toEqual(['.env']);
	});

	test('is sent without what its .gitignore files name, in each folder of the repository', async () => {
		const cwd = createRepository({
			'.gitignore': '*.log\n/dist/\nnode_modules\n',
			'a.log': '',
			'src/.gitignore': '!keep.log\nsecret.txt\n',
			'src/keep.log': '',
			'src/other.log': '',
			'src/secret.txt': '',
			'src/dist/a.js': '',
			'src/node_modules/x/index.js': '',
			'dist/main.js': '',
			'secret.txt': '',
		});
		expect(await namesOf('.', cwd)).toEqual(['secret.txt', 'src/dist/a.js', 'src/keep.log']);
		expect(await namesOf('src', cwd)).toEqual(['src/dist/a.js', 'src/keep.log']);
		expect(await noticesOf('src', cwd)).toEqual(['src: 2 files; left out: 3 git-ignored']);
	});

	test('that is ignored itself is sent when it is named', async () => {
		const cwd = createRepository({
			'.gitignore': 'dist/\n',
			'dist/js/main.js': 'x',
			'dist/js/main.js.map': 'x',
			'dist/.gitignore': '*.map\n',
		});
		expect(await namesOf('dist', cwd)).toEqual(['dist/js/main.js']);
		expect(await namesOf('dist/**/*.js', cwd)).toEqual(['dist/js/main.js']);
		expect(await namesOf('dist/js/main.js', cwd)).toEqual(['dist/js/main.js']);
	});

	test('is sent without links, wherever they lead, unless they are named', async () => {
		const outside = createDirectory({'secret.txt': 'secret'});
		const cwd = createDirectory({'src/a.txt': 'a'});
		symlinkSync(join(outside, 'secret.txt'), join(cwd, 'src/file'));
		symlinkSync(outside, join(cwd, 'src/folder'));
		expect(await namesOf('src', cwd)).toEqual(['src/a.txt']);
		expect(await noticesOf('src', cwd)).toEqual(['src: 1 file; left out: 2 links']);
		expect(await namesOf('src/*', cwd)).toEqual(['src/a.txt']);
		expect(await namesOf('src/folder', cwd)).toEqual(['src/folder/secret.txt']);
	});
});

describe('a pattern', () => {
	const files = {
		'a.ts': '',
		'b.md': '',
		'[c].ts': '',
		'src/d.ts': '',
		'src/e.tsx': '',
		'src/deep/f.ts': '',
		'.github/workflows/ci.yml': '',
		'.hidden.ts': '',
	};
	test.each([
		['*.ts', ['[c].ts', 'a.ts']],
		['**/*.ts', ['[c].ts', 'a.ts', 'src/deep/f.ts', 'src/d.ts'].sort()],
		['src/*.{ts,tsx}', ['src/d.ts', 'src/e.tsx']],
		['.*.ts', ['.hidden.ts']],
		['**/.github/*/*.yml', ['.github/workflows/ci.yml']],
		// A name that exists is not a pattern.
		['[c].ts', ['[c].ts']],
	])('%s finds %j', async (pattern, names) => {
		expect(await namesOf(pattern, createDirectory(files))).toEqual(names);
	});

	test('of hidden names finds nothing in .git, even without an answer of Git', async () => {
		const cwd = createDirectory({'.git/config': '', '.github/ci.yml': ''});
		expect(await namesOf('.*/*', cwd)).toEqual(['.github/ci.yml']);
	});
});

describe('what has no text files says what next', () => {
	const wider = (pattern: string) => ({repl: `To search the folders below too: /file ${pattern}`});
	const named = 'Name a folder with text files, or a file.';
	test.each([
		['a folder without files', 'empty', 'data', 'empty has no text files', named],
		['a pattern without files', '*.py', 'input', 'no file matches *.py', wider('**/*.py')],
		['a broken pattern', 'a[b', 'input', 'no file matches a[b', wider('**/a[b')],
		['an empty name', '', 'usage', 'a file name is empty', undefined],
		[
			'a URL',
			'https://x.example/',
			'usage',
			'a URL is not a file, and nothing is downloaded',
			undefined,
		],
	])('%s', async (_, path, kind, message, hint) => {
		const cwd = createDirectory({'a.ts': ''});
		mkdirSync(join(cwd, 'empty'));
		const details = hint === undefined ? {} : {hint};
		await expect(loadFiles(path, {cwd})).rejects.toMatchObject({kind, message, details});
	});

	test('a folder of binary files names one that can be sent', async () => {
		const cwd = createDirectory({'docs/paper.pdf': pdf});
		await expect(loadFiles('docs', {cwd})).rejects.toMatchObject({
			kind: 'data',
			message: 'docs has no text files to send; left out: 1 binary',
			details: {hint: {repl: 'To send the whole: /file docs/paper.pdf'}},
		});
	});

	test('the folder of Git', async () => {
		const cwd = createDirectory({'.git/hooks/pre-commit': 'sh'});
		await expect(loadFiles('.git/hooks', {cwd})).rejects.toMatchObject({
			kind: 'usage',
			message: '.git/hooks belongs to Git and is not sent',
		});
	});
});

describe('too much is refused', () => {
	test.each([
		['of many stars', '*a*a*a*a*a*b\n', '.gitignore: line 1 has too many stars'],
		['in many lines', 'x\n'.repeat(5001), '.gitignore has more than 5000 lines'],
	])('in rules %s', async (_, rules, message) => {
		const cwd = createDirectory({'.gitignore': rules, ['a'.repeat(200)]: ''});
		await expect(namesOf('.', cwd)).rejects.toMatchObject({
			kind: 'data',
			message: expect.stringContaining(message),
		});
	});

	test('not in rules that Git reads, also in a folder that it ignores', async () => {
		const rules = `${'x\n'.repeat(5001)}*a*a*a*a*a*b\n*.log\n/dist/\n`;
		const files = {'.gitignore': rules, 'a.txt': '', 'a.log': ''};
		const cwd = createRepository(files);
		mkdirSync(join(cwd, 'dist'));
		for (const name of Object.keys(files)) copyFileSync(join(cwd, name), join(cwd, 'dist', name));
		expect(await namesOf('.', cwd)).toEqual(['a.txt']);
		expect(await namesOf('dist', cwd)).toEqual(['dist/a.txt']);
	});

	test.each(['*a*a*a*a*a*b', '**/a/**/a/**/a/**/a/**/b'])('in the pattern %s', async (pattern) => {
		const cwd = createDirectory({['a'.repeat(200)]: ''});
		await expect(namesOf(pattern, cwd)).rejects.toMatchObject({kind: 'usage'});
	});

	test('by the number of text files', async () => {
		const names = Array.from({length: 1001}, (_, index) => [`${index}.txt`, 'x'] as const);
		const cwd = createDirectory(Object.fromEntries(names));
		await expect(loadFiles('.', {cwd})).rejects.toMatchObject({
			kind: 'data',
			message: '. has more than 1000 text files',
			details: {hint: {repl: expect.stringContaining('/file **/*.md')}},
		});
		expect(await namesOf('?.txt', cwd)).toHaveLength(10);
	});

	test('by their size, and names the largest', async () => {
		const cwd = createDirectory({'a.txt': 'a', 'big.csv': '1,2\n'.repeat(2_097_152)});
		await expect(loadFiles('.', {cwd})).rejects.toMatchObject({
			kind: 'data',
			message: '. has more than 8 MiB of text; the largest file is big.csv',
		});
		expect(await namesOf('big.csv', cwd)).toEqual(['big.csv']);
	});
});
