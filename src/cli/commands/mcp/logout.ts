/** `chat mcp logout`: forgets the login to a server. */
import type {Environment} from '../../../environment.ts';
import type {ExitCode} from '../../../errors.ts';
import type {ServerEntry} from '../../../mcp/server-entry.ts';
import {printInfo} from '../../../output/print.ts';
import {credentialsPath, requirePath} from '../../../settings/files/config-path.ts';
import {removeMcpLogin} from '../../../settings/service/credentials.ts';
import {fillHttpEntry, findServer} from '../../run/tools/find-server.ts';
import type {McpRun} from './mcp-verb.ts';

/** @throws {ChatError} as `findServer` and `removeLogin` do */
export async function logOutOfServer({words, environment}: McpRun): Promise<ExitCode> {
	const entry = findServer(words[0] ?? '', environment);
	const wasThere = await removeLogin(entry, environment);
	const done = wasThere ? 'logged out of' : 'there is no login to';
	printInfo(`${done} ${entry.name}`, environment);
	return 0;
}

/**
 * Returns whether there was a login.
 *
 * @throws {ChatError} as `fillHttpEntry` does; `create` when the file cannot be written
 */
export async function removeLogin(entry: ServerEntry, environment: Environment): Promise<boolean> {
	const {access} = fillHttpEntry(entry, environment);
	return await removeMcpLogin(requirePath(credentialsPath(environment)), new URL(access.url));
}
