/** Real files and streams for the tests of this folder. */
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {Readable} from 'node:stream';
import {onTestFinished} from 'vitest';
import type {InputStream} from '../../src/environment.ts';

/** A fresh directory, gone after the test, with these files in it. */
export function createDirectory(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
	const directory = mkdtempSync(join(tmpdir(), 'chat-input-'));
	onTestFinished(() => rmSync(directory, {recursive: true, force: true}));
	for (const [name, content] of Object.entries(files)) {
		writeFileSync(join(directory, name), content);
	}
	return directory;
}

/** Standard input that holds these pieces and then ends. */
export function inputOf(
	kind: InputStream['kind'],
	...pieces: readonly (string | Uint8Array)[]
): InputStream {
	return {kind, read: () => Readable.from(pieces.map((piece) => Buffer.from(piece)))};
}

/** Standard input that must be left alone. */
export function untouchableInput(kind: InputStream['kind']): InputStream {
	return {
		kind,
		read() {
			throw new Error('standard input was read');
		},
	};
}

/** Standard input that the test feeds itself. */
export function openInput(): {readonly input: InputStream; readonly stream: Readable} {
	const stream = new Readable({read: () => undefined});
	return {input: {kind: 'data', read: () => stream}, stream};
}

/** A picture of one transparent pixel. */
export const pixelPng = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=',
	'base64',
);

export const pixelGif = Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1');
export const jpegStart = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0]);
export const webpStart = Buffer.from('RIFF\x1a\0\0\0WEBPVP8L', 'latin1');

export const neverAborted = new AbortController().signal;
