/** Reads the key of the service of a run, wherever it is. */
import type {Variables} from '../../environment.ts';
import {type HostedProvider, storeHint} from '../../providers.ts';
import {credentialsPath} from '../files/config-path.ts';
import type {LoadedSettings, SettingsSource} from '../options/load-settings.ts';
import {findHosted, isOwnLlama} from '../options/parse-service.ts';
import type {SettingsWarning} from '../options/unknown-keys.ts';
import {
	checkKey,
	describeKeyCommand,
	describeKeyFile,
	type Key,
	type KeyInput,
	loadCommandKey,
	loadKeyFile,
	readKeyVariable,
} from './api-key.ts';
import {findOpenaiUrl} from './base-url.ts';
import {readStoredKey} from './credentials.ts';
import {findKey, type KeyPlace} from './find-key.ts';

type KeyContext = {
	readonly loaded: LoadedSettings;
	readonly source: SettingsSource;
	readonly input: KeyInput;
};

type OwnKey = {
	/** Without its text if it is left unread. */
	readonly key: Partial<Key> | undefined;
	/** Whether another look would find the same key: that of a variable. */
	readonly isKeyFixed: boolean;
	/** About the file of the stored keys. */
	readonly warning?: string | undefined;
	/** Notices about a key that is missing, or for another service. */
	readonly leftOut?: SettingsWarning | undefined;
	/** Whether the service is known to need one. */
	readonly isMissing?: boolean;
};

export async function findOwnKey(
	baseUrl: URL,
	{loaded, source, input}: KeyContext,
): Promise<OwnKey> {
	const {variables} = source;
	if (isOwnLlama(baseUrl)) return {key: undefined, isKeyFixed: true};
	if (loaded.settings.authHeader === 'none') return {key: undefined, isKeyFixed: false};
	if (isGiven(input)) return {key: input, isKeyFixed: true};
	const {place, leftOut} = findKey(loaded, variables);
	if (place !== undefined) {
		const key = await readKey(place, variables, input);
		return {key, isKeyFixed: place.type === 'variable'};
	}
	const {key, warning} = findStoredKey(baseUrl, source);
	// A user who stored a key for this service knows that the other key is not for it.
	if (key !== undefined) return {key, isKeyFixed: false, warning};
	const own = readOwnVariable(loaded, variables);
	if (own !== undefined) return {key: own, isKeyFixed: true, warning};
	const provider = findHosted(loaded.texts.baseUrl.at(-1) ?? '');
	const none = {key: own, isKeyFixed: false, warning};
	if (provider === undefined) return {...none, leftOut};
	return {...none, leftOut: describeNoKey(provider, baseUrl, leftOut), isMissing: true};
}

/** A hosted service with a name needs a key; a URL may be that of any service. */
function describeNoKey(
	{title, keyVariable, keyPage}: HostedProvider,
	{origin}: URL,
	leftOut: SettingsWarning | undefined,
): SettingsWarning {
	const other = leftOut === undefined ? '' : `; ${leftOut.problem}`;
	return {
		problem: `no API key for ${title} is set${other}`,
		hint: `Get one at ${keyPage}, then set ${keyVariable}, or store it with: ${storeHint(origin)}`,
	};
}

function isGiven(input: KeyInput): input is Key {
	return typeof input === 'object' && 'apiKey' in input;
}

/** Returns only the source of a key that is left unread. */
export async function readKey(
	place: KeyPlace,
	variables: Variables,
	input: KeyInput,
): Promise<Partial<Key> | undefined> {
	const readers = input === 'unread' || isGiven(input) ? undefined : input;
	switch (place.type) {
		case 'file':
			return readers === undefined
				? {keySource: describeKeyFile(place.name)}
				: await loadKeyFile(place.name, readers.readText);
		case 'variable':
			return readKeyVariable(place.name, variables);
		case 'command':
			return readers === undefined
				? {keySource: describeKeyCommand(place.command)}
				: await loadCommandKey(place.command, readers.runCommand);
		default:
			return place satisfies never;
	}
}

/**
 * Reads the variable that the provider itself names for its key. Only the name of the provider, or
 * `OPENAI_BASE_URL`, says that the key is for the service of the run.
 */
function readOwnVariable(loaded: LoadedSettings, variables: Variables): Key | undefined {
	const named = findHosted(loaded.texts.baseUrl.at(-1) ?? '')?.keyVariable;
	const openai = findOpenaiUrl(loaded, variables) && 'OPENAI_API_KEY';
	const name = named ?? openai ?? '';
	return variables[name] ? readKeyVariable(name, variables) : undefined;
}

type FoundKey = {readonly key: Key | undefined; readonly warning: string | undefined};

function findStoredKey({origin}: URL, source: SettingsSource): FoundKey {
	const path = credentialsPath(source);
	if (path === undefined) return {key: undefined, warning: undefined};
	const {key, warning} = readStoredKey(path, origin, source.platform);
	if (key === undefined) return {key, warning};
	const keySource = `${path} (chat auth)`;
	return {key: {apiKey: checkKey(key, keySource), keySource}, warning};
}
