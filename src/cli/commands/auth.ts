/** `chat auth`: stores a service's API key. */
import type {Environment} from '../../environment.ts';
import {ChatError, type ExitCode} from '../../errors.ts';
import {linesOf, printInfo, printList, printText} from '../../output/print.ts';
import {describeKey, redactUrl} from '../../redact.ts';
import {credentialsPath, requirePath} from '../../settings/files/config-path.ts';
import {type LoadedSettings, loadSettings} from '../../settings/options/load-settings.ts';
import {optionRows} from '../../settings/options/option-rows.ts';
import {isNameOfPlaces, isOwnLlama} from '../../settings/options/parse-service.ts';
import {describeWarning} from '../../settings/options/unknown-keys.ts';
import {checkKey} from '../../settings/service/api-key.ts';
import {checkEncrypted, findBaseUrl} from '../../settings/service/base-url.ts';
import {listStoredOrigins, removeStoredKey, storeKey} from '../../settings/service/credentials.ts';
import {findStrongerKey} from '../../settings/service/find-key.ts';
import {resolveService} from '../../settings/service/service-settings.ts';
import {escapeInvisible} from '../../terminal/safe-text.ts';
import {askSecret} from '../ask.ts';
import type {Command, Verb} from '../command-line/command.ts';
import {listOutput, verboseOnly} from '../command-line/shared-rows.ts';
import {createKeyReaders} from '../run/service/key-readers.ts';
import {untilInterrupted} from '../run/until-interrupted.ts';

const {baseUrl, profile, insecureHttp} = optionRows;

export const auth: Command = {
	name: 'auth',
	description: 'Stores the API keys of services, in a file readable by you alone.',
	flags: {baseUrl, profile, insecureHttp, verbose: verboseOnly},
	verbs: {
		set: {
			args: '',
			summary: 'ask for the key without showing it, or read it from a pipe, and store it',
			run: withService(setKey),
		},
		status: {
			args: '',
			summary: 'print where the key comes from, and its last four characters',
			run: withService(showStatus),
		},
		list: {
			args: '',
			summary: 'print the services with a stored key',
			flags: {output: listOutput},
			run: ({flags, environment}) => listKeys(loadSettings(flags, environment), environment),
		},
		remove: {
			args: '',
			summary: 'delete the stored key',
			run: withService(removeKey),
		},
	},
	advice: 'Other users can read a command line: chat auth set asks for the key, or reads a pipe.',
	notes: [
		'The service is --base-url, or the one a run would use. A stored key goes only to the origin it was stored for.',
	],
	examples: [
		'chat auth set --base-url https://api.example.com',
		'pass show example/api-key | chat auth set --base-url https://api.example.com',
	],
};

/** Loads the settings, resolving a local service's address. */
function withService(
	run: (loaded: LoadedSettings, environment: Environment) => Promise<ExitCode>,
): Verb['run'] {
	return async ({flags, environment}) => {
		const loaded = loadSettings(flags, environment);
		const {baseUrl: url} = loaded.settings;
		if (url === undefined || !isNameOfPlaces(url)) return await run(loaded, environment);
		if (isOwnLlama(url)) {
			throw new ChatError('usage', 'a llama-server that chat starts needs no key');
		}
		const {locateService} = await import('../run/service/find-local.ts');
		const located = await locateService(loaded, new AbortController().signal);
		return await run(located.loaded, environment);
	};
}

async function setKey(loaded: LoadedSettings, environment: Environment): Promise<ExitCode> {
	const baseUrl = requireBaseUrl(loaded);
	const path = requirePath(credentialsPath(environment));
	checkEncrypted('the API key', baseUrl, loaded.settings.insecureHttp);
	const {origin} = baseUrl;
	const stronger = findStrongerKey(loaded);
	if (stronger !== undefined) {
		printInfo(stronger.problem, environment);
		printInfo(stronger.hint, environment);
	}
	const key = checkKey(
		await askSecret(
			{title: `API key for ${origin}`, noun: 'key', fromFile: 'chat auth set < key.txt'},
			environment,
		),
		'the given key',
	);
	await storeKey(path, origin, key);
	printInfo(`the key for ${origin} (${describeKey(key)}) is stored in ${path}`, environment);
	return 0;
}

async function showStatus(loaded: LoadedSettings, environment: Environment): Promise<ExitCode> {
	const service = await untilInterrupted(environment, (signal) =>
		resolveService(loaded, createKeyReaders(environment, signal)),
	);
	const {baseUrl, apiKey, keySource, warnings, misspelt, keyWarning} = service;
	const all = [...warnings, ...misspelt, ...(keyWarning === undefined ? [] : [keyWarning])];
	for (const warning of all) printInfo(describeWarning(warning), environment);
	const why = service.isBuiltInChosen ? '' : ' (no base URL is set)';
	const url = baseUrl === undefined ? `built-in${why}` : redactUrl(baseUrl);
	const key = apiKey === undefined ? 'none' : `from ${keySource}, ${describeKey(apiKey)}`;
	await printText(`service  ${url}\nkey      ${key}\n`, environment);
	return apiKey === undefined ? 1 : 0;
}

/** Prints the services alone: a key is never shown. */
async function listKeys(loaded: LoadedSettings, environment: Environment): Promise<ExitCode> {
	const path = credentialsPath(environment);
	const services = path === undefined ? [] : readOrigins(path);
	if (services.length === 0) printInfo('no keys are stored', environment);
	const format = {
		format: loaded.settings.output,
		toJson: (service: string) => ({service}),
		toText: linesOf(escapeInvisible),
	};
	return await printList(services, format, environment);
}

function readOrigins(path: string): readonly string[] {
	try {
		return listStoredOrigins(path);
	} catch (error) {
		// The file is there and cannot be read.
		if (error instanceof ChatError) throw error;
		throw new ChatError('config', (error as Error).message);
	}
}

async function removeKey(loaded: LoadedSettings, environment: Environment): Promise<ExitCode> {
	const {origin} = requireBaseUrl(loaded);
	const path = requirePath(credentialsPath(environment));
	const wasStored = await removeStoredKey(path, origin);
	const done = `the key for ${origin} is deleted from ${path}`;
	printInfo(wasStored ? done : `no key is stored for ${origin}`, environment);
	return 0;
}

function requireBaseUrl(loaded: LoadedSettings): URL {
	const baseUrl = findBaseUrl(loaded);
	if (baseUrl !== undefined) return baseUrl;
	if (loaded.settings.baseUrl !== undefined) {
		throw new ChatError('usage', 'the built-in service needs no key');
	}
	throw new ChatError('config', 'no service is configured to store a key for', {
		hint: 'Use --base-url, or set it with: chat config set base-url <url>',
	});
}
