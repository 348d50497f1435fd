/**
 * Recognises chunks that differ from the one before in their text alone, as nearly all chunks of an
 * answer do on most services. Only the text of such a chunk is parsed.
 */
import {type JsonValue, parseJson} from '../../json.ts';

export interface ChunkTemplate {
	/** The text of a chunk that differs from the template in nothing else; undefined for any other. */
	match(json: string): string | undefined;
	/**
	 * Makes a template of a chunk.
	 *
	 * @param text its text; undefined if the chunk brings anything else that counts again each time
	 */
	learn(json: string, text: string | undefined): void;
}

/** Larger chunks are not compared. */
const maxLength = 4096;

/** Templates in a row that no chunk matched, after which a service is known to vary its chunks. */
const maxUnused = 16;

/** @param readText the text of a parsed chunk */
export function createChunkTemplate(
	readText: (chunk: JsonValue | undefined) => string | undefined,
): ChunkTemplate {
	/** What precedes and follows the text; empty without a template. */
	let head = '';
	let tail = '';
	let unused = 0;

	return {
		match(json) {
			if (head === '' || !json.startsWith(head) || !json.endsWith(tail)) return undefined;
			const end = json.length - tail.length;
			if (end < head.length) return undefined;
			const text = parseJson(`"${json.slice(head.length, end)}"`);
			if (typeof text !== 'string') return undefined;
			unused = 0;
			return text;
		},
		learn(json, text) {
			head = '';
			if (text === undefined || unused === maxUnused || json.length > maxLength) return;
			unused++;
			const quoted = JSON.stringify(text);
			const place = json.indexOf(quoted);
			if (place === -1) return;
			const start = json.slice(0, place + 1);
			tail = json.slice(place + quoted.length - 1);
			// The same words may occur elsewhere: a probe shows whether this place holds the text.
			const probe = `${text}.`;
			const probed = `${start}${JSON.stringify(probe).slice(1, -1)}${tail}`;
			if (readText(parseJson(probed)) === probe) head = start;
		},
	};
}
