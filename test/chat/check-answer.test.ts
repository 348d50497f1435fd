import {describe, expect, test} from 'vitest';
import {checkJsonObject} from '../../src/chat/check-answer.ts';
import {expectLinearCost} from '../helpers/cost.ts';

describe('the check for a JSON object', () => {
	test.each(['{}', ' {"a": [1]}\n', '{"a":"\\u001b"}'])('accepts %j', (answer) => {
		expect(checkJsonObject(answer)).toEqual({type: 'fits'});
	});

	test.each([
		['```json\n{}\n```', '{}'],
		['\n```\n{\n  "a": 1\n}\n```\n\n', '{\n  "a": 1\n}'],
		['~~~~JSON5 \r\n{"a": "```"}\r\n~~~~', '{"a": "```"}'],
		['```json\n{}```', '{}'],
	])('finds the object in the code fence of %j', (answer, json) => {
		expect(checkJsonObject(answer)).toEqual({type: 'fenced', json});
	});

	test.each([
		...['', 'Sure: {}', '```json\n```', '```{}```', 'Here:\n```json\n{}\n```'],
		...['```json\n{}\n```\nDone.', '```json\n{}', '```\n{}\n```\n```\n{}\n```'],
	])('rejects %j, which is not JSON', (answer) => {
		expect(checkJsonObject(answer)).toEqual({type: 'wrong', problem: 'is not valid JSON'});
	});

	test.each(['[]', 'null', '"{}"', '```\n[]\n```'])(
		'rejects %j, which is not an object',
		(answer) => {
			const problem = 'is valid JSON, but not an object';
			expect(checkJsonObject(answer)).toEqual({type: 'wrong', problem});
		},
	);

	test('takes time linear in the answer', () => {
		expectLinearCost((size) => {
			for (const text of ['`'.repeat(size), `\`\`\`${' '.repeat(size)}`, ' '.repeat(size)]) {
				checkJsonObject(text);
			}
		}, 30_000);
	});
});
