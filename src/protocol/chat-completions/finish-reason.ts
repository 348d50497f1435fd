/** Classifies the finish reasons of services, which use many words. */
import type {FinishReason} from '../../finish-reason.ts';

const kinds = new Map<string, FinishReason['kind']>([
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
]);

export function readFinishReason(raw: string): FinishReason {
	return {kind: kinds.get(raw) ?? 'unknown', raw};
}

const severities = {
	unknown: 0,
	stop: 0,
	'tool-calls': 0,
	length: 1,
	filter: 1,
	failed: 2,
} as const satisfies Record<FinishReason['kind'], number>;

/** Returns the later reason unless the one before it is more severe. */
export function moreSevere(before: FinishReason | undefined, later: FinishReason): FinishReason {
	if (before === undefined) return later;
	return severities[later.kind] >= severities[before.kind] ? later : before;
}
