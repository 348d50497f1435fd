/** Checks the way to a service, apart from a request: its addresses, and its certificate. */
import {lookup} from 'node:dns/promises';
import {isIP} from 'node:net';
import {connect, type PeerCertificate, type TLSSocket} from 'node:tls';
import {untilAborted} from '../../../abort.ts';
import {ChatError} from '../../../errors.ts';
import {type Finding, fail, ok} from './finding.ts';

const limitMs = 5000;

/** With a proxy, the way is that of the proxy, and only a request shows it. */
export async function checkRoute(
	{hostname, protocol, port}: URL,
	proxy: URL | undefined,
	signal: AbortSignal,
): Promise<readonly Finding[]> {
	if (proxy !== undefined) return [];
	const host = hostname.replace(/^\[|\]$/g, '');
	const limit = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
	const [names, certificate] = await Promise.all([
		isIP(host) === 0 ? checkName(host, limit) : [],
		protocol === 'https:' ? checkCertificate(host, Number(port || 443), limit) : [],
	]);
	signal.throwIfAborted();
	return [...names, ...certificate];
}

async function checkName(host: string, signal: AbortSignal): Promise<readonly Finding[]> {
	try {
		const found = await untilAborted(() => lookup(host, {all: true}), signal);
		const addresses = [...new Set(found.map(({address}) => address))];
		return [ok('DNS', `${host} is ${addresses.join(', ')}`)];
	} catch (error) {
		const {code = 'no answer'} = error as NodeJS.ErrnoException;
		const message = `${host} cannot be resolved (${code})`;
		return [
			await fail('DNS', new ChatError('unavailable', message, {hint: {code: 'check-network'}})),
		];
	}
}

/** Says who issued the certificate. Whether it is trusted, the request for the models decides. */
async function checkCertificate(
	host: string,
	port: number,
	signal: AbortSignal,
): Promise<readonly Finding[]> {
	const servername = isIP(host) === 0 ? {servername: host} : {};
	// Nothing is sent over this connection.
	const socket = connect({host, port, ...servername, rejectUnauthorized: false});
	try {
		return [describeCertificate(await untilAborted(() => untilSecure(socket), signal), socket)];
	} catch {
		// The request for the models reports why.
		return [];
	} finally {
		socket.destroy();
	}
}

function untilSecure(socket: TLSSocket): Promise<PeerCertificate> {
	return new Promise((resolve, reject) => {
		socket.on('error', reject);
		socket.once('secureConnect', () => resolve(socket.getPeerCertificate()));
	});
}

function describeCertificate(certificate: PeerCertificate, socket: TLSSocket): Finding {
	const {issuer = {}, valid_to: end = ''} = certificate;
	const {O: organisation, CN: name} = issuer as {readonly O?: string; readonly CN?: string};
	const who = [organisation, name].filter(Boolean).join(', ') || 'nobody known';
	const date = new Date(end);
	const until = Number.isNaN(date.getTime()) ? '' : ` until ${date.toISOString().slice(0, 10)}`;
	return ok('TLS', `${socket.getProtocol()}, certificate of ${who}${until}`);
}
