/**
 * Asks a person something outside the interactive screen. Each question declares what happens where
 * nobody can be asked.
 */
import {setImmediate} from 'node:timers/promises';
import type {Environment} from '../environment.ts';
import {ChatError} from '../errors.ts';
import {readStdin} from '../input/read-bytes.ts';
import {printTrace, printWaiting} from '../output/print.ts';
import type {Option, SelectSettings, TextSettings} from '../ui/prompts/command-question.ts';
import {untilInterrupted} from './run/until-interrupted.ts';

export type {Option} from '../ui/prompts/command-question.ts';

export type Dialog = {
	/** Prints a line, which may be any text. */
	say(text: string): Promise<void>;
	/** @param first "yes" for what does no harm */
	confirm(title: string, first?: 'yes' | 'no'): Promise<boolean>;
	choose<Value>(
		title: string,
		options: ReadonlyArray<Option<Value>>,
		settings?: SelectSettings<Value>,
	): Promise<Value>;
	text(title: string, settings?: TextSettings): Promise<string>;
	/** Echoes only the input length. */
	secret(title: string): Promise<string>;
	/** Aborts when the user ends the command. */
	readonly signal: AbortSignal;
	/** False if `--yes` answers: only `say` and `confirm` work then. */
	readonly isAttended: boolean;
};

/** Why a command needs a terminal. */
type Need = {
	/** The default is `usage`; `auth` if nobody agreed to what others wrote. */
	readonly kind?: 'usage' | 'auth';
	/** The error subject, such as `chat mcp add`. */
	readonly command: string;
	/** The default is to confirm. */
	readonly purpose?: string;
	/** Where `--yes` has to stand, unless obvious. */
	readonly yesFlag?: string;
	/** The next step without a terminal, as a sentence. */
	readonly instead?: string;
};

export type Policy<Result> = {
	/** Whether the user has chosen plain lines. */
	readonly isPlain: boolean;
	/** Whether `--yes` answers; undefined for commands without the flag. */
	readonly isYes?: boolean;
	/** The only question, for the error. */
	readonly question?: string;
} & (Need | {readonly error: ChatError} | {readonly result: Result});

/**
 * Asks several questions, one below the other.
 *
 * @throws {ChatError} `interrupted` on Ctrl-C; without a terminal, the policy's error or `usage`
 */
export async function ask<Result>(
	policy: Policy<Result>,
	environment: Environment,
	work: (dialog: Dialog) => Promise<Result>,
): Promise<Result> {
	return await untilInterrupted(environment, async (signal, interrupt) => {
		if (policy.isYes === true) return await work(answerYes(policy, signal, environment));
		if (!hasTerminal(environment)) {
			if ('result' in policy) return policy.result;
			throw withoutTerminal(policy);
		}
		const [{openPrompter}, {askToConfirm, select, askText, askForSecret}] = await Promise.all([
			import('../ui/prompts/prompter.ts'),
			import('../ui/prompts/command-question.ts'),
		]);
		const {isPlain} = policy;
		const prompter = openPrompter(environment, {isPlain, signal, interrupt});
		try {
			return await work({
				say: prompter.say,
				confirm: (...question) => prompter.ask(askToConfirm(...question)),
				choose: (...question) => prompter.ask(select(...question)),
				text: (...question) => prompter.ask(askText(...question)),
				secret: (title) => prompter.ask(askForSecret(title)),
				signal,
				isAttended: true,
			});
		} finally {
			prompter.close();
			// Node pauses stdin in its next tick: reading any earlier would return nothing.
			await setImmediate();
		}
	});
}

/** Asks yes or no, as `ask` does. */
export function confirm(
	title: string,
	policy: Policy<boolean>,
	environment: Environment,
): Promise<boolean> {
	return ask({...policy, question: title}, environment, (dialog) => dialog.confirm(title));
}

function hasTerminal({stdin, stderr}: Environment): boolean {
	return stdin.kind === 'terminal' && stderr.isTerminal;
}

function withoutTerminal(policy: Policy<unknown>): ChatError {
	if ('error' in policy) return policy.error;
	if ('result' in policy) return new ChatError('usage', 'there is no terminal to ask on');
	const {
		kind = 'usage',
		command,
		purpose = 'confirm',
		yesFlag = '--yes',
		instead,
		isYes,
		question,
	} = policy;
	const flag = isYes === undefined ? '' : ` (or ${yesFlag})`;
	const asked = question === undefined ? '' : `: ${question}`;
	return new ChatError(kind, `${command} needs a terminal to ${purpose}${flag}${asked}`, {
		hint: instead,
	});
}

/** Shows the same lines, and asks nothing. */
function answerYes(policy: Policy<unknown>, signal: AbortSignal, environment: Environment): Dialog {
	const fail = async () => {
		throw withoutTerminal(policy);
	};
	return {
		say: async (text) => printTrace(text, environment),
		confirm: async () => true,
		choose: fail,
		text: fail,
		secret: fail,
		signal,
		isAttended: false,
	};
}

/** Longer than any secret. */
const maxSecretBytes = 65_536;

type SecretQuestion = {
	readonly title: string;
	/** A single word, such as `key`. */
	readonly noun: string;
	/** The alternative command, reading from a file. */
	readonly fromFile: string;
};

/**
 * Reads a secret text, typed or piped in.
 *
 * @throws {ChatError} `interrupted` on Ctrl-C; `usage` without a terminal or a pipe
 */
export async function askSecret(
	{title, noun, fromFile}: SecretQuestion,
	environment: Environment,
): Promise<string> {
	if (environment.stdin.kind === 'data') {
		const onWaiting = () => printWaiting(`the ${noun} on stdin`, environment);
		const bytes = await readStdin(environment.stdin, {onWaiting, maxBytes: maxSecretBytes});
		return Buffer.from(bytes).toString('utf8');
	}
	const problem = `no ${noun} was piped in, and there is no terminal to ask for one`;
	const error = new ChatError('usage', problem, {
		hint: `Run it in a terminal, or: ${fromFile}`,
	});
	return await ask({isPlain: false, error}, environment, ({secret}) => secret(title));
}
