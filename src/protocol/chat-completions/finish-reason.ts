/** Classifies the finish reasons of services and of the models behind them, which use many words. */
import type {FinishReason} from '../../finish-reason.ts';

const words = {
	stop: [
		...['stop', 'eos', 'eos_token', 'eos_found', 'end_turn', 'stop_sequence', 'complete'],
		...['completed', 'finish'],
	],
	'tool-calls': ['tool_calls', 'tool_call', 'tool_use', 'function_call'],
	length: [
		...['length', 'limit', 'max_tokens', 'max_output_tokens', 'max_completion_tokens'],
		...['token_limit', 'model_length', 'context_length', 'context_length_exceeded'],
		...['model_context_window_exceeded', 'error_limit'],
	],
	filter: [
		...['content_filter', 'content_filtered', 'sensitive', 'refusal', 'safety', 'recitation'],
		...['blocklist', 'prohibited_content', 'spii', 'language', 'guardrail_intervened'],
		...['model_armor', 'error_toxic', 'image_safety', 'image_recitation'],
		'image_prohibited_content',
	],
	failed: [
		...['error', 'failed', 'abort', 'aborted', 'cancelled', 'user_cancel', 'timeout'],
		...['time_limit', 'network_error', 'insufficient_system_resource', 'incomplete'],
		...['malformed_function_call', 'malformed_response', 'malformed_model_output'],
		...['malformed_tool_use', 'function_call_filter', 'unexpected_tool_call'],
		...['too_many_tool_calls', 'missing_thought_signature', 'pause_turn'],
	],
} as const satisfies Partial<Record<FinishReason['kind'], readonly string[]>>;

const kinds: ReadonlyMap<string, FinishReason['kind']> = new Map(
	Object.entries(words).flatMap(([kind, list]) =>
		list.map((word) => [fold(word), kind as keyof typeof words] as const),
	),
);

/** Proxies change the case and the separators of words, and add a prefix or a detail. */
export function readFinishReason(raw: string): FinishReason {
	const [word = ''] = raw.split(':', 1);
	return {kind: kinds.get(fold(word)) ?? 'unknown', raw};
}

/** Turns `FINISH_REASON_MAX_TOKENS` and `maxTokens` into `maxtokens`. */
function fold(word: string): string {
	return word
		.slice(0, 100)
		.toLowerCase()
		.replace(/[_\-\s]/g, '')
		.replace(/^finishreason/, '');
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
