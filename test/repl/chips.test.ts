/** Attachments in the text of the prompt, and the files that are dropped on the terminal. */
import {describe, expect, test} from 'vitest';
import type {Attachment} from '../../src/chat/prompt.ts';
import type {ReplState} from '../../src/repl/state.ts';
import {
	answer,
	attached,
	begin,
	callsOf,
	draftOf,
	dropped,
	enter,
	entriesOf,
	events,
	failure,
	paste,
	play,
	popupOf,
	press,
	promptOf,
	settle,
	stepStart,
	type,
} from './play.ts';

function imageOf(name: string): Attachment {
	return {type: 'image', name, part: {type: 'image', url: `data:image/png;base64,${name}`}};
}

const file: Attachment = {type: 'file', name: '/tmp/a.txt', text: 'a'};

function drop(state: ReplState, name: string): ReplState {
	return play(state, paste(name), dropped(name, imageOf(name))).state;
}

describe('a path that is dropped on the terminal', () => {
	test.each([
		'/home/me/a.png',
		"'/home/me/a b.png' ",
		'/home/me/a\\ b.png',
		'~/a.png',
		'file:///home/me/a.png',
		'C:\\me\\a.png',
	])('%s is looked for', (text) => {
		const {state, effects} = play(begin(), paste(text));
		expect(callsOf(effects)).toEqual([['loadDropped', text]]);
		expect(draftOf(state)).toBe(text);
	});

	test.each(['a.png', 'see /home/me/a.png', '/home/me\n/a.png'])('%j is only text', (text) => {
		expect(play(begin(), paste(text)).effects).toEqual([]);
	});

	test('becomes a chip where it was dropped, to which the prompt can refer', () => {
		const first = drop(play(begin(), type('compare ')).state, '/a.png');
		const both = drop(play(first, type(' with ')).state, '/b.png');
		expect(draftOf(both)).toBe('compare [Image #1] with [Image #2]');
		const {state} = play(both, press('enter'));
		expect(promptOf(state)).toMatchObject({
			text: 'compare [Image #1] with [Image #2]',
			attachments: [imageOf('/a.png'), imageOf('/b.png')],
		});
	});

	test('leaves alone what was typed meanwhile', () => {
		const {state} = play(
			begin(),
			paste('/a.png'),
			type(' is'),
			dropped('/a.png', imageOf('/a.png')),
		);
		expect(draftOf(play(state, type(' red')).state)).toBe('[Image #1] is red');
		const gone = play(begin(), paste('/a.png'), press('ctrl+u'), dropped('/a.png', file));
		expect(draftOf(gone.state)).toBe('');
	});

	test('has the name of a text file, or the number of several files', () => {
		const one = play(begin(), paste('/tmp/a.txt'), dropped('/tmp/a.txt', file));
		expect(draftOf(one.state)).toBe('[/tmp/a.txt]');
		expect(popupOf(one.state)).toBe('the file is attached');
		const two = play(begin(), paste('/a /b'), dropped('/a /b', file, imageOf('b')));
		expect(draftOf(two.state)).toBe('[2 files]');
		const sent = play(two.state, type(' ?'), press('enter'));
		expect(promptOf(sent.state)?.attachments).toEqual([file, imageOf('b')]);
	});

	test('has no line end, whatever the name of the file', () => {
		for (const end of ['\n', '\u0085', '\u2028', '\u2029']) {
			const named = {...file, name: `a${end}b`};
			expect(draftOf(play(begin(), paste('/a'), dropped('/a', named)).state)).toBe('[ab]');
		}
	});

	test('comes back as text with undo', () => {
		const {state} = play(drop(begin(), '/a.png'), press('ctrl+_'));
		expect(draftOf(state)).toBe('/a.png');
		expect(promptOf(play(state, press('enter')).state)?.attachments).toEqual([]);
	});
});

describe('a chip', () => {
	test('that is deleted is not sent; undo brings both back', () => {
		const deleted = play(drop(begin(), '/a.png'), press('backspace'), type('hi'));
		expect(promptOf(play(deleted.state, press('enter')).state)).toMatchObject({
			text: 'hi',
			attachments: [],
		});
		const back = play(drop(begin(), '/a.png'), press('backspace'), press('ctrl+_'), press('enter'));
		expect(promptOf(back.state)?.attachments).toEqual([imageOf('/a.png')]);
	});

	test('that is cut and yanked twice is sent once', () => {
		const {state} = play(
			drop(begin(), '/a.png'),
			press('ctrl+u'),
			press('ctrl+y'),
			press('ctrl+y'),
			press('enter'),
		);
		expect(promptOf(state)?.attachments).toEqual([imageOf('/a.png')]);
	});

	test('is the last of 1,024; another path stays text, and a notice says so', () => {
		const names = Array.from({length: 1024}, (_, index) => `/${index}.png`);
		const full = names.reduce(drop, begin());
		const {state} = play(full, paste('/x.png'), dropped('/x.png', imageOf('/x.png')));
		expect(draftOf(state)).toMatch(/\[Image #1024\]\/x\.png$/);
		expect(popupOf(state)).toBe('not attached: the draft is full of chips; /file /x.png attaches');
	});

	test('takes no number of another one when that was deleted', () => {
		let state = drop(begin(), '/first.png');
		for (let index = 0; index < 40; index += 1) {
			state = play(drop(state, `/${index}.png`), press('backspace')).state;
		}
		const {state: sent} = play(drop(state, '/last.png'), press('enter'));
		expect(promptOf(sent)?.attachments).toEqual([imageOf('/first.png'), imageOf('/last.png')]);
		const labels = promptOf(sent)?.text.match(/#\d+/g) ?? [];
		expect(new Set(labels).size).toBe(2);
	});

	test('is not lost when a prompt that failed returns above a draft with chips', () => {
		const names = Array.from({length: 30}, (_, index) => `/${index}.png`);
		const sent = play(names.reduce(drop, begin()), press('enter'), events(stepStart)).state;
		const drafted = ['/x.png', '/y.png', '/z.png'].reduce(drop, sent);
		const {state} = play(drafted, events(failure('unavailable')), press('enter'));
		expect(promptOf(state)?.attachments).toHaveLength(33);
	});

	test('returns to its place with a prompt that failed', () => {
		const sent = play(drop(play(begin(), type('see ')).state, '/a.png'), press('enter'));
		const {state} = play(sent.state, events(stepStart, failure('unavailable')));
		expect(draftOf(state)).toBe('see [Image #1]');
		expect(state.attachments).toEqual([]);
		expect(promptOf(play(state, press('enter')).state)?.attachments).toEqual([imageOf('/a.png')]);
	});

	test('is kept for Up', () => {
		const sent = play(drop(play(begin(), type('see ')).state, '/a.png'), press('enter'));
		const again = play(sent.state, answer('1'), press('up'), press('enter')).state;
		expect(promptOf(again)?.attachments).toEqual([imageOf('/a.png')]);
	});

	test('is still one after the draft was in another editor', async () => {
		const state = drop(play(begin(), type('see ')).state, '/a.png');
		const {state: edited} = await settle(play(state, press('ctrl+g')), {
			editText: (text) => Promise.resolve(`Now ${text}`),
		});
		expect(draftOf(edited)).toBe('Now see [Image #1]');
		expect(promptOf(play(edited, press('enter')).state)?.attachments).toEqual([imageOf('/a.png')]);
	});
});

describe('Ctrl-C', () => {
	const withImage = play(
		begin(),
		enter('/image a.png'),
		attached([imageOf('a.png')]),
		type('look'),
	).state;

	test('clears the draft and its attachments, and Up brings both back', () => {
		const cleared = play(withImage, press('ctrl+c')).state;
		expect([draftOf(cleared), cleared.attachments]).toEqual(['', []]);
		expect(popupOf(cleared)).toContain('detached [image a.png]');
		const back = play(cleared, press('up'), press('enter'));
		expect(promptOf(back.state)?.attachments).toEqual([imageOf('a.png')]);
	});
});

describe('Backspace', () => {
	test('on an empty prompt removes the last attachment', () => {
		const attachments = [imageOf('a.png'), file];
		const {state, effects} = play(begin({attachments}), press('backspace'));
		expect(state.attachments).toEqual([imageOf('a.png')]);
		expect(popupOf(state)).toBe('detached [file /tmp/a.txt]');
		expect(entriesOf(effects)).toEqual([]);
		expect(play(begin({attachments}), type('a'), press('backspace')).state.attachments).toEqual(
			attachments,
		);
	});
});
