/** Finds the services that run on this machine. */
import {isChatModel} from '../../../chat/model.ts';
import {createChatCompletions} from '../../../protocol/chat-completions/chat-completions.ts';
import {probeService} from '../../../protocol/probe-service.ts';
import type {Place} from '../../../settings/options/parse-service.ts';

export type LocalService = Place & {
	/** The names of its models, without those that only embed. Hostile text. */
	readonly models: readonly string[];
};

/** Answers on the same machine take a few milliseconds. */
const limitMs = 250;

/** Returns the services that answer and have a model, as `askLocal` does. */
export async function findLocal(
	places: readonly Place[],
	signal: AbortSignal,
): Promise<readonly LocalService[]> {
	return (await askLocal(places, signal)).filter(({models}) => models.length > 0);
}

/**
 * Asks all places at once, without a key. Returns those that answer, in their order.
 *
 * @throws the signal's reason when it is aborted
 */
export async function askLocal(
	places: readonly Place[],
	signal: AbortSignal,
): Promise<readonly LocalService[]> {
	const found = await Promise.all(
		places.map(async (place) => {
			const names = await probeService(createChatCompletions(place.baseUrl), limitMs, signal);
			return names === undefined
				? []
				: [{...place, models: names.filter((name) => isChatModel({name}))}];
		}),
	);
	return found.flat();
}
