/** Opens a batch's input as a file that can be read twice: checked first, then asked. */
import {createReadStream, createWriteStream, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {pipeline} from 'node:stream/promises';
import type {Environment} from '../../../environment.ts';
import {ChatError, toChatError} from '../../../errors.ts';
import {checkFile} from '../../../input/read-bytes.ts';
import type {Stop} from './stop.ts';

export type BatchInput = {
	/** The file's name in messages. */
	readonly name: string;
	readonly path: string;
};

/**
 * Keeps what comes through a pipe in a private file, until the run ends.
 *
 * @throws {ChatError} `usage` without piped input, `input` for a missing file
 */
export async function openInput(
	word: string,
	{stop: {signal}, closers}: {readonly stop: Stop; readonly closers: Array<() => void>},
	environment: Environment,
): Promise<BatchInput> {
	const {cwd, stdin} = environment;
	const isStdin = word === '-';
	if (isStdin && stdin.kind !== 'data') {
		throw new ChatError('usage', '- reads the lines from stdin, but nothing was piped in');
	}
	const path = resolve(cwd, word);
	if (!isStdin && checkFile(word, cwd, true).isFile()) return {name: word, path};
	const folder = mkdtempSync(join(tmpdir(), 'chat-batch-'));
	closers.push(() => rmSync(folder, {recursive: true, force: true}));
	const copy = join(folder, 'input.jsonl');
	const source = isStdin ? stdin.read() : createReadStream(path);
	try {
		await pipeline(source, createWriteStream(copy, {mode: 0o600}), {signal});
	} catch (error) {
		signal.throwIfAborted();
		throw new ChatError('input', `cannot read ${word}: ${toChatError(error).message}`);
	}
	return {name: isStdin ? 'stdin' : word, path: copy};
}
