/** Each entry reaches the scrollback once, in the right order. */
import {describe, expect, test} from 'vitest';
import type {ChatEvent} from '../../src/chat/event.ts';
import {textOutput} from '../../src/chat/tool-output.ts';
import {ChatError} from '../../src/errors.ts';
import {entriesOfTurn} from '../../src/repl/turn/turn-entries.ts';
import {mountScreen} from '../../src/ui/ink/mount/mount.tsx';
import {reasoningDelta, textDelta, turnEnd} from '../helpers/events.ts';
import {
	at,
	attached,
	events,
	failure,
	noticeOf,
	paste,
	retryOf,
	type Step,
	stepEnd,
	stepStart,
} from '../repl/play.ts';
import {openEmulator} from './emulator.ts';
import {openStage, type Stage} from './stage.tsx';

const cutAt = (kind: 'length' | 'filter', raw: string = kind): ChatEvent => ({
	...{type: 'step-end', finishReason: {kind, raw}, usage: undefined},
});
const longPaste = Array.from({length: 20}, (_, index) => `line ${index}`).join('\n');
const thought = '▸ Thought for a moment   /reasoning 1';
const begun = '<< (hm) First.\n\nSec…';
const code = '```js\na\n```\n';
const ran = events({type: 'tool-result', callId: 'a', ...textOutput('ran', false)});
const lines = (stage: Stage) => stage.committed().filter((row) => row !== '');
/** The rows after those of the prompt. */
const below = (stage: Stage) => stage.committed().slice(2);

describe('a past turn', () => {
	const call = {callId: 'a', name: 'run', arguments: '{}', isRunnable: true};
	const withTool = [
		'<< (hm) # First\n\n```\na\n```\n…',
		events({type: 'tool-call-start', callId: 'a', name: 'run'}, {type: 'tool-call', call}),
		...[events(stepEnd()), ran, '<< ```js\nlet a;\n```\nDone.'],
	];
	const cut = events(stepStart, textDelta('half of it'), cutAt('length'), turnEnd);
	const refusal = events(stepStart, {type: 'refusal-delta', text: 'No.'}, stepEnd(), turnEnd);

	test.each<readonly [name: string, answered: readonly Step[]]>([
		['a complete answer', ['<< (hm) # It\n\nis **this**:\n\n| a | b |\n|---|---|\n| 1 | 2 |']],
		['an answer in steps, with a tool between them', withTool],
		['an answer that was interrupted', ['<< half of *it*…', '<< !interrupted']],
		['a refusal', [refusal]],
		['an answer that was cut off', [cut]],
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

test.each<readonly [name: string, steps: readonly Step[], rows: readonly string[]]>([
	[
		'the reasoning of every step above the text of the step',
		['<< (one) First.…', events(stepEnd()), ran, '<< (two) Second.'],
		['▾ Thought for a moment', '│ one', 'First.', '│ two', 'Second.'],
	],
	[
		'what is thought in the middle of a text below it',
		['<< (one) First …', '<< (two)…', '<< and second.'],
		['▾ Thought for a moment', '│ one', 'First and second.', '│ two'],
	],
	[
		'the reasoning of a turn without an answer',
		['<< (one)…', '<< !interrupted'],
		['▾ Thought for a moment', '│ one', '  · interrupted; the prompt is the draft again'],
	],
	[
		'only the line of reasoning that the user has closed',
		['<< (one)…', '<ctrl+o ctrl+o>', '<< First.'],
		[thought, 'First.'],
	],
])('the mode show leaves %s', (_, steps, rows) => {
	const stage = openStage({reasoningMode: 'show'}).play('q⏎', ...steps);
	expect(lines(stage).slice(1)).toEqual(rows);
});

test('numbers code that /copy takes, through all answers, and none of the reasoning', () => {
	const stage = openStage().play('p⏎', events(stepStart, textDelta(code), stepEnd()), ran);
	stage.play(`<< ${code}`, 'q⏎', events(stepStart, reasoningDelta(`hm\n\n${code}`)));
	expect(stage.rows()).toContainEqual(expect.stringMatching(/^│ js ─+$/));
	stage.play(events(textDelta(code), stepEnd(), turnEnd), '/reasoning⏎');
	const rules = stage.committed().filter((row) => row.includes('js ─'));
	expect(rules.map((row) => row.replace(/─+/, '─'))).toEqual([
		...['js ─ /copy 1', 'js ─ /copy 2', 'js ─ /copy 3', '│ js ─'],
	]);
});

describe('the scrollback', () => {
	test('has the prompt, the folded reasoning and finished blocks at once, each once', () => {
		const stage = openStage().play('What is\tit?⏎', begun);
		expect(stage.committed()).toEqual(['› What is    it?', '', thought, '', 'First.']);
		expect(stage.rows()).toContain('Sec');
		const {items} = stage.store.getSnapshot();
		expect(stage.play('x').store.getSnapshot().items).toBe(items);
		stage.play('<< ond.…', '<<');
		expect(below(stage)).toEqual([thought, '', 'First.', '', 'Second.']);
		expect(stage.rows()).not.toContain('Second.');
		// An empty row is between reasoning that was printed and the pane with it.
		const printed = openStage().play('q⏎', '<< (hm) It is.', '/reasoning⏎');
		expect(printed.committed().slice(-2)).toEqual(['› /reasoning', '│ hm']);
		printed.play('<ctrl+o>');
		expect(printed.allRows().slice(0, 2)).toEqual(['', expect.stringMatching(/^▾ Thought/)]);
	});

	test('is left to the terminal: nothing that it has is kept, and nothing is written twice', async () => {
		const stage = openStage();
		const {terminal, screen} = openEmulator();
		const none = {onResize: () => {}, onTaken: () => {}};
		const mounted = mountScreen(stage.store, terminal, {reflow: 'none', ...none});
		const written = async () => (await screen()).filter((row) => /^number \d+$/.test(row));
		const numbers = (count: number) => Array.from({length: count}, (_, n) => `number ${n}`);
		const ask = (n: number) => stage.play('q⏎', `<< number ${n}`);
		for (let n = 0; n < 10; n += 1) {
			ask(n);
			await expect.poll(written).toEqual(numbers(n + 1));
		}
		const kept = stage.committed();
		expect(kept).toContain('number 9');
		expect(kept.length).toBeLessThan(8);
		await mounted.release();
		for (let n = 10; n < 14; n += 1) ask(n);
		mounted.take();
		ask(14);
		await expect.poll(written).toEqual(numbers(15));
		await mounted.unmount();
		expect(await written()).toEqual(numbers(15));
	});

	test('gets the first code with its colours, and everything that follows it afterwards', async () => {
		const stage = openStage({}, {hasColor: true});
		stage.play('q⏎', '<< First.\n\n```js\nlet a = 1;\n```\n\n…', '<< Last.', '/help⏎');
		expect(stage.committed()).toEqual(['› q']);
		await stage.store.settled();
		const rows = stage.committed();
		const places = ['First.', 'let a = 1;', 'Last.', '› /help'].map((row) => rows.indexOf(row));
		expect(places).toEqual([2, 5, 8, 10]);
		const styled = stage.store.getSnapshot().items.flatMap((item) => item.rows);
		expect(styled[5]).not.toBe('let a = 1;');
	});

	test('shows a prompt of many lines below its mark, and what was attached', () => {
		const part = {type: 'image', url: 'https://example.com/a.png'} as const;
		const image = attached([{type: 'image', name: 'a.png', part}], ['a.png is large']);
		const prompt = ['one', '<ctrl+j>', 'two ', paste('x\n'.repeat(20)), '⏎'];
		expect(
			openStage()
				.play('/image a.png⏎', image, ...prompt)
				.committed(),
		).toEqual([
			...['› /image a.png', '  · a.png is large', '  · attached [image a.png]', ''],
			...['› one', '  two [Pasted 20 lines #1]', '  [image a.png]'],
		]);
	});

	test('marks a cut answer below it and above its consequences', () => {
		const about = {requestId: 'r-1', hint: 'Ask again.'};
		const error = new ChatError('incomplete', 'the stream was cut', about);
		const stage = openStage({reasoningMode: 'hide'});
		stage.play('q⏎', begun, at(2000, events({type: 'error', error})));
		expect(below(stage)).toEqual([
			...[thought, '', 'First.', '', 'Sec', ''],
			...['  ✗ the stream was cut', '    Ask again · request id: r-1'],
		]);
	});

	const limited = {options: {model: 'm', isStreaming: true, maxTokens: 500}};
	const free = '/set max_tokens N asks for more';

	test.each([
		['the token limit', cutAt('length'), {}, `cut off at the token limit · /continue, or ${free}`],
		[
			...(['its own limit', cutAt('length'), limited] as const),
			'cut off at the token limit (500) · /continue, or /set max_tokens lifts it',
		],
		[
			...(['a content filter', cutAt('filter', 'SAFETY'), {}] as const),
			"cut off by the service's content filter (SAFETY) · /undo edits the prompt",
		],
		[
			...(['a refusal', {type: 'refusal-delta', text: '!'}, {}] as const),
			'refused by the model · /undo edits the prompt',
		],
		['the user', failure('interrupted'), {}, 'interrupted · /continue goes on, /retry asks again'],
		['a limit of calls', noticeOf('tool-limit', 'cut off: 8 calls'), {}, 'cut off: 8 calls'],
	] as const)('says below an answer that it was ended by %s, and what to do', (...ending) => {
		const [, event, settings, mark] = ending;
		const stage = openStage({columns: 100, ...settings});
		stage.play('q⏎', '<< It is…', events(event), events(turnEnd));
		expect(below(stage)).toEqual([expect.stringMatching(/^It is/), '', `  ◐ ${mark}`]);
	});

	test('says that a reply without an answer reached the token limit', () => {
		const empty = noticeOf('empty-answer', 'an empty answer');
		const stage = openStage().play('q⏎', events(stepStart, empty, cutAt('length'), turnEnd));
		const limit = `  ◐ cut off at the token limit · ${free}, then Enter`;
		expect(below(stage)).toEqual(['  ◐ an empty answer', limit]);
	});

	test('has the notices of a turn, wrapped inside of their margin, but not its waits', () => {
		const stage = openStage({columns: 24}).play(
			'q⏎',
			events(retryOf('again in 2 s'), {type: 'trace', message: 'POST'}),
			events(noticeOf('fallback', 'one two three four five six')),
			events(failure('rejected', 'seven eight nine ten eleven')),
		);
		expect(below(stage)).toEqual([
			...['  · one two three four', '    five six'],
			...['  ✗ seven eight nine', '    ten eleven', '    Enter asks again'],
		]);
	});

	test.each([
		['has begun', begun],
		['is waited for', '<< …'],
	])(
		'gets entries that arrive while an answer %s after it; they wait above the prompt',
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
			const all = stage.committed();
			const rest = all.slice(all.indexOf('  ✗ incomplete'));
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
		const joined = {state: 'joined', id: '', created: 0, model: 'm', attempts: 1} as const;
		stage.play(events({type: 'continuation', continuation: joined}, textDelta('rds.\n\nThr')));
		stage.play(events(textDelta('ee.'), stepEnd(), turnEnd));
		const rows = stage.committed();
		expect(rows.slice(rows.indexOf('› /continue'))).toEqual([
			...['› /continue', '  · the answer above goes on', '', 'Two words.', '', 'Three.'],
		]);
	});

	test('gets recalled reasoning after the answer, before the next queued prompt', () => {
		const stage = openStage().play('p⏎', '<< (because) 1', 'q⏎', begun, '/reasoning 1⏎', 'r⏎');
		expect(stage.rows().join('\n')).not.toContain('│ because');
		stage.play('<< !…', '<<');
		expect(stage.committed().slice(-6)).toEqual([
			...['Sec!', '', '› /reasoning 1', '│ because', '', '› r'],
		]);
		const next = openStage().play('q⏎', begun, 'r⏎', '<< !…', '<<');
		expect(next.committed().slice(-3)).toEqual(['Sec!', '', '› r']);
		const full = '<< (\n&nbsp;\n\none\n\ntwo\n\n\u00a0\n) a';
		const whole = openStage().play('q⏎', full, '/reasoning⏎').committed();
		expect(whole.slice(-4)).toEqual(['› /reasoning', '│ one', '│', '│ two']);
	});

	test('wraps tables to the window, with meanings beside their names where there is room', () => {
		const narrow = openStage({columns: 40}).play('/help all⏎').committed();
		expect(narrow.length).toBeGreaterThan(12);
		for (const row of narrow) expect(row.length).toBeLessThan(40);
		expect(narrow).toContain('  /undo');
		expect(narrow).toContain('      undo the last turn and make its');
		const rows = openStage({columns: 72}).play('/help all⏎').committed();
		const names = rows.filter((row) => row.startsWith('  /'));
		const column = names[0]?.search(/(?<=\S {2,})\S/) ?? 0;
		expect(column).toBeGreaterThan(5);
		for (const row of rows.filter((line) => line.startsWith('   '))) {
			expect(row.search(/\S/)).toBe(column);
		}
		const usage = openStage({columns: 40}).play('q⏎', '<< a', '/usage⏎').committed();
		expect(usage.slice(-2)).toEqual([
			expect.stringMatching(/tokens in +tokens out +time$/),
			expect.stringMatching(/^ *turn 1 .* s$/),
		]);
		const stage = openStage();
		const wide = ['日本語', 'abcdef', 'ab\x1b[2Jc'].map((name) => [name, 'a'] as const);
		stage.store.print({type: 'table', groups: [{rows: wide}]});
		expect(stage.committed()).toEqual(['  日本語  a', '  abcdef  a', '  abc     a']);
	});
});

test('a secret is redacted where a service repeats it, not where the user or the model wrote it', () => {
	const redact = (text: string) => text.replaceAll('sk-1234', '[redacted]');
	const stage = openStage({}, {redact}).play('q⏎', events(retryOf('the key sk-1234 is busy')));
	expect(stage.rows().join(' ')).toContain('the key [redacted] is busy');
	const about = {hint: 'not sk-1234', requestId: 'sk-1234'};
	const error = new ChatError('auth', 'no sk-1234', about);
	stage.play(events(noticeOf('fallback', 'sk-1234')), events({type: 'error', error}));
	expect(below(stage)).toEqual([
		...['  · [redacted]', '  ✗ no [redacted]', '    not [redacted] · request id: [redacted]'],
	]);
	const own = openStage({}, {redact}).play('is it sk-1234?⏎', '<< sk-1234 it is.');
	expect(own.committed()).toEqual(['› is it sk-1234?', '', 'sk-1234 it is.']);
});

describe('the header', () => {
	const header = {
		...({type: 'header', version: '0.10.12', model: 'gpt-x'} as const),
		...{service: 'api.example.com', folder: '~/proj'},
	};
	const long = 'vendor/very-long-model-name-2026-11-22-preview-instruct-fp8';

	test.each([
		[52, 'gpt-x', '   gpt-x at api.example.com   ~/proj'],
		[30, 'gpt-x', '   gpt-x'],
		[20, 'gpt-x', ''],
		// The middle of a long name is left out before anything else.
		[80, long, '   vendor/very…2-preview-instruct-fp8 at api.example.com   ~/proj'],
		[60, long, '   vendor/…ew-instruct-fp8 at api.example.com'],
		// The names of a hostile service and folder are text.
		[80, 'a\x1b[2Jb\nc', '   ab c at api.example.com   ~/proj'],
	])('leaves out what does not fit into %i columns: %j', (columns, model, row) => {
		const stage = openStage({columns});
		stage.store.print({...header, model, folder: '~/\u202eproj'});
		expect(stage.committed()).toEqual([`  chat 0.10.12${row}`]);
		expect(stage.drawnWhole()[0]).toBe(stage.committed()[0]);
		expect(stage.faults()).toEqual([]);
	});

	const title = 'How does binary search work in Rust?';
	const [first, ...others] = [
		{id: 'a', title, turns: '6 turns', age: '2 h ago'},
		{id: 'b', title: 'Name ideas for a c\x1b[2J\nat', turns: '2 turns', age: '3 days ago'},
		{id: 'c', title: '日本語', turns: undefined, age: '2026-05-31'},
	] as const;

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
		// A single conversation has one row.
		[80, ['  /resume 1  How does binary search work in Rust?   6 turns · 2 h ago']],
		[41, ['  /resume 1  How does binary search wor…']],
	])('is followed by the last conversations of the folder, in %i columns', (columns, rows) => {
		const stage = openStage({columns});
		const sessions = rows.length === 1 ? [first] : [first, ...others];
		stage.store.print(header);
		stage.store.print({type: 'earlier', sessions});
		expect(stage.faults()).toEqual([]);
		expect(stage.committed().slice(1)).toEqual(['', ...rows]);
	});
});

describe('a failure', () => {
	const serviceUrl = 'https://api.example.com/v1/chat/completions';
	const local = 'http://127.0.0.1:1/v1/chat/completions';
	const down = `cannot reach ${serviceUrl}: ${serviceUrl} is down`;
	const refused = 'nothing answers (ECONNREFUSED)';

	test.each([
		[
			new ChatError('unavailable', down, {code: 'ENETDOWN'}),
			['cannot reach the service: the service is down', 'Enter asks again · ENETDOWN'],
		],
		// Its code is named once.
		[
			new ChatError('unavailable', refused, {code: 'ECONNREFUSED', hint: 'Is it running?'}),
			[refused, 'Is it running?'],
		],
		// It cannot imitate lines of ours.
		[
			new ChatError('rejected', 'a\n\n[interrupted]\n> b'),
			['a [interrupted] > b', 'Enter asks again'],
		],
	])(
		'is one line, and one with what to do and its code, without the address: %s',
		(error, rows) => {
			const stage = openStage({}, {serviceUrl}).play('q⏎', events({type: 'error', error}));
			expect(below(stage).map((row) => row.slice(4))).toEqual(rows);
			expect(below(stage)[0]).toMatch(/^ {2}✗ /);
		},
	);

	test.each([
		[`cannot talk to ${local}: nothing answers there`, 'cannot talk to 127.0.0.1:1: nothing'],
		[`${local} answered 500`, 'the service answered 500'],
	])('names the host of the service if it is not reached: %s', (message, shown) => {
		const stage = openStage({}, {serviceUrl: local});
		stage.play('q⏎', events(noticeOf('fallback', 'a\n> b'), failure('unavailable', message)));
		expect(stage.committed().join('\n')).toContain(shown);
		expect(stage.committed()).toContain('  · a > b');
	});
});

test('React draws the scrollback and the live region below it, and hears every action once', () => {
	const stage = openStage();
	let count = 0;
	const stop = stage.store.subscribe(() => {
		count += 1;
	});
	stage.play('q⏎', begun);
	expect(count).toBe(2);
	stop();
	stage.play('<f5>');
	expect(count).toBe(2);
	const rule = '─'.repeat(72);
	expect(stage.drawnWhole()).toEqual([
		...['› q', '', thought, '', 'First.', '', 'Sec', ''],
		expect.stringMatching(/^• answering .*Esc stops$/),
		...[rule, '› (Type the next prompt; Enter queues it)', rule, 'MODEL-5.6-sol'],
	]);
});
