/** Checks the files and folders of `chat`: whether they can be read, by whom, and are valid. */
import {accessSync, constants, type Stats, statSync} from 'node:fs';
import {userInfo} from 'node:os';
import {dirname} from 'node:path';
import type {Environment} from '../../../environment.ts';
import {ChatError} from '../../../errors.ts';
import {formatMode, isOpenToOthers} from '../../../files/private-files.ts';
import {loadKnownModels} from '../../../models/known-models.ts';
import {historyPath} from '../../../sessions/prompt-history.ts';
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
import {countMcpLogins, listStoredOrigins} from '../../../settings/service/credentials.ts';
import {formatSize, plural} from '../../../wording.ts';
import {describeWarning} from '../../hints/describe-hint.ts';
import {findSessionsFolder} from '../../run/saving/save-conversation.ts';
import type {Checkup} from './checkup.ts';
import {type Finding, fail, fileError, note, ok} from './finding.ts';

type Place = {
	readonly name: string;
	readonly type: 'file' | 'folder';
	/** Whether nobody else should read it. */
	readonly isPrivate: boolean;
	/** Whether runs write there. */
	readonly isWritten: boolean;
	find(checkup: Checkup): string | undefined;
	/**
	 * Returns a few words about what is in it.
	 *
	 * @throws when it cannot be read, or has a mistake
	 */
	read?(path: string, checkup: Checkup): Promise<string> | string;
	/** Returns what may surprise, as sentences. */
	warn?(path: string, checkup: Checkup): Promise<readonly string[]>;
};

const common = {type: 'file', isPrivate: false, isWritten: false} as const;

const places: readonly Place[] = [
	{
		...common,
		name: 'settings',
		find: ({environment}) => configPath(environment),
		read: readSettings,
		warn: warnOfSettings,
	},
	{
		...common,
		name: 'API keys',
		isPrivate: true,
		find: ({environment}) => credentialsPath(environment),
		read: readCredentials,
	},
	{
		...common,
		name: 'templates',
		type: 'folder',
		find: ({environment}) => templatesDirectory(environment),
	},
	{...common, name: 'trusted', find: ({environment}) => trustedTemplatesPath(environment)},
	{...common, name: 'MCP servers', isPrivate: true, find: ({environment}) => mcpPath(environment)},
	{...common, name: 'trusted servers', find: ({environment}) => trustedServersPath(environment)},
	{
		...common,
		name: 'offers',
		type: 'folder',
		isPrivate: true,
		isWritten: true,
		find: ({environment}) => manifestsDirectory(environment),
	},
	{
		...common,
		name: 'conversations',
		type: 'folder',
		isPrivate: true,
		isWritten: true,
		find: ({loaded, environment}) => findSessionsFolder(loaded.settings, environment),
		read: (path) => plural(listSessionFiles(path).length, 'conversation'),
	},
	{
		...common,
		name: 'prompt history',
		isPrivate: true,
		isWritten: true,
		find({loaded, environment}) {
			const folder = findSessionsFolder(loaded.settings, environment);
			return folder && historyPath(folder);
		},
		read: (path) => formatSize(findStats(path)?.size ?? 0),
	},
	{
		...common,
		name: 'model data',
		find: ({environment}) => modelsPath(environment),
		read: async (path) => (await loadKnownModels(path)).source,
	},
	{...common, name: 'model names', find: ({environment}) => offeredModelsPath(environment)},
];

export async function checkFiles(checkup: Checkup): Promise<readonly Finding[]> {
	const findings = await Promise.all(places.map((place) => checkPlace(place, checkup)));
	return findings.flat();
}

async function checkPlace(place: Place, checkup: Checkup): Promise<readonly Finding[]> {
	const {name} = place;
	const path = place.find(checkup);
	if (path === undefined) return [note(name, 'there is no home folder')];
	try {
		const stats = findStats(path);
		if (stats !== undefined) {
			checkType(place, path, stats);
			accessSync(path, constants.R_OK);
		}
		// Also if it does not exist: a link without a target is a mistake.
		const content = await place.read?.(path, checkup);
		if (stats === undefined) return [describeMissing(place, path)];
		const words = [path, describeMode(stats, checkup.environment), content].filter(Boolean);
		const warnings = (await place.warn?.(path, checkup)) ?? [];
		return [
			ok(name, words.join(', ')),
			...warnings.map((warning) => note(name, warning)),
			...findOpenings(place, path, stats, checkup.environment),
		];
	} catch (error) {
		return [await fail(name, fileError(error, path))];
	}
}

/** @throws {ChatError} `input` for a folder in place of a file, or the other way round */
function checkType({type}: Place, path: string, stats: Stats): void {
	const isRight = type === 'folder' ? stats.isDirectory() : stats.isFile();
	if (!isRight) throw new ChatError('input', `${path} is not a ${type}`);
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
	if (isFolder && (!isWritten || isAllowed(parent, constants.W_OK))) {
		return ok(name, `${path} (does not exist yet)`);
	}
	const reason = isFolder ? 'is not writable' : 'is not a folder';
	return note(name, `${path} cannot be created: ${parent} ${reason}`);
}

function findExisting(path: string): string {
	const parent = dirname(path);
	return parent === path || findStats(parent) !== undefined ? parent : findExisting(parent);
}

function isAllowed(path: string, mode: number): boolean {
	try {
		accessSync(path, mode);
		return true;
	} catch {
		return false;
	}
}

/** Returns the permissions, and the owner if that is another user. On Windows they say nothing. */
function describeMode({mode, uid}: Stats, {platform}: Environment): string {
	if (platform === 'win32') return '';
	const bits = `mode ${formatMode(mode)}`;
	const own = ownId();
	return own === undefined || own === uid ? bits : `${bits}, owned by user ${uid}`;
}

function ownId(): number | undefined {
	try {
		return userInfo().uid;
	} catch {
		// The user is unknown to the system.
		return undefined;
	}
}

function findOpenings(
	{name, type, isPrivate, isWritten}: Place,
	path: string,
	{mode}: Stats,
	{platform}: Environment,
): readonly Finding[] {
	const isOpen = isPrivate && isOpenToOthers(mode, platform);
	const closed = type === 'folder' ? '700' : '600';
	return [
		...(isOpen ? [note(name, 'other users may have access', `chmod ${closed} ${path}`)] : []),
		...(isWritten && !isAllowed(path, constants.W_OK)
			? [note(name, `${path} is not writable, so nothing is saved`)]
			: []),
	];
}

function readCredentials(path: string): string {
	const keys = plural(listStoredOrigins(path).length, 'key');
	const logins = countMcpLogins(path);
	return logins === 0 ? keys : `${keys}, ${plural(logins, 'login')} to MCP servers`;
}

function readSettings(path: string, {environment}: Checkup): string {
	const {problem, profiles} = readConfig(path, environment.platform);
	if (problem !== undefined) throw new ChatError('input', problem);
	checkConfig(path, environment.platform);
	return plural(Object.keys(profiles).length, 'profile');
}

async function warnOfSettings(path: string, {environment}: Checkup): Promise<readonly string[]> {
	const {warning} = readConfig(path, environment.platform);
	const unknown = await Promise.all(checkConfig(path, environment.platform).map(describeWarning));
	return [...(warning === undefined ? [] : [warning]), ...unknown];
}
