/**
 * Checks the tools of a request and the choice among them.
 */

import {isJsonObject, type JsonObject} from '../../json.ts';
import {fieldOf} from '../json.ts';
import {invalidRequest} from '../service-error.ts';
import {
	type Check,
	checkArray,
	checkObject,
	checkString,
	checkWord,
	joinPath,
	readField,
	requireField,
} from './checks.ts';
import type {RequestTool, RequestToolChoice} from './request.ts';

export const toolNamePattern = /^[A-Za-z0-9_-]{1,64}$/;

/** @throws {ServiceError} 400 that names the tool or the field in it. */
export function checkTools(body: JsonObject): readonly RequestTool[] {
	const tools = readField(body, 'tools', '', checkArray(checkTool)) ?? [];
	const names = new Set<string>();
	for (const [index, tool] of tools.entries()) {
		if (names.has(tool.name)) {
			const path = `tools[${index}].function.name`;
			throw invalidRequest(path, `${path} "${tool.name}" is the name of another tool`);
		}
		names.add(tool.name);
	}
	return tools;
}

const checkTool: Check<RequestTool> = (value, path) => {
	const tool = checkObject(value, path);
	requireField(tool, 'type', path, checkWord(['function']));
	const functionPath = joinPath(path, 'function');
	const described = requireField(tool, 'function', path, checkObject);
	return {
		name: requireField(described, 'name', functionPath, checkToolName),
		description: readField(described, 'description', functionPath, checkString) ?? '',
		parameters: readField(described, 'parameters', functionPath, checkParameters) ?? {},
	};
};

/** Names of tools and of schemas. */
export const checkToolName: Check<string> = (value, path) => {
	const name = checkString(value, path);
	if (toolNamePattern.test(name)) return name;
	throw invalidRequest(path, `${path} must be 1 to 64 letters, digits, _ or -`);
};

const checkParameters: Check<JsonObject> = (value, path) => {
	const schema = checkObject(value, path);
	const type = fieldOf(schema, 'type');
	if (type !== undefined && type !== 'object') {
		throw invalidRequest(`${path}.type`, `${path}.type must be "object": arguments are an object`);
	}
	const properties = fieldOf(schema, 'properties');
	if (properties !== undefined && !isJsonObject(properties)) {
		throw invalidRequest(`${path}.properties`, `${path}.properties must be an object`);
	}
	return schema;
};

/**
 * What `tool_choice` asks for; `auto` when it is absent.
 *
 * @throws {ServiceError} 400 when it names no tool of the request, or asks for one without any.
 */
export function checkToolChoice(
	body: JsonObject,
	tools: readonly RequestTool[],
): RequestToolChoice {
	const choice = readField(body, 'tool_choice', '', checkChoice) ?? 'auto';
	if (choice === 'auto' || choice === 'none') return choice;
	if (tools.length === 0) {
		throw invalidRequest('tool_choice', 'tool_choice asks for a call, but there are no tools');
	}
	if (choice === 'required' || tools.some((tool) => tool.name === choice.name)) return choice;
	const path = 'tool_choice.function.name';
	throw invalidRequest(path, `${path} "${choice.name.slice(0, 64)}" is none of the tools`);
}

const checkChoice: Check<RequestToolChoice> = (value, path) => {
	if (typeof value === 'string') return checkWord(['auto', 'none', 'required'])(value, path);
	const choice = checkObject(value, path);
	requireField(choice, 'type', path, checkWord(['function']));
	const named = requireField(choice, 'function', path, checkObject);
	return {name: requireField(named, 'name', joinPath(path, 'function'), checkString)};
};
