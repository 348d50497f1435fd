/** `/reasoning`: prints what was thought, or chooses how it is shown. */
import {type Outcome, outcome, print} from './action.ts';
import {complain} from './popup.ts';
import {turnsSoFar} from './reduce-turn.ts';
import type {ReasoningMode, ReplState, TurnRecord} from './state.ts';

const modes: readonly ReasoningMode[] = ['auto', 'show', 'hide'];

export function showReasoning(state: ReplState, argument: string): Outcome {
	const mode = modes.find((candidate) => candidate === argument);
	if (mode !== undefined) {
		const text = `reasoning: ${mode}`;
		return outcome({...state, reasoningMode: mode}, print({type: 'notice', text}));
	}
	const isNumber = /^[1-9]\d*$/.test(argument);
	if (argument !== '' && !isNumber) {
		return complain(state, `/reasoning takes the number of a turn, or ${modes.join(', ')}`);
	}
	const turns = turnsSoFar(state);
	const turn = isNumber ? turns[Number(argument) - 1] : turns.at(-1);
	if (turn === undefined) {
		return complain(state, isNumber ? `there is no turn ${argument} yet` : 'there is no turn yet');
	}
	if (turn === turns.at(-1) && state.turn?.phase === 'reasoning') {
		return complain(state, 'the model is still thinking; Ctrl-O shows or hides it');
	}
	return printReasoning(state, turn);
}

function printReasoning(state: ReplState, {reasoning}: TurnRecord): Outcome {
	if (reasoning === '') return complain(state, 'there is no reasoning for that turn');
	const printed = print({type: 'reasoning', text: reasoning});
	if (state.turn === undefined) return outcome(state, printed);
	const waiting = complain(state, 'the reasoning follows the answer');
	return outcome(waiting.state, printed);
}
