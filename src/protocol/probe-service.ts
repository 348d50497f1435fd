/** Asks an address, quickly and without a key, whether a service answers there. */
import {listModels} from './list-models.ts';
import type {Wire} from './wire.ts';

const maxBytes = 65_536;

/**
 * Returns the names of its models; none if nothing answers within the limit, or another program.
 *
 * @throws the signal's reason when it is aborted
 */
export async function probeService(
	wire: Wire,
	limitMs: number,
	signal: AbortSignal,
): Promise<readonly string[]> {
	const limits = {connectMs: limitMs, idleMs: 0, payloadMs: 0, finishGraceMs: 0, maxRetries: 0};
	const limit = AbortSignal.any([AbortSignal.timeout(limitMs), signal]);
	try {
		const models = await listModels({wire, limits}, {limitMs, maxBytes, signal: limit});
		return models.map(({name}) => name);
	} catch {
		signal.throwIfAborted();
		return [];
	}
}
