/** A session on a terminal that is an emulator. */
import {describe, expect, onTestFinished, test} from 'vitest';
import type {Conversation} from '../../src/chat/conversation.ts';
import {openReplView} from '../../src/ui/ink/views.ts';
import {runRepl} from '../../src/ui/run.ts';
import {begin, play} from '../repl/play.ts';
import {openScripted} from '../repl/scripted-repl.ts';
import {openEmulator} from './emulator.ts';

/** Runs a session until the end of the test. */
function openSession(conversation: Conversation, began = {columns: 60, rows: 24}) {
	const size = {columns: 60, rows: 24};
	const {terminal, keyboard, type, screen} = openEmulator(size);
	const {repl} = openScripted([], {initial: begin({conversation, ...began})});
	const interrupt = new AbortController();
	const now = () => performance.now();
	const view = openReplView({
		shown: repl,
		terminal,
		options: {
			...{hasColor: false, hasLinks: false, reflow: 'none' as const},
			redact: (text) => text,
		},
		onFocus: undefined,
		pickSession: async () => undefined,
		loadHistory: async () => {},
		now,
	});
	const ended = runRepl({
		...{repl, view, terminal, keyboard, now},
		opening: [],
		greeting: ['welcome'],
		first: undefined,
		onShown: () => {},
		onClosed: () => undefined,
		signal: interrupt.signal,
	});
	onTestFinished(async () => {
		interrupt.abort();
		await ended;
	});
	return {type, screen};
}

describe('a session that goes on with a conversation', () => {
	const {conversation} = play(
		begin(),
		...['one⏎', '<< # First'],
		...['two⏎', '<< - **Second**'],
		...['three⏎', '<< (hm) ```js\nthird();\n```'],
	).state;

	test('shows its last two turns, and can undo them', async () => {
		const {type, screen} = openSession(JSON.parse(JSON.stringify(conversation)));
		const past = [
			'  · 1 earlier turn',
			'› two',
			'• Second',
			'› three',
			'▸ Thought for a moment   /reasoning 2',
			expect.stringMatching(/^js ─+ \/copy 1$/),
			'third();',
			expect.stringMatching(/^─+$/),
		];
		const rule = '─'.repeat(59);
		const status = expect.stringMatching(/^MODEL-5.6-sol /);
		const prompt = [rule, '› (Ask something)', rule, status];
		await expect.poll(screen).toEqual([...past, '  · welcome', ...prompt]);
		type('/undo\r');
		await expect
			.poll(async () => (await screen()).slice(past.length))
			.toEqual([
				'  · welcome',
				'› /undo',
				'  · last turn undone; its prompt is the draft again',
				...[rule, '› three', rule, status],
			]);
	});
});

test('begins with a frame for the window although its size has changed before', async () => {
	const {screen} = openSession(begin().conversation, {columns: 40, rows: 24});
	await expect.poll(screen).toContain('─'.repeat(59));
});
