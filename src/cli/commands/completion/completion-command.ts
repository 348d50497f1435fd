/** `chat completion`: prints the script that completes command lines of a shell, and answers it. */
import type {Environment} from '../../../environment.ts';
import {ChatError, type ExitCode} from '../../../errors.ts';
import {printText} from '../../../output/print.ts';
import {type CommandLine, completeWord} from '../../command-line/parse-argv.ts';
import {shells} from '../../command-line/resolve-command.ts';
import {scripts} from './scripts.ts';
import {readTypedWords} from './typed-words.ts';

export async function runCompletionCommand(
	{words}: CommandLine,
	environment: Environment,
): Promise<ExitCode> {
	const [name, ...rest] = words.map(({text}) => text);
	if (name === completeWord) return await answer(rest, environment);
	const shell = shells.find((known) => known === name);
	if (shell !== undefined && rest.length === 0) {
		return await printText(scripts[shell], environment);
	}
	throw new ChatError('usage', 'completion takes the name of one shell', {
		hint: `Write: chat completion ${shells.join('|')}`,
	});
}

/** A key that is pressed while typing must not print an error. */
async function answer(words: readonly string[], environment: Environment): Promise<ExitCode> {
	const [name, ...given] = words;
	const shell = shells.find((known) => known === name);
	if (shell === undefined) return 0;
	try {
		const {completeLine} = await import('./complete-line.ts');
		const lines = await completeLine({shell, ...readTypedWords[shell](given)}, environment);
		return await printText(`${lines.join('\n')}\n`, environment);
	} catch {
		return 0;
	}
}
