/**
 * The arguments of a call, and the command that they fill. Pure, so that the command that is approved
 * and the one that runs come from the same lines.
 */
import {isJsonObject, type JsonObject, type JsonValue, parseJson} from '../json.ts';

/** Returns undefined when the text is not a JSON object, or one that is nested too deep. */
export function parseArguments(text: string): JsonObject | undefined {
	const value = parseJson(text);
	return isJsonObject(value) ? value : undefined;
}

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
