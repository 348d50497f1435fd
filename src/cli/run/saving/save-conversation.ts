/** Saves a run's conversation. */
import {resolve} from 'node:path';
import {
	type Conversation,
	type ConversationChange,
	type OpenConversation,
	reduceConversation,
} from '../../../chat/conversation.ts';
import type {ChatEventBatch, Notice} from '../../../chat/event.ts';
import type {ChatOptions} from '../../../chat/message.ts';
import type {Environment} from '../../../environment.ts';
import {ChatError} from '../../../errors.ts';
import type {Hint} from '../../../hint.ts';
import type {TurnListener} from '../../../output/write-turn.ts';
import {createKeyRedactor, type Redact} from '../../../redact.ts';
import type {StoredSession} from '../../../sessions/read-session.ts';
import {createRecorder, type Recorder, type SessionSettings} from '../../../sessions/recorder.ts';
import {stateDirectory} from '../../../settings/files/config-path.ts';
import {pickFields, type Settings} from '../../../settings/options/settings.ts';
import {shortenHome} from '../../../wording.ts';
import type {Request, Run} from '../turn-runner.ts';

type ReportingRecorder = Recorder & {
	/**
	 * Returns what the user should know about it, each notice once.
	 *
	 * @param isEnded whether the turn has ended; the notice naming the session folder waits for the
	 * end of an answer
	 */
	takeNotices(isEnded: boolean): readonly Notice[];
};

export const noneSaved = 'no conversations are saved';

/** Returns the session folder; undefined without a home folder. */
export function findSessionsFolder(
	{sessionsDir}: Pick<Settings, 'sessionsDir'>,
	environment: Environment,
): string | undefined {
	return sessionsDir === undefined
		? stateDirectory(environment)
		: resolve(environment.cwd, sessionsDir);
}

export type SavingPlace = {readonly directory: string; readonly redact: Redact};

/**
 * Returns where a run saves, and its key redactor; undefined if it saves nothing: the built-in
 * service is only for trying things out.
 */
export function findSavingPlace(run: Run, environment: Environment): SavingPlace | undefined {
	const {settings, service} = run;
	const directory = findSessionsFolder(settings, environment);
	if (!settings.save || service.name === 'built-in' || directory === undefined) return undefined;
	const redactKeys = createKeyRedactor(environment.variables);
	return {directory, redact: (text) => redactKeys(run.service.redact(text))};
}

/**
 * Returns a function creating a conversation's recorder: for a new one, for the continued session
 * (`resumed`), or for a copy of it (`isFork`).
 *
 * @param hasMedia whether there may be images and other binary parts
 */
export async function loadRecorder(
	{directory, redact}: SavingPlace,
	hasMedia: boolean,
	environment: Environment,
) {
	// Loads Node's crypto.
	const media = hasMedia ? await import('../../../sessions/media-store.ts') : undefined;
	const createMediaStore =
		media && ((folder: string) => media.createMediaStore(folder, () => environment.createId()));
	const report = createReports(shortenHome(directory, environment.homedir));
	return (conversation: Conversation, resumed: StoredSession | undefined, isFork: boolean) => {
		const isSame = resumed !== undefined && !isFork;
		const id = isSame ? resumed.id : environment.createId();
		const created = environment.date();
		const recorder = createRecorder(
			{
				directory,
				id,
				start: isSame ? resumed : {created, cwd: environment.cwd, forkOf: resumed?.id},
				conversation,
			},
			{redact, createMediaStore},
		);
		return {...recorder, takeNotices: (isEnded: boolean) => report(recorder, isEnded)};
	};
}

/** Returns what the user should know about a recorder, each notice once in a run. */
function createReports(
	directory: string,
): (recorder: Recorder, isEnded: boolean) => readonly Notice[] {
	const reported = new Set<string>();
	return (recorder, isEnded) => {
		const {id} = recorder;
		const notices: Notice[] = [];
		const report = (code: Notice['code'], cause: string, message: string, hint?: Hint) => {
			const key = `${code} ${cause}`;
			if (!reported.has(key)) notices.push({code, message, hint});
			reported.add(key);
		};
		const failure = recorder.failure();
		if (failure !== undefined) {
			// A failing disk also fails the next conversation; a deleted file affects only its own.
			const cause = failure.code ?? id;
			report('session-not-saved', cause, `the conversation could not be saved: ${failure.message}`);
		}
		if (recorder.restored() > 0) {
			report('session-restored', id, `${id} was deleted by another run; it is saved again`);
		}
		if (isEnded && recorder.isFirst && recorder.isKept()) {
			report('sessions-saved', id, `conversations are saved in ${directory}`, {
				line: 'to stop that: --no-save, or chat config set save false',
				repl: '/private stops that here, chat config set save false for good',
			});
		}
		return notices;
	};
}

export type AnswerSaving = {
	/** The saved session's id; null if nothing is saved. */
	readonly savedId: () => string | null;
	/** Undefined if nothing is saved. */
	readonly listener: TurnListener | undefined;
};

/**
 * Saves a single answer.
 *
 * @param started the conversation with its open turn
 */
export function saveAnswer(
	run: Run,
	{conversation: past, options, prompt}: Request,
	started: OpenConversation,
	environment: Environment,
): AnswerSaving {
	const {settings, service, tools, resumed} = run;
	const place = findSavingPlace(run, environment);
	if (place === undefined) return {savedId: () => null, listener: undefined};
	const hasMedia =
		settings.fork || tools !== undefined || prompt.attachments.some(({type}) => type !== 'file');
	const state = () => ({
		settings: createSessionSettings(options, past.system, service.name),
		conversation,
	});
	const turn = started.open;
	let conversation: Conversation = started;
	let saved: ReportingRecorder | undefined;
	const advance = (batch: ChatEventBatch) => {
		const now = environment.now();
		for (const event of batch) conversation = reduceConversation(conversation, event, now);
		if (conversation.open !== undefined) {
			saved?.record({type: 'turn-advanced', events: batch, now}, state);
			return;
		}
		const ended = conversation.turns.find(({id}) => id === turn.id);
		saved?.record({type: 'turn-ended', id: turn.id, turn: ended}, state);
	};
	return {
		savedId: () => (saved?.isKept() ? saved.id : null),
		listener: {
			async begin() {
				const save = await loadRecorder(place, hasMedia, environment);
				saved = save(past, resumed, settings.fork);
				const isResumed = past.turns.some(({id}) => id === turn.id);
				const change: ConversationChange = isResumed
					? {type: 'turn-resumed', id: turn.id, now: environment.now()}
					: {type: 'turn-started', turn, now: turn.since};
				saved.record(change, state);
			},
			hear(batch) {
				advance(batch);
				return saved?.takeNotices(conversation.open === undefined) ?? [];
			},
			end() {
				// The output's reader may be gone before the answer is complete.
				if (conversation.open !== undefined) {
					advance([{type: 'error', error: new ChatError('interrupted', 'abandoned')}]);
				}
				saved?.sync();
				saved?.close();
			},
		},
	};
}

/** Returns the settings stored in a session. */
export function createSessionSettings(
	options: ChatOptions,
	system: string,
	service: string,
): SessionSettings {
	const {model, responseFormat, isSearching, extraFields: option} = options;
	const named = {
		...pickFields(options),
		responseFormat: typeof responseFormat === 'string' ? responseFormat : undefined,
		search: isSearching === true ? true : undefined,
		option,
	};
	return {model, service, system, options: JSON.parse(JSON.stringify(named))};
}
