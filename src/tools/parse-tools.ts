/**
 * Parses and checks a tools file: one function tool, an array, or an object with that array as
 * `tools`. Tools with a command can run here.
 */
import {resolve} from 'node:path';
import * as v from 'valibot';
import type {ToolDefinition} from '../chat/message.ts';
import {checkJson, JsonMistake, optional, read, strictObject} from '../check-json.ts';
import {ChatError} from '../errors.ts';
import {asObject, isJsonObject, type JsonObject} from '../json.ts';
import {parseUserJson} from '../json-error.ts';
import {isOwnKey} from '../redact.ts';
import {placeholderOf} from './fill-command.ts';

export type ToolEntry = {
	readonly definition: ToolDefinition;
	/** Path within the file, for messages: `[0]`; empty for a file with one tool. */
	readonly place: string;
	/** The program and its arguments; a path to a program is absolute. Undefined: cannot be run. */
	readonly command: readonly string[] | undefined;
	/** Variable names passed to the command. */
	readonly environment: readonly string[];
};

/** Throws an error that names the place in the file. */
export type FailAt = (place: string, problem: string, hint?: string) => never;

export type ToolsFile = {
	readonly fail: FailAt;
	/** Absolute folder for resolving relative program paths. */
	readonly directory: string;
	/** Tool names from other files. */
	readonly taken: readonly string[];
};

const exampleHint =
	'A tool looks like {"type": "function", "function": {"name": "…", "parameters": {…}}, "command": ["…"]}.';

/** @param path the file's name, for messages */
export function createToolsFailure(path: string): FailAt {
	return (place, problem, hint = exampleHint) => {
		const where = place === '' ? path : `${path}: ${place}`;
		throw new ChatError('data', `${where} ${problem}`, {hint});
	};
}

/** Returns the path for something inside another place. */
export function placeIn(place: string, inner: string): string {
	return [place, inner].filter((part) => part !== '').join('.');
}

/** @throws {ChatError} `data`, naming the place */
export function parseTools(text: string, file: ToolsFile): readonly ToolEntry[] {
	const {fail, directory} = file;
	const names = new Set(file.taken);
	const found = readTools(text, fail);
	if (found.length === 0) return fail('', 'contains no tools');
	return found.map(({definition, place, command, environment}) => {
		const {name} = definition;
		if (names.has(name)) return fail(placeIn(place, 'function.name'), `"${name}" is already used`);
		names.add(name);
		const [program = '', ...rest] = command ?? [];
		const path = program.includes('/') ? resolve(directory, program) : program;
		return {definition, place, command: command && [path, ...rest], environment};
	});
}

/** Reads one tool, an array, or an object with that array. */
function readTools(text: string, fail: FailAt) {
	const parsed = parseUserJson(text);
	if ('problem' in parsed) return fail('', parsed.problem);
	const {value} = parsed;
	const whole = asObject(value) ?? {};
	const isWrapped = Object.hasOwn(whole, 'tools');
	try {
		if (Object.hasOwn(whole, 'type') || Object.hasOwn(whole, 'function')) {
			return [{...checkJson(tool, value), place: ''}];
		}
		const tools = isWrapped ? checkJson(wrapper, value).tools : checkJson(list, value);
		return tools.map((each, index) => ({...each, place: `${isWrapped ? 'tools' : ''}[${index}]`}));
	} catch (error) {
		if (!(error instanceof JsonMistake)) throw error;
		return fail(error.path ?? '', error.problem);
	}
}

const nameRule = 'must be 1 to 64 letters, digits, _ or -';

const definition = strictObject({
	name: v.pipe(
		v.string(nameRule),
		v.regex(/^[A-Za-z0-9_-]{1,64}$/, nameRule),
		// Approving a server's tools must not cover a command.
		v.check(
			(name) => !name.startsWith('mcp__'),
			'must not begin with mcp__, as the tools of MCP servers do',
		),
	),
	description: optional(v.string()),
	parameters: optional(
		v.custom<JsonObject>(
			(value) => isJsonObject(value) && value['type'] === 'object',
			'must be a JSON Schema of type "object"',
		),
	),
	strict: optional(v.boolean('must be true or false')),
});

const argument = v.pipe(
	v.string(),
	v.check((text) => !text.includes('\0'), 'contains a NUL character'),
);

const variable = v.pipe(
	v.string('is not a variable name'),
	v.regex(/^[A-Za-z_]\w*$/, 'is not a variable name'),
	v.check((name) => !isOwnKey(name), 'is an API key, which tools never get'),
);

const tool = v.pipe(
	strictObject({
		type: v.literal('function'),
		function: definition,
		command: optional(v.pipe(v.array(argument), v.minLength(1, 'must have a program'))),
		environment: optional(v.array(variable)),
	}),
	read((entry, fail) => {
		const {function: defined, command, environment = []} = entry;
		const names = Object.keys(asObject(defined.parameters?.['properties']) ?? {});
		for (const [index, element] of (command ?? []).entries()) {
			const problem = findProblem(element, index, names);
			if (problem !== undefined) fail(problem, `command[${index}]`);
		}
		return {definition: defined, command, environment};
	}),
);

const list = v.array(tool, 'must be an array of tools');

const wrapper = strictObject({tools: list});

/** Refuses a placeholder as the program: the model must not choose it. */
function findProblem(
	element: string,
	index: number,
	parameters: readonly string[],
): string | undefined {
	const name = placeholderOf(element);
	if (index === 0 && (element === '' || name !== undefined)) return 'must be the program to run';
	if (name !== undefined) {
		return parameters.includes(name) ? undefined : `refers to an unknown parameter: "${name}"`;
	}
	const part = parameters.find((parameter) => element.includes(`{${parameter}}`));
	return part && `must be exactly {${part}}: a placeholder cannot be part of an element`;
}
