/** Plans `chat setup` changes: the settings, their place, and the key. */
import type {Environment} from '../../../environment.ts';
import {ChatError} from '../../../errors.ts';
import {lineHint} from '../../../hint.ts';
import {isJsonObject, type JsonObject} from '../../../json.ts';
import type {Config} from '../../../settings/files/config-file.ts';
import {type ConfigValues, changeValues} from '../../../settings/files/update-config.ts';
import {checkProfileName, readConfigValue} from '../../../settings/options/config-values.ts';
import {previewSettings} from '../../../settings/options/load-settings.ts';
import {configKeyOf, rowOf} from '../../../settings/options/settings.ts';
import {originOf} from '../../../settings/service/base-url.ts';
import {findStrongerKey} from '../../../settings/service/find-key.ts';
import type {Dialog} from '../../ask.ts';
import type {FlagTexts} from '../../command-line/command.ts';
import {askService, type ChosenService} from './ask-service.ts';
import {type Connection, connect} from './connect.ts';

export type Plan = Omit<Connection, 'baseUrl'> & {
	readonly profile: string | undefined;
	readonly values: ConfigValues;
	readonly removals: readonly Removal[];
};

/** A setting to remove, with its config file section. */
type Removal = {readonly key: string; readonly profile: string | undefined};

type Given = {
	readonly config: Config;
	/** The profile given by flag. */
	readonly profile: string | undefined;
	readonly flags: FlagTexts;
};

/** Returns undefined if the user decides against a connection. */
export async function makePlan(
	{config, profile: named, flags}: Given,
	dialog: Dialog,
	environment: Environment,
): Promise<Plan | undefined> {
	const loaded = previewSettings(config, undefined, environment, flags);
	for (;;) {
		const service = await askService(dialog, environment);
		const connection = await connect(service, {loaded, dialog, environment});
		if (connection === 'stop') return undefined;
		if (connection === 'other-service') continue;
		const profile = named ?? (await askProfile(service, config, dialog));
		const values = {
			...settingsOf(connection, profile, config, environment.variables),
			...settingsOfFlags(flags, environment.cwd),
		};
		const plan = {...connection, profile, values, removals: []};
		if (plan.newKey === undefined) return plan;
		return {...plan, ...(await settleKey(plan, config, dialog, environment))};
	}
}

/** Returns a profile name; undefined for every run. */
async function askProfile(
	{name}: ChosenService,
	{values, profiles}: Config,
	dialog: Dialog,
): Promise<string | undefined> {
	const old = values['base-url'];
	const replaced = typeof old === 'string' ? `, in place of ${old}` : '';
	const isProfile = await dialog.choose('Which runs use this service?', [
		{label: `every run${replaced}`, value: false},
		{label: 'only runs with --profile and a name that you choose', value: true},
	]);
	if (!isProfile) return undefined;
	for (;;) {
		const profile = await dialog.text('Profile name', {suggestion: name});
		try {
			checkProfileName(profile);
		} catch (error) {
			if (!(error instanceof ChatError)) throw error;
			const {hint} = error.details;
			await dialog.say(`${error.message}.`);
			if (hint !== undefined) await dialog.say(lineHint(hint));
			continue;
		}
		if (!Object.hasOwn(profiles, profile)) return profile;
		const isWanted = await dialog.choose(`There is a profile ${profile}. Change its service?`, [
			{label: 'no, another name', value: false},
			{label: 'yes', value: true},
		]);
		if (isWanted) return profile;
	}
}

/** Settings sent to one service only. */
const secretsOfService = ['api-key-command', 'api-key-file', 'headers'];

function settingsOf(
	{baseUrl, origin, model}: Connection,
	profile: string | undefined,
	config: Config,
	variables: Environment['variables'],
): ConfigValues {
	const old = String(partOf(config, profile)['base-url']);
	const isSameService = originOf(old, variables) === origin;
	const others = isSameService ? [] : secretsOfService.map((key) => [key, undefined] as const);
	// A profile would inherit the other service's header.
	const isInherited = profile !== undefined && config.values['auth-header'] !== undefined;
	const header = isInherited ? String(rowOf('authHeader').defaultValue) : undefined;
	return {...Object.fromEntries(others), 'auth-header': header, 'base-url': baseUrl, model};
}

/** Returns the settings later runs also need. */
function settingsOfFlags(flags: FlagTexts, cwd: string): ConfigValues {
	const names = ['authHeader', 'insecureHttp', 'caFile'] as const;
	const values = names.flatMap((name) => {
		const text = flags[name]?.at(-1);
		const key = configKeyOf(name);
		if (text === undefined || key === undefined) return [];
		return [[key, readConfigValue(key, name, text, cwd)] as const];
	});
	return Object.fromEntries(values);
}

/**
 * Makes later runs use the tested key, not one winning over a stored key: asks about each setting
 * naming another key.
 */
async function settleKey(
	{newKey, origin, profile, values}: Plan,
	stored: Config,
	dialog: Dialog,
	environment: Environment,
): Promise<Pick<Plan, 'newKey' | 'removals'>> {
	const removals: Removal[] = [];
	for (let config = preview(stored, profile, values); ; ) {
		const loaded = previewSettings(config, profile, environment);
		const stronger = findStrongerKey(loaded);
		// A variable may name another service.
		const isForService = loaded.settings.baseUrl?.origin === origin;
		if (stronger === undefined || !isForService) return {newKey, removals};
		const {owner, problem, hint} = stronger;
		await dialog.say(`${problem}.`);
		if (owner.layer === undefined) {
			await dialog.say(`${hint}.`);
			const isStored = await dialog.choose('Store the key you typed?', [
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
		config = preview(config, removal.profile, {[name]: undefined});
	}
}

/** Returns the future config file content. */
function preview(config: Config, profile: string | undefined, values: ConfigValues): Config {
	const part = changeValues(partOf(config, profile), values);
	if (profile === undefined) return {...config, exists: true, values: part};
	return {...config, exists: true, profiles: {...config.profiles, [profile]: part}};
}

function partOf({values, profiles}: Config, profile: string | undefined): JsonObject {
	const part = profile === undefined ? values : profiles[profile];
	return isJsonObject(part) ? part : {};
}
