/** `/new`, `/reasoning`, `/retry`, `/undo` and `/usage`: the turns so far. */
import {type Outcome, outcome, print} from './action.ts';
import {complain, tell} from './popup.ts';
import {giveBack} from './prompt.ts';
import {dropLastTurn, startTurn, turnsSoFar} from './reduce-turn.ts';
import type {ReasoningMode, ReplState, TurnRecord} from './state.ts';

export function startConversation(state: ReplState): Outcome {
	const system = state.conversation.messages.filter(({role}) => role === 'system');
	const next: ReplState = {
		...state,
		conversation: {messages: system, open: undefined},
		turns: [],
		queue: [],
		isQueueHeld: false,
		attachments: [],
		isReasoningOpen: false,
	};
	return outcome(next, print({type: 'notice', text: 'new conversation'}));
}

export function retryTurn(state: ReplState): Outcome {
	const dropped = dropLastTurn(state);
	if (dropped === undefined) return complain(state, 'nothing to retry');
	return startTurn(dropped.state, dropped.prompt, state.now);
}

export function undoTurn(state: ReplState): Outcome {
	const dropped = dropLastTurn(state);
	if (dropped === undefined) return complain(state, 'nothing to undo');
	return outcome(
		giveBack(dropped.state, dropped.prompt),
		print({type: 'notice', text: 'last turn undone; its prompt is back in the editor'}),
	);
}

const modes: readonly ReasoningMode[] = ['auto', 'show', 'hide'];

/** Prints the reasoning of a turn, or sets how reasoning is shown. */
export function showReasoning(state: ReplState, argument: string): Outcome {
	const mode = modes.find((candidate) => candidate === argument);
	if (mode !== undefined) {
		const text = `reasoning: ${mode}`;
		return outcome({...state, reasoningMode: mode}, print({type: 'notice', text}));
	}
	const isNumber = /^[1-9]\d*$/.test(argument);
	if (argument !== '' && !isNumber) {
		return complain(state, `/reasoning needs a turn number, or one of ${modes.join(', ')}`);
	}
	const turns = turnsSoFar(state);
	const turn = isNumber ? turns[Number(argument) - 1] : turns.at(-1);
	if (turn === undefined) {
		return complain(state, isNumber ? `there is no turn ${argument} yet` : noTurns);
	}
	if (turn === turns.at(-1) && state.turn?.phase === 'reasoning') {
		return complain(state, 'the model is still thinking; Ctrl-O shows or hides its reasoning');
	}
	return printReasoning(state, turn);
}

const noTurns = 'there are no turns yet';

function printReasoning(state: ReplState, {reasoning}: TurnRecord): Outcome {
	if (reasoning === '') return complain(state, 'that turn has no reasoning');
	const printed = print({type: 'reasoning', text: reasoning});
	if (state.turn === undefined) return outcome(state, printed);
	const waiting = complain(state, 'the reasoning follows after the answer');
	return outcome(waiting.state, printed);
}

/** Shows the tokens and the time of each turn, as a table. */
export function showUsage(state: ReplState): Outcome {
	const turns = turnsSoFar(state);
	if (turns.length === 0) return tell(state, {type: 'text', text: noTurns});
	const rows = turns.map((turn, index) => usageRow(`turn ${index + 1}`, [turn]));
	const table = [
		['', 'tokens in', 'tokens out', 'time'],
		...rows,
		...(turns.length > 1 ? [usageRow('total', turns)] : []),
	];
	return tell(state, {type: 'text', text: table.map(alignRow).join('\n')});
}

function usageRow(name: string, turns: readonly TurnRecord[]): readonly string[] {
	const totalMs = turns.reduce((sum, turn) => sum + turn.totalMs, 0);
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
