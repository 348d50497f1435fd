/**
 * Refuses requests for another host on a service that only this machine can reach. They come from a
 * web page whose domain was pointed here (DNS rebinding), which could read what was received.
 */
import type {IncomingMessage} from 'node:http';
import {ServiceError} from '../service-error.ts';

const loopbackNamePattern = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/;

/**
 * @param ownHost The host that the service was started with; undefined: every name passes.
 * @throws {ServiceError} 421
 */
export function checkHost({headers, socket}: IncomingMessage, ownHost: string | undefined): void {
	const {host} = headers;
	if (host === undefined || ownHost === undefined) return;
	const name = host.toLowerCase().replace(/:\d*$/, '');
	if (loopbackNamePattern.test(name) || name === ownHost.toLowerCase()) return;
	const given = JSON.stringify(host.slice(0, 100));
	const message = `the host ${given} is not a name of this machine; use localhost:${socket.localPort}`;
	throw new ServiceError(421, message, {code: 'misdirected_request'});
}

export function isLoopbackAddress(address: string): boolean {
	return address === '::1' || address.startsWith('127.');
}
