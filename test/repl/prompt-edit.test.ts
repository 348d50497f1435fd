/** Changing an earlier prompt: shown at once, sent in place of the rest, left without a trace. */
import {describe, expect, test} from 'vitest';
import {branchEnds} from '../../src/chat/conversation.ts';
import type {Action} from '../../src/repl/action.ts';
import type {ReplState} from '../../src/repl/state.ts';
import {
	attached,
	begin,
	expectRows,
	expectSeen,
	lineOf,
	paste,
	play,
	press,
	type Step,
} from './play.ts';

const asked = play(begin(), 'one⏎', '<< 1', 'two⏎', '<< 2', 'three⏎', '<< 3').state;
const all = ['one', 'two', 'three'].flatMap((text, index) => [
	...[`user: ${text}`, `assistant: ${index + 1}`],
]);
const withFile = attached([{type: 'file', name: 'a.txt', text: 'a'}]);

function later(now: number, ...chords: readonly string[]): readonly Action[] {
	return chords.map((chord, index) => ({...press(chord), now: now + index}));
}

function expectNothingChanged(state: ReplState): void {
	expect(state.editing).toBeUndefined();
	expectRows(state, [[], {draft: ''}], ['four⏎', {messages: [...all, 'user: four']}]);
}

describe('an earlier prompt', () => {
	test.each([
		['Esc Esc', ['<escape>', '<escape>']],
		['/edit', ['/edit⏎']],
	])('shown by %s and left leaves the conversation as it was', (_, show) => {
		expectRows(asked, [show, {draft: 'three', messages: all}]);
		const leaves: ReadonlyArray<readonly Step[]> = [
			...[['<escape>'], ['<ctrl+c>'], ['<ctrl+u>', '⏎'], ['<down>']],
		];
		for (const leave of leaves) {
			const {state} = play(asked, ...show, ...leave);
			expect(state.conversation).toBe(asked.conversation);
			expectNothingChanged(state);
		}
	});

	test('is sent in place of the turns from there on, which stay a branch', () => {
		const sent = play(asked, '/edit 2⏎', '!', '⏎', '<< new');
		const messages = ['user: one', 'assistant: 1', 'user: two!', 'assistant: new'];
		expectSeen(sent, {messages, said: expect.stringContaining('back to "two"')});
		const ends = branchEnds(sent.state.conversation).map(({prompt}) => prompt.text);
		expect(ends).toEqual(['two!', 'three']);
		expect(sent.state.editing).toBeUndefined();
		expectRows(sent.state, ['<up>', {draft: 'two!'}]);
		const long = paste(`${'word '.repeat(50)}\n\nend`);
		const named = play(begin(), long, '⏎', '<< ok', '/edit⏎', '!', '⏎');
		expectSeen(named, {said: expect.stringContaining(`back to "${'word '.repeat(40)}…"`)});
	});

	test('gives way to those beside it with Up and Down, and with two more Escs', () => {
		expectRows(
			asked,
			['<escape escape up up>', {draft: 'one'}],
			['<escape escape up up up>', {draft: 'one'}],
			['<escape escape up up down down>', {draft: 'three'}],
			['<escape escape escape escape>', {draft: 'two'}],
			[`<${'escape '.repeat(6).trim()}>`, {draft: 'one'}],
			[`<${'escape '.repeat(8).trim()}>`, {draft: ''}],
		);
	});

	test('keeps changes while others are shown, and in the history when it is left', () => {
		const changed = play(asked, '/edit⏎', ' and more', '<up>', '<down>');
		expectSeen(changed, {draft: 'three and more'});
		const left = play(changed.state, '<ctrl+c>').state;
		expectNothingChanged(left);
		expectRows(left, ['<up>', {draft: 'three and more'}]);
	});

	test('leaves attachments, the draft and the held queue as they were, and brings its own', () => {
		const held = ['long⏎', '<< x…', 'queued⏎', '<< !interrupted', '/file a.txt⏎', withFile];
		expectRows(
			play(asked, ...held).state,
			['<escape escape>', {files: []}],
			['<escape escape escape>', {files: ['a.txt'], queue: ['queued'], isHeld: true}],
		);
		expectRows(
			play(begin(), '/file a.txt⏎', withFile, 'look⏎', '<< 1').state,
			['<escape escape>', {files: ['a.txt']}],
			['/edit⏎', {files: ['a.txt']}],
			[['/edit⏎', '⏎'], {sent: ['a.txt']}],
		);
	});

	test.each(['unavailable', 'interrupted'])('stands again with all turns if it is %s', (end) => {
		const failed = play(asked, '/edit 2⏎', '!', '⏎', '<< …', `<< !${end}`);
		const said = expect.stringMatching(/^back to "two"\n.*the replaced turns are back$/s);
		expectSeen(failed, {draft: 'two!', said, messages: all});
		expectNothingChanged(play(failed.state, '<ctrl+c>').state);
		const {messages} = play(failed.state, '⏎', '<< new').state.conversation.turns[1] ?? {};
		expect(messages).toMatchObject([{parts: [{text: 'new'}]}]);
	});

	test('stands again while a file that it mentions is read, and if it is taken back', () => {
		const sent = play(asked, '/edit 2⏎', ' @a.ts', '⏎');
		expectSeen(sent, {messages: all});
		const back = play(sent.state, '<escape>');
		expectSeen(back, {draft: 'two @a.ts', queue: []});
		expectNothingChanged(play(back.state, '<ctrl+c>').state);
	});

	test('is shown again after a command that leaves the conversation as it is', () => {
		const shown = play(asked, '/edit 2⏎', '<ctrl+u>').state;
		expectRows(
			shown,
			['/model gpt-x⏎', {draft: 'two', model: 'gpt-x'}],
			['/edit 1⏎', {draft: 'one'}],
			['/new⏎', {draft: '', messages: []}],
		);
		expectNothingChanged(play(shown, '/model gpt-x⏎', '<ctrl+c>').state);
	});

	test('is not shown by Escs that follow one that stopped an answer within a second', () => {
		const running = play(asked, 'four⏎', '<< 4…').state;
		const stopped = play(running, ...later(100, 'escape'), '<< !interrupted').state;
		const hasty = play(stopped, ...later(300, 'escape', 'escape', 'escape')).state;
		expectRows(
			hasty,
			[[], {draft: '', armed: undefined}],
			[later(1400, 'escape', 'escape'), {draft: 'four'}],
		);
	});

	test('is shown by /edit with the keys of vi, whose Esc neither shows one nor stops an answer', () => {
		const vi = play(begin({editing: 'vi'}), 'one⏎', '<< 1').state;
		const normal = ['<escape>', '<escape>', '<escape>'];
		expectRows(
			vi,
			[normal, {draft: ''}],
			[[...normal, 'i', '/edit⏎'], {draft: 'one'}],
			[[...normal, 'i', '/edit⏎', '<escape>', '<escape>'], {draft: ''}],
			[['two⏎', '<< 2…', ...normal], {phase: 'answering'}],
			[['two⏎', '<< 2…', ...normal, '<ctrl+c>'], {phase: 'stopping'}],
		);
	});

	test('needs a turn with its number, and the end of the answer', () => {
		expectRows(
			asked,
			['/edit 9⏎', {reply: 'there is no turn 9 yet', messages: all}],
			['/edit 0⏎', {reply: '/edit needs a prompt number', messages: all}],
			['/edit first⏎', {reply: '/edit needs a prompt number', messages: all}],
			[['x⏎', '/edit⏎'], {reply: '/edit is available after the answer'}],
		);
		expectRows(begin(), ['/edit⏎', {reply: 'nothing to edit'}]);
	});
});

describe('on a terminal that edits lines', () => {
	test('a line replaces an earlier prompt, an empty one sends it, and a draft waits', () => {
		const kept = all.slice(0, 2);
		expectRows(
			asked,
			[
				[lineOf('/edit 2'), lineOf('zwei'), '<< new'],
				{messages: [...kept, 'user: zwei', 'assistant: new']},
			],
			[
				[lineOf('/edit 2'), lineOf('/model gpt-x'), lineOf(''), '<< new'],
				{messages: [...kept, 'user: two', 'assistant: new']},
			],
		);
		const drafted = play(asked, 'four⏎', '<< …', '<< !unavailable', lineOf('/edit 1')).state;
		expectRows(
			drafted,
			[[], {draft: 'one'}],
			['<ctrl+c>', {draft: 'four'}],
			[lineOf('/edit x'), {draft: 'one'}],
			[lineOf('/new'), {draft: 'four'}],
		);
	});
});
