/** Saves the conversations of an interactive session: `/new` and `/resume` start other ones. */
import type {Conversation, ConversationChange} from '../../chat/conversation.ts';
import type {Environment} from '../../environment.ts';
import type {Session} from '../../repl/session.ts';
import type {ReplState} from '../../repl/state.ts';
import type {StoredSession} from '../../sessions/read-session.ts';
import type {RunContext} from '../chat/turn-runner.ts';
import {createSessionSettings, findSavingPlace, loadSaving} from './save-conversation.ts';

type SessionSaving = {
	/** Returns the id of the last saved conversation; undefined if nothing was saved. */
	close(): string | undefined;
};

/** @param readLast returns the conversation that was read last */
export async function saveSession(
	session: Session,
	run: RunContext,
	readLast: () => StoredSession | undefined,
	environment: Environment,
): Promise<SessionSaving> {
	const {service} = run;
	const place = findSavingPlace(run, environment);
	if (place === undefined) return {close: () => undefined};
	const save = await loadSaving(place, true, environment);
	let saved = save(run.conversation, run.resumed, run.settings.fork);
	let lastId: string | undefined;
	// After the other listeners have seen the action.
	const report = (text: string) =>
		queueMicrotask(() => session.dispatch({type: 'notice-given', text}));
	/** Each conversation has a recorder of its own. */
	const goOver = (conversation: Conversation, stored: StoredSession | undefined) => {
		const {id} = saved;
		if (saved.isKept() && id !== stored?.id) report(`${id} is saved; /resume ${id} returns to it`);
		saved.close();
		saved = save(conversation, stored, false);
		lastId = stored?.id ?? lastId;
	};
	const record = (change: ConversationChange, {options, conversation}: ReplState) => {
		if (change.type === 'turns-cleared') return goOver(conversation, undefined);
		if (change.type === 'replaced') return goOver(conversation, readLast());
		saved.record(change, () => createSessionSettings(options, conversation.system, service.name));
		if (change.type === 'turn-ended') saved.sync();
		if (saved.isKept()) lastId = saved.id;
		for (const {message} of saved.takeNotices()) report(message);
	};
	session.subscribe((_action, state, effects) => {
		for (const effect of effects) {
			if (effect.type === 'conversation-changed') record(effect.change, state);
		}
	});
	return {
		close() {
			saved.close();
			return lastId;
		},
	};
}
