import {expect, test} from 'vitest';
import {findQuotations} from '../../src/quotes/find-quotations.ts';
import {expectLinearCost} from '../helpers/cost.ts';

const rows: ReadonlyArray<readonly [markdown: string, ...quotations: string[]]> = [
	[
		'Er sagt „Die Miete ist fällig“ und »sie wird gezahlt«.',
		'Die Miete ist fällig',
		'sie wird gezahlt',
	],
	['Il dit « le loyer est dû » (bail.txt).', 'le loyer est dû ← bail.txt'],
	[
		'「賃料は毎月末日までに支払う」と『契約書第三条の二に定める』。',
		'賃料は毎月末日までに支払う',
		'契約書第三条の二に定める',
	],
	['It says “the rent, the “base rent”, is due” today.', 'the rent, the “base rent”, is due'],
	['A 5" pipe is "longer than it seems" to me, "too short".', 'longer than it seems'],
	['He said "the rent is due" and "it is not paid"!', 'the rent is due', 'it is not paid'],
	[
		'Run `echo "a quoted argument"` or\n\n```\n"code is not checked"\n```\n\n“after the code”',
		'after the code',
	],
	['It says “use the `--force` flag with care”.', 'use the `--force` flag with care'],
	['“Never closed, says the text.\n\nNext paragraph.”'],
	[
		'> The rent is due\n> on the first day.\n>\n> Late rent bears interest.\n> — lease.txt',
		'The rent is due\non the first day.',
		'Late rent bears interest. ← lease.txt',
	],
	['> "The rent is due today" (lease.txt)', 'The rent is due today ← lease.txt'],
	['> The rent is due today [lease.txt:12]', 'The rent is due today ← lease.txt'],
	['> ```\n> "quoted in code"\n> ```\n\n“too short”'],
	['“The rent is due today.” (docs/lease.txt, § 4)', 'The rent is due today. ← docs/lease.txt'],
	['“The rent is due today” (see LEASE.TXT)', 'The rent is due today ← lease.txt'],
	['“The rent is due today” – lease.txt', 'The rent is due today ← lease.txt'],
	['“The rent is due today” (clause 4.2), unlike (lease.txt)', 'The rent is due today'],
	['“The rent is due today” (other.pdf)', 'The rent is due today ← other.pdf'],
];

test.each(rows)('%s', (markdown, ...expected) => {
	const names = ['lease.txt', 'docs/lease.txt', 'bail.txt'];
	const found = findQuotations(markdown, names).map(({text, named}) =>
		named === undefined ? text : `${text} ← ${named}`,
	);
	expect(found).toEqual(expected);
});

test('marks without an end cost no more than their number', {tags: ['cost']}, () => {
	const find = (size: number) => {
		const marks = ['“', '„', '«'].map((mark) => mark.repeat(size)).join('\n\n');
		expect(findQuotations(`${marks}\n\n> a\n> - ${' '.repeat(size)}b\n> c`, [])).toHaveLength(1);
	};
	expectLinearCost(find, 3000);
});
