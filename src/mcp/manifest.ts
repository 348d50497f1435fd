/**
 * The offers approved by the user, one file per entry. `add` and `refresh` write them after a
 * question; a run reads them, and so sends tools without starting anything.
 */
import {readdirSync, readFileSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import * as v from 'valibot';
import {writeUserFile} from '../files/private-files.ts';
import {manifestsDirectory, type PathSource, requirePath} from '../settings/files/config-path.ts';
import {quoteWord} from '../wording.ts';
import {fingerprintOf} from './fingerprint.ts';
import {offerSchema} from './offer.ts';
import {ownFileName} from './own-entries.ts';
import type {ServerEntry} from './server-entry.ts';

const manifestEntries = {
	/** The server's own name and version. */
	server: v.object({name: v.string(), version: v.string()}),
	instructions: v.optional(v.string()),
	offer: offerSchema,
	/** When the offer was read: milliseconds since 1970. */
	readAt: v.number(),
};

const savedSchema = v.object({
	...manifestEntries,
	/** The entry's fingerprint: an offer is approved for that server alone. */
	fingerprint: v.string(),
});

/** A server's offer, with its self-description. */
export type Manifest = Readonly<Omit<v.InferOutput<typeof savedSchema>, 'fingerprint'>>;

/** An entry's approved offer, or why there is none. */
export type Saved = {
	/** The server's identity; undefined if a variable in the entry is not set. */
	readonly fingerprint: string | undefined;
} & (
	| {readonly state: 'approved'; readonly manifest: Manifest}
	| {readonly state: 'not approved' | 'entry changed' | 'damaged'; readonly manifest?: undefined}
);

/** The next step for a server with anything not yet approved. */
export function refreshHint({name, file}: ServerEntry): string {
	return `chat mcp refresh ${file === ownFileName ? name : quoteWord(file)} shows what it offers and asks`;
}

/** Returns why nothing in a server's offer is approved; undefined if something is. */
export function describeUnapproved(entry: ServerEntry, {state}: Saved) {
	if (state === 'approved') return undefined;
	const {name} = entry;
	const messages = {
		'not approved': `the MCP server ${name} is not approved yet`,
		'entry changed': `the entry of the MCP server ${name}, or a variable in it, has changed since it was approved`,
		damaged: `the file about the MCP server ${name} cannot be read`,
	};
	return {message: messages[state], hint: refreshHint(entry)};
}

export function findSaved(entry: ServerEntry, source: PathSource): Saved {
	const fingerprint = fingerprintOf(entry, source);
	const {own, all} = locate(entry.name, fingerprint, source);
	if (own === undefined || !all.includes(own)) {
		return {fingerprint, state: all.some(isCurrent) ? 'entry changed' : 'not approved'};
	}
	try {
		const value: unknown = JSON.parse(readFileSync(own, 'utf8'));
		const {output, success} = v.safeParse(savedSchema, value);
		if (success && output.fingerprint === fingerprint) {
			return {fingerprint, state: 'approved', manifest: output};
		}
	} catch {}
	return {fingerprint, state: 'damaged'};
}

/**
 * Saves an approved offer.
 *
 * @param writer a name used by no other process at the same time
 * @throws {ChatError} `create` if it cannot be written, or there is no folder for it
 */
export function saveManifest(
	entry: ServerEntry,
	manifest: Manifest,
	source: PathSource,
	writer: string,
): void {
	const fingerprint = fingerprintOf(entry, source);
	const {own} = locate(entry.name, fingerprint, source);
	writeUserFile(requirePath(own), JSON.stringify({...manifest, fingerprint}), writer);
}

/** Deletes all manifests with a name, whatever their entries were. */
export function deleteManifests(name: string, source: PathSource): void {
	for (const path of locate(name, undefined, source).all) rmSync(path, {force: true});
}

const prefixLength = 12;

/** Whether a file has the name of one with a fingerprint inside, which older files lack. */
function isCurrent(path: string): boolean {
	return /\.[0-9a-f]{12}\.json$/.test(path);
}

/** Returns the manifest path for an entry, and all manifest paths with its name. */
function locate(name: string, fingerprint: string | undefined, source: PathSource) {
	const folder = manifestsDirectory(source);
	if (folder === undefined) return {own: undefined, all: []};
	const prefix = fingerprint?.slice(0, prefixLength);
	return {
		own: prefix && join(folder, `${name}.${prefix}.json`),
		all: listFiles(folder)
			.filter((file) => file.startsWith(`${name}.`))
			.map((file) => join(folder, file)),
	};
}

function listFiles(folder: string): readonly string[] {
	try {
		return readdirSync(folder);
	} catch {
		return [];
	}
}
