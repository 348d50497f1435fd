/** `chat config`: reads and changes the settings on disk. */
import type {Environment} from '../../../environment.ts';
import {ChatError, type ExitCode} from '../../../errors.ts';
import {printExact, printInfo} from '../../../output/print.ts';
import {redactUrlText} from '../../../redact.ts';
import {configPath, requirePath} from '../../../settings/files/config-path.ts';
import {
	type ConfigPlace,
	setConfigValue,
	unsetConfigValue,
} from '../../../settings/files/update-config.ts';
import {type LoadedSettings, loadSettings} from '../../../settings/options/load-settings.ts';
import {configKeyOf, configKeys, rowOf} from '../../../settings/options/settings.ts';
import {describeSettings} from '../../../settings/service/describe-settings.ts';
import {checkVerb, type VerbRules} from '../../check-verb.ts';
import {configRows} from '../../command-line/config-options.ts';
import type {CommandLine} from '../../command-line/parse-argv.ts';
import {type FlagValues, readFlags} from '../../command-line/read-flags.ts';
import type {configVerbs} from '../../command-line/resolve-command.ts';
import {
	checkProfileName,
	readConfigKey,
	readConfigValue,
	readOptionsChange,
	refuseProfiles,
} from './config-keys.ts';
import {editConfig} from './edit-config.ts';
import {listConfig} from './list-config.ts';
import {listProfiles, removeProfile, renameProfile} from './profiles.ts';

type Run = {
	readonly words: readonly string[];
	/** The profile of the flag. */
	readonly profile: string | undefined;
	readonly flags: FlagValues<typeof configRows>;
	readonly environment: Environment;
	/** Loads the settings that a run would use. */
	load(): LoadedSettings;
};

/** The flags that only some verbs have. */
const ownRows = {...configRows, output: rowOf('output')};

type Verb = VerbRules<typeof ownRows> & {
	readonly run: (run: Run) => Promise<ExitCode>;
};

export const verbs: Readonly<Record<(typeof configVerbs)[number], Verb>> = {
	get: {usage: 'chat config get <key>', minWords: 1, maxWords: 1, flags: [], run: getValue},
	set: {
		usage: 'chat config set <key> <value>; quote a value of several words',
		minWords: 2,
		maxWords: 2,
		flags: [],
		run: setValue,
	},
	unset: {
		usage: 'chat config unset <key>, or for a whole profile: chat config unset --profile <name>',
		minWords: 0,
		maxWords: 1,
		flags: ['yes'],
		run: unsetValue,
	},
	list: {
		usage: 'chat config list [--all] [-o json]',
		minWords: 0,
		maxWords: 0,
		flags: ['all', 'output'],
		run: ({flags, environment, load}) => listConfig(load(), flags.all, environment),
	},
	profiles: {
		usage: 'chat config profiles [-o json]',
		minWords: 0,
		maxWords: 0,
		flags: ['output'],
		run: ({environment, load}) => listProfiles(load().settings.output, environment),
	},
	rename: {
		usage: 'chat config rename <profile> <new name>',
		minWords: 2,
		maxWords: 2,
		flags: [],
		run: ({words: [from = '', to = ''], environment}) =>
			renameProfile(findPath(environment), from, to, environment),
	},
	path: {
		usage: 'chat config path',
		minWords: 0,
		maxWords: 0,
		flags: [],
		run: ({environment}) => printExact(findPath(environment), environment),
	},
	edit: {
		usage: 'chat config edit',
		minWords: 0,
		maxWords: 0,
		flags: [],
		run: ({environment}) => editConfig(findPath(environment), environment),
	},
};

export async function runConfigCommand(
	{words, flags}: CommandLine,
	environment: Environment,
): Promise<ExitCode> {
	const [name = '', ...rest] = words.map(({text}) => text);
	const verb = Object.entries(verbs).find(([known]) => known === name)?.[1] ?? verbs.list;
	checkVerb(`config ${name}`, verb, ownRows, {words: rest, flags});
	return await verb.run({
		words: rest,
		profile: flags['profile']?.at(-1),
		flags: readFlags(configRows, flags),
		environment,
		load: () => loadSettings(flags, environment),
	});
}

async function getValue({words: [key = ''], environment, load}: Run): Promise<ExitCode> {
	const name = readConfigKey(key);
	const settings = describeSettings(load(), environment.variables);
	const found = settings.find((setting) => setting.key === configKeyOf(name));
	if (found !== undefined && found.text !== '') {
		if (found.source === 'default')
			printInfo(`${key} is not set; this is the default`, environment);
		return await printExact(found.text, environment);
	}
	printInfo(`${key} is not set`, environment);
	return 1;
}

async function setValue({words, profile, environment}: Run): Promise<ExitCode> {
	const [key = '', text = ''] = words;
	const name = readConfigKey(key);
	const value =
		name === 'option'
			? readOptionsChange(key, text, profile !== undefined)
			: readConfigValue(key, name, text, environment.cwd);
	await setConfigValue(findPlace(profile, environment), key, value);
	const {variable = '', isMerged = false} = rowOf(name);
	// A profile chosen by a flag overrides the variable.
	if (profile === undefined && environment.variables[variable]) {
		const effect = isMerged ? 'is added to' : 'overrides';
		printInfo(`${variable} is set, and ${effect} the file`, environment);
	}
	return 0;
}

async function unsetValue({words, profile, flags, environment, load}: Run): Promise<ExitCode> {
	const place = findPlace(profile, environment);
	const [key] = words;
	if (key === undefined) {
		if (profile === undefined) {
			const hint = `Write: ${verbs.unset.usage}`;
			throw new ChatError('usage', 'config unset needs a key, or a profile', {hint});
		}
		const answers = {isYes: flags.yes, isPlain: () => load().settings.plain};
		return await removeProfile(place.path, profile, answers, environment);
	}
	refuseProfiles(key);
	if (await unsetConfigValue(place, key)) return 0;
	// An unknown key may be removed, but only if it exists.
	if (!configKeys.has(key)) readConfigKey(key);
	printInfo(`${redactUrlText(key)} was not set`, environment);
	return 0;
}

function findPlace(profile: string | undefined, environment: Environment): ConfigPlace {
	if (profile !== undefined) checkProfileName(profile);
	return {path: findPath(environment), profile};
}

function findPath(environment: Environment): string {
	return requirePath(configPath(environment));
}
