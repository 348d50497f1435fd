/** The models that a run may ask instead (`--fallback`): at its service, or by a profile at another. */
import type {Fallback, OpenFallback} from '../../../chat/fallback-models.ts';
import type {StreamChat} from '../../../chat/stream-chat.ts';
import type {Environment} from '../../../environment.ts';
import {ChatError} from '../../../errors.ts';
import type {Redact} from '../../../redact.ts';
import type {LoadedSettings} from '../../../settings/options/load-settings.ts';
import type {FlagTexts} from '../../../settings/options/settings.ts';
import {expandModelName} from '../../../settings/service/model-name.ts';
import {findProviderModel} from './choose-model.ts';
import {createKeyReaders} from './key-readers.ts';
import {fieldsOfProfile, loadProfile} from './load-profile.ts';
import {type OpenService, openServiceWith} from './open-service.ts';

/** `service`: that of a profile. */
type OpenModel = OpenFallback & {readonly service?: OpenService};

export type Fallbacks = {
	readonly list: readonly Fallback<OpenModel>[];
	/** Hides the secrets of the services opened so far. */
	readonly redact: Redact;
	close(): Promise<void>;
};

type FallbackRun = {
	readonly loaded: LoadedSettings;
	readonly flags: FlagTexts;
	/** Ends the services. */
	readonly signal: AbortSignal;
	readonly connect: (service: OpenService) => StreamChat;
};

export function createFallbacks(
	{loaded, flags, signal, connect}: FallbackRun,
	environment: Environment,
): Fallbacks {
	const {settings, config} = loaded;
	const opened = new Map<string, Promise<OpenModel>>();
	const services: OpenService[] = [];
	const openProfile = async (name: string): Promise<OpenModel> => {
		const own = loadProfile(name, flags, false, environment);
		if (own.settings.baseUrl === undefined) {
			throw new ChatError('config', 'the profile names no service');
		}
		// A line about a wait would be written over the answer.
		const key = createKeyReaders(environment, signal, () => {});
		const service = await openServiceWith({loaded: own, key}, signal, environment);
		services.push(service);
		const {missingKey, connection} = service;
		if (missingKey !== undefined) throw missingKey;
		const named = service.settings.model ?? findProviderModel(connection.wire.url);
		if (named === undefined) throw new ChatError('config', 'the profile names no model');
		const model = expandModelName(named, service.settings.family);
		const fields = fieldsOfProfile(own);
		return {
			service,
			streamChat: connect(service),
			change: (options) => ({...options, ...fields, model}),
		};
	};
	const openOnce = (name: string) => {
		const known = opened.get(name) ?? openProfile(name);
		opened.set(name, known);
		return known;
	};
	return {
		list: settings.fallback.map((name) => {
			if (Object.hasOwn(config.profiles, name)) {
				return {name, isSameService: false, open: () => openOnce(name)};
			}
			const model = expandModelName(name, settings.family);
			const change: OpenFallback['change'] = (options) => ({...options, model});
			return {
				name: model,
				isSameService: true,
				open: async () => ({streamChat: undefined, change}),
			};
		}),
		redact: (text) => services.reduce((hidden, {redact}) => redact(hidden), text),
		async close() {
			for (const service of services.splice(0)) await service.close();
		},
	};
}
