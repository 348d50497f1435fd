/** Lets the user change a text in an editor. */
import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Environment} from '../../../environment.ts';
import {ChatError} from '../../../errors.ts';
import {runEditor} from '../run-editor.ts';

/**
 * Returns the text as it was saved. Its file is in a folder for the user alone, and gone afterwards.
 *
 * @throws {ChatError} `config` when the editor cannot be started, fails, or leaves no file
 */
export async function editText(text: string, environment: Environment): Promise<string> {
	const folder = mkdtempSync(join(tmpdir(), 'chat-prompt-'));
	const path = join(folder, 'prompt.md');
	try {
		// Editors end the last line too.
		writeFileSync(path, text === '' ? '' : `${text}\n`, {mode: 0o600, flag: 'wx'});
		await runEditor(path, environment);
		if (!existsSync(path)) throw new ChatError('config', 'the editor left no file');
		return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
	} finally {
		rmSync(folder, {recursive: true, force: true});
	}
}
