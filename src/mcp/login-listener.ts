/**
 * Waits for the browser at the end of a login, on a secret local address.
 *
 * Invariant: only a reply with this login's state ends the wait, and only once.
 */
import {createHash, randomBytes, timingSafeEqual} from 'node:crypto';
import {once} from 'node:events';
import type {ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {nodeHttp} from '../protocol/node-http.ts';

export interface LoginListener {
	/** Redirect address for the browser. */
	readonly redirectUrl: URL;
	/** The secret that ties a reply to this login. */
	readonly state: string;
	/** Resolves with the first valid reply's parameters. */
	readonly reply: Promise<URLSearchParams>;
	/** Takes the last page's address. Returns an error sentence for an invalid reply. */
	take(address: string): string | undefined;
	close(): void;
}

/**
 * @param onRefused receives each reason once
 * @param port 0: any free port
 */
export async function listenForLogin(
	onRefused: (reason: string) => void,
	port = 0,
): Promise<LoginListener> {
	const state = randomBytes(32).toString('base64url');
	const reported = new Set<string>();
	const server = nodeHttp().createServer(({method, url: path = ''}, response) => {
		// Browsers request it on their own.
		if (path === '/favicon.ico') return answer(response, 404, 'not found');
		const problem =
			method === 'GET'
				? take(`${redirectUrl.origin}${path}`)
				: 'a request other than GET was refused';
		if (problem === undefined) {
			return answer(response, 200, 'chat has received the reply. Go back to the terminal.');
		}
		answer(response, 400, `chat: ${problem}.`);
		if (!reported.has(problem)) onRefused(problem);
		reported.add(problem);
	});
	await once(server.listen(port, '127.0.0.1'), 'listening');
	const {port: used} = server.address() as AddressInfo;
	const redirectUrl = new URL(`http://127.0.0.1:${used}/callback`);

	let accept: (parameters: URLSearchParams) => void = () => {};
	const reply = new Promise<URLSearchParams>((resolve) => {
		accept = resolve;
	});
	const take = (address: string): string | undefined => {
		const url = new URL(URL.canParse(address) ? address : 'about:blank');
		const isOwn = url.origin === redirectUrl.origin && url.pathname === redirectUrl.pathname;
		if (!isOwn) return `the address must begin with ${redirectUrl.href}`;
		const problem = findProblem(url.searchParams, state);
		if (problem === undefined) {
			server.close();
			accept(url.searchParams);
		}
		return problem;
	};
	return {
		redirectUrl,
		state,
		reply,
		take,
		close() {
			server.close();
			server.closeAllConnections();
		},
	};
}

/** Returns an error sentence if these are not a reply's parameters. */
function findProblem(parameters: URLSearchParams, state: string): string | undefined {
	const [given, ...others] = parameters.getAll('state');
	if (given === undefined) return "a reply without this login's state was refused";
	if (others.length > 0 || !isEqual(given, state)) return 'a reply to another login was refused';
	const isReply = parameters.getAll('code').length + parameters.getAll('error').length === 1;
	return isReply ? undefined : 'a reply without a code was refused';
}

/** Takes the same time for every text. */
function isEqual(given: string, expected: string): boolean {
	const digest = (text: string) => createHash('sha256').update(text).digest();
	return timingSafeEqual(digest(given), digest(expected));
}

function answer(response: ServerResponse, status: number, text: string): void {
	response.writeHead(status, {
		'content-type': 'text/plain; charset=utf-8',
		'cache-control': 'no-store',
		'referrer-policy': 'no-referrer',
		'x-content-type-options': 'nosniff',
		connection: 'close',
	});
	response.end(`${text}\n`);
}
