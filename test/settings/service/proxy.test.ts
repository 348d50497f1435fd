import {describe, expect, it} from 'vitest';
import {ChatError} from '../../../src/errors.ts';
import {findProxy} from '../../../src/settings/service/proxy.ts';

const service = 'https://api.example.com/v1';
const proxy = 'http://proxy.example:3128/';

describe('the proxy of a request', () => {
	it.each<
		[what: string, url: string, variables: Record<string, string>, expected: string | undefined]
	>([
		['no variable is set', service, {}, undefined],
		['https_proxy is set', service, {https_proxy: proxy, HTTPS_PROXY: 'http://other'}, proxy],
		['only HTTP_PROXY is set for https', service, {HTTP_PROXY: proxy}, undefined],
		['ALL_PROXY is set', service, {ALL_PROXY: proxy}, proxy],
		['the proxy has no scheme', service, {HTTPS_PROXY: 'proxy.example:3128'}, proxy],
		['the variable is empty', service, {HTTPS_PROXY: ''}, undefined],
		['the service is on this machine', 'http://127.0.0.1:8080', {HTTP_PROXY: proxy}, undefined],
		['the service is [::1]', 'http://[::1]:8080', {HTTP_PROXY: proxy}, undefined],
	])('%s', (_, url, variables, expected) => {
		expect(findProxy(new URL(url), variables)?.href).toBe(expected);
	});

	it.each([
		['a, api.example.com', undefined],
		['*.example.com', undefined],
		['ample.com', proxy],
		['example.com:443', undefined],
		['example.com:8443', proxy],
		['*', undefined],
	])('for https://api.example.com with NO_PROXY=%s is %s', (entry, expected) => {
		for (const name of ['NO_PROXY', 'no_proxy']) {
			const variables = {HTTPS_PROXY: proxy, [name]: entry};
			expect(findProxy(new URL(service), variables)?.href).toBe(expected);
		}
	});

	it.each([
		['2001:db8::5', undefined],
		['[2001:db8::5]', undefined],
		['[2001:db8::5]:8000', undefined],
		['[2001:db8::5]:8001', proxy],
		// An IPv6 address needs brackets before a port.
		['2001:db8::5:8000', proxy],
	])('for http://[2001:db8::5]:8000 with NO_PROXY=%s is %s', (entry, expected) => {
		const variables = {HTTP_PROXY: proxy, NO_PROXY: `a:80,${entry}`};
		expect(findProxy(new URL('http://[2001:db8::5]:8000/'), variables)?.href).toBe(expected);
	});

	it('that is not an http URL is reported without its password', () => {
		const find = () => findProxy(new URL(service), {HTTPS_PROXY: 'socks5://user:hunter2@host:1'});
		expect(find).toThrow(ChatError);
		expect(find).toThrow(/HTTPS_PROXY/);
		expect(find).not.toThrow(/hunter2/);
	});
});
