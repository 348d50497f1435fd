/** The live region: what it shows, and that it fits the window. */
import {describe, expect, test} from 'vitest';
import {reasoningDelta, textDelta, turnEnd} from '../helpers/events.ts';
import {at, attached, events, paste, retryOf, type Step, stepEnd, stepStart} from '../repl/play.ts';
import {barColumns, openStage, type Stage} from './stage.tsx';

const reasoning = 'The question is short.\nThe answer may be long, 日本語 too. '.repeat(20);
const begun = events(stepStart, reasoningDelta(reasoning));
const tail = 'An answer with 日本語 and 👩‍👩‍👧 in it, and é, which goes on and on. '.repeat(6);
const answering = events(textDelta(tail));
const asked = (columns: number, rows = 24) => openStage({columns, rows}).play('q⏎', begun);
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

test('everything at once fits into a window of any size', () => {
	const expectFit = (stage: Stage) => {
		for (const [columns, rows] of [
			[40, 10],
			[100, 24],
			[200, 50],
		] as const) {
			expect(stage.play({type: 'resize', columns, rows}).faults()).toEqual([]);
		}
	};
	const stage = openStage().play(...crowd);
	expectFit(stage);
	expectFit(stage.play('<ctrl+o>', '<< \n\n```js\nlet a = 1;\n…'));
	expectFit(stage.play('<ctrl+o>', '<< !incomplete'));
});

test.each([
	{columns: 40, rows: 13},
	{columns: 200, rows: 14},
])('the empty prompt has rules around it in a tall window: $columns by $rows', (size) => {
	const stage = openStage(size);
	const status = expect.stringMatching(/^MODEL-5\.6-sol {2,}\/ commands · (?:@ files · )?\? keys$/);
	const rule = size.rows < 14 ? [] : ['─'.repeat(Math.min(72, size.columns - 1))];
	expect(stage.allRows()).toEqual([...rule, '› (Ask something)', ...rule, status]);
	expect(stage.frame().cursor).toEqual({x: 2, y: rule.length});
});

describe('from 100 columns on', () => {
	test('shows the reasoning beside the answer', () => {
		const columns = 200;
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
		const stage = asked(100).play(`<< ${'word '.repeat(300)}…`);
		expect(Math.max(...stage.rows().map((row) => row.indexOf('│')))).toBe(60);
		const words = stage.committed().filter((row) => row.startsWith('word'));
		expect(words.length).toBeGreaterThan(10);
		for (const row of words) expect(row).toHaveLength(99);
	});
});

test('below 100 columns the reasoning is above until the answer begins, then leaves a line', () => {
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

test('the mode hide shows only that the model thinks', () => {
	const stage = openStage({reasoningMode: 'hide'}).play('q⏎', begun);
	expect(stage.rows()[0]).toEqual(thinking('Ctrl-O opens'));
	expect(stage.rows().join()).not.toContain('question is short');
	stage.play(at(12_000, '<< Yes…'));
	expect(stage.rows()[0]).toBe('Yes');
	expect(stage.committed().at(-1)).toBe('▸ Thought for 12 s   /reasoning 1');
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
		expect(thoughts(stage.play('<home>'))[0]).toBe('│ thought 1');
		expect(stage.faults()).toEqual([]);
		expect(stage.play('<escape>').rows()).toHaveLength(2);
	});

	test('leaves letters and arrows to a draft, which page keys and Esc are not for', () => {
		const stage = opened().play('q', 'uick', '<down home>', 'is ');
		expect(stage.rows()).toContain('› is quick');
		expect(thoughts(stage)[0]).toBe('│ thought 1');
		expect(thoughts(stage.play('<page-down>'))[0]).not.toBe('│ thought 1');
		expect(thoughts(stage.play('<escape>'))).toEqual([]);
		expect(stage.rows()).toContain('› is quick');
	});

	test('is that of the last turn left, also of one that gave no answer', () => {
		const stage = openStage().play('q⏎', begun, '<< !interrupted', '<ctrl+u ctrl+o>');
		expect(thoughts(stage)[0]).toBe('│ The question is short.');
	});
});

describe('the prompt', () => {
	test('the cursor counts cells, not characters, below the rows above', () => {
		const stage = openStage().play('日本語 ok');
		expect(stage.frame().cursor).toEqual({x: 11, y: 1});
		expect(stage.play('<left left left left>').frame().cursor).toEqual({x: 6, y: 1});
		expect(stage.rows()[0]).toBe('› 日本語 ok');
		const keys = ['one', '<ctrl+j>', '日本'];
		const busy = openStage().play('q⏎', '<< partly…', 'queued⏎', ...keys);
		const [title, queued] = [expect.stringMatching(/^1 prompt after this answer/), '↳ queued'];
		const [runs, rule] = [expect.stringMatching(/^• answering /), '─'.repeat(72)];
		expect(busy.allRows().slice(0, 9)).toEqual([
			...['', 'partly', '', runs, title, queued, rule, '› one', '  日本'],
		]);
		expect(busy.frame().cursor).toEqual({x: 6, y: 8});
	});

	test('folds a paste, and names what is attached', () => {
		const stage = openStage().play('see ', paste('line\n'.repeat(240)));
		expect(stage.rows()[0]).toBe('› see [Pasted 240 lines #1]');
		expect(stage.frame().cursor?.x).toBe('› see [Pasted 240 lines #1]'.length);
		const read = attached([{type: 'file', name: 'notes.txt', text: ''}]);
		const files = openStage().play('/file notes.txt⏎', read, '/image a.png⏎');
		expect(files.rows()[0]).toBe('[file notes.txt] [reading…]');
	});
});

describe('the queue', () => {
	test.each([
		[24, ['3 prompts', '↳ a', '↳ b', '↳ c'], ['a', 'b', 'c']],
		[24, ['5 prompts', '↳ a', '↳ b', 'and 3 more'], ['a', 'b', 'c', 'd', 'e']],
		[60, ['5 prompts', '↳ a', '↳ b', 'and 3 more'], ['a', 'b', 'c', 'd', 'e']],
		[10, ['3 prompts', '↳ a'], ['a', 'b', 'c']],
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
});

test('the menu has half of the window below the prompt, with names and meanings', () => {
	const stage = openStage().play('/');
	const rows = stage.rows();
	expect(rows[0]).toBe('› /');
	expect(rows[1]).toMatch(/^› \/\w+ {2,}\w/);
	expect(rows[12]).toMatch(/^↓ \/\w+ {2,}\w/);
	expect(rows.at(-1)).toContain('Enter runs');
	expect(stage.play('<up>').rows()[12]).toMatch(/^› /);
	expect(stage.rows()[1]).toMatch(/^↑ /);
	expect(stage.committed()).toEqual([]);
});

test('nothing that has to be read is dim, which some palettes hardly show', () => {
	const dim = '\x1b[2m';
	const rowsOf = (...steps: readonly Step[]) =>
		openStage({columns: 80, rows: 24})
			.play(...steps)
			.styledRows();
	const rows = [...rowsOf(), ...rowsOf('/undo⏎'), ...rowsOf('/'), ...rowsOf('q⏎', 'next⏎')];
	for (const text of ['? keys', 'nothing to undo', 'choose another model', '↳ next', 'Esc stops']) {
		const shown = rows.filter((row) => row.includes(text));
		expect(shown).not.toEqual([]);
		for (const row of shown) expect(row).not.toContain(dim);
	}
	const {items} = openStage().play('q⏎', '<< !rejected').store.getSnapshot();
	expect(items.flatMap((item) => item.rows).join('\n')).not.toContain(dim);
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
	});
});
