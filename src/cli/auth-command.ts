/** `chat auth`: the API keys on disk, each for the service it was given for. */
import {Command} from 'commander';
import type {Environment} from '../environment.ts';
import {ChatError, type ExitCode} from '../errors.ts';
import {readNamedText} from '../input/read-named-text.ts';
import {printNotice, printText} from '../output/print.ts';
import {describeKey, redactUrl} from '../redact.ts';
import {credentialsPath} from '../settings/files/config-path.ts';
import {type LoadedSettings, loadSettings} from '../settings/options/load-settings.ts';
import {checkKey} from '../settings/service/api-key.ts';
import {removeStoredKey, storeKey} from '../settings/service/credentials.ts';
import type {ReadText} from '../settings/service/named-file.ts';
import {checkEncrypted, findBaseUrl, resolveService} from '../settings/service/service-settings.ts';
import {addOptions, parseCommand, readFlags} from './option-flags.ts';
import {readKeyInput} from './read-key-input.ts';
import type {authVerbs} from './resolve-command.ts';

/** The grammar of the command. */
export function createAuthProgram(): Command {
	const command = new Command('chat auth')
		.usage('set|status|remove [options]')
		.description('Keeps the API key of a service on disk, for its owner alone.')
		.argument('[verb]')
		.argument('[words...]')
		.configureHelp({helpWidth: 100, visibleArguments: () => []})
		.helpOption('-h, --help', 'this text');
	const flags = ['baseUrl', 'profile', 'insecureHttp', 'verbose'] as const;
	return addOptions(command, flags).addHelpText('after', helpOfVerbs);
}

const helpOfVerbs = `
Commands:
  set     asks for the key without showing it, or takes it from a pipe, and stores it
  status  which key the service would get, by its source and its last four characters
  remove  deletes the stored key

The service is that of --base-url, or the one that a run would ask. A stored key is sent to no
other origin than its own.

Examples:
  chat auth set --base-url https://api.example.com
  pass show example/api-key | chat auth set --base-url https://api.example.com`;

type Verb = (loaded: LoadedSettings, environment: Environment) => Promise<ExitCode>;

const verbs: Readonly<Record<(typeof authVerbs)[number], Verb>> = {
	set: setKey,
	status: showStatus,
	remove: removeKey,
};

export async function runAuthCommand(
	argv: readonly string[],
	environment: Environment,
): Promise<ExitCode> {
	const program = createAuthProgram();
	const parsed = parseCommand(program, argv);
	if (parsed.type === 'print') return await printText(parsed.text, environment);
	const [name, ...words] = program.args;
	if (name === undefined) return await runAuthCommand(['--help'], environment);
	const [, verb] = Object.entries(verbs).find(([known]) => known === name) ?? [];
	if (verb === undefined || words.length > 0) {
		throw new ChatError('usage', `auth ${verb === undefined ? '' : `${name} `}takes no argument`, {
			hint: 'A key does not belong on the command line: chat auth set asks for it, or reads a pipe.',
		});
	}
	return await verb(loadSettings(readFlags(program), environment), environment);
}

async function setKey(loaded: LoadedSettings, environment: Environment): Promise<ExitCode> {
	const baseUrl = requireBaseUrl(loaded, environment);
	const path = requirePath(environment);
	checkEncrypted(baseUrl, loaded.settings.insecureHttp);
	const {origin} = baseUrl;
	const key = checkKey(await readKeyInput(origin, environment), 'what was given');
	await storeKey(path, origin, key);
	const message = `the key for ${origin}, which ${describeKey(key)}, is stored in ${path}`;
	printNotice({code: 'settings-file', message}, environment);
	return 0;
}

async function showStatus(loaded: LoadedSettings, environment: Environment): Promise<ExitCode> {
	const read: ReadText = (path) => readNamedText(path, environment.cwd);
	const service = await resolveService(loaded, environment, read);
	const {baseUrl, apiKey, keySource, warnings} = service;
	for (const message of warnings) printNotice({code: 'settings-file', message}, environment);
	const url = baseUrl === undefined ? 'built-in (no base URL is set)' : redactUrl(baseUrl);
	const key = apiKey === undefined ? 'none' : `from ${keySource}, ${describeKey(apiKey)}`;
	await printText(`service  ${url}\nkey      ${key}\n`, environment);
	return apiKey === undefined ? 1 : 0;
}

async function removeKey(loaded: LoadedSettings, environment: Environment): Promise<ExitCode> {
	const {origin} = requireBaseUrl(loaded, environment);
	const path = requirePath(environment);
	const wasThere = await removeStoredKey(path, origin);
	const message = wasThere
		? `the key for ${origin} is deleted from ${path}`
		: `no key is stored for ${origin}`;
	printNotice({code: 'settings-file', message}, environment);
	return 0;
}

/** @throws {ChatError} `config` when no service is set */
function requireBaseUrl(loaded: LoadedSettings, {variables}: Environment): URL {
	const baseUrl = findBaseUrl(loaded, variables);
	if (baseUrl !== undefined) return baseUrl;
	throw new ChatError('config', 'a key is stored for a service, and no service is configured', {
		hint: 'Name it with --base-url, or set it with: chat config set base-url <url>',
	});
}

/** @throws {ChatError} `create` when there is no place for the keys */
function requirePath(environment: Environment): string {
	const path = credentialsPath(environment);
	if (path !== undefined) return path;
	throw new ChatError('create', 'there is no home folder to keep keys in', {
		hint: 'Set HOME or XDG_CONFIG_HOME.',
	});
}
