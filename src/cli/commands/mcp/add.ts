/** `chat mcp add` and `remove`: write the entry shown to the user, and delete one. */

import {existsSync} from 'node:fs';
import {isAbsolute, resolve} from 'node:path';
import type {Environment} from '../../../environment.ts';
import {ChatError, type ExitCode} from '../../../errors.ts';
import type {JsonObject} from '../../../json.ts';
import {checkChangeable, removeEntry, withPaths, writeEntry} from '../../../mcp/change-entries.ts';
import {findMissing, findPlainSecrets} from '../../../mcp/fill-variables.ts';
import {deleteManifests, type Manifest, saveManifest} from '../../../mcp/manifest.ts';
import {readOwnEntries} from '../../../mcp/own-entries.ts';
import {isServerName, readEntry, suggestName} from '../../../mcp/read-entries.ts';
import type {ServerEntry} from '../../../mcp/server-entry.ts';
import {printInfo} from '../../../output/print.ts';
import {plural} from '../../../wording.ts';
import {ask, confirm, type Dialog} from '../../ask.ts';
import {findOwn} from '../../run/tools/find-server.ts';
import {showEntry} from '../../run/tools/show-entry.ts';
import {readWithLogin, removeLogin} from './login.ts';
import {type McpRun, policyOf} from './mcp-verb.ts';
import {describeNews} from './refresh.ts';
import {summarizeOffer} from './show.ts';

/**
 * @throws {ChatError} `usage` for words making no entry; `auth` without a terminal; as `readOffer`
 * does
 */
export async function addServer(run: McpRun): Promise<ExitCode> {
	const {path, environment} = run;
	const {value, entry} = makeEntry(run);
	const {name} = entry;
	// A mistake in the file is reported before any question.
	checkChangeable(path);
	const isKnown = readOwnEntries(environment).some((server) => server.name === name);
	for (const warning of findWarnings(entry, run)) printInfo(warning, environment);
	const manifest = await ask(policyOf('add', run), environment, async (dialog) => {
		if (isKnown && !(await dialog.confirm(`There is a server ${name}. Replace it?`))) return;
		return await tryServer(entry, value, run, dialog);
	});
	if (manifest === undefined) {
		printInfo('nothing was changed', environment);
		return 0;
	}
	saveManifest(entry, manifest, environment, environment.createId());
	printInfo(`added ${name} to ${path}`, environment);
	printInfo(`try it: chat --mcp ${name} "What can you do?"`, environment);
	return 0;
}

/** Writes the entry and returns the server's offer; undefined if the user declines. */
async function tryServer(
	entry: ServerEntry,
	value: JsonObject,
	run: McpRun,
	dialog: Dialog,
): Promise<Manifest | undefined> {
	const {say, confirm} = dialog;
	const {name, access} = entry;
	const [verb, going] =
		access.type === 'program' ? ['Start', 'starting'] : ['Connect to', 'connecting to'];
	for (const line of showEntry(entry, run.environment, false)) await say(line);
	if (!(await confirm(`${verb} ${name} to see what it offers?`))) return undefined;
	await say(`${going} ${name}…`);
	return await readWithLogin(entry, run, dialog, async (manifest) => {
		for (const line of describeNews(manifest)) await say(line);
		await say(summarizeOffer(manifest));
		const isWanted = await confirm(`Add ${name}? Every tool call still asks.`);
		if (isWanted) await writeEntry(run.path, name, value);
		return isWanted;
	});
}

/** @throws {ChatError} `usage` for words and values making no entry */
function makeEntry(run: McpRun) {
	const {flags, environment} = run;
	const [name = ''] = run.words;
	if (!isServerName(name)) {
		const message = `"${name}" is not the name of a server, which has 1 to 24 of a-z, 0-9 and -`;
		throw usage(message, `For example: ${suggestName(name)}`);
	}
	const value = flags.url === undefined ? makeProgram(run) : makeHttp(flags.url, run);
	const file = {name: 'mcp add', directory: environment.cwd};
	const {entry} = readEntry(name, value, file);
	if (entry instanceof ChatError) throw new ChatError('usage', entry.message);
	return {value: withPaths(value, entry), entry};
}

function makeHttp(url: string, {words, program, flags}: McpRun): JsonObject {
	const {env, cwd, header} = flags;
	if (program.length > 0) throw usage('mcp add takes a program or --url, not both', waysOf(words));
	if (env.length > 0) throw usage('--env is for programs', 'With --url, write a --header.');
	if (cwd !== undefined) throw usage('--cwd is for programs', 'With --url, leave it out.');
	const headers = Object.fromEntries(header.map(({name, value}) => [name, value]));
	const {clientId, clientSecret, scope, callbackPort} = flags;
	const auth = {
		...(clientId !== undefined && {clientId}),
		...(clientSecret !== undefined && {clientSecret}),
		...(scope.length > 0 && {scopes: [...scope]}),
		...(callbackPort !== undefined && {callbackPort}),
	};
	return {
		type: 'http',
		url,
		...(header.length > 0 && {headers}),
		...(Object.keys(auth).length > 0 && {auth}),
	};
}

function makeProgram({words, program, flags, environment}: McpRun): JsonObject {
	const [command, ...args] = program;
	const {env, cwd, header} = flags;
	if (command === undefined) throw usage('mcp add needs a program or a URL', waysOf(words));
	if (header.length > 0) throw usage('--header is for --url', 'For a program, write --env.');
	const {clientId, clientSecret, scope, callbackPort} = flags;
	if ((clientId ?? clientSecret ?? scope[0] ?? callbackPort) !== undefined) {
		throw usage('a login is for --url', 'For a program, leave its flags out.');
	}
	const variables = Object.fromEntries(env.map(readVariable).map(({name, value}) => [name, value]));
	return {
		command,
		...(args.length > 0 && {args}),
		...(env.length > 0 && {env: variables}),
		...(cwd !== undefined && {cwd: resolve(environment.cwd, cwd)}),
	};
}

function waysOf([name = '']: readonly string[]): string {
	return `Write: chat mcp add ${name} -- npx -y <package>, or chat mcp add ${name} --url <url>`;
}

/** `NAME` alone takes its value from each run's environment. */
function readVariable(text: string): {readonly name: string; readonly value: string} {
	const [, name = '', value] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
	if (/^[A-Za-z_]\w*$/.test(name)) return {name, value: value ?? `\${${name}}`};
	throw usage(`--env needs the name of a variable, not "${name}"`, 'Write: --env NAME');
}

function usage(message: string, words: string): ChatError {
	return new ChatError('usage', message, {hint: words});
}

/** Returns sentences about what may surprise the user. */
function findWarnings(entry: ServerEntry, {program, flags, environment}: McpRun) {
	const {cwd, homedir} = environment;
	const paths = program.slice(1).filter((text) => {
		const isHere = text.includes('/') && !isAbsolute(text) && existsSync(resolve(cwd, text));
		return isHere || /^\.{1,2}(?:\/|$)/.test(text);
	});
	const isElsewhere = flags.cwd === undefined && cwd !== homedir;
	return [
		...findPlainSecrets(entry).map(
			(name) =>
				`the value of ${name} will be in mcp.json, which only you can read; written as \${NAME}, it comes from a variable`,
		),
		...(paths.length > 0 && isElsewhere
			? [
					`${plural(paths.length, 'path')} (${paths.join(', ')}) would start from your home folder, where the program runs; write them in full, or add --cwd`,
				]
			: []),
	];
}

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
		deleteManifests(name, environment);
		if (mayHaveLogin(entry, environment)) await removeLogin(entry, environment);
	}
	printInfo(isWanted ? `removed ${name} from ${path}` : 'nothing was changed', environment);
	return 0;
}

/** Whether a login is possible at an already known address. */
function mayHaveLogin(
	entry: ServerEntry | ChatError,
	environment: Environment,
): entry is ServerEntry {
	if (entry instanceof ChatError || entry.access.type !== 'http') return false;
	return findMissing(entry, environment).length === 0;
}
