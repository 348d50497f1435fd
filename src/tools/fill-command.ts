/**
 * Fills a command with the arguments of a call. Pure, so that the command that is approved and the one
 * that runs come from the same lines.
 */
import {Buffer} from 'node:buffer';
import type {ApprovalLine} from '../chat/tool.ts';
import type {JsonObject, JsonValue} from '../json.ts';
import {plural} from '../wording.ts';
import {describeValues, isLong} from './describe-values.ts';

/** The process that a call starts. */
export type CommandOrigin = {
	/** The program and its arguments; an element `{name}` is replaced by an argument of the call. */
	readonly command: readonly string[];
	/** The folder it runs in, absolute. */
	readonly cwd: string;
	/** Names of the variables it gets besides the few that every tool gets. */
	readonly environment: readonly string[];
};

const placeholder = /^\{([A-Za-z_][\w-]*)\}$/;

/** Returns the argument that an element of a command is replaced by; undefined for a literal one. */
export function placeholderOf(element: string): string | undefined {
	return placeholder.exec(element)?.[1];
}

export type FilledCommand =
	| {readonly argv: readonly string[]}
	/** Why a value cannot be an element, as a sentence. */
	| {readonly problem: string};

/**
 * A placeholder becomes exactly one element; that of an absent argument is left out. A value that looks
 * like an option is refused unless `--` precedes it.
 */
export function fillCommand(command: readonly string[], values: JsonObject): FilledCommand {
	const argv: string[] = [];
	let isOptionPossible = true;
	for (const element of command) {
		const name = placeholderOf(element);
		if (name === undefined) {
			if (element === '--') isOptionPossible = false;
			argv.push(element);
			continue;
		}
		const text = toText(Object.hasOwn(values, name) ? values[name] : undefined);
		if (text === undefined) continue;
		if (text.includes('\0')) return {problem: `${name} must not contain a NUL character`};
		if (isOptionPossible && text.startsWith('-')) return {problem: `${name} must not begin with -`};
		argv.push(text);
	}
	return {argv};
}

/** Returns the input of the program: the arguments of the call, and nothing else. */
export function encodeStdin(values: JsonObject): string {
	return JSON.stringify(values);
}

function toText(value: JsonValue | undefined): string | undefined {
	if (value === undefined || value === null) return undefined;
	return typeof value === 'string' ? value : JSON.stringify(value);
}

/** An element that can stand beside others, with blanks between them. */
const plainElement = /^[\w@%+=:,./~{}-]+$/;

/** Returns exactly what will run: each element of the command, the folder, the input. */
export function describeCommand(
	{command, cwd, environment}: CommandOrigin,
	values: JsonObject,
): readonly ApprovalLine[] {
	const filled = fillCommand(command, values);
	const argv = 'argv' in filled ? filled.argv : command;
	const elements = argv.every((text) => plainElement.test(text)) ? [argv.join(' ')] : argv;
	return [
		...elements.map((text, index) => ({label: index === 0 ? 'runs' : '', text})),
		{label: 'in', text: cwd},
		...(environment.length === 0 ? [] : [{label: 'with', text: environment.join(', ')}]),
		...describeStdin(values),
	];
}

/** Returns the JSON as it is or, if an argument has several lines, the arguments one by one. */
function describeStdin(values: JsonObject): readonly ApprovalLine[] {
	const stdin = encodeStdin(values);
	if (!Object.values(values).some(isLong)) return [{label: 'stdin', text: stdin}];
	return [
		{label: 'stdin', text: `JSON, ${plural(Buffer.byteLength(stdin), 'byte')}`},
		...describeValues(values),
	];
}
