/** Finds services running on this machine. Only an explicitly named one gets a prompt. */
import {recover} from '../../../abort.ts';
import type {Notice} from '../../../chat/event.ts';
import {isChatModel} from '../../../chat/model.ts';
import type {Environment} from '../../../environment.ts';
import {ChatError} from '../../../errors.ts';
import {createChatCompletions} from '../../../protocol/chat-completions/chat-completions.ts';
import {probeModels} from '../../../protocol/list-models.ts';
import {startHint} from '../../../providers.ts';
import type {LoadedSettings} from '../../../settings/options/load-settings.ts';
import {anyLocal, type Place, placesOf} from '../../../settings/options/parse-service.ts';
import {nameOfService, placesOfService} from '../../../settings/service/base-url.ts';
import {plural} from '../../../wording.ts';

export type LocalService = Place & {
	/** Model names without embedding models. Hostile text. */
	readonly models: readonly string[];
};

/** Answers on the same machine take a few milliseconds. */
const limitMs = 250;

/** Returns the services answering and having a model, as `askLocal` does. */
export async function findLocal(
	places: readonly Place[],
	signal: AbortSignal,
): Promise<readonly LocalService[]> {
	return (await askLocal(places, signal)).filter(({models}) => models.length > 0);
}

/**
 * Asks all places at once, without a key. Returns those answering, in order.
 *
 * @throws the signal's reason when aborted
 */
export async function askLocal(
	places: readonly Place[],
	signal: AbortSignal,
): Promise<readonly LocalService[]> {
	const found = await Promise.all(
		places.map(async (place) => {
			const names = await probeModels(createChatCompletions(place.baseUrl), limitMs, signal);
			return names === undefined
				? []
				: [{...place, models: names.filter((name) => isChatModel({name}))}];
		}),
	);
	return found.flat();
}

export type LocatedService = {
	readonly loaded: LoadedSettings;
	/** The choices made. */
	readonly notices: readonly Notice[];
};

/**
 * Asks the places a configured name may mean.
 *
 * @throws {ChatError} `unavailable` when `local:` finds nothing; the signal's reason when aborted
 */
export async function locateService(
	loaded: LoadedSettings,
	signal: AbortSignal,
): Promise<LocatedService> {
	const name = nameOfService(loaded);
	const places = placesOfService(loaded);
	const [service] = await findLocal(places, signal);
	const baseUrl = service?.baseUrl ?? places[0]?.baseUrl;
	if (baseUrl === undefined || (service === undefined && name === anyLocal)) {
		const titles = places.map(({provider, baseUrl: {host}}) => `${provider.title} on ${host}`);
		throw new ChatError('unavailable', `no service answers on this machine: ${titles.join(', ')}`, {
			hint: startHint(),
		});
	}
	const title = service?.provider.title;
	const message = `${name} is ${title} at ${baseUrl.origin}`;
	return {
		loaded: {...loaded, settings: Object.freeze({...loaded.settings, baseUrl})},
		notices: title === undefined ? [] : [{code: 'local-service', message}],
	};
}

/**
 * Suggests local services to connect; undefined without any.
 *
 * @throws the signal's reason when aborted
 */
export async function describeLocal(
	signal: AbortSignal,
	{variables}: Environment,
): Promise<string | undefined> {
	const search = async () => await findLocal(placesOf(anyLocal, variables), signal);
	const found = await recover(search, signal, () => []);
	if (found.length === 0) return undefined;
	const names = found.map(
		({provider, models}) => `${provider.title} (${plural(models.length, 'model')})`,
	);
	const verb = found.length === 1 ? 'runs' : 'run';
	const list = [names.slice(0, -1).join(', '), ...names.slice(-1)].filter(Boolean).join(' and ');
	return `${list} ${verb} on this machine`;
}
