/** `chat mcp login` and `logout`: log in to a server in the browser, and forget the login. */

import type {Environment} from '../../../environment.ts';
import {ChatError, type ExitCode} from '../../../errors.ts';
import {fillVariables} from '../../../mcp/fill-variables.ts';
import type {LoginListener} from '../../../mcp/login-listener.ts';
import type {Manifest} from '../../../mcp/manifest.ts';
import type {HttpEntry, ServerEntry} from '../../../mcp/server-entry.ts';
import {loginHint} from '../../../mcp/server-error.ts';
import {printInfo} from '../../../output/print.ts';
import {credentialsPath, requirePath} from '../../../settings/files/config-path.ts';
import {
	readMcpLogin,
	removeMcpLogin,
	storeMcpLogin,
} from '../../../settings/service/credentials.ts';
import {ask, type Dialog} from '../../ask.ts';
import {createNetwork} from '../../run/tools/connect-server.ts';
import {readOffer} from '../../run/tools/read-offer.ts';
import type {McpRun} from './mcp-verb.ts';

/** @throws {ChatError} `auth` without a login at the end; as `fillHttpEntry` and `logIn` do */
export async function logInToServer(written: ServerEntry, run: McpRun): Promise<ExitCode> {
	const {settings, environment} = run;
	const entry = fillHttpEntry(written, environment);
	const command = 'chat mcp login';
	const policy = {kind: 'auth', command, purpose: 'log in', isPlain: settings.plain} as const;
	const isDone = await ask(policy, environment, (dialog) => logInWith(dialog, entry, run));
	if (isDone !== undefined) return 0;
	throw new ChatError('auth', `not logged in to the MCP server ${entry.name}: the user refused`);
}

/**
 * Reads a server's offer, logging in if needed. A new login is removed again unless `keep` returns
 * true.
 *
 * @returns undefined if the offer is not kept
 * @throws {ChatError} as `readOffer` and `logIn` do; `auth` if `--yes` answers, or the user refuses
 */
export async function readWithLogin(
	entry: ServerEntry,
	run: McpRun,
	dialog: Dialog,
	keep: (manifest: Manifest) => Promise<boolean>,
): Promise<Manifest | undefined> {
	const {signal, isAttended} = dialog;
	let isNew = false;
	let isKept = false;
	/** A server may move to another issuer, or want more rights, right after the first login. */
	const read = async (logins: number): Promise<Manifest> => {
		try {
			return (await readOffer(entry, run, {signal})).manifest;
		} catch (error) {
			const isLoginNeeded =
				error instanceof ChatError && error.details.hint === loginHint(entry.name);
			if (!isLoginNeeded || logins === 0) throw error;
			if (!isAttended) {
				const hint = 'Add it on a terminal, without --yes.';
				throw new ChatError('auth', error.message, {hint});
			}
			const done = await logInWith(dialog, fillHttpEntry(entry, run.environment), run);
			if (done === undefined) throw error;
			isNew ||= done.isNew;
			return await read(logins - 1);
		}
	};
	try {
		const manifest = await read(2);
		isKept = await keep(manifest);
		return isKept ? manifest : undefined;
	} finally {
		if (isNew && !isKept) await removeLogin(entry, run.environment);
	}
}

/** Returns undefined if the user did not want to log in. Otherwise the login is stored. */
async function logInWith(
	dialog: Dialog,
	{name, access}: HttpEntry,
	{settings, environment}: McpRun,
): Promise<{readonly isNew: boolean} | undefined> {
	const {say, confirm, signal} = dialog;
	const url = new URL(access.url);
	const path = requirePath(credentialsPath(environment));
	const earlier = readMcpLogin(path, url);
	const [{logIn}, {openBrowser}] = await Promise.all([
		import('../../../mcp/login.ts'),
		import('../../../processes/desktop.ts'),
	]);
	const login = await logIn({
		server: name,
		access,
		network: createNetwork(settings, environment, {
			signal,
			trace: settings.verbose ? (line) => void say(line) : undefined,
		}),
		earlier,
		async confirm(hosts) {
			const places = hosts.join(' and ');
			await say(`The MCP server ${name} is ${url.host}. Its login is at ${places}.`);
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
	if (login === undefined) return undefined;
	await storeMcpLogin(path, url, login);
	printInfo(`logged in to ${name}; the login is stored in ${path}`, environment);
	return {isNew: earlier === undefined};
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

/** @throws {ChatError} as `removeLogin` does */
export async function logOutOfServer(entry: ServerEntry, {environment}: McpRun): Promise<ExitCode> {
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

/**
 * Fills in a server's variables before a login.
 *
 * @throws {ChatError} `usage` for a program; as `fillVariables` does
 */
function fillHttpEntry(written: ServerEntry, environment: Environment): HttpEntry {
	const {access, ...entry} = fillVariables(written, environment);
	if (access.type === 'http') return {...entry, access};
	throw new ChatError('usage', `the MCP server ${entry.name} is a program, and has no login`);
}
