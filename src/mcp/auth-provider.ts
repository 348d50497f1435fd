/** Sends a server's stored login with its requests, and renews it. Only a command logs in. */
import {createHash} from 'node:crypto';
import {
	type AuthProvider,
	extractWWWAuthenticateParams,
	type FetchLike,
	refreshAuthorization,
} from '@modelcontextprotocol/client';
import {ChatError} from '../errors.ts';
import {withLock} from '../files/lock-file.ts';
import {parseJsonObject} from '../json.ts';
import {createRedactor, redactUrlText} from '../redact.ts';
import {type McpLogin, readMcpLogin, updateMcpLogin} from '../settings/service/credentials.ts';
import {formatDuration, shorten} from '../wording.ts';
import {createMcpFetch, type Network} from './http-fetch.ts';
import type {HttpAccess} from './server-entry.ts';
import {loginHint} from './server-error.ts';

export type LoginUse = {
	/** Server name. */
	readonly server: string;
	/** HTTP access with variables filled in. */
	readonly access: HttpAccess;
	readonly network: Network;
	/** Login file; undefined without a home folder. */
	readonly credentialsPath: string | undefined;
	/** The wall clock. */
	date(): number;
};

type HttpMeans = {readonly fetch: FetchLike; readonly authProvider?: AuthProvider};

/** Returns the means to reach a server with its login. */
export function createHttpMeans(use: LoginUse): HttpMeans {
	const {server, access, network, credentialsPath, date} = use;
	const send = createMcpFetch({access, network, limitMs: 0});
	if (hasAuthorization(access)) return withFixedHeader(send, server);
	if (credentialsPath === undefined) return {fetch: send};
	const url = new URL(access.url);
	const read = () => readMcpLogin(credentialsPath, url);
	/** The last request's token. */
	let sent: string | undefined;
	let renewal: Promise<string> | undefined;
	const renew = (login: McpLogin): Promise<string> => {
		renewal ??= renewLogin(login, {...use, credentialsPath}).finally(() => {
			renewal = undefined;
		});
		return renewal;
	};
	return {
		async fetch(address, init) {
			const response = await send(address, init);
			const {error, scope = ''} = extractWWWAuthenticateParams(response);
			if (response.status === 403 && error === 'insufficient_scope' && scopePattern.test(scope)) {
				await updateMcpLogin(credentialsPath, url, {wantedScope: scope});
			}
			return response;
		},
		authProvider: {
			async token() {
				const login = read();
				sent = login?.accessToken;
				const {expiresAt = Number.POSITIVE_INFINITY} = login ?? {};
				if (login?.refreshToken === undefined || expiresAt - marginMs > date()) return sent;
				try {
					sent = await renew(login);
				} catch (error) {
					if (expiresAt <= date()) throw error;
				}
				return sent;
			},
			async onUnauthorized() {
				const login = read();
				if (login === undefined) throw loginNeeded(server);
				if (login.accessToken === sent) await renew(login);
			},
		},
	};
}

/** Renews a token shortly before it expires, not after a refusal. */
const marginMs = 30_000;

/** Scopes worth remembering: a few words, as the standard writes them. */
const scopePattern = /^[\x20\x21\x23-\x5b\x5d-\x7e]{1,1000}$/;

export function hasAuthorization({headers}: HttpAccess): boolean {
	return Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
}

/** Covers an entry with its own header: a login would not change any request. */
function withFixedHeader(send: FetchLike, server: string): HttpMeans {
	return {
		async fetch(address, init) {
			const response = await send(address, init);
			if (response.status !== 401 && response.status !== 403) return response;
			const verb = response.status === 401 ? 'does not accept' : 'denies access with';
			throw new ChatError(
				'auth',
				`the MCP server ${server} ${verb} the Authorization header of its entry`,
			);
		},
	};
}

type Renewal = LoginUse & {readonly credentialsPath: string};

/**
 * Returns the new access token.
 *
 * Threat: two runs spending one refresh token, after which some issuers end the login. The second
 * run waits, and takes the first one's token.
 *
 * @throws {ChatError} `auth` if the login has ended; otherwise the reason, perhaps temporary
 */
async function renewLogin(login: McpLogin, use: Renewal): Promise<string> {
	const {server, access, network, credentialsPath} = use;
	const url = new URL(access.url);
	const name = createHash('sha256').update(url.href).digest('hex').slice(0, 16);
	// The connection would otherwise be given up first, and its server blamed.
	const limitMs = Math.min(network.connectMs * 0.8 || maxRenewalMs, maxRenewalMs);
	const signal = AbortSignal.timeout(limitMs);
	try {
		const renewed = await withLock(
			`${credentialsPath}.${name}.lock`,
			async () => {
				const current = readMcpLogin(credentialsPath, url);
				if (current?.accessToken !== login.accessToken) return current?.accessToken;
				const changes = await refresh(login, use, signal);
				await updateMcpLogin(credentialsPath, url, changes);
				return changes.accessToken;
			},
			{signal},
		);
		if (renewed !== undefined) return renewed;
	} catch (error) {
		const problem = `no answer within ${formatDuration(limitMs)}`;
		const isLate = signal.aborted;
		const reason = isLate ? new ChatError('timeout', problem, {retryable: true}) : error;
		throw toRenewalError(reason, login, server);
	}
	throw loginNeeded(server);
}

const maxRenewalMs = 30_000;

/** Asks only the address that the user agreed to at login, and reads no metadata. */
async function refresh(
	{issuer, resource, tokenEndpoint, refreshToken, ...login}: McpLogin,
	{access: {auth}, network, date}: LoginUse,
	signal: AbortSignal,
) {
	if (refreshToken === undefined || tokenEndpoint === undefined) {
		throw new ChatError('auth', 'there is no refresh token', {code: 'invalid_grant'});
	}
	const access = {type: 'http', url: tokenEndpoint, headers: {}} as const;
	const {clientSecret = auth?.clientSecret, clientAuthMethod} = login;
	const tokens = await refreshAuthorization(issuer, {
		metadata: {
			issuer,
			authorization_endpoint: issuer,
			token_endpoint: tokenEndpoint,
			response_types_supported: [],
		},
		...(resource === undefined ? {} : {resource}),
		clientInformation: {
			client_id: login.clientId,
			client_secret: clientSecret,
			token_endpoint_auth_method: clientAuthMethod,
		},
		refreshToken,
		fetchFn: askForTokens(createMcpFetch({access, network, limitMs: 0}), signal),
	});
	return readTokens(tokens, tokenEndpoint, date());
}

/** Turns replies without tokens into our errors. Only token requests have a form as their body. */
export function askForTokens(send: FetchLike, signal: AbortSignal): FetchLike {
	return async (address, init) => {
		const response = await send(address, {...init, signal});
		if (!(init?.body instanceof URLSearchParams)) return response;
		const {ok, status} = response;
		const text = await response.text();
		const {error: code, error_description: words} = parseJsonObject(text) ?? {};
		const isFailing = status >= 500 || status === 429;
		const isRefusal = typeof code === 'string' && !isFailing;
		if (ok && !isRefusal) return new Response(text, {status});
		const reason = isRefusal ? `: ${[code, words].filter(Boolean).join(', ')}` : '';
		const message = `${redactUrlText(String(address))} answered ${status}${reason}`;
		throw new ChatError(isRefusal ? 'auth' : isFailing ? 'unavailable' : 'protocol', message, {
			status,
			retryable: isFailing,
			...(isRefusal && {code}),
		});
	};
}

type Tokens = Awaited<ReturnType<typeof refreshAuthorization>>;

/**
 * @throws {ChatError} `protocol` for a token that is not a valid header value; the message never
 * quotes it
 */
export function readTokens(tokens: Tokens, source: string, now: number) {
	const {access_token: accessToken, expires_in: seconds, scope} = tokens;
	if (!/^[\x21-\x7e]+$/.test(accessToken)) {
		throw new ChatError('protocol', `${redactUrlText(source)} sent a token that is not valid`);
	}
	return {
		accessToken,
		refreshToken: tokens.refresh_token,
		expiresAt: seconds === undefined ? undefined : now + seconds * 1000,
		...(scope === undefined ? {} : {scope}),
	};
}

const endOfLogin: ReadonlyArray<string | undefined> = [
	'invalid_grant',
	'invalid_client',
	'unauthorized_client',
];

function toRenewalError(error: unknown, login: McpLogin, server: string): ChatError {
	const {
		kind,
		message: reason,
		details,
	} = error instanceof ChatError
		? error
		: new ChatError('unavailable', String(error), {cause: error});
	const subject = `the login to the MCP server ${server}`;
	const redact = createRedactor([login.refreshToken, login.accessToken, login.clientSecret]);
	const message = endOfLogin.includes(details.code)
		? `${subject} has expired`
		: `${subject} could not be renewed: ${shorten(redact(reason), 300)}`;
	return new ChatError(kind, message, kind === 'auth' ? {hint: loginHint(server)} : details);
}

function loginNeeded(server: string): ChatError {
	return new ChatError('auth', `the MCP server ${server} needs a login`, {hint: loginHint(server)});
}
