/**
 * Parses and checks a tools file: one function tool, an array of them, or an object with that array
 * as its `tools`. A tool with a command can be run here.
 */
import {resolve} from 'node:path';
import type {ToolDefinition} from '../chat/message.ts';
import {findClosest} from '../did-you-mean.ts';
import {ChatError} from '../errors.ts';
import {asObject, type JsonObject, type JsonValue} from '../json.ts';
import {parseUserJson} from '../json-error.ts';
import {isOwnKey} from '../redact.ts';
import {placeholderOf} from './fill-command.ts';

export type ToolEntry = {
	readonly definition: ToolDefinition;
	/** Its path in the file, for messages: `[0]`; empty for a file of one tool. */
	readonly place: string;
	/** The program and its arguments; a path to a program is absolute. Undefined: cannot be run. */
	readonly command: readonly string[] | undefined;
	/** Names of variables that the command gets. */
	readonly environment: readonly string[];
};

/** Throws an error that names the place in the file. */
export type FailAt = (place: string, problem: string, hint?: string) => never;

export type ToolsFile = {
	readonly fail: FailAt;
	/** The folder that relative paths of programs start from, absolute. */
	readonly directory: string;
	/** Names of tools from other files. */
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

/** Returns the path of something inside another place. */
export function placeIn(place: string, inner: string): string {
	return [place, inner].filter((part) => part !== '').join('.');
}

/** @throws {ChatError} `data`, with the place of the mistake */
export function parseTools(text: string, file: ToolsFile): readonly ToolEntry[] {
	const {fail} = file;
	const names = new Set(file.taken);
	const found = findItems(parseJson(text, fail), fail);
	if (found.length === 0) return fail('', 'contains no tools');
	return found.map(({item, place}) => {
		const entry = parseEntry(item, place, file);
		const {name} = entry.definition;
		if (names.has(name)) return fail(placeIn(place, 'function.name'), `"${name}" is already used`);
		names.add(name);
		return entry;
	});
}

function parseJson(text: string, fail: FailAt): JsonValue {
	const parsed = parseUserJson(text);
	return 'problem' in parsed ? fail('', parsed.problem) : parsed.value;
}

type Item = {readonly item: JsonValue; readonly place: string};

function findItems(value: JsonValue, fail: FailAt): readonly Item[] {
	const whole = asObject(value) ?? {};
	if (Object.hasOwn(whole, 'type') || Object.hasOwn(whole, 'function')) {
		return [{item: whole, place: ''}];
	}
	const isWrapped = Object.hasOwn(whole, 'tools');
	if (isWrapped) checkKeys(whole, ['tools'], '', fail);
	const items = isWrapped ? whole['tools'] : value;
	if (!Array.isArray(items)) return fail(isWrapped ? 'tools' : '', 'must be an array of tools');
	return items.map((item: JsonValue, index) => ({
		item,
		place: `${isWrapped ? 'tools' : ''}[${index}]`,
	}));
}

/** A mistyped key would silently change the tool: it could not be run, or had no parameters. */
function checkKeys(
	object: JsonObject,
	known: readonly string[],
	place: string,
	fail: FailAt,
): void {
	const unknown = Object.keys(object).find((key) => !known.includes(key));
	if (unknown === undefined) return;
	const closest = findClosest(unknown, known);
	const suggestion = closest === undefined ? '' : ` (Did you mean ${closest}?)`;
	fail(placeIn(place, unknown), `is not a known key${suggestion}`);
}

function parseEntry(item: JsonValue, place: string, file: ToolsFile): ToolEntry {
	const {fail} = file;
	const entry = asObject(item) ?? fail(place, 'must be an object');
	checkKeys(entry, ['type', 'function', 'command', 'environment'], place, fail);
	if (entry['type'] !== 'function') return fail(placeIn(place, 'type'), 'must be "function"');
	const definition = parseFunction(entry['function'], placeIn(place, 'function'), fail);
	const command =
		entry['command'] === undefined
			? undefined
			: parseCommand(entry['command'], definition, placeIn(place, 'command'), file);
	const environment = parseEnvironment(entry['environment'], placeIn(place, 'environment'), fail);
	return {definition, place, command, environment};
}

function parseFunction(value: JsonValue | undefined, place: string, fail: FailAt): ToolDefinition {
	const described = asObject(value) ?? fail(place, 'must be an object');
	checkKeys(described, ['name', 'description', 'parameters', 'strict'], place, fail);
	const {name, description, parameters, strict} = described;
	if (typeof name !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(name)) {
		return fail(`${place}.name`, 'must be 1 to 64 letters, digits, _ or -');
	}
	// An approval of the tools of a server must not cover a command.
	if (name.startsWith('mcp__')) {
		return fail(`${place}.name`, 'must not begin with mcp__, as the tools of MCP servers do');
	}
	if (description !== undefined && typeof description !== 'string') {
		return fail(`${place}.description`, 'must be text');
	}
	if (strict !== undefined && typeof strict !== 'boolean') {
		return fail(`${place}.strict`, 'must be true or false');
	}
	const schema = parameters === undefined ? undefined : asObject(parameters);
	if (parameters !== undefined && schema?.['type'] !== 'object') {
		return fail(`${place}.parameters`, 'must be a JSON Schema of type "object"');
	}
	return {name, description, parameters: schema, strict};
}

/** Refuses a placeholder as the program: the model must not choose it. */
function parseCommand(
	value: JsonValue,
	{parameters}: ToolDefinition,
	place: string,
	{fail, directory}: ToolsFile,
): readonly string[] {
	if (!Array.isArray(value) || value.length === 0) {
		return fail(place, 'must be an array of a program and its arguments');
	}
	const names = Object.keys(asObject(parameters?.['properties']) ?? {});
	const [program = '', ...rest] = value.map((element: JsonValue, index) => {
		const at = `${place}[${index}]`;
		if (typeof element !== 'string') return fail(at, 'must be text');
		if (element.includes('\0')) return fail(at, 'contains a NUL character');
		if (index === 0 && (element === '' || placeholderOf(element) !== undefined)) {
			return fail(at, 'must be the program to run');
		}
		return checkElement(element, names, at, fail);
	});
	return [program.includes('/') ? resolve(directory, program) : program, ...rest];
}

function checkElement(
	element: string,
	parameters: readonly string[],
	place: string,
	fail: FailAt,
): string {
	const name = placeholderOf(element);
	if (name !== undefined) {
		return parameters.includes(name)
			? element
			: fail(place, `refers to an unknown parameter: "${name}"`);
	}
	const part = parameters.find((parameter) => element.includes(`{${parameter}}`));
	if (part === undefined) return element;
	return fail(place, `must be exactly {${part}}: a placeholder cannot be part of an element`);
}

function parseEnvironment(
	value: JsonValue | undefined,
	place: string,
	fail: FailAt,
): readonly string[] {
	if (value === undefined) return [];
	if (!Array.isArray(value)) return fail(place, 'must be an array of variable names');
	return value.map((name: JsonValue, index) => {
		const at = `${place}[${index}]`;
		if (typeof name !== 'string' || !/^[A-Za-z_]\w*$/.test(name)) {
			return fail(at, 'is not a variable name');
		}
		return isOwnKey(name) ? fail(at, 'is an API key, which tools never get') : name;
	});
}
