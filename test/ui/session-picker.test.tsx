/** Whatever the files say and whatever is pressed, in a window of any size: the picker can be drawn. */
import fc from 'fast-check';
import {renderToString} from 'ink';
import {expect, test} from 'vitest';
import {
	createPickerState,
	layoutPicker,
	type PickerState,
	selectedSession,
} from '../../src/repl/list/picker-state.ts';
import {type PickerAction, reducePicker} from '../../src/repl/list/reduce-picker.ts';
import {hasUnsafe} from '../../src/terminal/safe-text.ts';
import type {Styler} from '../../src/terminal/style.ts';
import {textWidth} from '../../src/terminal/width.ts';
import {SessionPicker} from '../../src/ui/ink/picker/run-picker.tsx';
import {hostileTexts, ordinaryTexts} from '../fixtures/hostile-texts.ts';
import {fuzzProperty} from '../helpers/fuzz.ts';
import {press, type} from '../repl/play.ts';

// Ink counts a sign in front of a number as no cell, which only moves what is beside it.
const signs = /[\u0600-\u0605\u06dd\u070f\u08e2]/g;

const text = fc
	.oneof(
		fc.constantFrom(...[...hostileTexts, ...ordinaryTexts].map((sample) => sample.text)),
		fc.string({unit: 'grapheme', maxLength: 60}),
		fc.constantFrom('', 'x'.repeat(500), '日'.repeat(200), 'a\nb\tc', 'שלום'),
	)
	.map((sample) => sample.replace(signs, ''));

const ids = ['a', 'b', 'c', 'd'];
const session = fc.record({
	...{id: fc.constantFrom(...ids), title: text, updated: fc.constantFrom(0, 9e11)},
	...{turns: fc.nat(), isAnswered: fc.boolean(), model: fc.constantFrom('m', undefined)},
	...{cwd: fc.constantFrom('/here', '/there', undefined), prompts: text},
});
const sessions = fc.uniqueArray(session, {selector: ({id}) => id});

const role = fc.constantFrom('user', 'assistant', 'notice');
const chords = ['up', 'down', 'page-down', 'end', 'tab', 'right', 'ctrl+r', 'delete', 'escape'];

const action: fc.Arbitrary<PickerAction> = fc.oneof(
	fc.constantFrom(...chords, 'enter', 'backspace', 'left').map((chord) => press(chord)),
	text.filter((typed) => typed !== '').map(type),
	fc
		.tuple(fc.constantFrom(...ids), fc.array(fc.record({role, text})))
		.map(([id, texts]) => ({type: 'previewed', id, texts}) as const),
	fc
		.tuple(fc.nat(4), fc.array(fc.record({id: fc.constantFrom(...ids), excerpt: text})))
		.map(([searchNumber, matches]) => ({
			...({type: 'matched', isWhole: true} as const),
			...{searchNumber, matches},
		})),
	text.map((value) => ({type: 'failed', text: value}) as const),
	fc.constant({type: 'question-armed'} as const),
	fc
		.tuple(fc.integer({min: 1, max: 170}), fc.integer({min: 1, max: 60}))
		.map(([columns, rows]) => ({type: 'resize', columns, rows}) as const),
);

const style: Styler = (row) => row;

/** Returns the rows as Ink draws them, without styles. */
function draw(state: PickerState): readonly string[] {
	const picker = {getState: () => state, subscribe: () => () => {}};
	const drawn = renderToString(<SessionPicker picker={picker} style={style} />, {
		columns: state.columns,
	});
	expect(hasUnsafe(drawn)).toBe(false);
	return drawn.split('\n').map((row) => row.trimEnd());
}

fuzzProperty(
	'the picker fits its window, and shows the selected session',
	60,
	fc.property(sessions, fc.array(action, {maxLength: 12}), (listed, actions) => {
		let state = createPickerState({cwd: '/here', date: 1e12, columns: 80, rows: 24});
		const all: readonly PickerAction[] = [
			{type: 'listed', sessions: listed, isWhole: true},
			...actions,
		];
		for (const next of all) ({state} = reducePicker(state, next));
		const rows = draw(state);
		expect(rows.length).toBeLessThanOrEqual(Math.max(3, state.rows - 1));
		for (const row of rows) expect(textWidth(row), row).toBeLessThanOrEqual(state.columns);
		if (state.columns < 6 || state.rows < 4) return;
		const marked = rows
			.slice(1, 1 + layoutPicker(state).listRows)
			.filter((row) => row.startsWith('›'));
		expect(marked).toHaveLength(selectedSession(state) === undefined ? 0 : 1);
	}),
);

test('an empty list says whether it is still read', () => {
	const empty = createPickerState({cwd: '/here', date: 0, columns: 80, rows: 24});
	expect(draw(empty)[1]).toBe('reading…');
	const {state} = reducePicker(empty, {type: 'listed', sessions: [], isWhole: true});
	expect(draw(state)[1]).toBe('nothing saved');
	expect(draw(reducePicker(state, type('x')).state)[1]).toBe('searching…');
});
