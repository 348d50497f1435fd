/** Each entry reaches the scrollback once, in the right order. */
import {describe, expect, test} from 'vitest';
import type {ChatEvent} from '../../src/chat/event.ts';
import {textOutput} from '../../src/chat/tool-output.ts';
import {ChatError} from '../../src/errors.ts';
import {entriesOfTurn} from '../../src/repl/turn/turn-entries.ts';
import {mountScreen} from '../../src/ui/ink/mount/mount.tsx';
import {
	answer,
	at,
	attached,
	events,
	failure,
	noticeOf,
	paste,
	reasoningDelta,
	retryOf,
	stepEnd,
	stepStart,
	textDelta,
	turnEnd,
} from '../repl/play.ts';
import {openEmulator} from './emulator.ts';
import {openStage, type Stage} from './stage.tsx';

const interrupted = failure('interrupted');
const cutAt = (kind: 'length' | 'filter', raw: string = kind): ChatEvent => ({
	type: 'step-end',
	finishReason: {kind, raw},
	usage: undefined,
});
const longPaste = Array.from({length: 20}, (_, index) => `line ${index}`).join('\n');
const thought = '▸ Thought for a moment   /reasoning 1';
const begun = events(stepStart, reasoningDelta('hm'), textDelta('First.\n\nSec'));

describe('a past turn', () => {
	const call = {callId: 'a', name: 'run', arguments: '{}', isRunnable: true};
	const withTool = [
		events(stepStart, reasoningDelta('hm'), textDelta('# First\n\n```\na\n```\n')),
		events({type: 'tool-call-start', callId: 'a', name: 'run'}, {type: 'tool-call', call}),
		events(stepEnd()),
		events({type: 'tool-result', callId: 'a', ...textOutput('ran', false)}),
		events(stepStart, textDelta('```js\nlet a;\n```\nDone.'), stepEnd(), turnEnd),
	];

	test.each([
		['a complete answer', ['<< (hm) # It\n\nis **this**:\n\n| a | b |\n|---|---|\n| 1 | 2 |']],
		['an answer in steps, with a tool between them', withTool],
		['an answer that was interrupted', [events(stepStart, textDelta('half of *it*'), interrupted)]],
		['a refusal', [events(stepStart, {type: 'refusal-delta', text: 'No.'}, stepEnd(), turnEnd)]],
		[
			'an answer that was cut off',
			[events(stepStart, textDelta('half of it'), cutAt('length'), turnEnd)],
		],
	])('has the rows that it had while it was new, without a next step: %s', (_, answered) => {
		const live = openStage().play(paste(longPaste), ' sum up⏎', ...answered);
		const past = openStage();
		for (const turn of JSON.parse(JSON.stringify(live.state().conversation)).turns) {
			for (const entry of entriesOfTurn(turn, {number: 1, codeBlocksAbove: 0, callsAbove: 0}))
				past.store.print(entry);
		}
		const rows = live.committed().map((row) => row.replace(/^( {2}◐ [^·]*) · .*/, '$1'));
		expect(past.committed()).toEqual(rows);
		expect(past.committed().length).toBeGreaterThan(3);
	});
});

describe('the mode show', () => {
	const show = () => openStage({reasoningMode: 'show'}).play('q⏎');
	const lines = (stage: Stage) => stage.committed().filter((row) => row !== '');
	const called = events(
		stepEnd(),
		{type: 'tool-result', callId: 'a', ...textOutput('ran', false)},
		stepStart,
	);

	test('leaves the reasoning of every step above the text of the step', () => {
		const stage = show().play(
			events(stepStart, reasoningDelta('one'), textDelta('First.')),
			called,
			events(reasoningDelta('two'), textDelta('Second.'), stepEnd(), turnEnd),
		);
		expect(lines(stage).slice(1)).toEqual([
			'▾ Thought for a moment',
			...['│ one', 'First.', '│ two', 'Second.'],
		]);
	});

	test('does not split a text with what is thought in the middle of it', () => {
		const stage = show().play(
			events(stepStart, reasoningDelta('one'), textDelta('First ')),
			events(reasoningDelta('two')),
			events(textDelta('and second.'), stepEnd(), turnEnd),
		);
		expect(lines(stage).slice(2)).toEqual(['│ one', 'First and second.', '│ two']);
	});

	test('leaves the reasoning of a turn without an answer', () => {
		const stage = show().play(events(stepStart, reasoningDelta('one'), interrupted));
		expect(lines(stage).slice(1, 3)).toEqual(['▾ Thought for a moment', '│ one']);
	});

	test('leaves only the line of reasoning that the user has closed', () => {
		const stage = show().play(events(stepStart, reasoningDelta('one')));
		stage.play('<ctrl+o ctrl+o>');
		stage.play(events(textDelta('First.'), stepEnd(), turnEnd));
		expect(lines(stage).slice(1)).toEqual([thought, 'First.']);
	});
});

test('numbers code through all answers', () => {
	const code = '```js\na\n```\n';
	const stage = openStage().play(
		'p⏎',
		events(stepStart, textDelta(code), stepEnd()),
		events({type: 'tool-result', callId: 'a', ...textOutput('ran', false)}),
		events(stepStart, textDelta(code), stepEnd(), turnEnd),
		'q⏎',
		answer(code),
	);
	const rules = stage.committed().filter((row) => row.startsWith('js ─'));
	expect(rules.map((row) => row.at(-1))).toEqual(['1', '2', '3']);
});

test('numbers only the code that /copy takes: that of the answer, not of the reasoning', () => {
	const code = '```js\na\n```\n';
	const stage = openStage().play('q⏎', events(stepStart, reasoningDelta(`hm\n\n${code}`)));
	expect(stage.rows()).toContainEqual(expect.stringMatching(/^│ js ─+$/));
	stage.play(events(textDelta(code), stepEnd(), turnEnd), '/reasoning⏎');
	const rules = stage.committed().filter((row) => row.includes('js ─'));
	expect(rules).toEqual([
		expect.stringMatching(/^js ─+ \/copy 1$/),
		expect.stringMatching(/^│ js ─+$/),
	]);
});

test('an empty row is between reasoning that was printed and the pane with it', () => {
	const stage = openStage().play('q⏎', '<< (hm) It is.', '/reasoning⏎');
	expect(stage.committed().slice(-2)).toEqual(['› /reasoning', '│ hm']);
	stage.play('<ctrl+o>');
	expect(stage.allRows().slice(0, 2)).toEqual(['', expect.stringMatching(/^▾ Thought/)]);
});

describe('the scrollback', () => {
	test('has the prompt, the answer and the folded reasoning, in this order', () => {
		const stage = openStage().play('What is\tit?⏎', '<< (hm) # It\n\nis **this**.');
		expect(stage.committed()).toEqual([
			...['› What is    it?', '', thought, '', 'It', '', 'is this.'],
		]);
	});

	test('emits finished blocks at once and the rest at the end, each once', () => {
		const stage = openStage().play('q⏎', begun);
		expect(stage.committed().slice(2)).toEqual([thought, '', 'First.']);
		expect(stage.rows()).toContain('Sec');
		stage.play('<< ond.…', '<<');
		expect(stage.committed().slice(2)).toEqual([thought, '', 'First.', '', 'Second.']);
		expect(stage.rows()).not.toContain('Second.');
	});

	test('is left to the terminal: nothing that it has is kept, and nothing is written twice', async () => {
		const stage = openStage();
		const {terminal, screen} = openEmulator();
		const mounted = mountScreen(stage.store, terminal, {
			reflow: 'none',
			onResize: () => {},
			onTaken: () => {},
		});
		const written = async () => (await screen()).filter((row) => /^number \d+$/.test(row));
		const numbers = (count: number) => Array.from({length: count}, (_, n) => `number ${n}`);
		const ask = (n: number) => stage.play('q⏎', answer(`number ${n}`));
		for (let n = 0; n < 30; n += 1) {
			ask(n);
			await expect.poll(written).toEqual(numbers(n + 1));
		}
		const kept = stage.committed();
		expect(kept).toContain('number 29');
		expect(kept.length).toBeLessThan(8);
		await mounted.release();
		for (let n = 30; n < 40; n += 1) ask(n);
		mounted.take();
		ask(40);
		await expect.poll(written).toEqual(numbers(41));
		await mounted.unmount();
		expect(await written()).toEqual(numbers(41));
	});

	test('gets the first code with its colours, and everything that follows it afterwards', async () => {
		const stage = openStage({}, {hasColor: true}).play(
			'q⏎',
			'<< First.\n\n```js\nlet a = 1;\n```\n\n…',
			events(textDelta('Last.'), stepEnd(), turnEnd),
			'/help⏎',
		);
		expect(stage.committed()).toEqual(['› q']);
		await stage.store.settled();
		const rows = stage.committed();
		const places = ['First.', 'let a = 1;', 'Last.', '› /help'].map((row) => rows.indexOf(row));
		expect(places).toEqual([2, 5, 8, 10]);
		const styled = stage.store.getSnapshot().items.flatMap((item) => item.rows);
		expect(styled[5]).not.toBe('let a = 1;');
	});

	test('is drawn only after an addition', () => {
		const stage = openStage().play('q⏎', begun);
		const {items} = stage.store.getSnapshot();
		expect(stage.play('x').store.getSnapshot().items).toBe(items);
	});

	test('shows a prompt of many lines below its mark, and what was attached', () => {
		const stage = openStage().play(
			'/image a.png⏎',
			attached(
				[{type: 'image', name: 'a.png', part: {type: 'image', url: 'https://example.com/a.png'}}],
				['a.png is large'],
			),
			'one',
			'<ctrl+j>',
			'two ',
			paste('x\n'.repeat(20)),
			'<enter>',
		);
		expect(stage.committed()).toEqual([
			'› /image a.png',
			'  · a.png is large',
			'  · attached [image a.png]',
			'',
			'› one',
			'  two [Pasted 20 lines #1]',
			'  [image a.png]',
		]);
	});

	test('marks a cut answer below it and above its consequences', () => {
		const cut = new ChatError('incomplete', 'the stream was cut', {
			requestId: 'r-1',
			hint: 'Ask again.',
		});
		const stage = openStage({reasoningMode: 'hide'}).play(
			'q⏎',
			begun,
			at(2000, events({type: 'error', error: cut})),
		);
		expect(stage.committed().slice(2)).toEqual([
			thought,
			'',
			'First.',
			'',
			'Sec',
			'',
			'  ✗ the stream was cut',
			'    Ask again · request id: r-1',
		]);
	});

	const limited = {options: {model: 'm', isStreaming: true, maxTokens: 500}};

	test.each([
		[
			'the token limit',
			cutAt('length'),
			{},
			'cut off at the token limit · /continue, or /set max_tokens N asks for more',
		],
		[
			'its own token limit',
			cutAt('length'),
			limited,
			'cut off at the token limit (500) · /continue, or /set max_tokens lifts it',
		],
		[
			'a content filter',
			cutAt('filter', 'SAFETY'),
			{},
			"cut off by the service's content filter (SAFETY) · /undo edits the prompt",
		],
		[
			'a refusal',
			{type: 'refusal-delta', text: '!'},
			{},
			'refused by the model · /undo edits the prompt',
		],
		['the user', failure('interrupted'), {}, 'interrupted · /continue goes on, /retry asks again'],
		[
			'a limit of calls',
			noticeOf('tool-limit', 'the answer was cut off: 8 calls'),
			{},
			'the answer was cut off: 8 calls',
		],
	] as const)(
		'says below an answer that it was ended by %s, and what to do',
		(_, event, settings, mark) => {
			const stage = openStage({columns: 100, ...settings});
			stage.play('q⏎', '<< It is…', events(event), events(turnEnd));
			expect(stage.committed().slice(2)).toEqual([
				expect.stringMatching(/^It is/),
				'',
				`  ◐ ${mark}`,
			]);
		},
	);

	test('says that a reply without an answer reached the token limit', () => {
		const stage = openStage().play(
			'q⏎',
			events(stepStart, noticeOf('empty-answer', 'an empty answer'), cutAt('length'), turnEnd),
		);
		expect(stage.committed().slice(2)).toEqual([
			'  ◐ an empty answer',
			'  ◐ cut off at the token limit · /set max_tokens N asks for more, then Enter',
		]);
	});

	test('wraps what the program says inside of its margin', () => {
		const stage = openStage({columns: 24}).play(
			'q⏎',
			events(noticeOf('fallback', 'one two three four five six')),
			events(failure('rejected', 'seven eight nine ten eleven')),
		);
		expect(stage.committed().slice(2)).toEqual([
			...['  · one two three four', '    five six'],
			...['  ✗ seven eight nine', '    ten eleven', '    Enter asks again'],
		]);
	});

	test('shows the next queued prompt after the answer before it', () => {
		const stage = openStage().play('q⏎', begun, 'r⏎', events(textDelta('!'), turnEnd));
		expect(stage.committed().slice(6)).toEqual(['Sec!', '', '› r']);
	});

	test('has the notices of a turn, but not its waits', () => {
		const stage = openStage().play(
			'q⏎',
			events(retryOf('again in 2 s'), {type: 'trace', message: 'POST'}),
			events(noticeOf('fallback', 'asked again without stream_options')),
		);
		expect(stage.committed().slice(2)).toEqual(['  · asked again without stream_options']);
	});

	test.each([
		['has begun', begun],
		['is waited for', '<< …'],
	])(
		'prints entries that arrive while an answer %s after it, and shows them above the prompt',
		(_, first) => {
			const stage = openStage().play('q⏎', first);
			const before = stage.committed();
			stage.play('/reasoning show⏎', '/reasoning auto⏎');
			expect(stage.committed()).toEqual(before);
			const rows = stage.rows();
			const place = rows.indexOf('  · reasoning: show');
			expect(rows[place + 1]).toBe('  · reasoning: auto');
			expect(rows[place + 2]).toMatch(/Esc stops$/);
			expect(place).toBeGreaterThan(rows.indexOf('Sec'));
			stage.play('<< !…', 'next⏎', '<< !incomplete');
			const after = stage.committed();
			const rest = after.slice(after.indexOf('  ✗ incomplete'));
			expect(rest.filter((row) => !row.startsWith('▸') && row !== '')).toEqual([
				...['  ✗ incomplete', '    /continue goes on, /retry asks again'],
				...['› /reasoning show', '  · reasoning: show'],
				...['› /reasoning auto', '  · reasoning: auto'],
			]);
			expect(stage.rows().join('\n')).not.toContain('reasoning:');
		},
	);

	test('that goes on after a cut begins with its unfinished paragraph', () => {
		const stage = openStage().play(
			...['p⏎', events(stepStart, textDelta('One.\n\nTwo wo'), failure('incomplete'))],
			'/continue⏎',
		);
		const joined = {state: 'joined', model: 'm', attempts: 1} as const;
		stage.play(events({type: 'continuation', continuation: joined}, textDelta('rds.\n\nThr')));
		stage.play(events(textDelta('ee.'), stepEnd(), turnEnd));
		const rows = stage.committed();
		expect(rows.slice(rows.indexOf('› /continue'))).toEqual([
			...['› /continue', '  · the answer above goes on', '', 'Two words.', '', 'Three.'],
		]);
	});

	test('gets recalled reasoning after the answer, before the next prompt', () => {
		const stage = openStage().play('p⏎', '<< (because) 1', 'q⏎', begun);
		stage.play('/reasoning 1⏎', 'r⏎');
		expect(stage.rows().join('\n')).not.toContain('│ because');
		stage.play(events(textDelta('!'), stepEnd(), turnEnd));
		expect(stage.committed().slice(-4)).toEqual(['› /reasoning 1', '│ because', '', '› r']);
	});

	test('wraps entries to the window', () => {
		const stage = openStage({columns: 40}).play('/help all⏎');
		expect(stage.committed().length).toBeGreaterThan(12);
		for (const row of stage.committed()) expect(row.length).toBeLessThan(40);
		expect(stage.committed()).toContain('  /undo');
		expect(stage.committed()).toContain('      undo the last turn and make its');
	});

	test('puts meanings beside their names where there is room', () => {
		const rows = openStage({columns: 72}).play('/help all⏎').committed();
		const names = rows.filter((row) => row.startsWith('  /'));
		const column = names[0]?.search(/(?<=\S {2,})\S/) ?? 0;
		expect(column).toBeGreaterThan(5);
		for (const row of rows.filter((line) => line.startsWith('   '))) {
			expect(row.search(/\S/)).toBe(column);
		}
	});

	test('keeps the rows of a table whole in a window of 40 columns', () => {
		const stage = openStage({columns: 40}).play('q⏎', '<< a', '/usage⏎');
		expect(stage.committed().slice(-2)).toEqual([
			expect.stringMatching(/tokens in +tokens out +time$/),
			expect.stringMatching(/^ *turn 1 .* s$/),
		]);
	});

	test('prints recalled reasoning in full, after a bar', () => {
		const stage = openStage().play(
			'q⏎',
			'<< (\n&nbsp;\n\none\n\ntwo\n\n\u00a0\n) a',
			'/reasoning⏎',
		);
		expect(stage.committed().slice(-4)).toEqual(['› /reasoning', '│ one', '│', '│ two']);
	});
});

describe('a secret', () => {
	const redact = (text: string) => text.replaceAll('sk-1234', '[redacted]');

	test('is redacted where a service repeats it', () => {
		const stage = openStage({}, {redact}).play('q⏎', events(retryOf('the key sk-1234 is busy')));
		expect(stage.rows().join(' ')).toContain('the key [redacted] is busy');
		stage.play(events(noticeOf('fallback', 'sk-1234')));
		const error = new ChatError('auth', 'no sk-1234', {
			hint: 'not sk-1234',
			requestId: 'sk-1234',
		});
		stage.play(events({type: 'error', error}));
		expect(stage.committed().slice(2)).toEqual([
			'  · [redacted]',
			'  ✗ no [redacted]',
			'    not [redacted] · request id: [redacted]',
		]);
	});

	test('is kept where the user or the model wrote it', () => {
		const stage = openStage({}, {redact}).play('is it sk-1234?⏎', '<< sk-1234 it is.');
		expect(stage.committed()).toEqual(['› is it sk-1234?', '', 'sk-1234 it is.']);
	});
});

describe('the header', () => {
	const header = {
		type: 'header',
		version: '0.10.12',
		model: 'gpt-x',
		service: 'api.example.com',
		folder: '~/proj',
	} as const;

	test.each([
		[52, '  chat 0.10.12   gpt-x at api.example.com   ~/proj'],
		[50, '  chat 0.10.12   gpt-x at api.example.com'],
		[30, '  chat 0.10.12   gpt-x'],
		[20, '  chat 0.10.12'],
		[10, '  chat 0.…'],
	])('leaves out what does not fit into %i columns', (columns, row) => {
		const stage = openStage({columns});
		stage.store.print(header);
		expect(stage.committed()).toEqual([row]);
	});

	test('leaves out the middle of a long name before anything else', () => {
		const model = 'vendor/very-long-model-name-2026-11-22-preview-instruct-fp8';
		const titleIn = (columns: number) => {
			const stage = openStage({columns});
			stage.store.print({...header, model});
			expect(stage.faults()).toEqual([]);
			return stage.committed()[0];
		};
		expect(titleIn(160)).toBe(`  chat 0.10.12   ${model} at api.example.com   ~/proj`);
		expect(titleIn(80)).toBe(
			'  chat 0.10.12   vendor/very…2-preview-instruct-fp8 at api.example.com   ~/proj',
		);
		expect(titleIn(60)).toBe('  chat 0.10.12   vendor/…ew-instruct-fp8 at api.example.com');
		expect(titleIn(36)).toBe('  chat 0.10.12   vendo…instruct-fp8');
	});

	test.each([
		[
			160,
			[
				'  Earlier in this folder · /resume 1 goes on',
				'  1  How does binary search work in Rust?   6 turns · 2 h ago',
				'  2  Name ideas for a c at                  2 turns · 3 days ago',
				'  3  日本語                                 2026-05-31',
			],
		],
		[
			40,
			[
				'  Earlier here · /resume 1 goes on',
				'  1  How does binary sear…   2 h ago',
				'  2  Name ideas for a c at   3 days ago',
				'  3  日本語                  2026-05-31',
			],
		],
		[20, ['  /resume 1 goes on', '  1  How does bina…', '  2  Name ideas fo…', '  3  日本語']],
	])('is followed by the last conversations of the folder, in %i columns', (columns, rows) => {
		const stage = openStage({columns});
		const sessions = [
			{id: 'a', title: 'How does binary search work in Rust?', turns: '6 turns', age: '2 h ago'},
			{id: 'b', title: 'Name ideas for a c\x1b[2J\nat', turns: '2 turns', age: '3 days ago'},
			{id: 'c', title: '日本語', turns: undefined, age: '2026-05-31'},
		];
		stage.store.print(header);
		stage.store.print({type: 'earlier', sessions});
		expect(stage.faults()).toEqual([]);
		expect(stage.committed().slice(1)).toEqual(['', ...rows]);
	});

	test.each([
		[80, '  /resume 1  How does binary search work in Rust?   6 turns · 2 h ago'],
		[50, '  /resume 1  How does binary search wo…   2 h ago'],
		[40, '  /resume 1  How does binary search wo…'],
		[20, '  /resume 1  How d…'],
	])('is followed by one row about a single conversation, in %i columns', (columns, row) => {
		const stage = openStage({columns});
		const title = 'How does binary search work in Rust?';
		const sessions = [{id: 'a', title, turns: '6 turns', age: '2 h ago'}];
		stage.store.print({type: 'earlier', sessions});
		expect(stage.committed()).toEqual([row]);
	});

	test('shows the names of a hostile service and folder as text', () => {
		const stage = openStage();
		stage.store.print({...header, model: 'a\x1b[2Jb\nc', folder: '~/\u202eproj'});
		expect(stage.committed()[0]).toBe('  chat 0.10.12   ab c at api.example.com   ~/proj');
		expect(stage.drawnWhole()[0]).toBe(stage.committed()[0]);
	});
});

test('a table aligns its meanings after names of wide characters', () => {
	const stage = openStage();
	const rows = [
		['日本語', 'a'],
		['abcdef', 'b'],
		['ab\x1b[2Jc', 'c'],
	] as const;
	stage.store.print({type: 'table', groups: [{rows}]});
	expect(stage.committed()).toEqual(['  日本語  a', '  abcdef  b', '  abc     c']);
});

describe('a failure', () => {
	const serviceUrl = 'https://api.example.com/v1/chat/completions';

	test('is one line, and one with what to do and its code, without the address', () => {
		const stage = openStage({}, {serviceUrl}).play(
			'q⏎',
			events({
				type: 'error',
				error: new ChatError('unavailable', `cannot reach ${serviceUrl}: ${serviceUrl} is down`, {
					code: 'ENETDOWN',
				}),
			}),
		);
		expect(stage.committed().slice(2)).toEqual([
			'  ✗ cannot reach the service: the service is down',
			'    Enter asks again · ENETDOWN',
		]);
	});

	test('names its code once', () => {
		const error = new ChatError('unavailable', 'nothing answers (ECONNREFUSED)', {
			code: 'ECONNREFUSED',
			hint: 'Is it running?',
		});
		const stage = openStage().play('q⏎', events({type: 'error', error}));
		expect(stage.committed().slice(2)).toEqual([
			'  ✗ nothing answers (ECONNREFUSED)',
			'    Is it running?',
		]);
	});
});

describe('a message of a service', () => {
	test('cannot imitate lines of ours', () => {
		const stage = openStage().play(
			'q⏎',
			events(
				noticeOf('fallback', 'first\n> second'),
				failure('rejected', 'a\n\n[interrupted]\n> b'),
			),
		);
		expect(stage.committed().slice(2)).toEqual([
			...['  · first > second', '  ✗ a [interrupted] > b', '    Enter asks again'],
		]);
	});
});

describe('the address of the service', () => {
	const serviceUrl = 'http://127.0.0.1:1/v1/chat/completions';

	test.each([
		[`cannot talk to ${serviceUrl}: nothing answers there`, 'cannot talk to 127.0.0.1:1: nothing'],
		[`${serviceUrl} answered 500`, 'the service answered 500'],
	])('is short, and its host is named if it is not reached: %s', (message, shown) => {
		const stage = openStage({}, {serviceUrl});
		stage.play('q⏎', events(failure('unavailable', message)));
		expect(stage.committed().join('\n')).toContain(shown);
	});
});

describe('React', () => {
	test('draws the scrollback and the live region below it', () => {
		const stage = openStage().play('q⏎', begun);
		const rule = '─'.repeat(72);
		expect(stage.drawnWhole()).toEqual([
			'› q',
			'',
			thought,
			'',
			'First.',
			'',
			'Sec',
			'',
			expect.stringMatching(/^• answering .*Esc stops$/),
			rule,
			'› (Type the next prompt; Enter queues it)',
			rule,
			'MODEL-5.6-sol',
		]);
	});

	test('hears every action once', () => {
		const stage = openStage();
		let count = 0;
		const stop = stage.store.subscribe(() => {
			count += 1;
		});
		stage.play('q⏎', begun);
		expect(count).toBe(2);
		stop();
		stage.play('x');
		expect(count).toBe(2);
	});
});
