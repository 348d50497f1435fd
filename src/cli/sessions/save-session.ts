/** Saves the conversations of an interactive session: each `/new` starts another one. */
import type {Environment} from '../../environment.ts';
import type {Session} from '../../repl/session.ts';
import type {RunContext} from '../chat/turn-runner.ts';
import {createSessionSettings, findSavingPlace, loadSaving} from './save-conversation.ts';

type SessionSaving = {
	/** Returns the id of the last saved conversation; undefined if nothing was saved. */
	close(): string | undefined;
};

export async function saveSession(
	session: Session,
	run: RunContext,
	environment: Environment,
): Promise<SessionSaving> {
	const {service} = run;
	const place = findSavingPlace(run, environment);
	if (place === undefined) return {close: () => undefined};
	const save = await loadSaving(place, run, true, environment);
	let saved = save(run.conversation, run.resumed);
	let lastId: string | undefined;
	session.subscribe((_action, {options, conversation}, effects) => {
		for (const effect of effects) {
			if (effect.type !== 'conversation-changed') continue;
			const {change} = effect;
			if (change.type === 'turns-cleared') {
				saved.close();
				saved = save(conversation, undefined);
				continue;
			}
			saved.record(change, () => createSessionSettings(options, conversation.system, service.name));
			if (change.type === 'turn-ended') saved.sync();
			if (saved.isKept()) lastId = saved.id;
			const notices = saved.takeNotices();
			// After the other listeners have seen this action.
			queueMicrotask(() => {
				for (const {message} of notices) session.dispatch({type: 'notice-given', text: message});
			});
		}
	});
	return {
		close() {
			saved.close();
			return lastId;
		},
	};
}
