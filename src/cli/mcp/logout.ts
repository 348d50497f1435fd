/** `chat mcp logout`: forgets the login to a server. */
import type {ExitCode} from '../../errors.ts';
import {printInfo} from '../../output/print.ts';
import {credentialsPath, requirePath} from '../../settings/files/config-path.ts';
import {removeMcpLogin} from '../../settings/service/mcp-logins.ts';
import {findHttpServer} from './find-server.ts';
import type {McpRun} from './mcp-verb.ts';

/** @throws {ChatError} as `findHttpServer` and `changeFile` do */
export async function logOutOfServer({words, environment}: McpRun): Promise<ExitCode> {
	const {name, access} = findHttpServer(words[0] ?? '', environment);
	const path = requirePath(credentialsPath(environment));
	const wasStored = await removeMcpLogin(path, new URL(access.url));
	const done = `the login to ${name} is deleted from ${path}`;
	printInfo(wasStored ? done : `there is no login to ${name}`, environment);
	return 0;
}
