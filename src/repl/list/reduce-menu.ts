/** Opens, changes and closes the menu; `menuBindings` lists its commands. */

import {isProgramIncomplete} from '../../errors.ts';
import {chordOf, type KeyInput} from '../../terminal/keys/key-input.ts';
import {type Effect, printNotice, type Update, update} from '../action.ts';
import {commandOfTemplate, findCommandIn} from '../commands/slash-commands.ts';
import {changeText} from '../editor/change-editor.ts';
import {deleteTo, insertText} from '../editor/edit.ts';
import {arrowBindings, commandIn, menuBindings} from '../keys/key-bindings.ts';
import {showNotice} from '../popup.ts';
import type {ReplState} from '../state.ts';
import {startTask} from '../task.ts';
import {findMenuPlace, menuCommands, promptValues, resourceValues} from './find-place.ts';
import {moveIn, selectAt, selectedItem} from './list.ts';
import {mentionValue} from './mentions.ts';
import {
	createMenu,
	labelOf,
	type Menu,
	type MenuValue,
	markCurrent,
	openedLists,
	type ValueSource,
	withQuery,
	withValues,
} from './menu.ts';

/** Returns the menu if shown. */
export function openMenuOf({menu, popup, search, tree}: ReplState): Menu | undefined {
	const isHidden = [popup, search, tree].some((other) => other !== undefined);
	return isHidden || menu?.isClosed !== false || menu.items.length === 0 ? undefined : menu;
}

/** Opens, changes or closes the menu after a text change. */
export function followText(state: ReplState, cause: 'typing' | 'tab' | 'other'): Update {
	const {menu} = state;
	const isTab = cause === 'tab' || menu?.isTab === true;
	const place = findMenuPlace(state, isTab);
	if (place === undefined) return update({...state, menu: undefined});
	const {line} = state.editor.buffer.cursor;
	const isSame =
		menu?.kind === place.kind &&
		menu.start === place.start &&
		menu.line === line &&
		isSameSource(menu.source, place.source);
	// Where nothing is left, Tab lists again.
	const isStale = cause === 'tab' && menu?.isListed === true && menu.items.length === 0;
	if (isSame && !isStale) {
		const isClosed = menu.isClosed && cause !== 'tab';
		const takesMatch = cause === 'tab' || (menu.takesMatch && menu.query === place.query);
		const changed = {...withQuery(menu, place.query), isClosed, takesMatch};
		const next = {...state, menu: changed};
		return cause === 'tab' ? takeSingleMatch(next, changed) : update(next);
	}
	// A paste, or an earlier prompt, does not open it.
	if (cause === 'other') return update({...state, menu: undefined});
	const opened = createMenu(place, {line, isTab, takesMatch: cause === 'tab'});
	const {source} = opened;
	const next = {...state, menu: opened};
	const listed = source === undefined ? update(next) : listValues(next, source);
	return cause === 'tab' ? takeSingleMatch(listed.state, opened, listed.effects) : listed;
}

/** Takes the only matching row. */
function takeSingleMatch(state: ReplState, menu: Menu, effects: readonly Effect[] = []): Update {
	const [only, ...others] = menu.items.filter(({item}) => item.isWritten !== true);
	const isSure = only !== undefined && others.length === 0 && menu.query !== '';
	return isSure ? take(state, menu, only.item) : update(state, ...effects);
}

/** Lists values for a menu; a failure is not reported, unless the program itself is incomplete. */
function listValues(state: ReplState, source: ValueSource): Update {
	return startTask(state, {
		name: 'list-values',
		run: (services) => services.listValues(source),
		done: (current, values) => showValues(current, source, values),
		fail: (current, error) => {
			const shown = showValues(current, source, [], error.message);
			const isConcerned = isEmptyMenuOf(shown.state, source) && isProgramIncomplete(error);
			return isConcerned ? update(shown.state, printNotice(error.message)) : shown;
		},
	});
}

/** Returns the list the user waits for, if any. */
function openedList({isTab, query, isClosed, source}: Menu) {
	const isWaiting = isTab && query === '' && !isClosed;
	return isWaiting && (source?.type === 'models' || source?.type === 'profiles')
		? source.type
		: undefined;
}

function showUnlisted(
	state: ReplState,
	type: keyof typeof openedLists,
	problem: string | undefined,
): Update {
	const {none, next} = openedLists[type];
	const now = type === 'models' ? [`the model is ${state.options.model}`] : [];
	return showNotice({...state, menu: undefined}, [problem ?? none, ...now, next].join('; '));
}

function isEmptyMenuOf({menu}: ReplState, source: ValueSource): boolean {
	return menu?.items.length === 0 && !menu.isClosed && isSameSource(menu.source, source);
}

/** Lists an open menu's values once more: servers may have new ones. */
export function listAgain(state: ReplState): Update {
	const {source} = state.menu ?? {};
	const isConcerned = source?.type === 'templates' || source?.type === 'files';
	return isConcerned ? listValues(state, source) : update(state);
}

/** Shows new values, dropping those for an earlier word. */
export function showValues(
	state: ReplState,
	source: ValueSource,
	values: readonly MenuValue[],
	problem?: string,
): Update {
	const {menu} = state;
	if (menu === undefined || !isSameSource(menu.source, source)) return update(state);
	const opened = openedList(menu);
	if (values.length === 0 && opened !== undefined) return showUnlisted(state, opened, problem);
	const listed = values.map(formOf(source, state));
	const names = new Set(listed.map(labelOf));
	// A template wins over a prompt with the same name.
	const known = knownValues(menu, state).filter((value) => !names.has(labelOf(value)));
	const shown = withValues(menu, [...known, ...listed]);
	// The user may have moved to another command.
	const {selected} = menu.kind === 'command' && menu.items.length > 0 ? menu : shown;
	const current = shown.items.findIndex(({item}) => item.isCurrent);
	const isBare = menu.query === '' && current !== -1;
	const changed = isBare ? selectAt(shown, current) : {...shown, selected};
	const next = {...state, menu: changed};
	return menu.takesMatch && !menu.isListed ? takeSingleMatch(next, changed) : update(next);
}

function formOf({type}: ValueSource, {options}: ReplState): (value: MenuValue) => MenuValue {
	switch (type) {
		case 'files':
			return mentionValue;
		case 'templates':
			return templateValue;
		case 'models':
			return (value) => markCurrent(value, options.model);
		case 'sessions':
		case 'profiles':
		case 'folder':
		case 'arguments':
			return (value) => value;
		default:
			return type satisfies never;
	}
}

/** Returns the command calling a template. */
function templateValue({text: name, ...value}: MenuValue): MenuValue {
	const label = commandOfTemplate(name);
	return {...value, text: `${label} `, label, rank: 1};
}

function isSameSource(one: ValueSource | undefined, other: ValueSource | undefined): boolean {
	if (one?.type === 'folder' && other?.type === 'folder') return one.path === other.path;
	if (one?.type === 'arguments' && other?.type === 'arguments') {
		return one.prompt === other.prompt && one.argument === other.argument;
	}
	return one?.type === other?.type;
}

/** Returns the values from the state, listed beside the source's. */
function knownValues({kind, source}: Menu, {servers}: ReplState): readonly MenuValue[] {
	if (kind === 'command') return [...menuCommands, ...servers.flatMap(promptValues)];
	return source?.type === 'files' ? servers.flatMap(resourceValues) : [];
}

/**
 * Returns undefined for a key acting as if without a menu.
 *
 * @param submit sends the text, or runs the command; undefined for a line typed ahead, which runs
 * as typed
 */
export function reduceMenuKey(
	state: ReplState,
	menu: Menu,
	key: KeyInput,
	submit: ((state: ReplState) => Update) | undefined,
): Update | undefined {
	const chord = key.type === 'key' ? chordOf(key) : '';
	const command = commandIn([...arrowBindings, ...menuBindings], chord);
	switch (command) {
		case undefined:
			return undefined;
		case 'above':
		case 'below':
			return update({...state, menu: moveIn(menu, command, {isCyclic: true})});
		case 'close':
			return update({...state, menu: {...menu, isClosed: true}});
		case 'complete':
			return take(state, menu, (selectedItem(menu) ?? menu.items[0])?.item);
		case 'choose':
			return submit && choose(state, menu, submit);
		default:
			return command satisfies never;
	}
}

function choose(
	state: ReplState,
	menu: Menu,
	submit: (state: ReplState) => Update,
): Update | undefined {
	const value = selectedItem(menu)?.item;
	// The first Enter asks about an unlisted name, the second one takes it.
	const isUnknown = menu.items[0]?.item.isWritten === true;
	if (value === undefined && isUnknown) return update({...state, menu: selectAt(menu, 0)});
	if (value === undefined) return undefined;
	if (menu.kind === 'file') {
		const isFolder = menu.source?.type === 'files' && value.isPartial === true;
		return take(state, menu, isFolder ? {...value, text: `${value.text} `} : value);
	}
	// An alias, or a command's whole name when another command matches better.
	const isWhole = menu.items.some(({item}) => labelOf(item) === menu.query);
	const isKnown = isWhole || findCommandIn(menu.query) !== undefined;
	const isWritten = labelOf(value) === menu.query && value.isWritten !== true;
	if (menu.kind === 'command' ? isKnown : isWritten) return undefined;
	if (value.isPartial === true) return take(state, menu, value);
	return submit({...withValue(state, menu, value), menu: undefined});
}

function take(state: ReplState, menu: Menu, value: MenuValue | undefined): Update {
	if (value === undefined) return update(state);
	return followText(withValue(state, menu, value), menu.isTab ? 'tab' : 'typing');
}

/** Replaces the word with a value; a command's slash is typed already. */
function withValue(state: ReplState, {start, kind}: Menu, {text}: MenuValue): ReplState {
	const kept = kind === 'command' ? 1 : 0;
	const editor = changeText(state.editor, (buffer) => {
		const word = {line: buffer.cursor.line, column: start + kept};
		return insertText(deleteTo(buffer, word), text.slice(kept));
	});
	return {...state, editor};
}
