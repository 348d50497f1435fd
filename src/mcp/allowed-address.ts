/**
 * Decides where a server's metadata may lead.
 *
 * Threat: a remote server that names addresses on this machine or its network, or a name resolving
 * to one.
 */
import {lookup as resolve} from 'node:dns';
import {BlockList, isIP, isIPv6, type LookupFunction} from 'node:net';
import {ChatError} from '../errors.ts';
import {isLoopback} from '../loopback.ts';
import {redactUrl} from '../redact.ts';
import {checkEncrypted} from '../settings/service/base-url.ts';

export type AddressRule = {
	/**
	 * @throws {ChatError} `protocol` for a forbidden address, `config` for one without encryption
	 */
	check(url: URL): void;
	/** Resolves a URL's host for its socket, which then uses exactly the checked address. */
	lookup(url: URL): LookupFunction;
};

/**
 * Allows the server's origin, public addresses, and addresses as near as the server itself.
 *
 * @param lookup resolves names
 */
export function createAddressRule(
	server: URL,
	isInsecureAllowed: boolean,
	lookup: LookupFunction = resolve,
): AddressRule {
	/** A server with a name counts as public until its first connection, and is never reassessed. */
	let reach = reachOfHost(server.hostname);
	const refuse = (url: URL, problem: string) =>
		new ChatError('protocol', `${redactUrl(server)} refers to ${redactUrl(url)}, which ${problem}`);
	const judge = (url: URL, found: Reach | undefined) =>
		found !== undefined && reaches.indexOf(found) > reaches.indexOf(reach ?? 'public')
			? refuse(url, `is on ${found}`)
			: undefined;
	return {
		check(url) {
			if (url.protocol !== 'https:' && url.protocol !== 'http:') {
				throw new ChatError('protocol', `${redactUrl(url)} is not an http or https address`);
			}
			checkEncrypted('a message to an MCP server', url, isInsecureAllowed);
			if (url.username !== '' || url.password !== '')
				throw refuse(url, 'contains a user or password');
			const problem =
				url.origin === server.origin ? undefined : judge(url, reachOfHost(url.hostname));
			if (problem !== undefined) throw problem;
		},
		lookup: (url) => (hostname, options, callback) =>
			lookup(hostname, options, (error, found, family) => {
				const addresses = [found]
					.flat()
					.map((one) => (typeof one === 'string' ? one : one.address));
				const [nearest, farthest] = error ? [] : rangeOf(addresses);
				const isServer = url.origin === server.origin;
				if (isServer) reach ??= farthest;
				callback(error ?? (isServer ? null : (judge(url, nearest) ?? null)), found, family);
			}),
	};
}

/** Ordered from far to near. */
const reaches = ['public', 'a private network', 'this machine'] as const;
type Reach = (typeof reaches)[number];

function rangeOf(addresses: readonly string[]): readonly Reach[] {
	const found = addresses.map(reachOfAddress);
	const sorted = reaches.filter((reach) => found.includes(reach));
	return [sorted.at(-1) ?? 'public', sorted[0] ?? 'public'];
}

/** Returns undefined for a name that needs resolving. */
function reachOfHost(hostname: string): Reach | undefined {
	if (isLoopback(hostname)) return 'this machine';
	const address = hostname.replace(/^\[|\]$/g, '');
	return isIP(address) === 0 ? undefined : reachOfAddress(address);
}

function reachOfAddress(address: string): Reach {
	const family = isIPv6(address) ? 'ipv6' : 'ipv4';
	if (machine.check(address, family)) return 'this machine';
	return privateNetworks.check(address, family) ? 'a private network' : 'public';
}

/** IPv4 networks count in IPv6 too: mapped (as in `BlockList`), and translated (NAT64). */
function createList(networks: readonly string[]): BlockList {
	const list = new BlockList();
	for (const network of networks) {
		const [address = '', bits] = network.split('/');
		const isNew = isIPv6(address);
		list.addSubnet(address, Number(bits), isNew ? 'ipv6' : 'ipv4');
		if (!isNew) list.addSubnet(`64:ff9b::${address}`, 96 + Number(bits), 'ipv6');
	}
	return list;
}

const machine = createList(['0.0.0.0/8', '127.0.0.0/8', '::/127']);

/** Includes providers' shared addresses (100.64), link-local addresses and multicast. */
const privateNetworks = createList([
	'10.0.0.0/8',
	'100.64.0.0/10',
	'169.254.0.0/16',
	'172.16.0.0/12',
	'192.168.0.0/16',
	'224.0.0.0/3',
	'fc00::/7',
	'fe80::/9',
	'ff00::/8',
]);
