/** `chat config`: reads and changes the settings on disk. */
import type {Environment} from '../../environment.ts';
import {ChatError, type ExitCode} from '../../errors.ts';
import {printExact, printInfo, printText} from '../../output/print.ts';
import {redactUrlText} from '../../redact.ts';
import {configPath, requirePath} from '../../settings/files/config-path.ts';
import {
	type ConfigPlace,
	setConfigValue,
	unsetConfigValue,
} from '../../settings/files/update-config.ts';
import {type LoadedSettings, loadSettings} from '../../settings/options/load-settings.ts';
import {configKeyOf, configKeys, rowOf} from '../../settings/options/settings.ts';
import {describeSettings} from '../../settings/service/describe-settings.ts';
import type {CommandLine} from '../command-line/parse-argv.ts';
import type {configVerbs} from '../command-line/resolve-command.ts';
import {
	checkProfileName,
	readConfigKey,
	readConfigValue,
	readOptionsChange,
	refuseProfiles,
} from './config-keys.ts';
import {editConfig} from './edit-config.ts';
import {describeConfig} from './list-config.ts';

type Run = {
	readonly words: readonly string[];
	/** The profile of the flag. */
	readonly profile: string | undefined;
	readonly environment: Environment;
	/** Loads the settings that a run would use. */
	load(): LoadedSettings;
};

type Verb = {
	readonly parameters: readonly string[];
	readonly run: (run: Run) => Promise<ExitCode>;
};

const verbs: Readonly<Record<(typeof configVerbs)[number], Verb>> = {
	get: {parameters: ['key'], run: getValue},
	set: {parameters: ['key', 'value'], run: setValue},
	unset: {parameters: ['key'], run: unsetValue},
	list: {
		parameters: [],
		run: ({load, environment}) => printText(describeConfig(load(), environment), environment),
	},
	path: {parameters: [], run: ({environment}) => printExact(findPath(environment), environment)},
	edit: {parameters: [], run: ({environment}) => editConfig(findPath(environment), environment)},
};

export async function runConfigCommand(
	{words, flags}: CommandLine,
	environment: Environment,
): Promise<ExitCode> {
	const [name = '', ...rest] = words.map(({text}) => text);
	const verb = findVerb(name, rest);
	const load = () => loadSettings(flags, environment);
	return await verb.run({words: rest, profile: flags['profile']?.at(-1), environment, load});
}

function findVerb(name: string, words: readonly string[]): Verb {
	const [, verb] = Object.entries(verbs).find(([known]) => known === name) ?? [];
	if (words.length === verb?.parameters.length) return verb;
	const parameters = verb?.parameters ?? [];
	const wanted = ['chat config', name, ...parameters.map((word) => `<${word}>`)].join(' ');
	const quoting = parameters.includes('value') ? '; quote a value of several words' : '';
	const needed = parameters.map((word) => `a ${word}`).join(' and ');
	const rule = needed === '' ? 'takes no argument' : `needs ${needed}`;
	throw new ChatError('usage', `config ${name} ${rule}`, {
		hint: {code: 'own-words', words: `Write: ${wanted}${quoting}`},
	});
}

async function getValue({words: [key = ''], environment, load}: Run): Promise<ExitCode> {
	const name = readConfigKey(key);
	const settings = describeSettings(load(), environment.variables);
	const found = settings.find((setting) => setting.key === configKeyOf(name));
	if (found !== undefined && found.text !== '') return await printExact(found.text, environment);
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

async function unsetValue({words: [key = ''], profile, environment}: Run): Promise<ExitCode> {
	refuseProfiles(key);
	const place = findPlace(profile, environment);
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
