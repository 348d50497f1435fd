/** Where the metadata of a server may lead. */
import type {LookupAddress} from 'node:dns';
import {describe, expect, it} from 'vitest';
import {createAddressRule} from '../../src/mcp/allowed-address.ts';

const elsewhere = new URL('https://mcp.example/mcp');

/** Hosts on this machine or on networks around it: one of each network, and other ways to write one. */
const inside = `
	127.8.8.8 0.0.0.0 [::] [::1] [::ffff:127.0.0.1] 2130706433
	10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1 255.255.255.255
	[::ffff:10.0.0.1] [64:ff9b::192.168.1.1] [fc00::1] [fd12::1] [fe80::1] [fec0::1] [ff02::1]
`
	.trim()
	.split(/\s+/);

const outside = '93.184.215.14 172.32.0.1 100.128.0.1 [2606:2800::1] [64:ff9b::8.8.8.8]'.split(' ');

/** Resolves every name to these addresses, one list after the other; the last one stays. */
function ruleWith(server: URL, ...answers: ReadonlyArray<readonly string[]>) {
	const left = [...answers];
	return createAddressRule(server, false, (_, __, callback) => {
		const [addresses = []] = left.length > 1 ? left.splice(0, 1) : left;
		const found = addresses.map((address) => ({address, family: address.includes(':') ? 6 : 4}));
		setImmediate(() => callback(null, found));
	});
}

async function resolveWith(rule: ReturnType<typeof ruleWith>, address: string) {
	const url = new URL(address);
	return await new Promise((resolve, reject) => {
		const done = (error: Error | null, found: string | LookupAddress[]) =>
			error === null ? resolve([found].flat()) : reject(error);
		rule.lookup(url)(url.hostname, {all: true}, done);
	});
}

describe('a server elsewhere', () => {
	it.each(inside)('may not refer to %s', (host) => {
		const rule = createAddressRule(elsewhere, false);
		expect(() => rule.check(new URL(`https://${host}/token`))).toThrow(
			/refers to .*, which is on (?:this machine|a private network)/,
		);
	});

	it.each(outside)('may refer to %s', (host) => {
		createAddressRule(elsewhere, false).check(new URL(`https://${host}/token`));
	});

	it.each([
		['this machine', ['93.184.215.14', '::1']],
		['a private network', ['10.1.2.3']],
		['a private network', ['fd00::1', '2606:2800::1']],
	])('may not refer to a name that resolves to %s', async (place, addresses) => {
		const rule = ruleWith(elsewhere, addresses);
		rule.check(new URL('https://login.example/token'));
		await expect(resolveWith(rule, 'https://login.example/token')).rejects.toMatchObject({
			kind: 'protocol',
			message: `https://mcp.example/mcp refers to https://login.example/token, which is on ${place}`,
		});
	});

	it('gains nothing by a later address of its own', async () => {
		const rule = ruleWith(elsewhere, ['93.184.215.14'], ['93.184.215.14'], ['10.0.0.1']);
		const address = {address: '93.184.215.14'};
		expect(await resolveWith(rule, elsewhere.href)).toMatchObject([address]);
		expect(await resolveWith(rule, 'https://login.example/')).toMatchObject([address]);
		await resolveWith(rule, elsewhere.href);
		expect(() => rule.check(new URL('https://10.0.0.2/'))).toThrow('a private network');
		await expect(resolveWith(rule, 'https://login.example/')).rejects.toThrow('a private network');
	});

	it('gains nothing by a private address beside a public one', async () => {
		const rule = ruleWith(elsewhere, ['93.184.215.14', '10.0.0.1'], ['10.0.0.1']);
		await resolveWith(rule, elsewhere.href);
		await expect(resolveWith(rule, 'https://login.example/')).rejects.toThrow('a private network');
	});

	it.each([
		['https://mcp.example@evil.example/authorize', 'contains a user or password'],
		['file:///etc/passwd', 'not an http or https address'],
		['http://93.184.215.14/token', 'unencrypted'],
	])('may not refer to %s', (address, problem) => {
		const url = new URL(address);
		expect(() => createAddressRule(elsewhere, false).check(url)).toThrow(problem);
	});

	it('may refer to an address without encryption if that is allowed', () => {
		createAddressRule(elsewhere, true).check(new URL('http://93.184.215.14/token'));
	});
});

describe('a server', () => {
	it('on a private network may refer to it, and not to this machine', async () => {
		const rule = ruleWith(
			new URL('https://mcp.corp.example/mcp'),
			['10.0.0.1'],
			['192.168.1.1'],
			['::1'],
		);
		await resolveWith(rule, 'https://mcp.corp.example/mcp');
		rule.check(new URL('https://10.0.0.2/'));
		await resolveWith(rule, 'https://login.corp.example/');
		await expect(resolveWith(rule, 'https://login.corp.example/')).rejects.toThrow('this machine');
	});

	it('on this machine may refer to all of it, and to the network', () => {
		const rule = createAddressRule(new URL('http://127.0.0.1:8080/mcp'), false);
		for (const host of inside) rule.check(new URL(`https://${host}/`));
	});

	it('keeps its own origin, whatever its name resolves to', async () => {
		const rule = ruleWith(elsewhere, ['93.184.215.14'], ['127.0.0.1']);
		await resolveWith(rule, elsewhere.href);
		await resolveWith(rule, 'https://mcp.example/.well-known/oauth-protected-resource');
	});
});
