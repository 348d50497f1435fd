/** Questions on a screen: approvals and what servers ask show all of it, and no part can hide or draw. */
import {describe, expect, test} from 'vitest';
import type {Elicitation} from '../../src/chat/elicitation.ts';
import type {ToolCall} from '../../src/chat/message.ts';
import type {ApprovalRequest} from '../../src/chat/tool.ts';
import {textOutput} from '../../src/chat/tool-output.ts';
import type {Action} from '../../src/repl/action.ts';
import {createApproval} from '../../src/repl/question/approval.ts';
import {createElicitation} from '../../src/repl/question/elicitation.ts';
import {hostileSample} from '../fixtures/hostile-texts.ts';
import {createRequest} from '../helpers/approval-request.ts';
import {colours, fieldOf, formOf, kinds, pageOf, required} from '../helpers/elicitations.ts';
import {textDelta} from '../helpers/events.ts';
import {events, paste, type Step, stepEnd, stepStart} from '../repl/play.ts';
import {openStage} from './stage.tsx';

type Window = {readonly columns?: number; readonly rows?: number};

const armed: Action = {type: 'question-armed'};
const openIn = (size: Window, ...steps: readonly Step[]) =>
	openStage(size).play('go⏎', '<< …', ...steps);
const open = (...steps: readonly Step[]) => openIn({}, ...steps);

function asked(city: string, more: Partial<ApprovalRequest> = {}): Action {
	const request = {...createRequest({city}, ['curl', '--', '{city}']), ...more};
	return {type: 'question-asked', question: createApproval(request)};
}

function ask(request: Elicitation, size: Window = {}) {
	return openIn(size, {type: 'question-asked', question: createElicitation(request)});
}

/** Returns the rows of a question without its frame. */
function unframe(rows: readonly string[]): readonly string[] {
	return rows.flatMap((row) => (/^[╭╰]─/.test(row) ? [] : [row.replace(/^│ (.*?) *│$/, '$1')]));
}

describe('an approval', () => {
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
		const more = {place: {number: 1, of: 3}, tool: {...tool, definition}};
		expect(unframe(open(asked('Oslo', more), armed).rows()).slice(0, 2)).toEqual([
			...['Run weather? (1 of 3)', 'The weather⟨U+202E⟩ in a city.'],
		]);
	});

	test('shows an argument of several lines as numbered lines, and reveals what hides', () => {
		const rows = unframe(openIn({rows: 40}, asked('    a\n\n"b\u001b[2J\n'), armed).rows());
		expect(rows.slice(1, 12)).toEqual([
			...['runs    curl', '        --', '        ⟨4 spaces⟩a␊␊"b␛[2J␊'],
			...['in      /home/u', 'with    TOKEN', 'stdin   JSON, 34 bytes'],
			...['        "city": 4 lines', '           1     a', '           2 ⟨empty⟩'],
			...['           3 "b␛[2J', '           4 ⟨empty⟩'],
		]);
		const hidden = unframe(open(asked('a\x1b[2J\u202eb\nc     d '), armed).rows());
		expect(hidden[3]).toBe('        a␛[2J⟨U+202E⟩b␊c⟨5 spaces⟩d⟨1 spaces⟩');
	});

	test.each([
		[20, 6, 'Oslo', 'y s e v ›n d'],
		[30, 8, 'Oslo', 'y once · s session · e edit · v all first · ›n no · d reason'],
	])('names all keys at %i by %i', (columns, rows, city, hint) => {
		const stage = openIn({columns, rows}, asked(city), armed);
		expect(stage.rows().join(' ').endsWith(` ${hint}`)).toBe(true);
		if (rows === 6) expect(stage.play('v', armed).rows().at(-1)).toBe(hint);
	});

	test('shows the draft waiting, without a cursor, and a row to write in when it asks for a text', () => {
		const stage = open('We should', asked('Oslo'), armed);
		const waiting = 'your draft waits: We should';
		const keys = 'letters do not count · Esc says no · ↑↓ Enter choose';
		expect(stage.rows().slice(-2)).toEqual([waiting, keys]);
		expect(stage.frame().cursor).toBeUndefined();
		stage.play('<down>', '⏎');
		expect(stage.rows().slice(-3, -1)).toEqual(['› ', waiting]);
		expect(stage.frame().cursor).toBeDefined();
		expect(stage.play('<escape>', armed, '⏎').rows().at(-2)).toBe('› We should');
	});

	test('marks the selected choice, says when keys count, and marks the letters that do not', () => {
		const stage = open(asked('Oslo'));
		const inverse = () => stage.styledRows().join('\n').split('\x1b[7m').length - 1;
		expect(stage.rows().at(-1)).toContain('you can answer in a moment');
		expect(stage.play('more').rows().at(-1)).toContain('letters do not count');
		expect(stage.rows().join('\n')).not.toContain('more');
		stage.play(armed, '<up>');
		expect(unframe(stage.rows()).filter((row) => row.startsWith('›'))).toEqual([
			'› v  show all of it',
		]);
		expect(inverse()).toBe(0);
		stage.play('x');
		expect(inverse()).toBe(6);
		stage.play(armed);
		expect(inverse()).toBe(0);
	});

	test('shows its start and its end if it does not fit, and why y does not count yet', () => {
		const stage = open(asked(`start${'x'.repeat(20_000)}end`), armed);
		const rows = unframe(stage.rows());
		expect(rows.slice(1, 3).join('\n')).toMatch(/^runs {4}curl -- startx+\n/);
		expect(rows).toContain('… cut here · v shows all …');
		const first = rows.findIndex((row) => row.startsWith('  y  run it once'));
		expect(rows[first - 1]).toMatch(/^ {8}x*end"}$/);
		expect(unframe(stage.play('y').rows())[1]).toBe('Press v first, to see all of it.');
		expect(stage.faults()).toEqual([]);
		stage.play('v');
		const all = stage.committed().join('').replace(/\s/g, '');
		expect(all).toContain(`start${'x'.repeat(20_000)}end`);
		expect(unframe(stage.rows())).toContain('  v  show all of it');
		expect(unframe(stage.rows())).toContain('… cut here · all of it is above …');
		expect(stage.rows().join('\n')).not.toContain('Press v first');
		expect(stage.faults()).toEqual([]);
	});
});

describe('the result of a tool', () => {
	const call = {callId: 'c', name: 'weather', arguments: '{"city":"Oslo"}', isRunnable: true};
	const played = (output: string, called: ToolCall = call) => {
		const start = {type: 'tool-call-start', callId: 'c', name: 'weather'} as const;
		const calls = [start, {type: 'tool-call', call: called} as const, stepEnd()];
		const result = events({type: 'tool-result', callId: 'c', ...textOutput(output, false)});
		const asking = events(stepStart, textDelta('Let me see.'), ...calls);
		return openStage().play('go⏎', asking, result, '<< Sunny.');
	};
	const told = (output: string) =>
		played(output)
			.committed()
			.filter((row) => row !== '');

	test('is between the texts of the two steps, by its first lines', () => {
		expect(told('1\n2\n3\n4\n5\n6\n')).toEqual([
			...['› go', 'Let me see.', '▸ weather {"city":"Oslo"}   /tool 1'],
			...['  │ 1', '  │ 2', '  │ 3', '  │ 4', '  │ and 2 more lines', 'Sunny.'],
		]);
		// It is whole if only one line would be left out.
		expect(told('1\n2\n3\n4\n5\n').slice(-3)).toEqual(['  │ 4', '  │ 5', 'Sunny.']);
		expect(told('1\n'.repeat(1234)).at(-2)).toBe('  │ and 1,230 more lines');
	});

	test('names the server of a tool, in its record and in its question, and spells out what hides', () => {
		const ofServer = {...call, name: 'mcp__files__read_text_file'};
		const record = '▸ files · read_text_file {"city":"Oslo"}';
		expect(played('ok', ofServer).committed().join('\n')).toContain(record);
		const request = createRequest();
		const tool = {...request.tool, definition: {name: ofServer.name}};
		expect(createApproval({...request, tool}).title).toBe('Run files · read_text_file?');
		const hidden = {...call, arguments: '{"city":"a\u202eb\u200b"}'};
		expect(played('ok', hidden).committed().join('\n')).toContain('a⟨U+202E⟩b⟨U+200B⟩');
	});

	test('is shown as text', () => {
		for (const {text} of hostileSample) expect(told(text).join('')).not.toMatch(/\p{Cc}/u);
	});
});

const about = (text: string) => ({description: text, isRequired: true});

describe('a field', () => {
	test('says who asks, what for, and what fits', () => {
		const rules = ['at most 80 characters'];
		const name = fieldOf('name', kinds.text, {...about('Your full name'), rules});
		const stage = ask(formOf(name, fieldOf('age')));
		expect(stage.rows().at(-1)).toBe('a server asks; you can answer in a moment');
		stage.play(armed, 'Ada');
		expect(stage.rows()).toEqual([
			'╭──────────────────────────────────────────────────────────────────────╮',
			'│ server github asks: (1 of 2)                                         │',
			'│ says    Tell me about it.                                            │',
			'│ note    The server gets what you type: never a password.             │',
			'│                                                                      │',
			'│ name                                                                 │',
			'│ Your full name                                                       │',
			'│ required · at most 80 characters                                     │',
			'╰──────────────────────────────────────────────────────────────────────╯',
			'› Ada',
			'Enter goes on · Tab shows all · Esc declines',
		]);
	});

	test('names the calls that it may belong to', () => {
		const rowsWith = (...calls: Elicitation['calls']) =>
			unframe(
				ask({...formOf(fieldOf('name')), calls})
					.play(armed)
					.rows(),
			);
		expect(rowsWith({name: 'create', values: {a: 1}})).toContain('during  create {"a":1}');
		const two = [
			{name: 'create', values: {}},
			{name: 'change', values: {}},
		];
		const lines = ['during  one of these calls:', '        create {}', '        change {}'];
		expect(rowsWith(...two).slice(1, 4)).toEqual(lines);
	});

	test('marks the choices that are taken', () => {
		const stage = ask(formOf(fieldOf('colour', kinds.choice), fieldOf('colours', colours)));
		stage.play(armed, '<down>', '<down>');
		expect(stage.rows().slice(6, 10)).toEqual([
			'│ may be left empty                                                    │',
			'│   1  red                                                             │',
			'│ › 2  green                                                           │',
			'│   3  blue                                                            │',
		]);
		stage.play('<enter>', '<down>', ' ', '<down>');
		expect(unframe(stage.rows()).slice(6, 8)).toEqual(['  [x] 1  red', '› [ ] 2  green']);
	});
});

test('a question without fields asks to confirm its message, and nothing else', () => {
	const stage = ask(formOf()).play(armed);
	expect(unframe(stage.rows()).slice(0, 2)).toEqual([
		...['Confirm this for server github?', 'says    Tell me about it.'],
	]);
	expect(stage.rows().at(-1)).toBe('y confirms it · Esc declines · ↑↓ Enter choose');
	stage.play('v', 'b', armed, '<down>', 'y');
	expect(stage.committed()).toContain('  · confirmed what github asked');
});

describe('all that is sent', () => {
	test('is shown before it is sent, below the message', () => {
		const stage = ask(formOf(fieldOf('name'), fieldOf('age'), fieldOf('note')));
		stage.play(armed, 'Ada⏎', '⏎', paste('one\ntwo'), '<enter>');
		expect(stage.rows().at(-1)).toBe('a server asks; you can answer in a moment');
		stage.play(armed);
		expect(stage.rows()).toEqual([
			'╭──────────────────────────────────────────────────────────────────────╮',
			'│ Send this to server github?                                          │',
			'│ says    Tell me about it.                                            │',
			'│ note    The server gets what you type: never a password.             │',
			'│ sends   name: Ada                                                    │',
			'│         age: (left out)                                              │',
			'│         note: 2 lines                                                │',
			'│            1 one                                                     │',
			'│            2 two                                                     │',
			'│                                                                      │',
			'│   y  send it                                                         │',
			'│   v  show all of it                                                  │',
			'│ › b  go back and change it                                           │',
			'│   n  decline                                                         │',
			'╰──────────────────────────────────────────────────────────────────────╯',
			'y sends it · Esc declines · ↑↓ Enter choose',
		]);
	});

	test('hides nothing in a value, and is reported in one line below the answer so far', () => {
		const stage = openStage().play('go⏎', '<< I will ask.…');
		const question = createElicitation(formOf(fieldOf('name')));
		stage.play({type: 'question-asked', question}, armed, paste('a\u202eb'), '<enter>', armed);
		expect(stage.rows().join('\n')).toContain('name: a⟨U+202E⟩b');
		const rows = stage.play('y').committed();
		expect(rows.slice(-3)).toEqual(['I will ask.', '', '  · answered github: 1 field']);
	});
});

describe('a page', () => {
	test('has its host alone on a row, and its address below', () => {
		const stage = ask(pageOf('https://bank.example@evil.example:8443/login?next=1')).play(armed);
		expect(stage.rows()).toEqual([
			'╭──────────────────────────────────────────────────────────────────────╮',
			'│ Open a page for server github?                                       │',
			'│                                                                      │',
			'│ evil.example:8443                                                    │',
			'│                                                                      │',
			'│ address https://bank.example@evil.example:8443/login?next=1          │',
			'│ says    Please log in.                                               │',
			'│                                                                      │',
			'│   o  open it in your browser                                         │',
			'│   v  show all of it                                                  │',
			'│ › n  decline                                                         │',
			'╰──────────────────────────────────────────────────────────────────────╯',
			'o opens it · Esc declines · ↑↓ Enter choose',
		]);
	});

	test('prints its address on one row, to be copied whole', () => {
		const address = `https://example.com/${'a'.repeat(200)}`;
		const stage = ask(pageOf(address), {rows: 40}).play(armed, 'o');
		stage.play({type: 'page-opened', url: new URL(address), isOpen: false});
		expect(stage.committed().slice(-2)).toEqual(['open this address in a browser:', address]);
	});

	test('never cuts its host', () => {
		const host = `${'a'.repeat(60)}.${'b'.repeat(60)}.evil.example`;
		const stage = ask(pageOf(`https://${host}/`), {columns: 60, rows: 30}).play(armed);
		expect(unframe(stage.rows()).slice(2, 5).join('')).toBe(host);
	});
});

test('a small window names the field, the keys and what is wrong, and what to see first', () => {
	const size = {columns: 20, rows: 6};
	const stage = ask(formOf(required('name'), fieldOf('age')), size).play(armed);
	expect(stage.rows().join('\n')).toMatch(/name/);
	expect(stage.rows().join(' ')).toMatch(/Enter.* Esc/);
	stage.play('⏎');
	expect(stage.rows().join('\n')).toMatch(/This field must/);
	expect(stage.faults()).toEqual([]);
	const long = ask(formOf(fieldOf('name')), size).play(armed, paste('x '.repeat(2000)), '⏎');
	expect(long.play(armed, 'y').rows().join('\n')).toContain('Press v first');
	expect(long.play('v').faults()).toEqual([]);
});

test('no text of a server can draw or hide', () => {
	for (const {name, text} of hostileSample) {
		const choices = [{value: text, title: text}];
		const more = {title: text, description: text, defaultValue: text};
		const form = formOf(fieldOf('a', {...kinds.choice, choices}, more));
		const stage = ask({...form, server: text, message: text}).play(armed);
		expect(stage.faults(), name).toEqual([]);
		expect(stage.play('<tab>', '<enter>', armed, 'v', 'y').faults(), name).toEqual([]);
	}
});
