/** `/resume`: other saved conversations. */
import {
	type OpenedSession,
	type OpeningAction,
	print,
	sequence,
	type Update,
	update,
} from './action.ts';
import {printOrShow} from './popup.ts';
import {changeConversation, sendNext} from './reduce-turn.ts';
import {restorePrompt} from './session-prompt.ts';
import type {ReplState} from './state.ts';
import {entriesOfPast} from './turn-entries.ts';

/** Goes over to a saved conversation; without a word, lists some. */
export function openSession(state: ReplState, word: string): Update {
	if (word === '') return update(state, {type: 'list-sessions'});
	return update({...state, isOpening: true}, {type: 'open-session', word});
}

export function reduceOpening(state: ReplState, action: OpeningAction): Update {
	switch (action.type) {
		case 'session-opened':
			return replaceConversation({...state, isOpening: false}, action.session);
		case 'session-not-opened': {
			// Prompts that were meant for the other conversation are not sent in this one.
			const isQueueHeld = state.queue.length > 0;
			const {error} = action;
			return update({...state, isOpening: false, isQueueHeld}, print({type: 'error', error}));
		}
		case 'sessions-listed':
			return action.rows.length === 0
				? printOrShow(state, {type: 'text', text: 'no conversations are saved'})
				: printOrShow(state, {
						type: 'table',
						rows: [...action.rows, ['', '/resume and an id goes over to it']],
					});
		default:
			return action satisfies never;
	}
}

/** Keeps the draft, its attachments and held prompts: they are still what the user wants to ask. */
function replaceConversation(
	state: ReplState,
	{conversation, options, draft, notices}: OpenedSession,
): Update {
	const next = {...state, options, isReasoningOpen: false};
	const entries = [
		...notices.map((text) => ({type: 'notice', text}) as const),
		...entriesOfPast(conversation),
	];
	return sequence(
		draft === undefined ? next : restorePrompt(next, draft),
		(current) => changeConversation(current, {type: 'replaced', conversation}),
		(current) => update(current, ...entries.map(print)),
		sendNext,
	);
}
