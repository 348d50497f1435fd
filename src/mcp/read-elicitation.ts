/** Makes a question to the user of what a server asks for during a call. */
import type {Elicitation, ElicitedField, ElicitedKind} from '../chat/elicitation.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../json.ts';

export type ReadElicitation =
	| {readonly request: Elicitation}
	/** Why the question is not passed on, as the end of a sentence. */
	| {readonly problem: string};

/** Of the whole question, which a screen lays out again with each key. */
const maxLength = 65_536;
const maxFields = 50;
const maxChoices = 500;

/** @param params of `elicitation/create`, in the form of either protocol */
export function readElicitation(server: string, params: JsonObject): ReadElicitation {
	if (JSON.stringify(params).length > maxLength) {
		return {problem: `it has more than ${maxLength} characters`};
	}
	const message = asText(params['message']) ?? '';
	if (params['mode'] === 'url') {
		const address = asText(params['url']) ?? '';
		return /^https?:/i.test(address) && URL.canParse(address)
			? {request: {server, message, type: 'url', url: new URL(address)}}
			: {problem: 'its address is not one of the web'};
	}
	const {requestedSchema} = params;
	const {properties, required} = isJsonObject(requestedSchema) ? requestedSchema : {};
	if (!isJsonObject(properties)) return {problem: 'it has no fields'};
	const names = Object.keys(properties);
	if (names.length > maxFields) return {problem: `it has more than ${maxFields} fields`};
	const fields: ElicitedField[] = [];
	for (const name of names) {
		const isRequired = Array.isArray(required) && required.includes(name);
		const field = readField(name, properties[name], isRequired);
		if (typeof field === 'string') return {problem: `its field ${name} ${field}`};
		fields.push(field);
	}
	return {request: {server, message, type: 'form', fields}};
}

/** Returns why a field cannot be asked for, as the end of a sentence. */
function readField(
	name: string,
	schema: JsonValue | undefined,
	isRequired: boolean,
): ElicitedField | string {
	const kind = isJsonObject(schema) ? readKind(schema) : undefined;
	if (kind === undefined || !isJsonObject(schema)) return 'is of an unknown kind';
	const title = asText(schema['title'])?.trim() || name;
	if (isSecret(name) || isSecret(title)) return 'asks for a secret';
	const description = asText(schema['description']);
	return {name, title, description, isRequired, defaultValue: readDefault(schema), kind};
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

const formats = ['email', 'uri', 'date', 'date-time'] as const;

function readKind(schema: JsonObject): ElicitedKind | undefined {
	const choices = readChoices(schema);
	if (choices !== undefined) return choices;
	const {type, minLength, maxLength, format, minimum, maximum} = schema;
	switch (type) {
		case 'string':
			return {
				type: 'text',
				minLength: asNumber(minLength),
				maxLength: asNumber(maxLength),
				format: formats.find((known) => known === format),
			};
		case 'number':
		case 'integer':
			return {
				type: 'number',
				isInteger: type === 'integer',
				minimum: asNumber(minimum),
				maximum: asNumber(maximum),
			};
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
	const {minItems, maxItems} = schema;
	return {
		type: 'choice',
		isMultiple,
		choices,
		minItems: asNumber(minItems),
		maxItems: asNumber(maxItems),
	};
}

function readChoice(value: JsonValue | undefined, title: unknown) {
	if (typeof value !== 'string') return [];
	return [{value, title: typeof title === 'string' ? title : value}];
}

function asText(value: JsonValue | undefined): string | undefined {
	return typeof value === 'string' ? value : undefined;
}

function asNumber(value: JsonValue | undefined): number | undefined {
	return typeof value === 'number' ? value : undefined;
}
