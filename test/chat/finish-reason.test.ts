import {describe, expect, it} from 'vitest';
import {classifyFinishReason, type FinishClass, isCutReason} from '../../src/chat/finish-reason.ts';

const rows: ReadonlyArray<readonly [reason: string | null, finish: FinishClass]> = [
	['stop', 'stop'],
	['eos', 'stop'],
	['end_turn', 'stop'],
	['stop_sequence', 'stop'],
	['tool_calls', 'tools'],
	['function_call', 'tools'],
	['tool_use', 'tools'],
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
	['a word nobody knows', 'stop'],
	['STOP', 'stop'],
	['', 'stop'],
	[null, 'stop'],
	['__proto__', 'stop'],
	['constructor', 'stop'],
	['toString', 'stop'],
];

describe('a finish reason', () => {
	it.each(rows)('%s means %s', (reason, finish) => {
		expect(classifyFinishReason(reason)).toBe(finish);
	});

	it('cuts the answer off only if it is a limit or a filter', () => {
		const cut = rows.flatMap(([reason]) => (isCutReason(reason) ? [reason] : []));
		expect(cut).toEqual([
			...['length', 'max_tokens', 'model_length', 'model_context_window_exceeded'],
			...['content_filter', 'sensitive'],
		]);
	});
});
