/** `chat [options] [prompt...]`: one answer. */
import type {Command} from 'commander';
import type {ChatEventBatch} from '../chat/event.ts';
import type {Environment} from '../environment.ts';
import {ChatError, type ExitCode, exitCodeOf, toChatError} from '../errors.ts';
import {type Prompt, readPrompt} from '../input/read-prompt.ts';
import {printNotice, printText} from '../output/print.ts';
import {writeTurn} from '../output/write-turn.ts';
import {createKeyRedactor} from '../redact.ts';
import {mergeSettings, mergeValidSettings} from '../settings/merge.ts';
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
	const program = createChatProgram();
	const interrupt = new AbortController();
	const stopListening = environment.onInterrupt((signal) =>
		interrupt.abort(new ChatError('interrupted', `interrupted (${signal})`, {signal})),
	);
	try {
		const parsed = parseCommand(program, argv);
		if (parsed.type === 'print') return await printText(parsed.text, environment);
		const exitCode = await answer(program, interrupt.signal, environment);
		return interrupt.signal.aborted ? exitCodeOf(interrupt.signal.reason) : exitCode;
	} catch (error) {
		const failure = toChatError(error);
		const isOutputLost = failure.kind === 'closed' || failure.kind === 'output';
		if (!isOutputLost) return await writeFailure(failure, program, environment);
		throw interrupt.signal.aborted ? interrupt.signal.reason : failure;
	} finally {
		stopListening();
	}
}

/** @param program has parsed the command line */
async function answer(
	program: Command,
	signal: AbortSignal,
	environment: Environment,
): Promise<ExitCode> {
	const merged = mergeSettings(readFlags(program), environment.variables);
	const {settings} = merged;
	checkCombinations(settings);
	const source = {cwd: environment.cwd, signal};
	const options = await createChatOptions(settings, source);
	const system = await readSystem(settings, source);
	const prompt = await readPrompt(promptRequest(settings, program.args, signal, environment));
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
		const output = {...createOutputOptions(settings), service: name, redact};
		return await writeTurn(events, output, environment);
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

/** A run that failed before its turn began is told as its output format wants it. */
async function writeFailure(
	failure: ChatError,
	program: Command,
	environment: Environment,
): Promise<ExitCode> {
	const {variables} = environment;
	const {settings} = mergeValidSettings(readFlags(program), variables);
	const redact = createKeyRedactor(variables);
	const output = {...createOutputOptions(settings), service: null, redact};
	return await writeTurn(failedTurn(failure), output, environment);
}

async function* failedTurn(error: ChatError): AsyncGenerator<ChatEventBatch, void, undefined> {
	yield [{type: 'error', error}];
}
