/**
 * Reads key sources: a file, or the config file's command, run without a shell, input or our keys.
 */
import type {Environment} from '../../../environment.ts';
import {ChatError} from '../../../errors.ts';
import {createTextReader} from '../../../input/read-bytes.ts';
import {printWaiting} from '../../../output/print.ts';
import type {ProcessEnd} from '../../../processes/run-process.ts';
import {withoutKeys} from '../../../redact.ts';
import {
	type KeyCommand,
	type KeyReaders,
	keyCommandHint,
} from '../../../settings/service/api-key.ts';
import {stripToLine} from '../../../terminal/safe-text.ts';

/**
 * @param signal ends the wait for a pipe, and the command
 * @param onWaiting called when there is nothing yet; prints a line by default
 */
export function createKeyReaders(
	environment: Environment,
	signal: AbortSignal,
	onWaiting = (name: string) => printWaiting(name, environment),
): KeyReaders {
	return {
		readText: createTextReader(environment.cwd, signal, onWaiting),
		runCommand: (command) => runKeyCommand(command, {signal, onWaiting}, environment),
	};
}

const limitMs = 10_000;
const waitingAfterMs = 3000;
const maxReason = 200;

type RunOptions = {
	readonly signal: AbortSignal;
	/** Called with a command's name when it is slow. */
	readonly onWaiting: (name: string) => void;
	readonly timeLimitMs?: number;
};

/**
 * Returns the command's stdout.
 *
 * @throws {ChatError} `config` when it cannot be started, `auth` when it fails; the signal's reason
 * when aborted
 */
export async function runKeyCommand(
	{argv, directory}: KeyCommand,
	{signal, onWaiting, timeLimitMs = limitMs}: RunOptions,
	environment: Environment,
): Promise<string> {
	const {describeFailure, runProcess} = await import('../../../processes/run-process.ts');
	const name = `the command ${argv[0]}`;
	const announce = () => onWaiting(`${name}, which prints the API key`);
	const timer = setTimeout(announce, waitingAfterMs);
	const variables = withoutKeys(environment.variables);
	const {processes} = environment;
	const plan = {argv, cwd: directory, variables, stdin: '', timeLimitMs, signal, processes};
	const end = await runProcess(plan)
		.catch((cause: NodeJS.ErrnoException) => {
			throw new ChatError('config', `cannot start ${name}: ${describeCode(cause)}`, {
				hint: keyCommandHint,
				cause,
			});
		})
		.finally(() => clearTimeout(timer));
	signal.throwIfAborted();
	const failure = describeFailure(end, timeLimitMs);
	if (failure === undefined) return end.stdout.toText();
	throw new ChatError('auth', `${name} failed (${failure})${reasonOf(end)}`, {
		hint: keyCommandHint,
	});
}

const reasonOfCode: Readonly<Record<string, string>> = {
	ENOENT: 'no such program',
	EACCES: 'permission denied',
};

function describeCode({code = 'unknown error', message}: NodeJS.ErrnoException): string {
	return reasonOfCode[code] ?? message;
}

/** Returns the last line of the command's stderr, as the end of a sentence. */
function reasonOf({stderr}: ProcessEnd): string {
	const lines = stderr.toText().trimEnd().split('\n');
	const words = stripToLine(lines.at(-1) ?? '').slice(0, maxReason);
	return words === '' ? '' : `: ${words}`;
}
