/** Finds the address of a service on this machine that the settings only name. */
import type {Notice} from '../../../chat/event.ts';
import {ChatError} from '../../../errors.ts';
import {startHint} from '../../../providers.ts';
import type {LoadedSettings} from '../../../settings/options/load-settings.ts';
import {anyLocal} from '../../../settings/options/parse-service.ts';
import {nameOfService, placesOfService} from '../../../settings/service/base-url.ts';
import {findLocal} from './find-local.ts';

export type LocatedService = {
	readonly loaded: LoadedSettings;
	/** The choices that were made. */
	readonly notices: readonly Notice[];
	/** The model that the service was started with. */
	readonly model?: string;
	/** The service that was started for this run. */
	readonly server?: OwnServer;
};

export type OwnServer = {
	readonly socketPath: string;
	/** To be called once, at the end of the run. */
	close(): Promise<void>;
};

/**
 * Asks the places that the name may mean.
 *
 * @throws {ChatError} `unavailable` when `local:` finds nothing; the signal's reason when aborted
 */
export async function locateService(
	loaded: LoadedSettings,
	signal: AbortSignal,
): Promise<LocatedService> {
	const {settings} = loaded;
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
	const note = `${name} is ${title} at ${baseUrl.origin}`;
	return {
		loaded: {...loaded, settings: Object.freeze({...settings, baseUrl})},
		notices: title === undefined ? [] : [{code: 'local-service', message: note}],
	};
}
