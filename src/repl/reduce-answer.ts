/** The reducer of a single answer on a screen, which takes keys only while a question is open. */
import type {ChatEvent} from '../chat/event.ts';
import {chordOf, type KeyInput} from '../terminal/keys/key-input.ts';
import {
	type Action,
	type ApprovalAction,
	chain,
	chainEach,
	type Outcome,
	outcome,
	print,
	type TurnAction,
} from './action.ts';
import {advanceTurn, foldOf} from './live-turn.ts';
import {answerApproval, rearm, rearmDialog, reduceApproval, withDialog} from './reduce-approval.ts';
import type {AnswerState} from './state.ts';

export type AnswerAction = TurnAction | ApprovalAction | Extract<Action, {type: 'keys' | 'resize'}>;

export function reduceAnswer(state: AnswerState, action: AnswerAction): Outcome<AnswerState> {
	switch (action.type) {
		case 'events':
			return chainEach({...state, now: action.now}, action.events, reduceEvent);
		case 'keys': {
			const {keys} = action;
			const all = (current: AnswerState) => chainEach(current, keys, reduceKey);
			return keys.length > 1 ? chain(state, rearmDialog, all) : all(state);
		}
		case 'approval-asked':
		case 'approval-armed':
		case 'approval-withdrawn':
			return withDialog(state, reduceApproval(state.approval, action));
		case 'tick':
			return outcome({...state, now: action.now});
		case 'resize':
			return outcome({...state, columns: action.columns, rows: action.rows});
		default:
			return action satisfies never;
	}
}

function reduceKey(state: AnswerState, key: KeyInput): Outcome<AnswerState> {
	const {approval} = state;
	if (approval === undefined) return outcome(state);
	if (key.type === 'key' && chordOf(key) === 'ctrl+c') return outcome(state, {type: 'stop-turn'});
	return withDialog(state, answerApproval(approval, key, state) ?? rearm(approval));
}

function reduceEvent(state: AnswerState, event: ChatEvent): Outcome<AnswerState> {
	if (state.turn === undefined) return outcome(state);
	const {conversation, turn, entries} = advanceTurn(
		state.conversation,
		state.turn,
		event,
		state.now,
	);
	const isOver = event.type === 'turn-end' || event.type === 'error';
	const all = isOver ? [...entries, ...foldOf(turn, state.now)] : entries;
	const next = isOver ? {turn: undefined, approval: undefined} : {turn};
	return outcome({...state, conversation, ...next}, ...all.map(print));
}
