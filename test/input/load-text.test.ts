import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {truncateSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {loadTextFile} from '../../src/input/load-text.ts';
import {createDirectory, pixelPng} from './input-helpers.ts';

describe('a text file', () => {
	const plain = 'one\r\ntwo\t日本 😀\n';
	test.each([
		['is read as it is', plain, plain],
		['loses its byte order mark, and only that', '\ufeffa\ufeffb', 'a\ufeffb'],
		['in UTF-16 is decoded', Buffer.from('\ufeffgrüß 😀', 'utf16le'), 'grüß 😀'],
		['in UTF-16, big endian', Buffer.from('\ufeffgrüß 😀', 'utf16le').swap16(), 'grüß 😀'],
	])('%s', async (_, content, text) => {
		const cwd = createDirectory({'notes.txt': content});
		expect(await loadTextFile('./notes.txt', {cwd})).toEqual({text, notices: []});
	});

	test('that is not UTF-8 is decoded with a notice', async () => {
		const cwd = createDirectory({'latin.txt': Buffer.from('caf\xe9', 'latin1')});
		expect(await loadTextFile('latin.txt', {cwd})).toEqual({
			text: 'caf\ufffd',
			notices: [
				{
					code: 'invalid-utf8',
					message: expect.stringMatching(/^latin\.txt is .*: iconv -f latin1 -t utf8$/),
				},
			],
		});
	});

	test.skipIf(process.platform !== 'linux')(
		'that says it is empty is read to its end',
		async () => {
			expect((await loadTextFile('/proc/self/status', {cwd: '/'})).text).toContain('Pid:');
		},
	);
});

test('a pipe that holds more than the system buffers comes whole', async () => {
	const cwd = createDirectory();
	execFileSync('mkfifo', [join(cwd, 'pipe')]);
	const text = 'x'.repeat(300_000);
	writeFileSync(join(cwd, 'source'), text);
	const writer = spawn('sh', ['-c', 'cat source > pipe'], {cwd});
	const [loaded] = await Promise.all([loadTextFile('pipe', {cwd}), once(writer, 'exit')]);
	expect(loaded.text === text).toBe(true);
});

describe('what cannot be sent as text says what, which file, and what next', () => {
	test('UTF-16 without a byte order mark', async () => {
		const bytes = Buffer.from('Grüße an alle\n', 'utf16le');
		for (const [encoding, content] of [
			['utf-16le', bytes],
			['utf-16be', Buffer.from(bytes).swap16()],
		] as const) {
			const cwd = createDirectory({'utf16.txt': content});
			await expect(loadTextFile('utf16.txt', {cwd})).rejects.toMatchObject({
				message: 'utf16.txt is UTF-16 without a byte order mark',
				details: {hint: expect.stringContaining(`iconv -f ${encoding} -t utf8`)},
			});
		}
	});

	const asPart = {repl: 'Attach it with /file.'};
	const nulBytes = 'binary: it contains NUL bytes';
	const cyrillic = Buffer.from('cff0e8e2e5f220e4f0f3e3', 'hex');
	test.each([
		['an image', pixelPng.toString('latin1'), 'an image', asPart],
		['a PDF without NUL bytes', '%PDF-1.7\n1 0 obj', 'a PDF', asPart],
		['a HEIC image', '\0\0\0\x18ftypheic\0', 'a HEIC image', 'Convert it to PNG or JPEG first.'],
		['a WAV', 'RIFF\x24\0\0\0WAVEfmt ', 'an audio file', asPart],
		[
			'a DOCX',
			'PK\x03\x04\x14\0',
			'a ZIP archive (or an office document)',
			'Send the text of its files.',
		],
	])('%s, by its kind', async (_, content, kind, hint) => {
		const cwd = createDirectory({file: Buffer.from(content, 'latin1')});
		await expect(loadTextFile('file', {cwd})).rejects.toMatchObject({
			kind: 'data',
			message: `file is ${kind}, not text`,
			details: {hint},
		});
	});

	test.each([
		['a binary file', Buffer.from('\x7fELF\x02\x01\0\0', 'latin1'), nulBytes],
		['a file in another encoding', cyrillic, 'not UTF-8 text: most of it cannot be decoded'],
	])('%s', async (_, content, reason) => {
		const cwd = createDirectory({file: content});
		const failure = {kind: 'data', message: `file is ${reason}`};
		await expect(loadTextFile('file', {cwd})).rejects.toMatchObject(failure);
	});

	test('more than 64 MiB', async () => {
		const cwd = createDirectory({'huge.log': 'log'});
		truncateSync(join(cwd, 'huge.log'), 64 * 1_048_576 + 1);
		await expect(loadTextFile('huge.log', {cwd})).rejects.toMatchObject({
			kind: 'data',
			message: 'huge.log is larger than the 64 MiB limit',
		});
	});
});
