/** `/tree` and its keys; `treeBindings` lists their commands. */
import {treeOf} from '../../chat/conversation.ts';
import {chordOf, type KeyInput} from '../../terminal/keys/key-input.ts';
import {print, printNotice, sequence, type Update, update} from '../action.ts';
import {treeWindowRows} from '../geometry.ts';
import {commandIn, treeBindings} from '../keys/key-bindings.ts';
import {showNotice} from '../popup.ts';
import type {ReplState} from '../state.ts';
import {moveHead} from '../turn/change-conversation.ts';
import {lineOfPrompt} from '../turn/prompts.ts';
import {numbersOf, showTurns} from '../turn/shown-turns.ts';
import {entriesOfTurn} from '../turn/turn-entries.ts';
import {findListCommand, type List, moveIn, selectAt, selectedItem} from './list.ts';
import {type TreeRow, treeRows} from './tree-rows.ts';

/** Shows the tree, with the head selected. */
export function openTree(state: ReplState): Update {
	const {conversation} = state;
	const head = conversation.turns.at(-1);
	const items = treeRows(conversation);
	if (items.length === 0) return showNotice(state, 'there are no turns yet');
	const place = items.findIndex(({turn}) => turn === head);
	return update({...state, tree: selectAt({items, selected: undefined}, place)});
}

/** Returns undefined for a key closing the tree and then acting as usual. */
export function reduceTree(
	state: ReplState,
	tree: List<TreeRow>,
	key: KeyInput,
): Update | undefined {
	const chord = key.type === 'key' ? chordOf(key) : '';
	const move = findListCommand(chord);
	if (move !== undefined) {
		return update({...state, tree: moveIn(tree, move, {pageRows: treeWindowRows(state)})});
	}
	const command = commandIn(treeBindings, chord);
	if (command === undefined) return undefined;
	return chooseTurn(state, command === 'choose' ? selectedItem(tree)?.turn.id : undefined);
}

/** Closes the tree; continues the conversation after the chosen turn, if any, and prints it. */
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
