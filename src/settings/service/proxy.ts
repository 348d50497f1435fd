/** Finds the proxy of a request in the environment variables that most programs honour. */
import type {Variables} from '../../environment.ts';
import {ChatError} from '../../errors.ts';
import {isLoopback} from '../../loopback.ts';
import {redactUrlText} from '../../redact.ts';

/** The variables for each protocol of the service. The first one that is set counts. */
const proxyVariables: Readonly<Record<string, readonly string[]>> = {
	'http:': ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'],
	'https:': ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'],
};

/**
 * Returns the proxy for this address; undefined for a direct connection, as to this machine.
 *
 * @throws {ChatError} `config` when the variable that counts is not an http or https URL
 */
export function findProxy(url: URL, variables: Variables): URL | undefined {
	if (isLoopback(url.hostname) || isExcluded(url, variables)) return undefined;
	for (const name of proxyVariables[url.protocol] ?? []) {
		const text = variables[name];
		if (text !== undefined && text !== '') return parseProxy(name, text);
	}
	return undefined;
}

function parseProxy(name: string, text: string): URL {
	const full = text.includes('://') ? text : `http://${text}`;
	const url = URL.canParse(full) ? new URL(full) : undefined;
	if (url !== undefined && ['http:', 'https:'].includes(url.protocol)) return url;
	const message = `${name} is "${redactUrlText(text)}", but only http proxies are supported`;
	throw new ChatError('config', message, {
		hint: 'Use http://host:port, or add the host to NO_PROXY.',
	});
}

/** `NO_PROXY` lists hosts and domains, each with an optional port, or `*` for all. */
function isExcluded(url: URL, variables: Variables): boolean {
	const list = variables['no_proxy'] || variables['NO_PROXY'] || '';
	const host = url.hostname.toLowerCase().replace(/^\[|\]$/g, '');
	const port = url.port || (url.protocol === 'https:' ? '443' : '80');
	return list
		.toLowerCase()
		.split(/[\s,]+/)
		.some((entry) => entry !== '' && matches(entry, host, port));
}

/** Other colons belong to an IPv6 address, which is in brackets if it has a port. */
const withPort = /^(\[.*\]|[^:]*):(\d+)$/;

function matches(entry: string, host: string, port: string): boolean {
	if (entry === '*') return true;
	const [, name = entry, wantedPort] = withPort.exec(entry) ?? [];
	if (wantedPort !== undefined && wantedPort !== port) return false;
	const domain = name.replace(/^\*?\./, '').replace(/^\[|\]$/g, '');
	return domain !== '' && (host === domain || host.endsWith(`.${domain}`));
}
