/** Reduces a single answer on a screen, which reads keys only while a question is open. */
import type {ChatEvent} from '../../chat/event.ts';
import type {KeyInput} from '../../terminal/keys/key-input.ts';
import {
	type Action,
	print,
	printAbove,
	type QuestionAction,
	sequence,
	sequenceEach,
	type Update,
	update,
} from '../action.ts';
import {
	answerQuestion,
	commandOutside,
	reduceQuestion,
	restartArmingIn,
	withQuestion,
} from '../question/reduce-question.ts';
import type {AnswerState, TranscriptEntry} from '../state.ts';
import {advanceTurn} from './live-turn.ts';

type SharedAction = QuestionAction | Extract<Action, {type: 'tick' | 'resize' | 'terminal-taken'}>;

export type AnswerAction = SharedAction | Extract<Action, {type: 'events' | 'keys'}>;

export function reduceAnswer(state: AnswerState, action: AnswerAction): Update<AnswerState> {
	switch (action.type) {
		case 'events':
			return reduceEvents({...state, now: action.now}, action.events);
		case 'keys': {
			const {keys} = action;
			const all = (current: AnswerState) => sequenceEach(current, keys, reduceKey);
			return keys.length > 1 ? sequence(state, restartArmingIn, all) : all(state);
		}
		default:
			return reduceShared(state, action);
	}
}

/** Reduces the actions shared with the REPL. */
export function reduceShared<State extends AnswerState>(
	state: State,
	action: SharedAction,
): Update<State> {
	switch (action.type) {
		case 'question-asked':
		case 'question-armed':
		case 'line-answered':
		case 'page-opened':
		case 'question-withdrawn':
			return withQuestion(state, reduceQuestion(state.question, action));
		case 'tick':
			return update({...state, now: action.now});
		case 'resize':
			return update({...state, columns: action.columns, rows: action.rows});
		case 'terminal-taken':
			// The next keys may have been typed for another program.
			return restartArmingIn(state);
		default:
			return action satisfies never;
	}
}

function reduceKey(state: AnswerState, key: KeyInput): Update<AnswerState> {
	const {question} = state;
	const command = commandOutside(key);
	if (command === 'interrupt') return update(state, {type: 'stop-turn'});
	if (command === 'suspend') return update(state, {type: 'suspend'});
	if (question === undefined || command !== undefined) return restartArmingIn(state);
	return withQuestion(state, answerQuestion(question, key, state));
}

function reduceEvents(state: AnswerState, events: readonly ChatEvent[]): Update<AnswerState> {
	if (state.turn === undefined) return update(state);
	const {conversation, turn, above, below, end} = advanceTurn(state, state.turn, events);
	const prints = [...above.map(printAbove), ...below.flatMap(withoutNotices).map(print)];
	const next = {...state, conversation};
	return end === undefined
		? update({...next, turn}, ...prints)
		: update({...next, turn: undefined, question: undefined}, ...prints);
}

/** Notices go to stderr, and so do the service's words for an incomplete answer. */
function withoutNotices(entry: TranscriptEntry): readonly TranscriptEntry[] {
	const isReported = entry.type === 'truncation' && entry.reason === 'reported';
	return entry.type === 'notice' || isReported ? [] : [entry];
}
