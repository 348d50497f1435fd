/** The live region: what it shows, and that it fits the window. */
import {describe, expect, test} from 'vitest';
import {textOutput} from '../../src/chat/tool-output.ts';
import {textWidth} from '../../src/terminal/width.ts';
import {reasoningDelta, textDelta, turnEnd} from '../helpers/events.ts';
import {at, attached, events, paste, retryOf, type Step, stepEnd, stepStart} from '../repl/play.ts';
import {barColumns, openStage, type Stage} from './stage.tsx';

const reasoning = 'The question is short.\nThe answer may be long, 日本語 too. '.repeat(20);
const begun = events(stepStart, reasoningDelta(reasoning));
const tail = 'An answer with 日本語 and 👩‍👩‍👧 in it, and é, which goes on and on. '.repeat(6);
const answering = events(textDelta(tail));
const asked = (columns: number, rows = 24) => openStage({columns, rows}).play('q⏎', begun);
const call = {callId: 'a', name: 'run', arguments: '{}', isRunnable: true};
const ran = events({type: 'tool-result', callId: 'a', ...textOutput('ran', false)});
const thinking = (key: string) => expect.stringMatching(`^• thinking {2,}${key} · Esc stops$`);

const part = {type: 'image', url: 'data:image/png;base64,AAAA'} as const;
const image = attached([{type: 'image', name: `${'long-name-'.repeat(20)}.png`, part}]);

/** A little of everything at once. */
const crowd: readonly Step[] = [
	...['q⏎', begun, answering],
	...Array.from({length: 5}, (_, index) => `queued ${index} ${'日本 '.repeat(99)}⏎`),
	...['/image a.png⏎', image, '/file b.txt⏎'],
	...Array.from({length: 20}, (_, index) => [`draft ${index}`, '<ctrl+j>']).flat(),
	'日'.repeat(300),
];

test.each(['auto', 'show', 'hide'] as const)(
	'everything at once fits into a window of any size: %s',
	(reasoningMode) => {
		const expectFit = (stage: Stage) => {
			for (const size of ['40 10', '100 24', '200 50']) {
				const [columns = 0, rows = 0] = size.split(' ').map(Number);
				expect(stage.play({type: 'resize', columns, rows}).faults()).toEqual([]);
			}
		};
		const stage = openStage({reasoningMode}).play(...crowd);
		expectFit(stage);
		expectFit(stage.play('<ctrl+o>', '<< \n\n```js\nlet a = 1;\n…'));
		expectFit(stage.play('<ctrl+o>', '<< !incomplete'));
	},
);

test.each([
	{columns: 40, rows: 13},
	{columns: 40, rows: 14},
	{columns: 80, rows: 24},
	{columns: 200, rows: 10},
])('the empty prompt has rules around it in a tall window: $columns by $rows', (size) => {
	const stage = openStage(size);
	const status = expect.stringMatching(/^MODEL-5\.6-sol {2,}\/ commands · (?:@ files · )?\? keys$/);
	const rule = size.rows < 14 ? [] : ['─'.repeat(Math.min(72, size.columns - 1))];
	expect(stage.allRows()).toEqual([...rule, '› (Ask something)', ...rule, status]);
	expect(stage.frame().cursor).toEqual({x: 2, y: rule.length});
});

describe('from 100 columns on', () => {
	test.each([100, 200])('shows the reasoning beside the answer at %i columns', (columns) => {
		const stage = asked(columns);
		expect(barColumns(stage.rows())).toEqual(Array(6).fill(0));
		// The reasoning beside a line that has just begun has one row.
		expect(barColumns(stage.play('<< An…').rows())).toEqual([Math.floor(columns * 0.6)]);
		stage.play(answering);
		expect(new Set(barColumns(stage.rows()))).toEqual(new Set([Math.floor(columns * 0.6)]));
		expect(stage.rows()[0]).toMatch(/^AnAn answer with .* │ /);
		const {pane, answer} = stage.frame().turn;
		expect(pane?.rows).toHaveLength(Math.min(6, answer.length));
	});

	test('it has the whole width until the answer begins, and one line above the whole answer', () => {
		const stage = asked(120);
		const look = () => [stage.rows()[0], barColumns(stage.rows()).length];
		expect(look()).toEqual([thinking('Ctrl-O more'), 6]);
		stage.play('<ctrl+o>');
		expect(look()).toEqual([thinking('Ctrl-O closes'), 8]);
		stage.play('<ctrl+o>');
		expect(look()).toEqual([thinking('Ctrl-O opens'), 0]);
		stage.play(at(1500, events(textDelta('a'), stepEnd({reasoningTokens: 34}), turnEnd)));
		expect(barColumns(stage.rows())).toEqual([]);
		expect(stage.committed().filter((row) => row !== '')).toEqual([
			...['› q', '▸ Thought for 1.5 s   /reasoning 1', 'a'],
		]);
	});

	test('never makes a row of the scrollback narrower than the window', () => {
		const code =
			'const something = [1, 2, 3].map((number) => number * 2).join("a long line of code");';
		const stage = asked(100).play(`<< ${'word '.repeat(300)}…`, `<< \n\n\`\`\`js\n${code}\nlet…`);
		expect(Math.max(...stage.rows().map((row) => row.indexOf('│')))).toBe(60);
		expect(stage.committed()).toContain(code);
		const words = stage.committed().filter((row) => row.startsWith('word'));
		expect(words.length).toBeGreaterThan(10);
		for (const row of words.slice(0, -1)) expect(row).toHaveLength(99);
		stage.play(events(textDelta('```\n\nand more'), turnEnd));
		expect(stage.committed().join('\n').match(/word/g)).toHaveLength(300);
	});

	test('has the whole width again while the model thinks after a tool', () => {
		const stage = asked(120).play(
			events(textDelta('First a look.'), {type: 'tool-call', call}, stepEnd()),
			...[ran, '<< (What does it mean?)…'],
		);
		expect(new Set(barColumns(stage.rows()))).toEqual(new Set([0]));
		stage.play('<< It means…');
		expect(new Set(barColumns(stage.rows()))).toEqual(new Set([72]));
		const lines = stage.committed().filter((row) => row.startsWith('▸ Thought'));
		expect(lines).toHaveLength(1);
	});

	test('changes the width at once with the pane or the window', () => {
		const stage = asked(120).play('<ctrl+o ctrl+o>', answering);
		const widest = () => {
			const texts = stage.rows().map((row) => row.replace(/ *│.*/, ''));
			return Math.max(...texts.slice(0, -1).map((text) => textWidth(text)));
		};
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
		const stage = asked(99);
		expect(stage.rows()[0]).toEqual(thinking('Ctrl-O more'));
		expect(barColumns(stage.rows())).toEqual(Array(6).fill(0));
		stage.play(at(2500, '<< Yes…'));
		expect(barColumns(stage.rows())).toEqual([]);
		expect(stage.rows()[0]).toBe('Yes');
		expect(stage.committed().at(-1)).toBe('▸ Thought for 2.5 s   /reasoning 1');
		stage.play('<ctrl+o>');
		expect(barColumns(stage.rows())).toEqual(Array(6).fill(0));
		expect(stage.rows()).toContainEqual(expect.stringMatching(/Ctrl-O closes · Esc stops$/));
	});

	test('one empty row stands between an open pane and the answer, which has room', () => {
		const stage = asked(80).play('<< Yes…', '<ctrl+o>');
		const between = () => stage.frame().turn.answer.findIndex((row) => row !== '');
		expect(stage.frame().turn.pane?.rows.length).toBeGreaterThan(5);
		expect(between()).toBe(1);
		stage.play('<< .\n\nNo…');
		expect(between()).toBe(1);
		const small = asked(60, 10).play(answering, '<ctrl+o>');
		expect(small.rows().some((row) => row.includes('on and on'))).toBe(true);
		expect(barColumns(small.rows()).length).toBeGreaterThan(0);
		expect([...stage.faults(), ...small.faults()]).toEqual([]);
	});
});

describe('the mode', () => {
	test.each([80, 140])('shows with hide only that it thinks, at %i columns', (columns) => {
		const stage = openStage({columns, rows: 24, reasoningMode: 'hide'}).play('q⏎', begun);
		expect(stage.rows()[0]).toEqual(thinking('Ctrl-O opens'));
		expect(stage.rows().join()).not.toContain('question is short');
		stage.play(at(12_000, '<< Yes…'));
		expect(stage.rows()[0]).toBe('Yes');
		expect(stage.committed().at(-1)).toBe('▸ Thought for 12 s   /reasoning 1');
	});

	test('show puts the reasoning into the scrollback, each step a paragraph', () => {
		const stage = openStage({columns: 60, rows: 40, reasoningMode: 'show'}).play(
			'q⏎',
			events(stepStart, reasoningDelta('First.'), {type: 'tool-call', call}, stepEnd()),
			...[ran, '<< (Then.)…'],
		);
		const paragraphs = ['│ First.', '│', '│ Then.'];
		expect(stage.rows().slice(1, 4)).toEqual(paragraphs);
		stage.play('<< a', '/reasoning⏎');
		expect(stage.committed().slice(-3)).toEqual(paragraphs);
		const shown = openStage({reasoningMode: 'show'}).play('q⏎', begun, '<< Yes…');
		expect(shown.committed().slice(2, 4)).toEqual([
			...['▾ Thought for a moment', expect.stringMatching(/^│ The question is short\./)],
		]);
		expect(shown.committed().at(-1)).toMatch(/^│ .* too\.$/);
		expect(shown.rows()[0]).toBe('Yes');
	});
});

describe('when idle', () => {
	const long = Array.from({length: 50}, (_, index) => `thought ${index + 1}`).join('\n');
	const opened = () => openStage({columns: 140, rows: 24}).play('q⏎', `<< (${long}) a`, '<ctrl+o>');
	const thoughts = (stage: Stage) => stage.rows().filter((row) => row.startsWith('│'));

	test('the reasoning of the last turn opens above the prompt, and can be scrolled', () => {
		const stage = opened();
		expect(stage.rows()[0]).toBe(
			'▾ Thought for a moment · 1–7 of 50   ↑ ↓ PgUp PgDn · Ctrl-O closes',
		);
		expect(thoughts(stage)[0]).toBe('│ thought 1');
		expect(thoughts(stage.play('<down down up>'))[0]).toBe('│ thought 2');
		stage.play(...Array(9).fill('<page-down>'));
		expect(stage.rows()[0]).toContain(' · 44–50 of 50 ');
		expect(thoughts(stage).at(-1)).toBe('│ thought 50');
		expect(thoughts(stage.play('<page-up>'))[0]).toBe('│ thought 38');
		expect(thoughts(stage.play('<home>'))[0]).toBe('│ thought 1');
		expect(thoughts(stage.play('<end>'))[0]).toBe('│ thought 44');
		expect(stage.faults()).toEqual([]);
		for (const key of ['<escape>', '<ctrl+o>']) {
			const closed = opened().play(key);
			expect([thoughts(closed), closed.rows().length]).toEqual([[], 2]);
		}
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

	test('is that of the last turn left, also of one that gave no answer', () => {
		const stage = openStage().play('q⏎', begun, '<< !interrupted');
		expect(stage.committed()).toContain('▸ Thought for a moment   /reasoning 1');
		expect(thoughts(stage.play('<ctrl+u ctrl+o>'))[0]).toBe('│ The question is short.');
		const turns = ['q⏎', '<< (first thoughts) a', 'r⏎', '<< (second thoughts) b'];
		const undone = openStage().play(...turns, '/undo⏎', '<ctrl+o>');
		expect(undone.rows()[1]).toBe('│ first thoughts');
	});
});

describe('the prompt', () => {
	test('the cursor counts cells, not characters, below the rows above', () => {
		const stage = openStage().play('日本語 ok');
		expect(stage.frame().cursor).toEqual({x: 11, y: 1});
		expect(stage.play('<left left left left>').frame().cursor).toEqual({x: 6, y: 1});
		expect(stage.rows()[0]).toBe('› 日本語 ok');
		const keys = ['one', '<ctrl+j>', '日本', '<up>'];
		const busy = openStage().play('q⏎', '<< partly…', 'queued⏎', ...keys);
		const [title, queued] = [expect.stringMatching(/^1 prompt after this answer/), '↳ queued'];
		const [runs, rule] = [expect.stringMatching(/^• answering /), '─'.repeat(72)];
		expect(busy.allRows().slice(0, 9)).toEqual([
			...['', 'partly', '', runs, title, queued, rule, '› one', '  日本'],
		]);
		expect(busy.frame().cursor).toEqual({x: 5, y: 7});
		expect(busy.play('<down>').frame().cursor).toEqual({x: 6, y: 8});
	});

	test.each([
		[80, 'editing prompt 1 of 2 · Enter sends it instead of 1–2 · Esc leaves'],
		[40, 'editing prompt 1 of 2 · Esc leaves'],
		[20, 'editing 1 of 2'],
	])('says which earlier prompt is shown, at %d columns', (columns, row) => {
		const stage = openStage({columns, rows: 24});
		stage.play('a⏎', '<< 1', 'b⏎', '<< 2', '/edit 1⏎');
		expect(stage.rows()).toContain(row);
		expect(stage.faults()).toEqual([]);
	});

	test('folds a paste, names what is attached, and invites only while it is empty', () => {
		const stage = openStage().play('see ', paste('line\n'.repeat(240)));
		expect(stage.rows()[0]).toBe('› see [Pasted 240 lines #1]');
		expect(stage.frame().cursor?.x).toBe('› see [Pasted 240 lines #1]'.length);
		const read = attached([{type: 'file', name: 'notes.txt', text: ''}]);
		const files = openStage().play('/file notes.txt⏎', read, '/image a.png⏎');
		expect(files.rows()[0]).toBe('[file notes.txt] [reading…]');
		const invites = (...steps: readonly Step[]) =>
			openStage()
				.play(...steps)
				.rows()
				.join('\n')
				.includes('Ask something');
		expect([invites(), invites('x'), invites('x⏎')]).toEqual([true, false, false]);
	});

	test('marks where more of a high draft is hidden', () => {
		const lines = Array.from({length: 7}, (_, index) => [`line ${index + 1}`, '<ctrl+j>']);
		const rows = (height: number, ...steps: readonly Step[]) => {
			const stage = openStage({columns: 40, rows: height});
			return stage
				.play(...lines.flat().slice(0, -1), ...steps)
				.rows()
				.slice(0, -1);
		};
		const up = ['<up>', '<up>', '<up>'];
		expect(rows(12)).toEqual(['↑ line 4', '  line 5', '  line 6', '  line 7']);
		expect(rows(12, ...up)).toEqual(['↑ line 3', '  line 4', '  line 5', '↓ line 6']);
		expect(rows(12, ...up, ...up)).toEqual(['› line 1', '  line 2', '  line 3', '↓ line 4']);
		expect(rows(4, '<up>')).toEqual(['↕ line 6']);
	});
});

describe('the queue', () => {
	test.each([
		[24, ['3 prompts', '↳ a', '↳ b', '↳ c'], ['a', 'b', 'c']],
		[24, ['5 prompts', '↳ a', '↳ b', 'and 3 more'], ['a', 'b', 'c', 'd', 'e']],
		[60, ['5 prompts', '↳ a', '↳ b', 'and 3 more'], ['a', 'b', 'c', 'd', 'e']],
		[10, ['3 prompts', '↳ a'], ['a', 'b', 'c']],
		[8, ['2 prompts'], ['a', 'b']],
	])('in %i rows is shown as %j', (rows, shown, prompts) => {
		const stage = openStage({rows}).play('q⏎', ...prompts.map((text) => `${text}⏎`));
		const queued = stage.rows().filter((row) => /prompts after|^(↳|and)/.test(row));
		expect(queued.map((row) => row.replace(/ after this answer.*/, ''))).toEqual(shown);
	});

	test('says how to take a prompt back, when it is held, and how to release it', () => {
		const stage = openStage().play('q⏎', '<< partly…', 'two\nlines⏎');
		expect(stage.rows()).toContain('1 prompt after this answer · Alt-Up edits');
		expect(stage.play('<< !interrupted').rows().slice(0, 3)).toEqual([
			'1 prompt held · Alt-Up edits · Ctrl-C drops',
			'↳ two lines',
			'› (Enter sends the held prompts; a new one goes first)',
		]);
		const held = '1 prompt held until the next answer · Alt-Up edits';
		expect(stage.play('new').rows()[0]).toBe(held);
	});
});

describe('help that was asked for', () => {
	test('is between the prompt and the status until the next key, whole at 80 by 24', () => {
		const stage = openStage().play('?');
		expect(stage.rows()[0]).toBe('› (Ask something)');
		expect(stage.rows()[1]).toMatch(/^ {2}Enter {2,}send/);
		expect(stage.rows().at(-1)).toMatch(/^MODEL-5.6-sol /);
		expect(stage.rows().join('\n')).not.toContain('PgDn');
		expect(stage.play('<escape>').rows()).toHaveLength(2);
		expect(stage.committed()).toEqual([]);
		// The commands are below the line that asked for them; the last row stays empty.
		const help = openStage({columns: 80, rows: 24}).play('/help⏎');
		expect(help.committed()[0]).toBe('› /help');
		expect(help.committed().length + help.allRows().length).toBeLessThan(24);
	});

	test('leaves some rows to the answer, and says how many of its own are left out', () => {
		const stage = openStage({rows: 16}).play('q⏎', '<< partly…', '/help⏎');
		expect(stage.rows()[0]).toBe('partly');
		expect(stage.rows().join('\n')).toMatch(
			/\n {2}Conversation\n(.*\n)* {2}1–\d+ of \d+ · ↑ ↓ PgUp PgDn\nMODEL/,
		);
		const small = openStage({columns: 20, rows: 6}).play('/copy⏎');
		expect(small.rows()[1]).toBe('  · there is no …');
		expect([...stage.faults(), ...small.faults()]).toEqual([]);
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
		expect(whole.filter((row) => !seen.has(row.trim()))).toEqual([]);
		const last = stage.rows();
		expect(stage.play('<page-down>', '<down>').rows()).toEqual(last);
		expect(stage.play('<home>').rows()).toEqual(openStage(size).play('?').rows());
		expect(stage.faults()).toEqual([]);
	});
});

describe('the menu', () => {
	test('has half of the window below the prompt, with names and meanings', () => {
		const stage = openStage().play('/');
		const rows = stage.rows();
		expect(rows[0]).toBe('› /');
		expect(rows[1]).toMatch(/^› \/\w+ {2,}\w/);
		expect(rows[12]).toMatch(/^↓ \/\w+ {2,}\w/);
		expect(rows.at(-1)).toContain('Enter runs');
		expect(stage.play('<up>').rows()[12]).toMatch(/^› /);
		expect(stage.rows()[1]).toMatch(/^↑ /);
		expect(stage.committed()).toEqual([]);
		const high = openStage({columns: 80, rows: 40}).play('/').rows();
		expect(high[20]).toMatch(/^↓ \/\w+ {2,}\w/);
		expect(high.at(-1)).toMatch(/^1 of \d\d · Enter runs/);
		const small = openStage({columns: 20, rows: 6}).play('/');
		expect(small.rows()[1]).toMatch(/^› \/\w+/);
		expect(small.play('<down>').rows()[1]).toMatch(/^› \/\w+/);
	});

	test.each([8, 10, 14, 24])('counts its rows where a window of %i rows cuts them', (rows) => {
		const stage = openStage({columns: 60, rows}).play('/s');
		const [shown, status] = [stage.rows().slice(1, -1), stage.rows().at(-1)];
		const {items = []} = stage.state().menu ?? {};
		expect(/^1 of \d+/.test(status ?? '')).toBe(shown.length < items.length);
		expect(stage.faults()).toEqual([]);
	});

	test('underlines the letters that match', () => {
		const stage = openStage().play('/', 'mdl');
		expect(stage.styledRows()[3]).toContain('m\x1b[24mo\x1b[4md\x1b[24me\x1b[4ml\x1b[24m');
	});
});

describe('dim, which is hard to read on some palettes,', () => {
	const dim = '\x1b[2m';

	test.each<readonly [name: string, steps: readonly Step[], text: string]>([
		['the keys of the status', [], '? keys'],
		['a hint', ['<ctrl+c>'], 'again to exit'],
		['a notice', ['/undo⏎'], 'nothing to undo'],
		['what a row of a menu means', ['/'], 'choose another model'],
		['a queued prompt', ['q⏎', 'next⏎'], '↳ next'],
		['the clock of an answer', ['q⏎'], 'Esc stops'],
	])('is not the style of %s', (_, steps, text) => {
		const stage = openStage({columns: 80, rows: 24}).play(...steps);
		const rows = stage.styledRows().filter((row) => row.includes(text));
		expect(rows.map((row) => row.includes(dim))).toEqual([false]);
	});

	test('is not the style of an error, nor of its next step', () => {
		const stage = openStage().play('q⏎', '<< !rejected');
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
	const tick = (now: number): Step => ({type: 'tick', now});
	const hundredTokens = at(1000, `<< ${'x'.repeat(400)}…`);

	test('reports the model, the tokens, the rate and the wait', () => {
		const stage = openStage();
		expect(status(stage)).toBe('MODEL-5.6-sol');
		stage.play('q⏎', tick(3200));
		expect(activity(stage)).toBe('· waiting for the service 3 s');
		expect(status(stage)).toBe('MODEL-5.6-sol');
		stage.play(at(4000, `<< ${'x'.repeat(400)}…`), tick(5000));
		expect(activity(stage)).toBe('· answering 5 s · ~100 tokens/s');
		stage.play('<escape>');
		expect(stage.frame().prompt.above).toEqual(['• stopping…']);
		stage.play(events(stepEnd({promptTokens: 12, completionTokens: 34}), turnEnd));
		expect(status(stage)).toBe('MODEL-5.6-sol · 46 tokens of context');
		expect(status(openStage().play('<ctrl+c>'))).toBe('press Ctrl-C again to exit');
	});

	test.each([
		['emacs', 'Esc stops'],
		['vi', 'Ctrl-C stops'],
	] as const)('names the key that stops the answer, with the keys of %s', (editing, key) => {
		const stage = openStage({editing}).play('q⏎');
		expect(stage.rows().join('\n')).toMatch(new RegExp(` {2}${key}$`, 'm'));
		expect(stage.play('<ctrl+c>').rows().join('\n')).not.toContain(key);
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

	test('has one row in a small window, with what fits of it', () => {
		const stage = openStage({columns: 20, rows: 6});
		expect(stage.rows()).toEqual(['› (Ask something)', 'MODEL-5.6-sol']);
		stage.play('q⏎', '<< An answer.…');
		stage.play(events(stepEnd({promptTokens: 12, completionTokens: 34}), turnEnd));
		expect(stage.rows()).toEqual(['› (Ask something)', '46 tokens of conte…']);
		for (const [key, hint] of [
			['<ctrl+c>', 'Ctrl-C again exits'],
			['<ctrl+r>', 'Enter takes it'],
			['<ctrl+x>', 'Ctrl-E: your editor'],
		] as const) {
			expect(stage.play(key).rows().at(-1)).toBe(hint);
			stage.play('<escape>', '<left>');
		}
		const busy = retryOf(`the service is busy (${'and says so at length, '.repeat(30)}`);
		const waiting = openStage({columns: 60}).play('q⏎', events(busy));
		expect(waiting.rows()).toHaveLength(3);
		expect(waiting.faults()).toEqual([]);
	});

	test('says that the service searches the web, until more comes', () => {
		const notice = {code: 'web-search', message: 'searching the web'} as const;
		const stage = openStage().play('q⏎', at(1000, events(stepStart, {type: 'notice', notice})));
		stage.play({type: 'tick', now: 3000});
		expect(activity(stage)).toBe('· searching the web 2 s');
		stage.play(at(4000, events(textDelta('Found.'))));
		expect(activity(stage)).toContain('answering');
		expect(stage.rows().join('\n')).not.toContain('searching');
	});

	test('counts down to a retry, says which one it is, and then waits for the service again', () => {
		const serviceUrl = 'https://api.example.com/v1/chat/completions';
		const stage = openStage({}, {serviceUrl});
		stage.play('q⏎', at(1000, events(retryOf(`${serviceUrl} answered 503`))));
		expect(activity(stage)).toMatch(/^· retrying in 12 s \(1 of 2\) · the service answered 503/);
		expect(activity(stage.play(tick(10_000)))).toContain('retrying in 3 s (1 of 2)');
		const again = 'waiting for the service 1 s (retry 1 of 2)';
		expect(activity(stage.play(tick(14_500)))).toContain(again);
		expect(activity(stage.play('<< …'))).not.toContain('retry');
	});

	test('shows the time of hidden reasoning, and how long nothing has arrived', () => {
		const hidden = openStage({reasoningMode: 'hide'});
		hidden.play('q⏎', at(1000, '<< (hm)…'), at(5200, '<< (hm)…'));
		expect(activity(hidden)).toBe('· thinking 4 s');
		const stage = openStage().play('q⏎', hundredTokens);
		expect(activity(stage.play(tick(3900)))).toContain('tokens/s');
		expect(activity(stage.play(tick(9900)))).toBe('· nothing for 8 s');
		expect(activity(stage.play(at(10_000, '<< y…')))).toContain('tokens/s');
	});
});

test('the search shows the match with its hits, the query with the cursor, and leaves no trace', () => {
	const prompts = ['write a haiku', '<ctrl+c>', 'count to ten, and then count back', '<ctrl+c>'];
	const begin = () => openStage({}, {hasColor: true}).play(...prompts, 'my draft', '<ctrl+r>');
	const stage = begin().play('COUNT ');
	const marked = '\x1b[4mcount \x1b[24m';
	expect(stage.styledRows()[1]).toContain(`${marked}to ten, and then ${marked}back`);
	expect(stage.rows()).toEqual([
		'› count to ten, and then count back',
		'search: COUNT',
		'Enter takes it · Esc cancels · Ctrl-R older · Ctrl-S newer',
	]);
	expect(stage.frame().cursor).toEqual({x: 14, y: 2});
	const none = begin();
	const before = none.committed();
	expect(none.play('haikus').rows().slice(0, 2)).toEqual(['› my draft', 'no match: haikus']);
	none.play('<escape>');
	expect(none.rows()).toEqual(['› my draft', expect.stringMatching(/^MODEL-5.6-sol /)]);
	expect(none.committed()).toEqual(before);
	const lines = Array.from({length: 60}, (_, index) => [`line ${index}`, '<ctrl+j>']).flat();
	const long = openStage().play(...lines, '<ctrl+c ctrl+r>', 'line 3');
	expect(long.rows().join('\n')).toContain('line 3\n');
});

describe('the tree', () => {
	const retried = [
		...['write a haiku⏎', '<< An old pond', 'another⏎', '<< # First *snow*'],
		...['/retry⏎', '<< **Autumn**\n\n```js\nmoon()\n```'],
	];

	test('shows each turn in a row with the start of its answer, and leaves no trace', () => {
		const stage = openStage().play(...retried);
		const before = [stage.rows(), stage.committed()];
		expect(stage.play('/tree⏎').rows()).toEqual([
			'  1 write a haiku   An old pond',
			'› 2 another ◂ now   Autumn moon()',
			'  ╰─ 2 another      First snow',
			'Enter continues here · Esc closes',
		]);
		expect(stage.frame().cursor).toBeUndefined();
		stage.play('<down escape>');
		expect([stage.rows(), stage.committed()]).toEqual(before);
		const narrow = openStage({columns: 20, rows: 6}).play(...retried, '/tree⏎');
		expect(narrow.rows().at(-1)).toBe('Enter · Esc closes');
	});

	const many = Array.from({length: 12}, (_, index) => [`prompt ${index}⏎`, '<< ok']).flat();

	test.each([
		{columns: 20, rows: 6},
		{columns: 12, rows: 4},
	])('scrolls in a window of $columns columns and $rows rows', (size) => {
		const stage = openStage(size).play(...many, '/tree⏎');
		for (let number = 12; number > 0; number -= 1) {
			expect(stage.faults()).toEqual([]);
			expect(stage.rows().join('\n')).toMatch(new RegExp(`› +${number} `));
			stage.play('<up>');
		}
	});

	test('keeps room for deep branches', () => {
		const branches = Array.from({length: 8}, (_, index) => [
			...[`a ${index}⏎`, '<< 1', '/undo⏎', '<ctrl+c>'],
			...[`b ${index}⏎`, '<< 2', '/tree⏎', '<down>⏎'],
		]);
		const deep = openStage({columns: 40, rows: 40}).play(...branches.flat(), '/tree⏎');
		expect(deep.faults()).toEqual([]);
		expect(deep.rows().join('\n')).toContain('b 7');
	});
});
