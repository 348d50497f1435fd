import {describe, expect, test} from 'vitest';
import {selectOutput} from '../../src/output/select-output.ts';

describe('the selected part of an answer', () => {
	const text = '```\na\n```\n```\nb\n```';

	test.each([
		[1, 'a'],
		[2, 'b'],
		['last', 'b'],
		['all', 'a\n\nb'],
	] as const)('is block %s', async (block, code) => {
		expect(await selectOutput(text, {type: 'code', block})).toBe(code);
	});

	test.each([
		['No code.', 1, 'the answer has no code block'],
		['No code.', 'last', 'the answer has no code block'],
		['No code.', 'all', 'the answer has no code block'],
		['```\na\n```', 2, 'the answer has only one code block, not 2'],
		[text, 3, 'the answer has only 2 code blocks, not 3'],
	] as const)('of %j is missing if it is block %s', async (answer, block, message) => {
		await expect(selectOutput(answer, {type: 'code', block})).rejects.toThrow(
			expect.objectContaining({kind: 'data', message}),
		);
	});
});
