/** A parsed `chat [options] [prompt...]`: one answer, or a session. */
import type {Command} from 'commander';
import {addPrompt, emptyConversation, withSystem} from '../chat/conversation.ts';
import type {ChatEventBatch} from '../chat/event.ts';
import type {Environment, Terminal} from '../environment.ts';
import {
	ChatError,
	type ExitCode,
	exitCodeOf,
	type InterruptSignal,
	toChatError,
} from '../errors.ts';
import type {FileSource} from '../input/load-file.ts';
import {type Prompt, type PromptRequest, readPrompt} from '../input/read-prompt.ts';
import {printNotice} from '../output/print.ts';
import {writeTurn} from '../output/write-turn.ts';
import {createKeyRedactor} from '../redact.ts';
import {frameMs} from '../repl/frame-ms.ts';
import {loadSettings, loadValidSettings} from '../settings/options/load-settings.ts';
import type {Settings} from '../settings/options/option-rows.ts';
import {createAnswerScreens, drawableTerminal} from './answer-screen.ts';
import {
	checkCombinations,
	createChatOptions,
	createOutputOptions,
	readSystem,
	remarkOn,
} from './chat-options.ts';
import {loadSchema} from './load-schema.ts';
import {loadTools} from './load-tools.ts';
import {openService} from './open-service.ts';
import {readFlags, takesValue} from './option-flags.ts';
import {type PromptWords, readPromptWords} from './prompt-words.ts';
import type {RunContext} from './run-context.ts';
import {scanArguments} from './scan-arguments.ts';
import {createTurnRunner} from './turn-runner.ts';

/** A command line that was read. */
type CommandLine = {
	readonly argv: readonly string[];
	/** Has parsed `argv`. */
	readonly program: Command;
	/** What it did not understand. */
	readonly misuse: ChatError | undefined;
};

export async function runChat(line: CommandLine, environment: Environment): Promise<ExitCode> {
	const {program, misuse} = line;
	if (misuse !== undefined) return await writeFailure(misuse, program, environment);
	const interrupt = new AbortController();
	const stop = (signal: InterruptSignal) =>
		interrupt.abort(new ChatError('interrupted', `interrupted (${signal})`, {signal}));
	const stopListening = environment.onInterrupt(stop);
	try {
		const exitCode = await answer(line, {signal: interrupt.signal, onInterrupt: stop}, environment);
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

async function answer(
	{argv, program}: CommandLine,
	{signal, onInterrupt}: Pick<RunContext, 'signal' | 'onInterrupt'>,
	environment: Environment,
): Promise<ExitCode> {
	const loaded = loadSettings(readFlags(program), environment);
	const {settings} = loaded;
	checkCombinations(settings);
	const words = readPromptWords(program.args, scanArguments(argv, takesValue), environment.cwd);
	checkKeyboard(settings, words, environment);
	// A mistake in the configuration is told before anybody waits for stdin.
	const service = await openService(loaded, signal, environment);
	try {
		const request = await readRequest(settings, words, signal, environment);
		const {options, prompt} = request;
		const remarks = remarkOn(options, prompt.message);
		const notices = [...service.notices, ...prompt.notices, ...remarks];
		const run = {...request, settings, service, notices, signal, onInterrupt};
		const terminal = drawableTerminal(environment);
		if (!isSessionWanted(settings, words, prompt, environment)) {
			return await respond(run, terminal, environment);
		}
		checkSession(settings, terminal);
		const {runSession} = await import('./run-session.ts');
		return await runSession(run, terminal, environment);
	} finally {
		await service.close();
	}
}

/** What is asked for: options, system message, prompt. */
async function readRequest(
	settings: Settings,
	words: PromptWords,
	signal: AbortSignal,
	environment: Environment,
): Promise<Pick<RunContext, 'options' | 'tools' | 'check' | 'system' | 'prompt'>> {
	// Said even with -q: a run that hangs must say why.
	const onWaiting = (name: string) => tellWaiting(`waiting for ${name}`, environment);
	const source = {cwd: environment.cwd, signal, onWaiting};
	const {jsonSchema} = settings;
	const {tools, runnable} = await loadTools(settings, source, environment);
	const schema = jsonSchema === undefined ? undefined : await loadSchema(jsonSchema, source);
	const options = createChatOptions(settings, tools, schema?.format);
	const system = await readSystem(settings, source);
	const prompt = await readPrompt({...promptRequest(settings, words, environment), ...source});
	return {options, tools: runnable, check: schema?.check, system, prompt};
}

/** One answer, as a live view if there is a terminal to draw it on. */
async function respond(
	run: RunContext,
	terminal: Terminal | undefined,
	environment: Environment,
): Promise<ExitCode> {
	const {settings, service, options, check, system, prompt, notices, signal, onInterrupt} = run;
	const conversation = addPrompt(withSystem(emptyConversation, system), requirePrompt(prompt));
	const answerCheck = check && {check, maxRepairs: settings.schemaRepairs};
	const {redact} = service;
	const viewed = {settings, model: options.model, redact, onInterrupt, signal};
	const {openView, ask} = createAnswerScreens(viewed, terminal, environment);
	// Whoever reads a pipe gets each token at once.
	const gatherMs = terminal === undefined ? 0 : frameMs;
	const events = createTurnRunner(run, {answerCheck, gatherMs})(conversation, options, signal, ask);
	const output = {
		...createOutputOptions(settings, check),
		service: service.name,
		redact,
		openView,
	};
	return await writeTurn({notices, events}, output, environment);
}

/** Without a prompt, a person at both ends wants to talk. */
function isSessionWanted(
	settings: Settings,
	{isStdinNamed}: PromptWords,
	{text}: Prompt,
	{stdin, stdout}: Environment,
): boolean {
	if (settings.interactive) return true;
	if (isStdinNamed || text !== '') return false;
	return stdin.kind === 'terminal' && stdout.isTerminal && settings.output === 'text';
}

/** What says how one answer is printed; a session shows whole answers. */
function findMisfit({output, extract, extractBlock}: Settings): string | undefined {
	if (output !== 'text') return `--output ${output}`;
	if (extract) return '-x';
	return extractBlock === undefined ? undefined : `--extract-block ${extractBlock}`;
}

/** What reads the terminal to its end leaves no keyboard for a session. */
function checkKeyboard(
	{interactive}: Settings,
	{isStdinNamed}: PromptWords,
	{stdin}: Environment,
): void {
	if (!interactive || !isStdinNamed || stdin.kind !== 'terminal') return;
	throw new ChatError('usage', '- reads the terminal, which -i needs as its keyboard', {
		hint: 'Leave out the -, and write the prompt in the session.',
	});
}

function checkSession(
	settings: Settings,
	terminal: Terminal | undefined,
): asserts terminal is Terminal {
	const misfit = findMisfit(settings);
	if (misfit !== undefined) throw new ChatError('usage', `a session does not go with ${misfit}`);
	if (terminal !== undefined) return;
	throw new ChatError('usage', 'a session needs a terminal whose cursor can be moved', {
		hint: 'Give a prompt to get one answer: chat "your question".',
	});
}

function promptRequest(
	settings: Settings,
	{words, isStdinNamed}: PromptWords,
	environment: Environment,
): Omit<PromptRequest, keyof FileSource> {
	const {stdin, stdout} = environment;
	const isTyped = isStdinNamed || (!stdout.isTerminal && words.length === 0);
	const isTerminalPrompt = stdin.kind === 'terminal' && isTyped;
	if (isTerminalPrompt && settings.stdin && !settings.quiet) {
		tellWaiting('reading the prompt from the terminal; end it with Ctrl-D', environment);
	}
	return {
		words,
		files: settings.file,
		images: settings.image,
		input: stdin,
		isStdinNamed,
		isStdinWanted: settings.stdin,
		isTerminalPrompt: isTerminalPrompt && settings.stdin,
	};
}

function tellWaiting(message: string, environment: Environment): void {
	printNotice({code: 'waiting-for-stdin', message}, environment);
}

function requirePrompt({message, text}: Prompt): NonNullable<Prompt['message']> {
	if (message !== undefined && text !== '') return message;
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
	const {settings} = loadValidSettings(readFlags(program), environment);
	const redact = createKeyRedactor(environment.variables);
	const output = {...createOutputOptions(settings), service: null, redact};
	return await writeTurn({notices: [], events: failedTurn(failure)}, output, environment);
}

async function* failedTurn(error: ChatError): AsyncGenerator<ChatEventBatch, void, undefined> {
	yield [{type: 'error', error}];
}
