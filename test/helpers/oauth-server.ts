/**
 * An MCP server that needs a login, and its issuer, for one test. The issuer agrees to every login: its
 * page redirects at once.
 */
import {createHash} from 'node:crypto';
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import {listen} from './listen.ts';

export type Describe = (path: string, document: Record<string, unknown>) => object | undefined;

export type OAuthOptions = {
	/** Changes what a document says: `/.well-known/oauth-protected-resource` and others. */
	readonly describe?: Describe;
	/** Changes the parameters of the reply to the client. */
	readonly reply?: (parameters: URLSearchParams) => void;
	/** Changes an access token. */
	readonly spoil?: (token: string) => string;
	/** The life of a token in seconds. */
	readonly expiresIn?: number;
	/** Whether a refresh token may be used again. Otherwise, that ends all logins. */
	readonly isReusable?: boolean;
	/** How long the reply with new tokens takes. */
	readonly delayMs?: number;
	/** The replies in place of new tokens: a status and a body; undefined: new tokens. */
	readonly failRenewal?: () => readonly [status: number, body: string] | undefined;
	/** The scope that a call needs. */
	readonly callScope?: string;
};

export type OAuthServer = {
	/** `http://127.0.0.1:<port>` */
	readonly origin: string;
	/** The address of the MCP server. */
	readonly url: string;
	/** The method and the path of each request so far. */
	readonly requests: readonly string[];
	/** The parameters of each request for tokens so far. */
	readonly exchanges: ReadonlyArray<Readonly<Record<string, string>>>;
	/** The documents of the clients so far. */
	readonly clients: ReadonlyArray<Readonly<Record<string, unknown>>>;
	/** The secrets that were made so far. */
	readonly secrets: readonly string[];
	/** Returns one that may be used. */
	makeRefreshToken(): string;
	/** Makes all access tokens invalid, and all refresh tokens too. */
	revoke(isForGood: boolean): void;
};

export async function startOAuthServer({
	describe = (_, document) => document,
	reply = () => {},
	spoil = (token) => token,
	expiresIn,
	isReusable = true,
	delayMs = 0,
	failRenewal = () => undefined,
	callScope,
}: OAuthOptions = {}): Promise<OAuthServer> {
	const requests: string[] = [];
	const exchanges: Array<Record<string, string>> = [];
	const clients: Array<Record<string, unknown>> = [];
	const secrets: string[] = [];
	/** With their scopes. */
	const accessTokens = new Map<string, string>();
	const refreshTokens = new Set<string>();
	const codes = new Map<string, URLSearchParams>();
	const makeSecret = (kind: string) => {
		const secret = `${kind}-secret-${secrets.length + 1}`;
		secrets.push(secret);
		return secret;
	};
	const makeRefreshToken = () => {
		const token = makeSecret('refresh');
		refreshTokens.add(token);
		return token;
	};
	const makeTokens = (scope: string) => {
		const access_token = makeSecret('access');
		const refresh_token = makeRefreshToken();
		accessTokens.set(access_token, scope);
		return {
			access_token: spoil(access_token),
			refresh_token,
			token_type: 'Bearer',
			expires_in: expiresIn,
		};
	};

	const documents: Readonly<Record<string, () => Record<string, unknown>>> = {
		'/.well-known/oauth-protected-resource/mcp': () => ({
			resource: `${origin}/mcp`,
			authorization_servers: [origin],
			scopes_supported: ['read', 'write'],
		}),
		'/.well-known/oauth-authorization-server': () => ({
			issuer: origin,
			authorization_endpoint: `${origin}/authorize`,
			token_endpoint: `${origin}/token`,
			registration_endpoint: `${origin}/register`,
			response_types_supported: ['code'],
			code_challenge_methods_supported: ['S256'],
			token_endpoint_auth_methods_supported: ['none'],
			authorization_response_iss_parameter_supported: true,
		}),
	};

	const register = (text: string, response: ServerResponse) => {
		const client = JSON.parse(text);
		clients.push(client);
		sendJson(response, 201, {...client, client_id: `client-${clients.length}`});
	};
	const authorize = (asked: URLSearchParams, response: ServerResponse) => {
		const code = makeSecret('code');
		codes.set(code, asked);
		const target = new URL(asked.get('redirect_uri') ?? '');
		target.searchParams.set('code', code);
		target.searchParams.set('state', asked.get('state') ?? '');
		target.searchParams.set('iss', origin);
		reply(target.searchParams);
		response.writeHead(302, {location: target.href}).end();
	};
	const exchange = (text: string, response: ServerResponse) => {
		const given = Object.fromEntries(new URLSearchParams(text));
		exchanges.push(given);
		const {code = '', code_verifier = '', redirect_uri, refresh_token = '', grant_type} = given;
		const asked = codes.get(code);
		const challenge = createHash('sha256').update(code_verifier).digest('base64url');
		const isValid =
			grant_type === 'refresh_token'
				? refreshTokens.has(refresh_token)
				: asked?.get('code_challenge') === challenge && asked.get('redirect_uri') === redirect_uri;
		codes.delete(code);
		const [status = 0, body] = (grant_type === 'refresh_token' && failRenewal()) || [];
		if (body !== undefined) return void response.writeHead(status).end(body);
		if (!isReusable) refreshTokens.delete(refresh_token);
		const scope = asked?.get('scope') ?? '';
		if (isValid) return void setTimeout(() => sendJson(response, 200, makeTokens(scope)), delayMs);
		if (!isReusable) revoke(true);
		sendJson(response, 400, {
			error: 'invalid_grant',
			error_description: `not ${refresh_token}${code}`,
		});
	};
	const callMcp = (request: IncomingMessage, text: string, response: ServerResponse) => {
		const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
		const scope = accessTokens.get(token);
		const isDenied = text.includes('tools/call') && callScope && !scope?.includes(callScope);
		if (scope !== undefined && isDenied) {
			const challenge = `Bearer error="insufficient_scope", scope="${callScope}"`;
			return void response.writeHead(403, {'www-authenticate': challenge}).end();
		}
		if (scope !== undefined) return answerMcp(text, response);
		const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
		response.setHeader('www-authenticate', `Bearer scope="read", resource_metadata="${metadata}"`);
		sendJson(response, 401, {error: 'invalid_token', error_description: `no ${token}`});
	};

	const revoke = (isForGood: boolean) => {
		accessTokens.clear();
		if (isForGood) refreshTokens.clear();
	};

	const server = createServer(async (request, response) => {
		let text = '';
		for await (const chunk of request) text += chunk;
		const {pathname, searchParams} = new URL(request.url ?? '', origin);
		requests.push(`${request.method} ${pathname}`);
		const document = documents[pathname]?.();
		const described = document && describe(pathname, document);
		if (described !== undefined) return sendJson(response, 200, described);
		if (pathname === '/register') return register(text, response);
		if (pathname === '/authorize') return authorize(searchParams, response);
		if (pathname === '/token') return exchange(text, response);
		if (pathname === '/mcp') return callMcp(request, text, response);
		response.writeHead(404).end();
	});
	const origin = `http://127.0.0.1:${await listen(server)}`;
	return {
		origin,
		url: `${origin}/mcp`,
		requests,
		exchanges,
		clients,
		secrets,
		makeRefreshToken,
		revoke,
	};
}

/** A server of the older protocol with one tool. */
function answerMcp(text: string, response: ServerResponse): void {
	if (text === '') return void response.writeHead(405).end();
	const {id, method, params} = JSON.parse(text);
	if (id === undefined) return void response.writeHead(202).end();
	const results: Readonly<Record<string, () => object>> = {
		initialize: () => ({
			protocolVersion: params.protocolVersion,
			capabilities: {tools: {}},
			serverInfo: {name: 'vault', version: '1.0.0'},
		}),
		'tools/list': () => ({
			tools: [{name: 'open', description: 'Opens the vault.', inputSchema: {type: 'object'}}],
		}),
		'tools/call': () => ({content: [{type: 'text', text: 'the vault is open'}]}),
	};
	const result = results[method]?.();
	const error = {code: -32601, message: 'Method not found'};
	sendJson(response, 200, {jsonrpc: '2.0', id, ...(result === undefined ? {error} : {result})});
}

function sendJson(response: ServerResponse, status: number, value: object): void {
	response.writeHead(status, {'content-type': 'application/json'}).end(JSON.stringify(value));
}
