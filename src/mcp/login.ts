/**
 * Logs in to a server: finds its issuer, registers there, sends the user to a page of the issuer, and
 * exchanges the code that comes back for tokens.
 *
 * The parts are those of the SDK. Its own sequence, `auth`, prints what an issuer says to the console,
 * retries with a spent code, and leaves the check of the state to its caller.
 */
import {
	checkResourceAllowed,
	computeScopeUnion,
	discoverOAuthServerInfo,
	exchangeAuthorization,
	extractWWWAuthenticateParams,
	type FetchLike,
	isHttpsUrl,
	type OAuthClientInformationMixed,
	registerClient,
	resolveClientMetadata,
	resourceUrlFromServerUrl,
	selectClientAuthMethod,
	startAuthorization,
	validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client';
import {ChatError} from '../errors.ts';
import {createRedactor, redactUrlText} from '../redact.ts';
import type {McpLogin} from '../settings/service/credentials.ts';
import {shorten} from '../wording.ts';
import {type AddressRule, createAddressRule} from './allowed-address.ts';
import {askForTokens, hasAuthorization, readTokens} from './auth-provider.ts';
import {createMcpFetch, type Network} from './http-fetch.ts';
import {type LoginListener, listenForLogin} from './login-listener.ts';
import type {HttpAccess} from './server-entry.ts';

export type LoginOptions = {
	/** The name of the server. */
	readonly server: string;
	/** With its variables filled in. */
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

/** How a login sends its requests. */
type Means = {
	readonly fetchFn: FetchLike;
	readonly rule: AddressRule;
	/** Receives those that the login makes. */
	readonly secrets: string[];
};

/**
 * Returns undefined if the user does not want to log in there.
 *
 * @throws {ChatError} `auth` when the issuer refuses, `protocol` when it breaks a rule
 */
export async function logIn(options: LoginOptions): Promise<McpLogin | undefined> {
	const {server, access, network, signal} = options;
	if (hasAuthorization(access)) {
		throw new ChatError('config', `the MCP server ${server} has an Authorization header already`);
	}
	const secrets = [access.auth?.clientSecret ?? ''];
	const rule = createAddressRule(new URL(access.url), network.isInsecureAllowed);
	const send = createMcpFetch({access, network, limitMs: exchangeMs, rule});
	const fetchFn: FetchLike = (url, init) => send(url, {...init, signal});
	try {
		return await runLogin(options, {fetchFn, rule, secrets});
	} catch (error) {
		const failure = error instanceof TypeError ? error.cause : error;
		if (failure instanceof ChatError || signal.aborted) throw failure;
		throw toLoginError(error, server, secrets);
	}
}

/** For each request. */
const exchangeMs = 30_000;

async function runLogin(options: LoginOptions, means: Means): Promise<McpLogin | undefined> {
	const {access, signal} = options;
	const {fetchFn, rule, secrets} = means;
	const issuer = await findIssuer(options, fetchFn);
	const {url, metadata, resource, scope, endpoints} = issuer;
	const given = findClient(access, issuer);
	const {token: tokenEndpoint, page, registration} = endpoints;
	if (given === undefined && registration === undefined) throw noRegistration(url);
	const used = [page, tokenEndpoint, ...(given === undefined ? [registration ?? ''] : [])];
	const addresses = used.map((address) => new URL(address, url));
	for (const address of addresses) rule.check(address);
	const hosts = new Set(addresses.map(({host}) => host));
	if (!(await options.confirm([...hosts]))) return undefined;
	const listener = await listenForLogin(options.onRefused, access.auth?.callbackPort);
	try {
		const redirectUrl = listener.redirectUrl.href;
		const shared = {
			...(metadata === undefined ? {} : {metadata}),
			...(scope === undefined ? {} : {scope}),
			...(resource === undefined ? {} : {resource}),
		};
		const methods = metadata?.token_endpoint_auth_methods_supported ?? [];
		const client: OAuthClientInformationMixed =
			given ??
			(await registerClient(url, {
				...shared,
				clientMetadata: describeClient(redirectUrl, methods),
				fetchFn,
			}));
		const clientInformation = client;
		const {authorizationUrl, codeVerifier} = await startAuthorization(url, {
			...shared,
			clientInformation,
			redirectUrl,
			state: listener.state,
		});
		secrets.push(listener.state, codeVerifier, client.client_secret ?? '');
		const reply = await options.visit(authorizationUrl, listener);
		signal.throwIfAborted();
		const code = readReply(reply, options.server, metadata);
		secrets.push(code);
		const tokens = await exchangeAuthorization(url, {
			...shared,
			clientInformation,
			authorizationCode: code,
			...(reply.has('iss') ? {iss: String(reply.get('iss'))} : {}),
			codeVerifier,
			redirectUri: redirectUrl,
			fetchFn: askForTokens(fetchFn, signal),
		});
		return {
			issuer: issuer.name,
			tokenEndpoint: new URL(tokenEndpoint, url).href,
			resource,
			clientId: client.client_id,
			clientSecret: given === undefined ? client.client_secret : undefined,
			clientAuthMethod: selectClientAuthMethod(client, methods),
			scope,
			...readTokens(tokens, url, options.date()),
		};
	} finally {
		listener.close();
	}
}

type Issuer = Awaited<ReturnType<typeof findIssuer>>;

async function findIssuer({server, access, earlier}: LoginOptions, fetchFn: FetchLike) {
	const serverUrl = new URL(access.url);
	const challenge = await askForChallenge(serverUrl, fetchFn);
	const {resourceMetadataUrl} = challenge;
	const {
		authorizationServerUrl: url,
		authorizationServerMetadata: metadata,
		resourceMetadata,
	} = await discoverOAuthServerInfo(serverUrl, {
		...(resourceMetadataUrl === undefined ? {} : {resourceMetadataUrl}),
		fetchFn: forMetadata(fetchFn),
	});
	const {resource, scopes_supported: scopes} = resourceMetadata ?? {};
	const requestedResource = resourceUrlFromServerUrl(serverUrl);
	if (resource && !checkResourceAllowed({requestedResource, configuredResource: resource})) {
		const other = redactUrlText(shorten(resource, 300));
		const message = `the MCP server ${server} asks for a login to another server, ${other}`;
		throw new ChatError('protocol', message);
	}
	if (metadata === undefined && !challenge.isNeeded) {
		throw new ChatError('unavailable', `the MCP server ${server} does not offer a login`);
	}
	const name = metadata?.issuer ?? url;
	return {
		url,
		name,
		metadata,
		resource,
		endpoints: {
			page: metadata?.authorization_endpoint ?? '/authorize',
			token: metadata?.token_endpoint ?? '/token',
			registration: metadata === undefined ? '/register' : metadata.registration_endpoint,
		},
		scope: chooseScope({
			own: access.auth?.scopes.join(' '),
			asked: challenge.scope,
			all: scopes?.join(' '),
			earlier: earlier?.issuer === name ? earlier : undefined,
			isLasting: metadata?.scopes_supported?.includes('offline_access') === true,
		}),
	};
}

type Scopes = {
	readonly own: string | undefined;
	/** Those that the server asks for, and all that it knows. */
	readonly asked: string | undefined;
	readonly all: string | undefined;
	readonly earlier: McpLogin | undefined;
	/** Whether a right is needed for a login that can be renewed. */
	readonly isLasting: boolean;
};

/** A repeated login asks for more: the rights that the server has wanted since, or else all. */
function chooseScope({own, asked, all, earlier, isLasting}: Scopes): string | undefined {
	const isVague = earlier !== undefined && earlier.wantedScope === undefined;
	const first = own || (isVague ? computeScopeUnion(asked, all) : (asked ?? all));
	const scope = computeScopeUnion(first, earlier?.scope, earlier?.wantedScope);
	return scope && isLasting ? computeScopeUnion(scope, 'offline_access') : scope;
}

/** Returns the registered client; undefined without one, or if the issuer reads no documents about clients. */
function findClient(
	{auth}: HttpAccess,
	{metadata}: Issuer,
): OAuthClientInformationMixed | undefined {
	const {clientId, clientSecret} = auth ?? {};
	if (clientId === undefined) return undefined;
	const isRead = metadata?.client_id_metadata_document_supported === true;
	if (isHttpsUrl(clientId) && !isRead) return undefined;
	return {
		client_id: clientId,
		...(clientSecret === undefined ? {} : {client_secret: clientSecret}),
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

/**
 * Some servers redirect unknown paths to their website: such a path has no metadata. Only a `TypeError`
 * ends the search of the SDK.
 */
function forMetadata(fetchFn: FetchLike): FetchLike {
	return async (url, init) => {
		try {
			return await fetchFn(url, init);
		} catch (error) {
			const {status = 0} = error instanceof ChatError ? error.details : {};
			if (status >= 300 && status < 400) return new Response(null, {status: 404});
			throw new TypeError('no metadata', {cause: error});
		}
	};
}

function describeClient(redirectUrl: string, methods: readonly string[]) {
	const clientMetadata = {
		client_name: 'chat',
		redirect_uris: [redirectUrl],
		response_types: ['code'],
		token_endpoint_auth_method:
			methods.length === 0
				? 'none'
				: ['none', 'client_secret_post'].find((method) => methods.includes(method)),
	};
	return resolveClientMetadata({redirectUrl, clientMetadata});
}

/**
 * Returns the code. Nothing of a reply counts before its issuer is checked.
 *
 * @throws {ChatError} `auth` when the login was refused
 */
function readReply(reply: URLSearchParams, server: string, metadata: Issuer['metadata']): string {
	try {
		validateAuthorizationResponseIssuer({
			iss: reply.get('iss') ?? undefined,
			expectedIssuer: metadata?.issuer,
			issParameterSupported: metadata?.authorization_response_iss_parameter_supported === true,
		});
	} catch {
		throw new ChatError('auth', 'the reply came from another issuer than the one that was asked');
	}
	const code = reply.get('code');
	if (code !== null) return code;
	const reason = reply.get('error_description') ?? reply.get('error') ?? 'no reason given';
	const message = `the login to the MCP server ${server} was refused: ${shorten(reason, 300)}`;
	throw new ChatError('auth', message);
}

function noRegistration(issuerUrl: string): ChatError {
	const {host} = new URL(issuerUrl);
	return new ChatError('auth', `${host} does not let programs register themselves`, {
		hint: 'Register a client there, and add "auth": {"clientId": "…"} to the entry. Or create a token, set it as a variable, and add "headers": {"Authorization": "Bearer ${TOKEN}"}.',
	});
}

function toLoginError(error: unknown, server: string, secrets: readonly string[]): ChatError {
	const isOfForm =
		error instanceof SyntaxError || (error instanceof Error && error.name.endsWith('ZodError'));
	const reason = isOfForm
		? 'the server sent metadata that is not valid'
		: createRedactor(secrets)(error instanceof Error ? error.message : String(error));
	const message = `the login to the MCP server ${server} failed: ${shorten(reason, 300)}`;
	return new ChatError('auth', message, {cause: error});
}
