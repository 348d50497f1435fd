/** Opens a file or a text in the user's editor: `$VISUAL`, `$EDITOR`, or the system default. */
import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Environment} from '../../environment.ts';
import {ChatError} from '../../errors.ts';
import {splitShellWords} from './shell-words.ts';

/**
 * Runs until the editor closes.
 *
 * @throws {ChatError} `config` when it cannot be started, or fails
 */
export async function runEditor(path: string, environment: Environment): Promise<void> {
	const editor = findEditor(environment);
	const ending = await environment.runProgram([...editor, path]).catch((cause) => {
		throw new ChatError('config', `cannot start the editor ${editor[0]} (${cause.code})`, {
			hint: `Set VISUAL or EDITOR to another editor, or edit ${path} yourself.`,
			cause,
		});
	});
	if (ending === 0) return;
	const reason = typeof ending === 'number' ? `exit code ${ending}` : `ended by ${ending}`;
	throw new ChatError('config', `the editor ${editor[0]} failed (${reason})`);
}

/**
 * Returns the saved text. Its file sits in a private folder, deleted afterwards.
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

/** @throws {ChatError} `config` when the variable is not a valid command */
export function findEditor({
	variables,
	platform,
}: Pick<Environment, 'variables' | 'platform'>): readonly string[] {
	const name = ['VISUAL', 'EDITOR'].find((variable) => variables[variable]?.trim());
	const text = name === undefined ? undefined : variables[name];
	if (text === undefined) return [platform === 'win32' ? 'notepad' : 'vi'];
	const words = splitShellWords(text, platform);
	if (words !== undefined) return words;
	throw new ChatError('config', `${name} is not a valid command: unclosed quote`, {
		hint: `Set it to a program and its arguments, such as: ${name}='code --wait'`,
	});
}
