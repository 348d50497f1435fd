/** The exit codes as users see them, and what happens when a run has several. */
import {type ExitCode, exitCodeOfSignal, type InterruptSignal} from './errors.ts';

/** Exit codes that outrank all others, the most severe first. */
const severeCodes: readonly ExitCode[] = [130, 129, 143, 141, 1, 74];

/** Returns the exit code of a run that ends for two reasons; `first` if neither is severe. */
export function moreSevere(first: ExitCode, second: ExitCode): ExitCode {
	const [rank, otherRank] = [severeCodes.indexOf(first), severeCodes.indexOf(second)];
	return otherRank !== -1 && (rank === -1 || otherRank < rank) ? second : first;
}

/** Returns the signal that the process dies by instead of returning this code, if there is one. */
export function signalOf(exitCode: ExitCode): InterruptSignal | undefined {
	for (const [signal, code] of Object.entries(exitCodeOfSignal)) {
		if (code === exitCode) return signal as InterruptSignal;
	}
	return undefined;
}

/** The exit codes as the README and `--help` print them, in order. */
export const exitCodeRows: ReadonlyArray<{readonly code: string; readonly when: string}> = [
	{code: '0', when: 'complete answer; help'},
	{
		code: '1',
		when: 'a bug in `chat` (`-v` shows the stack); nothing found by `config get` or `auth status`',
	},
	{code: '64', when: 'usage: unknown flag, value out of range, no prompt'},
	{
		code: '65',
		when: 'bad data: a broken image, an invalid schema, a request that the service rejects (400, 404, 413, 422), an answer without the requested JSON or code',
	},
	{code: '66', when: 'an input file is missing or not readable'},
	{code: '69', when: 'service unavailable: DNS, connection refused, TLS, 5xx after retries'},
	{code: '73', when: 'a file cannot be created'},
	{code: '74', when: 'output cannot be written'},
	{code: '75', when: 'try again later: 408, 409, 429, overloaded, timed out before any output'},
	{code: '76', when: 'protocol: the reply is not a chat completion, redirect refused'},
	{
		code: '77',
		when: 'no access: 401, 403, 402, no quota left, empty key source, a tool denied without a terminal',
	},
	{code: '78', when: 'invalid configuration'},
	{
		code: '79',
		when: 'the answer is incomplete: a refusal, a failure after the first output, `length`, content filter, too many tool calls (the text is still printed, the reason is on stderr)',
	},
	{
		code: '129, 130, 143',
		when: 'hangup, interrupted, terminated: the process dies by the signal itself',
	},
	{code: '141', when: 'the reader of stdout is gone'},
];
