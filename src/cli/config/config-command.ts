/** `chat config`: the settings on disk, read and changed. */
import type {Environment} from '../../environment.ts';
import {ChatError, type ExitCode} from '../../errors.ts';
import {printExact, printNotice, printText} from '../../output/print.ts';
import {redactUrlText} from '../../redact.ts';
import {configPath} from '../../settings/files/config-path.ts';
import {
	type ConfigPlace,
	setConfigValue,
	unsetConfigValue,
} from '../../settings/files/update-config.ts';
import {type LoadedSettings, loadSettings} from '../../settings/options/load-settings.ts';
import type {OptionRow} from '../../settings/options/option-row.ts';
import {configKeyOf, configKeys, optionRows} from '../../settings/options/option-rows.ts';
import {describeSettings} from '../../settings/service/describe-settings.ts';
import type {CommandLine} from '../parse-argv.ts';
import type {configVerbs} from '../resolve-command.ts';
import {checkProfileName, readConfigKey, readConfigValue, refuseProfiles} from './config-keys.ts';
import {editConfig} from './edit-config.ts';
import {describeConfig} from './list-config.ts';

/** What a verb is given. */
type Run = {
	readonly words: readonly string[];
	/** The profile that was named as a flag. */
	readonly profile: string | undefined;
	readonly environment: Environment;
	/** The settings as a run would have them. */
	load(): LoadedSettings;
};

type Verb = {
	/** The words after it. */
	readonly wants: readonly string[];
	readonly run: (run: Run) => Promise<ExitCode>;
};

const verbs: Readonly<Record<(typeof configVerbs)[number], Verb>> = {
	get: {wants: ['key'], run: getValue},
	set: {wants: ['key', 'value'], run: setValue},
	unset: {wants: ['key'], run: unsetValue},
	list: {
		wants: [],
		run: ({load, environment}) => printText(describeConfig(load(), environment), environment),
	},
	path: {wants: [], run: ({environment}) => printExact(findPath(environment), environment)},
	edit: {wants: [], run: ({environment}) => editConfig(findPath(environment), environment)},
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

/** @throws {ChatError} `usage` when too few or too many words follow it */
function findVerb(name: string, words: readonly string[]): Verb {
	const [, verb] = Object.entries(verbs).find(([known]) => known === name) ?? [];
	if (verb === undefined) {
		throw new ChatError('usage', `there is no command "config ${name}"`, {
			hint: 'chat config --help lists them.',
		});
	}
	if (words.length === verb.wants.length) return verb;
	const wanted = ['chat config', name, ...verb.wants.map((word) => `<${word}>`)].join(' ');
	const quoting = verb.wants.includes('value') ? '; a value of several words stands in quotes' : '';
	const needed = verb.wants.map((word) => `a ${word}`).join(' and ');
	const rule = needed === '' ? 'takes no argument' : `needs ${needed}`;
	throw new ChatError('usage', `config ${name} ${rule}`, {hint: `Write: ${wanted}${quoting}`});
}

async function getValue({words: [key = ''], environment, load}: Run): Promise<ExitCode> {
	const name = readConfigKey(key);
	const settings = describeSettings(load(), environment.variables);
	const found = settings.find((setting) => setting.key === configKeyOf(name));
	if (found !== undefined && found.text !== '') return await printExact(found.text, environment);
	printNotice({code: 'settings-file', message: `${key} is not set`}, environment);
	return 1;
}

async function setValue({words, profile, environment}: Run): Promise<ExitCode> {
	const [key = '', text = ''] = words;
	const name = readConfigKey(key);
	const value = readConfigValue(key, name, text, environment.cwd);
	await setConfigValue(findPlace(profile, environment), key, value);
	const {variable = ''}: OptionRow<unknown> = optionRows[name];
	// A profile is named by a flag later, which beats the variable.
	if (profile === undefined && environment.variables[variable]) {
		const message = `${variable} is set, and wins over the file`;
		printNotice({code: 'settings-file', message}, environment);
	}
	return 0;
}

async function unsetValue({words: [key = ''], profile, environment}: Run): Promise<ExitCode> {
	refuseProfiles(key);
	const place = findPlace(profile, environment);
	if (await unsetConfigValue(place, key)) return 0;
	// An unknown key may be removed; asking for a missing one is a mistake.
	if (!configKeys.has(key)) readConfigKey(key);
	printNotice({code: 'settings-file', message: `${redactUrlText(key)} was not set`}, environment);
	return 0;
}

function findPlace(profile: string | undefined, environment: Environment): ConfigPlace {
	if (profile !== undefined) checkProfileName(profile);
	return {path: findPath(environment), profile};
}

/** @throws {ChatError} `create` when there is no place for a config file */
function findPath(environment: Environment): string {
	const path = configPath(environment);
	if (path !== undefined) return path;
	throw new ChatError('create', 'there is no home folder to keep settings in', {
		hint: 'Set HOME or XDG_CONFIG_HOME.',
	});
}
