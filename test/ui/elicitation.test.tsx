/** The questions of a server on a screen: who asks, what fits, and all that is about to be sent. */
import {describe, expect, test} from 'vitest';
import type {Elicitation} from '../../src/chat/elicitation.ts';
import type {Action} from '../../src/repl/action.ts';
import {createElicitation} from '../../src/repl/question/elicitation.ts';
import {hostileSample} from '../fixtures/hostile-texts.ts';
import {colours, fieldOf, formOf, kinds, pageOf, required} from '../helpers/elicitations.ts';
import {paste} from '../repl/play.ts';
import {openStage} from './stage.tsx';

const armed: Action = {type: 'question-armed'};

function ask(request: Elicitation, size: {readonly columns?: number; readonly rows?: number} = {}) {
	const asked: Action = {type: 'question-asked', question: createElicitation(request)};
	return openStage(size).play('go⏎', '<< …', asked);
}

/** Returns the rows of a question without its frame. */
function unframe(rows: readonly string[]): readonly string[] {
	return rows.flatMap((row) => (/^[╭╰]─/.test(row) ? [] : [row.replace(/^│ (.*?) *│$/, '$1')]));
}

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
