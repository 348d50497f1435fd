/** Checks whether chat's files and folders are readable, private and valid. */
import {accessSync, constants, type Stats, statSync} from 'node:fs';
import {dirname} from 'node:path';
import type {Environment} from '../../../environment.ts';
import {ChatError} from '../../../errors.ts';
import {isOpenToOthers} from '../../../files/private-files.ts';
import {loadKnownModels} from '../../../models/known-models.ts';
import {listSessionFiles} from '../../../sessions/session-files.ts';
import {readConfig} from '../../../settings/files/config-file.ts';
import {
	configPath,
	credentialsPath,
	manifestsDirectory,
	mcpPath,
	modelsPath,
	offeredModelsPath,
	templatesDirectory,
	trustedServersPath,
	trustedTemplatesPath,
} from '../../../settings/files/config-path.ts';
import {checkConfig} from '../../../settings/options/load-settings.ts';
import type {Settings} from '../../../settings/options/settings.ts';
import {describeWarning} from '../../../settings/options/unknown-keys.ts';
import {countMcpLogins, listStoredOrigins} from '../../../settings/service/credentials.ts';
import {plural} from '../../../wording.ts';
import {findSessionsFolder} from '../../run/saving/save-conversation.ts';
import {type Checkup, type Finding, fail, note, ok} from './checkup.ts';

type Content = string | readonly string[];

type Place = {
	readonly name: string;
	/** A file by default. */
	readonly isFolder?: true;
	/** Whether only its owner should have access. */
	readonly isPrivate?: true;
	/** Whether runs write there. */
	readonly isWritten?: true;
	find(environment: Environment, settings: Settings): string | undefined;
	/**
	 * Returns a short summary, and sentences about surprises.
	 *
	 * @throws if the file is unreadable or contains a mistake
	 */
	read?(path: string, environment: Environment): Content | Promise<Content>;
};

const state = {isPrivate: true, isWritten: true} as const;

const places: readonly Place[] = [
	{name: 'settings', find: configPath, read: readSettings},
	{name: 'API keys', isPrivate: true, find: credentialsPath, read: readCredentials},
	{name: 'templates', isFolder: true, find: templatesDirectory},
	{name: 'trusted', find: trustedTemplatesPath},
	{name: 'MCP servers', isPrivate: true, find: mcpPath},
	{name: 'trusted servers', find: trustedServersPath},
	{name: 'offers', isFolder: true, ...state, find: manifestsDirectory},
	{
		name: 'conversations',
		isFolder: true,
		...state,
		find: (environment, settings) => findSessionsFolder(settings, environment),
		read: (path) => plural(listSessionFiles(path).length, 'conversation'),
	},
	{
		name: 'model data',
		find: modelsPath,
		read: async (path) => (await loadKnownModels(path)).source,
	},
	{name: 'model names', find: offeredModelsPath},
];

export async function checkFiles(checkup: Checkup): Promise<readonly Finding[]> {
	const findings = await Promise.all(places.map((place) => checkPlace(place, checkup)));
	return findings.flat();
}

async function checkPlace(
	place: Place,
	{environment, loaded}: Checkup,
): Promise<readonly Finding[]> {
	const {name, isFolder, isPrivate, isWritten} = place;
	const path = place.find(environment, loaded.settings);
	if (path === undefined) return [note(name, 'there is no home folder')];
	try {
		const stats = findStats(path);
		if (stats !== undefined) checkReadable(place, path, stats);
		// A missing file is read too: a dangling link is a mistake.
		const [content, ...warnings] = [(await place.read?.(path, environment)) ?? []].flat();
		if (stats === undefined) return [describeMissing(place, path)];
		const isOpen = isPrivate && isOpenToOthers(stats.mode, environment.platform);
		const close = `chmod ${isFolder ? '700' : '600'} ${path}`;
		const isLocked = isWritten && !isWritable(path);
		return [
			ok(name, content === undefined ? path : `${path}, ${content}`),
			...warnings.map((warning) => note(name, warning)),
			...(isOpen ? [note(name, 'other users may have access', close)] : []),
			...(isLocked ? [note(name, `${path} is not writable, so nothing is saved`)] : []),
		];
	} catch (error) {
		return [fail(name, fileError(error, path))];
	}
}

/** @throws if it is unreadable, or a folder instead of a file, or the reverse */
function checkReadable({isFolder}: Place, path: string, stats: Stats): void {
	const isRight = isFolder ? stats.isDirectory() : stats.isFile();
	if (!isRight) throw new ChatError('input', `${path} is not a ${isFolder ? 'folder' : 'file'}`);
	accessSync(path, constants.R_OK);
}

function findStats(path: string): Stats | undefined {
	try {
		return statSync(path);
	} catch (error) {
		const {code = ''} = error as NodeJS.ErrnoException;
		if (['ENOENT', 'ENOTDIR'].includes(code)) return undefined;
		throw error;
	}
}

function describeMissing({name, isWritten}: Place, path: string): Finding {
	const parent = findExisting(path);
	const isFolder = statSync(parent).isDirectory();
	if (isFolder && (!isWritten || isWritable(parent))) {
		return ok(name, `${path} (does not exist yet)`);
	}
	const reason = isFolder ? 'is not writable' : 'is not a folder';
	return note(name, `${path} cannot be created: ${parent} ${reason}`);
}

function findExisting(path: string): string {
	const parent = dirname(path);
	return parent === path || findStats(parent) !== undefined ? parent : findExisting(parent);
}

function isWritable(path: string): boolean {
	try {
		accessSync(path, constants.W_OK);
		return true;
	} catch {
		return false;
	}
}

function fileError(cause: unknown, path: string): ChatError {
	if (cause instanceof ChatError) return cause;
	const {code, message} = cause as NodeJS.ErrnoException;
	const text = code === undefined ? message : `cannot read ${path} (${code})`;
	return new ChatError('input', text, {cause});
}

function readCredentials(path: string): string {
	const keys = plural(listStoredOrigins(path).length, 'key');
	const logins = countMcpLogins(path);
	return logins === 0 ? keys : `${keys}, ${plural(logins, 'login')} to MCP servers`;
}

async function readSettings(path: string, {platform}: Environment): Promise<Content> {
	const {problem, profiles, warning = []} = readConfig(path, platform);
	if (problem !== undefined) throw new ChatError('input', problem);
	const unknown = checkConfig(path, platform).map(describeWarning);
	return [plural(Object.keys(profiles).length, 'profile'), ...[warning].flat(), ...unknown];
}
