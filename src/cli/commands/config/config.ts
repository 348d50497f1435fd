/** `chat config`: reads and changes the settings on disk. */
import type {Environment} from '../../../environment.ts';
import {ChatError, type ExitCode, toChatError} from '../../../errors.ts';
import {printExact, printInfo} from '../../../output/print.ts';
import {redactUrlText} from '../../../redact.ts';
import {configPath, requirePath} from '../../../settings/files/config-path.ts';
import {
	type ConfigPlace,
	changeConfig,
	createConfig,
} from '../../../settings/files/update-config.ts';
import {
	checkProfileName,
	readConfigKey,
	readConfigValue,
	readOptionsChange,
	refopenProfiles,
} from '../../../settings/options/config-values.ts';
import {
	checkConfig,
	type LoadedSettings,
	loadSettings,
} from '../../../settings/options/load-settings.ts';
import {inGroup, toggle} from '../../../settings/options/option-row.ts';
import {optionRows} from '../../../settings/options/option-rows.ts';
import {configKeyOf, configKeys, rowOf} from '../../../settings/options/settings.ts';
import {describeWarning} from '../../../settings/options/unknown-keys.ts';
import {describeSettings} from '../../../settings/service/describe-settings.ts';
import {type Command, type Invocation, readFlags, type Verb} from '../../command-line/command.ts';
import {listOutput, verboseOnly} from '../../command-line/shared-rows.ts';
import {findEditor, runEditor} from '../../run/run-editor.ts';
import {listConfig, listProfiles, removeProfile, renameProfile} from './list.ts';

const listRows = inGroup('Options', {
	all: toggle(false, {
		flags: ['--all'],
		summary: 'print default settings, too',
	}),
});

const unsetRows = inGroup('Options', {
	yes: toggle(false, {
		flags: ['-y, --yes'],
		summary: 'remove a profile without a question',
	}),
});

type Run = Pick<Invocation, 'words' | 'flags' | 'environment'> & {
	/** The profile given by flag. */
	readonly profile: string | undefined;
	/** Loads the settings for a run. */
	load(): LoadedSettings;
};

function withSettings(run: (run: Run) => Promise<ExitCode>): Verb['run'] {
	return ({words, flags, environment}) =>
		run({
			words,
			flags,
			profile: flags['profile']?.at(-1),
			environment,
			load: () => loadSettings(flags, environment),
		});
}

const unsetUsage =
	'chat config unset <key>, or for a whole profile: chat config unset --profile <name>';

export const config: Command = {
	name: 'config',
	description: 'Shows and changes the settings in the config file.',
	flags: {
		profile: {...optionRows.profile, summary: 'profile to show or change'},
		verbose: verboseOnly,
	},
	verbs: {
		get: {
			args: '<key>',
			summary: 'print the value a run would use',
			complete: ['keys'],
			run: withSettings(getValue),
		},
		set: {
			args: '<key> <value>',
			summary: 'store a value, for every run or for a profile',
			complete: ['keys', 'key-values'],
			run: withSettings(setValue),
		},
		unset: {
			args: '[key]',
			summary: 'remove a stored value; with --profile and without a key, a whole profile',
			flags: unsetRows,
			complete: ['keys'],
			usage: unsetUsage,
			run: withSettings(unsetValue),
		},
		list: {
			args: '',
			summary: 'print what is set, with its source',
			flags: {...listRows, output: listOutput},
			run: withSettings(({flags, environment, load}) =>
				listConfig(load(), readFlags(listRows, flags).all, environment),
			),
		},
		profiles: {
			args: '',
			summary: 'print the profiles',
			flags: {output: listOutput},
			run: withSettings(({environment, load}) => listProfiles(load().settings.output, environment)),
		},
		rename: {
			args: '<profile> <new-name>',
			summary: 'rename a profile',
			complete: ['profiles'],
			run: ({words: [from = '', to = ''], environment}) =>
				renameProfile(findPath(environment), from, to, environment),
		},
		path: {
			args: '',
			summary: "print the file's path",
			run: ({environment}) => printExact(findPath(environment), environment),
		},
		edit: {
			args: '',
			summary: 'open the file in $VISUAL, $EDITOR or vi, then check it',
			run: editFile,
		},
	},
	notes: [
		'A key is the long flag without its dashes: base-url, max-tokens. For API keys: chat auth set',
	],
	examples: [
		'chat config set base-url https://api.example.com',
		'chat config set --profile work model terra',
		'chat --profile work "What is a monad?"',
	],
};

async function getValue({words: [key = ''], environment, load}: Run): Promise<ExitCode> {
	const name = readConfigKey(key);
	const settings = describeSettings(load());
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
	await changeConfig(findPlace(profile, environment), {[key]: value});
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
			const hint = `Write: ${unsetUsage}`;
			throw new ChatError('usage', 'config unset needs a key, or a profile', {hint});
		}
		const answers = {isYes: readFlags(unsetRows, flags).yes, isPlain: () => load().settings.plain};
		return await removeProfile(place.path, profile, answers, environment);
	}
	refopenProfiles(key);
	if (await changeConfig(place, {[key]: undefined})) return 0;
	// Removing an unknown key requires its presence in the file.
	if (!configKeys.has(key)) readConfigKey(key);
	printInfo(`${redactUrlText(key)} was not set`, environment);
	return 0;
}

/** @throws {ChatError} `config` when the editor fails, or the file then has a mistake */
async function editFile({environment}: Invocation): Promise<ExitCode> {
	const path = findPath(environment);
	// Before the file is made.
	findEditor(environment);
	await createConfig(path);
	const failure = await runEditor(path, environment).then(() => undefined, toChatError);
	try {
		for (const warning of checkConfig(path, environment.platform))
			printInfo(describeWarning(warning), environment);
	} catch (mistake) {
		if (failure !== undefined) printInfo(failure.message, environment);
		throw mistake;
	}
	if (failure !== undefined) throw failure;
	return 0;
}

function findPlace(profile: string | undefined, environment: Environment): ConfigPlace {
	if (profile !== undefined) checkProfileName(profile);
	return {path: findPath(environment), profile};
}

function findPath(environment: Environment): string {
	return requirePath(configPath(environment));
}
