/**
 * Recognises chunks that differ from the previous one in their text only, as nearly all chunks in
 * an answer do. Only the text is parsed then.
 */
import {
	asArray,
	asObject,
	asText,
	isEmptyValue,
	type JsonObject,
	type JsonValue,
	parseJson,
} from '../../json.ts';

export interface ChunkTemplate {
	/** Returns the chunk's text if nothing else differs from the template. */
	match(json: string): string | undefined;
	/**
	 * Makes a template from a chunk, unless the chunk carries anything besides text that counts
	 * each time.
	 */
	learn(json: string, chunk: JsonValue): void;
}

/** Larger chunks are not compared. */
const maxLength = 4096;

/** After this many unused templates in a row, no more are made. */
const maxUnused = 16;

export function createChunkTemplate(): ChunkTemplate {
	/** A chunk's form, and the lengths before and after its quoted text. */
	let template:
		| {readonly form: RegExp; readonly before: number; readonly after: number}
		| undefined;
	let unused = 0;

	return {
		match(json) {
			// The code for a pattern compares far faster than `startsWith`.
			if (template === undefined || json.length > maxLength || !template.form.test(json))
				return undefined;
			unused = 0;
			const text = parseJson(json.slice(template.before, json.length - template.after));
			return typeof text === 'string' ? text : undefined;
		},
		learn(json, chunk) {
			template = undefined;
			if (unused === maxUnused || json.length > maxLength) return;
			const text = plainTextOf(chunk);
			if (text === undefined) return;
			unused++;
			const quoted = JSON.stringify(text);
			const before = json.indexOf(quoted);
			if (before === -1) return;
			const head = json.slice(0, before);
			const tail = json.slice(before + quoted.length);
			// The same words may occur elsewhere: a probe shows whether this place has the text.
			const probe = `${text}.`;
			if (plainTextOf(parseJson(`${head}${JSON.stringify(probe)}${tail}`)) !== probe) return;
			const form = new RegExp(
				`^${escapePattern(head)}"(?:[^"\\\\]|\\\\.)*"${escapePattern(tail)}$`,
			);
			template = {form, before, after: tail.length};
		},
	};
}

/** Returns the text, if the chunk's only choice has nothing else; otherwise undefined. */
function plainTextOf(chunk: JsonValue | undefined): string | undefined {
	const choices = asArray(asObject(chunk)?.['choices']);
	const choice = choices?.length === 1 ? asObject(choices[0]) : undefined;
	const delta = asObject(choice?.['delta']);
	if (choice === undefined || delta === undefined || (choice['index'] ?? 0) !== 0) return undefined;
	if (hasMore(choice, choiceFields)) return undefined;
	return hasMore(delta, deltaFields) ? undefined : asText(delta['content']);
}

const choiceFields: ReadonlySet<string> = new Set(['index', 'delta', 'finish_reason']);
const deltaFields: ReadonlySet<string> = new Set(['role', 'content']);

function hasMore(object: JsonObject, known: ReadonlySet<string>): boolean {
	return Object.entries(object).some(([name, value]) => !known.has(name) && !isEmptyValue(value));
}

function escapePattern(text: string): string {
	return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
