/** Tries a connection: the key, the models, and one request. */
import {chatModelsOf, type OfferedModel} from '../../../chat/model.ts';
import type {Environment} from '../../../environment.ts';
import {ChatError, hintOf, toChatError} from '../../../errors.ts';
import {lineHint} from '../../../hint.ts';
import {loadKnownModels} from '../../../models/known-models.ts';
import {describeModels} from '../../../protocol/list-models.ts';
import {createStreamChat} from '../../../protocol/stream-chat.ts';
import {describeKey} from '../../../redact.ts';
import {modelsPath} from '../../../settings/files/config-path.ts';
import type {LoadedSettings} from '../../../settings/options/load-settings.ts';
import {checkKey} from '../../../settings/service/api-key.ts';
import {escapeInvisible} from '../../../terminal/safe-text.ts';
import {formatSeconds, formatTokens, shorten} from '../../../wording.ts';
import type {Dialog, Option} from '../../ask.ts';
import {findProviderModel} from '../service/choose-model.ts';
import {listOffered} from '../service/list-offered.ts';
import {describeModel, isNamed} from '../service/model-report.ts';
import {type OpenService, openServiceWith} from '../service/open-service.ts';
import {createProgress} from '../service/show-progress.ts';
import type {ChosenService} from './ask-service.ts';

export type Connection = {
	/** The stored form. */
	readonly baseUrl: string;
	readonly origin: string;
	/** Undefined if each run chooses one. */
	readonly model: string | undefined;
	/** A key to store. */
	readonly newKey: string | undefined;
};

type Context = {
	/** The settings without a profile: the new one may be stored anywhere. */
	readonly loaded: LoadedSettings;
	readonly dialog: Dialog;
	readonly environment: Environment;
};

type Next = 'retry' | 'type-key' | 'go-on' | 'other-service' | 'stop';

/** Returns the reason instead if the user decides against connecting. */
export async function connect(
	service: ChosenService,
	context: Context,
): Promise<Connection | 'other-service' | 'stop'> {
	let newKey = service.isLocal ? undefined : await askKey(service, context);
	for (;;) {
		const open = await openWith(service, newKey, context);
		const {next, model} = await tryService(open, context);
		if (next === 'other-service' || next === 'stop') return next;
		if (next === 'type-key') newKey = await typeKey(service, context);
		const {origin} = open.connection.wire.url;
		if (next === 'go-on') return {baseUrl: service.baseUrl, origin, model, newKey};
	}
}

type Trial = {readonly next: Next; readonly model: string | undefined};

async function tryService(open: OpenService, context: Context): Promise<Trial> {
	const listed = await attempt(askForModels(open, context), context.dialog);
	const isFailed = listed instanceof ChatError;
	const next = isFailed ? await askAfterList(listed, open, context) : 'go-on';
	if (next !== 'go-on') return {next, model: undefined};
	const model = await askModel(isFailed ? [] : listed, open, context);
	return {next: model === undefined ? 'go-on' : await test(open, model, context), model};
}

/** @param typed undefined for the key a run would use */
async function openWith(
	{baseUrl}: ChosenService,
	typed: string | undefined,
	{loaded, dialog, environment}: Context,
): Promise<OpenService> {
	const key = typed === undefined ? undefined : {apiKey: typed, keySource: 'your input'};
	return await openServiceWith({loaded, baseUrl, key}, dialog.signal, environment);
}

/** Returns the work's failure, unless the user ended it. */
async function attempt<Result>(
	work: Promise<Result>,
	{signal}: Dialog,
): Promise<Result | ChatError> {
	try {
		return await work;
	} catch (error) {
		signal.throwIfAborted();
		return toChatError(error);
	}
}

/** Offers an existing key. Returns undefined to use it, or none. */
async function askKey(service: ChosenService, context: Context): Promise<string | undefined> {
	const {dialog} = context;
	const open = await attempt(openWith(service, undefined, context), dialog);
	// The key source fails, such as a missing file: the user can type a key instead.
	if (open instanceof ChatError) await report(open, dialog);
	const {apiKey, keySource} = open instanceof ChatError ? {} : open.connection;
	if (apiKey === undefined) return await typeKey(service, context);
	const isUsed = await dialog.choose('Which key?', [
		{label: `the one from ${keySource}, which ${describeKey(apiKey)}`, value: true},
		{label: 'another one', value: false},
	]);
	return isUsed ? undefined : await typeKey(service, context);
}

async function typeKey(service: ChosenService, context: Context): Promise<string | undefined> {
	const {dialog} = context;
	const {keyPage} = service;
	if (keyPage !== undefined) await dialog.say(`Get a key at ${keyPage}`);
	const check = async (text: string) => {
		const key = checkKey(text, 'the input');
		await openWith(service, key, context);
		return key;
	};
	for (;;) {
		const text = await dialog.secret('API key, or nothing');
		if (text === '') return undefined;
		const key = await attempt(check(text), dialog);
		if (typeof key === 'string') return key;
		await report(key, dialog);
	}
}

const hourMs = 3_600_000;

async function askForModels(
	open: OpenService,
	{dialog: {signal}, environment}: Context,
): Promise<readonly OfferedModel[]> {
	const {connection} = open;
	const {wire, limits} = connection;
	const request = {limitMs: limits.connectMs || hourMs, signal};
	return await showWait(
		`asking ${wire.url.host} for its models`,
		listOffered(open, request, environment).then((listed) =>
			describeModels(listed, connection, request),
		),
		open,
		environment,
	);
}

/** Shows the seconds until the work is done. */
async function showWait<Result>(
	title: string,
	work: Promise<Result>,
	{settings}: OpenService,
	environment: Environment,
): Promise<Result> {
	const progress = createProgress(title, false, environment, settings.plain);
	const show = () => progress.show('Ctrl-C stops');
	show();
	const timer = setInterval(show, 1000);
	try {
		return await work;
	} finally {
		clearInterval(timer);
		progress.end();
	}
}

const stop: Option<Next> = {label: 'stop, and change nothing', value: 'stop'};
const retry: Option<Next> = {label: 'try again', value: 'retry'};
const otherService: Option<Next> = {label: 'choose another service', value: 'other-service'};

async function askAfterList(error: ChatError, open: OpenService, {dialog}: Context): Promise<Next> {
	await report(error, dialog, open);
	if (error.kind === 'auth') return 'type-key';
	const typeName: Option<Next> = {label: 'go on, and type a model name', value: 'go-on'};
	const isReached = error.details.status !== undefined;
	const first = isReached ? [typeName, retry] : [retry, typeName];
	return await dialog.choose('What now?', [...first, otherService, stop]);
}

/** Returns undefined if each run chooses one. */
async function askModel(
	offered: readonly OfferedModel[],
	open: OpenService,
	{dialog, environment}: Context,
): Promise<string | undefined> {
	// Other names could not be told apart on the screen.
	const plain = offered.filter(({name}) => escapeInvisible(name) === name);
	if (plain.length === 0) {
		const {host} = open.connection.wire.url;
		await dialog.say(`No models of ${host} are listed here.`);
		const typed = await dialog.text('Model name, or nothing: each run then needs -m');
		return typed === '' ? undefined : typed;
	}
	const {url} = open.connection.wire;
	const known = await loadKnownModels(modelsPath(environment));
	const choices = sortModels(plain, url).map((model): Option<string | undefined> => {
		const {context} = describeModel(model.name, model, known, url).figures;
		const note = context && `${formatTokens(Number(context.value))} context`;
		return {label: model.name, note, value: model.name};
	});
	const none = {label: 'none: each run chooses one', value: undefined, isApart: true};
	const isListed = (typed: string) => plain.some(({name}) => name === typed);
	return await dialog.choose('Which model?', [...choices, none], {
		typing: 'any name',
		more: (typed) =>
			isListed(typed) ? [] : [{label: typed, note: 'as you typed it', value: typed, isApart: true}],
	});
}

/** Lists chat models: the provider's default, then the newest. */
function sortModels(offered: readonly OfferedModel[], service: URL): readonly OfferedModel[] {
	const usual = findProviderModel(service);
	const rankOf = (model: OfferedModel) =>
		usual !== undefined && isNamed(model, usual) ? Number.POSITIVE_INFINITY : (model.created ?? 0);
	return chatModelsOf(offered).toSorted((one, other) =>
		rankOf(one) === rankOf(other) ? 0 : rankOf(other) - rankOf(one),
	);
}

async function test(
	open: OpenService,
	model: string,
	{dialog, environment}: Context,
): Promise<Next> {
	if (!(await dialog.confirm(`Send “Say hello.” to ${model} as a test?`, 'yes'))) return 'go-on';
	const startedAt = environment.now();
	const work = showWait(
		`waiting for ${model}`,
		sendTest(open, model, dialog.signal),
		open,
		environment,
	);
	const answer = await attempt(work, dialog);
	if (typeof answer === 'string') {
		const time = formatSeconds(environment.now() - startedAt);
		await dialog.say(`It answered after ${time}: ${open.redact(answer)}`);
		return 'go-on';
	}
	await report(answer, dialog, open);
	const keep: Option<Next> = {label: 'store the connection anyway', value: 'go-on'};
	const again: Option<Next> =
		answer.kind === 'auth'
			? {label: 'type another key', value: 'type-key'}
			: {label: 'choose the model again', value: 'retry'};
	return await dialog.choose('What now?', [again, keep, otherService, stop]);
}

const shownLength = 200;

async function sendTest(
	{connection}: OpenService,
	model: string,
	signal: AbortSignal,
): Promise<string> {
	const streamChat = createStreamChat({...connection, isVerbose: false});
	const message = {role: 'user', parts: [{type: 'text', text: 'Say hello.'}]} as const;
	let text = '';
	for await (const events of streamChat(
		{messages: [message], options: {model, isStreaming: true}},
		signal,
	)) {
		for (const event of events) if (event.type === 'text-delta') text += event.text;
	}
	return shorten(text, shownLength);
}

async function report(error: ChatError, dialog: Dialog, open?: OpenService): Promise<void> {
	const {redact, connection} = open ?? {redact: (text: string) => text};
	const {kind, message, details} = error;
	await dialog.say(redact(message));
	// The dialog asks for a key itself; status 407 is about a proxy password.
	const isKeyMissing =
		kind === 'auth' && details.status !== 407 && connection?.apiKey === undefined;
	const hint = hintOf(error);
	if (hint !== undefined && !(open && isKeyMissing)) await dialog.say(redact(lineHint(hint)));
}
