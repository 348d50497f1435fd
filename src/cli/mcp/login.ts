/** `chat mcp login`: logs in to a server in the browser. */
import type {Environment} from '../../environment.ts';
import {ChatError, type ExitCode} from '../../errors.ts';
import type {LoginListener} from '../../mcp/login-listener.ts';
import {printInfo} from '../../output/print.ts';
import {credentialsPath, requirePath} from '../../settings/files/config-path.ts';
import {storeMcpLogin} from '../../settings/service/mcp-logins.ts';
import type {Prompter} from '../../ui/prompts/prompter.ts';
import {askUser, type Questions} from '../ask-user.ts';
import {createNetwork} from './connect-server.ts';
import {findHttpServer} from './find-server.ts';
import type {McpRun} from './mcp-verb.ts';

/** @throws {ChatError} `auth` without a login at the end; as `findHttpServer` and `logIn` do */
export async function logInToServer({words, settings, environment}: McpRun): Promise<ExitCode> {
	const {name, access} = findHttpServer(words[0] ?? '', environment);
	const url = new URL(access.url);
	const path = requirePath(credentialsPath(environment));
	const {logIn} = await import('../../mcp/login.ts');
	const answer = await askUser(
		environment,
		async (prompter, questions) => {
			const {say, ask, signal} = prompter;
			const login = await logIn({
				server: name,
				access,
				network: createNetwork(settings, signal, environment),
				async confirm(issuer) {
					await say(`The MCP server ${name} is ${url.host}. Its login is at ${issuer}.`);
					return await ask(questions.confirm('Log in there?'));
				},
				visit: (page, listener) => visit(page, listener, prompter, questions, environment),
				onRefused(reason) {
					void say('');
					void say(reason);
				},
				signal,
				date: environment.date,
			});
			return {login};
		},
		settings.plain,
	);
	if (answer?.login === undefined) {
		const why = answer === undefined ? 'there is no terminal to ask on' : 'the user refused';
		throw new ChatError('auth', `not logged in to the MCP server ${name}: ${why}`);
	}
	await storeMcpLogin(path, url, answer.login);
	printInfo(`logged in to ${name}; the login is stored in ${path}`, environment);
	return 0;
}

/** The browser may be on another machine: its last page does not load there, but has an address. */
async function visit(
	page: URL,
	{reply, take}: LoginListener,
	{say, ask}: Prompter,
	{askText}: Questions,
	environment: Environment,
): Promise<URLSearchParams> {
	const {openBrowser} = await import('../../processes/open-browser.ts');
	const isOpen = await openBrowser(page, environment);
	await say(isOpen ? 'The browser opens this page:' : 'Open this page in a browser:');
	await say(page.href);
	let isPasted = false;
	const askForAddress = async (): Promise<URLSearchParams> => {
		const address = await ask(askText('If the last page does not load, its address'));
		const problem = take(address);
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
