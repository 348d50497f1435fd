/** `chat mcp remove`: forgets a server. */
import {ChatError, type ExitCode} from '../../errors.ts';
import {checkChangeable, removeEntry} from '../../mcp/change-entries.ts';
import {deleteManifests} from '../../mcp/manifest-files.ts';
import {readOwnEntries} from '../../mcp/own-entries.ts';
import {printInfo} from '../../output/print.ts';
import {credentialsPath, manifestsDirectory} from '../../settings/files/config-path.ts';
import {removeMcpLogin} from '../../settings/service/mcp-logins.ts';
import {withDialog} from './dialog.ts';
import {findOwn} from './find-server.ts';
import type {McpRun} from './mcp-verb.ts';

/** @throws {ChatError} `input` if there is no such server; `auth` without a terminal */
export async function removeServer(run: McpRun): Promise<ExitCode> {
	const {
		words: [name = ''],
		path,
		environment,
	} = run;
	const {entry} = findOwn(name, 'input', readOwnEntries(environment));
	checkChangeable(path);
	const isWanted = await withDialog(run, 'remove asks first', async ({confirm}) =>
		confirm(`Remove ${name} from ${path}?`),
	);
	if (isWanted) {
		await removeEntry(path, name);
		deleteManifests(manifestsDirectory(environment), name);
		const url = entry instanceof ChatError || entry.access.type !== 'http' ? '' : entry.access.url;
		const loginPath = credentialsPath(environment);
		if (URL.canParse(url) && loginPath !== undefined) await removeMcpLogin(loginPath, new URL(url));
	}
	printInfo(isWanted ? `removed ${name} from ${path}` : 'nothing was changed', environment);
	return 0;
}
