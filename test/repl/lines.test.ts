/** Lines from a terminal that edits lines. */
import {describe, expect, test} from 'vitest';
import {
	answer,
	begin,
	draftOf,
	entriesOf,
	events,
	failure,
	lineOf,
	play,
	press,
	type,
} from './play.ts';

const failed = play(begin(), lineOf('first'), events(failure('unavailable'))).state;

describe('a line', () => {
	test('is sent, and an empty one is not', () => {
		const {state} = play(begin(), lineOf(''), lineOf('  \n'), lineOf('one\ntwo'));
		expect(state.conversation.turns).toEqual([]);
		expect(state.conversation.open?.prompt.text).toBe('one\ntwo');
	});

	test('is queued during an answer', () => {
		const {state} = play(begin(), lineOf('one'), lineOf('two'), answer('fine'));
		expect(state.conversation.open?.prompt.text).toBe('two');
	});

	test('replaces a draft, which Up brings back; an empty one sends it', () => {
		expect(draftOf(failed)).toBe('first');
		const {state} = play(failed, lineOf('second'));
		expect(state.conversation.open?.prompt.text).toBe('second');
		expect(draftOf(play(state, press('up', 'up')).state)).toBe('first');
		expect(play(failed, lineOf('')).state.conversation.open?.prompt.text).toBe('first');
	});

	test('with a command leaves the draft as it is, known or not', () => {
		for (const command of ['/usage', '/nothing', '/help usage']) {
			expect(draftOf(play(failed, lineOf(command)).state)).toBe('first');
		}
	});

	test('that undoes a turn makes its prompt the draft', () => {
		const {state, effects} = play(begin(), lineOf('one'), answer('fine'), lineOf('/undo'));
		expect(draftOf(state)).toBe('one');
		expect(entriesOf(effects).at(-1)).toMatchObject({type: 'notice'});
	});

	test('closes help, and does not confirm what a key has asked', () => {
		const {state} = play(play(begin(), type('?')).state, lineOf('/usage'));
		expect(state.popup).toBeUndefined();
	});
});
