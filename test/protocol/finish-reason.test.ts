import {describe, expect, it} from 'vitest';
import type {FinishReason} from '../../src/errors.ts';
import {readFinishReason} from '../../src/protocol/chat-completions/finish-reason.ts';

const rows: ReadonlyArray<readonly [raw: string, kind: FinishReason['kind']]> = [
	['stop', 'stop'],
	['eos', 'stop'],
	['end_turn', 'stop'],
	['stop_sequence', 'stop'],
	['tool_calls', 'tool-calls'],
	['function_call', 'tool-calls'],
	['tool_use', 'tool-calls'],
	['length', 'length'],
	['max_tokens', 'length'],
	['model_length', 'length'],
	['model_context_window_exceeded', 'length'],
	['content_filter', 'filter'],
	['sensitive', 'filter'],
	['error', 'failed'],
	['abort', 'failed'],
	['insufficient_system_resource', 'failed'],
	['network_error', 'failed'],
	['a word nobody knows', 'unknown'],
	['STOP', 'unknown'],
	['__proto__', 'unknown'],
	['constructor', 'unknown'],
	['toString', 'unknown'],
];

describe('a finish reason', () => {
	it.each(rows)('%s means %s', (raw, kind) => {
		expect(readFinishReason(raw)).toEqual({kind, raw});
	});
});
