/** The questions of a command that decides about servers. */
import {ChatError} from '../../../errors.ts';
import {printTrace} from '../../../output/print.ts';
import {askUser} from '../../ask-user.ts';
import {untilInterrupted} from '../../run/until-interrupted.ts';
import type {McpRun} from './mcp-verb.ts';

export type Dialog = {
	/** Prints a line, which may be any text. */
	readonly say: (text: string) => Promise<void>;
	readonly confirm: (question: string) => Promise<boolean>;
	/** Asks for a line of text. Undefined if nobody can be asked. */
	readonly askText: ((title: string) => Promise<string>) | undefined;
	/** Aborts when the user ends the command. */
	readonly signal: AbortSignal;
};

/**
 * Asks on a terminal; with `--yes`, shows the same and asks nothing.
 *
 * @param need completes the sentence "mcp add …", for the error
 * @throws {ChatError} `auth` without a terminal
 */
export async function withDialog<Result>(
	{flags, program, settings, environment}: Omit<McpRun, 'words' | 'path'>,
	need: string,
	work: (dialog: Dialog) => Promise<Result>,
): Promise<Result> {
	if (flags.yes) {
		const say = async (text: string) => printTrace(text, environment);
		return await untilInterrupted(environment, (signal) =>
			work({say, confirm: async () => true, askText: undefined, signal}),
		);
	}
	const answer = await askUser(
		environment,
		async ({say, ask, signal}, {confirm, askText}) => ({
			result: await work({
				say,
				confirm: (question) => ask(confirm(question)),
				askText: (title) => ask(askText(title)),
				signal,
			}),
		}),
		settings.plain,
	);
	if (answer === undefined) throw withoutTerminal(need, program.length > 0);
	return answer.result;
}

/** @param hasProgram whether words after `--` are those of a program, `--yes` too */
function withoutTerminal(need: string, hasProgram: boolean): ChatError {
	const flag = hasProgram ? '--yes before the -- ' : '--yes ';
	return new ChatError('auth', `mcp ${need}, and there is no terminal to ask on`, {
		hint: `${flag}answers yes to every question.`,
	});
}
