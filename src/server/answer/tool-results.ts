/** Answers from the results of tools, once they are there. */

import {isJsonObject, type JsonValue, parseJson} from '../../json.ts';
import type {RequestMessage, RequestToolCall} from '../request/request.ts';
import type {Prompt} from './prompt.ts';
import type {Answer} from './rule.ts';
import {clip, quote} from './text.ts';

const maxResultLength = 4_000;

export function useToolResults({request, instruction}: Prompt): Answer | undefined {
	const {messages} = request;
	if (messages.at(-1)?.role !== 'tool') return undefined;
	const asked = messages.findLastIndex(({role}) => role === 'user');
	const answered = messages.slice(asked + 1);
	const calls = new Map<string | undefined, RequestToolCall>();
	for (const call of answered.flatMap(({toolCalls}) => toolCalls)) {
		if (!calls.has(call.id)) calls.set(call.id, call);
	}
	const results = answered.filter(({role}) => role === 'tool');
	const lines = results.map((result) => {
		const call = calls.get(result.toolCallId);
		const name = call === undefined ? 'the tool' : `\`${call.name}\``;
		const given = call === undefined || /^(?:\{\s*\})?$/.test(call.arguments.trim());
		const told = given ? '' : ` for \`${clip(call.arguments, 200)}\``;
		return `- ${name}${told} says: ${describeResult(result)}`;
	});
	return {
		text: `You asked ${quote(instruction)}. The tools answered:\n\n${lines.join('\n')}`,
		essence: clip(results[0]?.text ?? '', 200),
		reasons: [`The last message is the result of a tool; there are ${results.length}.`],
	};
}

function describeResult({text}: RequestMessage): string {
	const value = parseJson(text);
	if (value === undefined || !isJsonObject(value)) return clip(text.trim(), maxResultLength);
	const pairs = Object.entries(value).map(([name, field]) => `${name} is ${describeField(field)}`);
	return clip(pairs.join(', ') || 'nothing', maxResultLength);
}

function describeField(value: JsonValue): string {
	return typeof value === 'string' ? value : JSON.stringify(value);
}
