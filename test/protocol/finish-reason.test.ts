import {describe, expect, it} from 'vitest';
import {readFinishReason} from '../../src/protocol/chat-completions/finish-reason.ts';

describe('a finish reason', () => {
	it.each(['a word nobody knows', 'STOP', '__proto__', 'constructor', 'toString'])(
		'%s is unknown, and shown as it came',
		(raw) => {
			expect(readFinishReason(raw)).toEqual({kind: 'unknown', raw});
		},
	);
});
