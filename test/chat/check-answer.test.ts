import {describe, expect, test} from 'vitest';
import {checkJsonObject} from '../../src/chat/check-answer.ts';

describe('the check for a JSON object', () => {
	test.each(['{}', ' {"a": [1]}\n', '{"a":"\\u001b"}'])('accepts %j', (answer) => {
		expect(checkJsonObject(answer)).toBeUndefined();
	});

	test.each(['', 'Sure: {}', '{"a":', '```json\n{}\n```', "{'a': 1}", '{"a":1} {"b":2}'])(
		'rejects %j, which is not JSON',
		(answer) => {
			expect(checkJsonObject(answer)).toBe('is not valid JSON');
		},
	);

	test.each(['[]', '1', 'null', '"{}"'])('rejects %j, which is not an object', (answer) => {
		expect(checkJsonObject(answer)).toBe('is valid JSON, but not an object');
	});
});
