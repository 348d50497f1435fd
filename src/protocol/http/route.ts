/**
 * The way to a service: directly or through a proxy, and whom to trust. What only some runs need
 * is loaded when it is needed.
 */
import type {Agent} from 'node:http';

export type Route = {
	/** An http or https URL, maybe with user and password; undefined: direct. */
	readonly proxy: URL | undefined;
	/** PEM certificates that are trusted besides the usual ones. */
	readonly certificates: string | undefined;
};

/** A route for one request. */
export type OpenRoute = {
	/** False: a connection of its own. */
	readonly agent: Agent | false;
	/** All trusted certificates; undefined for the usual ones. */
	readonly certificates: readonly string[] | undefined;
	readonly proxy: URL | undefined;
	/** Ends what was opened on the way. May be called more than once. */
	close(): void;
};

export const directRoute: Route = {proxy: undefined, certificates: undefined};

export async function openRoute(url: URL, {proxy, certificates}: Route): Promise<OpenRoute> {
	const trusted = certificates === undefined ? undefined : await trustAlso(certificates);
	if (proxy === undefined) {
		return {agent: false, certificates: trusted, proxy, close: () => undefined};
	}
	const ending = new AbortController();
	const agent = await createProxyAgent(proxy, url, {
		signal: ending.signal,
		rejectUnauthorized: true,
		...(trusted === undefined ? {} : {ca: [...trusted]}),
	});
	return {agent, certificates: trusted, proxy, close: () => ending.abort()};
}

/** From 22.15 on, Node says what it trusts by itself: the system's certificates may be among it. */
type Tls = typeof import('node:tls') & {getCACertificates?(type: 'default'): readonly string[]};

/** Such a list takes the place of the usual one, and so begins with it. */
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
	/** Trusted certificates of a proxy that speaks TLS itself. */
	readonly ca?: string[];
};
