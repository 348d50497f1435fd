/** `chat mcp remove`: forgets a server. */
import type {Environment} from '../../../environment.ts';
import {ChatError, type ExitCode} from '../../../errors.ts';
import {checkChangeable, removeEntry} from '../../../mcp/change-entries.ts';
import {findMissing} from '../../../mcp/fill-variables.ts';
import {deleteManifests} from '../../../mcp/manifest-files.ts';
import {readOwnEntries} from '../../../mcp/own-entries.ts';
import type {ServerEntry} from '../../../mcp/server-entry.ts';
import {printInfo} from '../../../output/print.ts';
import {manifestsDirectory} from '../../../settings/files/config-path.ts';
import {confirm} from '../../ask.ts';
import {findOwn} from '../../run/tools/find-server.ts';
import {removeLogin} from './logout.ts';
import {type McpRun, policyOf} from './mcp-verb.ts';

/** @throws {ChatError} `input` if there is no such server; `auth` without a terminal */
export async function removeServer(run: McpRun): Promise<ExitCode> {
	const {
		words: [name = ''],
		path,
		environment,
	} = run;
	const {entry} = findOwn(name, 'input', readOwnEntries(environment));
	checkChangeable(path);
	const question = `Remove ${name} from ${path}?`;
	const isWanted = await confirm(question, policyOf('remove', run), environment);
	if (isWanted) {
		await removeEntry(path, name);
		deleteManifests(manifestsDirectory(environment), name);
		if (mayHaveLogin(entry, environment)) await removeLogin(entry, environment);
	}
	printInfo(isWanted ? `removed ${name} from ${path}` : 'nothing was changed', environment);
	return 0;
}

/** Whether there can be a login, under an address that is known. */
function mayHaveLogin(
	entry: ServerEntry | ChatError,
	environment: Environment,
): entry is ServerEntry {
	if (entry instanceof ChatError || entry.access.type !== 'http') return false;
	return findMissing(entry, environment).length === 0;
}
