/** Makes sure that runs use the key that was tried, and not one that wins over a stored key. */
import type {Environment} from '../../../environment.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../../../json.ts';
import type {Config} from '../../../settings/files/config-file.ts';
import {type ConfigValues, changeValues} from '../../../settings/files/update-config.ts';
import {previewSettings} from '../../../settings/options/load-settings.ts';
import {findStrongerKey} from '../../../settings/service/find-key.ts';
import type {Dialog} from '../../ask.ts';

/** A setting to remove, and the part of the file that it is in. */
export type Removal = {readonly key: string; readonly profile: string | undefined};

type Settled = {
	/** Undefined if it is not stored. */
	readonly newKey: string | undefined;
	readonly removals: readonly Removal[];
};

type Stored = {
	/** The file as it will be. */
	readonly config: Config;
	readonly profile: string | undefined;
	/** That of the service. */
	readonly origin: string;
};

/** Asks about each setting that names another key. */
export async function settleKey(
	newKey: string,
	{config: stored, profile, origin}: Stored,
	dialog: Dialog,
	environment: Environment,
): Promise<Settled> {
	const removals: Removal[] = [];
	for (let config = stored; ; ) {
		const loaded = previewSettings(config, profile, environment);
		const stronger = findStrongerKey(loaded);
		// A variable may name another service.
		const isForService = loaded.settings.baseUrl?.origin === origin;
		if (stronger === undefined || !isForService) return {newKey, removals};
		const {owner, problem, hint} = stronger;
		await dialog.say(`${problem}.`);
		if (owner.layer === undefined) {
			await dialog.say(`${hint}.`);
			const isStored = await dialog.choose('Store the key that you typed?', [
				{label: `yes, and I unset ${owner.name} myself`, value: true},
				{label: 'no', value: false},
			]);
			return {newKey: isStored ? newKey : undefined, removals};
		}
		const {name, layer} = owner;
		const isRemoved = await dialog.choose('Which key do runs use from now on?', [
			{label: `the one that you typed: ${name} is removed from the file`, value: true},
			{label: `that of ${name}: the one that you typed is not stored`, value: false},
		]);
		if (!isRemoved) return {newKey: undefined, removals};
		const removal = {key: name, profile: layer.source === 'profile' ? profile : undefined};
		removals.push(removal);
		config = withValues({[name]: undefined}, removal.profile, config);
	}
}

/** Returns the file as it will be. */
export function withValues(
	values: ConfigValues,
	profile: string | undefined,
	config: Config,
): Config {
	const changed = {...config, exists: true};
	if (profile === undefined) return {...changed, values: changeValues(config.values, values)};
	const part = changeValues(asObject(config.profiles[profile]), values);
	return {...changed, profiles: {...config.profiles, [profile]: part}};
}

export function asObject(value: JsonValue | undefined): JsonObject {
	return isJsonObject(value) ? value : {};
}
