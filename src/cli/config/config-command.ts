/** `chat config`: the settings on disk, read and changed. */
import {Command} from 'commander';
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
import {addOptions, parseCommand, readFlags} from '../option-flags.ts';
import type {configVerbs} from '../resolve-command.ts';
import {checkProfileName, readConfigKey, readConfigValue, refuseProfiles} from './config-keys.ts';
import {editConfig} from './edit-config.ts';
import {describeConfig} from './list-config.ts';

/** The grammar of the command. */
export function createConfigProgram(): Command {
	const command = new Command('chat config')
		.usage('get|set|unset|list|path|edit [key] [value]')
		.description('Shows and changes the settings that are kept in a file.')
		.argument('[verb]')
		.argument('[words...]')
		.configureHelp({helpWidth: 100, visibleArguments: () => []})
		.helpOption('-h, --help', 'this text');
	return addOptions(command, ['profile', 'verbose']).addHelpText('after', helpOfVerbs);
}

const helpOfVerbs = `
Commands:
  get <key>          the value that a run would use
  set <key> <value>  keeps a value for every run, or for those with the profile
  unset <key>        takes it out again
  list               every setting, its value, and where that comes from
  path               where the file is
  edit               opens the file in $VISUAL, $EDITOR or vi, and checks it

A key is the long flag without its dashes: base-url, max-tokens.
API keys are kept elsewhere: chat auth set

Examples:
  chat config set base-url https://api.example.com
  chat config set --profile work model terra
  chat --profile work "What is a monad?"`;

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
	argv: readonly string[],
	environment: Environment,
): Promise<ExitCode> {
	const program = createConfigProgram();
	const parsed = parseCommand(program, argv);
	if (parsed.type === 'print') return await printText(parsed.text, environment);
	const [name, ...words] = program.args;
	if (name === undefined) return await runConfigCommand(['--help'], environment);
	const verb = findVerb(name, words);
	const flags = readFlags(program);
	const load = () => loadSettings(flags, environment);
	return await verb.run({words, profile: flags.profile?.at(-1), environment, load});
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
