/** `chat completion`: prints a shell's completion script, and answers its calls. */
import type {Environment} from '../../../environment.ts';
import type {ExitCode} from '../../../errors.ts';
import {printText} from '../../../output/print.ts';
import type {Command, CommandSet, Verb} from '../../command-line/command.ts';
import {scripts} from './scripts.ts';
import {readTypedWords, type Shell} from './typed-words.ts';

function printScript(shell: Shell, summary: string): Verb {
	return {args: '', summary, run: ({environment}) => printText(scripts[shell], environment)};
}

const verbs: Readonly<Record<Shell, Verb>> = {
	bash: printScript('bash', 'in ~/.bashrc: eval "$(chat completion bash)"'),
	zsh: printScript('zsh', 'at the end of ~/.zshrc: source <(chat completion zsh)'),
	fish: printScript('fish', 'once: chat completion fish > ~/.config/fish/completions/chat.fish'),
	powershell: printScript(
		'powershell',
		'in the file of $PROFILE: chat completion powershell | Out-String | Invoke-Expression',
	),
};

export const completion: Command = {
	name: 'completion',
	description:
		'Prints a script that completes the command lines of chat in a shell. Changes no file.',
	flags: {},
	verbs,
	notes: [
		'Tab completes commands, flags, models, profiles, conversations, templates, settings and files. The models are those that the service has listed before, as for chat models. Nothing is sent, and nothing that you have typed is run.',
	],
};

/** Prints no errors: they would appear in the line being typed. */
export async function answerShell(
	words: readonly string[],
	set: CommandSet,
	environment: Environment,
): Promise<ExitCode> {
	const [name, ...given] = words;
	const shell = (Object.keys(verbs) as readonly Shell[]).find((known) => known === name);
	if (shell === undefined) return 0;
	try {
		const {completeLine} = await import('./complete-line.ts');
		const lines = await completeLine({shell, ...readTypedWords[shell](given)}, set, environment);
		return await printText(`${lines.join('\n')}\n`, environment);
	} catch {
		return 0;
	}
}
