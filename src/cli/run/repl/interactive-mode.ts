/** Decides whether a run is interactive, and refuses what does not fit. */
import {hasContent} from '../../../chat/prompt.ts';
import type {Environment, Terminal} from '../../../environment.ts';
import {ChatError} from '../../../errors.ts';
import type {Settings} from '../../../settings/options/settings.ts';
import type {PromptWords} from '../prompt-words.ts';

/**
 * Returns an interactive run's terminal; undefined for a single answer.
 *
 * @param isPromptGiven whether there is a prompt other than words
 * @throws {ChatError} `usage` if interactive mode is not possible
 */
export function findReplTerminal(
	settings: Settings,
	words: PromptWords,
	isPromptGiven: boolean,
	environment: Environment,
): Terminal | undefined {
	const {stdin, terminal} = environment;
	if (!isReplWanted(settings, words, isPromptGiven, environment)) return undefined;
	if (words.isStdinNamed && stdin.kind === 'terminal') {
		throw new ChatError('usage', '- reads the terminal, which -i needs as its keyboard', {
			hint: 'Leave out the -, and type the prompt in interactive mode.',
		});
	}
	const flag = findIncompatibleFlag(settings);
	if (flag !== undefined)
		throw new ChatError('usage', `${flag} cannot be used in interactive mode`);
	if (terminal !== undefined) return terminal;
	throw new ChatError('usage', 'interactive mode needs a terminal', {
		hint: 'Give a prompt to get one answer: chat "your question".',
	});
}

/** Without a prompt, terminals at both ends mean interactive mode. */
function isReplWanted(
	{interactive, output, dryRun}: Settings,
	{words, isStdinNamed}: PromptWords,
	isPromptGiven: boolean,
	{stdin, stdout}: Environment,
): boolean {
	if (interactive) return true;
	if (dryRun || isPromptGiven || isStdinNamed || hasContent(words.join(' '))) return false;
	return stdin.kind === 'terminal' && stdout.isTerminal && output === 'text';
}

/** Returns a flag only a single answer can use. */
function findIncompatibleFlag({
	output,
	extract,
	extractBlock,
	dryRun,
}: Settings): string | undefined {
	if (output !== 'text') return `--output ${output}`;
	if (dryRun) return '--dry-run';
	if (extract) return '-x';
	return extractBlock === undefined ? undefined : `--extract-block ${extractBlock}`;
}
