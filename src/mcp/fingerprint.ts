/** Texts by which entries and definitions are compared. */
import {isJsonObject} from '../json.ts';
import type {ServerEntry} from './server-entry.ts';

/** Returns everything that decides which server answers; no variable is filled in. */
export function fingerprintOf({name, access}: ServerEntry): string {
	return canonicalText({name, access});
}

/** Returns the value as JSON, the same for any order of its keys: many servers have none. */
export function canonicalText(value: unknown): string {
	return JSON.stringify(value, (_key, item: unknown) =>
		isJsonObject(item) ? Object.fromEntries(Object.entries(item).sort(byKey)) : item,
	);
}

function byKey([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
	return one < other ? -1 : 1;
}

/**
 * Returns 16 hexadecimal digits that differ for texts that were not made to have the same: no approval
 * may depend on them. The hashes of Node take 5 ms to load, in every run with a server.
 */
export function shortHash(text: string): string {
	// FNV-1a, with two primes.
	let [one, other] = [0x811c9dc5, 0x811c9dc5];
	for (let place = 0; place < text.length; place++) {
		const unit = text.charCodeAt(place);
		one = Math.imul(one ^ unit, 0x01000193);
		other = Math.imul(other ^ unit, 0x5bd1e995);
	}
	return [one, other].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}
