/** Decides whether a run is a session, and refuses what does not fit one. */
import {hasContent} from '../../../chat/prompt.ts';
import type {Environment, Terminal} from '../../../environment.ts';
import {ChatError} from '../../../errors.ts';
import type {Settings} from '../../../settings/options/settings.ts';
import type {PromptWords} from '../prompt-words.ts';

/**
 * Returns the terminal of a session; undefined for a single answer.
 *
 * @param isPromptGiven whether there is a prompt other than words
 * @throws {ChatError} `usage` for a session that cannot be one
 */
export function findSessionTerminal(
	settings: Settings,
	words: PromptWords,
	isPromptGiven: boolean,
	environment: Environment,
): Terminal | undefined {
	const {stdin, terminal} = environment;
	if (!isSessionWanted(settings, words, isPromptGiven, environment)) return undefined;
	if (words.isStdinNamed && stdin.kind === 'terminal') {
		throw new ChatError('usage', '- reads the terminal, which -i needs as its keyboard', {
			hint: 'Leave out the -, and write the prompt in the session.',
		});
	}
	const flag = findIncompatibleFlag(settings);
	if (flag !== undefined) throw new ChatError('usage', `${flag} cannot be used in a session`);
	if (terminal !== undefined) return terminal;
	throw new ChatError('usage', 'an interactive session needs a terminal', {
		hint: 'Give a prompt to get one answer: chat "your question".',
	});
}

/** Without a prompt, terminals at both ends mean a session. */
function isSessionWanted(
	{interactive, output, dryRun}: Settings,
	{words, isStdinNamed}: PromptWords,
	isPromptGiven: boolean,
	{stdin, stdout}: Environment,
): boolean {
	if (interactive) return true;
	if (dryRun || isPromptGiven || isStdinNamed || hasContent(words.join(' '))) return false;
	return stdin.kind === 'terminal' && stdout.isTerminal && output === 'text';
}

/** Returns a flag that only makes sense for a single answer. */
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
