/** Reduces search keys; `searchBindings` lists the commands. */
import type {Prompt} from '../../chat/prompt.ts';
import {chordOf, type KeyInput} from '../../terminal/keys/key-input.ts';
import {type Update, update} from '../action.ts';
import {insertText} from '../editor/edit.ts';
import {recallEntry, withOlder} from '../editor/history.ts';
import {findMatch, type HistorySearch, searchFor} from '../editor/search.ts';
import type {ReplState} from '../state.ts';
import {deleteLeft} from './edit-line.ts';
import {commandIn, findCommand, type SearchCommand, searchBindings} from './key-bindings.ts';

/** Returns undefined for a key ending the search and then acting as usual. */
export function reduceSearch(state: ReplState, key: KeyInput): Update | undefined {
	const {search, editor} = state;
	if (search === undefined) return undefined;
	const isKey = key.type === 'key';
	const chord = isKey ? chordOf(key) : '';
	const searchCommand = commandIn(searchBindings, chord);
	if (searchCommand !== undefined) return update(searchCommands[searchCommand](state, search));
	const query = isKey ? deleteLeft(search.query, key) : insertText(search.query, key.text);
	if (query !== undefined) return update({...state, search: searchFor(query, editor)});
	return findCommand(chord) === undefined ? update(state) : undefined;
}

/** Adds prompts from earlier sessions, also to an open search. */
export function withOlderPrompts(state: ReplState, prompts: readonly Prompt[]): ReplState {
	const editor = withOlder(state.editor, prompts);
	return {...state, editor, search: state.search && searchFor(state.search.query, editor)};
}

/** Puts the match into the editor, if there is one. */
export function acceptMatch(state: ReplState): ReplState {
	const index = state.search?.index;
	const editor = index === undefined ? state.editor : recallEntry(state.editor, index);
	return {...state, editor, search: undefined};
}

const searchCommands: Readonly<
	Record<SearchCommand, (state: ReplState, search: HistorySearch) => ReplState>
> = {
	accept: acceptMatch,
	cancel: (state) => ({...state, search: undefined}),
	older: (state, search) => ({...state, search: findMatch(search, -1, state.editor)}),
	newer: (state, search) => ({...state, search: findMatch(search, 1, state.editor)}),
};
