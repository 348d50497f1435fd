/**
 * Recognises chunks that differ from the one before only in their text, as nearly all chunks of an
 * answer do. Only the text of such a chunk is parsed.
 */
import {type JsonValue, parseJson} from '../../json.ts';

export interface ChunkTemplate {
	/** Returns the text of a chunk that differs from the template in nothing else. */
	match(json: string): string | undefined;
	/**
	 * Makes a template of a chunk.
	 *
	 * @param text its text; undefined if the chunk has more that counts again each time
	 */
	learn(json: string, text: string | undefined): void;
}

/** Larger chunks are not compared. */
const maxLength = 4096;

/** After this many templates in a row that no chunk matched, no more are made. */
const maxUnused = 16;

/** @param readText reads the text of a parsed chunk */
export function createChunkTemplate(
	readText: (chunk: JsonValue | undefined) => string | undefined,
): ChunkTemplate {
	/** The form of a chunk, and the lengths before and after its quoted text. */
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
		learn(json, text) {
			template = undefined;
			if (text === undefined || unused === maxUnused || json.length > maxLength) return;
			unused++;
			const quoted = JSON.stringify(text);
			const before = json.indexOf(quoted);
			if (before === -1) return;
			const head = json.slice(0, before);
			const tail = json.slice(before + quoted.length);
			// The same words may occur elsewhere: a probe shows whether this place has the text.
			const probe = `${text}.`;
			if (readText(parseJson(`${head}${JSON.stringify(probe)}${tail}`)) !== probe) return;
			const form = new RegExp(
				`^${escapePattern(head)}"(?:[^"\\\\]|\\\\.)*"${escapePattern(tail)}$`,
			);
			template = {form, before, after: tail.length};
		},
	};
}

function escapePattern(text: string): string {
	return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
