/**
 * Makes message parts from a server's tool results, prompts and resources. All of it is untrusted.
 */
import {Buffer} from 'node:buffer';
import type {JsonPart, MediaPart, TextPart, ToolOutputPart} from '../chat/message.ts';
import type {ToolOutput} from '../chat/tool.ts';
import {writeDataUrl} from '../data-url.ts';
import {asText, isJsonObject, type JsonValue, parseJson} from '../json.ts';
import {detectMedia} from '../media-type.ts';
import {shorten} from '../wording.ts';
import {canonicalText} from './fingerprint.ts';

const maxType = 100;

export function readToolResult(result: unknown): ToolOutput {
	const {content, structuredContent, isError} = isJsonObject(result) ? result : {};
	const parts = readBlocks(content).map(toOutputPart);
	const structured = readStructured(structuredContent, content ?? [], parts);
	const all = structured === undefined ? parts : [...parts, structured];
	const isEmpty = all.every((part) => part.type === 'text' && part.text === '');
	return {parts: isEmpty ? [text('[no output]')] : all, isError: isError === true};
}

/** Returns a prompt's messages one after the other. */
export function readPrompt(result: unknown): ReadonlyArray<TextPart | MediaPart> {
	const {messages} = isJsonObject(result) ? result : {};
	if (!Array.isArray(messages)) return [];
	return messages.flatMap((message: JsonValue) =>
		isJsonObject(message) ? readBlocks(message['content']) : [],
	);
}

export function readResource(result: unknown): ReadonlyArray<TextPart | MediaPart> {
	const {contents} = isJsonObject(result) ? result : {};
	return Array.isArray(contents) ? contents.map(readContents) : [];
}

type Part = TextPart | MediaPart;

/** A prompt has one block, a result a list. */
function readBlocks(content: JsonValue | undefined): readonly Part[] {
	if (content === undefined) return [];
	return Array.isArray(content) ? content.map(readBlock) : [readBlock(content as JsonValue)];
}

function readBlock(block: JsonValue): Part {
	const fields = isJsonObject(block) ? block : {};
	switch (fields['type']) {
		case 'text':
			return text(asText(fields['text']) ?? '');
		case 'image':
		case 'audio':
			return readMedia(fields['data'], fields['mimeType']);
		case 'resource':
			return readContents(fields['resource'] ?? null);
		case 'resource_link': {
			const {name, uri, description} = fields;
			const more = typeof description === 'string' ? `: ${description}` : '';
			return text(`[a link to ${asText(name) ?? ''}, ${asText(uri) ?? ''}${more}]`);
		}
		default:
			return text(`[${shorten(asText(fields['type']) || 'unknown content', maxType)}]`);
	}
}

function readContents(contents: JsonValue): Part {
	const fields = isJsonObject(contents) ? contents : {};
	const {uri, mimeType, blob} = fields;
	if (typeof blob !== 'string') return text(asText(fields['text']) ?? '');
	return readMedia(blob, mimeType, asText(uri) ?? '');
}

const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Trusts the bytes, not the declared type: services refuse a mismatch. */
function readMedia(
	value: JsonValue | undefined,
	mimeType: JsonValue | undefined,
	uri?: string,
): Part {
	const data = (asText(value) ?? '').replace(/\s+/g, '');
	if (!base64.test(data) || data === '') return text('[data that cannot be read]');
	const type = detectMedia(Buffer.from(data.slice(0, 16), 'base64'));
	switch (type) {
		case 'image/png':
		case 'image/jpeg':
		case 'image/gif':
		case 'image/webp':
			return {type: 'image', url: writeDataUrl({mime: type, base64: data})};
		case 'audio/wav':
			return {type: 'audio', format: 'wav', data};
		case 'audio/mpeg':
			return {type: 'audio', format: 'mp3', data};
		case 'application/pdf': {
			const name = uri?.split('/').at(-1) || 'document.pdf';
			return {type: 'document', name, url: writeDataUrl({mime: type, base64: data})};
		}
		case undefined:
			return text(nameData(asText(mimeType) ?? 'data', data, uri));
		default:
			return type satisfies never;
	}
}

/** A result has only text and images; other media are named. */
function toOutputPart(part: Part): ToolOutputPart {
	switch (part.type) {
		case 'audio':
			return text(nameData(`${part.format} audio`, part.data));
		case 'document':
			return text(nameData('PDF', part.url.slice(part.url.indexOf(',') + 1), part.name));
		default:
			return part;
	}
}

function nameData(type: string, data: string, uri = ''): string {
	const bytes = Buffer.byteLength(data, 'base64');
	return `[${type}, ${bytes} bytes${uri === '' ? '' : `: ${uri}`}]`;
}

/** Most servers repeat it as content, for clients without structured results. */
function readStructured(
	value: JsonValue | undefined,
	content: JsonValue,
	parts: readonly ToolOutputPart[],
): JsonPart | undefined {
	const bounded = value === undefined ? undefined : parseJson(toJson(value) ?? '');
	if (bounded === undefined) return undefined;
	const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
	const isRepeated = (item: JsonValue) =>
		isRepeatedIn(texts, item) || toJson(item) === toJson(content);
	// A text or a list has to be wrapped in an object with one field.
	const [wrapped = bounded, ...others] = isJsonObject(bounded) ? Object.values(bounded) : [];
	if (isRepeated(bounded) || (others.length === 0 && isRepeated(wrapped))) return undefined;
	return {type: 'json', value: withoutData(bounded, dataOf(content))};
}

function dataOf(content: JsonValue): ReadonlySet<JsonValue | undefined> {
	const blocks = [content].flat().filter(isJsonObject);
	return new Set(
		blocks.flatMap(({data, resource}) => [data, isJsonObject(resource) && resource['blob']]),
	);
}

/**
 * Drops base64 for media that stand beside the value: a picture as text is worth nothing to a
 * model.
 */
function withoutData(value: JsonValue, data: ReadonlySet<JsonValue | undefined>): JsonValue {
	if (typeof value === 'string')
		return value !== '' && data.has(value) ? '[the data above]' : value;
	if (Array.isArray(value)) return value.map((item: JsonValue) => withoutData(item, data));
	if (!isJsonObject(value)) return value;
	const entries = Object.entries(value);
	return Object.fromEntries(entries.map(([key, item]) => [key, withoutData(item, data)]));
}

/** Whether the texts together repeat a value, or each repeats an item. */
function isRepeatedIn(texts: readonly string[], value: JsonValue): boolean {
	if (isSaidBy(texts.join('\n'), value)) return true;
	if (!Array.isArray(value) || value.length !== texts.length) return false;
	return texts.every((each, index) => isSaidBy(each, value[index] as JsonValue));
}

function isSaidBy(words: string, value: JsonValue): boolean {
	return value === words || toJson(value) === toJson(parseJson(words));
}

/** Returns the text with sorted keys; undefined for what is nested too deep. */
function toJson(value: JsonValue | undefined): string | undefined {
	try {
		return canonicalText(value);
	} catch {
		return undefined;
	}
}

function text(value: string): TextPart {
	return {type: 'text', text: value};
}
