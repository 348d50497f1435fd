/** Sends the stored login of a server with its requests, and renews it. Only a command logs in. */
import {setTimeout as delay} from 'node:timers/promises';
import {
	type AuthProvider,
	discoverAuthorizationServerMetadata,
	type OAuthClientInformationMixed,
	OAuthError,
	type OAuthTokens,
	refreshAuthorization,
} from '@modelcontextprotocol/client';
import {ChatError} from '../errors.ts';
import {createRedactor, redactUrlText} from '../redact.ts';
import {type McpLogin, readMcpLogin, storeMcpLogin} from '../settings/service/credentials.ts';
import {createMcpFetch, type Network} from './http-fetch.ts';
import type {HttpAccess} from './server-entry.ts';
import {loginHint} from './server-error.ts';

export type AuthProviderOptions = {
	/** The name of the server. */
	readonly server: string;
	readonly access: HttpAccess;
	readonly network: Network;
	/** The file of the logins; undefined without a home folder. */
	readonly credentialsPath: string | undefined;
	/** The wall clock. */
	date(): number;
};

/** Returns undefined without a home folder. */
export function createAuthProvider(options: AuthProviderOptions): AuthProvider | undefined {
	const {server, access, network, credentialsPath, date} = options;
	if (hasAuthorization(access)) return createFixedProvider(server);
	if (credentialsPath === undefined) return undefined;
	const url = new URL(access.url);
	/** The token of the last request. */
	let sent: string | undefined;
	let renewal: Promise<McpLogin> | undefined;

	const renew = async (login: McpLogin, refreshToken: string): Promise<McpLogin> => {
		try {
			const renewed = await refresh(login, refreshToken, {access, network, date});
			await storeMcpLogin(credentialsPath, url, renewed);
			return renewed;
		} catch (error) {
			const isEnd = error instanceof OAuthError && endOfLogin.includes(error.code);
			if (!isEnd) throw toRenewalError(error, login, server);
			const current = await waitForOther(login);
			if (current === undefined) throw loginExpired(server);
			return current;
		}
	};
	/** Another run may be renewing it, and a refresh token is often used only once. */
	const waitForOther = async ({accessToken}: McpLogin): Promise<McpLogin | undefined> => {
		for (let looks = 0; looks < 20; looks++) {
			const current = readMcpLogin(credentialsPath, url);
			if (current?.accessToken !== accessToken) return current;
			await delay(50);
		}
		return undefined;
	};
	const renewOnce = (login: McpLogin, refreshToken: string): Promise<McpLogin> => {
		renewal ??= renew(login, refreshToken).finally(() => {
			renewal = undefined;
		});
		return renewal;
	};

	return {
		async token() {
			const login = readMcpLogin(credentialsPath, url);
			const isOld = login?.expiresAt !== undefined && login.expiresAt - marginMs < date();
			const current =
				isOld && login.refreshToken !== undefined
					? await renewOnce(login, login.refreshToken)
					: login;
			sent = current?.accessToken;
			return sent;
		},
		async onUnauthorized() {
			const login = readMcpLogin(credentialsPath, url);
			if (login === undefined) throw loginNeeded(`the MCP server ${server} needs a login`, server);
			if (login.accessToken !== sent) return;
			if (login.refreshToken === undefined) throw loginExpired(server);
			await renewOnce(login, login.refreshToken);
		},
	};
}

/** For an entry with a header of its own: a login would not change what is sent. */
function createFixedProvider(server: string): AuthProvider {
	return {
		token: async () => undefined,
		async onUnauthorized() {
			const message = `the MCP server ${server} does not accept the Authorization header of its entry`;
			throw new ChatError('auth', message);
		},
	};
}

/** A token that is about to expire is renewed before it is refused. */
const marginMs = 30_000;

const renewalLimitMs = 30_000;

export function hasAuthorization({headers}: HttpAccess): boolean {
	return Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
}

async function refresh(
	login: McpLogin,
	refreshToken: string,
	{access, network, date}: Pick<AuthProviderOptions, 'access' | 'network' | 'date'>,
): Promise<McpLogin> {
	const {issuer, resource, clientId, clientSecret, clientAuthMethod} = login;
	const fetchFn = createMcpFetch({access, network, limitMs: renewalLimitMs});
	const metadata = await discoverAuthorizationServerMetadata(issuer, {fetchFn});
	const client = {
		client_id: clientId,
		...(clientSecret === undefined ? {} : {client_secret: clientSecret}),
		...(clientAuthMethod === undefined ? {} : {token_endpoint_auth_method: clientAuthMethod}),
	};
	const tokens = await refreshAuthorization(issuer, {
		...(metadata === undefined ? {} : {metadata}),
		...(resource === undefined ? {} : {resource}),
		clientInformation: client,
		refreshToken,
		fetchFn,
	});
	return toMcpLogin({issuer, resource, client, tokens}, date());
}

/**
 * Makes a login of what an issuer has sent.
 *
 * @throws {ChatError} `protocol` for a token that does not fit into a header, without the token
 */
export function toMcpLogin(
	{
		issuer,
		resource,
		client,
		tokens,
	}: {
		readonly issuer: string;
		readonly resource: string | undefined;
		readonly client: OAuthClientInformationMixed;
		readonly tokens: OAuthTokens;
	},
	now: number,
): McpLogin {
	const {expires_in: seconds} = tokens;
	if (!/^[\x21-\x7e]+$/.test(tokens.access_token)) {
		throw new ChatError('protocol', `${redactUrlText(issuer)} sent a token that is not valid`);
	}
	return {
		issuer,
		resource,
		clientId: client.client_id,
		clientSecret: client.client_secret,
		clientAuthMethod:
			'token_endpoint_auth_method' in client ? client.token_endpoint_auth_method : undefined,
		accessToken: tokens.access_token,
		refreshToken: tokens.refresh_token,
		expiresAt: seconds === undefined ? undefined : now + seconds * 1000,
	};
}

const endOfLogin: readonly string[] = ['invalid_grant', 'invalid_client', 'unauthorized_client'];

function toRenewalError(error: unknown, login: McpLogin, server: string): ChatError {
	if (error instanceof ChatError) return error;
	const redact = createRedactor([login.refreshToken, login.accessToken, login.clientSecret]);
	const reason = redact(error instanceof Error ? error.message : String(error));
	const message = `the login to the MCP server ${server} could not be renewed: ${reason}`;
	return loginNeeded(message, server);
}

function loginExpired(server: string): ChatError {
	return loginNeeded(`the login to the MCP server ${server} has expired`, server);
}

function loginNeeded(message: string, server: string): ChatError {
	return new ChatError('auth', message, {hint: loginHint(server)});
}
