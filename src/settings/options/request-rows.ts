/** Request options: part of the table in `option-rows.ts`. */
import {resolve} from 'node:path';
import type {JsonObject} from '../../json.ts';
import {fieldRows} from './field-rows.ts';
import {clearableList, inGroup, list, option, optional, resolveFile, toggle} from './option-row.ts';
import {
	integerFrom,
	isSchemaPath,
	isServersPath,
	oneOf,
	orNothing,
	parseName,
	parseSystem,
	parseText,
	readSchema,
} from './parsers.ts';
import {
	type FieldChange,
	parseFieldChanges,
	readFields,
	resolveFieldFile,
} from './request-fields.ts';

export const requestRows = inGroup('Request', {
	model: optional(orNothing(parseName), {
		flags: ['-m, --model <name>'],
		values: 'models',
		variable: 'CHAT_MODEL',
		isDropped: true,
		summary: 'model; chat models lists those of the service',
	}),
	family: option(parseName, {
		flags: [],
		variable: 'CHAT_FAMILY',
		summary: 'family of the short model names: sol, terra and luna mean <family>-5.6-<tier>',
		defaultValue: 'MODEL',
	}),
	system: optional(parseSystem, {
		flags: ['-s, --system <text>'],
		values: 'mentions',
		variable: 'CHAT_SYSTEM',
		summary: 'system message; @file reads it from a file',
		resolvePath: (text, directory) =>
			text.startsWith('@') ? `@${resolve(directory, text.slice(1))}` : text,
	}),
	...fieldRows,
	option: {
		flags: ['-O, --option <key=value>'],
		values: 'mentions',
		variable: 'CHAT_OPTIONS',
		key: 'options',
		isMerged: true,
		summary: 'any other field of the request, as in top_k=40; repeatable',
		resolvePath: resolveFieldFile,
		defaultValue: [] as readonly FieldChange[],
		parse: parseFieldChanges,
		readJson: readFields,
	},
	tools: clearableList({
		flags: ['--tools <file>'],
		values: 'files',
		isInFile: true,
		resolvePath: resolveFile,
		summary: 'JSON file of functions the model may call; repeatable',
	}),
	mcp: clearableList({
		flags: ['--mcp <server>', '--no-mcp'],
		values: 'servers',
		isInFile: true,
		resolvePath: (text, directory) => (isServersPath(text) ? resolveFile(text, directory) : text),
		summary: 'MCP server whose tools the model may call: name or file; repeatable',
		negatedSummary: 'use no MCP server',
	}),
	toolChoice: optional(parseText, {
		flags: ['--tool-choice <choice>'],
		values: ['auto', 'none', 'required'],
		summary: 'auto, none, required, or the name of the tool to call',
	}),
	allowTool: list({
		flags: ['--allow-tool <name>'],
		values: 'tools',
		summary: 'run calls of this tool without asking; repeatable',
	}),
	responseFormat: optional(orNothing(oneOf('text', 'json_object')), {
		flags: ['--response-format <format>'],
		variable: 'CHAT_RESPONSE_FORMAT',
		summary: 'text, or json_object to print valid JSON or nothing',
	}),
	jsonSchema: optional(orNothing<string | JsonObject>(parseText), {
		flags: ['--json-schema <schema>'],
		values: 'files',
		variable: 'CHAT_JSON_SCHEMA',
		resolvePath: (text, directory) => (isSchemaPath(text) ? resolveFile(text, directory) : text),
		readJson: readSchema,
		summary: 'print JSON that matches, or nothing: a file, JSON, or "name, age int"',
	}),
	schemaRepairs: option(integerFrom(0, 10), {
		flags: ['--schema-repairs <n>'],
		variable: 'CHAT_SCHEMA_REPAIRS',
		summary: 'retries of an answer that does not match the schema',
		defaultValue: 1,
	}),
	stream: toggle(true, {
		flags: ['--stream', '--no-stream'],
		variable: 'CHAT_STREAM',
		summary: 'print the answer as it arrives (the default)',
		negatedSummary: 'print the answer only when it is complete',
	}),
});
