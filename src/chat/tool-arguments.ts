/**
 * The argument list of a call: a command with the values of the call in it. Pure, so that what is
 * approved and what is run come from the same lines.
 */
import type {JsonObject, JsonValue} from '../json.ts';

const placeholder = /^\{([A-Za-z_][\w-]*)\}$/;

/** The argument that an element of a command stands for, undefined if it stands for itself. */
export function placeholderOf(element: string): string | undefined {
	return placeholder.exec(element)?.[1];
}

export type FilledCommand =
	| {readonly argv: readonly string[]}
	/** Why a value cannot be an element, as a sentence. */
	| {readonly problem: string};

/**
 * A placeholder becomes one whole element, never a part of one and never two; that of an absent
 * argument is left out. A value that looks like an option is refused unless `--` stands before it.
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
		const text = textOf(Object.hasOwn(values, name) ? values[name] : undefined);
		if (text === undefined) continue;
		if (text.includes('\0')) return {problem: `${name} must not hold a NUL character`};
		if (isOptionPossible && text.startsWith('-')) return {problem: `${name} must not begin with -`};
		argv.push(text);
	}
	return {argv};
}

/** What a tool reads: the arguments of the call, and nothing else. */
export function encodeStdin(values: JsonObject): string {
	return JSON.stringify(values);
}

function textOf(value: JsonValue | undefined): string | undefined {
	if (value === undefined || value === null) return undefined;
	return typeof value === 'string' ? value : JSON.stringify(value);
}
