/** Tries a connection: the key, the models, and one request. */
import type {Environment} from '../../environment.ts';
import {ChatError, hintOf, toChatError} from '../../errors.ts';
import {listModels} from '../../protocol/list-models.ts';
import {createStreamChat} from '../../protocol/stream-chat.ts';
import {describeKey, type Redact} from '../../redact.ts';
import {loadSettings} from '../../settings/options/load-settings.ts';
import {checkKey} from '../../settings/service/api-key.ts';
import {escapeInvisible} from '../../terminal/safe-text.ts';
import type {Prompter} from '../../ui/prompts/prompter.ts';
import {askSecret, askText, type Choice, confirm, select} from '../../ui/prompts/questions.ts';
import {shorten} from '../../wording.ts';
import type {CommandLine} from '../command-line/parse-argv.ts';
import {describeHint} from '../hints/describe-hint.ts';
import {keepOffered} from '../models/keep-offered.ts';
import {type OpenService, openService} from '../service/open-service.ts';
import type {ChosenService} from './ask-service.ts';

export type Connection = {
	/** As it is stored. */
	readonly baseUrl: string;
	readonly origin: string;
	/** Undefined if each run chooses one. */
	readonly model: string | undefined;
	/** A key to store. */
	readonly newKey: string | undefined;
};

type Context = {
	readonly flags: CommandLine['flags'];
	readonly prompter: Prompter;
	readonly environment: Environment;
};

/** Returns undefined if the user decides against it. */
export async function connect(
	service: ChosenService,
	context: Context,
): Promise<Connection | undefined> {
	const {prompter} = context;
	const {localModels} = service;
	let newKey = localModels === undefined ? await askKey(service, context) : undefined;
	for (;;) {
		const open = await openWith(service, newKey, context);
		const models = localModels ?? (await askForModels(open, context));
		if (models instanceof ChatError) {
			await report(models, prompter, open.redact);
			if (models.kind === 'auth') {
				newKey = await typeKey(service, context);
				continue;
			}
		}
		const model = await askModel(models instanceof ChatError ? [] : models, prompter);
		const isKept = model === undefined || (await test(open, model, context));
		const {origin} = open.connection.wire.url;
		return isKept ? {baseUrl: service.baseUrl, origin, model, newKey} : undefined;
	}
}

/** Opens the service as a run would that has nothing but it and this key. */
async function openWith(
	{baseUrl}: ChosenService,
	key: string | undefined,
	{flags, prompter, environment}: Context,
): Promise<OpenService> {
	const {CHAT_API_KEY_FILE, CHAT_API_KEY, CHAT_PROFILE, CHAT_MODEL, ...others} =
		environment.variables;
	const variables = {
		...others,
		CHAT_BASE_URL: baseUrl,
		...(key === undefined ? {} : {CHAT_API_KEY: key}),
	};
	const alone = {...environment, variables};
	// The header of the config file is for another service.
	const loaded = loadSettings({authHeader: ['Authorization'], ...flags}, alone);
	const open = await openService(loaded, prompter.signal, alone);
	const {connection} = open;
	const authHeader = flags['authHeader'] && connection.authHeader;
	const keySource = key === undefined ? connection.keySource : 'your input';
	return {...open, connection: {...connection, authHeader, keySource}};
}

/** Offers a key that is there already. Returns undefined to use that one, or none. */
async function askKey(service: ChosenService, context: Context): Promise<string | undefined> {
	const {prompter} = context;
	const {connection} = await openWith(service, undefined, context);
	const {apiKey, keySource} = connection;
	if (apiKey === undefined) return await typeKey(service, context);
	const isUsed = await prompter.ask(
		select('Which key?', [
			{label: `the one from ${keySource}, which ${describeKey(apiKey)}`, value: true},
			{label: 'another one', value: false},
		]),
	);
	return isUsed ? undefined : await typeKey(service, context);
}

async function typeKey(service: ChosenService, context: Context): Promise<string | undefined> {
	const {prompter} = context;
	const {keyPage} = service;
	if (keyPage !== undefined) await prompter.say(`Get a key at ${keyPage}`);
	for (;;) {
		const text = await prompter.ask(askSecret('API key, or nothing'));
		if (text === '') return undefined;
		try {
			const key = checkKey(text, 'the input');
			await openWith(service, key, context);
			return key;
		} catch (error) {
			prompter.signal.throwIfAborted();
			await report(toChatError(error), prompter);
		}
	}
}

const listLimitMs = 10_000;

async function askForModels(
	open: OpenService,
	{prompter, environment}: Context,
): Promise<readonly string[] | ChatError> {
	const {signal} = prompter;
	const {connection} = open;
	await prompter.say(`Asking ${connection.wire.url.host} for its models…`);
	try {
		const models = await listModels(connection, {limitMs: listLimitMs, signal});
		keepOffered(models, open, environment);
		return models.map(({name}) => name);
	} catch (error) {
		signal.throwIfAborted();
		return toChatError(error);
	}
}

/** Returns undefined if each run chooses one. */
async function askModel(
	models: readonly string[],
	prompter: Prompter,
): Promise<string | undefined> {
	// Other names could not be told apart on the screen.
	const plain = models.filter((name) => escapeInvisible(name) === name);
	const choices: ReadonlyArray<Choice<string | undefined>> = [
		...plain.map((name) => ({label: name, value: name})),
		{label: 'another one', value: undefined},
	];
	const chosen = plain.length > 0 && (await prompter.ask(select('Which model?', choices)));
	if (chosen) return chosen;
	const typed = await prompter.ask(askText('Model, or nothing to choose it in each run'));
	return typed === '' ? undefined : typed;
}

/** Returns whether to keep the connection. */
async function test(
	open: OpenService,
	model: string,
	{prompter, environment}: Context,
): Promise<boolean> {
	if (!(await prompter.ask(confirm(`Send “Say hello.” to ${model} as a test?`)))) return true;
	const startedAt = environment.now();
	try {
		const answer = await sendTest(open, model, prompter.signal);
		const seconds = ((environment.now() - startedAt) / 1000).toFixed(1);
		await prompter.say(`It answered after ${seconds} s: ${open.redact(answer)}`);
		return true;
	} catch (error) {
		prompter.signal.throwIfAborted();
		await report(toChatError(error), prompter, open.redact);
		return await prompter.ask(confirm('Store the connection anyway?'));
	}
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

async function report(
	error: ChatError,
	prompter: Prompter,
	redact: Redact = (text) => text,
): Promise<void> {
	const hint = hintOf(error);
	// The dialog asks for a key itself.
	const words = hint?.code === 'set-key' ? undefined : hint && (await describeHint(hint));
	await prompter.say(redact(error.message));
	if (words !== undefined) await prompter.say(redact(words));
}
