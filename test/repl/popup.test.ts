/** The popup below the prompt, which never reaches the scrollback. */
import {describe, expect, test} from 'vitest';
import {
	answer,
	begin,
	draftOf,
	enter,
	entriesOf,
	events,
	paste,
	play,
	popupOf,
	press,
	reasoningDelta,
	replyOf,
	stepStart,
	textDelta,
	type,
	typesOf,
} from './play.ts';

const idle = play(begin(), enter('first'), answer('1', 'because')).state;
const streaming = play(idle, enter('second'), events(stepStart, textDelta('partly'))).state;

describe('a question mark on the empty prompt', () => {
	const asked = play(begin(), type('?'));

	test('shows the basic keys, and prints nothing', () => {
		expect(popupOf(asked.state)).toContain(
			'Ctrl-O, Alt-T  open the reasoning, then the tool calls',
		);
		expect(popupOf(asked.state)).toContain('/help keys');
		expect(popupOf(asked.state)).not.toContain('Ctrl-W');
		expect(replyOf(play(begin(), enter('/help keys')))).toContain('Ctrl-W');
		expect(asked.effects).toEqual([]);
		expect(draftOf(asked.state)).toBe('');
	});

	test.each([
		['a letter', type('a'), '?a'],
		['a second question mark', type('?'), '??'],
		['a paste', paste('what'), '?what'],
	])('is inserted before %s', (_, key, draft) => {
		const {state} = play(asked.state, key);
		expect(draftOf(state)).toBe(draft);
		expect(popupOf(state)).toBe('');
	});

	test('is dropped before a slash, which starts a command', () => {
		expect(popupOf(play(asked.state, enter('/model')).state)).toBe('');
		expect(draftOf(play(asked.state, type('/mo')).state)).toBe('/mo');
	});

	test.each(['up', 'page-down', 'end'])('stays open while %s scrolls the keys', (chord) => {
		const {state, effects} = play(begin(), enter('first'), answer('1'), type('?'), press(chord));
		expect(popupOf(state)).toContain('/help keys');
		expect(typesOf(effects)).toContain('scroll');
		expect(draftOf(play(state, type('a')).state)).toBe('?a');
	});

	test.each(['backspace', 'enter', 'left', 'escape', 'f5'])('is dropped after %s', (chord) => {
		const {state, effects} = play(asked.state, press(chord));
		expect([draftOf(state), popupOf(state), effects]).toEqual(['', '', []]);
	});

	test('is plain text after or among other text', () => {
		expect(draftOf(play(begin(), type('what'), type('?')).state)).toBe('what?');
		expect(draftOf(play(begin(), type('?!')).state)).toBe('?!');
		expect(draftOf(play(begin(), paste('?')).state)).toBe('?');
	});
});

describe('a typing mistake', () => {
	test('is shown until the next key, however often Enter is pressed', () => {
		const once = play(idle, enter('/exit now'));
		const wrong = play(once.state, press('enter'), press('enter'));
		expect(popupOf(wrong.state)).toContain('takes no argument');
		expect([...once.effects, ...wrong.effects]).toEqual([]);
		expect(popupOf(play(wrong.state, type('d')).state)).toBe('');
	});

	test.each([
		'/exit now',
		'/model a b',
		'/system @file',
		'/set temprature 1',
		'/set seed x',
		'/edit x',
		'/edit 9',
		'/reasoning x',
		'/reasoning 9',
		'/detach',
	])('%s prints nothing', (text) => {
		const {state, effects} = play(idle, enter(text));
		expect(popupOf(state)).not.toBe('');
		expect(effects).toEqual([]);
	});

	test.each([
		['a letter of a search', press('ctrl+r'), type('f')],
		['an arrow in the tree', enter('/tree'), press('up')],
	])('is closed by %s', (_, opening, key) => {
		const notice = {type: 'notice-given', text: 'could not copy', isBrief: true} as const;
		const {state} = play(idle, opening, notice);
		expect(popupOf(state)).toContain('could not copy');
		expect(popupOf(play(state, key).state)).toBe('');
	});

	test('does not keep Esc from stopping the answer', () => {
		const {state} = play(streaming, press('ctrl+o'), enter('/mo'), press('escape'));
		expect(state.turn?.phase).toBe('stopping');
	});
});

describe('during an answer', () => {
	test.each(['/help', '/help keys', '/usage', '/new'])('%s prints nothing', (text) => {
		const {state, effects} = play(streaming, enter(text));
		expect(popupOf(state)).not.toBe('');
		expect(typesOf(effects)).not.toContain('print');
	});

	test('Esc closes the popup, then stops the answer', () => {
		const closed = play(streaming, enter('/help'), press('escape'));
		expect(popupOf(closed.state)).toBe('');
		expect(closed.effects).toEqual([]);
		expect(play(closed.state, press('escape')).effects).toEqual([{type: 'stop-turn'}]);
	});

	test('the clock and the answer leave the popup open', () => {
		const {state} = play(
			streaming,
			enter('/help'),
			{type: 'tick', now: 9000},
			events(textDelta('more')),
		);
		expect(popupOf(state)).toContain('/help');
	});

	test('/usage includes the turn under way', () => {
		const first = play(begin(), enter('q'), events(stepStart, reasoningDelta('hm'))).state;
		const {state} = play(first, {type: 'tick', now: 2500}, {...enter('/usage', 2500)});
		expect(popupOf(state)).toMatch(/turn 1 +– +– +2\.5 s/);
	});

	test('/reasoning prints any turn after the answer, also the one under way', () => {
		const thinking = play(idle, enter('second'), events(stepStart, reasoningDelta('hm'))).state;
		const early = play(thinking, enter('/reasoning'));
		expect(popupOf(early.state)).toContain('still thinking');
		expect(early.effects).toEqual([]);
		const answering = play(thinking, events(textDelta('partly'))).state;
		const asked = play(answering, enter('/reasoning'), enter('/reasoning 1'));
		expect(popupOf(asked.state)).toBe('the reasoning follows after the answer');
		expect(entriesOf(asked.effects)).toEqual([
			{type: 'command', text: '/reasoning'},
			{type: 'reasoning', text: 'hm'},
			{type: 'command', text: '/reasoning 1'},
			{type: 'reasoning', text: 'because'},
		]);
	});
});
