/** Asks yes or no. */
import type {Environment} from '../environment.ts';

/**
 * Returns undefined without a terminal to ask on.
 *
 * @throws {ChatError} `interrupted` on Ctrl-C
 */
export async function askConfirm(
	title: string,
	environment: Environment,
): Promise<boolean | undefined> {
	const {stdin, stderr} = environment;
	if (stdin.kind !== 'terminal' || !stderr.isTerminal) return undefined;
	const [{openPrompter}, {confirm}] = await Promise.all([
		import('../ui/prompts/prompter.ts'),
		import('../ui/prompts/questions.ts'),
	]);
	const prompter = openPrompter(environment);
	const stopListening = environment.onInterrupt(prompter.interrupt);
	try {
		return await prompter.ask(confirm(title));
	} finally {
		stopListening();
		prompter.close();
	}
}
