/** `chat [options] [prompt...]`: one answer. */
import type {ChatEventBatch} from '../chat/event.ts';
import type {Environment} from '../environment.ts';
import {ChatError, type ExitCode, toChatError} from '../errors.ts';
import {type Prompt, readPrompt} from '../input/read-prompt.ts';
import {printNotice, printText} from '../output/print.ts';
import {type OutputOptions, writeTurn} from '../output/write-turn.ts';
import {type MergedSettings, mergeSettings} from '../settings/merge.ts';
import type {Settings} from '../settings/option-rows.ts';
import {
	checkCombinations,
	createChatOptions,
	createOutputOptions,
	readSystem,
	remarkOn,
} from './chat-options.ts';
import {createChatProgram} from './chat-program.ts';
import {openChat} from './open-chat.ts';
import {openService} from './open-service.ts';
import {parseCommand, readFlags} from './option-flags.ts';

export async function runChatCommand(
	argv: readonly string[],
	environment: Environment,
): Promise<ExitCode> {
	const parsed = parseCommand(createChatProgram(), argv);
	if (parsed.type === 'print') return await printText(parsed.text, environment);
	const merged = mergeSettings(readFlags(parsed.command), environment.variables);
	const output: OutputOptions = {
		...createOutputOptions(merged.settings),
		service: null,
		redact: (text) => text,
	};
	const interrupt = new AbortController();
	const stopListening = environment.onInterrupt((signal) =>
		interrupt.abort(new ChatError('interrupted', `interrupted (${signal})`, {signal})),
	);
	try {
		return await answer(merged, parsed.command.args, output, interrupt.signal, environment);
	} catch (error) {
		const failure = toChatError(error);
		if (failure.kind === 'closed' || failure.kind === 'output') throw failure;
		return await writeTurn(failedTurn(failure), output, environment);
	} finally {
		stopListening();
	}
}

async function answer(
	merged: MergedSettings,
	words: readonly string[],
	output: OutputOptions,
	signal: AbortSignal,
	environment: Environment,
): Promise<ExitCode> {
	const {settings} = merged;
	checkCombinations(settings);
	const options = await createChatOptions(settings, environment.cwd);
	const system = await readSystem(settings, environment.cwd);
	const prompt = await readPrompt(promptRequest(settings, words, signal, environment));
	const message = requirePrompt(prompt);
	const service = await openService(merged, environment);
	try {
		const {connection, notices, redact, name} = service;
		const events = openChat({
			connection,
			options,
			system,
			message,
			notices: [...notices, ...prompt.notices, ...remarkOn(options, message)],
			signal,
		});
		return await writeTurn(events, {...output, service: name, redact}, environment);
	} finally {
		await service.close();
	}
}

function promptRequest(
	settings: Settings,
	words: readonly string[],
	signal: AbortSignal,
	environment: Environment,
): Parameters<typeof readPrompt>[0] {
	const {stdin, stdout, cwd} = environment;
	const isTerminalPrompt = stdin.kind === 'terminal' && !stdout.isTerminal && words.length === 0;
	const tell = (message: string) => {
		if (!settings.quiet) printNotice({code: 'waiting-for-stdin', message}, environment);
	};
	if (isTerminalPrompt && settings.stdin)
		tell('reading the prompt from the terminal; end it with Ctrl-D');
	return {
		words,
		files: settings.file,
		images: settings.image,
		input: stdin,
		isStdinWanted: settings.stdin,
		isTerminalPrompt: isTerminalPrompt && settings.stdin,
		cwd,
		signal,
		onWaiting: () => tell('waiting for stdin (--no-stdin leaves it alone)'),
	};
}

function requirePrompt({message, hasText}: Prompt): NonNullable<Prompt['message']> {
	if (message !== undefined && hasText) return message;
	const problem = message === undefined ? 'there is no prompt' : 'there are files, but no prompt';
	throw new ChatError('usage', problem, {
		hint: 'Give one: chat "your question", or pipe text into chat.',
	});
}

/** A run that failed before its turn began, in the form of one, so that each format can tell it. */
async function* failedTurn(error: ChatError): AsyncGenerator<ChatEventBatch, void, undefined> {
	yield [{type: 'error', error}];
}
