import {describe, expect, test} from 'vitest';
import {selectOutput} from '../../src/output/select-output.ts';

describe('the selected part of an answer', () => {
	const text = '```\na\n```\n```\nb\n```';

	test('is a block by its number, the last one, or all', async () => {
		const select = (block: number | 'last' | 'all') => selectOutput(text, {type: 'code', block});
		expect(await Promise.all([select(2), select('last'), select('all')])).toEqual([
			'b',
			'b',
			'a\n\nb',
		]);
	});

	test.each([
		['No code.', 1, 'the answer has no code block'],
		['```\na\n```', 2, 'the answer has only one code block, not 2'],
		[text, 3, 'the answer has only 2 code blocks, not 3'],
	] as const)('of %j is missing if it is block %s', async (answer, block, message) => {
		await expect(selectOutput(answer, {type: 'code', block})).rejects.toThrow(
			expect.objectContaining({kind: 'data', message}),
		);
	});
});
