/**
 * An answer as a JSON object: of the schema or the keys that the request names, else of fields of
 * its own. What it holds depends on the prompt.
 */

import {isJsonObject, type JsonObject, type JsonValue, parseJson} from '../../json.ts';
import {fieldOf} from '../json.ts';
import {findHints} from '../tools/hints.ts';
import {makeValue} from '../tools/make-value.ts';
import type {Prompt} from './prompt.ts';
import type {Answer} from './rule.ts';
import {clip, countWords} from './text.ts';

const maxKeys = 50;
const maxScannedLength = 100_000;

const keysPattern =
	/\b(?:keys?|fields?|properties|property|attributes?)\b(?: (?:named|called|are|is|of|like))?:?\s+([^.?!\n]{1,500})/i;
const keyPattern = /["'`“]([^"'`”\n]{1,60})["'`”]|\b([A-Za-z_]\w{0,59})\b/g;
const fillWords = new Set(
	'and or the a an with called named of only exactly as its for'.split(' '),
);

/** @returns The text of a JSON object, or of any value that fits the schema of the request. */
export function answerInJson(prompt: Prompt, rule: string, answer: Answer): string {
	const {responseSchema} = prompt.request;
	if (responseSchema !== undefined) {
		return JSON.stringify(makeValue(responseSchema, findHints(prompt)));
	}
	const found = findSchema(`${prompt.system}\n${prompt.whole}`);
	if (found !== undefined) {
		// The words of the schema itself are no values for it.
		const question = prompt.question.replace(found.source, '');
		return JSON.stringify(makeValue(found.schema, findHints({...prompt, question})));
	}
	const keys = findKeys(prompt);
	if (keys.length > 0) return JSON.stringify(fillKeys(keys, prompt, answer));
	return JSON.stringify({
		answer: answer.essence ?? answer.text,
		text: answer.text,
		rule,
		prompt: clip(prompt.instruction, 500),
		words: countWords(prompt.instruction),
	});
}

type FoundSchema = {readonly schema: JsonObject; readonly source: string};

/** A JSON Schema of an object that stands in a text, as clients without a better way send it. */
function findSchema(text: string): FoundSchema | undefined {
	const scanned = text.slice(0, maxScannedLength);
	const end = scanned.lastIndexOf('}');
	let attempts = 0;
	for (
		let start = scanned.indexOf('{');
		start >= 0 && start < end && attempts < 20;
		attempts += 1
	) {
		const source = objectAt(scanned, start);
		const schema = unwrapSchema(parseJson(source));
		if (schema !== undefined) return {schema, source};
		start = scanned.indexOf('{', start + 1);
	}
	return undefined;
}

function unwrapSchema(value: JsonValue | undefined): JsonObject | undefined {
	if (!isJsonObject(value)) return undefined;
	const inner = fieldOf(value, 'schema');
	if (isJsonObject(inner)) return unwrapSchema(inner);
	return isJsonObject(fieldOf(value, 'properties')) ? value : undefined;
}

/** From the brace at `start` to the one that matches it outside strings; empty if none does. */
function objectAt(text: string, start: number): string {
	let depth = 0;
	for (let at = start; at < text.length; at += 1) {
		const character = text[at];
		if (character === '"') at = endOfString(text, at);
		else if (character === '{') depth += 1;
		else if (character === '}') depth -= 1;
		if (depth > 100) return '';
		if (depth === 0) return text.slice(start, at + 1);
	}
	return '';
}

function endOfString(text: string, start: number): number {
	let at = start + 1;
	while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
	return at;
}

function findKeys({question, system}: Prompt): readonly string[] {
	const listed = keysPattern.exec(question) ?? keysPattern.exec(clip(system, 5_000));
	if (listed === null) return [];
	const list = listed[1] ?? '';
	const isQuoted = /["'`“]/.test(list);
	const keys = [...list.matchAll(keyPattern)]
		.map(([, quoted, bare]) => quoted ?? (isQuoted ? undefined : bare))
		.filter((key) => key !== undefined && !fillWords.has(key.toLowerCase()));
	return [...new Set(keys.filter((key) => key !== undefined))].slice(0, maxKeys);
}

const numberKeyPattern =
	/^(?:age|year|count|number|total|price|amount|quantity|score|rating|size|length|width|height|id|n)$|_(?:count|id|number)$/i;
const listKeyPattern = /^(?:tags|items|list|names|keywords|steps|results|words|ingredients)$/i;
const flagKeyPattern = /^(?:is|has|can)[_A-Z]|^(?:done|active|enabled|ok|valid|true)$/;

/** What a key alone says about its value. */
function guessSchema(key: string): JsonObject {
	if (numberKeyPattern.test(key)) return {type: 'integer', minimum: 1};
	if (listKeyPattern.test(key)) return {type: 'array', items: {type: 'string'}, minItems: 2};
	return {type: flagKeyPattern.test(key) ? 'boolean' : 'string'};
}

function fillKeys(keys: readonly string[], prompt: Prompt, answer: Answer): JsonObject {
	const hints = findHints(prompt);
	const pairs = keys.map((key): [string, JsonValue] => {
		if (/^(?:answer|result|value|response|output)$/i.test(key)) {
			return [key, answer.essence ?? answer.text];
		}
		return [key, makeValue(guessSchema(key), hints, key)];
	});
	return Object.fromEntries(pairs);
}
