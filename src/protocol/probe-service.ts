/** Asks an address, quickly and without a key, whether a service answers there. */
import {directRoute} from './http/route.ts';
import {send} from './http/transport.ts';
import {listModels} from './list-models.ts';
import type {Wire} from './wire.ts';

const maxBytes = 65_536;

/**
 * Returns the names of its models; undefined if nothing answers within the limit, or another program.
 *
 * @throws the signal's reason when it is aborted
 */
export async function probeService(
	wire: Wire,
	limitMs: number,
	signal: AbortSignal,
): Promise<readonly string[] | undefined> {
	const limits = {connectMs: limitMs, idleMs: 0, payloadMs: 0, finishGraceMs: 0, maxRetries: 0};
	const limit = AbortSignal.any([AbortSignal.timeout(limitMs), signal]);
	try {
		const models = await listModels({wire, limits}, {limitMs, maxBytes, signal: limit});
		return models.map(({name}) => name);
	} catch {
		signal.throwIfAborted();
		return undefined;
	}
}

/**
 * Returns the status of the reply to a GET on a socket; undefined without a reply within the limit.
 *
 * @throws the signal's reason when it is aborted
 */
export async function probeSocket(
	socketPath: string,
	path: string,
	limitMs: number,
	signal: AbortSignal,
): Promise<number | undefined> {
	const limits = {connectMs: limitMs, idleMs: 0, payloadMs: limitMs, finishGraceMs: 0};
	const url = new URL(path, 'http://localhost');
	const route = {...directRoute, socketPath};
	const request = {method: 'GET', url, headers: {}, body: '', isStreaming: false} as const;
	try {
		const reply = await send({...request, route, limits, signal});
		reply.close();
		return reply.head.status;
	} catch {
		signal.throwIfAborted();
		return undefined;
	}
}
