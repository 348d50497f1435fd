/** The view of a single answer, on a terminal that is an emulator. */
import {describe, expect, test} from 'vitest';
import type {ChatEvent} from '../../src/chat/event.ts';
import {ChatError} from '../../src/errors.ts';
import type {Size} from '../../src/repl/geometry.ts';
import {openAnswerView} from '../../src/ui/ink/views.ts';
import {openAnswer} from '../../src/ui/run.ts';
import {openConversation} from '../helpers/conversation.ts';
import {reasoningDelta, textDelta, turnEnd} from '../helpers/events.ts';
import {failure, noticeOf, stepEnd, stepStart} from '../repl/play.ts';
import {openEmulator} from './emulator.ts';

const begun = [stepStart, textDelta('First.\n\nSec')];

function openView(size?: Size) {
	const {terminal, screen} = openEmulator(size);
	const interrupt = new AbortController();
	const now = () => performance.now();
	const options = {
		...{hasColor: false, hasLinks: false, reflow: 'none' as const},
		redact: (text: string) => text,
	};
	const view = openAnswer({
		conversation: openConversation('q'),
		reasoningMode: 'auto',
		terminal,
		openView: (shown) => openAnswerView({shown, terminal, options, now}),
		now,
		onInterrupt: () => {},
		openPage: async () => false,
		signal: interrupt.signal,
	});
	return {view, interrupt, screen};
}

describe('the view of a single answer', () => {
	test('leaves the answer in its whole width, although the reasoning was beside it', async () => {
		const {view, screen} = openView({columns: 120, rows: 30});
		await view.write([stepStart, reasoningDelta('Hm.'), textDelta('word '.repeat(30))]);
		await view.write([stepEnd(), turnEnd]);
		await view.end();
		const [, ...rows] = await screen();
		expect(rows.map(({length}) => length)).toEqual([99, 49]);
	});

	const finishReason = {kind: 'length', raw: 'length'} as const;
	const atLimit: ChatEvent = {type: 'step-end', finishReason, usage: undefined};

	test.each<readonly [ending: readonly ChatEvent[], mark: string]>([
		[[failure('incomplete', 'the stream was cut')], 'incomplete'],
		[[atLimit, turnEnd], 'cut off at the token limit'],
	])(
		'leaves notices and failures to stderr, and a mark below the answer: %#',
		async (ending, mark) => {
			const {view, screen} = openView();
			await view.write([...begun, noticeOf('length', 'cut at the token limit'), ...ending]);
			await view.end();
			expect(await screen()).toEqual(['First.', 'Sec', `  ◐ ${mark}`]);
		},
	);

	test('leaves nothing of an answer that was interrupted before it began', async () => {
		const {view, screen} = openView();
		await view.write([stepStart]);
		await view.write([failure('interrupted')]);
		await view.end();
		expect(await screen()).toEqual([]);
	});

	test('shows no more of a long text after an interrupt', async () => {
		const {view, interrupt, screen} = openView();
		const long = textDelta(`${'word '.repeat(1000)}end`);
		setImmediate(() => interrupt.abort(new ChatError('interrupted', 'interrupted')));
		await view.write([stepStart, textDelta('First.\n\n'), long, stepEnd(), turnEnd]);
		await view.write([textDelta('late'), failure('interrupted')]);
		await view.end();
		const rows = await screen();
		expect(rows[0]).toBe('First.');
		expect(rows.at(-1)).toBe('  ◐ interrupted');
		expect(rows.join(' ')).not.toMatch(/end|late/);
	});
});
