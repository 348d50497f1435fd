/** Makes a question to the user of what a server asks for during a call. */
import type {Elicitation, ElicitedField, ElicitedKind} from '../chat/elicitation.ts';
import {asText, isJsonObject, type JsonObject, type JsonValue} from '../json.ts';
import {createFieldCheck, formats, readRules} from './field-rules.ts';

export type ReadElicitation =
	| {readonly request: Elicitation}
	/** Why the question is not passed on, as the end of a sentence. */
	| {readonly problem: string};

/** Of the whole question, which a screen lays out again with each key. */
const maxLength = 65_536;
const maxFields = 50;
const maxChoices = 500;

/** @param params of `elicitation/create`, in the form of either protocol */
export async function readElicitation(
	server: string,
	params: JsonObject,
	calls: Elicitation['calls'],
): Promise<ReadElicitation> {
	if (JSON.stringify(params).length > maxLength) {
		return {problem: `it has more than ${maxLength} characters`};
	}
	const message = asText(params['message']) ?? '';
	if (params['mode'] === 'url') {
		const address = asText(params['url']) ?? '';
		return /^https?:/i.test(address) && URL.canParse(address)
			? {request: {server, message, calls, type: 'url', url: new URL(address)}}
			: {problem: 'its address is not one of the web'};
	}
	const {requestedSchema} = params;
	const form = await readForm(isJsonObject(requestedSchema) ? requestedSchema : {});
	return 'problem' in form ? form : {request: {server, message, calls, type: 'form', ...form}};
}

type Form = {readonly fields: readonly ElicitedField[]};

async function readForm(schema: JsonObject): Promise<Form | {readonly problem: string}> {
	const {$schema, properties, required} = schema;
	if (!isJsonObject(properties)) return {problem: 'it has no fields'};
	const names = Object.keys(properties);
	if (names.length > maxFields) return {problem: `it has more than ${maxFields} fields`};
	const fields: UncheckedField[] = [];
	for (const name of names) {
		const isRequired = Array.isArray(required) && required.includes(name);
		const field = readField(name, properties[name], isRequired);
		if (typeof field === 'string') return {problem: `its field ${name} ${field}`};
		fields.push(field);
	}
	if (fields.length === 0) return {fields: []};
	const {compileSchema} = await import('../tools/json-schema.ts');
	const dialect = $schema === undefined ? {} : {$schema};
	const compiled = await compileSchema({...dialect, type: 'object', properties}, formats);
	if ('problem' in compiled) {
		return {problem: `${compiled.place || 'its form'} ${compiled.problem}`};
	}
	const {check} = compiled;
	return {fields: fields.map((field) => ({...field, check: createFieldCheck(field, check)}))};
}

type UncheckedField = Omit<ElicitedField, 'check'>;

/** Returns why a field cannot be asked for, as the end of a sentence. */
function readField(
	name: string,
	schema: JsonValue | undefined,
	isRequired: boolean,
): UncheckedField | string {
	const kind = isJsonObject(schema) ? readKind(schema) : undefined;
	if (kind === undefined || !isJsonObject(schema)) return 'is of an unknown kind';
	const title = asText(schema['title'])?.trim() || name;
	if (isSecret(name) || isSecret(title)) return 'asks for a secret';
	const description = asText(schema['description']);
	const defaultValue = readDefault(schema);
	return {name, title, description, isRequired, defaultValue, kind, rules: readRules(schema)};
}

function readDefault({default: value}: JsonObject): JsonValue | undefined {
	const items = Array.isArray(value) ? value : [value];
	return items.some((item) => typeof item === 'object') ? undefined : value;
}

const secretWords =
	/pass ?(?:word|wd|phrase|code)|secret|\btoken\b|api ?key|private ?key|access ?key|credential|\b(?:pin|cvv|cvc|otp)\b/;

/** Whether a name such as `apiKey` or `access_token` is that of a secret, which no server may ask for. */
function isSecret(name: string): boolean {
	const words = name.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[\W_]+/g, ' ');
	return secretWords.test(words.toLowerCase());
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
	const {enum: values, enumNames, oneOf, anyOf} = items;
	const titled = oneOf ?? anyOf;
	const choices = Array.isArray(values)
		? values.flatMap((value: JsonValue, index) => {
				const title: unknown = Array.isArray(enumNames) ? enumNames[index] : undefined;
				return readChoice(value, title);
			})
		: Array.isArray(titled)
			? titled.flatMap((choice: JsonValue) =>
					isJsonObject(choice) ? readChoice(choice['const'], choice['title']) : [],
				)
			: [];
	if (choices.length === 0 || choices.length > maxChoices) return undefined;
	return {type: 'choice', isMultiple, choices};
}

function readChoice(value: JsonValue | undefined, title: unknown) {
	if (typeof value !== 'string') return [];
	return [{value, title: typeof title === 'string' ? title : value}];
}
