/** Classifies finish reasons. Services send many words; unknown ones count as a normal stop. */

/**
 * `stop`: the model is done. `tools`: it waits for the results of its calls. `length` and `filter`: the
 * stream is complete, but the answer is cut off. `failed`: the service gave up.
 */
export type FinishClass = 'stop' | 'tools' | 'length' | 'filter' | 'failed';

const classOfReason: Readonly<Record<string, FinishClass>> = {
	stop: 'stop',
	tool_calls: 'tools',
	function_call: 'tools',
	tool_use: 'tools',
	length: 'length',
	max_tokens: 'length',
	model_length: 'length',
	model_context_window_exceeded: 'length',
	content_filter: 'filter',
	sensitive: 'filter',
	error: 'failed',
	abort: 'failed',
	insufficient_system_resource: 'failed',
	network_error: 'failed',
};

export function classifyFinishReason(reason: string | null): FinishClass {
	if (reason === null || !Object.hasOwn(classOfReason, reason)) return 'stop';
	return classOfReason[reason] ?? 'stop';
}

/** Whether the service stopped the answer before the model was done. */
export function isCutReason(reason: string | null): boolean {
	const finish = classifyFinishReason(reason);
	return finish === 'length' || finish === 'filter';
}
