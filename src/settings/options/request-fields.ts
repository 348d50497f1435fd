/** Request fields named by the user: `--option key=value`, `options` in the config file. */
import {resolve} from 'node:path';
import {isJsonObject, type JsonObject, type JsonValue, parseJson} from '../../json.ts';
import {shorten} from '../../wording.ts';
import {fieldRows} from './field-rows.ts';
import {fieldOf, longFlagOf} from './option-row.ts';
import {HiddenValueError, ValueError} from './parsers.ts';

/** A change to the request body; later ones win. */
export type FieldChange = FieldValue | FieldFile;

export type FieldValue = {
	/** Names from the body down; at least one. */
	readonly path: readonly string[];
	/** `null` removes the field. */
	readonly value: JsonValue;
};

export type FieldFile = Pick<FieldValue, 'path'> & {readonly file: string};

export const wrongForm = 'must be key=value, as in top_k=40, or a JSON object';

/**
 * Parses `key=value` or a JSON object, and checks whether it fits the previous changes. An empty text
 * drops them.
 */
export function parseFieldChanges(
	text: string,
	previous: readonly FieldChange[],
): readonly FieldChange[] {
	if (text === '') return [];
	if (text.startsWith('{')) return readFields(parseJson(text), previous);
	return addChanges([parsePair(text)], previous);
}

export function readFields(
	object: JsonValue | undefined,
	previous: readonly FieldChange[],
): readonly FieldChange[] {
	if (!isJsonObject(object)) throw new ValueError(wrongForm);
	checkNumbers(object);
	const added = Object.entries(object).map(([name, value]) => ({path: checkPath([name]), value}));
	return addChanges(added, previous);
}

function addChanges(
	added: readonly FieldChange[],
	previous: readonly FieldChange[],
): readonly FieldChange[] {
	const changes = [...previous, ...added];
	changeFields(
		{},
		changes.filter((change) => 'value' in change),
	);
	return changes;
}

/** Makes the path in `key=@file` absolute. */
export function resolveFieldFile(text: string, directory: string): string {
	return text.replace(/^([^=]*=@)(.+)$/s, (_, start, path) => start + resolve(directory, path));
}

function parsePair(text: string): FieldChange {
	const [, key = '', value] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
	if (value === undefined || key === '') throw new ValueError(wrongForm);
	const names = key.split(/(?<!\\)\./).map((name) => name.replaceAll('\\.', '.'));
	const path = checkPath(names);
	if (!value.startsWith('@')) return {path, value: parseValue(value, key)};
	if (value === '@') throw new HiddenValueError('must name a JSON file after the @');
	return {path, file: value.slice(1)};
}

function parseValue(text: string, key: string): JsonValue {
	let value: JsonValue;
	try {
		value = JSON.parse(text) as JsonValue;
	} catch {
		return text;
	}
	if (parseJson(text) === undefined) throw new ValueError('must not be nested so deep');
	if (typeof value === 'number' && !isExact(value)) {
		throw new ValueError(`must be a smaller number, or text: ${key}='"${text}"'`);
	}
	checkNumbers(value);
	return value;
}

/** @throws {ValueError} for a number that would be sent differently than written */
export function checkNumbers(value: JsonValue): void {
	if (typeof value === 'number' && !isExact(value)) {
		throw new ValueError(
			'must not contain a number that is too large to be sent exactly: write it as text',
		);
	}
	if (typeof value === 'object' && value !== null) Object.values(value).forEach(checkNumbers);
}

/** Whether a number is sent as written; fractions may be rounded. */
function isExact(value: number): boolean {
	return Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
}

/** Fields with their own option, which checks them. */
const owners: Readonly<Record<string, string>> = {
	model: '--model',
	messages: 'the prompt, --system, --file or --image',
	stream: '--stream or --no-stream',
	stream_options: '--stream or --no-stream',
	tools: '--tools',
	tool_choice: '--tool-choice',
	response_format: '--response-format or --json-schema',
	...Object.fromEntries(
		Object.entries(fieldRows).map(([name, row]) => [fieldOf(name), longFlagOf(row)]),
	),
};

function hasOwnOption(field: string): boolean {
	return Object.hasOwn(owners, field);
}

/** Threat: sending deeply nested values overflows the stack. */
const maxDepth = 32;

function checkPath(path: readonly string[]): readonly string[] {
	const [field = ''] = path;
	if (hasOwnOption(field)) {
		throw new ValueError(`must not set ${field}: use ${owners[field]}`);
	}
	if (path.includes('')) throw new ValueError('must have a name before and after each dot');
	if (path.includes('__proto__')) throw new ValueError('must not set __proto__');
	if (path.length > maxDepth) throw new ValueError(`must not have more than ${maxDepth} names`);
	return path;
}

/** @throws {ValueError} for a path through a value other than an object */
export function changeFields(fields: JsonObject, changes: readonly FieldValue[]): JsonObject {
	return changes.reduce((changed, {path, value}) => changeField(changed, path, value), fields);
}

function changeField(
	fields: JsonObject,
	[name = '', ...rest]: readonly string[],
	value: JsonValue,
): JsonObject {
	const changed = new Map(Object.entries(fields));
	const next = rest.length === 0 ? value : changeInside(changed.get(name), name, rest, value);
	if (next === null) changed.delete(name);
	else changed.set(name, next);
	return Object.fromEntries(changed);
}

/** Returns null for an object losing its last field. */
function changeInside(
	current: JsonValue = {},
	name: string,
	rest: readonly string[],
	value: JsonValue,
): JsonObject | null {
	if (!isJsonObject(current)) {
		throw new ValueError(`goes into ${name}, which is ${shortJson(current)} and not an object`);
	}
	const inside = changeField(current, rest, value);
	return value === null && Object.keys(inside).length === 0 ? null : inside;
}

function shortJson(value: JsonValue): string {
	return shorten(JSON.stringify(value), 40);
}
