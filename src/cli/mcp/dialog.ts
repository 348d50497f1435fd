/** The questions of a command that decides about servers. */
import type {Environment} from '../../environment.ts';
import {ChatError} from '../../errors.ts';
import {printTrace} from '../../output/print.ts';
import {decidePlain} from '../../terminal/capabilities.ts';
import {wrapWords} from '../../terminal/wrap-line.ts';
import {askUser} from '../ask-user.ts';
import {untilInterrupted} from '../until-interrupted.ts';
import type {McpRun} from './mcp-verb.ts';

export type Dialog = {
	/** Prints a line, which may be any text. */
	readonly say: (text: string) => Promise<void>;
	/** Prints a text of a server, which may be long. */
	readonly quote: (text: string) => Promise<void>;
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
	{flags, settings, environment}: Pick<McpRun, 'flags' | 'settings' | 'environment'>,
	need: string,
	work: (dialog: Dialog) => Promise<Result>,
): Promise<Result> {
	if (flags.yes) {
		const say = async (text: string) => printTrace(text, environment);
		return await untilInterrupted(environment, (signal) =>
			work({say, quote: say, confirm: async () => true, askText: undefined, signal}),
		);
	}
	const answer = await askUser(
		environment,
		async ({say, ask, signal}, {confirm, askText}) => ({
			result: await work({
				say,
				async quote(text) {
					// A screen reader speaks a line as a whole.
					const isPlain = decidePlain(settings.plain, environment.variables);
					for (const row of isPlain ? [text] : wrapText(text, environment)) await say(row);
				},
				confirm: (question) => ask(confirm(question)),
				askText: (title) => ask(askText(title)),
				signal,
			}),
		}),
		settings.plain,
	);
	if (answer === undefined) throw withoutTerminal(need);
	return answer.result;
}

/** Returns rows of the window, all but the first one indented. */
function wrapText(text: string, {terminal}: Environment): readonly string[] {
	const width = (terminal?.size().columns ?? 80) - 3;
	return wrapWords(text, width).map(
		({start, end}) => `${start === 0 ? '' : '  '}${text.slice(start, end).trimEnd()}`,
	);
}

function withoutTerminal(need: string): ChatError {
	return new ChatError('auth', `mcp ${need}, and there is no terminal to ask on`, {
		hint: {code: 'own-words', words: '--yes answers yes to every question.'},
	});
}
