/** Reads the names of services as base URLs, and what else a name may mean. */
import {basename, resolve} from 'node:path';
import {findClosest} from '../../did-you-mean.ts';
import type {Variables} from '../../environment.ts';
import {isLoopback} from '../../loopback.ts';
import {
	type HostedProvider,
	hostedProviders,
	type LocalProvider,
	localProviders,
} from '../../providers.ts';
import {type Parse, ValueError} from './parsers.ts';

/** The name for the first service that answers on this machine. */
export const anyLocal = 'local:';

export const builtIn = 'built-in:';

export function isBuiltIn({protocol}: URL): boolean {
	return protocol === builtIn;
}

/** Returns the provider whose name this is; undefined for a URL. */
export function findHosted(text: string): HostedProvider | undefined {
	return hostedProviders.find(({name}) => name !== undefined && text === `${name}:`);
}

/** A model that a llama-server of the run loads. */
export type LlamaModel = {
	/** The name of the file, or `owner/name` at Hugging Face, perhaps with `:quantisation`. */
	readonly name: string;
	/** A file; may be relative, or begin with `~/`. */
	readonly path?: string;
};

const llamaScheme = 'llama:';

/**
 * Returns the model of `llama:FILE.gguf` or `llama:OWNER/REPO`; undefined for any other text.
 *
 * @throws {ValueError} when it is neither
 */
export function findLlamaModel(text: string): LlamaModel | undefined {
	const name = readLlamaName(text);
	if (name === '') return undefined;
	if (/\.gguf$/i.test(name) || /^(?:~|\.{0,2})\//.test(name)) {
		return {name: basename(name), path: name};
	}
	if (/^\w[\w.-]*\/[\w.-]+(?::[\w.-]+)?$/.test(name)) return {name};
	throw new ValueError('must name a file (llama:model.gguf) or a repository (llama:owner/name)');
}

function readLlamaName(text: string): string {
	return text.startsWith(llamaScheme) ? text.slice(llamaScheme.length) : '';
}

export function resolveLlamaPath(text: string, directory: string): string {
	const name = readLlamaName(text);
	const isRelative = /\.gguf$/i.test(name) && !/^~?\//.test(name);
	return isRelative ? `${llamaScheme}${resolve(directory, name)}` : text;
}

/** Whether this names a service on this machine, and not by its URL. */
export function isLocalName(text: string): boolean {
	const isProvider = localProviders.some(({name}) => text === `${name}:`);
	return isProvider || text === anyLocal || text.startsWith(llamaScheme);
}

export type Place = {readonly provider: LocalProvider; readonly baseUrl: URL};

/**
 * Returns the addresses that the name of a local service may mean; none for any other text.
 *
 * @throws {ValueError} when a variable of the service is not an address
 */
export function placesOf(text: string, variables: Variables): readonly Place[] {
	return localProviders
		.filter(({name}) => text === anyLocal || text === `${name}:`)
		.flatMap((provider) => {
			const address = provider.readAddress?.(variables);
			const urls = address ? [readAddress(address, provider)] : provider.ports.map(urlOfPort);
			return urls.map((baseUrl) => ({provider, baseUrl}));
		});
}

const loopback = '127.0.0.1';

function urlOfPort(port: number): URL {
	return new URL(`http://${loopback}:${port}/v1`);
}

/** Reads `host`, `host:port`, `:port` or a URL. A service that listens everywhere is asked here. */
function readAddress(text: string, {ports: [port], variables = []}: LocalProvider): URL {
	const hasScheme = /^https?:\/\//.test(text);
	const full = hasScheme ? text : `http://${text.replace(/^(?=:\d)/, loopback)}`;
	if (!URL.canParse(full)) {
		throw new ValueError(`needs an address in ${variables.join(' and ')}`);
	}
	const url = new URL(full);
	if (url.hostname === '0.0.0.0') url.hostname = loopback;
	if (url.hostname === '[::]') url.hostname = '[::1]';
	// A URL without a port means the usual port of its scheme.
	if (!hasScheme && url.port === '' && !/:80\/?$/.test(text)) url.port = String(port);
	return url;
}

/**
 * Reads a base URL, or a name that stands for one. A name that may mean several addresses stays as it
 * is, until they are asked: its protocol is then not that of HTTP. The host of a llama-server of the
 * run is the name of its model.
 */
export function parseService(text: string, _previous?: unknown, variables: Variables = {}): URL {
	if (text === builtIn) return new URL(builtIn);
	const llama = findLlamaModel(text);
	if (llama !== undefined) return new URL(`${llamaScheme}//${encodeURIComponent(llama.name)}`);
	const hosted = findHosted(text);
	if (hosted !== undefined) return new URL(hosted.baseUrl);
	const [place, ...others] = placesOf(text, variables);
	if (place === undefined) return parseUrlOrFail(text);
	return others.length === 0 ? place.baseUrl : new URL(text);
}

const urlRule = 'must be a URL that starts with http:// or https://';

export const parseBaseUrl: Parse<URL> = (text) => {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
		throw new ValueError(urlRule);
	}
	if (url.username !== '' || url.password !== '') {
		throw new ValueError('must not contain a user or password; set CHAT_API_KEY for a key');
	}
	return url;
};

function parseUrlOrFail(text: string): URL {
	if (/^https?:/i.test(text)) return parseBaseUrl(text);
	const rule = `${urlRule}, or a name such as ollama:`;
	const url = suggestUrl(text);
	if (url !== undefined) throw new ValueError(`${rule} (did you mean ${url}?)`);
	const names = [...localProviders, ...hostedProviders].flatMap(({name}) => name ?? []);
	const closest = findClosest(text.replace(/:$/, ''), [...names, 'local', 'built-in']);
	throw new ValueError(closest === undefined ? rule : `${rule} (did you mean ${closest}:?)`);
}

/**
 * Returns the URL of a host that was written without `https://`, with a dot or a port; undefined for
 * any other text. A number or a bare name is a machine nearby, which rarely has a certificate.
 */
export function suggestUrl(text: string): string | undefined {
	const [, host = '', port] =
		/^(\[[0-9a-f:]+\]|[a-z0-9][a-z0-9.-]*)(:\d{1,5})?(?:\/\S*)?$/i.exec(text) ?? [];
	const isName = /\.[a-z]{2,}$/i.test(host);
	const isNear = isLoopback(host) || /^(?:\[|[\d.]+$)/.test(host) || !isName;
	if (host === '' || (isNear && port === undefined && !isLoopback(host))) return undefined;
	const url = `${isNear ? 'http' : 'https'}://${text}`;
	return URL.canParse(url) ? url : undefined;
}

/** Whether this is still a name whose address must be found. */
export function isNameOfPlaces({protocol}: URL): boolean {
	return !protocol.startsWith('http') && protocol !== builtIn;
}

/** Whether the run starts this service itself. */
export function isOwnLlama({protocol, host}: URL): boolean {
	return protocol === llamaScheme && host !== '';
}
