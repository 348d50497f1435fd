/**
 * Logs in to a server: finds its issuer, registers there, sends the user to a page of the issuer, and
 * exchanges the code that comes back for tokens.
 *
 * The parts are those of the SDK. Its own sequence of them registers before the user is asked, writes
 * to the console, and does not check the state.
 */
import {
	type AuthorizationServerMetadata,
	checkResourceAllowed,
	computeScopeUnion,
	discoverAuthorizationServerMetadata,
	discoverOAuthProtectedResourceMetadata,
	exchangeAuthorization,
	extractWWWAuthenticateParams,
	type FetchLike,
	type OAuthProtectedResourceMetadata,
	registerClient,
	resolveClientMetadata,
	resourceUrlFromServerUrl,
	startAuthorization,
	validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client';
import {ChatError} from '../errors.ts';
import {createRedactor, redactUrlText} from '../redact.ts';
import type {McpLogin} from '../settings/service/credentials.ts';
import {shorten} from '../wording.ts';
import {type AddressRule, createAddressRule} from './allowed-address.ts';
import {hasAuthorization, toMcpLogin} from './auth-provider.ts';
import {createMcpFetch, type Network} from './http-fetch.ts';
import {type LoginListener, listenForLogin} from './login-listener.ts';
import type {HttpAccess} from './server-entry.ts';

export type LoginOptions = {
	/** The name of the server. */
	readonly server: string;
	/** With its variables filled in. */
	readonly access: HttpAccess;
	readonly network: Network;
	/** Whether there is a login, with too few rights perhaps: then all that the server names are asked for. */
	readonly isRepeated: boolean;
	/** Asks whether to log in at this host. Nothing has been sent there but requests for metadata. */
	confirm(host: string): Promise<boolean>;
	/** Brings the user to the page, and waits for the reply. */
	visit(page: URL, listener: LoginListener): Promise<URLSearchParams>;
	/** Receives the reason for which the listener has refused a request. */
	onRefused(reason: string): void;
	readonly signal: AbortSignal;
	/** The wall clock. */
	date(): number;
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
	const secrets: string[] = [];
	const rule = createAddressRule(new URL(access.url), network.isInsecureAllowed);
	const send = createMcpFetch({access, network, limitMs: exchangeMs, rule});
	const fetchFn: FetchLike = (url, init) => send(url, {...init, signal});
	try {
		return await runLogin(options, {fetchFn, rule}, secrets);
	} catch (error) {
		if (error instanceof ChatError || signal.aborted) throw error;
		throw toLoginError(error, server, secrets);
	}
}

/** For each request. */
const exchangeMs = 30_000;

/** @param secrets receives those that the login makes */
async function runLogin(
	options: LoginOptions,
	{fetchFn, rule}: {readonly fetchFn: FetchLike; readonly rule: AddressRule},
	secrets: string[],
): Promise<McpLogin | undefined> {
	const {server, signal} = options;
	const {issuerUrl, metadata, resource, scope} = await findIssuer(options, fetchFn);
	if (metadata !== undefined && metadata.registration_endpoint === undefined) {
		throw noRegistration(new URL(issuerUrl).host);
	}
	const page = new URL(metadata?.authorization_endpoint ?? '/authorize', issuerUrl);
	rule.check(page);
	if (!(await options.confirm(page.host))) return undefined;
	const listener = await listenForLogin(options.onRefused);
	try {
		const redirectUrl = listener.redirectUrl.href;
		const client = await registerClient(issuerUrl, {
			...(metadata === undefined ? {} : {metadata}),
			...(scope === undefined ? {} : {scope}),
			clientMetadata: describeClient(redirectUrl, metadata),
			fetchFn,
		});
		const shared = {
			...(metadata === undefined ? {} : {metadata}),
			...(resource === undefined ? {} : {resource}),
			clientInformation: client,
		};
		const {authorizationUrl, codeVerifier} = await startAuthorization(issuerUrl, {
			...shared,
			...(scope === undefined ? {} : {scope}),
			redirectUrl,
			state: listener.state,
		});
		secrets.push(listener.state, codeVerifier, client.client_secret ?? '');
		const reply = await options.visit(authorizationUrl, listener);
		signal.throwIfAborted();
		const code = readReply(reply, server, metadata);
		secrets.push(code);
		const issuer = metadata?.issuer ?? issuerUrl;
		const tokens = await exchangeAuthorization(issuerUrl, {
			...shared,
			authorizationCode: code,
			...(reply.has('iss') ? {iss: String(reply.get('iss'))} : {}),
			codeVerifier,
			redirectUri: redirectUrl,
			fetchFn,
		});
		return toMcpLogin({issuer, resource, client, tokens}, options.date());
	} finally {
		listener.close();
	}
}

type Issuer = {
	readonly issuerUrl: string;
	readonly metadata: AuthorizationServerMetadata | undefined;
	/** The name of the server for its issuer. */
	readonly resource: string | undefined;
	readonly scope: string | undefined;
};

async function findIssuer(
	{server, access, isRepeated}: LoginOptions,
	fetchFn: FetchLike,
): Promise<Issuer> {
	const serverUrl = new URL(access.url);
	const challenge = await askForChallenge(serverUrl, fetchFn);
	const findMetadata = withoutRedirects(fetchFn);
	const described = await findResource(serverUrl, challenge.resourceMetadataUrl, findMetadata);
	const requestedResource = resourceUrlFromServerUrl(serverUrl);
	const resource = described?.resource;
	if (
		resource !== undefined &&
		!checkResourceAllowed({requestedResource, configuredResource: resource})
	) {
		const other = redactUrlText(shorten(resource, 300));
		const message = `the MCP server ${server} asks for a login to another server, ${other}`;
		throw new ChatError('protocol', message);
	}
	const issuerUrl = described?.authorization_servers?.[0] ?? new URL('/', serverUrl).href;
	const metadata = await discoverAuthorizationServerMetadata(issuerUrl, {fetchFn: findMetadata});
	if (metadata === undefined && !challenge.isNeeded) {
		throw new ChatError('unavailable', `the MCP server ${server} does not offer a login`);
	}
	const all = described?.scopes_supported?.join(' ');
	const scope = isRepeated ? computeScopeUnion(challenge.scope, all) : (challenge.scope ?? all);
	const isLasting = metadata?.scopes_supported?.includes(lasting) === true;
	return {
		issuerUrl,
		metadata,
		resource,
		scope:
			scope && isLasting && !scope.split(' ').includes(lasting) ? `${scope} ${lasting}` : scope,
	};
}

/** The scope of a login that can be renewed. */
const lasting = 'offline_access';

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

async function findResource(
	serverUrl: URL,
	resourceMetadataUrl: URL | undefined,
	fetchFn: FetchLike,
): Promise<OAuthProtectedResourceMetadata | undefined> {
	try {
		const options = resourceMetadataUrl === undefined ? {} : {resourceMetadataUrl};
		return await discoverOAuthProtectedResourceMetadata(serverUrl, options, fetchFn);
	} catch (error) {
		if (error instanceof ChatError || resourceMetadataUrl !== undefined) throw error;
		return undefined;
	}
}

/** Some servers redirect unknown paths to their website: such a path has no metadata. */
function withoutRedirects(fetchFn: FetchLike): FetchLike {
	return async (url, init) => {
		try {
			return await fetchFn(url, init);
		} catch (error) {
			const {status = 0} = error instanceof ChatError ? error.details : {};
			if (status < 300 || status >= 400) throw error;
			return new Response(null, {status: 404});
		}
	};
}

function describeClient(redirectUrl: string, metadata: AuthorizationServerMetadata | undefined) {
	const methods = metadata?.token_endpoint_auth_methods_supported ?? ['none'];
	const clientMetadata = {
		client_name: 'chat',
		redirect_uris: [redirectUrl],
		grant_types: ['authorization_code', 'refresh_token'],
		response_types: ['code'],
		token_endpoint_auth_method: ['none', 'client_secret_post'].find((method) =>
			methods.includes(method),
		),
	};
	return resolveClientMetadata({redirectUrl, clientMetadata});
}

/**
 * Returns the code. Nothing of a reply counts before its issuer is checked.
 *
 * @throws {ChatError} `auth` when the login was refused
 */
function readReply(
	reply: URLSearchParams,
	server: string,
	metadata: AuthorizationServerMetadata | undefined,
): string {
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
	throw new ChatError(
		'auth',
		`the login to the MCP server ${server} was refused: ${shorten(reason, 300)}`,
	);
}

function noRegistration(host: string): ChatError {
	return new ChatError('auth', `${host} does not let programs register themselves`, {
		hint: 'Create a token there, set it as a variable, and add "headers": {"Authorization": "Bearer ${TOKEN}"} to the entry.',
	});
}

function toLoginError(error: unknown, server: string, secrets: readonly string[]): ChatError {
	const isOfForm =
		error instanceof SyntaxError || (error instanceof Error && error.name.endsWith('ZodError'));
	const reason = isOfForm
		? 'the server sent metadata that is not valid'
		: createRedactor(secrets)(error instanceof Error ? error.message : String(error));
	return new ChatError(
		'auth',
		`the login to the MCP server ${server} failed: ${shorten(reason, 300)}`,
		{
			cause: error,
		},
	);
}
