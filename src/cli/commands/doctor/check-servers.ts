/** Checks the MCP servers: their entries, and what they need. Only `--online` starts one. */
import {resolve} from 'node:path';
import type {Environment} from '../../../environment.ts';
import {ChatError} from '../../../errors.ts';
import {isTrusted, readTrust} from '../../../files/trust.ts';
import {shortAccess} from '../../../mcp/describe-entry.ts';
import {fillVariables, findPlainSecrets} from '../../../mcp/fill-variables.ts';
import {describeUnapproved, findSaved} from '../../../mcp/manifest.ts';
import {readOwnEntries} from '../../../mcp/own-entries.ts';
import {findProgramProblem} from '../../../mcp/program-problem.ts';
import type {ReadEntry} from '../../../mcp/read-entries.ts';
import type {ServerEntry} from '../../../mcp/server-entry.ts';
import {trustedServersPath} from '../../../settings/files/config-path.ts';
import {isServersPath} from '../../../settings/options/parsers.ts';
import {describeAge, plural, quoteWord} from '../../../wording.ts';
import {findOwn} from '../../run/tools/find-server.ts';
import {readOffer} from '../../run/tools/read-offer.ts';
import {attempt, type Checkup, type Finding, type Findings, fail, note, ok} from './checkup.ts';

export async function checkServers(checkup: Checkup): Promise<Findings> {
	const {loaded, environment} = checkup;
	const {mcp} = loaded.settings;
	const own = readOwnEntries(environment);
	const names = mcp.filter((text) => !isServersPath(text));
	const files = mcp.filter(isServersPath).map((path) => checkFile(path, environment));
	const unknown = names.map((name) =>
		attempt(name, checkup, () => {
			findOwn(name, 'config', own);
			return [];
		}),
	);
	const findings = await Promise.all([
		...own.map((read) => checkServer(read, names.includes(read.name), checkup)),
		...files,
		...unknown,
	]);
	return own.length + mcp.length === 0 ? ok('servers', 'none') : findings.flat();
}

/** Server files may come from other people, so the doctor doesn't open them. */
async function checkFile(path: string, environment: Environment): Promise<readonly Finding[]> {
	const file = resolve(environment.cwd, path);
	if (isTrusted(file, readTrust(trustedServersPath(environment)))) return [ok('file', path)];
	const next = `chat --mcp ${quoteWord(path)}`;
	return [note('file', `${path} has changed, or you have not agreed to its servers yet`, next)];
}

async function checkServer(
	{name, entry, ignoredKeys}: ReadEntry,
	isUsed: boolean,
	checkup: Checkup,
): Promise<readonly Finding[]> {
	if (entry instanceof ChatError) return [fail(name, entry)];
	const states = await attempt(name, checkup, () => {
		const problem = findProblem(entry, checkup.environment);
		if (problem === undefined) return checkState(entry, isUsed, checkup);
		return isUsed ? fail(name, problem) : note(name, problem.message);
	});
	const group = entry.access.type === 'http' ? 'headers' : 'env';
	const secrets = findPlainSecrets(entry).map((key) =>
		note(
			name,
			`${group}.${key} has a secret as it is`,
			'Write ${NAME} in its place, and set that variable.',
		),
	);
	const keys = ignoredKeys.length === 0 ? [] : [note(name, `ignoring ${ignoredKeys.join(', ')}`)];
	return [...states, ...secrets, ...keys];
}

/** Returns why the server cannot be started. */
function findProblem(entry: ServerEntry, environment: Environment): ChatError | undefined {
	try {
		const {access} = fillVariables(entry, environment);
		const problem = access.type === 'http' ? undefined : findProgramProblem(access, environment);
		if (problem === undefined) return undefined;
		return new ChatError('unavailable', `its command ${problem}`);
	} catch (error) {
		if (error instanceof ChatError) return error;
		throw error;
	}
}

async function checkState(
	entry: ServerEntry,
	isUsed: boolean,
	{environment, isOnline, loaded, signal}: Checkup,
): Promise<Finding> {
	const {name} = entry;
	const describe = (known: string) =>
		ok(name, [shortAccess(entry), known, ...(isUsed ? ['used by default'] : [])].join(', '));
	const {settings} = loaded;
	const startedAt = environment.now();
	const read =
		isOnline && isUsed ? await readOffer(entry, {settings, environment}, {signal}) : undefined;
	const saved = findSaved(entry, environment);
	const reason = describeUnapproved(entry, saved);
	if (reason !== undefined && (isUsed || saved.state !== 'not approved')) {
		return note(name, reason.message, `chat mcp refresh ${name}`);
	}
	if (saved.manifest === undefined) return describe(saved.state);
	const {offer, readAt} = read?.manifest ?? saved.manifest;
	const elapsed = Math.round(environment.now() - startedAt);
	const when =
		read === undefined ? `, read ${describeAge(environment.date() - readAt)}` : ` (${elapsed} ms)`;
	return describe(plural(offer.tools.length, 'tool') + when);
}
