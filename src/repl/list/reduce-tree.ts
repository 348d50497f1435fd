/** `/tree` and its keys; `treeBindings` lists their commands. */
import {treeOf} from '../../chat/conversation.ts';
import {chordOf, type KeyInput} from '../../terminal/keys/key-input.ts';
import {print, printNotice, sequence, type Update, update} from '../action.ts';
import {type Size, treeWindowRows} from '../geometry.ts';
import {commandIn, type TreeCommand, treeBindings} from '../keys/key-bindings.ts';
import {showNotice} from '../popup.ts';
import type {ReplState, TreeChoice} from '../state.ts';
import {lineOfPrompt} from '../turn/prompts.ts';
import {moveHead} from '../turn/reduce-turn.ts';
import {numbersOf, showTurns} from '../turn/shown-turns.ts';
import {entriesOfTurn} from '../turn/turn-entries.ts';
import {treeRows} from './tree-rows.ts';

/** Shows the tree, with the head selected. */
export function openTree(state: ReplState): Update {
	const {conversation} = state;
	const selected = conversation.turns.at(-1) ?? treeRows(conversation)[0]?.turn;
	if (selected === undefined) return showNotice(state, 'there are no turns yet');
	return update({...state, tree: {selectedId: selected.id}});
}

/** Returns undefined for a key that closes the tree and then does what it does otherwise. */
export function reduceTree(
	state: ReplState,
	{selectedId}: TreeChoice,
	key: KeyInput,
): Update | undefined {
	const command = key.type === 'key' ? commandIn(treeBindings, chordOf(key)) : undefined;
	if (command === undefined) return undefined;
	if (command === 'close') return chooseTurn(state, undefined);
	if (command === 'choose') return chooseTurn(state, selectedId);
	const rows = treeRows(state.conversation);
	const place = rows.findIndex(({turn}) => turn.id === selectedId);
	const wanted = place + steps[command](state, rows.length);
	const next = rows[Math.max(0, Math.min(wanted, rows.length - 1))];
	return update({...state, tree: next && {selectedId: next.turn.id}});
}

type Step = Exclude<TreeCommand, 'choose' | 'close'>;

const steps: Readonly<Record<Step, (size: Size, length: number) => number>> = {
	above: () => -1,
	below: () => 1,
	'page-above': (size) => -treeWindowRows(size),
	'page-below': (size) => treeWindowRows(size),
	first: (_size, length) => -length,
	last: (_size, length) => length,
};

/** Closes the tree; continues the conversation after a turn, if there is one, and prints that turn. */
export function chooseTurn(state: ReplState, id: string | undefined): Update {
	const {conversation} = state;
	const closed: ReplState = {...state, tree: undefined};
	const turn = treeOf(conversation).find((node) => node.turn.id === id)?.turn;
	if (turn === undefined || turn === conversation.turns.at(-1)) return update(closed);
	const text = `back to "${lineOfPrompt(turn.prompt)}"`;
	return sequence(
		closed,
		(current) => moveHead(current, turn.id),
		(current) => {
			const shown = showTurns(current.shown, [turn]);
			const entries = entriesOfTurn(turn, numbersOf(shown, turn));
			return update({...current, shown}, printNotice(text), ...entries.map(print));
		},
	);
}
