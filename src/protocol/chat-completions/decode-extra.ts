/**
 * Collects everything in a reply besides text, reasoning, calls and usage: annotations, images,
 * further choices, provider fields. Stream pieces are joined; nothing else changes.
 */
import type {Notice} from '../../chat/event.ts';
import {
	asArray,
	asInteger,
	asObject,
	isEmptyValue,
	isJsonObject,
	type JsonObject,
	type JsonValue,
} from '../../json.ts';

export interface ExtraCollector {
	/** @param first the decoded choice, if the chunk has one */
	addChunk(chunk: JsonObject, first: JsonObject | undefined): void;
	/** Takes that choice's delta or message. */
	addMessage(message: JsonObject): void;
	/** Takes the first text of a further choice, which is gone then unless it has calls too. */
	takeText(): string;
	/** Returns undefined if there was nothing. */
	end(): JsonObject | undefined;
	/**
	 * Reports what text cannot show; undefined if nothing is missing.
	 *
	 * @param hasSources whether citations are shown as sources
	 */
	notice(hasSources: boolean): Notice | undefined;
}

/** Citations by services' names: OpenAI's, and those of Perplexity and others. */
const cited = {
	annotations: 'annotations',
	citations: 'citations',
	search_results: 'search results',
};

/** Named fields that a reader of the text would miss. */
const missed = {
	images: 'images',
	audio: 'audio',
	content: 'parts other than text',
	logprobs: 'probabilities',
	choices: 'further choices',
};

/** UTF-16 units of JSON to keep. */
const maxSize = 32 * 1024 * 1024;

/** Decoded elsewhere, or without a meaning. */
const chunkFields = new Set([
	...['id', 'object', 'created', 'model', 'choices', 'usage', 'error', 'obfuscation'],
]);
const choiceFields = new Set(['index', 'delta', 'message', 'finish_reason', 'usage', 'error']);
const messageFields = new Set([
	...['role', 'content', 'refusal', 'reasoning_content', 'reasoning', 'reasoning_details'],
	...['tool_calls', 'function_call'],
]);
const contentTypes: ReadonlySet<unknown> = new Set([undefined, 'text', 'thinking', 'refusal']);

/** Texts sent in pieces. Any other repeated text replaces the previous one. */
const growingFields = new Set([
	...['content', 'refusal', 'reasoning_content', 'reasoning', 'arguments', 'data', 'transcript'],
]);

type Fields = Map<string, Grown>;
type Grown = JsonValue | Fields | JsonValue[];

export function createExtraCollector(): ExtraCollector {
	const fields: Fields = new Map();
	const further = new Map<number, Fields>();
	/** Sizes of recently replaced fields. */
	const sizes = new Map<string, number>();
	let size = 0;
	let isFull = false;

	const grow = (target: Fields, name: string, value: JsonValue) => {
		if (isFull || isEmptyValue(value)) return;
		size += name.length + sizeOf(value);
		if (size > maxSize) isFull = true;
		else growField(target, name, value);
	};

	/** Chunk fields are whole each time, and some streams repeat them in every chunk. */
	const replace = (name: string, value: JsonValue) => {
		if (isFull || fields.get(name) === value || isEmptyValue(value)) return;
		size -= sizes.get(name) ?? 0;
		sizes.set(name, name.length + sizeOf(value));
		fields.delete(name);
		grow(fields, name, value);
	};

	const growAll = (source: JsonObject, known: ReadonlySet<string>) => {
		for (const [name, value] of Object.entries(source)) {
			if (!known.has(name)) grow(fields, name, value);
		}
	};

	const addFurther = (choice: JsonObject, place: number) => {
		const key = asInteger(choice['index']) ?? place;
		const known: Fields = further.get(key) ?? new Map();
		grow(known, 'index', key);
		if (known.size > 0) further.set(key, known);
		for (const [name, value] of Object.entries(choice)) {
			if (name !== 'index') grow(known, name === 'delta' ? 'message' : name, value);
		}
	};

	return {
		addChunk(chunk, first) {
			for (const [name, value] of Object.entries(chunk)) {
				if (!chunkFields.has(name)) replace(name, value);
			}
			if (first !== undefined) growAll(first, choiceFields);
			for (const [place, item] of (asArray(chunk['choices']) ?? []).entries()) {
				const choice = asObject(item);
				if (choice !== undefined && choice !== first) addFurther(choice, place);
			}
		},
		addMessage(message) {
			growAll(message, messageFields);
			const parts = asArray(message['content'])?.filter(isOtherPart);
			if (parts !== undefined) grow(fields, 'content', parts);
		},
		takeText() {
			for (const [key, choice] of further) {
				const message = choice.get('message');
				if (!(message instanceof Map)) continue;
				const text = message.get('content');
				if (typeof text !== 'string' || text.trim() === '') continue;
				if (message.has('tool_calls')) message.delete('content');
				else further.delete(key);
				return text;
			}
			return '';
		},
		end() {
			if (further.size > 0) fields.set('choices', [...further.values()].map(toObject));
			return fields.size === 0 ? undefined : toObject(fields);
		},
		notice(hasSources) {
			const code = 'not-text';
			if (isFull) return {code, message: 'the reply has too much besides text to keep it all'};
			const all = hasSources ? missed : {...cited, ...missed};
			const names = Object.entries(all).flatMap(([name, words]) =>
				fields.has(name) ? [words] : [],
			);
			const message = `the reply also has ${names.join(', ')}, which only JSON output shows`;
			return names.length === 0 ? undefined : {code, message};
		},
	};
}

/** Returns the citations among a reply's collected fields. */
export function citationsIn(fields: JsonObject = {}): readonly JsonValue[] {
	const listed = Object.keys(cited).flatMap((name) => asArray(fields[name]) ?? []);
	return listed.map((citation) => asObject(citation)?.['url_citation'] ?? citation);
}

function isOtherPart(part: JsonValue): boolean {
	const object = asObject(part);
	return object !== undefined && !contentTypes.has(object['type']);
}

function growField(target: Fields, name: string, value: JsonValue): void {
	const known = target.get(name);
	if (value === null) {
		target.set(name, known ?? null);
	} else if (isJsonObject(value)) {
		const child = known instanceof Map ? known : new Map();
		for (const [key, item] of Object.entries(value)) growField(child, key, item);
		target.set(name, child);
	} else if (typeof value === 'object') {
		const items: JsonValue[] = Array.isArray(known) ? known : [];
		for (const item of value) items.push(item);
		target.set(name, items);
	} else if (typeof value === 'string' && typeof known === 'string' && growingFields.has(name)) {
		target.set(name, known + value);
	} else {
		target.set(name, value);
	}
}

function sizeOf(value: JsonValue): number {
	return JSON.stringify(value).length;
}

function toObject(fields: Fields): JsonObject {
	return Object.fromEntries(
		[...fields].map(([name, value]) => [name, value instanceof Map ? toObject(value) : value]),
	);
}
