/** `chat [options] [prompt...]`: one answer, or a session. */
import {resumeTurn} from '../../chat/conversation.ts';
import type {ChatEventBatch} from '../../chat/event.ts';
import type {Environment, Terminal} from '../../environment.ts';
import {ChatError, type ExitCode, exitCodeOf, toChatError} from '../../errors.ts';
import {writeTurn} from '../../output/write-turn.ts';
import {createStreamChat} from '../../protocol/stream-chat.ts';
import {createKeyRedactor} from '../../redact.ts';
import type {StoredSession} from '../../sessions/read-session.ts';
import {
	type LoadedSettings,
	loadSettings,
	loadValidSettings,
} from '../../settings/options/load-settings.ts';
import {expandModelName} from '../../settings/service/model-name.ts';
import type {PromptLine} from '../command-line/parse-argv.ts';
import {checkCombinations, createOutputOptions, lintRequest, preferForm} from './chat-options.ts';
import {checkPromptWords, type PromptWords, readPromptWords} from './prompt-words.ts';
import {createFileSource, readRequest} from './read-request.ts';
import {findReplTerminal} from './repl/interactive-mode.ts';
import {runAnswer} from './run-answer.ts';
import type {ModelRun} from './service/choose-model.ts';
import {type OpenService, openService} from './service/open-service.ts';
import type {OpenTemplate} from './template/open-template.ts';
import {type OpenToolSource, openTools, toolSources} from './tools/open-tools.ts';
import type {Request, Run} from './turn-runner.ts';
import {untilInterrupted} from './until-interrupted.ts';

/** @param kinds the tool sources available to the flags */
export async function runChat(
	line: PromptLine,
	environment: Environment,
	kinds: readonly OpenToolSource[] = toolSources,
): Promise<ExitCode> {
	return await untilInterrupted(environment, async (signal, onInterrupt) => {
		const {flags, failure} = line;
		const closers: Array<() => Promise<void> | void> = [];
		const close = async () => {
			for (const closeNext of closers.splice(0).reverse()) await closeNext();
		};
		try {
			if (failure !== undefined) throw failure;
			if (flags['saveTemplate'] !== undefined) {
				const {saveTemplate} = await import('./template/save-template.ts');
				return await saveTemplate(line, environment);
			}
			const words = readPromptWords(line);
			const {loaded, resumed, template} = await loadRun(line, words.words, environment);
			const isContinuable = canContinue(loaded, resumed, words, environment);
			const isPromptGiven = isContinuable || (template?.isPrompt ?? false);
			const terminal = findReplTerminal(loaded.settings, words, isPromptGiven, environment);
			const open = {kinds, isSession: terminal !== undefined, signal, closers};
			const {service: reached, files, tools} = await openRun(loaded, open, environment);
			const parts = {
				loaded: {...loaded, settings: reached.settings},
				tools: tools.tools?.tools ?? [],
				past: resumed?.conversation,
				template,
				isTextRequired: !open.isSession && !isContinuable,
				isContinuable,
				files,
			};
			const read = await readRequest(line, parts, environment);
			const chosen = await withModel(reached, {loaded, ...open}, environment);
			const {service, fallbacks} = await withFallbacks(
				chosen,
				{loaded, flags, ...open},
				environment,
			);
			const {settings} = service;
			const {servers, notices: ofServers} = tools;
			const opened = {settings, service, servers, flags, resumed, signal, onInterrupt};
			const run: Run = {...opened, fallbacks, tools: tools.tools};
			const model = expandModelName(settings.model, settings.family);
			const options = {...read.options, model};
			const notices = [
				...service.notices,
				...ofServers,
				...(resumed?.notices ?? []),
				...read.notices,
				...lintRequest({options, prompt: read.prompt}),
			];
			const isContinuation = isContinuable && read.prompt.text === '';
			const request: Request = {...read, options, notices, isContinuation};
			const exitCode =
				terminal === undefined
					? await runAnswer(run, request, environment)
					: await startSession(run, request, terminal, environment);
			await close();
			return signal.aborted ? exitCodeOf(signal.reason) : exitCode;
		} catch (error) {
			await close();
			return await reportFailure(error, flags, signal, environment);
		}
	});
}

/**
 * Whether a run without a prompt continues the conversation's last answer. The flag alone asks for
 * it: with a setting, `chat -c` opens a session.
 *
 * @throws {ChatError} `usage` if the answer is not cut, and there can be no prompt
 */
function canContinue(
	{settings, sources}: LoadedSettings,
	resumed: StoredSession | undefined,
	{words, isStdinNamed}: PromptWords,
	{stdin, stdout}: Environment,
): boolean {
	const {continueCut, interactive, template, file, image, attach} = settings;
	const isAsked = continueCut > 0 && sources.continueCut === 'flag' && !interactive;
	const given = [...words, ...file, ...image, ...attach];
	if (!isAsked || resumed === undefined || template !== undefined || given.length > 0) return false;
	if (isStdinNamed) return false;
	if (resumeTurn(resumed.conversation, 0) !== undefined) return true;
	if (stdin.kind === 'data' || (stdin.kind === 'terminal' && stdout.isTerminal)) return false;
	throw new ChatError('usage', `the last answer of ${resumed.id} is not cut`, {
		hint: 'To go on with the conversation: chat -c "your question"',
	});
}

async function startSession(
	run: Run,
	request: Request,
	terminal: Terminal,
	environment: Environment,
): Promise<ExitCode> {
	const {runInteractive} = await import('./repl/run-interactive.ts');
	return await runInteractive(run, request, terminal, environment);
}

type RunOptions = {
	readonly kinds: readonly OpenToolSource[];
	readonly isSession: boolean;
	readonly signal: AbortSignal;
	/** Passes on the function closing everything opened so far, even if a later step fails. */
	readonly closers: Array<() => Promise<void> | void>;
};

/** Opens the service and the tools. Mistakes in them are reported before anybody waits for stdin. */
export async function openRun(
	loaded: LoadedSettings,
	{kinds, isSession, signal, closers}: RunOptions,
	environment: Environment,
) {
	const service = await openService(loaded, signal, environment);
	closers.push(service.close);
	const {settings, missingKey, connection} = service;
	if (missingKey !== undefined && !settings.dryRun) throw missingKey;
	const files = createFileSource(signal, environment);
	const serverRun = {isSession, files, signal, serviceUrl: connection.wire.url};
	const tools = await openTools(kinds, {...loaded, settings}, serverRun, environment);
	closers.push(() => tools.tools?.close());
	return {service, files, tools};
}

/** Chooses a model for a service needing one, if the settings have none. */
export async function withModel(
	service: OpenService,
	run: ModelRun,
	environment: Environment,
): Promise<OpenService> {
	if (service.settings.model !== undefined || service.name === 'built-in') return service;
	const {chooseModel} = await import('./service/choose-model.ts');
	return await chooseModel(service, run, environment);
}

/** Prepares the other models, whose secrets are hidden too. */
export async function withFallbacks(
	service: OpenService,
	{loaded, flags, signal, closers}: RunOptions & Pick<Run, 'flags'> & {loaded: LoadedSettings},
	environment: Environment,
): Promise<Pick<Run, 'service' | 'fallbacks'>> {
	if (service.settings.fallback.length === 0) return {service, fallbacks: undefined};
	const {createFallbacks} = await import('./service/fallbacks.ts');
	const connect = ({connection}: OpenService) => createStreamChat(connection);
	const fallbacks = createFallbacks({loaded, flags, signal, connect}, environment);
	closers.push(fallbacks.close);
	const {redact} = service;
	return {service: {...service, redact: (text) => fallbacks.redact(redact(text))}, fallbacks};
}

type LoadedRun = {
	readonly loaded: LoadedSettings;
	readonly resumed: StoredSession | undefined;
	readonly template: OpenTemplate | undefined;
};

async function loadRun(
	line: PromptLine,
	words: readonly string[],
	environment: Environment,
): Promise<LoadedRun> {
	const {flags} = line;
	const loaded = preferForm(loadSettings(flags, environment));
	checkCombinations(loaded.settings);
	checkPromptWords(line, environment.cwd);
	const {settings} = loaded;
	const sessions =
		settings.continue || settings.resume !== undefined
			? await import('./saving/resume-session.ts')
			: undefined;
	const templates =
		settings.template === undefined ? undefined : await import('./template/open-template.ts');
	const resumed = sessions?.resumeSession(settings, environment);
	const template = await templates?.openTemplate(settings, words, environment);
	if (resumed === undefined && template === undefined) return {loaded, resumed, template};
	const {chosen: saved = []} = (resumed && sessions?.readSaved(resumed)) ?? {};
	const chosen = [...saved, ...(template === undefined ? [] : [template.layer])];
	const restored = preferForm(loadSettings(flags, environment, {chosen, config: loaded.config}));
	checkCombinations(restored.settings);
	return {loaded: restored, resumed, template};
}

export function isVerbose(flags: PromptLine['flags'], environment: Environment): boolean {
	return loadValidSettings(flags, environment).settings.verbose;
}

/** Reports a failure before the turn, in the run's output format. */
export async function reportFailure(
	error: unknown,
	flags: PromptLine['flags'],
	signal: AbortSignal,
	environment: Environment,
): Promise<ExitCode> {
	const failure = toChatError(error);
	const isOutputLost = failure.kind === 'closed' || failure.kind === 'output';
	if (isOutputLost) throw signal.aborted ? signal.reason : failure;
	const {settings} = loadValidSettings(flags, environment);
	const redact = createKeyRedactor(environment.variables);
	const output = {
		...createOutputOptions(settings),
		service: null,
		wire: null,
		session: () => null,
		redact,
	};
	return await writeTurn({opening: [], events: failedTurn(failure)}, output, environment);
}

async function* failedTurn(error: ChatError): AsyncGenerator<ChatEventBatch, void, undefined> {
	yield [{type: 'error', error}];
}
