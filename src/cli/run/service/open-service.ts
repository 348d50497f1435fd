/**
 * Opens a run's service: the configured one, or else the built-in one. Invariant: the built-in
 * service never stands in for a configured one.
 */
import type {Notice, NoticeCode} from '../../../chat/event.ts';
import type {Environment} from '../../../environment.ts';
import {ChatError} from '../../../errors.ts';
import {createChatCompletions} from '../../../protocol/chat-completions/chat-completions.ts';
import type {HeaderOptions} from '../../../protocol/key-header.ts';
import type {ServiceConnection} from '../../../protocol/service-connection.ts';
import type {Wire} from '../../../protocol/wire.ts';
import {createRedactor, type Redact, redactUrl, secretsOfUrl} from '../../../redact.ts';
import {modelsPath} from '../../../settings/files/config-path.ts';
import type {LoadedSettings} from '../../../settings/options/load-settings.ts';
import {
	findHosted,
	findLlamaModel,
	isNameOfPlaces,
	isOwnLlama,
	type LlamaModel,
	parseService,
} from '../../../settings/options/parse-service.ts';
import {rowOf, type Settings} from '../../../settings/options/settings.ts';
import {describeWarning, type SettingsWarning} from '../../../settings/options/unknown-keys.ts';
import type {KnownKey, ReadText} from '../../../settings/service/api-key.ts';
import {nameOfService, placesOfService} from '../../../settings/service/base-url.ts';
import {traceSettings} from '../../../settings/service/describe-settings.ts';
import {expandModelName} from '../../../settings/service/model-name.ts';
import {type ModelLeftOut, withOwnModel} from '../../../settings/service/own-model.ts';
import {findProxy} from '../../../settings/service/proxy.ts';
import {resolveService, type ServiceSettings} from '../../../settings/service/service-settings.ts';
import type {WireName} from '../../../wire-name.ts';
import type {LocatedService} from './find-local.ts';
import {createKeyReaders} from './key-readers.ts';

export type OpenService = {
	/**
	 * The run's settings, with the resolved address, and the model if it belongs to this service.
	 */
	readonly settings: Settings;
	/** The name in JSON output: `built-in`, `llama:model.gguf`, or the base URL. */
	readonly name: string;
	readonly connection: ServiceConnection;
	readonly notices: readonly Notice[];
	/** `-v` lines about the settings. */
	readonly traces: readonly string[];
	readonly redact: Redact;
	/** Reads the key again. Undefined if it cannot have changed. */
	readonly readKey: ServiceConnection['readKey'];
	/** The error for prompting a service known to need a key, if none is set. */
	readonly missingKey?: ChatError | undefined;
	/** The service's everyday name. */
	readonly title: string;
	/** The configured model, if it belongs to another service. */
	readonly modelLeftOut: ModelLeftOut | undefined;
	/** Call once, at the end of the run. */
	close(): Promise<void>;
};

/** @throws {ChatError} as `resolveService` does; the signal's reason when aborted */
export async function openService(
	loaded: LoadedSettings,
	signal: AbortSignal,
	environment: Environment,
): Promise<OpenService> {
	return await openServiceWith({loaded}, signal, environment);
}

type GivenService = {
	readonly loaded: LoadedSettings;
	/** A base URL or a name replacing the configured one. */
	readonly baseUrl?: string;
	/** A key replacing any configured one, or the configured key's source. */
	readonly key?: KnownKey | undefined;
};

/** @throws {ChatError} as `openService` does */
export async function openServiceWith(
	{loaded: given, baseUrl: chosen, key}: GivenService,
	signal: AbortSignal,
	environment: Environment,
): Promise<OpenService> {
	const {variables} = environment;
	const meant = chosen === undefined ? given : withService(chosen, given, variables);
	const located = await locate(meant, signal);
	const {loaded, leftOut} = withOwnModel(located.loaded);
	const llama = findLlamaModel(nameOfService(loaded));
	const {model = llama?.name} = loaded.settings;
	const settings = Object.freeze({...loaded.settings, model});
	const readers = createKeyReaders(environment, signal);
	const service = await resolveService(loaded, key ?? readers);
	const notices = [...located.notices, ...describeWarnings(service)];
	const traces = settings.verbose ? traceSettings(loaded, service) : [];
	const options = connectionOptions(settings);
	if (service.baseUrl === undefined) {
		const {openBuiltIn} = await import('./open-built-in.ts');
		const {wire, apiKey, ...own} = await openBuiltIn(settings, service, signal, environment);
		return {
			settings,
			name: 'built-in',
			title: 'the built-in service',
			connection: {...options, wire, apiKey, keySource: 'the built-in service'},
			notices: [...notices, ...own.notices],
			traces,
			redact: createRedactor([apiKey]),
			readKey: undefined,
			modelLeftOut: undefined,
			close: own.close,
		};
	}
	const {baseUrl, apiKey, keySource, headers, headerSecrets} = service;
	const {authHeader, caFile, dryRun} = settings;
	const proxy = findProxy(baseUrl, variables);
	const certificates = await loadCertificates(caFile, readers.readText, environment);
	const secrets = [apiKey, ...headerSecrets, proxy?.password, ...secretsOfUrl(baseUrl)];
	let redact = createRedactor(secrets);
	const readKey = async (turnSignal: AbortSignal) => {
		// A line about the wait would be written over the screen.
		const silent = createKeyReaders(environment, turnSignal, () => {});
		const again = await resolveService(loaded, silent);
		secrets.push(again.apiKey);
		redact = createRedactor(secrets);
		return {apiKey: again.apiKey, keySource: again.keySource};
	};
	const title = titleOf(baseUrl, loaded);
	// Last, because nobody would stop it if anything else failed.
	const server = dryRun ? undefined : await startLlama(llama, settings, signal, environment);
	return {
		settings,
		name: redactUrl(baseUrl),
		title,
		connection: {
			...options,
			wire: await createWire(service.wire, baseUrl, {authHeader, headers}, environment),
			apiKey,
			keySource,
			authHeader: loaded.sources.authHeader === 'default' ? undefined : authHeader,
			route: {proxy, certificates, socketPath: server?.socketPath},
		},
		notices,
		traces,
		redact: (text) => redact(text),
		readKey: service.isKeyFixed ? undefined : readKey,
		missingKey: findMissingKey(service),
		modelLeftOut: leftOut,
		close: async () => await server?.close(),
	};
}

/** Headers from the file and the variables belong to their own service. */
function withService(
	baseUrl: string,
	loaded: LoadedSettings,
	variables: Environment['variables'],
): LoadedSettings {
	const {settings, sources, texts} = loaded;
	const authHeader =
		sources.authHeader === 'flag' ? settings.authHeader : String(rowOf('authHeader').defaultValue);
	const wire = sources.wire === 'flag' ? settings.wire : 'auto';
	const url = parseService(baseUrl, undefined, variables);
	return {
		...loaded,
		settings: Object.freeze({...settings, baseUrl: url, authHeader, wire}),
		sources: {...sources, baseUrl: 'flag'},
		texts: {...texts, baseUrl: [baseUrl]},
	};
}

/** Loads the chosen convention, and the model table for those asking about models. */
async function createWire(
	name: WireName,
	baseUrl: URL,
	options: HeaderOptions,
	environment: Environment,
): Promise<Wire> {
	if (name === 'chat') return createChatCompletions(baseUrl, options);
	const {loadKnownModels} = await import('../../../models/known-models.ts');
	const known = await loadKnownModels(modelsPath(environment));
	const informed = {...options, findFacts: (model: string) => known.find(baseUrl, model) ?? {}};
	if (name === 'responses') {
		const {createResponses} = await import('../../../protocol/responses/responses.ts');
		return createResponses(baseUrl, informed);
	}
	const {createMessages} = await import('../../../protocol/messages/messages.ts');
	return createMessages(baseUrl, informed);
}

/** Returns the provider's name if the user named it, else the host. */
function titleOf(url: URL, loaded: LoadedSettings): string {
	if (isOwnLlama(url)) return 'llama-server';
	const {origin, host} = url;
	const place = placesOfService(loaded).find(({baseUrl}) => baseUrl.origin === origin);
	return findHosted(nameOfService(loaded))?.title ?? place?.provider.title ?? host;
}

/** The service-independent parts of a connection. */
type ConnectionOptions = Pick<
	ServiceConnection,
	'limits' | 'defaultModel' | 'isModelListWanted' | 'isVerbose'
>;

function connectionOptions(settings: Settings): ConnectionOptions {
	return {
		limits: {
			connectMs: settings.connectTimeout,
			idleMs: settings.idleTimeout,
			payloadMs: settings.payloadTimeout,
			finishGraceMs: settings.finishGrace,
			maxRetries: settings.maxRetries,
		},
		defaultModel:
			settings.model === undefined ? expandModelName(undefined, settings.family) : undefined,
		// Programs reading JSON expect no requests but their own.
		isModelListWanted: settings.output === 'text',
		isVerbose: settings.verbose,
	};
}

function findMissingKey({isKeyMissing, keyWarning}: ServiceSettings): ChatError | undefined {
	if (!isKeyMissing || keyWarning === undefined) return undefined;
	const {problem, hint} = keyWarning;
	return new ChatError('auth', problem, {hint});
}

/** Searches for an ambiguous name only. */
async function locate(loaded: LoadedSettings, signal: AbortSignal): Promise<LocatedService> {
	const {baseUrl} = loaded.settings;
	const isFound = baseUrl === undefined || !isNameOfPlaces(baseUrl) || isOwnLlama(baseUrl);
	if (isFound) return {loaded, notices: []};
	const {locateService} = await import('./find-local.ts');
	return await locateService(loaded, signal);
}

async function startLlama(
	model: LlamaModel | undefined,
	settings: Settings,
	signal: AbortSignal,
	environment: Environment,
) {
	if (model === undefined) return undefined;
	const {openLlama} = await import('./open-llama.ts');
	return await openLlama(model, settings, signal, environment);
}

export async function loadCertificates(
	path: string | undefined,
	read: ReadText,
	{variables}: Environment,
): Promise<string | undefined> {
	if (path === undefined) return undefined;
	// Needs Node's crypto.
	const {loadCaFile, loadExtraCertificates} = await import('../../../settings/service/ca-file.ts');
	const named = await loadCaFile(path, read);
	return `${named}\n${await loadExtraCertificates(variables, read)}`;
}

function describeWarnings({warnings, misspelt, keyWarning}: ServiceSettings): readonly Notice[] {
	const describe = (code: NoticeCode, warning: SettingsWarning): Notice => ({
		code,
		message: describeWarning(warning),
	});
	return [
		...warnings.map((warning) => describe('settings-file', warning)),
		...misspelt.map((warning) => describe('settings-variable', warning)),
		...(keyWarning === undefined ? [] : [describe('api-key', keyWarning)]),
	];
}
