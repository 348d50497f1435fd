/** Asks the due prompts of a conversation in a file, in order, and puts each answer into the file. */
import {denyUnattended} from '../../../chat/approvals.ts';
import {type Conversation, hasAnswer, type Turn} from '../../../chat/conversation.ts';
import {declineElicitation} from '../../../chat/elicitation.ts';
import type {Attachment} from '../../../chat/prompt.ts';
import type {Environment} from '../../../environment.ts';
import {type ExitCode, exitCodeOf, type InterruptSignal, toChatError} from '../../../errors.ts';
import {type LoadedPrompt, loadPrompt} from '../../../input/load-prompt.ts';
import {printInfo} from '../../../output/print.ts';
import {createStreamChat} from '../../../protocol/stream-chat.ts';
import {createKeyRedactor, redactJson} from '../../../redact.ts';
import {
	type ChatFile,
	markCut,
	putAnswer,
	readChatFile,
} from '../../../sessions/chat-file/chat-file.ts';
import type {SessionSettings} from '../../../sessions/recorder.ts';
import type {FlagTexts, Settings} from '../../../settings/options/settings.ts';
import {expandModelName} from '../../../settings/service/model-name.ts';
import {shorten} from '../../../wording.ts';
import {lintRequest} from '../chat-options.ts';
import {findPrices} from '../find-model.ts';
import {createFileSource, readOptions, readSystem} from '../read-request.ts';
import {runAnswer} from '../run-answer.ts';
import {openRun, withModel} from '../run-chat.ts';
import {
	createSessionSettings,
	findSavingPlace,
	type SavingPlace,
} from '../saving/save-conversation.ts';
import {toolSources} from '../tools/open-tools.ts';
import type {Request, Run} from '../turn-runner.ts';
import {followTurn} from './follow-turn.ts';
import type {OpenChatFile} from './open-chat-file.ts';
import {replaceUserFile, type UserFile} from './user-file.ts';

export type Asking = {
	readonly flags: FlagTexts;
	readonly signal: AbortSignal;
	readonly onInterrupt: (signal: InterruptSignal) => void;
};

export type AskedFile = {
	/** Exit code of the last prompt: all others were answered. */
	readonly exitCode: ExitCode;
	/** The file as it is now. */
	readonly user: UserFile;
	/** Whether all due prompts have whole answers. */
	readonly isDone: boolean;
	/** The turns as they were sent, up to the last answer. */
	readonly turns: readonly Turn[];
	readonly settings: SessionSettings;
	/** Where the user wants the conversation saved, if anywhere. */
	readonly place: SavingPlace | undefined;
};

/**
 * Stops at the first prompt without a whole answer; a partial one is marked.
 *
 * @throws {ChatError} as `replaceUserFile` does, and for mistakes found before a request
 */
export async function askDue(
	opened: OpenChatFile,
	user: UserFile,
	asking: Asking,
	environment: Environment,
): Promise<AskedFile> {
	const closers: Array<() => Promise<void> | void> = [];
	try {
		const {run, request} = await openAsking(opened, asking, closers, environment);
		const progress = await askEach({opened, user, run, request}, environment);
		return {...progress, place: findSavingPlace(run, environment)};
	} finally {
		for (const close of closers.reverse()) await close();
	}
}

/** The parts of a request that all prompts share. */
type AnyRequest = Pick<Request, 'options' | 'check' | 'notices'> & {readonly system: string};

async function openAsking(
	opened: OpenChatFile,
	{flags, signal, onInterrupt}: Asking,
	closers: Array<() => Promise<void> | void>,
	environment: Environment,
): Promise<{readonly run: Run; readonly request: AnyRequest}> {
	const {sources, settings: merged} = opened.loaded;
	const isSaved = sources.save === 'flag' && merged.save;
	const loaded = {...opened.loaded, settings: {...merged, save: isSaved}};
	const open = {kinds: toolSources, isSession: false, signal, closers};
	const {service: reached, files, tools} = await openRun(loaded, open, environment);
	const settled = {...loaded, settings: reached.settings};
	const read = await readOptions(settled, tools.tools?.tools ?? [], files);
	const service = await withModel(reached, {loaded, ...open}, environment);
	const {settings} = service;
	const isOwn = sources.system !== 'flag' && opened.system !== undefined;
	const system = isOwn ? opened.system : await readSystem(settings, files);
	const shared = {
		streamChat: createStreamChat(service.connection),
		findPrices: (model: string) => findPrices(service.connection.wire.url, model, environment),
	};
	const parts = {settings, service, servers: tools.servers, flags, signal, onInterrupt, shared};
	return {
		run: {...parts, resumed: undefined, tools: tools.tools},
		request: {
			check: read.check,
			options: {...read.options, model: expandModelName(settings.model, settings.family)},
			notices: [...service.notices, ...tools.notices, ...opened.notices],
			system,
		},
	};
}

type Parts = {
	readonly opened: OpenChatFile;
	readonly user: UserFile;
	readonly run: Run;
	readonly request: AnyRequest;
};

async function askEach(
	{opened, user: first, run, request}: Parts,
	environment: Environment,
): Promise<Omit<AskedFile, 'place'>> {
	const {due, toSent, toHashes} = opened;
	const {system, options} = request;
	const given = await loadGiven(run, environment);
	const settings = createSessionSettings(options, system, run.service.name);
	const redactKeys = createKeyRedactor(environment.variables);
	const redact = (text: string) => redactKeys(run.service.redact(text));
	let user = first;
	let {file} = opened;
	let turns: readonly Turn[] = [];
	for (const [place, {index}] of due.entries()) {
		const attached = place === 0 ? given.attachments : [];
		const sent = toSent(withAttached(file, index, attached));
		const {prompt} = sent[index] ?? {};
		if (prompt === undefined) break;
		turns = sent.slice(0, index);
		const conversation = {system, turns, otherTurns: [], compactions: file.compactions};
		sayPlace(place + 1, due.length, prompt.text, run.settings, environment);
		const lint = lintRequest({options, prompt});
		const notices = place > 0 ? lint : [...request.notices, ...given.notices, ...lint];
		const asked = {...request, conversation, prompt, notices};
		const {exitCode, ended, failure} = await askOne(
			place === 0 ? run : withoutTraces(run),
			asked,
			environment,
		);
		if (run.settings.dryRun) return {exitCode, user, isDone: true, turns, settings};
		const isAnswered = ended !== undefined && hasAnswer(ended) && exitCode !== 77;
		if (isAnswered) {
			const hasForm = exitCode === 0 || exitCode === 65;
			const turn = redactJson(hasForm ? ended : markCut(ended), redact);
			const hash = toHashes(file, sent)[index];
			const text = putAnswer(file, {index, turn, attached, hash});
			user = replaceUserFile(user, text, environment);
			file = readChatFile(text, environment.date());
			turns = [...turns, turn];
		}
		if (failure !== undefined) throw failure;
		if (exitCode !== 0 || !isAnswered || run.signal.aborted) {
			return {exitCode: exitCode === 0 ? 79 : exitCode, user, isDone: false, turns, settings};
		}
	}
	return {exitCode: 0, user, isDone: true, turns, settings};
}

function sayPlace(
	place: number,
	count: number,
	prompt: string,
	{quiet}: Settings,
	environment: Environment,
): void {
	if (count === 1 || quiet) return;
	const words = shorten(prompt.trim().replace(/\s+/g, ' '), 60);
	printInfo(`asking ${place} of ${count}: ${words}`, environment);
}

/** Loads the files of the command line, which go with the first due prompt. */
async function loadGiven(
	{settings: {file: files, image: images, attach: media}, signal}: Run,
	environment: Environment,
): Promise<LoadedPrompt> {
	const input = {kind: 'none', read: environment.stdin.read} as const;
	return await loadPrompt({
		...createFileSource(signal, environment),
		...{files, images, media, input, words: []},
		isStdinWanted: false,
		signal,
		git: environment,
	});
}

/** Folds may belong to the prompt before it was changed. */
function withAttached(file: ChatFile, index: number, attached: readonly Attachment[]): ChatFile {
	const turns = file.turns.map((turn, place) => {
		const {text, attachments} = turn.prompt;
		const all = place === index ? [...attached, ...attachments] : attachments;
		return {...turn, prompt: {text, attachments: all}};
	});
	return {...file, turns};
}

function withoutTraces(run: Run): Run {
	return {...run, service: {...run.service, traces: []}};
}

type AskedPrompt = {
	readonly exitCode: ExitCode;
	/** Undefined if nothing arrived. */
	readonly ended: Turn | undefined;
	/** Why the answer could not be printed. */
	readonly failure?: unknown;
};

async function askOne(
	run: Run,
	request: Request & {readonly conversation: Conversation},
	environment: Environment,
): Promise<AskedPrompt> {
	let ended = (): Turn | undefined => undefined;
	try {
		const exitCode = await runAnswer(run, request, environment, {
			questions: {approve: denyUnattended, elicit: declineElicitation},
			save(started) {
				const followed = followTurn(started, environment);
				({ended} = followed);
				return followed;
			},
		});
		return {exitCode, ended: ended()};
	} catch (failure) {
		return {exitCode: exitCodeOf(toChatError(failure)), ended: ended(), failure};
	}
}
