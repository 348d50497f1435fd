/** Single texts outside of a turn. */
import type {Notice} from '../chat/event.ts';
import type {Environment} from '../environment.ts';
import type {ChatError, ExitCode} from '../errors.ts';
import {stripUnsafe} from '../terminal/safe-text.ts';
import {formatError, formatNotice} from './error-lines.ts';
import {createSink} from './sink.ts';

/** Prints a text of our own on stdout. */
export async function printText(text: string, environment: Environment): Promise<ExitCode> {
	await createSink(environment.stdout).write(stripUnsafe(text));
	return 0;
}

export function printNotice(notice: Notice, environment: Environment): void {
	void createSink(environment.stderr).write(formatNotice(notice));
}

export function printError(error: ChatError, isVerbose: boolean, environment: Environment): void {
	void createSink(environment.stderr).write(formatError(error, isVerbose));
}
