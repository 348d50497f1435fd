/** `chat [options] [prompt...]`: one answer, or a session. */
import type {ChatEventBatch} from '../../chat/event.ts';
import type {ToolSource} from '../../chat/tool.ts';
import type {Environment} from '../../environment.ts';
import {
	type ChatError,
	type ExitCode,
	exitCodeOf,
	type InterruptSignal,
	interruptedBy,
	toChatError,
} from '../../errors.ts';
import {writeTurn} from '../../output/write-turn.ts';
import {createKeyRedactor} from '../../redact.ts';
import type {StoredSession} from '../../sessions/read-session.ts';
import {
	type LoadedSettings,
	loadSettings,
	loadValidSettings,
} from '../../settings/options/load-settings.ts';
import {describeFieldSources} from '../../settings/service/describe-settings.ts';
import {expandModelName} from '../../settings/service/model-name.ts';
import type {PromptLine} from '../command-line/parse-argv.ts';
import {
	checkCombinations,
	createOutputOptions,
	lintRequest,
	preferForm,
	readSystem,
} from './chat-options.ts';
import {type PromptWords, readPromptWords} from './prompt-words.ts';
import {createFileSource, readRequest} from './read-request.ts';
import {checkSession, isSessionWanted} from './repl/session-mode.ts';
import {runAnswer} from './run-answer.ts';
import type {ModelRun} from './service/choose-model.ts';
import type {Search} from './service/look-for-local.ts';
import {type OpenService, openService} from './service/open-service.ts';
import type {OpenTemplate} from './template/open-template.ts';
import type {OpenedServers} from './tools/open-servers.ts';
import {type OpenToolSource, openTools, toolSources} from './tools/open-tools.ts';
import type {RunContext} from './turn-runner.ts';

export function runChat(line: PromptLine, environment: Environment): Promise<ExitCode> {
	return runChatWith(toolSources, line, environment);
}

/** @param kinds the sources of tools that the flags may name */
export async function runChatWith(
	kinds: readonly OpenToolSource[],
	line: PromptLine,
	environment: Environment,
): Promise<ExitCode> {
	if (line.failure !== undefined) return await writeFailure(line.failure, line, environment);
	const interrupt = new AbortController();
	const stop = (signal: InterruptSignal) => interrupt.abort(interruptedBy(signal));
	const stopListening = environment.onInterrupt(stop);
	try {
		const signals = {signal: interrupt.signal, onInterrupt: stop};
		const exitCode = await run(kinds, line, signals, environment);
		return interrupt.signal.aborted ? exitCodeOf(interrupt.signal.reason) : exitCode;
	} catch (error) {
		const failure = toChatError(error);
		const isOutputLost = failure.kind === 'closed' || failure.kind === 'output';
		if (!isOutputLost) return await writeFailure(failure, line, environment);
		throw interrupt.signal.aborted ? interrupt.signal.reason : failure;
	} finally {
		stopListening();
	}
}

async function run(
	kinds: readonly OpenToolSource[],
	line: PromptLine,
	{signal, onInterrupt}: Pick<RunContext, 'signal' | 'onInterrupt'>,
	environment: Environment,
): Promise<ExitCode> {
	if (line.flags['saveTemplate'] !== undefined) {
		const {saveTemplate} = await import('./template/save-template.ts');
		return await saveTemplate(line, environment);
	}
	const {loaded, resumed, words, template} = await loadRun(line, environment);
	const {terminal} = environment;
	const isPromptGiven = template?.isPrompt ?? false;
	const isSession = isSessionWanted(loaded.settings, words, isPromptGiven, environment);
	if (isSession) checkSession(loaded.settings, words, terminal, environment);
	// A mistake in the configuration is reported before anybody waits for stdin.
	const reached = await openService(loaded, signal, environment);
	const search = await startSearch(reached, environment);
	let tools: ToolSource | undefined;
	try {
		const {settings: given, missingKey} = reached;
		if (missingKey !== undefined && !given.dryRun) throw missingKey;
		const source = createFileSource(signal, environment);
		let opened: OpenedServers | undefined;
		const openMcp: OpenToolSource = async ({mcp}) => {
			if (mcp.length === 0) return undefined;
			const {openNamedServers} = await import('./tools/open-servers.ts');
			opened = await openNamedServers(
				{...loaded, settings: given},
				{isSession, files: source, signal, serviceUrl: reached.connection.wire.url},
				environment,
			);
			return opened.servers.tools;
		};
		tools = await openTools([...kinds, openMcp], given, source, environment);
		const past = resumed && {
			...resumed.conversation,
			...(isSystemChosen(loaded) && {system: await readSystem(given, source)}),
		};
		const parts = {
			settings: given,
			tools,
			signal,
			fieldSources: describeFieldSources(loaded),
			past,
			template,
		};
		const read = await readRequest(parts, words, !isSession, environment);
		const service = await withModel(reached, {loaded, isSession, signal}, environment);
		const {settings} = service;
		const model = expandModelName(settings.model, settings.family);
		const request = {...read, options: {...read.options, model}};
		// The local search prints this notice itself.
		const early = service.notices.filter(({code}) => !search || code !== 'built-in-service');
		const notices = [
			...early,
			...(opened?.notices ?? []),
			...(resumed?.notices ?? []),
			...request.notices,
			...lintRequest(request),
		];
		const servers = opened?.servers;
		const found = {settings, service, search, tools, servers, resumed, flags: line.flags};
		const context = {...request, ...found, notices, signal, onInterrupt};
		if (!isSession || terminal === undefined)
			return await runAnswer(context, terminal, environment);
		const {runSession} = await import('./repl/run-session.ts');
		return await runSession(context, terminal, environment);
	} finally {
		search?.stop();
		await tools?.close();
		await reached.close();
	}
}

/** Chooses a model for a service that needs one, and has none in the settings. */
async function withModel(
	service: OpenService,
	run: ModelRun,
	environment: Environment,
): Promise<OpenService> {
	if (service.settings.model !== undefined || service.name === 'built-in') return service;
	const {chooseModel} = await import('./service/choose-model.ts');
	return await chooseModel(service, run, environment);
}

type LoadedRun = {
	readonly loaded: LoadedSettings;
	readonly resumed: StoredSession | undefined;
	readonly words: PromptWords;
	readonly template: OpenTemplate | undefined;
};

async function loadRun(line: PromptLine, environment: Environment): Promise<LoadedRun> {
	const {flags} = line;
	const loaded = preferForm(loadSettings(flags, environment));
	checkCombinations(loaded.settings);
	const words = readPromptWords(line, environment.cwd);
	const {settings} = loaded;
	const sessions =
		settings.continue || settings.resume !== undefined
			? await import('./saving/resume-session.ts')
			: undefined;
	const templates =
		settings.template === undefined ? undefined : await import('./template/open-template.ts');
	const resumed = sessions?.resumeSession(settings, environment);
	const template = await templates?.openTemplate(settings, words.words, environment);
	if (resumed === undefined && template === undefined) return {loaded, resumed, words, template};
	const saved = (resumed && sessions?.readSaved(resumed)) ?? {};
	const chosen = [...(saved.chosen ?? []), ...(template === undefined ? [] : [template.layer])];
	const opened = {...saved, chosen, config: loaded.config};
	const restored = preferForm(loadSettings(flags, environment, opened));
	checkCombinations(restored.settings);
	return {loaded: restored, resumed, words, template};
}

/** Whether the command line has a system message, which replaces that of a saved conversation. */
function isSystemChosen({sources}: LoadedSettings): boolean {
	return sources.system === 'flag' || sources.system === 'template';
}

/** Looks for services on this machine if a person sees the built-in one answer. */
async function startSearch(
	{name, settings, notices}: OpenService,
	{stdin, stdout, stderr, variables}: Environment,
): Promise<Search | undefined> {
	const isSeen = stdin.kind === 'terminal' && stdout.isTerminal && stderr.isTerminal;
	const plain = notices.find(({code}) => code === 'built-in-service');
	if (name !== 'built-in' || !isSeen || plain === undefined) return undefined;
	if (settings.output !== 'text' || settings.dryRun) return undefined;
	const {lookForLocal} = await import('./service/look-for-local.ts');
	return lookForLocal(plain, variables);
}

export function isVerbose(flags: PromptLine['flags'], environment: Environment): boolean {
	return loadValidSettings(flags, environment).settings.verbose;
}

/** Reports a failure before the turn, in the output format of the run. */
async function writeFailure(
	failure: ChatError,
	{flags}: PromptLine,
	environment: Environment,
): Promise<ExitCode> {
	const {settings} = loadValidSettings(flags, environment);
	const redact = createKeyRedactor(environment.variables);
	const output = {...createOutputOptions(settings), service: null, session: () => null, redact};
	return await writeTurn({opening: [], events: failedTurn(failure)}, output, environment);
}

async function* failedTurn(error: ChatError): AsyncGenerator<ChatEventBatch, void, undefined> {
	yield [{type: 'error', error}];
}
