/** The reducer of a single answer on a screen, which takes keys only while a question is open. */
import type {ChatEvent} from '../chat/event.ts';
import {chordOf, type KeyInput} from '../terminal/keys/key-input.ts';
import {
	type Action,
	type ApprovalAction,
	print,
	sequence,
	sequenceEach,
	type TurnAction,
	type Update,
	update,
} from './action.ts';
import {advanceTurn, summarizeReasoning} from './live-turn.ts';
import {
	answerApproval,
	reduceApproval,
	restartArming,
	restartArmingIn,
	withDialog,
} from './reduce-approval.ts';
import type {AnswerState} from './state.ts';

export type AnswerAction = TurnAction | ApprovalAction | Extract<Action, {type: 'keys' | 'resize'}>;

export function reduceAnswer(state: AnswerState, action: AnswerAction): Update<AnswerState> {
	switch (action.type) {
		case 'events':
			return sequenceEach({...state, now: action.now}, action.events, reduceEvent);
		case 'keys': {
			const {keys} = action;
			const all = (current: AnswerState) => sequenceEach(current, keys, reduceKey);
			return keys.length > 1 ? sequence(state, restartArmingIn, all) : all(state);
		}
		case 'approval-asked':
		case 'approval-armed':
		case 'approval-withdrawn':
			return withDialog(state, reduceApproval(state.approval, action));
		case 'tick':
			return update({...state, now: action.now});
		case 'resize':
			return update({...state, columns: action.columns, rows: action.rows});
		default:
			return action satisfies never;
	}
}

function reduceKey(state: AnswerState, key: KeyInput): Update<AnswerState> {
	const {approval} = state;
	if (approval === undefined) return update(state);
	if (key.type === 'key' && chordOf(key) === 'ctrl+c') return update(state, {type: 'stop-turn'});
	return withDialog(state, answerApproval(approval, key, state) ?? restartArming(approval));
}

function reduceEvent(state: AnswerState, event: ChatEvent): Update<AnswerState> {
	if (state.turn === undefined) return update(state);
	const {conversation, turn, entries} = advanceTurn(
		state.conversation,
		state.turn,
		event,
		state.now,
	);
	const isOver = event.type === 'turn-end' || event.type === 'error';
	const all = isOver ? [...entries, ...summarizeReasoning(turn, state.now)] : entries;
	const next = isOver ? {turn: undefined, approval: undefined} : {turn};
	return update({...state, conversation, ...next}, ...all.map(print));
}
