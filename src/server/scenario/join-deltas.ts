/** The message that the deltas of a script add up to, as a client of the convention joins them. */
import {isJsonObject, type JsonObject, type JsonValue} from '../../json.ts';
import type {ScriptedCall, ScriptedReply} from './scenario.ts';

/** What is of no known form is left out: it can only be streamed. */
export function joinDeltas(
	deltas: readonly JsonObject[],
): Pick<ScriptedReply, 'text' | 'reasoning' | 'toolCalls'> {
	const texts = {text: '', reasoning: ''};
	const calls = new Map<number, ScriptedCall>();
	for (const delta of deltas) {
		texts.text += asText(delta['content']);
		texts.reasoning += asText(delta['reasoning_content'] ?? delta['reasoning']);
		const parts = delta['tool_calls'];
		if (!Array.isArray(parts)) continue;
		for (const [place, part] of parts.entries()) addCall(calls, part, place);
	}
	return {...texts, toolCalls: [...calls.values()]};
}

function addCall(calls: Map<number, ScriptedCall>, part: JsonValue, place: number): void {
	if (!isJsonObject(part)) return;
	const index = typeof part['index'] === 'number' ? part['index'] : place;
	const called = isJsonObject(part['function']) ? part['function'] : {};
	const known = calls.get(index);
	calls.set(index, {
		id: known?.id ?? (asText(part['id']) || undefined),
		name: (known?.name ?? '') || asText(called['name']),
		arguments: (known?.arguments ?? '') + asText(called['arguments']),
	});
}

function asText(value: JsonValue | undefined): string {
	return typeof value === 'string' ? value : '';
}
