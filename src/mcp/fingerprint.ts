/** Texts and hashes by which entries and definitions are compared. */
import {createHash} from 'node:crypto';
import {isJsonObject} from '../json.ts';
import type {ServerEntry} from './server-entry.ts';

/** Returns a hash of everything that decides which server answers; no variable is filled in. */
export function fingerprintOf({name, access, versionNegotiation}: ServerEntry): string {
	return digest({name, access, versionNegotiation});
}

/** Returns the SHA-256 of `canonicalText`, in hexadecimal. */
export function digest(value: unknown): string {
	return createHash('sha256').update(canonicalText(value)).digest('hex');
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
