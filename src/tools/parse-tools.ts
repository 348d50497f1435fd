/** A tools file, checked: an array of function tools in the convention's shape. */
import type {JsonObject, JsonValue, Tool} from '../chat/message.ts';
import {ChatError} from '../errors.ts';

/**
 * @param path the file's name, for messages
 * @throws {ChatError} `data`, naming the place that is wrong
 */
export function parseTools(text: string, path: string): readonly Tool[] {
	const fail = (place: string, problem: string): never => {
		const where = place === '' ? path : `${path}: ${place}`;
		throw new ChatError('data', `${where} ${problem}`, {
			hint: 'Tools look like [{"type": "function", "function": {"name": "…", "parameters": {…}}}].',
		});
	};
	const value = parseJson(text, fail);
	if (!Array.isArray(value)) return fail('', 'is no array of tools');
	if (value.length === 0) return fail('', 'holds no tool');
	const names = new Set<string>();
	return value.map((item: JsonValue, index) => {
		const tool = parseTool(item, `[${index}]`, fail);
		if (names.has(tool.name)) return fail(`[${index}].function.name`, `"${tool.name}" is taken`);
		names.add(tool.name);
		return tool;
	});
}

type Fail = (place: string, problem: string) => never;

function parseJson(text: string, fail: Fail): JsonValue {
	try {
		return JSON.parse(text);
	} catch (error) {
		return fail('', `is not valid JSON: ${error instanceof Error ? error.message : ''}`);
	}
}

function parseTool(item: JsonValue, place: string, fail: Fail): Tool {
	const tool = asObject(item) ?? fail(place, 'is no object');
	if (tool['type'] !== 'function') return fail(`${place}.type`, 'must be "function"');
	const definition = asObject(tool['function']) ?? fail(`${place}.function`, 'is no object');
	if (tool['command'] !== undefined) {
		return fail(`${place}.command`, 'is not supported: tools are not run, their calls are printed');
	}
	const {name, description, parameters} = definition;
	if (typeof name !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(name)) {
		return fail(`${place}.function.name`, 'must be 1 to 64 letters, digits, _ or -');
	}
	if (description !== undefined && typeof description !== 'string') {
		return fail(`${place}.function.description`, 'is no text');
	}
	const schema = parameters === undefined ? undefined : asObject(parameters);
	if (parameters !== undefined && schema?.['type'] !== 'object') {
		return fail(`${place}.function.parameters`, 'must be a JSON Schema of type "object"');
	}
	return {name, description, parameters: schema};
}

function asObject(value: JsonValue | undefined): JsonObject | undefined {
	const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
	return isObject ? (value as JsonObject) : undefined;
}
