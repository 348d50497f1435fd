/** `chat mcp login`: logs in to a server in the browser. */
import {ChatError, type ExitCode} from '../../../errors.ts';
import type {LoginListener} from '../../../mcp/login-listener.ts';
import type {HttpEntry} from '../../../mcp/server-entry.ts';
import {printInfo} from '../../../output/print.ts';
import {credentialsPath, requirePath} from '../../../settings/files/config-path.ts';
import {readMcpLogin, storeMcpLogin} from '../../../settings/service/credentials.ts';
import {ask, type Dialog} from '../../ask.ts';
import {createNetwork} from '../../run/tools/connect-server.ts';
import {fillHttpEntry, findServer} from '../../run/tools/find-server.ts';
import type {McpRun} from './mcp-verb.ts';

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
