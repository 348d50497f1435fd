/** Asks questions before a command goes on. */
import {setImmediate} from 'node:timers/promises';
import type {Environment} from '../environment.ts';
import {ChatError} from '../errors.ts';
import type {Prompter} from '../ui/prompts/prompter.ts';

export type Questions = typeof import('../ui/prompts/questions.ts');

/**
 * Returns undefined without a terminal to ask on.
 *
 * @param isPlain whether the user has chosen plain lines
 * @throws {ChatError} `interrupted` on Ctrl-C
 */
export async function askUser<Answer>(
	environment: Environment,
	ask: (prompter: Prompter, questions: Questions) => Promise<Answer>,
	isPlain: boolean,
): Promise<Answer | undefined> {
	const {stdin, stderr} = environment;
	if (stdin.kind !== 'terminal' || !stderr.isTerminal) return undefined;
	const [{openPrompter}, questions] = await Promise.all([
		import('../ui/prompts/prompter.ts'),
		import('../ui/prompts/questions.ts'),
	]);
	const prompter = openPrompter(environment, isPlain);
	const stopListening = environment.onInterrupt(prompter.interrupt);
	try {
		return await ask(prompter, questions);
	} finally {
		stopListening();
		prompter.close();
		// Node pauses stdin in its next tick. A read before that would get nothing.
		await setImmediate();
	}
}

/** Asks yes or no about what cannot be undone, as `askUser` does. */
export function askConfirm(
	title: string,
	environment: Environment,
	isPlain: boolean,
): Promise<boolean | undefined> {
	return askUser(environment, (prompter, {confirm}) => prompter.ask(confirm(title)), isPlain);
}

/**
 * Asks before something is deleted, unless `--yes` answers.
 *
 * @throws {ChatError} `usage` without a terminal to ask on; as `askUser` does
 */
export async function confirmOrYes(
	question: string,
	isYes: boolean,
	environment: Environment,
	isPlain: boolean,
): Promise<boolean> {
	const answer = isYes || (await askConfirm(question, environment, isPlain));
	if (answer !== undefined) return answer;
	throw new ChatError('usage', `there is no terminal to ask on: ${question}`, {
		hint: '--yes answers yes.',
	});
}
