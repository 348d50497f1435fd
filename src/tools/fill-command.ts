/**
 * Fills call arguments into a command. Pure: the approved command and the running one come from the
 * same code.
 */
import {Buffer} from 'node:buffer';
import type {ApprovalLine} from '../chat/tool.ts';
import type {JsonObject, JsonValue} from '../json.ts';
import {plural} from '../wording.ts';
import {describeValues, isLong} from './describe-values.ts';

/** The process for one call. */
export type CommandOrigin = {
	/** Program and arguments; an argument replaces its `{name}` element. */
	readonly command: readonly string[];
	/** Absolute working folder. */
	readonly cwd: string;
	/** Names of additional variables, besides the few every tool gets. */
	readonly environment: readonly string[];
};

const placeholder = /^\{([A-Za-z_][\w-]*)\}$/;

/** Returns the argument behind a placeholder; undefined for a literal element. */
export function placeholderOf(element: string): string | undefined {
	return placeholder.exec(element)?.[1];
}

export type FilledCommand =
	| {readonly argv: readonly string[]}
	/** Why a value cannot be an element, as a sentence. */
	| {readonly problem: string};

/**
 * A placeholder becomes exactly one element, or none if its argument is absent. A value that looks
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

/** Returns the program's input: the arguments, nothing else. */
export function encodeStdin(values: JsonObject): string {
	return JSON.stringify(values);
}

function toText(value: JsonValue | undefined): string | undefined {
	if (value === undefined || value === null) return undefined;
	return typeof value === 'string' ? value : JSON.stringify(value);
}

/** An element that needs no quotes on a line. */
const plainElement = /^[\w@%+=:,./~{}-]+$/;

/** Returns exactly what will run: each command element, the folder, the input. */
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

/** Returns the JSON unchanged or, for arguments with several lines, one argument at a time. */
function describeStdin(values: JsonObject): readonly ApprovalLine[] {
	const stdin = encodeStdin(values);
	if (!Object.values(values).some(isLong)) return [{label: 'stdin', text: stdin}];
	return [
		{label: 'stdin', text: `JSON, ${plural(Buffer.byteLength(stdin), 'byte')}`},
		...describeValues(values),
	];
}
