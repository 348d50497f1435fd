/** The end of growing reasoning, as dim Markdown. */
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {stripUnsafe} from '../../src/terminal/safe-text.ts';
import {createReasoningTail} from '../../src/ui/ink/transcript/reasoning-tail.ts';
import {expectLinearCost} from '../helpers/cost.ts';
import {fuzzProperty} from '../helpers/fuzz.ts';

function openTail() {
	const options = {hasColor: false, hasLinks: false, highlight: undefined, width: 80};
	const {push, rows} = createReasoningTail(options);
	const plainRows = (width: number, maxRows: number) =>
		rows(width, maxRows).map((row) => stripUnsafe(row));
	return {push, rows: plainRows, styledRows: rows};
}

const text = fc.oneof(
	fc.constantFrom('word ', '\n', '\n\n', '**plan**', '- item\n', '```js\n', '日本語', '`a`'),
	fc.string({unit: 'grapheme', maxLength: 20}),
);

fuzzProperty(
	'is the same for all cuts and all readings',
	50,
	fc.property(
		fc.array(fc.tuple(text, fc.boolean()), {maxLength: 20}),
		fc.integer({min: 2, max: 60}),
		fc.integer({min: 1, max: 12}),
		(parts, width, maxRows) => {
			const piecewise = openTail();
			for (const [part, isLookedAt] of parts) {
				piecewise.push(part);
				if (isLookedAt) piecewise.rows(width + 7, maxRows);
			}
			const whole = openTail();
			whole.push(parts.map(([part]) => part).join(''));
			expect(piecewise.rows(width, maxRows)).toEqual(whole.rows(width, maxRows));
		},
	),
);

test('of nothing, or of line ends, has no rows', () => {
	const tail = openTail();
	expect(tail.rows(20, 5)).toEqual([]);
	tail.push('\n\n');
	expect(tail.rows(20, 5)).toEqual([]);
	tail.push('a\n \n\n');
	expect(tail.rows(20, 5)).toEqual(['a']);
	expect(tail.rows(20, 1)).toEqual(['a']);
	expect(tail.rows(20, 0)).toEqual([]);
});

test('has no empty row at its edges, and keeps its height', () => {
	const tail = openTail();
	tail.push('\n\u00a0\n\none\n\n\ntwo\nthree\n\n\u00a0\n');
	expect(tail.rows(20, 9)).toEqual(['one', '', 'two', 'three']);
	expect(tail.rows(20, 3)).toEqual(['one', 'two', 'three']);
	expect(tail.rows(20, 2)).toEqual(['two', 'three']);
});

test('costs the same at the end as at the beginning', {tags: ['cost']}, () => {
	const piece = 'é word 日本 \n';
	const grow = (length: number) => {
		const tail = openTail();
		for (let index = 0; index < length / piece.length; index += 1) {
			tail.push(piece);
			if (index % 100 === 0) tail.rows(50, 12);
		}
	};
	expectLinearCost(grow, 41_000);
});
