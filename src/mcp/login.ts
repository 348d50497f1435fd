/**
 * Logs in to a server with the SDK's sequence, once the user has agreed to the hosts involved.
 *
 * Invariant: the SDK never handles an issuer's refusal. It would print it to the console, and retry
 * with a spent code.
 */
import {
	auth,
	checkResourceAllowed,
	computeScopeUnion,
	discoverOAuthServerInfo,
	extractWWWAuthenticateParams,
	type FetchLike,
	IssuerMismatchError,
	isHttpsUrl,
	type OAuthClientProvider,
	OAuthError,
	type OAuthServerInfo,
	type OAuthTokens,
	resourceUrlFromServerUrl,
	StreamableHTTPClientTransport,
	selectClientAuthMethod,
} from '@modelcontextprotocol/client';
import {ChatError} from '../errors.ts';
import {createRedactor, type Redact, redactUrlText} from '../redact.ts';
import type {McpLogin} from '../settings/service/credentials.ts';
import {shorten} from '../wording.ts';
import {createAddressRule} from './allowed-address.ts';
import {askForTokens, hasAuthorization, readTokens} from './auth-provider.ts';
import {createMcpFetch, type Network} from './http-fetch.ts';
import {type LoginListener, listenForLogin} from './login-listener.ts';
import type {HttpAccess} from './server-entry.ts';

export type LoginOptions = {
	/** Server name. */
	readonly server: string;
	/** HTTP access with variables filled in. */
	readonly access: HttpAccess;
	readonly network: Network;
	/** The login so far, with too few rights perhaps. */
	readonly earlier: McpLogin | undefined;
	/** Asks whether to log in at these hosts. Nothing has been sent there but requests for metadata. */
	confirm(hosts: readonly string[]): Promise<boolean>;
	/** Brings the user to the page, and waits for the reply. */
	visit(page: URL, listener: LoginListener): Promise<URLSearchParams>;
	/** Receives the reason for which the listener has refused a request. */
	onRefused(reason: string): void;
	readonly signal: AbortSignal;
	/** The wall clock. */
	date(): number;
};

/**
 * Returns undefined if the user declines.
 *
 * @throws {ChatError} `auth` if the issuer refuses, `protocol` if it breaks a rule
 */
export async function logIn(options: LoginOptions): Promise<McpLogin | undefined> {
	const {server, access, network, signal} = options;
	if (hasAuthorization(access)) {
		throw new ChatError('config', `the MCP server ${server} has an Authorization header already`);
	}
	const secrets = [access.auth?.clientSecret ?? ''];
	const rule = createAddressRule(new URL(access.url), network.isInsecureAllowed);
	const send = createMcpFetch({access, network, limitMs: exchangeMs, rule});
	try {
		const fetchFn = forSdk(askForTokens(send, signal));
		const issuer = await findIssuer(options, fetchFn);
		for (const address of issuer.addresses) rule.check(address);
		const hosts = new Set(issuer.addresses.map(({host}) => host));
		return (await options.confirm([...hosts]))
			? await visitIssuer(options, issuer, {fetchFn, secrets})
			: undefined;
	} catch (error) {
		if (signal.aborted) throw signal.reason;
		throw toLoginError(error, server, createRedactor(secrets));
	}
}

/** The limit for each request. */
const exchangeMs = 30_000;

/**
 * Some servers redirect unknown paths to their website: such a path has no metadata. Any other failure
 * must be a `TypeError` for the SDK not to look elsewhere.
 */
function forSdk(send: FetchLike): FetchLike {
	return async (url, init) => {
		try {
			return await send(url, init);
		} catch (error) {
			const {status = 0} = error instanceof ChatError ? error.details : {};
			const isUnknown = init?.method === undefined && status >= 300 && status < 400;
			if (isUnknown) return new Response(null, {status: 404});
			throw new TypeError('the request failed', {cause: error});
		}
	};
}

type Issuer = {
	readonly found: OAuthServerInfo;
	/** Receivers: the page, the token address, and the registration address. */
	readonly addresses: readonly [page: URL, tokens: URL, ...registration: readonly URL[]];
	/** Undefined: everything the server names. */
	readonly scope: string | undefined;
	/** A client id, or the address of a client document that the issuer reads. */
	readonly clientId: string | undefined;
};

async function findIssuer(options: LoginOptions, fetchFn: FetchLike): Promise<Issuer> {
	const {server, access, earlier} = options;
	const serverUrl = new URL(access.url);
	const challenge = await askForChallenge(serverUrl, fetchFn);
	const {resourceMetadataUrl} = challenge;
	const found = await discoverOAuthServerInfo(serverUrl, {
		...(resourceMetadataUrl && {resourceMetadataUrl}),
		fetchFn,
	});
	const {authorizationServerUrl: url, authorizationServerMetadata: metadata} = found;
	const configuredResource = found.resourceMetadata?.resource;
	const requestedResource = resourceUrlFromServerUrl(serverUrl);
	if (configuredResource && !checkResourceAllowed({requestedResource, configuredResource})) {
		const other = redactUrlText(shorten(configuredResource, 300));
		const message = `the MCP server ${server} asks for a login to another server, ${other}`;
		throw new ChatError('protocol', message);
	}
	if (metadata === undefined && !challenge.isNeeded) {
		throw new ChatError('unavailable', `the MCP server ${server} does not offer a login`);
	}
	const isReader = metadata?.client_id_metadata_document_supported === true;
	const given = access.auth?.clientId;
	const clientId = isReader || !isHttpsUrl(given) ? given : undefined;
	const registration = metadata === undefined ? '/register' : metadata.registration_endpoint;
	if (clientId === undefined && registration === undefined) throw noRegistration(new URL(url).host);
	// A repeated login asks for more: the rights that the server has required since, or else all.
	const {scope: granted, wantedScope} = earlier ?? {};
	const isVague = earlier !== undefined && wantedScope === undefined;
	const asked = isVague ? undefined : computeScopeUnion(challenge.scope, granted, wantedScope);
	const own = access.auth?.scopes.join(' ');
	return {
		found,
		addresses: [
			new URL(metadata?.authorization_endpoint ?? '/authorize', url),
			new URL(metadata?.token_endpoint ?? '/token', url),
			...(clientId === undefined ? [new URL(registration ?? '', url)] : []),
		],
		scope: own ? computeScopeUnion(own, wantedScope) : asked,
		clientId,
	};
}

/** A request without a login says where to log in. */
async function askForChallenge(url: URL, fetchFn: FetchLike) {
	const response = await fetchFn(url, {
		method: 'POST',
		headers: {
			'content-type': 'application/json',
			accept: 'application/json, text/event-stream',
		},
		body: JSON.stringify({jsonrpc: '2.0', id: 1, method: 'ping'}),
	});
	await response.body?.cancel();
	return {...extractWWWAuthenticateParams(response), isNeeded: response.status === 401};
}

type Means = {
	readonly fetchFn: FetchLike;
	/** Receives secrets created by the login. */
	readonly secrets: string[];
};

async function visitIssuer(
	{server, access, signal, ...options}: LoginOptions,
	{found, addresses: [page, tokenEndpoint], scope, clientId}: Issuer,
	{fetchFn, secrets}: Means,
): Promise<McpLogin> {
	const {clientSecret, callbackPort} = access.auth ?? {};
	const {authorizationServerMetadata: metadata, authorizationServerUrl} = found;
	const methods = metadata?.token_endpoint_auth_methods_supported ?? ['none'];
	const listener = await listenForLogin(options.onRefused, callbackPort);
	let client: Awaited<ReturnType<OAuthClientProvider['clientInformation']>>;
	let verifier = '';
	let visited = page;
	let tokens: OAuthTokens | undefined;
	const authProvider: OAuthClientProvider = {
		redirectUrl: listener.redirectUrl,
		clientMetadata: {
			client_name: 'chat',
			redirect_uris: [listener.redirectUrl.href],
			grant_types: ['authorization_code', 'refresh_token'],
			response_types: ['code'],
			token_endpoint_auth_method: ['none', 'client_secret_post'].find((method) =>
				methods.includes(method),
			),
		},
		state: () => listener.state,
		discoveryState: () => found,
		clientInformation: () => client,
		saveClientInformation(information) {
			client = information;
			secrets.push(information.client_secret ?? '');
		},
		tokens: () => undefined,
		saveTokens(received) {
			tokens = received;
		},
		codeVerifier: () => verifier,
		saveCodeVerifier(text) {
			verifier = text;
		},
		redirectToAuthorization(url) {
			visited = url;
		},
	};
	const issuer = metadata?.issuer ?? authorizationServerUrl;
	if (clientId !== undefined) {
		client = {issuer, client_id: clientId, ...(clientSecret && {client_secret: clientSecret})};
	}
	try {
		await auth(authProvider, {serverUrl: access.url, ...(scope && {scope}), fetchFn});
		secrets.push(listener.state, verifier);
		const reply = await options.visit(visited, listener);
		signal.throwIfAborted();
		secrets.push(reply.get('code') ?? '');
		const transport = new StreamableHTTPClientTransport(new URL(access.url), {
			authProvider,
			fetch: fetchFn,
		});
		await transport.finishAuth(reply);
	} finally {
		listener.close();
	}
	if (client === undefined || tokens === undefined)
		throw new ChatError('bug', 'a login without its end');
	return {
		issuer,
		tokenEndpoint: tokenEndpoint.href,
		resource: visited.searchParams.get('resource') ?? undefined,
		clientId: client.client_id,
		clientSecret: clientId === undefined ? client.client_secret : undefined,
		clientAuthMethod: selectClientAuthMethod(
			client,
			metadata?.token_endpoint_auth_methods_supported ?? [],
		),
		scope: visited.searchParams.get('scope') ?? undefined,
		...readTokens(tokens, authorizationServerUrl, options.date()),
	};
}

function noRegistration(host: string): ChatError {
	return new ChatError('auth', `${host} does not let programs register themselves`, {
		hint: 'Register a client there, and add "auth": {"clientId": "…"} to the entry. Or create a token, set it as a variable, and add "headers": {"Authorization": "Bearer ${TOKEN}"}.',
	});
}

function toLoginError(thrown: unknown, server: string, redact: Redact): ChatError {
	const error = thrown instanceof TypeError ? (thrown.cause ?? thrown) : thrown;
	if (error instanceof ChatError) {
		return new ChatError(error.kind, redact(error.message), error.details);
	}
	if (error instanceof IssuerMismatchError && error.kind === 'authorization_response') {
		return new ChatError('auth', 'the reply came from another issuer');
	}
	const isOfForm =
		error instanceof SyntaxError || (error instanceof Error && error.name.endsWith('ZodError'));
	const reason = isOfForm
		? 'the server sent metadata that is not valid'
		: redact(error instanceof Error ? error.message : String(error));
	const end = error instanceof OAuthError ? 'was refused' : 'failed';
	const message = `the login to the MCP server ${server} ${end}: ${shorten(reason, 300)}`;
	return new ChatError('auth', message, {cause: error});
}
