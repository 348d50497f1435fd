/** `chat mcp login`, `logout` and `remove`: log in to a server in the browser, and forget it. */

import type {Environment} from '../../../environment.ts';
import {ChatError, type ExitCode} from '../../../errors.ts';
import {checkChangeable, removeEntry} from '../../../mcp/change-entries.ts';
import {findMissing} from '../../../mcp/fill-variables.ts';
import type {LoginListener} from '../../../mcp/login-listener.ts';
import {deleteManifests} from '../../../mcp/manifest-files.ts';
import {readOwnEntries} from '../../../mcp/own-entries.ts';
import type {HttpEntry, ServerEntry} from '../../../mcp/server-entry.ts';
import {printInfo} from '../../../output/print.ts';
import {
	credentialsPath,
	manifestsDirectory,
	requirePath,
} from '../../../settings/files/config-path.ts';
import {
	readMcpLogin,
	removeMcpLogin,
	storeMcpLogin,
} from '../../../settings/service/credentials.ts';
import {ask, confirm, type Dialog} from '../../ask.ts';
import {createNetwork} from '../../run/tools/connect-server.ts';
import {fillHttpEntry, findOwn, findServer} from '../../run/tools/find-server.ts';
import {type McpRun, policyOf} from './mcp-verb.ts';

/** @throws {ChatError} `auth` without a login at the end; as `findServer`, `fillHttpEntry` and `logIn` do */
export async function logInToServer(run: McpRun): Promise<ExitCode> {
	const {words, settings, environment} = run;
	const entry = fillHttpEntry(findServer(words[0] ?? '', environment), environment);
	const command = 'chat mcp login';
	const policy = {kind: 'auth', command, purpose: 'log in', isPlain: settings.plain} as const;
	const isDone = await ask(policy, environment, (dialog) => logInWith(dialog, entry, run));
	if (isDone) return 0;
	throw new ChatError('auth', `not logged in to the MCP server ${entry.name}: the user refused`);
}

/**
 * Returns whether the user wanted to log in. Then the login is stored.
 *
 * @param entry with its variables filled in
 * @throws {ChatError} as `logIn` and `storeMcpLogin` do
 */
export async function logInWith(
	dialog: Dialog,
	{name, access}: HttpEntry,
	{settings, environment}: Pick<McpRun, 'settings' | 'environment'>,
): Promise<boolean> {
	const {say, confirm, signal} = dialog;
	const url = new URL(access.url);
	const path = requirePath(credentialsPath(environment));
	const [{logIn}, {openBrowser}] = await Promise.all([
		import('../../../mcp/login.ts'),
		import('../../../processes/desktop.ts'),
	]);
	const login = await logIn({
		server: name,
		access,
		network: {
			...createNetwork(settings, signal, environment),
			trace: settings.verbose ? (line) => void say(line) : undefined,
		},
		isRepeated: readMcpLogin(path, url) !== undefined,
		async confirm(issuer) {
			await say(`The MCP server ${name} is ${url.host}. Its login is at ${issuer}.`);
			return await confirm('Log in there?');
		},
		async visit(page, listener) {
			const isOpen = await openBrowser(page, environment);
			await say(isOpen ? 'The browser opens this page:' : 'Open this page in a browser:');
			await say(page.href);
			return await waitForReply(listener, dialog);
		},
		onRefused(reason) {
			void say('');
			void say(reason);
		},
		signal,
		date: environment.date,
	});
	if (login === undefined) return false;
	await storeMcpLogin(path, url, login);
	printInfo(`logged in to ${name}; the login is stored in ${path}`, environment);
	return true;
}

/** The browser may be on another machine: its last page does not load there, but has an address. */
async function waitForReply(
	{reply, take}: LoginListener,
	{say, text}: Dialog,
): Promise<URLSearchParams> {
	let isPasted = false;
	const askForAddress = async (): Promise<URLSearchParams> => {
		const problem = take(await text('If the last page does not load, its address'));
		isPasted = problem === undefined;
		if (isPasted) return await reply;
		await say(problem ?? '');
		return await askForAddress();
	};
	const waitForBrowser = async (): Promise<URLSearchParams> => {
		const parameters = await reply;
		// The cursor is after the question.
		if (!isPasted) await say('');
		return parameters;
	};
	return await Promise.race([waitForBrowser(), askForAddress()]);
}

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
