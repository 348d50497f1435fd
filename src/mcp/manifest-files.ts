/** The saved manifests, a file for each entry. Only what nobody has approved is marked as unseen. */
import {readdirSync, readFileSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import * as v from 'valibot';
import {writeUserFile} from '../files/private-files.ts';
import {fingerprintOf, shortHash} from './fingerprint.ts';
import {type Manifest, manifestSchema} from './manifest.ts';
import type {ServerEntry} from './server-entry.ts';

/** The folder of manifests; undefined if there is no place for one. */
export type ManifestFolder = string | undefined;

/** The saved offer of an entry, if it can be used. */
export type Saved =
	| {readonly state: 'approved' | 'not approved'; readonly manifest: Manifest}
	| {
			readonly state: 'not read yet' | 'entry changed' | 'damaged';
			readonly manifest?: undefined;
	  };

export function findSaved(folder: ManifestFolder, entry: ServerEntry): Saved {
	if (folder === undefined) return {state: 'not read yet'};
	try {
		const value: unknown = JSON.parse(readFileSync(manifestPath(folder, entry), 'utf8'));
		const {output: manifest, success} = v.safeParse(manifestSchema, value);
		if (!success) return {state: 'damaged'};
		return {state: manifest.isUnseen === true ? 'not approved' : 'approved', manifest};
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return {state: 'damaged'};
		const isOther = listManifests(folder, entry.name).length > 0;
		return {state: isOther ? 'entry changed' : 'not read yet'};
	}
}

/**
 * Replaces the manifest of an entry.
 *
 * @param writer a name that no other process uses at the same time
 * @throws {ChatError} `create` when it cannot be written
 */
export function writeManifest(
	folder: ManifestFolder,
	entry: ServerEntry,
	manifest: Manifest,
	writer: string,
): void {
	if (folder === undefined) return;
	writeUserFile(manifestPath(folder, entry), JSON.stringify(manifest), writer);
}

/** Deletes every manifest of a name, whatever its entry was. */
export function deleteManifests(folder: ManifestFolder, name: string): void {
	for (const path of listManifests(folder, name)) rmSync(path, {force: true});
}

function listManifests(folder: ManifestFolder, name: string): readonly string[] {
	if (folder === undefined) return [];
	try {
		const files = readdirSync(folder).filter((file) => file.startsWith(`${name}.`));
		return files.map((file) => join(folder, file));
	} catch {
		return [];
	}
}

function manifestPath(folder: string, entry: ServerEntry): string {
	return join(folder, `${entry.name}.${shortHash(fingerprintOf(entry))}.json`);
}
