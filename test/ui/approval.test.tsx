/** Approvals show all that they approve, and no part of it can hide or draw. */
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {ToolCall} from '../../src/chat/message.ts';
import type {ApprovalRequest} from '../../src/chat/tool.ts';
import {textOutput} from '../../src/chat/tool-output.ts';
import type {Action} from '../../src/repl/action.ts';
import {createApproval} from '../../src/repl/question/approval.ts';
import {hostileSample, hostileTexts} from '../fixtures/hostile-texts.ts';
import {createRequest} from '../helpers/approval-request.ts';
import {fuzzProperty} from '../helpers/fuzz.ts';
import {events, type Step, stepEnd, stepStart, type} from '../repl/play.ts';
import {openStage} from './stage.tsx';

function asked(city: string, more: Partial<ApprovalRequest> = {}): Action {
	const request = {...createRequest({city}, ['curl', '--', '{city}']), ...more};
	return {type: 'question-asked', question: createApproval(request)};
}

const armed: Action = {type: 'question-armed'};
const open = (...actions: readonly Step[]) => openStage().play('go⏎', '<< …', ...actions);

const tall = (...actions: readonly Step[]) => openStage({rows: 40}).play('go⏎', '<< …', ...actions);

/** Returns the rows of a question without its frame. */
function unframe(rows: readonly string[]): readonly string[] {
	return rows.flatMap((row) => (/^[╭╰]─/.test(row) ? [] : [row.replace(/^│ (.*?) *│$/, '$1')]));
}

describe('a question', () => {
	test('is printed below the text before it', () => {
		const said = '<< I will look.…';
		const stage = openStage().play('go⏎', said, asked('Oslo'), armed, 'v');
		const rows = stage.committed();
		expect(rows).toContain('I will look.');
		expect(rows.indexOf('weather:')).toBeGreaterThan(rows.indexOf('I will look.'));
	});

	test('shows each element, the folder, the variables and the input', () => {
		expect(open(asked('Oslo'), armed).rows()).toEqual([
			'╭──────────────────────────────────────────────────────────────────────╮',
			'│ Run weather?                                                         │',
			'│ runs    curl -- Oslo                                                 │',
			'│ in      /home/u                                                      │',
			'│ with    TOKEN                                                        │',
			'│ stdin   {"city":"Oslo"}                                              │',
			'│                                                                      │',
			'│   y  run it once                                                     │',
			'│   s  run it, and do not ask about this tool again until you exit     │',
			'│   e  edit the arguments first                                        │',
			'│   v  show all of it                                                  │',
			'│ › n  no                                                              │',
			'│   d  no, with a reason for the model                                 │',
			'╰──────────────────────────────────────────────────────────────────────╯',
			'y runs it once · Esc says no · ↑↓ Enter choose',
		]);
	});

	test('shows its place among the calls, and what the tool says of itself', () => {
		const {tool} = createRequest();
		const definition = {name: 'weather', description: 'The weather\u202e in a city.\nMore of it.'};
		const rows = open(
			asked('Oslo', {place: {number: 1, of: 3}, tool: {...tool, definition}}),
			armed,
		).rows();
		expect(unframe(rows).slice(0, 2)).toEqual([
			'Run weather? (1 of 3)',
			'The weather⟨U+202E⟩ in a city.',
		]);
	});

	test('shows an argument of several lines as numbered lines', () => {
		const rows = unframe(tall(asked('    a\n\n"b\u001b[2J\n'), armed).rows());
		expect(rows.slice(1, 12)).toEqual([
			'runs    curl',
			'        --',
			'        ⟨4 spaces⟩a␊␊"b␛[2J␊',
			'in      /home/u',
			'with    TOKEN',
			'stdin   JSON, 34 bytes',
			'        "city": 4 lines',
			'           1     a',
			'           2 ⟨empty⟩',
			'           3 "b␛[2J',
			'           4 ⟨empty⟩',
		]);
	});

	test('groups the digits of the size of a large argument, like all others', () => {
		const stage = openStage({rows: 100}).play('go⏎', '<< …');
		const rows = unframe(stage.play(asked(`${'x'.repeat(999)}\n`), armed).rows());
		expect(rows).toContain('stdin   JSON, 1,012 bytes');
	});

	test.each([
		{columns: 20, rows: 6, city: 'Oslo', hint: 'y s e v ›n d'},
		{
			columns: 30,
			rows: 8,
			city: 'Oslo',
			hint: 'y once · s session · e edit · v all first · ›n no · d reason',
		},
		{
			columns: 20,
			rows: 30,
			city: 'x',
			hint: 'y once · s session · e edit · v all · ›n no · d reason',
		},
	])('names all keys at $columns by $rows', ({columns, rows, city, hint}) => {
		const stage = openStage({columns, rows}).play('go⏎', '<< …', asked(city), armed);
		const shown = stage.rows();
		expect(shown.join(' ').endsWith(` ${hint}`)).toBe(true);
	});

	test('names all keys at 20 by 6 once the call has been shown', () => {
		const stage = openStage({columns: 20, rows: 6});
		stage.play('go⏎', '<< …', asked('Oslo'), armed, 'v', armed);
		expect(stage.rows().at(-1)).toBe('y s e v ›n d');
	});

	test('leaves an empty row above it, even if the call does not fit', () => {
		const said = '<< I will look.…';
		for (const rows of [24, 30]) {
			const stage = openStage({rows}).play('go⏎', said, asked('x'.repeat(20_000)), armed);
			expect(stage.allRows().slice(0, 2)).toEqual(['', 'I will look.']);
			expect(stage.faults()).toEqual([]);
		}
	});

	test('shows the draft waiting, without a cursor, and a row to write in when it asks for a text', () => {
		const stage = open('We should', asked('Oslo'), armed);
		expect(stage.rows().slice(-2)).toEqual([
			'your draft waits: We should',
			'letters do not count · Esc says no · ↑↓ Enter choose',
		]);
		expect(stage.frame().cursor).toBeUndefined();
		stage.play('<down>', '<enter>');
		expect(stage.rows().slice(-3, -1)).toEqual(['› ', 'your draft waits: We should']);
		expect(stage.frame().cursor).toBeDefined();
		stage.play('<escape>', armed, '<enter>');
		expect(stage.rows().at(-2)).toBe('› We should');
	});

	test('marks the selected choice, and the letters after a key that is not a choice', () => {
		const stage = open(asked('Oslo'), armed);
		const selected = () => stage.rows().filter((row) => row.startsWith('│ ›'));
		expect(selected()).toEqual([expect.stringContaining('› n  no ')]);
		stage.play('<up>');
		expect(selected()).toEqual([expect.stringContaining('› v  show all of it ')]);
		expect(stage.styledRows().join('\n')).not.toContain('\x1b[7m');
		stage.play('x');
		expect(selected()).toEqual([expect.stringContaining('› n  no ')]);
		expect(stage.styledRows().join('\n').split('\x1b[7m')).toHaveLength(7);
		stage.play(armed);
		expect(stage.styledRows().join('\n')).not.toContain('\x1b[7m');
	});

	test('says why y does not count before all of it has been shown', () => {
		const stage = open(asked('x'.repeat(20_000)), armed, 'y');
		expect(unframe(stage.rows())[1]).toBe('Press v first, to see all of it.');
		stage.play('v');
		expect(stage.rows().join('\n')).not.toContain('Press v first');
		expect(stage.faults()).toEqual([]);
	});

	test('says when keys count, and that letters do not after others', () => {
		const stage = open(asked('Oslo'));
		expect(stage.rows().at(-1)).toContain('you can answer in a moment');
		expect(stage.play('more').rows().at(-1)).toContain('letters do not count');
		expect(stage.rows().join('\n')).not.toContain('more');
	});

	test('reveals sequences, direction marks, line ends and spaces', () => {
		const rows = unframe(open(asked('a\x1b[2J\u202eb\nc     d '), armed).rows());
		expect(rows[3]).toBe('        a␛[2J⟨U+202E⟩b␊c⟨5 spaces⟩d⟨1 spaces⟩');
	});

	test('shows its start and its end if it does not fit', () => {
		const stage = open(asked(`start${'x'.repeat(20_000)}end`), armed);
		const rows = unframe(stage.rows());
		expect(rows.slice(1, 3).join('\n')).toMatch(/^runs {4}curl -- startx+\n/);
		expect(rows).toContain('… cut here · v shows all …');
		const first = rows.findIndex((row) => row.startsWith('  y  run it once'));
		expect(rows[first - 1]).toMatch(/^ {8}x*end"}$/);
		expect(stage.faults()).toEqual([]);
		stage.play('v');
		expect(stage.committed().join('').replace(/\s/g, '')).toContain(
			`start${'x'.repeat(20_000)}end`,
		);
		expect(unframe(stage.rows())).toContain('  v  show all of it');
		expect(unframe(stage.rows())).toContain('… cut here · all of it is above …');
	});

	test('counts all spaces of a run that is cut', () => {
		const rows = open(asked(`${'x'.repeat(900)}${' '.repeat(99_000)}end`), armed).rows();
		const spelled = rows.filter((row) => row.includes('⟨'));
		expect(spelled.join('\n')).toContain('⟨99000 spaces⟩');
		expect(spelled.join('\n').replaceAll('99000', '')).not.toMatch(/\d+ spaces/);
	});

	test('repeats no row when all of them fit', () => {
		const rows = unframe(tall(asked('👍'.repeat(140)), armed).rows());
		expect(rows.filter((row) => row.startsWith('in '))).toHaveLength(1);
		expect(rows.join('\n')).not.toContain('cut here');
		expect(rows).toContain('  v  show all of it, before y or s');
	});

	const text = fc.oneof(
		fc.constantFrom(...hostileTexts.map((sample) => sample.text)),
		fc.string({unit: 'binary', maxLength: 400}),
		fc.constantFrom(' '.repeat(5000), '日'.repeat(300), '\u202e'.repeat(50), ''),
	);
	const size = {columns: fc.integer({min: 12, max: 200}), rows: fc.integer({min: 4, max: 60})};
	fuzzProperty(
		'fits into any window, for any question',
		8,
		fc.property(fc.record(size), text, (window, city) => {
			const stage = openStage(window).play('go⏎', '<< …', asked(city), armed);
			expect(stage.faults()).toEqual([]);
			stage.play('v');
			expect(stage.faults()).toEqual([]);
			for (const key of ['e', 'd']) {
				const written = openStage(window).play(
					'go⏎',
					'<< …',
					asked(city),
					armed,
					type(key),
					type('long '.repeat(40)),
				);
				expect(written.faults()).toEqual([]);
			}
		}),
	);
});

describe('the result of a tool', () => {
	const call = {callId: 'c', name: 'weather', arguments: '{"city":"Oslo"}', isRunnable: true};
	const played = (output: string, called: ToolCall = call) =>
		openStage().play(
			'go⏎',
			events(
				stepStart,
				{type: 'text-delta', text: 'Let me see.'},
				{type: 'tool-call-start', callId: 'c', name: 'weather'},
				{type: 'tool-call', call: called},
				stepEnd(),
			),
			events({type: 'tool-result', callId: 'c', ...textOutput(output, false)}),
			events(stepStart, {type: 'text-delta', text: 'Sunny.'}, stepEnd(), {type: 'turn-end'}),
		);
	const told = (output: string) =>
		played(output)
			.committed()
			.filter((row) => row !== '');

	test('is between the texts of the two steps, by its first lines', () => {
		expect(told('1\n2\n3\n4\n5\n6\n')).toEqual([
			'› go',
			'Let me see.',
			'▸ weather {"city":"Oslo"}   /tool 1',
			'  │ 1',
			'  │ 2',
			'  │ 3',
			'  │ 4',
			'  │ and 2 more lines',
			'Sunny.',
		]);
	});

	test('is whole if only one line would be left out', () => {
		expect(told('1\n2\n3\n4\n5\n').slice(-3)).toEqual(['  │ 4', '  │ 5', 'Sunny.']);
	});

	test('says how many of a thousand lines are left out', () => {
		expect(told('1\n'.repeat(1234)).at(-2)).toBe('  │ and 1,230 more lines');
	});

	test('and its arguments are whole after the command beside them', () => {
		const output = Array.from({length: 300}, (_, index) => `row ${index}`).join('\n');
		const stage = played(output).play('/tool 1⏎');
		const rows = stage.committed();
		const from = rows.lastIndexOf('  weather');
		expect(rows.slice(from, from + 6)).toEqual([
			'  weather',
			...['  {', '    "city": "Oslo"', '  }', '', '  row 0'],
		]);
		expect(rows.at(-1)).toBe('  row 299');
		expect(rows.slice(from).join('\n')).not.toMatch(/│|more lines/);
	});

	test('opens with Ctrl-O between turns, and scrolls', () => {
		const stage = played('1\n'.repeat(50)).play('<ctrl+o>');
		expect(stage.rows()[0]).toMatch(/^▾ \/tool 1 · 1–\d+ of \d+ .*Ctrl-O closes$/);
		expect(stage.play('<end>').rows().join('\n')).toMatch(/ of (\d+) /);
		expect(stage.play('<ctrl+o>').rows()[0]).toMatch(/^› /);
		expect(stage.faults()).toEqual([]);
	});

	test('of a server names the server and the tool, in its record and in its question', () => {
		const ofServer = {...call, name: 'mcp__files__read_text_file'};
		expect(played('ok', ofServer).committed().join('\n')).toContain(
			'▸ files · read_text_file {"city":"Oslo"}',
		);
		const request = createRequest();
		const tool = {...request.tool, definition: {name: ofServer.name}};
		expect(createApproval({...request, tool}).title).toBe('Run files · read_text_file?');
	});

	test('spells out in its record what nobody can see', () => {
		const hidden = {...call, arguments: '{"city":"a\u202eb\u200b"}'};
		expect(played('ok', hidden).committed().join('\n')).toContain('a⟨U+202E⟩b⟨U+200B⟩');
	});

	test.each(hostileSample)('is shown as text: $name', ({text}) => {
		for (const row of told(text)) expect(row).not.toMatch(/\p{Cc}/u);
	});
});
