/** Changes the server file. Everything else in it is kept, in its order. */
import {ChatError} from '../errors.ts';
import {isJsonObject, type JsonObject} from '../json.ts';
import {parseUserJson} from '../json-error.ts';
import {readServersText} from './own-entries.ts';
import {parseWithComments, serverKeys} from './read-entries.ts';
import type {ServerEntry} from './server-entry.ts';

function editHint(path: string): string {
	return `To fix it, open ${path} in an editor.`;
}

/**
 * @throws {ChatError} `config` for an unreadable file, or one with comments, which a change would
 * lose
 */
export function checkChangeable(path: string): void {
	const text = readServersText(path) ?? '{}';
	if (!('problem' in parseUserJson(text)) || 'problem' in parseWithComments(text)) return;
	const message = `${path} has comments or trailing commas, which a change would lose`;
	throw new ChatError('config', message, {hint: editHint(path)});
}

/** @throws {ChatError} as `changeFile` does; `config` when the servers are not an object */
export async function writeEntry(path: string, name: string, value: JsonObject): Promise<void> {
	await changeServers(path, name, (servers) => ({...servers, [name]: value}));
}

/** @throws {ChatError} as `writeEntry` does */
export async function removeEntry(path: string, name: string): Promise<void> {
	await changeServers(path, name, ({[name]: _, ...others}) => others);
}

/** Changes the group containing the named server. */
async function changeServers(
	path: string,
	name: string,
	change: (servers: JsonObject) => JsonObject,
): Promise<void> {
	checkChangeable(path);
	const {changeFile} = await import('../settings/files/change-file.ts');
	await changeFile(path, editHint(path), (file) => {
		const groups = serverKeys.filter((key) => Object.hasOwn(file, key));
		const group = groups.find((key) => Object.hasOwn(Object(file[key]), name)) ?? groups[0];
		const key = group ?? serverKeys[0];
		const {[key]: servers = {}} = file;
		if (!isJsonObject(servers)) {
			throw new ChatError('config', `${key} in ${path} must be an object of servers`, {
				hint: editHint(path),
			});
		}
		return {...file, [key]: change(servers)};
	});
}

/** Returns an entry with absolute paths, which keep their meaning in another file. */
export function withPaths(value: JsonObject, {access}: ServerEntry): JsonObject {
	if (access.type === 'http') return value;
	const {argv, cwd} = access;
	return {...value, command: argv[0] ?? '', ...(cwd === undefined ? {} : {cwd})};
}
