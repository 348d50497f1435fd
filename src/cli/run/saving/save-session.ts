/** Saves an interactive session's conversations: `/new` and `/resume` start other ones. */
import {existsSync} from 'node:fs';
import type {Conversation, ConversationChange} from '../../../chat/conversation.ts';
import type {Environment} from '../../../environment.ts';
import {replHint, withHint} from '../../../hint.ts';
import type {Effect} from '../../../repl/action.ts';
import type {Repl} from '../../../repl/repl.ts';
import type {ReplState} from '../../../repl/state.ts';
import {summarize} from '../../../sessions/find-session.ts';
import type {StoredSession} from '../../../sessions/read-session.ts';
import type {RecordedState, Recorder} from '../../../sessions/recorder.ts';
import {cleanTitle} from '../../../sessions/session-title.ts';
import {plural} from '../../../wording.ts';
import type {Run} from '../turn-runner.ts';
import {createSessionSettings, loadRecorder, type SavingPlace} from './save-conversation.ts';

export type SessionSaving = {
	/** Describes the conversation being saved: its title in the file, or the one given before. */
	running(): {readonly id: string | undefined; readonly title: string | undefined};
	/** Names the running conversation, unless the title is empty, and returns a line about its name. */
	name(title: string): string;
	/** Explains how to return to the running conversation, if saved; the next one replaces it. */
	leaveFor(next: StoredSession): readonly string[];
	/** Returns a line about what is saved and what is not; undefined if there is nothing to say. */
	close(): string | undefined;
};

export async function saveSession(
	repl: Repl,
	run: Run,
	place: SavingPlace | undefined,
	conversation: Conversation,
	environment: Environment,
): Promise<SessionSaving> {
	if (place === undefined) {
		const running = () => ({id: undefined, title: undefined});
		return {running, name: () => '', leaveFor: () => [], close: () => undefined};
	}
	const {settings, resumed} = run;
	const save = await loadRecorder(place, true, environment);
	let saved = save(conversation, resumed, settings.fork);
	let next: StoredSession | undefined;
	/** The title given or read. */
	let title = settings.fork ? undefined : resumed?.title;
	/** Other runs, and the picker, may rename the conversation. */
	const running = () => {
		const {id, path} = saved;
		return {id, title: summarize({id, path, updated: 0})?.title || title};
	};
	/** The last one with a file. */
	let last: Pick<Recorder, 'id' | 'path'> | undefined;
	let isPrivate = false;
	const privateTurns = new Set<string>();
	/** Private compactions, which the farewell does not count. */
	const privateCompactions = new Set<string>();
	const report = (text: string) => repl.dispatch({type: 'notice-given', text});
	const afterWriting = (isEnded = false) => {
		if (saved.isKept()) last = saved;
		for (const notice of saved.takeNotices(isEnded)) report(withHint(notice, replHint));
	};

	const describeLeft = (nextId?: string) => {
		const {id, path} = saved;
		const isThere = saved.isKept() && existsSync(path);
		return isThere && id !== nextId ? [`${id} is saved; /resume ${id} returns to it`] : [];
	};
	const stateToRecord = ({options, conversation}: ReplState): RecordedState => {
		const isSaved = ({id}: {readonly id: string}) =>
			!privateTurns.has(id) && !privateCompactions.has(id);
		return {
			settings: createSessionSettings(options, conversation.system, run.service.name),
			conversation: {
				...conversation,
				turns: conversation.turns.filter(isSaved),
				compactions: conversation.compactions?.filter(isSaved),
				otherTurns: conversation.otherTurns.filter(({turn}) => isSaved(turn)),
			},
		};
	};
	/** Each conversation has its own recorder. */
	const switchTo = (conversation: Conversation, stored: StoredSession | undefined) => {
		saved.close();
		saved = save(conversation, stored, false);
		title = stored?.title;
		last = stored ?? last;
	};
	const record = (change: ConversationChange, state: ReplState) => {
		if (change.type === 'turns-cleared') {
			for (const line of describeLeft()) report(line);
			return switchTo(state.conversation, undefined);
		}
		if (change.type === 'replaced') return switchTo(state.conversation, next);
		if (isPrivate) {
			if (change.type === 'turn-started') privateTurns.add(change.turn.id);
			if (change.type === 'compacted') privateCompactions.add(change.compaction.id);
			return;
		}
		saved.record(change, () => stateToRecord(state));
		if (change.type === 'turn-ended' || change.type === 'compacted') saved.sync();
		afterWriting(change.type === 'turn-ended');
	};
	const name = (given: string) => {
		const clean = place.redact(cleanTitle(given));
		if (clean !== '') {
			saved.rename(clean);
			afterWriting();
		}
		if (saved.failure() !== undefined)
			return 'this conversation is not saved, so it cannot be named';
		if (clean === '') return describeName(running());
		title = clean;
		return `${saved.id} is now called "${title}"`;
	};
	const listen = (effect: Effect, state: ReplState) => {
		if (effect.type === 'conversation-changed') record(effect.change, state);
		else if (effect.type === 'privacy-changed') ({isPrivate} = effect);
	};
	repl.subscribe((_action, state, effects) => {
		for (const effect of effects) listen(effect, state);
	});
	return {
		running,
		name,
		leaveFor(stored) {
			next = stored;
			return describeLeft(stored.id);
		},
		close() {
			saved.close();
			const left = privateTurns.size === 0 ? '' : plural(privateTurns.size, 'private turn');
			if (last === undefined) return left === '' ? undefined : `${left} not saved`;
			if (!existsSync(last.path)) return `${last.id} was deleted`;
			const isPart = saved.id === last.id && saved.failure() !== undefined;
			const gap = `${isPart ? ' only in part' : ''}${left === '' ? '' : ` without ${left}`}`;
			return `saved${gap}; to continue: chat -r ${last.id}`;
		},
	};
}

function describeName({id, title}: {readonly id: string; readonly title: string | undefined}) {
	return title === undefined ? `${id}, not saved before the first prompt` : `${id} "${title}"`;
}
