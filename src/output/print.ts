/** Single texts outside of a turn. */
import type {Notice} from '../chat/event.ts';
import type {Environment} from '../environment.ts';
import type {ChatError, ExitCode} from '../errors.ts';
import {createKeyRedactor} from '../redact.ts';
import {stripUnsafe} from '../terminal/safe-text.ts';
import {formatError, formatNotice} from './error-lines.ts';
import {createMessageSink, createSink} from './sink.ts';

/** Prints a text of our own on stdout. */
export async function printText(text: string, environment: Environment): Promise<ExitCode> {
	await createSink(environment.stdout).write(stripUnsafe(text));
	return 0;
}

export function printNotice(notice: Notice, {stderr, variables}: Environment): void {
	void createMessageSink(stderr).write(formatNotice(notice, createKeyRedactor(variables)));
}

export function printError(
	error: ChatError,
	isVerbose: boolean,
	{stderr, variables}: Environment,
): void {
	const lines = formatError(error, {isVerbose, redact: createKeyRedactor(variables)});
	void createMessageSink(stderr).write(lines);
}
