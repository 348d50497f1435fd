import {describe, expect, it} from 'vitest';
import {readFinishReason} from '../../src/protocol/chat-completions/words.ts';

describe('a finish reason', () => {
	it.each(['a word nobody knows', '__proto__'])(
		'%s is unknown, and shown as it came',
		(raw) => {
			expect(readFinishReason(raw)).toEqual({kind: 'unknown', raw});
		},
	);

	it.each([
		['FINISH_REASON_MAX_TOKENS', 'length'],
		['maxOutputTokens', 'length'],
		['content_filter: PROHIBITED_CONTENT', 'filter'],
		['function_call_filter: MALFORMED_FUNCTION_CALL', 'failed'],
		['overloaded_error', 'failed'],
	] as const)('%s means %s in any case, and is shown as it came', (raw, kind) => {
		expect(readFinishReason(raw)).toEqual({kind, raw});
	});
});
