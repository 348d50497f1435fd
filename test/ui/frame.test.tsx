/** The live region: what it shows, and that it fits the window. */
import {describe, expect, test} from 'vitest';
import {textOutput} from '../../src/chat/tool-output.ts';
import {textWidth} from '../../src/terminal/width.ts';
import {
	answer,
	at,
	attached,
	enter,
	events,
	failure,
	paste,
	press,
	reasoningDelta,
	retryOf,
	stepEnd,
	stepStart,
	textDelta,
	turnEnd,
	type,
	valuesListed,
} from '../repl/play.ts';
import {barColumns, openStage, type Stage} from './stage.tsx';

const windows = [40, 80, 100, 140, 200].flatMap((columns) =>
	[10, 24].map((rows) => ({columns, rows})),
);

const reasoning = 'The question is short.\nThe answer may be long, 日本語 too. '.repeat(20);
const begun = events(stepStart, reasoningDelta(reasoning));
const tail = 'An answer with 日本語 and 👩‍👩‍👧 in it, and é, which goes on and on. '.repeat(6);
const answering = events(textDelta(tail));

const image = attached([
	{
		type: 'image',
		name: `${'long-name-'.repeat(20)}.png`,
		part: {type: 'image', url: 'data:image/png;base64,AAAA'},
	},
]);

/** A little of everything at once. */
function crowd(stage: Stage): Stage {
	return stage.play(
		'question⏎',
		begun,
		answering,
		...Array.from({length: 9}, (_, index) => `queued ${index} ${'日本 '.repeat(99)}⏎`),
		'/image a.png⏎',
		image,
		'/file b.txt⏎',
		...Array.from({length: 30}, (_, index) => [`draft ${index}`, '<ctrl+j>']).flat(),
		type('日'.repeat(300)),
	);
}

/** Each mode beside and above the answer, where there is little room and where there is more. */
const modes = (['show', 'hide'] as const).flatMap((reasoningMode) =>
	[
		{columns: 40, rows: 10},
		{columns: 140, rows: 24},
	].map((size) => ({...size, reasoningMode})),
);

test.each([
	...modes,
	...[...windows, {columns: 200, rows: 50}].map(
		(size) => ({...size, reasoningMode: 'auto'}) as const,
	),
])('everything at once fits into $columns by $rows ($reasoningMode)', (settings) => {
	const stage = crowd(openStage(settings));
	expect(stage.faults()).toEqual([]);
	for (const action of ['<ctrl+o>', '<< \n\n```js\nlet a = 1;\n…', '<ctrl+o>', '<< !incomplete']) {
		expect(stage.play(action).faults()).toEqual([]);
	}
});

describe.each(windows)('in a window of $columns by $rows', (size) => {
	test('the empty prompt is two rows, with rules around it in a taller one', () => {
		const stage = openStage(size);
		const status = expect.stringMatching(
			/^MODEL-5\.6-sol {2,}\/ commands · (?:@ files · )?\? keys$/,
		);
		const rule = size.rows < 14 ? [] : ['─'.repeat(Math.min(72, size.columns - 1))];
		expect(stage.allRows()).toEqual([...rule, '› (Ask something)', ...rule, status]);
		expect(stage.frame().cursor).toEqual({x: 2, y: rule.length});
	});
});

describe('from 100 columns on', () => {
	test.each([100, 140, 200])('shows the reasoning beside the answer at %i columns', (columns) => {
		const stage = openStage({columns, rows: 24}).play('q⏎', begun, answering);
		const rows = stage.rows();
		const bar = Math.floor(columns * 0.6);
		expect(new Set(barColumns(rows))).toEqual(new Set([bar]));
		expect(rows[0]).toMatch(/^An answer with .* │ /);
		const {pane, answer: unfinished} = stage.frame().turn;
		expect(pane?.rows).toHaveLength(Math.min(6, unfinished.length));
	});

	test('the reasoning beside a line that has just begun has one row', () => {
		const stage = openStage({columns: 100, rows: 24}).play('q⏎', begun);
		expect(barColumns(stage.play('<< An…').rows())).toEqual([60]);
	});

	test('aligns the bars for any answer', async () => {
		const lines = [
			'plain',
			'日本語の文章です。',
			'👩‍👩‍👧‍👦 👍🏽 🇩🇪 ☂️ 1️⃣',
			'e\u0301 n\u0303 नमस्ते สวัสดี',
			'**bold** and `code`',
			'한국어 조선글',
		];
		const stage = openStage({columns: 120, rows: 50}, {hasColor: true}).play(
			'q⏎',
			begun,
			events(textDelta(`${lines.join('  \n')} …`)),
		);
		await stage.store.settled();
		expect(new Set(barColumns(stage.rows()))).toEqual(new Set([72]));
		expect(stage.rows().join('\n')).toContain('bold and code');
	});

	test('it stays for the whole turn, and one line is left above the answer', () => {
		const stage = openStage({columns: 120, rows: 24}).play(
			'q⏎',
			begun,
			at(1500, events(textDelta('a'), stepEnd({reasoningTokens: 34}), turnEnd)),
		);
		expect(barColumns(stage.rows())).toEqual([]);
		expect(stage.committed().filter((row) => row !== '')).toEqual([
			'› q',
			'▸ Thought for 1.5 s   /reasoning 1',
			'a',
		]);
	});

	test('has the whole width and six rows until the answer begins, and more on request', () => {
		const stage = openStage({columns: 120, rows: 24}).play('q⏎', begun);
		expect(barColumns(stage.rows())).toEqual(Array(6).fill(0));
		expect(stage.rows()[0]).toMatch(/^• thinking {2,}Ctrl-O more · Esc stops$/);
		stage.play('<ctrl+o>');
		expect(barColumns(stage.rows())).toEqual(Array(8).fill(0));
		expect(stage.rows()[0]).toMatch(/^• thinking {2,}Ctrl-O closes · Esc stops$/);
		stage.play('<ctrl+o>');
		expect(barColumns(stage.rows())).toEqual([]);
		expect(stage.rows()[0]).toMatch(/^• thinking {2,}Ctrl-O opens · Esc stops$/);
	});

	test('never makes a row of the scrollback narrower than the window', () => {
		const code =
			'const something = [1, 2, 3].map((number) => number * 2).join("a long line of code");';
		const stage = openStage({columns: 100, rows: 24}).play(
			'q⏎',
			begun,
			events(textDelta('word '.repeat(300))),
			events(textDelta(`\n\n\`\`\`js\n${code}\nlet`)),
		);
		expect(Math.max(...stage.rows().map((row) => row.indexOf('│')))).toBe(60);
		const rows = stage.committed();
		expect(rows).toContain(code);
		const words = rows.filter((row) => row.startsWith('word'));
		expect(words.length).toBeGreaterThan(10);
		for (const row of words.slice(0, -1)) expect(row).toHaveLength(99);
		stage.play(events(textDelta('```\n\nand more'), turnEnd));
		expect(stage.committed().join('\n').match(/word/g)).toHaveLength(300);
	});

	test('has the whole width again while the model thinks after a tool', () => {
		const call = {callId: 'a', name: 'run', arguments: '{}', isRunnable: true};
		const stage = openStage({columns: 120, rows: 24}).play(
			'q⏎',
			begun,
			events(textDelta('First a look.'), {type: 'tool-call', call}, stepEnd()),
			events({type: 'tool-result', callId: 'a', ...textOutput('ran', false)}),
			events(stepStart, reasoningDelta('What does it mean?')),
		);
		expect(new Set(barColumns(stage.rows()))).toEqual(new Set([0]));
		stage.play('<< It means…');
		expect(new Set(barColumns(stage.rows()))).toEqual(new Set([72]));
		const lines = stage.committed().filter((row) => row.startsWith('▸ Thought'));
		expect(lines).toHaveLength(1);
	});

	test('changes the width at once with the pane or the window', () => {
		const stage = openStage({columns: 120, rows: 24}).play(
			'q⏎',
			begun,
			'<ctrl+o ctrl+o>',
			answering,
		);
		const widest = () =>
			Math.max(
				...stage
					.rows()
					.slice(0, -1)
					.map((row) => textWidth(row.replace(/ *│.*/, ''))),
			);
		expect(widest()).toBeGreaterThan(80);
		stage.play('<ctrl+o>');
		expect(widest()).toBeLessThan(73);
		expect(new Set(barColumns(stage.rows()))).toEqual(new Set([72]));
		stage.play({type: 'resize', columns: 60, rows: 20});
		expect(widest()).toBeLessThan(60);
		expect(stage.faults()).toEqual([]);
	});
});

describe('below 100 columns', () => {
	test('shows the reasoning above until the answer begins, then leaves a line', () => {
		const stage = openStage({columns: 99, rows: 24}).play('q⏎', begun);
		expect(stage.rows()[0]).toMatch(/^• thinking {2,}Ctrl-O more · Esc stops$/);
		expect(barColumns(stage.rows())).toEqual(Array(6).fill(0));
		stage.play(at(2500, '<< Yes…'));
		expect(barColumns(stage.rows())).toEqual([]);
		expect(stage.rows()[0]).toBe('Yes');
		expect(stage.committed().at(-1)).toBe('▸ Thought for 2.5 s   /reasoning 1');
		stage.play('<ctrl+o>');
		expect(barColumns(stage.rows())).toEqual(Array(6).fill(0));
		expect(stage.rows()).toContainEqual(expect.stringMatching(/Ctrl-O closes · Esc stops$/));
	});

	test('one empty row stands between an open pane and the answer', () => {
		const stage = openStage({columns: 80, rows: 24}).play('q⏎', begun);
		stage.play('<< Yes…', '<ctrl+o>');
		const between = () => {
			const rows = stage.frame().turn.answer;
			return rows.slice(
				0,
				rows.findIndex((row) => row !== ''),
			).length;
		};
		expect(stage.frame().turn.pane?.rows.length).toBeGreaterThan(5);
		expect(between()).toBe(1);
		stage.play('<< .\n\nNo…');
		expect(between()).toBe(1);
		expect(stage.faults()).toEqual([]);
	});

	test('the answer has room beside an open pane even in a small window', () => {
		const stage = openStage({columns: 60, rows: 10}).play('q⏎', begun, answering, '<ctrl+o>');
		expect(stage.rows().some((row) => row.includes('on and on'))).toBe(true);
		expect(barColumns(stage.rows()).length).toBeGreaterThan(0);
	});
});

describe('the mode', () => {
	test.each([80, 140])('shows with hide only that it thinks, at %i columns', (columns) => {
		const stage = openStage({columns, rows: 24, reasoningMode: 'hide'}).play('q⏎', begun);
		expect(stage.rows()[0]).toMatch(/^• thinking {2,}Ctrl-O opens · Esc stops$/);
		expect(stage.rows().join()).not.toContain('question is short');
		stage.play(at(12_000, '<< Yes…'));
		expect(stage.rows()[0]).toBe('Yes');
		expect(stage.committed().at(-1)).toBe('▸ Thought for 12 s   /reasoning 1');
	});

	test('show puts the reasoning into the scrollback when the answer begins', () => {
		const stage = openStage({columns: 80, rows: 24, reasoningMode: 'show'}).play(
			'q⏎',
			begun,
			'<< Yes…',
		);
		expect(stage.committed().slice(2, 4)).toEqual([
			'▾ Thought for a moment',
			expect.stringMatching(/^│ The question is short\./),
		]);
		expect(stage.committed().at(-1)).toMatch(/^│ .* too\.$/);
		expect(stage.rows()[0]).toBe('Yes');
	});
});

describe('when idle', () => {
	const long = Array.from({length: 50}, (_, index) => `thought ${index + 1}`).join('\n');
	const opened = () =>
		openStage({columns: 140, rows: 24}).play('q⏎', answer('a', long), '<ctrl+o>');
	const thoughts = (stage: Stage) => stage.rows().filter((row) => row.startsWith('│'));

	test('the reasoning of the last turn opens above the prompt, and can be scrolled', () => {
		const stage = opened();
		expect(stage.rows()[0]).toBe(
			'▾ Thought for a moment · 1–7 of 50   ↑ ↓ PgUp PgDn · Ctrl-O closes',
		);
		expect(thoughts(stage)[0]).toBe('│ thought 1');
		expect(stage.faults()).toEqual([]);
		stage.play('<down down up>');
		expect(thoughts(stage)[0]).toBe('│ thought 2');
		stage.play(...Array.from({length: 9}, () => '<page-down>'));
		expect(stage.rows()[0]).toContain(' · 44–50 of 50 ');
		expect(thoughts(stage).at(-1)).toBe('│ thought 50');
		stage.play('<page-up>');
		expect(thoughts(stage)[0]).toBe('│ thought 38');
		expect(thoughts(stage.play('<home>'))[0]).toBe('│ thought 1');
		expect(thoughts(stage.play('<end>'))[0]).toBe('│ thought 44');
	});

	test.each([
		['Esc', '<escape>'],
		['Ctrl-O', '<ctrl+o>'],
	])('%s closes it, and nothing is written', (_, key) => {
		const stage = opened().play(key);
		expect(thoughts(stage)).toEqual([]);
		expect(stage.rows()).toHaveLength(2);
	});

	test('leaves letters and arrows to a draft, which page keys and Esc are not for', () => {
		const stage = opened().play('q', 'uick', '<down home>', 'is ');
		expect(stage.rows()).toContain('› is quick');
		expect(thoughts(stage)[0]).toBe('│ thought 1');
		expect(thoughts(stage.play('<page-down>'))[0]).not.toBe('│ thought 1');
		expect(thoughts(stage.play('<page-up>'))[0]).toBe('│ thought 1');
		expect(thoughts(stage.play('<escape>'))).toEqual([]);
		expect(stage.rows()).toContain('› is quick');
	});

	test('can be opened for a turn that gave no answer', () => {
		const stage = openStage().play('q⏎', begun, '<< !interrupted');
		expect(stage.committed()).toContain('▸ Thought for a moment   /reasoning 1');
		expect(thoughts(stage.play('<ctrl+u ctrl+o>'))[0]).toBe('│ The question is short.');
	});

	test('shows the reasoning of the last turn left', () => {
		const stage = openStage().play(
			'q⏎',
			'<< (first thoughts) a',
			'r⏎',
			'<< (second thoughts) b',
			'/undo⏎',
			'<ctrl+o>',
		);
		expect(stage.rows()[1]).toBe('│ first thoughts');
	});
});

describe('the prompt', () => {
	test('the cursor counts cells, not characters', () => {
		const stage = openStage().play('日本語 ok');
		expect(stage.frame().cursor).toEqual({x: 11, y: 1});
		expect(stage.play('<left left left left>').frame().cursor).toEqual({x: 6, y: 1});
		expect(stage.rows()[0]).toBe('› 日本語 ok');
	});

	test.each([
		[80, 'editing prompt 1 of 2 · Enter sends it instead of 1–2 · Esc leaves'],
		[40, 'editing prompt 1 of 2 · Esc leaves'],
		[20, 'editing 1 of 2'],
	])('says which earlier prompt is shown, at %d columns', (columns, row) => {
		const asked = ['a⏎', '<< 1', 'b⏎', '<< 2', '/edit 1⏎'];
		const stage = openStage({columns, rows: 24}).play(...asked);
		expect(stage.rows()).toContain(row);
		expect(stage.faults()).toEqual([]);
	});

	test('puts the cursor in its line, below the rows above', () => {
		const stage = openStage().play(
			'q⏎',
			'<< partly…',
			'queued⏎',
			'one',
			'<ctrl+j>',
			'日本',
			'<up>',
		);
		const [title, queued] = [expect.stringMatching(/^1 prompt after this answer/), '↳ queued'];
		const [runs, rule] = [expect.stringMatching(/^• answering /), '─'.repeat(72)];
		expect(stage.allRows().slice(0, 9)).toEqual([
			...['', 'partly', '', runs, title, queued, rule, '› one', '  日本'],
		]);
		expect(stage.frame().cursor).toEqual({x: 5, y: 7});
		expect(stage.play('<down>').frame().cursor).toEqual({x: 6, y: 8});
	});

	test('a folded paste is shown by its label', () => {
		const stage = openStage().play('see ', paste('line\n'.repeat(240)));
		expect(stage.rows()[0]).toBe('› see [Pasted 240 lines #1]');
		expect(stage.frame().cursor?.x).toBe('› see [Pasted 240 lines #1]'.length);
	});

	test('removes the placeholder when something is typed or sent', () => {
		const invited = (stage: Stage) => stage.rows().join('\n').includes('Ask something');
		expect(invited(openStage())).toBe(true);
		expect(invited(openStage().play('x'))).toBe(false);
		expect(invited(openStage().play('x⏎'))).toBe(false);
	});
});

describe('the queue', () => {
	test.each([
		[24, ['3 prompts', '↳ a', '↳ b', '↳ c'], ['a', 'b', 'c']],
		[24, ['5 prompts', '↳ a', '↳ b', 'and 3 more'], ['a', 'b', 'c', 'd', 'e']],
		[10, ['3 prompts', '↳ a'], ['a', 'b', 'c']],
		[8, ['2 prompts'], ['a', 'b']],
	])('in %i rows is shown as %j', (rows, shown, prompts) => {
		const stage = openStage({rows}).play('q⏎', ...prompts.map((text) => enter(text)));
		const queued = stage.rows().filter((row) => /prompts after|^(↳|and)/.test(row));
		expect(queued.map((row) => row.replace(/ after this answer.*/, ''))).toEqual(shown);
	});

	test('says how to take a prompt back', () => {
		const stage = openStage().play('q⏎', 'next⏎');
		expect(stage.rows()).toContain('1 prompt after this answer · Alt-Up edits');
	});

	test('says when it is held, and how to release it', () => {
		const stage = openStage().play('q⏎', '<< partly…', 'two\nlines⏎', '<< !interrupted');
		expect(stage.rows().slice(0, 3)).toEqual([
			'1 prompt held · Alt-Up edits · Ctrl-C drops',
			'↳ two lines',
			'› (Enter sends the held prompts; a new one goes first)',
		]);
		expect(stage.play('new').rows()[0]).toBe('1 prompt held until the next answer · Alt-Up edits');
	});
});

test('the reasoning of two steps is two paragraphs, during the turn and after it', () => {
	const call = {callId: 'a', name: 'run', arguments: '{}', isRunnable: true};
	const stage = openStage({columns: 60, rows: 40, reasoningMode: 'show'}).play(
		'q⏎',
		events(stepStart, reasoningDelta('First.'), {type: 'tool-call', call}, stepEnd()),
		events({type: 'tool-result', callId: 'a', ...textOutput('ran', false)}),
		events(stepStart, reasoningDelta('Then.')),
	);
	const paragraphs = ['│ First.', '│', '│ Then.'];
	expect(stage.rows().slice(1, 4)).toEqual(paragraphs);
	stage.play(events(textDelta('a'), stepEnd(), turnEnd), '/reasoning⏎');
	expect(stage.committed().slice(-3)).toEqual(paragraphs);
});

describe('attachments', () => {
	test('are named above the prompt, and one being read is shown', () => {
		const stage = openStage().play(
			'/file notes.txt⏎',
			attached([{type: 'file', name: 'notes.txt', text: ''}]),
			'/image a.png⏎',
		);
		expect(stage.rows()[0]).toBe('[file notes.txt] [reading…]');
	});
});

describe('help that was asked for', () => {
	test('/help fits a window of 80x24, below its command and above the prompt', () => {
		const stage = openStage({columns: 80, rows: 24}).play('/help⏎');
		expect(stage.committed()[0]).toBe('› /help');
		// The last row stays empty.
		expect(stage.committed().length + stage.allRows().length).toBeLessThan(24);
	});

	test('is between the prompt and the status until the next key', () => {
		const stage = openStage().play('?');
		expect(stage.rows()[0]).toBe('› (Ask something)');
		expect(stage.rows()[1]).toMatch(/^ {2}Enter {2,}send/);
		expect(stage.rows().at(-1)).toMatch(/^MODEL-5.6-sol /);
		expect(stage.play('<escape>').rows()).toHaveLength(2);
		expect(stage.committed()).toEqual([]);
	});

	test('leaves some rows to the answer, and says how many of its own are left out', () => {
		const stage = openStage({rows: 16}).play('q⏎', '<< partly…');
		stage.play('/help⏎');
		expect(stage.rows()[0]).toBe('partly');
		expect(stage.rows().join('\n')).toMatch(
			/\n {2}Conversation\n(.*\n)* {2}1–\d+ of \d+ · ↑ ↓ PgUp PgDn\nMODEL/,
		);
		expect(stage.faults()).toEqual([]);
	});

	test('of one row shows its beginning, in the smallest window', () => {
		const stage = openStage({columns: 20, rows: 6}).play('/copy⏎');
		expect(stage.rows()[1]).toBe('  · there is no …');
		expect(stage.faults()).toEqual([]);
	});

	test('is all there at 80 columns and 24 rows', () => {
		expect(openStage().play('?').rows().join('\n')).not.toContain('PgDn');
	});

	test('has two columns in a wide window, which name the same keys', () => {
		const narrow = openStage({columns: 80, rows: 50}).play('?');
		const wide = openStage({columns: 160, rows: 50}).play('?');
		expect(wide.rows()[1]).toMatch(/^ {2}Enter {2,}send .* {3,}Alt-C {2,}\w/);
		expect(wide.rows().length).toBeLessThan(narrow.rows().length);
		for (const key of ['Ctrl-J', 'Ctrl-O', 'Ctrl-R', '/help keys']) {
			expect(wide.rows().join('\n')).toContain(key);
		}
		expect(wide.faults()).toEqual([]);
	});

	test.each([
		{columns: 80, rows: 14},
		{columns: 30, rows: 10},
		{columns: 20, rows: 6},
	])('can be read to its end in a window of $columns x $rows', (size) => {
		const whole = openStage({...size, rows: 100})
			.play('?')
			.rows()
			.slice(1, -1);
		const stage = openStage(size).play('?');
		const seen = new Set<string>();
		const look = () => {
			for (const row of stage.rows()) seen.add(row.replace(/ …$/, '').trim());
		};
		look();
		for (const _ of whole) {
			stage.play('<down>');
			look();
		}
		const isUnseen = (row: string) => !seen.has(row.trim());
		expect(whole.filter(isUnseen)).toEqual([]);
		const last = stage.rows();
		expect(stage.play('<page-down>', '<down>').rows()).toEqual(last);
		expect(stage.play('<home>').rows()).toEqual(openStage(size).play('?').rows());
		expect(stage.faults()).toEqual([]);
	});
});

describe('the menu', () => {
	test('has half of the rows of a high window, and counts the others', () => {
		const rows = openStage({columns: 80, rows: 40}).play('/').rows();
		expect(rows[20]).toMatch(/^↓ \/\w+ {2,}\w/);
		expect(rows.at(-1)).toMatch(/^1 of \d\d · Enter runs/);
	});

	test.each([8, 10, 14, 24])('counts its rows where a window of %i rows cuts them', (rows) => {
		const stage = openStage({columns: 60, rows}).play('/s');
		const [shown, status] = [stage.rows().slice(1, -1), stage.rows().at(-1)];
		const {items = []} = stage.state().menu ?? {};
		expect(/^1 of \d+/.test(status ?? '')).toBe(shown.length < items.length);
		expect(stage.faults()).toEqual([]);
	});

	test('has half of the window below the prompt, with names and meanings', () => {
		const stage = openStage().play('/');
		const rows = stage.rows();
		expect(rows[0]).toBe('› /');
		expect(rows[1]).toMatch(/^› \/\w+ {2,}\w/);
		expect(rows[12]).toMatch(/^↓ \/\w+ {2,}\w/);
		expect(rows.at(-1)).toContain('Enter runs');
		expect(stage.play('<up>').rows()[12]).toMatch(/^› /);
		expect(stage.rows()[1]).toMatch(/^↑ /);
		expect(stage.faults()).toEqual([]);
		expect(stage.committed()).toEqual([]);
	});

	test('shows one row in a window of 20 columns and 6 rows', () => {
		const stage = openStage({columns: 20, rows: 6}).play('/');
		expect(stage.rows()[1]).toMatch(/^› \/\w+/);
		expect(stage.play('<down>').rows()[1]).toMatch(/^› \/\w+/);
	});

	test('underlines the letters that match', () => {
		const stage = openStage().play('/', 'mdl');
		expect(stage.styledRows()[3]).toContain('m\x1b[24mo\x1b[4md\x1b[24me\x1b[4ml\x1b[24m');
	});

	test.each([
		[20, 6],
		[12, 5],
		[40, 12],
	])('fits into %i columns and %i rows', (columns, rows) => {
		const stage = openStage({columns, rows}).play('/', '<up>');
		expect(stage.faults()).toEqual([]);
		expect(stage.play('q⏎', '<< a…', '/').faults()).toEqual([]);
	});

	test('shows no more of a hostile name than its letters', () => {
		const text = 'a\x1b[31m\n\u202eb';
		const stage = openStage().play(
			...Array.from('/model ', type),
			valuesListed({type: 'models'}, [{text, meaning: text}]),
		);
		expect(stage.rows()[1]).toMatch(/^ {2}a/);
		for (const code of ['\x1b[31m', '\u202e']) {
			expect(stage.styledRows().join('')).not.toContain(code);
		}
		expect(stage.faults()).toEqual([]);
	});
});

describe('a draft higher than its room', () => {
	const lines = Array.from({length: 7}, (_, index) => `line ${index + 1}`);
	const draft = lines.flatMap((line) => [type(line), '<ctrl+j>']).slice(0, -1);
	const rows = (stage: Stage) => stage.rows().slice(0, -1);

	test('marks where more of it is hidden', () => {
		const stage = openStage({columns: 40, rows: 12}).play(...draft);
		expect(rows(stage)).toEqual(['↑ line 4', '  line 5', '  line 6', '  line 7']);
		stage.play(...Array.from({length: 3}, () => '<up>'));
		expect(rows(stage)).toEqual(['↑ line 3', '  line 4', '  line 5', '↓ line 6']);
		stage.play(...Array.from({length: 3}, () => '<up>'));
		expect(rows(stage)).toEqual(['› line 1', '  line 2', '  line 3', '↓ line 4']);
	});

	test('says so in a single row', () => {
		const stage = openStage({columns: 40, rows: 4}).play(...draft, '<up>');
		expect(rows(stage)).toEqual(['↕ line 6']);
	});
});

describe('dim, which is hard to read on some palettes,', () => {
	const dim = '\x1b[2m';
	const dimOf = (stage: Stage, text: string) =>
		stage.styledRows().map((row) => row.includes(text) && row.includes(dim));

	test.each([
		['the keys of the status', [], '? keys'],
		['a hint', ['<ctrl+c>'], 'again to exit'],
		['a notice', ['/undo⏎'], 'nothing to undo'],
		['what a row of a menu means', ['/'], 'choose another model'],
		['a queued prompt', ['q⏎', 'next⏎'], '↳ next'],
		['the clock of an answer', ['q⏎'], 'Esc stops'],
	] as const)('is not the style of %s', (_, actions, text) => {
		const stage = openStage({columns: 80, rows: 24}).play(...actions);
		expect(stage.rows().join('\n')).toContain(text);
		expect(dimOf(stage, text)).not.toContain(true);
	});

	test('is not the style of an error, nor of its next step', () => {
		const stage = openStage().play('q⏎', events(failure('rejected', 'busy')));
		const rows = stage.store.getSnapshot().items.flatMap((item) => item.rows);
		expect(rows.join('\n')).toContain('Enter asks again');
		expect(rows.join('\n')).not.toContain(dim);
	});
});

describe('the status line', () => {
	/** Without the key at the end of a row. */
	const withoutKey = (row = '') => row.replace(/ {2,}\S.*/, '');
	const status = (stage: Stage) => withoutKey(stage.rows().at(-1));
	/** The activity row above the prompt. */
	const activity = (stage: Stage) => withoutKey(stage.rows().find((row) => /^[·•] \w/.test(row)));

	test('reports the model, the tokens, the rate and the wait', () => {
		const stage = openStage();
		expect(status(stage)).toBe('MODEL-5.6-sol');
		stage.play('q⏎', {type: 'tick', now: 3200});
		expect(activity(stage)).toBe('· waiting for the service 3 s');
		expect(status(stage)).toBe('MODEL-5.6-sol');
		stage.play(at(4000, events(stepStart, textDelta('x'.repeat(400)))), {type: 'tick', now: 5000});
		expect(activity(stage)).toBe('· answering 5 s · ~100 tokens/s');
		stage.play('<escape>');
		expect(stage.frame().prompt.above).toEqual(['• stopping…']);
		stage.play(events(stepEnd({promptTokens: 12, completionTokens: 34}), turnEnd));
		expect(status(stage)).toBe('MODEL-5.6-sol · 46 tokens of context');
	});

	test.each([
		['emacs', 'Esc stops'],
		['vi', 'Ctrl-C stops'],
	] as const)('names the key that stops the answer, with the keys of %s', (editing, key) => {
		const stage = openStage({editing}).play('q⏎');
		const whole = () => stage.rows().join('\n');
		expect(whole()).toMatch(new RegExp(` {2}${key}$`, 'm'));
		stage.play('<ctrl+c>');
		expect(whole()).not.toContain(key);
	});

	test('compares the tokens with the window of the model, if it is known', () => {
		const usage = stepEnd({promptTokens: 1234, completionTokens: 376});
		const stage = openStage().play('q⏎', events(stepStart, textDelta('a'), usage, turnEnd));
		expect(status(stage)).toBe('MODEL-5.6-sol · 1.6k tokens of context');
		const model = {context: 128_000, prices: undefined};
		stage.play({type: 'model-known', name: 'MODEL-5.6-sol', model});
		expect(status(stage)).toBe('MODEL-5.6-sol · 1.6k of 128k context (2%)');
		expect(status(stage.play('/model other⏎'))).toBe('other · 1.6k tokens of context');
	});

	test('says that one more Ctrl-C exits', () => {
		expect(status(openStage().play('<ctrl+c>'))).toBe('press Ctrl-C again to exit');
	});

	test('has one row in a small window, with what fits of it', () => {
		const stage = openStage({columns: 20, rows: 6});
		expect(stage.rows()).toEqual(['› (Ask something)', 'MODEL-5.6-sol']);
		stage.play('q⏎', '<< An answer.…');
		stage.play(events(stepEnd({promptTokens: 12, completionTokens: 34}), turnEnd));
		expect(stage.rows()).toEqual(['› (Ask something)', '46 tokens of conte…']);
		for (const [chord, hint] of [
			['ctrl+c', 'Ctrl-C again exits'],
			['ctrl+r', 'Enter takes it'],
			['ctrl+x', 'Ctrl-E: your editor'],
		] as const) {
			expect(stage.play(press(chord)).rows().at(-1)).toBe(hint);
			stage.play('<escape>', '<left>');
		}
	});

	test('says that the service searches the web, until more comes', () => {
		const notice = {code: 'web-search', message: 'searching the web'} as const;
		const stage = openStage().play(
			enter('q'),
			at(1000, events(stepStart, {type: 'notice', notice})),
		);
		stage.play({type: 'tick', now: 3000});
		expect(activity(stage)).toBe('· searching the web 2 s');
		stage.play(at(4000, events(textDelta('Found.'))));
		expect(activity(stage)).toContain('answering');
		expect(stage.rows().join('\n')).not.toContain('searching');
	});

	test('counts down to a retry, says which one it is, and then waits for the service again', () => {
		const serviceUrl = 'https://api.example.com/v1/chat/completions';
		const stage = openStage({}, {serviceUrl}).play(
			'q⏎',
			at(1000, events(retryOf(`${serviceUrl} answered 503`))),
		);
		expect(activity(stage)).toMatch(/^· retrying in 12 s \(1 of 2\) · the service answered 503/);
		stage.play({type: 'tick', now: 10_000});
		expect(activity(stage)).toContain('retrying in 3 s (1 of 2)');
		stage.play({type: 'tick', now: 14_500});
		expect(activity(stage)).toContain('waiting for the service 1 s (retry 1 of 2)');
		stage.play('<< …');
		expect(activity(stage)).not.toContain('retry');
	});

	test('shows the time of hidden reasoning too', () => {
		const stage = openStage({reasoningMode: 'hide'}).play(
			'q⏎',
			at(1000, events(stepStart, reasoningDelta('hm'))),
			at(5200, events(reasoningDelta('hm'))),
		);
		expect(activity(stage)).toBe('· thinking 4 s');
	});

	test('reports how long nothing has arrived, instead of a falling rate', () => {
		const stage = openStage().play('q⏎', at(1000, events(stepStart, textDelta('x'.repeat(400)))));
		expect(activity(stage.play({type: 'tick', now: 3900}))).toContain('tokens/s');
		expect(activity(stage.play({type: 'tick', now: 9900}))).toBe('· nothing for 8 s');
		stage.play(at(10_000, '<< y…'));
		expect(activity(stage)).toContain('tokens/s');
	});

	test('takes one row for a long wait', () => {
		const reason = `the service is busy (${'and says so at length, '.repeat(30)}`;
		const stage = openStage({columns: 60}).play('q⏎', events(retryOf(reason)));
		expect(stage.rows()).toHaveLength(3);
		expect(stage.faults()).toEqual([]);
	});
});

describe('the search in earlier prompts', () => {
	const prompts = ['write a haiku', 'count to ten, and then count back'];
	const begin = (size = {columns: 80, rows: 24}) =>
		openStage(size, {hasColor: true}).play(
			...prompts.flatMap((text) => [type(text), '<ctrl+c>']),
			'my draft',
			'<ctrl+r>',
		);

	test('shows the match with its hits, the query with the cursor, and the keys', () => {
		const stage = begin().play('COUNT ');
		const marked = '\x1b[4mcount \x1b[24m';
		expect(stage.styledRows()[1]).toContain(`${marked}to ten, and then ${marked}back`);
		expect(stage.rows()).toEqual([
			'› count to ten, and then count back',
			'search: COUNT',
			'Enter takes it · Esc cancels · Ctrl-R older · Ctrl-S newer',
		]);
		expect(stage.frame().cursor).toEqual({x: 14, y: 2});
	});

	test('says that nothing matches, and leaves no trace', () => {
		const stage = begin();
		const before = stage.committed();
		stage.play('haikus');
		expect(stage.rows().slice(0, 2)).toEqual(['› my draft', 'no match: haikus']);
		stage.play('<escape>');
		expect(stage.rows()).toEqual(['› my draft', expect.stringMatching(/^MODEL-5.6-sol /)]);
		expect(stage.committed()).toEqual(before);
	});

	test.each([
		{columns: 12, rows: 5},
		{columns: 20, rows: 4},
	])('fits a window of $columns columns and $rows rows', (size) => {
		const stage = begin(size).play('and then count');
		expect(stage.faults()).toEqual([]);
		stage.play(type(' x'.repeat(40)));
		expect(stage.faults()).toEqual([]);
	});

	test('shows the hit of a long prompt', () => {
		const long = Array.from({length: 60}, (_, index) => `line ${index}`).join('\n');
		const stage = openStage().play(
			...long.split('\n').flatMap((line) => [type(line), '<ctrl+j>']),
			'<ctrl+c ctrl+r>',
			'line 3',
		);
		expect(stage.rows().join('\n')).toContain('line 3\n');
	});
});

describe('the tree', () => {
	const retried = [
		...['write a haiku⏎', '<< An old pond'],
		...['another⏎', '<< # First *snow*', '/retry⏎', '<< **Autumn**\n\n```js\nmoon()\n```'],
	];

	test('shows each turn in a row with the start of its answer, in place of the prompt', () => {
		const stage = openStage().play(...retried, '/tree⏎');
		expect(stage.rows()).toEqual([
			'  1 write a haiku   An old pond',
			'› 2 another ◂ now   Autumn moon()',
			'  ╰─ 2 another      First snow',
			'Enter continues here · Esc closes',
		]);
		expect(stage.frame().cursor).toBeUndefined();
	});

	test('names both keys in a narrow window', () => {
		const stage = openStage({columns: 20, rows: 6}).play(...retried, '/tree⏎');
		expect(stage.rows().at(-1)).toBe('Enter · Esc closes');
	});

	test('leaves no trace when it is closed', () => {
		const stage = openStage().play(...retried);
		const before = [stage.rows(), stage.committed()];
		stage.play('/tree⏎', '<down escape>');
		expect([stage.rows(), stage.committed()]).toEqual(before);
	});

	const many = Array.from({length: 30}, (_, index) => [`prompt ${index}⏎`, '<< ok']);

	test.each([
		{columns: 20, rows: 6},
		{columns: 12, rows: 4},
	])('scrolls in a window of $columns columns and $rows rows', (size) => {
		const stage = openStage(size).play(...many.flat(), '/tree⏎');
		expect(stage.faults()).toEqual([]);
		expect(stage.rows().join('\n')).toContain('› 30 ');
		for (let number = 29; number > 0; number -= 1) {
			stage.play('<up>');
			expect(stage.faults()).toEqual([]);
			expect(stage.rows().join('\n')).toMatch(new RegExp(`› +${number} `));
		}
	});

	test('points to the turns above and below its window', () => {
		const stage = openStage({rows: 12}).play(...many.flat(), '/tree⏎', '<page-up>');
		expect(
			stage
				.rows()
				.slice(0, -1)
				.map((row) => row.slice(0, 8)),
		).toEqual([
			'↑ 20 pro',
			...['  21 pro', '  22 pro', '› 23 pro', '  24 pro', '  25 pro'],
			'↓ 26 pro',
		]);
	});

	test('keeps room for the prompts of deep branches', () => {
		const deep = Array.from({length: 12}, (_, index) => [
			...[`a ${index}⏎`, '<< 1', '/undo⏎', '<ctrl+c>'],
			...[`b ${index}⏎`, '<< 2', '/tree⏎', '<down enter>'],
		]);
		const stage = openStage({columns: 40, rows: 40}).play(...deep.flat(), '/tree⏎');
		expect(stage.faults()).toEqual([]);
		expect(stage.rows().join('\n')).toContain('b 11');
	});
});
