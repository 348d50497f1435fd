/** The saved manifests, a file for each entry. Only what nobody has approved is marked as unseen. */
import {readdirSync, readFileSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {writeUserFile} from '../files/private-files.ts';
import {isJsonObject, type JsonValue} from '../json.ts';
import {fingerprintOf, shortHash} from './fingerprint.ts';
import type {Manifest} from './manifest.ts';
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
		if (!isManifest(value as JsonValue)) return {state: 'damaged'};
		const manifest = value as Manifest;
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

type Check = (value: JsonValue | undefined) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isBoolean: Check = (value) => typeof value === 'boolean';
const optional =
	(check: Check): Check =>
	(value) =>
		value === undefined || check(value);
const listOf =
	(check: Check): Check =>
	(value) =>
		Array.isArray(value) && value.every(check);
const shaped =
	(shape: Readonly<Record<string, Check>>): Check =>
	(value) =>
		isJsonObject(value) && Object.entries(shape).every(([key, check]) => check(value[key]));

const texts = {title: optional(isText), description: optional(isText)};
const resource = {name: isText, ...texts, mediaType: optional(isText)};
const argument = {
	name: isText,
	description: optional(isText),
	isRequired: isBoolean,
};

const isManifest = shaped({
	server: shaped({name: isText, version: isText}),
	instructions: optional(isText),
	isUnseen: optional(isBoolean),
	offer: shaped({
		tools: listOf(
			shaped({
				name: isText,
				...texts,
				inputSchema: isJsonObject,
				annotations: optional(isJsonObject),
			}),
		),
		prompts: listOf(shaped({name: isText, ...texts, arguments: listOf(shaped(argument))})),
		resources: listOf(shaped({...resource, uri: isText})),
		resourceTemplates: listOf(shaped({...resource, uriTemplate: isText})),
	}),
	readAt: (value) => typeof value === 'number',
});
