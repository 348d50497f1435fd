/** A tools file, checked: an array of function tools in the convention's shape, some of them with a command. */
import {placeholderOf} from '../chat/fill-command.ts';
import type {Tool} from '../chat/message.ts';
import {ChatError} from '../errors.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../json.ts';

/** A tool of the file. Without a command its calls are the output. */
export type ToolEntry = {
	readonly tool: Tool;
	/** Where it stands in the file, for messages: `[0]`. */
	readonly place: string;
	readonly command: readonly string[] | undefined;
	/** Names of variables to pass on. */
	readonly environment: readonly string[];
};

/** Says what is wrong, and where. */
export type Fail = (place: string, problem: string) => never;

/** @param path the file's name, for messages */
export function createToolsFailure(path: string): Fail {
	return (place, problem) => {
		const where = place === '' ? path : `${path}: ${place}`;
		throw new ChatError('data', `${where} ${problem}`, {
			hint: 'Tools look like [{"type": "function", "function": {"name": "…", "parameters": {…}}, "command": ["…"]}].',
		});
	};
}

/** @throws {ChatError} `data`, naming the place that is wrong */
export function parseTools(text: string, fail: Fail): readonly ToolEntry[] {
	const value = parseJson(text, fail);
	if (!Array.isArray(value)) return fail('', 'is no array of tools');
	if (value.length === 0) return fail('', 'holds no tool');
	const names = new Set<string>();
	return value.map((item: JsonValue, index) => {
		const entry = parseEntry(item, `[${index}]`, fail);
		const {name} = entry.tool;
		if (names.has(name)) return fail(`[${index}].function.name`, `"${name}" is taken`);
		names.add(name);
		return entry;
	});
}

function parseJson(text: string, fail: Fail): JsonValue {
	try {
		return JSON.parse(text);
	} catch (error) {
		return fail('', `is not valid JSON: ${error instanceof Error ? error.message : ''}`);
	}
}

function parseEntry(item: JsonValue, place: string, fail: Fail): ToolEntry {
	const entry = asObject(item) ?? fail(place, 'is no object');
	if (entry['type'] !== 'function') return fail(`${place}.type`, 'must be "function"');
	const tool = parseFunction(entry['function'], `${place}.function`, fail);
	const command =
		entry['command'] === undefined
			? undefined
			: parseCommand(entry['command'], tool, `${place}.command`, fail);
	const environment = parseEnvironment(entry['environment'], `${place}.environment`, fail);
	return {tool, place, command, environment};
}

function parseFunction(value: JsonValue | undefined, place: string, fail: Fail): Tool {
	const definition = asObject(value) ?? fail(place, 'is no object');
	const {name, description, parameters} = definition;
	if (typeof name !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(name)) {
		return fail(`${place}.name`, 'must be 1 to 64 letters, digits, _ or -');
	}
	if (description !== undefined && typeof description !== 'string') {
		return fail(`${place}.description`, 'is no text');
	}
	const schema = parameters === undefined ? undefined : asObject(parameters);
	if (parameters !== undefined && schema?.['type'] !== 'object') {
		return fail(`${place}.parameters`, 'must be a JSON Schema of type "object"');
	}
	return {name, description, parameters: schema};
}

/** The program itself is never the model's choice. */
function parseCommand(value: JsonValue, tool: Tool, place: string, fail: Fail): readonly string[] {
	if (!Array.isArray(value) || value.length === 0) {
		return fail(place, 'must be an array of the program and its arguments');
	}
	const parameters = Object.keys(asObject(tool.parameters?.['properties']) ?? {});
	return value.map((element: JsonValue, index) => {
		const at = `${place}[${index}]`;
		if (typeof element !== 'string') return fail(at, 'is no text');
		if (element.includes('\0')) return fail(at, 'holds a NUL character');
		if (index === 0 && (element === '' || placeholderOf(element) !== undefined)) {
			return fail(at, 'must be the program to run');
		}
		return checkElement(element, parameters, at, fail);
	});
}

function checkElement(
	element: string,
	parameters: readonly string[],
	place: string,
	fail: Fail,
): string {
	const name = placeholderOf(element);
	if (name !== undefined) {
		return parameters.includes(name) ? element : fail(place, `names no parameter "${name}"`);
	}
	const part = parameters.find((parameter) => element.includes(`{${parameter}}`));
	if (part === undefined) return element;
	return fail(place, `must be {${part}} alone: a placeholder is a whole element`);
}

/** Keys of the service are for the service. */
const refusedNames = /^(?:CHAT|OPENAI)_API_KEY$/i;

function parseEnvironment(
	value: JsonValue | undefined,
	place: string,
	fail: Fail,
): readonly string[] {
	if (value === undefined) return [];
	if (!Array.isArray(value)) return fail(place, 'must be an array of names of variables');
	return value.map((name: JsonValue, index) => {
		const at = `${place}[${index}]`;
		if (typeof name !== 'string' || !/^[A-Za-z_]\w*$/.test(name)) {
			return fail(at, 'is no name of a variable');
		}
		return refusedNames.test(name) ? fail(at, 'is a key, which no tool gets') : name;
	});
}

function asObject(value: JsonValue | undefined): JsonObject | undefined {
	return isJsonObject(value) ? value : undefined;
}
