/** Reads cited pages, however a wire spells them. */
import type {Source} from '../../chat/source.ts';
import {asInteger, asObject, asText, type JsonValue} from '../../json.ts';

const maxSources = 1000;
const maxUrlLength = 8192;

/**
 * Returns the pages among these citations, each citation once. Addresses other than web pages are
 * left out.
 *
 * @param citations addresses, or objects with an address, perhaps a title and a place
 */
export function readCitations(citations: readonly JsonValue[]): readonly Source[] | undefined {
	const sources = new Map<string, Source>();
	for (const citation of citations) {
		const source = readSource(citation);
		if (source === undefined || sources.size === maxSources) continue;
		const key = JSON.stringify([source.url, source.start, source.end]);
		const known = sources.get(key);
		if (known?.title === undefined) sources.set(key, source);
	}
	return sources.size === 0 ? undefined : [...sources.values()];
}

function readSource(citation: JsonValue): Source | undefined {
	const {url, title, start_index, end_index} = asObject(citation) ?? {url: citation};
	const address = asText(url);
	if (address === undefined || address.length > maxUrlLength) return undefined;
	if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return undefined;
	return {
		url: address,
		title: asText(title)?.replace(/\s+/g, ' ').trim() || undefined,
		start: asInteger(start_index),
		end: asInteger(end_index),
	};
}
