/** Attachments in the text of the prompt, and the files that are dropped on the terminal. */
import {describe, expect, test} from 'vitest';
import type {Attachment} from '../../src/chat/prompt.ts';
import {emptyBuffer} from '../../src/repl/editor/buffer.ts';
import {insertPaste} from '../../src/repl/editor/edit.ts';
import {
	attached,
	begin,
	dropped,
	expectRows,
	expectSeen,
	paste,
	play,
	promptOf,
	type Step,
	settle,
} from './play.ts';

function imageOf(name: string): Attachment {
	return {type: 'image', name, part: {type: 'image', url: `data:image/png;base64,${name}`}};
}

const file: Attachment = {type: 'file', name: '/tmp/a.txt', text: 'a'};
const drop = (...names: readonly string[]): readonly Step[] =>
	names.flatMap((name) => [paste(name), dropped(name, imageOf(name))]);

describe('a path that is dropped on the terminal', () => {
	test('is looked for if it is nothing but a path', () => {
		const paths = ['/home/me/a.png', "'/home/me/a b.png' ", '/home/me/a\\ b.png', '~/a.png'];
		for (const text of [...paths, 'file:///home/me/a.png', 'C:\\me\\a.png']) {
			expectRows(begin(), [paste(text), {calls: [['loadDropped', text]], draft: text}]);
		}
		for (const text of ['a.png', 'see /home/me/a.png', '/home/me\n/a.png']) {
			expectRows(begin(), [paste(text), {calls: []}]);
		}
	});

	test('becomes a chip where it was dropped, which leaves alone what was typed meanwhile', () => {
		const two = 'compare [Image #1] with [Image #2]';
		const both = ['compare ', ...drop('/a.png'), ' with ', ...drop('/b.png')];
		const late = [paste('/a.png'), ' is', dropped('/a.png', imageOf('/a.png')), ' red'];
		expectRows(
			begin(),
			[both, {draft: two}],
			[[...both, '⏎'], {prompt: two, sent: ['/a.png', '/b.png']}],
			[late, {draft: '[Image #1] is red'}],
			[[paste('/a.png'), '<ctrl+u>', dropped('/a.png', file)], {draft: ''}],
			[[...drop('/a.png'), '<ctrl+_>'], {draft: '/a.png'}],
			[[...drop('/a.png'), '<ctrl+_>', '⏎'], {sent: []}],
		);
	});

	test('has the name of a text file in one line, or the number of several files', () => {
		const two = [paste('/a /b'), dropped('/a /b', file, imageOf('b'))];
		const one = dropped('/tmp/a.txt', file);
		expectRows(
			begin(),
			[[paste('/tmp/a.txt'), one], {draft: '[/tmp/a.txt]', popup: 'the file is attached'}],
			[two, {draft: '[2 files]'}],
			[[...two, ' ?', '⏎'], {sent: ['/tmp/a.txt', 'b']}],
		);
		const named = {...file, name: 'a\n\u2028b'};
		expectRows(begin(), [[paste('/a'), dropped('/a', named)], {draft: '[ab]'}]);
	});
});

describe('a chip', () => {
	const seeing = ['see ', ...drop('/a.png')];
	const back = {draft: 'see [Image #1]', files: []};
	const failed = ['<< …', '<< !unavailable'];

	test('is sent once if it is still there, and comes back where it was', () => {
		expectRows(
			begin(),
			[[...drop('/a.png'), '<backspace>', 'hi', '⏎'], {prompt: 'hi', sent: []}],
			[[...drop('/a.png'), '<backspace>', '<ctrl+_>', '⏎'], {sent: ['/a.png']}],
			[[...drop('/a.png'), '<ctrl+u>', '<ctrl+y>', '<ctrl+y>', '⏎'], {sent: ['/a.png']}],
			[[...seeing, '⏎', ...failed], back],
			[[...seeing, '⏎', ...failed, '⏎'], {sent: ['/a.png']}],
			[[...seeing, '⏎', '<< 1', '<up>', '⏎'], {sent: ['/a.png']}],
		);
	});

	test('is the last of 1,024 folds; another path stays text, and a notice says so', () => {
		let buffer = emptyBuffer;
		for (let count = 0; count < 1023; count += 1) buffer = insertPaste(buffer, 'line\n'.repeat(11));
		const state = begin();
		const full = play({...state, editor: {...state.editor, buffer}}, ...drop('/a.png', '/x.png'));
		const popup = 'not attached: the draft is full of chips; /file /x.png attaches';
		expectSeen(full, {draft: expect.stringMatching(/\[Image #\d+\]\/x\.png$/), popup});
	});

	test('keeps its number while others come and go, also above a newer draft', () => {
		const others = Array.from({length: 40}, (_, index) => [
			...drop(`/${index}.png`),
			'<backspace>',
		]);
		const sent = play(begin(), ...drop('/1.png'), ...others.flat(), ...drop('/2.png'), '⏎');
		expectSeen(sent, {sent: ['/1.png', '/2.png']});
		expect(new Set(promptOf(sent.state)?.text.match(/#\d+/g)).size).toBe(2);
	});

	test('is still one after the draft was in another editor', async () => {
		const editText = (text: string) => Promise.resolve(`Now ${text}`);
		const {state} = await settle(play(begin(), ...seeing, '<ctrl+g>'), {editText});
		expectRows(state, [[], {draft: 'Now see [Image #1]'}], ['⏎', {sent: ['/a.png']}]);
	});
});

test('Ctrl-C clears the draft with its attachments, and Up brings both back', () => {
	const image = attached([imageOf('a.png')]);
	const popup = expect.stringContaining('detached [image a.png]');
	expectRows(
		play(begin(), '/image a.png⏎', image, 'look').state,
		['<ctrl+c>', {draft: '', files: [], armed: undefined, popup}],
		[['<ctrl+c>', '<up>', '⏎'], {prompt: expect.stringContaining('look'), sent: ['a.png']}],
	);
});

test('Backspace on an empty prompt removes the last attachment', () => {
	const popup = 'detached [file /tmp/a.txt]';
	expectRows(
		begin({attachments: [imageOf('a.png'), file]}),
		['<backspace>', {files: ['a.png'], popup, prints: []}],
		[['a', '<backspace>'], {files: ['a.png', '/tmp/a.txt']}],
	);
});
