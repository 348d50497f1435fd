/** `/new`, `/reasoning`, `/retry`, `/undo` and `/usage`: the turns so far. */
import {hasAnswer, reasoningOf, type Turn, turnsSoFar} from '../chat/conversation.ts';
import {print, sequence, type Update, update} from './action.ts';
import {printOrShow, showNotice} from './popup.ts';
import {changeConversation, moveHead, startTurn} from './reduce-turn.ts';
import {restorePrompt} from './session-prompt.ts';
import type {ReasoningMode, ReplState} from './state.ts';

export function startConversation(state: ReplState): Update {
	const next: ReplState = {
		...state,
		queue: [],
		isQueueHeld: false,
		attachments: [],
		isReasoningOpen: false,
	};
	return sequence(
		next,
		(current) => changeConversation(current, {type: 'turns-cleared'}),
		(current) => update(current, print({type: 'notice', text: 'new conversation'})),
	);
}

export function retryTurn(state: ReplState): Update {
	const last = lastAnswered(state);
	if (last === undefined) return showNotice(state, 'nothing to retry');
	return sequence(
		state,
		(current) => goBefore(current, last),
		(current) => startTurn(current, last.prompt),
	);
}

export function undoTurn(state: ReplState): Update {
	const last = lastAnswered(state);
	if (last === undefined) return showNotice(state, 'nothing to undo');
	const text = 'last turn undone; its prompt is back in the editor';
	return sequence(
		restorePrompt(state, last.prompt),
		(current) => goBefore(current, last),
		(current) => update(current, print({type: 'notice', text})),
	);
}

/** Moves the head to the turn before this one. */
function goBefore(state: ReplState, turn: Turn): Update {
	const {turns} = state.conversation;
	return moveHead(state, turns[turns.indexOf(turn) - 1]?.id ?? null);
}

function lastAnswered({conversation}: ReplState): Turn | undefined {
	return conversation.turns.findLast(hasAnswer);
}

const modes: readonly ReasoningMode[] = ['auto', 'show', 'hide'];

/** Prints the reasoning of a turn, or sets how reasoning is shown. */
export function showReasoning(state: ReplState, argument: string): Update {
	const mode = modes.find((candidate) => candidate === argument);
	if (mode !== undefined) {
		const text = `reasoning: ${mode}`;
		return update({...state, reasoningMode: mode}, print({type: 'notice', text}));
	}
	const isNumber = /^[1-9]\d*$/.test(argument);
	if (argument !== '' && !isNumber) {
		return showNotice(state, `/reasoning needs a turn number, or one of ${modes.join(', ')}`);
	}
	const turns = turnsSoFar(state.conversation, state.now);
	const turn = isNumber ? turns[Number(argument) - 1] : turns.at(-1);
	if (turn === undefined) {
		return showNotice(state, isNumber ? `there is no turn ${argument} yet` : noTurns);
	}
	if (turn === turns.at(-1) && state.turn?.phase === 'reasoning') {
		return showNotice(state, 'the model is still thinking; Ctrl-O shows or hides its reasoning');
	}
	return printReasoning(state, turn);
}

const noTurns = 'there are no turns yet';

function printReasoning(state: ReplState, turn: Turn): Update {
	const reasoning = reasoningOf(turn);
	if (reasoning === '') return showNotice(state, 'that turn has no reasoning');
	const printed = print({type: 'reasoning', text: reasoning});
	if (state.turn === undefined) return update(state, printed);
	const waiting = showNotice(state, 'the reasoning follows after the answer');
	return update(waiting.state, printed);
}

/** Shows the tokens and the time of each turn, as a table. */
export function showUsage(state: ReplState): Update {
	const turns = turnsSoFar(state.conversation, state.now);
	if (turns.length === 0) return printOrShow(state, {type: 'text', text: noTurns});
	const rows = turns.map((turn, index) => usageRow(`turn ${index + 1}`, [turn]));
	const table = [
		['', 'tokens in', 'tokens out', 'time'],
		...rows,
		...(turns.length > 1 ? [usageRow('total', turns)] : []),
	];
	return printOrShow(state, {type: 'text', text: table.map(alignRow).join('\n')});
}

function usageRow(name: string, turns: readonly Turn[]): readonly string[] {
	const totalMs = turns.reduce((sum, {times}) => sum + times.totalMs, 0);
	return [
		name,
		sumOf(turns.map(({usage}) => usage?.promptTokens)),
		sumOf(turns.map(({usage}) => usage?.completionTokens)),
		`${(totalMs / 1000).toFixed(1)} s`,
	];
}

/** Returns the sum of the counts that the service reported. */
function sumOf(counts: ReadonlyArray<number | undefined>): string {
	const known = counts.filter((count) => count !== undefined);
	return known.length === 0 ? '–' : String(known.reduce((total, count) => total + count, 0));
}

function alignRow([name = '', ...cells]: readonly string[]): string {
	const widths = [10, 11, 9];
	return name.padEnd(8) + cells.map((cell, index) => cell.padStart(widths[index] ?? 0)).join('');
}
