/**
 * Finds the service of a run and its key.
 *
 * Invariant: a key is sent only to the service it was given for, and unencrypted only on this
 * machine, unless the user allows more.
 */
import type {HostedProvider} from '../../providers.ts';
import {mayHoldSecret} from '../../redact.ts';
import type {WireName} from '../../wire-name.ts';
import type {LoadedSettings} from '../options/load-settings.ts';
import {
	findUnknownKeys,
	findUnknownVariables,
	type SettingsWarning,
} from '../options/unknown-keys.ts';
import type {KeyPlace, KnownKey} from './api-key.ts';
import {checkEncrypted, findBaseUrl} from './base-url.ts';
import {assertBuiltInAllowed} from './built-in-allowed.ts';
import {chooseWire} from './choose-wire.ts';
import {findHeaders} from './find-headers.ts';
import {
	findGivenKey,
	findOffers,
	noKey,
	type ResolvedKey,
	readKey,
	resolveKey,
} from './find-key.ts';

export type ServiceSettings = ResolvedKey & {
	/** Undefined for the built-in service. */
	readonly baseUrl: URL | undefined;
	/** The request convention. */
	readonly wire: WireName;
	/** More headers of every request, by name in lower case. */
	readonly headers: Readonly<Record<string, string>>;
	/** The parts of their values that may be secrets. */
	readonly headerSecrets: readonly string[];
	/** Whether the settings name the built-in service. */
	readonly isBuiltInChosen: boolean;
	/** The providers whose keys are in variables, if no service is set. */
	readonly unusedKeys: readonly HostedProvider[];
	/** Notices about variables that are probably meant for settings. */
	readonly misspelt: readonly SettingsWarning[];
	/** About the files of settings and keys. */
	readonly warnings: readonly SettingsWarning[];
};

/**
 * @throws {ChatError} `config` when a service is meant and not set, its URL is not valid, the key
 * or headers would be sent unencrypted, or the stored keys are not valid; `auth` when the source of
 * the key is empty or not a key; as `findHeaders` does; whatever reading the key throws
 */
export async function resolveService(
	loaded: LoadedSettings,
	input: KnownKey,
): Promise<ServiceSettings> {
	const {
		settings,
		config,
		source: {variables},
	} = loaded;
	const baseUrl = findBaseUrl(loaded);
	const {headers, secrets: headerSecrets} = findHeaders(loaded, baseUrl?.origin);
	const common = {
		wire: chooseWire(baseUrl, settings.wire),
		headers,
		headerSecrets,
		misspelt: findUnknownVariables(variables),
		isBuiltInChosen: false,
		unusedKeys: [],
	};
	const warnings = [
		...toWarnings(config.problem, config.warning),
		...findUnknownKeys(loaded.layers),
	];
	if (baseUrl !== undefined) {
		const [key, warning] = await resolveKey(baseUrl, input, loaded);
		const secret = key.keySource === undefined ? nameHeader(headers) : 'the API key';
		if (secret !== undefined) checkEncrypted(secret, baseUrl, settings.insecureHttp);
		// A service may also accept its key in a header of another name.
		const isKeyMissing = key.isKeyMissing && !Object.keys(headers).some(mayHoldSecret);
		return {
			...common,
			...key,
			baseUrl,
			warnings: [...warnings, ...toWarnings(warning)],
			isKeyMissing,
		};
	}
	const builtIn = {...common, ...noKey, baseUrl, warnings};
	if (settings.baseUrl !== undefined) return {...builtIn, isBuiltInChosen: true};
	const {place} = findGivenKey(loaded);
	if (place !== undefined) await readKey(place, input);
	assertBuiltInAllowed(describeGiven(place, headers), loaded);
	return {...builtIn, unusedKeys: findOffers(variables)};
}

/** Returns the beginning of a sentence about a key or header that was given for a service. */
function describeGiven(
	place: KeyPlace | undefined,
	headers: ServiceSettings['headers'],
): string | undefined {
	if (place !== undefined) {
		return `${place.keySource} ${place.type === 'file' ? 'contains a key' : 'is set'}`;
	}
	const header = nameHeader(headers);
	return header && `${header} is set`;
}

function nameHeader(headers: ServiceSettings['headers']): string | undefined {
	const [header] = Object.keys(headers);
	return header && `the header ${header}`;
}

function toWarnings(...problems: ReadonlyArray<string | undefined>): readonly SettingsWarning[] {
	return problems.flatMap((problem) => (problem === undefined ? [] : [{problem}]));
}
