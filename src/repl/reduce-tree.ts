/** `/tree` and its keys; `treeBindings` lists their commands. */
import {chordOf, type KeyInput} from '../terminal/keys/key-input.ts';
import {print, sequence, type Update, update} from './action.ts';
import {type Size, treeWindowRows} from './geometry.ts';
import {findTreeCommand, type TreeCommand} from './key-bindings.ts';
import {showNotice} from './popup.ts';
import {moveHead} from './reduce-turn.ts';
import {lineOfPrompt} from './session-prompt.ts';
import type {ReplState, TreeChoice} from './state.ts';
import {type TreeRow, treeRows} from './tree-rows.ts';
import {entriesOfTurn} from './turn-entries.ts';

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
	const command = key.type === 'key' ? findTreeCommand(chordOf(key)) : undefined;
	if (command === undefined) return undefined;
	const closed = {...state, tree: undefined};
	if (command === 'close') return update(closed);
	const rows = treeRows(state.conversation);
	const place = rows.findIndex(({turn}) => turn.id === selectedId);
	if (command === 'choose') return chooseTurn(state, selectedId);
	const wanted = place + steps[command](state, rows.length);
	const next = rows[Math.max(0, Math.min(wanted, rows.length - 1))];
	return update(next === undefined ? closed : {...state, tree: {selectedId: next.turn.id}});
}

export function chooseTurn(state: ReplState, id: string | undefined): Update {
	const row = treeRows(state.conversation).find(({turn}) => turn.id === id);
	return goTo({...state, tree: undefined}, row);
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

/** Continues the conversation after a turn, and prints that turn. */
function goTo(state: ReplState, row: TreeRow | undefined): Update {
	if (row === undefined || row.turn === state.conversation.turns.at(-1)) return update(state);
	const {turn} = row;
	const text = `— back to "${lineOfPrompt(turn.prompt)}" —`;
	return sequence(
		state,
		(current) => moveHead(current, turn.id),
		(current) => update(current, print({type: 'notice', text}), ...entriesOfTurn(turn).map(print)),
	);
}
