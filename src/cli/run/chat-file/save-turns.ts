/** Saves a conversation from a file: as a new session, or as a branch of the one it came from. */
import {type Conversation, hasAnswer, type Turn, treeOf} from '../../../chat/conversation.ts';
import type {Environment} from '../../../environment.ts';
import {ChatError} from '../../../errors.ts';
import type {StoredSession} from '../../../sessions/read-session.ts';
import type {Recorder, SessionSettings} from '../../../sessions/recorder.ts';
import {hashTurn} from '../../../sessions/turn-hashes.ts';
import {loadRecorder, type SavingPlace} from '../saving/save-conversation.ts';

type SavedTurns = {
	readonly turns: readonly Turn[];
	readonly settings: SessionSettings;
	readonly place: SavingPlace;
};

/**
 * @returns its id
 * @throws {ChatError} `output` if it cannot be saved
 */
export async function saveSession(saved: SavedTurns, environment: Environment): Promise<string> {
	const {turns, settings, place} = saved;
	const conversation = {system: settings.system, turns, otherTurns: []};
	const recorder = (await loadRecorder(place, true, environment))(conversation, undefined, false);
	const at = turns.at(-1)?.id ?? null;
	recorder.record({type: 'head-moved', at}, () => ({settings, conversation}));
	finish(recorder);
	return recorder.id;
}

/**
 * Adds the turns from the first one that differs, after the turn before it. The session's own turns
 * stay.
 *
 * @throws {ChatError} `output` if it cannot be saved
 */
export async function saveBranch(
	session: StoredSession,
	{turns, settings, place}: SavedTurns,
	environment: Environment,
): Promise<void> {
	const {conversation} = session;
	const from = countSame(conversation, turns);
	const recorder = (await loadRecorder(place, true, environment))(conversation, session, false);
	const state = () => ({settings, conversation});
	const known = new Set(treeOf(conversation).map(({turn}) => turn.id));
	const at = conversation.turns[from - 1]?.id ?? null;
	if (from < conversation.turns.length) recorder.record({type: 'head-moved', at}, state);
	for (const turn of turns.slice(from)) {
		const id = known.has(turn.id) ? environment.createId() : turn.id;
		const {prompt, model, times} = turn;
		const start = {id, prompt, model, startedAt: times.startedAt};
		recorder.record({type: 'turn-started', turn: start, now: 0}, state);
		const ended = hasAnswer(turn) ? {...turn, id} : undefined;
		recorder.record({type: 'turn-ended', id, turn: ended}, state);
	}
	finish(recorder);
}

/** Returns how many turns at the start are those of the session, unchanged. */
export function countSame({turns}: Conversation, others: readonly Turn[]): number {
	const place = others.findIndex((turn, index) => {
		const saved = turns[index];
		return saved?.id !== turn.id || hashTurn(saved) !== hashTurn(turn);
	});
	return place === -1 ? others.length : place;
}

function finish(recorder: Recorder): void {
	recorder.sync();
	recorder.close();
	const cause = recorder.failure();
	if (cause === undefined) return;
	throw new ChatError('output', `cannot save the conversation: ${cause.message}`, {cause});
}
