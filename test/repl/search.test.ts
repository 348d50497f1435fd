/** The search in earlier prompts. */
import {describe, expect, test} from 'vitest';
import {expand} from '../../src/repl/editor/buffer.ts';
import {previewOf} from '../../src/repl/editor/search.ts';
import {createApproval} from '../../src/repl/question/approval.ts';
import type {ReplState} from '../../src/repl/state.ts';
import {createRequest} from '../helpers/approval-request.ts';
import {
	answer,
	begin,
	draftOf,
	enter,
	events,
	markedDraft,
	paste,
	play,
	press,
	stepStart,
	textDelta,
	type,
	typesOf,
	withDraft,
} from './play.ts';

const prompts = ['alpha one', 'Beta (two)', 'alpha three'];

const idle = withDraft(
	play(begin(), ...prompts.flatMap((text) => [enter(text), answer('ok')])).state,
	'dra|ft',
);

/** Returns what the editor shows. */
function shown({search, editor}: ReplState): string {
	return expand(search === undefined ? editor.buffer : previewOf(search, editor));
}

function search(query: string): ReplState {
	return play(idle, press('ctrl+r'), type(query)).state;
}

describe('a search', () => {
	test('shows the draft first, and then the newest match of each query', () => {
		expect(shown(play(idle, press('ctrl+r')).state)).toBe('draft');
		expect(shown(search('alp'))).toBe('alpha three');
		expect(shown(search('one'))).toBe('alpha one');
	});

	test('ignores case, and takes every character literally', () => {
		expect(shown(search('BETA (TWO)'))).toBe('Beta (two)');
		expect(shown(search('a.e'))).toBe('draft');
		expect(shown(search('('))).toBe('Beta (two)');
	});

	test('shows the draft if there is no match, and the match again after Backspace', () => {
		const failed = search('onex');
		expect(shown(failed)).toBe('draft');
		expect(shown(play(failed, press('backspace')).state)).toBe('alpha one');
		expect(shown(play(failed, press('ctrl+u'), type('b')).state)).toBe('Beta (two)');
		expect(shown(play(failed, press('ctrl+w'), type('Be')).state)).toBe('Beta (two)');
	});

	test.each([
		['ctrl+r', 'ctrl+s'],
		['up', 'down'],
		['ctrl+p', 'ctrl+n'],
	])('goes to older matches with %s, and back with %s', (older, newer) => {
		const oldest = play(search('alpha'), press(older)).state;
		expect(shown(oldest)).toBe('alpha one');
		expect(shown(play(oldest, press(older)).state)).toBe('alpha one');
		expect(shown(play(oldest, press(newer)).state)).toBe('alpha three');
		expect(shown(play(oldest, press(newer, newer)).state)).toBe('alpha three');
	});

	test('goes through all prompts without a query', () => {
		expect(shown(play(idle, press('ctrl+r', 'ctrl+r', 'ctrl+r')).state)).toBe('Beta (two)');
	});

	test('takes a paste as a query, of several lines too', () => {
		const state = play(idle, press('ctrl+c'), paste('x\ny'), press('ctrl+c', 'ctrl+r')).state;
		expect(shown(play(state, paste('X\nY')).state)).toBe('x\ny');
	});
});

describe('the end of a search', () => {
	test.each(['enter', 'tab'])('%s puts the match into the editor, and sends nothing', (key) => {
		const {state, effects} = play(search('one'), press(key));
		expect(markedDraft(state)).toBe('alpha one|');
		expect(state.search).toBeUndefined();
		expect(effects).toEqual([]);
		expect(draftOf(play(state, press('down')).state)).toBe('Beta (two)');
		expect(draftOf(play(state, press('down', 'down', 'down')).state)).toBe('draft');
	});

	test.each(['escape', 'ctrl+c', 'ctrl+g'])('%s restores the draft and its cursor', (key) => {
		const {state, effects} = play(search('one'), press(key));
		expect(markedDraft(state)).toBe('dra|ft');
		expect(state.search).toBeUndefined();
		expect(effects).toEqual([]);
	});

	test('an editing key takes the match, and then edits it', () => {
		const {state} = play(search('one'), press('ctrl+a'), type('>'));
		expect(markedDraft(state)).toBe('>|alpha one');
	});

	test('without a match, Enter keeps the draft', () => {
		const {state, effects} = play(search('zzz'), press('enter'));
		expect(markedDraft(state)).toBe('dra|ft');
		expect(effects).toEqual([]);
	});

	test('a key without a meaning ends nothing', () => {
		expect(shown(play(search('one'), press('ctrl+t')).state)).toBe('alpha one');
	});
});

describe('during an answer', () => {
	const streaming = play(begin(), enter('one'), events(stepStart, textDelta('partly'))).state;
	const searching = play(streaming, press('ctrl+r'), type('o')).state;

	test('the first Ctrl-C ends the search, and the second stops the answer', () => {
		expect(typesOf(play(searching, press('ctrl+c')).effects)).toEqual([]);
		expect(typesOf(play(searching, press('ctrl+c', 'ctrl+c')).effects)).toEqual(['stop-turn']);
	});

	test('a question ends the search, and none begins while it is open', () => {
		const asked = play(searching, {
			type: 'question-asked',
			question: createApproval(createRequest()),
		}).state;
		expect(asked.search).toBeUndefined();
		expect(play(asked, press('ctrl+r')).state.search).toBeUndefined();
	});
});

test('the prompts of earlier sessions may come during a search', () => {
	const searching = play(begin(), press('ctrl+r'), type('old')).state;
	const {state} = play(searching, {
		type: 'history-loaded',
		prompts: [{text: 'an old one', attachments: []}],
	});
	expect(draftOf(play(state, press('enter')).state)).toBe('an old one');
});
