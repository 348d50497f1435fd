/** Real files and streams for the tests of this folder. */
import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {Readable} from 'node:stream';
import {onTestFinished} from 'vitest';
import type {InputStream} from '../../src/environment.ts';
import type {GitEnvironment} from '../../src/input/list-git-files.ts';
import {processControl} from '../../src/process-environment.ts';

/** A fresh directory, gone after the test, with these files in it. */
export function createDirectory(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
	const directory = mkdtempSync(join(tmpdir(), 'chat-input-'));
	onTestFinished(() => rmSync(directory, {recursive: true, force: true}));
	writeTree(directory, files);
	return directory;
}

export function writeTree(
	folder: string,
	files: Readonly<Record<string, string | Uint8Array>>,
): void {
	for (const [path, content] of Object.entries(files)) {
		mkdirSync(dirname(join(folder, path)), {recursive: true});
		writeFileSync(join(folder, path), content);
	}
}

const gitVariables = {
	PATH: process.env['PATH'],
	HOME: '/nonexistent',
	GIT_CONFIG_NOSYSTEM: '1',
	GIT_CONFIG_GLOBAL: undefined,
};

/** Git without settings of this machine. */
export function gitWith(variables: Readonly<Record<string, string>> = {}): GitEnvironment {
	return {variables: {...gitVariables, ...variables}, processes: processControl};
}

export function runGit(cwd: string, ...argv: readonly string[]): void {
	const author = ['-c', 'user.name=ada', '-c', 'user.email=ada@example.com'];
	execFileSync('git', [...author, ...argv], {cwd, env: gitVariables, stdio: 'ignore'});
}

/** A repository whose files are new. */
export function createRepository(files: Readonly<Record<string, string | Uint8Array>>): string {
	// The same as `git init`, without a process.
	const folder = createDirectory({...files, '.git/HEAD': 'ref: refs/heads/main\n'});
	for (const name of ['objects', 'refs']) mkdirSync(join(folder, '.git', name));
	return folder;
}

/** Standard input that holds these pieces and then ends. */
export function inputOf(
	kind: InputStream['kind'],
	...pieces: readonly (string | Uint8Array)[]
): InputStream {
	return {kind, read: () => Readable.from(pieces.map((piece) => Buffer.from(piece)))};
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
export const pixelJpeg = Buffer.from(
	'/9j/2wBDABAQEBAREBIUFBIZGxgbGSUiHx8iJTgoKygrKDhVNT41NT41VUtbSkVKW0uHal5eaoecg3yDnL2pqb3u4u7/////2wBDARAQEBAREBIUFBIZGxgbGSUiHx8iJTgoKygrKDhVNT41NT41VUtbSkVKW0uHal5eaoecg3yDnL2pqb3u4u7/////wgARCAABAAEDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAX/xAAUAQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIQAxAAAACSD//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAT8Af//EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQIBAT8Af//EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQMBAT8Af//Z',
	'base64',
);
export const pixelWebp = Buffer.from(
	'UklGRjoAAABXRUJQVlA4IC4AAACwAQCdASoBAAEAAUAmJaACdLoABDAAAP746n/9x2BuvFv/3sF/7sF/7sF/rYAA',
	'base64',
);

export const neverAborted = new AbortController().signal;
