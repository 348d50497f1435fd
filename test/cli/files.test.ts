import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {errorReply, streamReply} from '../helpers/replies.ts';
import {type RunOptions, runChat} from '../helpers/run-chat.ts';
import {startRecording} from '../helpers/start-service.ts';
import {createDirectory, createRepository, pixelPng} from '../input/input-helpers.ts';

const pdf = Buffer.from('%PDF-1.7\n%%EOF\n');
const wav = Buffer.from('RIFF\x24\0\0\0WAVEfmt ', 'latin1');
const mp3 = Buffer.from('ID3\x04\0\0', 'latin1');

const filePart = (filename: string) => {
	const file_data = `data:application/pdf;base64,${pdf.toString('base64')}`;
	return {type: 'file', file: {filename, file_data}};
};
const audioPart = (format: string, bytes: Buffer) => {
	return {type: 'input_audio', input_audio: {data: bytes.toString('base64'), format}};
};
const imagePart = (url: string) => ({type: 'image_url', image_url: {url}});
const png = imagePart(`data:image/png;base64,${pixelPng.toString('base64')}`);
const text = (content: string) => ({type: 'text', text: content});

function createFiles(): string {
	const cwd = createDirectory({
		'a.txt': 'a',
		'a.pdf': pdf,
		'a.wav': wav,
		voice: mp3,
		dot: pixelPng,
	});
	mkdirSync(join(cwd, 'src'));
	writeFileSync(join(cwd, 'src', 'x.ts'), 'let x;\n');
	return cwd;
}

async function sent(argv: readonly string[], options: RunOptions = {}): Promise<unknown> {
	const service = await startRecording(streamReply(['Nice.']));
	const run = await runChat(argv, {cwd: createFiles(), ...options, variables: service.variables});
	expect(run).toEqual({stdout: 'Nice.\n', stderr: '', exitCode: 0});
	return service.prompt();
}

describe('an attachment is sent as a part of its kind, after the text', () => {
	test('by either flag', async () => {
		const parts = [text('what?'), filePart('a.pdf'), audioPart('wav', wav)];
		expect(await sent(['-a', 'a.pdf', '-a', 'a.wav', 'what?'])).toEqual(parts);
		expect(await sent(['-f', 'a.pdf', '-f', 'a.wav', 'what?'])).toEqual(parts);
	});

	test('with files before it and images among them', async () => {
		const url = 'https://example.com/a.png';
		const argv = ['-f', 'a.txt', '--image', 'dot', '-a', 'voice', '-a', url, 'what?'];
		expect(await sent(argv)).toEqual([
			text('<file name="a.txt">\na\n</file>\n\nwhat?'),
			png,
			audioPart('mp3', mp3),
			imagePart(url),
		]);
	});

	test('from standard input, named or not', async () => {
		const parts = [text('what?'), filePart('stdin.pdf')];
		expect(await sent(['what?'], {stdin: pdf})).toEqual(parts);
		expect(await sent(['-a', '-', 'what?'], {stdin: pdf})).toEqual(parts);
	});

	test('and the built-in service reports its type, size and fingerprint', async () => {
		const cwd = createFiles();
		const run = await runChat(['-q', '-f', 'a.pdf', '-a', 'a.wav', 'what?'], {cwd});
		expect(run.exitCode).toBe(0);
		expect(run.stdout).toMatch(
			/- File: a\.pdf, application\/pdf, 15 bytes, fingerprint [\da-f]{12}\n- Audio: WAV audio, 16 bytes, fingerprint [\da-f]{12}\n/,
		);
	});
});

describe('folders, patterns and lines are text before the prompt', () => {
	test.each([
		['src', 'src/x.ts', 'let x;'],
		['**/*.ts', 'src/x.ts', 'let x;'],
		['src/x.ts:1-1', 'src/x.ts:1', 'let x;'],
	])('%s', async (path, name, content) => {
		expect(await sent(['-f', path, 'p'])).toBe(`<file name="${name}">\n${content}\n</file>\n\np`);
	});

	test('with the number of files that are left out', async () => {
		const {variables} = await startRecording(streamReply(['Nice.']));
		const run = await runChat(['-f', '.', 'p'], {cwd: createFiles(), variables});
		expect(run.stderr).toBe('chat: .: 2 files; left out: 4 binary\n');
	});

	test('without files that Git ignores by a rule of the user', async () => {
		const service = await startRecording(streamReply(['Nice.']));
		const cwd = createRepository({'a.txt': 'a', 'secret.txt': 's'});
		const HOME = createDirectory({'.config/git/ignore': 'secret.txt\n'});
		const variables = {...service.variables, HOME, PATH: process.env['PATH']};
		const run = await runChat(['-f', '.', 'p'], {cwd, variables});
		expect(run.stderr).toBe('chat: .: 1 file; left out: 1 git-ignored\n');
		expect(service.prompt()).toBe('<file name="a.txt">\na\n</file>\n\np');
	});
});

test('an empty file is reported, and one that is given twice is sent once', async () => {
	const service = await startRecording(streamReply(['Nice.']));
	const cwd = createDirectory({'a.txt': 'a', 'empty.txt': ' \n'});
	const argv = ['-f', 'a.txt', '-f', 'empty.txt', '-f', './a.txt', 'p'];
	const run = await runChat(argv, {cwd, variables: service.variables});
	expect(run.stderr).toBe(
		'chat: ./a.txt is given more than once, and sent once\nchat: empty.txt is empty\n',
	);
	expect(String(service.prompt()).match(/<file name=/g)).toHaveLength(2);
});

test('the size of large files is reported before they are sent', async () => {
	const {variables} = await startRecording(streamReply(['Nice.']));
	const cwd = createDirectory({'a.txt': 'x'.repeat(200_000), 'b.txt': 'x'.repeat(100_000)});
	const run = (argv: readonly string[]) => runChat([...argv, 'p'], {cwd, variables});
	expect((await run(['-f', 'a.txt'])).stderr).toBe('');
	expect((await run(['-f', '.'])).stderr).toBe('chat: 2 files, 293 KiB in total\n');
	const piped = await runChat(['p'], {stdin: 'x'.repeat(300_000), variables});
	expect(piped.stderr).toBe('chat: piped text, 293 KiB in total\n');
	const json = JSON.parse((await run(['-o', 'json', '-f', '.'])).stdout);
	expect(json.notices).toMatchObject([{code: 'files-large'}]);
});

test('a service that knows no PDFs is named as the reason, with another way', async () => {
	const message = 'messages[0]: unknown variant `file`, expected `text`';
	const {variables} = await startRecording(errorReply(400, message));
	const run = await runChat(['-a', 'a.pdf', 'p'], {cwd: createFiles(), variables});
	expect(run).toMatchObject({stdout: '', exitCode: 65});
	expect(run.stderr).toMatch(/unknown variant `file`.*\n.*may not support PDFs.*pdftotext/);
});

describe('what cannot be attached', () => {
	test.each([
		['a text', ['-a', 'a.txt'], {}, 65, /a\.txt is not a PDF, a recording or an image.*\n.*-f/],
		['a folder', ['-a', 'src'], {}, 65, /src is a directory, not a file/],
		['a PDF by URL', ['-a', 'https://x.example/a.pdf'], {}, 65, /fetches images.*\n.*Download/],
		['a text at -', ['-a', '-'], {stdin: 'text'}, 65, /stdin is not a PDF/],
		['nothing at -', ['-a', '-'], {}, 64, /nothing was piped in\n.*chat -a - .*< report\.pdf/],
		['- twice', ['-a', '-', '--image', '-'], {stdin: pdf}, 64, /stdin can be attached only once/],
		['a PDF as an image', ['--image', '-'], {stdin: pdf}, 65, /stdin is a PDF: png.*\n.*-f/],
		['lines of a PDF', ['-f', 'a.pdf:1-2'], {}, 65, /a\.pdf is a PDF, not text\n.*Send it with -f/],
		['lines beyond the end', ['-f', 'a.txt:7'], {}, 65, /which has 1 line\n.*chat -f a\.txt/],
	])('%s is refused, and nothing is sent', async (_, flags, options, exitCode, message) => {
		const {variables, requests} = await startRecording(streamReply(['no']));
		const run = await runChat([...flags, 'p'], {cwd: createFiles(), ...options, variables});
		expect(run).toMatchObject({stdout: '', exitCode});
		expect(run.stderr).toMatch(message);
		expect(requests).toEqual([]);
	});
});
