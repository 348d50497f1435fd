/** Finds the editor of the user: `$VISUAL`, `$EDITOR`, or the one of the system. */
import type {Environment} from '../../environment.ts';
import {ChatError} from '../../errors.ts';
import {splitShellWords, UnclosedQuoteError} from '../shell-words.ts';

/** @throws {ChatError} `config` when the variable is not a valid command */
export function findEditor({
	variables,
	platform,
}: Pick<Environment, 'variables' | 'platform'>): readonly string[] {
	const name = ['VISUAL', 'EDITOR'].find((variable) => variables[variable]?.trim());
	const text = name === undefined ? undefined : variables[name];
	if (text === undefined) return [platform === 'win32' ? 'notepad' : 'vi'];
	try {
		return splitShellWords(text, platform);
	} catch (error) {
		if (!(error instanceof UnclosedQuoteError)) throw error;
		throw new ChatError('config', `${name} is not a valid command: ${error.message}`, {
			hint: {
				code: 'own-words',
				words: `Set it to a program and its arguments, such as: ${name}='code --wait'`,
			},
		});
	}
}
