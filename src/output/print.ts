/** Single texts outside of a turn. */
import type {Environment} from '../environment.ts';
import type {ChatError, ExitCode} from '../errors.ts';
import {type JsonValue, toJsonLine} from '../json.ts';
import {createKeyRedactor} from '../redact.ts';
import {stripUnsafe} from '../terminal/safe-text.ts';
import {formatError, formatLine, formatTrace} from './messages.ts';
import {createStderrWriter, createStdoutWriter} from './streams.ts';

/** Prints a text of our own on stdout. */
export async function printText(text: string, {stdout}: Environment): Promise<ExitCode> {
	await createStdoutWriter(stdout).write(stripUnsafe(text));
	return 0;
}

/** Prints values as JSON, in one line or in one each, or as a text for people. */
export async function printList<Value>(
	values: readonly Value[],
	{format, toJson, toText}: ListFormat<Value>,
	environment: Environment,
): Promise<ExitCode> {
	const texts = {
		json: () => toJsonLine(values.map(toJson)),
		jsonl: () => values.map((value) => toJsonLine(toJson(value))).join(''),
		text: () => toText(values),
	};
	return await printText(await texts[format](), environment);
}

type ListFormat<Value> = {
	readonly format: 'text' | 'json' | 'jsonl';
	readonly toJson: (value: Value) => JsonValue | object;
	readonly toText: (values: readonly Value[]) => string | Promise<string>;
};

/** Returns a line for each value, from a function that leaves out its end. */
export function linesOf<Value>(toLine: (value: Value) => string) {
	return (values: readonly Value[]) => values.map((value) => `${toLine(value)}\n`).join('');
}

/** Prints a text of the user's as a line: exact, except on a terminal. */
export async function printExact(text: string, {stdout}: Environment): Promise<ExitCode> {
	const line = `${text}\n`;
	const writer = createStdoutWriter(stdout);
	await (writer.isTerminal ? writer.write(stripUnsafe(line)) : writer.writeExact(line));
	return 0;
}

/** Prints a line on stderr about what a command has found or done. */
export function printInfo(message: string, {stderr, variables}: Environment): void {
	void createStderrWriter(stderr).writeWords(formatLine(message, createKeyRedactor(variables)));
}

/** Printed even with -q: a run that hangs must say why. */
export function printWaiting(name: string, environment: Environment): void {
	printInfo(`waiting for ${name}`, environment);
}

/** Prints a line on stderr as it is. */
export function printTrace(message: string, {stderr, variables}: Environment): void {
	void createStderrWriter(stderr).writeWords(formatTrace(message, createKeyRedactor(variables)));
}

export function printError(
	error: ChatError,
	isVerbose: boolean,
	{stderr, variables}: Environment,
): void {
	const lines = formatError(error, {isVerbose, redact: createKeyRedactor(variables)});
	void createStderrWriter(stderr).writeWords(lines);
}
