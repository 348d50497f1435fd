/** `/edit`, `/continue`, `/reasoning`, `/tool`, `/retry`, `/undo`, `/usage` and `/tree`: the turns so far. */

import {hasAnswer, reasoningOf, type Turn, turnsSoFar} from '../../chat/conversation.ts';
import {type Cost, costOf, formatCost} from '../../cost.ts';
import type {Usage} from '../../usage.ts';
import {formatCount, formatSeconds, plural} from '../../wording.ts';
import {print, printNotice, sequence, type Update, update} from '../action.ts';
import {undoCompaction} from '../compact/start-compaction.ts';
import type {Completion} from '../list/menu.ts';
import {openTree} from '../list/reduce-tree.ts';
import {printOrShow, showNotice} from '../popup.ts';
import {noNumber, type ReasoningMode, type ReplState} from '../state.ts';
import {lineOfCall} from '../turn/call-text.ts';
import {beginEdit, promptOfTurn} from '../turn/prompt-edit.ts';
import {restorePrompt} from '../turn/prompts.ts';
import {continueAnswer, goBefore, startTurn} from '../turn/reduce-turn.ts';
import {callsOf, shownSoFar} from '../turn/shown-turns.ts';
import {toolEntry} from '../turn/turn-entries.ts';
import type {SlashCommand} from './command.ts';

export const turnCommands: readonly SlashCommand[] = [
	{
		name: 'edit',
		group: 'conversation',
		parameters: '[n]',
		summary: 'edit the last prompt, or prompt n',
		key: 'Esc twice',
		isBasic: true,
		needsIdle: true,
		run: editPrompt,
	},
	{
		name: 'retry',
		group: 'conversation',
		summary: 'send the last prompt again',
		isBasic: true,
		needsIdle: true,
		run: retryTurn,
	},
	{
		name: 'continue',
		group: 'conversation',
		summary: 'go on with the last answer, if it was cut off',
		needsIdle: true,
		run: (state) => continueAnswer(state) ?? showNotice(state, 'no cut answer to continue'),
	},
	{
		name: 'reasoning',
		group: 'show',
		parameters: '[n|mode]',
		summary: "print a turn's reasoning, or set auto, show or hide",
		isBasic: true,
		complete: (query) => ({query, values: reasoningModes.map((text) => ({text}))}),
		run: showReasoning,
	},
	{
		name: 'tool',
		group: 'show',
		parameters: '[n]',
		summary: 'print a tool call with its whole result',
		complete: completeCall,
		run: showCall,
	},
	{
		name: 'undo',
		group: 'conversation',
		summary: 'undo the last turn and make its prompt the draft, or undo /compact',
		needsIdle: true,
		run: undoTurn,
	},
	{
		name: 'usage',
		group: 'show',
		summary: 'show the tokens, time and cost of each turn',
		run: showUsage,
	},
	{
		name: 'quotes',
		group: 'show',
		summary: 'show the last checked quotations',
		run: showQuotes,
	},
	{
		name: 'tree',
		group: 'conversation',
		summary: 'show all branches, and continue after any turn',
		needsIdle: true,
		run: openTree,
	},
];

function retryTurn(state: ReplState): Update {
	const last = lastAnswered(state);
	if (last === undefined) return showNotice(state, 'nothing to retry');
	return startTurn(state, {...promptOfTurn(state, last), replaces: last.id});
}

function undoTurn(state: ReplState): Update {
	const undone = undoCompaction(state);
	if (undone !== undefined) return undone;
	const last = lastAnswered(state);
	if (last === undefined) return showNotice(state, 'nothing to undo');
	return sequence(
		restorePrompt(state, promptOfTurn(state, last)),
		(current) => goBefore(current, last),
		(current) => update(current, printNotice('last turn undone; its prompt is the draft again')),
	);
}

/** @param argument the prompt's number; empty for the last one */
function editPrompt(state: ReplState, argument: string): Update {
	const {turns} = state.conversation;
	if (argument !== '' && !isTurnNumber(argument)) {
		return showNotice(state, '/edit needs a prompt number');
	}
	const number = argument === '' ? turns.length : Number(argument);
	if (turns[number - 1] === undefined) {
		return showNotice(state, argument === '' ? 'nothing to edit' : noTurn(argument));
	}
	return update(beginEdit(state, number - 1));
}

function isTurnNumber(text: string): boolean {
	return /^[1-9]\d*$/.test(text);
}

function noTurn(number: string): string {
	return `there is no turn ${number} yet`;
}

function lastAnswered({conversation}: ReplState): Turn | undefined {
	return conversation.turns.findLast(hasAnswer);
}

const reasoningModes: readonly ReasoningMode[] = ['auto', 'show', 'hide'];

/** Prints a turn's reasoning, or sets how reasoning is shown. */
function showReasoning(state: ReplState, argument: string): Update {
	const mode = reasoningModes.find((candidate) => candidate === argument);
	if (mode !== undefined) {
		const text = `reasoning: ${mode}`;
		return update({...state, reasoningMode: mode}, printNotice(text));
	}
	const isNumber = isTurnNumber(argument);
	if (argument !== '' && !isNumber) {
		return showNotice(
			state,
			`/reasoning needs a turn number, or one of ${reasoningModes.join(', ')}`,
		);
	}
	const turns = turnsSoFar(state.conversation, state.now);
	const last = turns.at(-1);
	const turn = isNumber
		? shownSoFar(state.shown, state.conversation, state.now)[Number(argument) - 1]?.turn
		: last;
	if (turn === undefined) {
		return showNotice(state, isNumber ? noTurn(argument) : noTurns);
	}
	if (turn.id === last?.id && state.turn?.phase === 'reasoning') {
		const key = 'Ctrl-O shows or hides its reasoning';
		return showNotice(state, 'the model is still thinking', key);
	}
	return printReasoning(state, turn);
}

/** @param argument the call's number in the scrollback; empty for the last one */
function showCall(state: ReplState, argument: string): Update {
	const calls = callsOf(shownSoFar(state.shown, state.conversation, state.now));
	if (argument !== '' && !isTurnNumber(argument)) {
		return showNotice(state, '/tool needs a call number');
	}
	if (calls.length === 0) return showNotice(state, 'no tool was called yet');
	const number = argument === '' ? calls.length : Number(argument);
	const found = calls[number - 1];
	if (found === undefined) {
		const count = plural(calls.length, 'tool call');
		return showNotice(state, `there ${calls.length === 1 ? 'is' : 'are'} only ${count} yet`);
	}
	const printed = print({...toolEntry(found.call, found.result, number), isWhole: true});
	if (state.turn === undefined) return update(state, printed);
	return update(showNotice(state, 'the tool call follows after the answer').state, printed);
}

/** Completes a tool call number, the newest first. */
function completeCall(query: string, state: ReplState): Completion {
	const calls = callsOf(shownSoFar(state.shown, state.conversation, state.now));
	const values = calls.map(({call}, index) => ({
		text: String(index + 1),
		meaning: lineOfCall(call),
	}));
	return {query, values: values.toReversed()};
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

function showQuotes(state: ReplState): Update {
	const checked = turnsSoFar(state.conversation, state.now).findLast(
		({quotations = []}) => quotations.length > 0,
	);
	if (checked?.quotations === undefined) {
		return showNotice(state, 'no quotations were checked yet');
	}
	const printed = print({type: 'quotations', quotations: checked.quotations});
	if (state.turn === undefined) return update(state, printed);
	return update(showNotice(state, 'the quotations follow after the answer').state, printed);
}

/** Shows each turn's tokens, time and cost, as a table. */
function showUsage(state: ReplState): Update {
	const turns = turnsSoFar(state.conversation, state.now);
	if (turns.length === 0) return printOrShow(state, {type: 'text', text: noTurns});
	const counted = turns.map((turn): CountedTurn => {
		const {usage, times, model} = turn;
		return {usage, ms: times.totalMs, cost: costOf(usage, state.knownModels.get(model)?.prices)};
	});
	const day = counted.find(({cost}) => cost !== undefined)?.cost?.pricesOf;
	const isPriced = day !== undefined;
	const rows = counted.map((turn, index) => usageRow(`turn ${index + 1}`, [turn], isPriced));
	return printOrShow(state, {
		type: 'numbers',
		columns: isPriced ? ['in', 'out', 'time', 'about'] : ['tokens in', 'tokens out', 'time'],
		rows: turns.length > 1 ? [...rows, usageRow('total', counted, isPriced)] : rows,
		note: isPriced ? `tokens in and out; prices of ${day}` : undefined,
	});
}

type CountedTurn = {
	readonly usage: Usage | undefined;
	readonly ms: number;
	readonly cost: Cost | undefined;
};

function usageRow(
	name: string,
	turns: readonly CountedTurn[],
	isPriced: boolean,
): readonly [name: string, ...numbers: readonly string[]] {
	const totalMs = sumOf(turns.map(({ms}) => ms)) ?? 0;
	const cells = [
		sumOf(turns.map(({usage}) => usage?.promptTokens)),
		sumOf(turns.map(({usage}) => usage?.completionTokens)),
	].map((count) => (count === undefined ? noNumber : formatCount(count)));
	const usd = sumOf(turns.map(({cost}) => cost?.usd));
	const price = usd === undefined ? noNumber : formatCost(usd);
	return [name, ...cells, formatSeconds(totalMs), ...(isPriced ? [price] : [])];
}

/** Returns the sum of the known values; undefined without any. */
function sumOf(values: ReadonlyArray<number | undefined>): number | undefined {
	const known = values.filter((value) => value !== undefined);
	return known.length === 0 ? undefined : known.reduce((total, value) => total + value, 0);
}
