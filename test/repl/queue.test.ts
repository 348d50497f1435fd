/** Prompts entered during an answer: queued, held, sent; and prompts that come back. */
import {describe, expect, test} from 'vitest';
import {attached, begin, expectRows, expectSeen, lineOf, play, type Step} from './play.ts';

const streaming = play(begin(), 'one⏎', '<< partly…').state;
const queued = play(streaming, 'two⏎', 'three⏎').state;
const held = play(queued, '<< !interrupted').state;
const waiting = ['two', 'three'];
const file = (name: string): Step => attached([{type: 'file', name, text: name}]);

test('during an answer, Enter queues a prompt with its attachments, and keys take it back', () => {
	const {state} = play(streaming, '/file a⏎', file('a'), 'what is it?⏎', 'and else?⏎');
	expect(state.queue.map(({attachments}) => attachments.length)).toEqual([1, 0]);
	expectRows(
		streaming,
		[['two⏎', 'three⏎'], {queue: waiting, does: [], draft: '', files: []}],
		[['two⏎', '⏎'], {queue: ['two'], does: []}],
		[['/file a⏎', file('a'), 'two⏎', 'newer', '<up>'], {draft: 'two\nnewer', files: ['a']}],
	);
	for (const key of ['<up>', '<ctrl+p>']) {
		expectRows(
			queued,
			[key, {draft: 'three', queue: ['two']}],
			[[key, key], {draft: 'two\nthree', queue: []}],
		);
	}
});

test('after a complete answer, the queued prompts are sent one after another', () => {
	const sent = ['user: one', 'assistant: partly', 'user: two'];
	expectRows(
		queued,
		['<<', {does: ['print', 'start-turn'], messages: sent, queue: ['three']}],
		[['<<', '<< 2'], {queue: [], prompt: 'three'}],
		[['<<', '<< 2', '<< 3'], {prompt: undefined}],
		[['not yet', '<<'], {draft: 'not yet', queue: ['three']}],
	);
});

describe('after an interrupt or a failure', () => {
	test('the queue is held, also if the answer completes just as it is stopped', () => {
		const isHeld = {isHeld: true, queue: waiting, does: ['print']};
		expectRows(
			queued,
			['<< !interrupted', isHeld],
			['<< !timeout', isHeld],
			[['<ctrl+c>', '<<'], {...isHeld, phase: undefined, does: ['stop-turn']}],
		);
		expectRows(streaming, ['<< !interrupted', {isHeld: false}]);
	});

	test('Enter sends it, and nothing else but a prompt before it', () => {
		const resized = {type: 'resize', columns: 120, rows: 40} as const;
		const idle = [{type: 'tick', now: 9000} as const, resized, '/usage⏎', '/set temperature 1⏎'];
		expectRows(
			held,
			['⏎', {does: ['print', 'start-turn'], prompt: 'two', isHeld: false}],
			[['⏎', '<< 2'], {prompt: 'three'}],
			[idle, {isHeld: true, prompt: undefined}],
		);
		const failed = play(begin(), 'one⏎', 'two⏎', '<< !unavailable').state;
		expectRows(
			failed,
			[[], {draft: 'one', queue: ['two']}],
			['⏎', {prompt: 'one'}],
			[['⏎', '<< 1'], {prompt: 'two'}],
		);
	});

	test('Ctrl-C drops it before it arms the exit, and what was recalled alone; /new drops it too', () => {
		expectRows(
			held,
			['<ctrl+c>', {queue: [], armed: undefined}],
			['<ctrl+c ctrl+c>', {armed: 'Ctrl-C'}],
			['<up ctrl+c>', {draft: '', queue: ['two'], isHeld: true}],
			['<up ctrl+c up>', {isHeld: false}],
			['/new⏎', {queue: [], isHeld: false}],
			[['/new⏎', '⏎'], {prompt: undefined}],
		);
	});
});

describe('a restored prompt', () => {
	const failed = '<< !unavailable';

	test('is edited on, above a newer draft, with its attachments before newer ones', () => {
		const files = ['/file a⏎', file('a'), 'what?⏎', '/file b⏎', file('b'), failed];
		expectRows(
			begin(),
			[['hello⏎', failed, '<backspace>p'], {draft: 'hellp'}],
			[['older⏎', 'newer', '<left left>', failed], {marked: 'older\nnew|er'}],
			[['older⏎', '<up>', '!', failed], {draft: 'older\nolder!'}],
			[files, {files: ['a', 'b']}],
		);
		const interrupted = play(begin(), 'hello⏎', '<< !interrupted');
		expectSeen(interrupted, {said: 'interrupted; the prompt is the draft again'});
	});
});

describe('a line from a terminal that edits lines', () => {
	const failed = play(begin(), lineOf('first'), '<< !unavailable').state;

	test('is sent or queued, and replaces a draft, which an empty one sends', () => {
		expectRows(
			begin(),
			[[lineOf(''), lineOf('  \n')], {messages: [], prompt: undefined}],
			[lineOf('one\ntwo'), {prompt: 'one\ntwo'}],
			[[lineOf('one'), lineOf('two'), '<< fine'], {prompt: 'two'}],
			[[lineOf('one'), '<< fine', lineOf('/undo')], {draft: 'one'}],
		);
		expectRows(
			failed,
			[lineOf('second'), {prompt: 'second'}],
			[[lineOf('second'), '<up up>'], {draft: 'first'}],
			[lineOf(''), {prompt: 'first'}],
			[lineOf('/usage'), {draft: 'first'}],
		);
		expect(play(begin(), '?', lineOf('/usage')).state.popup).toBeUndefined();
	});
});
