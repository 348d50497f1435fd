/**
 * Turns a server's input request during a call into a question for the user. The SDK has checked
 * its shape.
 */
import type {Elicitation, ElicitedField, ElicitedKind} from '../chat/elicitation.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../json.ts';
import {plural} from '../wording.ts';

export type ReadElicitation =
	| {readonly request: Elicitation}
	/** Why the question is not passed on, as the end of a sentence. */
	| {readonly problem: string};

/** Maximum for the whole question, which a screen lays out again with each key. */
const maxLength = 65_536;
const maxFields = 50;
const maxChoices = 500;

/** @param params parameters of `elicitation/create`, in either protocol's form */
export function readElicitation(
	server: string,
	params: JsonObject,
	calls: Elicitation['calls'],
): ReadElicitation {
	const {mode, url, requestedSchema} = params;
	if (JSON.stringify(params).length > maxLength) {
		return {problem: `it has more than ${maxLength} characters`};
	}
	const common = {server, message: asText(params['message']) ?? '', calls};
	if (mode === 'url') {
		const address = asText(url) ?? '';
		return /^https?:/i.test(address) && URL.canParse(address)
			? {request: {...common, type: 'url', url: new URL(address)}}
			: {problem: 'its address is not one of the web'};
	}
	const {properties, required} = isJsonObject(requestedSchema) ? requestedSchema : {};
	if (!isJsonObject(properties)) return {problem: 'it has no fields'};
	const names = Object.keys(properties);
	if (names.length > maxFields) return {problem: `it has more than ${maxFields} fields`};
	const isRequired = (name: string) => Array.isArray(required) && required.includes(name);
	const fields = names.map((name) => readField(name, properties[name], isRequired(name)));
	const unknown = fields.indexOf(undefined);
	return unknown === -1
		? {request: {...common, type: 'form', fields: fields.filter((field) => field !== undefined)}}
		: {problem: `its field ${names[unknown]} is of an unknown kind`};
}

/** Returns undefined for an unsupported field. */
function readField(
	name: string,
	schema: JsonValue | undefined,
	isRequired: boolean,
): ElicitedField | undefined {
	const kind = isJsonObject(schema) ? readKind(schema) : undefined;
	if (kind === undefined || !isJsonObject(schema)) return undefined;
	const rules = readRules(schema);
	const words = rules.map(([rule]) => rule);
	return {
		name,
		title: asText(schema['title'])?.trim() || name,
		description: asText(schema['description']),
		isRequired,
		defaultValue: schema['default'],
		kind,
		rules: words,
		check: (value) =>
			rules.every(([, fits]) => fits(value)) ? undefined : `Expected ${words.join(', ')}.`,
	};
}

function readKind(schema: JsonObject): ElicitedKind | undefined {
	const choices = readChoices(schema);
	if (choices !== undefined) return choices;
	switch (schema['type']) {
		case 'string':
			return {type: 'text'};
		case 'number':
		case 'integer':
			return {type: 'number'};
		case 'boolean':
			return {type: 'boolean'};
		default:
			return undefined;
	}
}

/** Reads `enum`, with `enumNames` in the older protocol, and `oneOf` or `anyOf` with titles. */
function readChoices(schema: JsonObject): ElicitedKind | undefined {
	const isMultiple = schema['type'] === 'array';
	const items = isMultiple ? schema['items'] : schema;
	if (!isJsonObject(items)) return undefined;
	const {enum: values, enumNames, oneOf, anyOf = oneOf} = items;
	const titles = Array.isArray(enumNames) ? enumNames : [];
	const titled = (Array.isArray(anyOf) ? anyOf : []).filter(isJsonObject);
	const choices = (Array.isArray(values) ? values : titled.map((item) => item['const'])).flatMap(
		(value: JsonValue | undefined, index) => {
			const title: unknown = Array.isArray(values) ? titles[index] : titled[index]?.['title'];
			if (typeof value !== 'string') return [];
			return [{value, title: typeof title === 'string' ? title : value}];
		},
	);
	if (choices.length === 0 || choices.length > maxChoices) return undefined;
	return {type: 'choice', isMultiple, choices};
}

/** A rule for a value in words, and its check. */
type Rule = readonly [words: string, fits: (value: JsonValue) => boolean];

const typeRules: Readonly<Record<string, Rule>> = {
	number: ['a number', (value) => typeof value === 'number'],
	integer: ['a whole number', Number.isInteger],
};

const formatRules: Readonly<Record<string, Rule>> = {
	email: ['an email address', (value) => /^[^\s@]+@[^\s@]+$/.test(String(value))],
	uri: ['an address such as https://example.com', (value) => URL.canParse(String(value))],
	date: ['a date such as 2026-11-23', (value) => isDate(String(value))],
	'date-time': ['a time such as 2026-11-23T09:30:00Z', (value) => isTime(String(value))],
};

function readRules(schema: JsonObject): readonly Rule[] {
	const {type, format, minLength, maxLength: most, minimum, maximum, minItems, maxItems} = schema;
	return [
		...lookUp(typeRules, type),
		...lookUp(formatRules, format),
		...limit(minLength, most, (value) => [...String(value)].length, 'character'),
		...limit(minimum, maximum, Number),
		...limit(minItems, maxItems, (value) => [value].flat().length, 'choice'),
	];
}

function lookUp(rules: Readonly<Record<string, Rule>>, word: JsonValue | undefined) {
	const rule = typeof word === 'string' && Object.hasOwn(rules, word) ? rules[word] : undefined;
	return rule === undefined ? [] : [rule];
}

function limit(
	least: JsonValue | undefined,
	most: JsonValue | undefined,
	sizeOf: (value: JsonValue) => number,
	noun?: string,
): readonly Rule[] {
	const name = (size: number) => (noun === undefined ? String(size) : plural(size, noun));
	const rules: Rule[] = [];
	if (typeof least === 'number' && least === most) {
		return [[`exactly ${name(least)}`, (value) => sizeOf(value) === least]];
	}
	if (typeof least === 'number') {
		rules.push([`at least ${name(least)}`, (value) => sizeOf(value) >= least]);
	}
	if (typeof most === 'number') {
		rules.push([`at most ${name(most)}`, (value) => sizeOf(value) <= most]);
	}
	return rules;
}

function isDate(text: string): boolean {
	const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
	return Number.isFinite(time) && new Date(time).toISOString().startsWith(text);
}

function isTime(text: string): boolean {
	const [, date = ''] =
		/^(\d{4}-\d\d-\d\d)[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/.exec(text) ?? [];
	return isDate(date) && Number.isFinite(Date.parse(text));
}

function asText(value: JsonValue | undefined): string | undefined {
	return typeof value === 'string' ? value : undefined;
}
