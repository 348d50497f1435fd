/**
 * Fields in foreign files. Missing ones, and those with another type, are empty: they never cause
 * refusing a file.
 */
import * as v from 'valibot';
import type {AssistantPart, ToolCallPart} from '../../chat/message.ts';
import {isJsonObject, type JsonObject, parseJsonObject} from '../../json.ts';

export const text = v.fallback(v.string(), '');

/** A value of any type; undefined if missing. */
export const anything = v.optional(v.unknown());

export const flag = v.fallback(v.boolean(), false);

const noItems: readonly unknown[] = [];
export const anyList = v.fallback(v.custom<readonly unknown[]>(Array.isArray), noItems);

const noFields: JsonObject = {};
export const object = v.fallback(v.custom<JsonObject>(isJsonObject), noFields);

/** The end of the year 9999. */
const maxTime = 253_402_300_799_999;
const duration = v.pipe(v.number(), v.minValue(0), v.maxValue(maxTime));

export const milliseconds = v.fallback(v.optional(duration), undefined);

/** Seconds, as milliseconds. */
export const seconds = v.fallback(
	v.optional(
		v.pipe(
			v.number(),
			v.transform((value) => Math.round(value * 1000)),
			duration,
		),
	),
	undefined,
);

/** A date and a time, in UTC if it names no zone, as milliseconds since 1970. */
export const dateTime = v.fallback(
	v.optional(
		v.pipe(
			v.string(),
			v.transform((value) => Date.parse(hasZone.test(value) ? value : `${value}Z`)),
			duration,
		),
	),
	undefined,
);

const hasZone = /(?:z|[+-]\d\d:?\d\d)$/i;

/** A time in any of these forms, as milliseconds since 1970. */
export const moment = v.optional(
	v.pipe(
		v.unknown(),
		v.transform((value) => {
			if (typeof value !== 'number') return v.parse(dateTime, value);
			return value < 1e11 ? v.parse(seconds, value) : v.parse(milliseconds, value);
		}),
	),
);

/** The id of the record before; null for none, undefined if a file has no such field. */
export const link = v.fallback(v.nullish(v.string()), undefined);

/** Returns the text of a string, a list's texts, or an object's. */
export function plainText(content: unknown): string {
	if (typeof content === 'string') return content;
	if (Array.isArray(content)) return content.map(plainText).filter(Boolean).join('\n');
	if (!isJsonObject(content)) return '';
	const {text: own, output, content: inner} = content;
	return plainText(own ?? output ?? inner);
}

/** Returns a list's objects; none for anything else. */
export function objectsOf(value: unknown): readonly JsonObject[] {
	return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** An object with these fields. */
export function fieldsOf<const Entries extends v.ObjectEntries>(entries: Entries) {
	const schema = v.object(entries);
	return v.fallback(schema, v.parse(schema, {}));
}

/** A list's objects, each with these fields. */
export function listOf<const Entries extends v.ObjectEntries>(entries: Entries) {
	const schema = v.object(entries);
	const read = v.transform((value: unknown) =>
		objectsOf(value).map((item) => v.parse(schema, item)),
	);
	return v.fallback(v.pipe(v.unknown(), read), []);
}

/** Makes an answer's parts from those having a text, and its calls. */
export function answerOf(
	texts: Readonly<Partial<Record<'reasoning' | 'text' | 'refusal', string>>>,
	calls: readonly ToolCallPart[],
): readonly AssistantPart[] {
	const {reasoning = '', text = '', refusal = ''} = texts;
	const parts = [
		{type: 'reasoning', text: reasoning},
		{type: 'text', text},
		{type: 'refusal', text: refusal},
	] as const;
	return [...parts.filter((part) => part.text !== ''), ...calls];
}

/** Makes a call's part. Its arguments become the text of a JSON object, as services require. */
export function toolCall(callId: string, name: string, given: unknown): ToolCallPart {
	return {type: 'tool-call', call: {callId, name, arguments: argumentsOf(given), isRunnable: true}};
}

function argumentsOf(given: unknown): string {
	if (isJsonObject(given)) return JSON.stringify(given);
	if (typeof given !== 'string') return '{}';
	return parseJsonObject(given) === undefined ? JSON.stringify({input: given}) : given;
}
