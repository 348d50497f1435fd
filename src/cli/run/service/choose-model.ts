/**
 * Chooses a model for a run naming none. Invariant: the specification's default goes only to a
 * service listing it, or lacking a readable list.
 */
import type {Notice} from '../../../chat/event.ts';
import {chatModelsOf, type OfferedModel} from '../../../chat/model.ts';
import type {Environment} from '../../../environment.ts';
import {ChatError, hintOf, toChatError} from '../../../errors.ts';
import {joinHints} from '../../../hint.ts';
import {printInfo} from '../../../output/print.ts';
import {listLoadedModels, type ModelsRequest, offeredHint} from '../../../protocol/list-models.ts';
import {hostedProviders} from '../../../providers.ts';
import type {LoadedSettings} from '../../../settings/options/load-settings.ts';
import {expandModelName} from '../../../settings/service/model-name.ts';
import {escapeInvisible, stripToLine} from '../../../terminal/safe-text.ts';
import {plural, quoteWord} from '../../../wording.ts';
import {ask} from '../../ask.ts';
import {createModelsRequest, listOffered} from './list-offered.ts';
import type {OpenService} from './open-service.ts';

export type ModelRun = {
	/** The settings source. */
	readonly loaded: LoadedSettings;
	/** Whether the user can choose a model later, with `/model`. */
	readonly isSession: boolean;
	readonly signal: AbortSignal;
};

type Chosen = {
	/** Empty for a session in which the user has to choose. */
	readonly model: string;
	/** The reason, if worth a line. */
	readonly note?: string;
	/** Whether the choice was automatic. */
	readonly isDefault?: boolean;
};

/**
 * Returns the service with a model in its settings.
 *
 * @throws {ChatError} `usage` when the user has to choose, and cannot be asked; as the request for
 * the list does, except in a session
 */
export async function chooseModel(
	service: OpenService,
	run: ModelRun,
	environment: Environment,
): Promise<OpenService> {
	const {model, note, isDefault = false} = await choose(service, run, environment);
	const {settings, connection, notices, modelLeftOut: other} = service;
	const reason = note ?? (other && `using ${model}, because no model is set for this service`);
	const left = other === undefined ? '' : ` (${other.name} is for ${other.baseUrl})`;
	const told: readonly Notice[] =
		reason === undefined ? [] : [{code: 'model', message: reason + left}];
	return {
		...service,
		settings: Object.freeze({...settings, model}),
		connection: {...connection, defaultModel: isDefault ? model : undefined},
		notices: [...notices, ...told],
	};
}

async function choose(
	service: OpenService,
	{loaded, isSession, signal}: ModelRun,
	environment: Environment,
): Promise<Chosen> {
	const {settings, connection, title, redact} = service;
	const {url} = connection.wire;
	const byDefault = (model: string, note: string) => ({model, note, isDefault: true});
	const ofProvider = findProviderModel(url);
	if (ofProvider !== undefined) {
		const note = `using ${ofProvider}, the default for ${title}; -m chooses another`;
		return byDefault(ofProvider, note);
	}
	const standard = expandModelName(undefined, settings.family);
	// A dry run sends nothing, not even this request.
	if (settings.dryRun) {
		return byDefault(standard, `no model is set: a run first asks ${url.host} for its models`);
	}
	const request = createModelsRequest(limitMs, service, signal, environment);
	const waiting = () => printInfo(`waiting for the model list of ${url.host}`, environment);
	const timer = setTimeout(waiting, waitingAfterMs);
	const offered = await listOrFail(service, request, environment).finally(() =>
		clearTimeout(timer),
	);
	if (offered instanceof ChatError) {
		if (!isSession) throw offered;
		return {model: '', note: `${offered.message}, so no model is set; /model chooses one`};
	}
	const pick = await pickModel(offered, standard, connection, request);
	if ('model' in pick) {
		const {model, reason} = pick;
		if (reason === 'default') return {model, isDefault: true};
		return {model, note: `using ${model}, the ${reason} model of ${title}`};
	}
	const {names} = pick;
	const asked = await askModel(names, service, environment);
	// A model is stored beside its base URL.
	const {profile, sources} = loaded;
	const keep = keepHint(asked, sources.baseUrl, profile);
	if (asked !== undefined) return {model: asked, note: `using ${asked}. ${keep}`};
	const models = names.map((name) => redact(stripToLine(name)));
	const count = plural(names.length, 'model');
	throw new ChatError('usage', `no model is set, and ${title} offers ${count}`, {
		hint: joinHints(offeredHint(models), keep),
	});
}

/**
 * Explains how to keep a model.
 *
 * @param model undefined before the choice
 * @param place the base URL's source, where the model is stored too
 */
function keepHint(
	model: string | undefined,
	place: LoadedSettings['sources']['baseUrl'],
	profile: string | undefined,
): string {
	const name = model === undefined ? 'NAME' : quoteWord(model);
	const set = `chat config set ${profile === undefined ? '' : `--profile ${profile} `}model ${name}`;
	const keep = place === 'config' || place === 'profile' ? set : `CHAT_MODEL=${name}`;
	if (model !== undefined) {
		return place === 'flag' ? `For the next run: -m ${name}` : `To keep it: ${keep}`;
	}
	return place === 'flag'
		? 'Choose one with -m NAME'
		: `Choose one with -m NAME; for every run: ${keep}`;
}

/** Returns the provider's alias for this service, if any. */
export function findProviderModel({origin}: URL): string | undefined {
	return hostedProviders.find(({baseUrl}) => baseUrl.startsWith(`${origin}/`))?.model;
}

type Pick =
	| {readonly model: string; readonly reason: 'default' | 'only' | 'loaded'}
	/** The models among which only the user can choose. */
	| {readonly names: readonly string[]};

/**
 * Picks a model needing no choice.
 *
 * @param offered none for a service without a list
 * @param standard the specification's default
 */
export async function pickModel(
	offered: readonly OfferedModel[],
	standard: string,
	connection: OpenService['connection'],
	request: ModelsRequest,
): Promise<Pick> {
	if (offered.length === 0 || offered.some(({name}) => name === standard)) {
		return {model: standard, reason: 'default'};
	}
	const candidates = chatModelsOf(offered);
	const [only, ...others] = candidates;
	if (only !== undefined && others.length === 0) return {model: only.name, reason: 'only'};
	const [inMemory, ...more] = await listLoadedModels(candidates, connection, request);
	if (inMemory !== undefined && more.length === 0) return {model: inMemory.name, reason: 'loaded'};
	return {names: candidates.map(({name}) => name)};
}

const nameHint = 'To send a prompt without the list, name a model: -m NAME';

const limitMs = 10_000;
const waitingAfterMs = 3000;

/** Statuses from services answering only the prompt address. */
const unknownAddress: ReadonlySet<number> = new Set([400, 404, 405, 410, 415, 422, 501]);

/** Returns no models for a service without a list, or the error for an unreadable list. */
async function listOrFail(
	service: OpenService,
	request: ModelsRequest,
	environment: Environment,
): Promise<readonly OfferedModel[] | ChatError> {
	try {
		return await listOffered(service, request, environment);
	} catch (error) {
		request.signal.throwIfAborted();
		const failure = toChatError(error);
		const {kind, message, details} = failure;
		const {status} = details;
		const isUnknown = status !== undefined && unknownAddress.has(status);
		if ((isUnknown && kind !== 'auth') || kind === 'protocol') return [];
		if (status === undefined && kind !== 'timeout') return failure;
		const hint = joinHints(...[hintOf(failure) ?? [], nameHint].flat());
		return new ChatError(kind, message, {...details, hint});
	}
}

/** Returns undefined where nobody can be asked. */
async function askModel(
	names: readonly string[],
	{settings, title}: OpenService,
	environment: Environment,
): Promise<string | undefined> {
	// Names with invisible characters could not be told apart on the screen.
	const plain = names.filter((name) => escapeInvisible(name) === name);
	if (plain.length === 0 || settings.output !== 'text' || !settings.stdin) return undefined;
	const choices = plain.map((name) => ({label: name, value: name}));
	const policy = {isPlain: settings.plain, result: undefined};
	return await ask<string | undefined>(policy, environment, ({choose}) =>
		choose(`No model is set. Which one of ${title}?`, choices),
	);
}
