/** Opens the way to a service: directly or through a proxy, with the certificates to trust. */
import type {Agent} from 'node:http';
import type {LookupFunction} from 'node:net';
import type {PeerCertificate} from 'node:tls';

export type ServiceRoute = {
	/** An http or https URL, which may have a user and a password; undefined: direct. */
	readonly proxy: URL | undefined;
	/** PEM certificates to trust besides the usual ones. */
	readonly certificates: string | undefined;
	/** The service's Unix socket, used whatever host its URL has. */
	readonly socketPath?: string | undefined;
	/** Resolves a direct connection's host, in place of the system. */
	readonly lookup?: LookupFunction | undefined;
};

/** A route for one request. */
export type OpenRoute = {
	/** False: a new connection without an agent. */
	readonly agent: Agent | false;
	/** All trusted certificates; undefined for the usual ones. */
	readonly certificates: readonly string[] | undefined;
	readonly proxy: URL | undefined;
	/** Returns why the service's certificate is refused; undefined: Node's own check applies. */
	readonly checkServerIdentity: CheckIdentity | undefined;
	/** Closes the connection to the proxy. May be called more than once. */
	close(): void;
};

type CheckIdentity = (name: string, certificate: PeerCertificate) => Error | undefined;

export const directRoute: ServiceRoute = {proxy: undefined, certificates: undefined};

export async function openRoute(url: URL, {proxy, certificates}: ServiceRoute): Promise<OpenRoute> {
	const trusted = certificates === undefined ? undefined : await trustAlso(certificates);
	if (proxy === undefined) {
		return {
			agent: false,
			certificates: trusted,
			proxy,
			checkServerIdentity: undefined,
			close: () => undefined,
		};
	}
	const ending = new AbortController();
	const agent = await createProxyAgent(proxy, url, {
		signal: ending.signal,
		rejectUnauthorized: true,
		...(trusted === undefined ? {} : {ca: [...trusted]}),
	});
	return {
		agent,
		certificates: trusted,
		proxy,
		checkServerIdentity: await createIdentityCheck(url),
		close: () => ending.abort(),
	};
}

/** Threat: inside a tunnel, Node does not know an IP address, and checks for `localhost` instead. */
async function createIdentityCheck({hostname}: URL): Promise<CheckIdentity> {
	const {checkServerIdentity} = await import('node:tls');
	const host = hostname.replace(/^\[|\]$/g, '');
	return (_, certificate) => checkServerIdentity(host, certificate);
}

/** Node 22.15 and newer report what they trust, which may include the system's certificates. */
type Tls = typeof import('node:tls') & {getCACertificates?(type: 'default'): readonly string[]};

/** The list replaces Node's usual one, and so starts with a copy. */
async function trustAlso(certificates: string): Promise<readonly string[]> {
	const tls: Tls = await import('node:tls');
	return [...(tls.getCACertificates?.('default') ?? tls.rootCertificates), certificates];
}

/** CONNECT to an https service, a forwarded request to an http one. */
async function createProxyAgent(proxy: URL, url: URL, options: AgentOptions): Promise<Agent> {
	if (url.protocol === 'https:') {
		const {HttpsProxyAgent} = await import('https-proxy-agent');
		return new HttpsProxyAgent(proxy, options);
	}
	const {HttpProxyAgent} = await import('http-proxy-agent');
	return new HttpProxyAgent(proxy, options);
}

type AgentOptions = {
	/** Ends the connection to the proxy. */
	readonly signal: AbortSignal;
	readonly rejectUnauthorized: true;
	/** Trusted certificates for a proxy that itself speaks TLS. */
	readonly ca?: string[];
};
