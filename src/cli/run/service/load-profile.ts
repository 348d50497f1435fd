/** Loads the settings of a profile beside those of a run: another service, with a key of its own. */
import {
	type LoadedSettings,
	loadSettings,
	type SettingsSource,
} from '../../../settings/options/load-settings.ts';
import {
	type FlagTexts,
	pickFields,
	rowOf,
	type SettingName,
	type Settings,
} from '../../../settings/options/settings.ts';

/** Settings that belong to one service. */
const ofService: readonly SettingName[] = [
	...(['baseUrl', 'model', 'profile', 'wire'] as const),
	...(['apiKeyFile', 'authHeader', 'header', 'insecureHttp', 'caFile'] as const),
];

/** Returns the flags that are not about the run's service. */
export function withoutService(flags: FlagTexts): FlagTexts {
	const isOther = ([name]: readonly [string, unknown]) => !ofService.some((own) => own === name);
	return Object.fromEntries(Object.entries(flags).filter(isOther));
}

/**
 * Loads a profile. Flags and variables about the run's service do not count, and neither does a key
 * that came with its address.
 *
 * @param isKeyShared whether `CHAT_API_KEY` is for any service, without `CHAT_BASE_URL`
 * @throws {ChatError} `config` if there is no such profile; as `loadSettings` does
 */
export function loadProfile(
	name: string,
	flags: FlagTexts,
	isKeyShared: boolean,
	environment: SettingsSource,
): LoadedSettings {
	const isKeyLeft = isKeyShared && !environment.variables['CHAT_BASE_URL'];
	const dropped = new Set(ofService.map((setting) => rowOf(setting).variable));
	if (!isKeyLeft) dropped.add('CHAT_API_KEY');
	else dropped.delete('CHAT_API_KEY_FILE');
	const kept = Object.entries(environment.variables).filter(([variable]) => !dropped.has(variable));
	const source = {...environment, variables: Object.fromEntries(kept)};
	return loadSettings({...withoutService(flags), profile: [name]}, source);
}

/** Returns the profile's request fields. */
export function fieldsOfProfile({
	settings,
	sources,
}: LoadedSettings): Partial<Pick<Settings, keyof ReturnType<typeof pickFields<Settings>>>> {
	const fields = Object.entries(pickFields(settings));
	const own = fields.filter(([name]) => sources[name as keyof typeof sources] === 'profile');
	return Object.fromEntries(own);
}
