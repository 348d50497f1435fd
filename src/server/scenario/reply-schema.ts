/** A rule's reply: texts, or stream deltas to be sent unchanged. */
import * as v from 'valibot';
import {integerFrom, optional, read, someText, strictObject} from '../../check-json.ts';
import {asArray, asNumber, asObject, asText, isJsonObject, type JsonObject} from '../../json.ts';
import type {Reply, ReplyToolCall} from '../reply/reply.ts';

/** Without an id, each reply gets a new one. */
export type ScriptedCall = Omit<ReplyToolCall, 'id'> & {readonly id: string | undefined};

export type ScriptedReply = Omit<Reply, 'toolCalls'> & {
	readonly toolCalls: readonly ScriptedCall[];
};

const callArguments = v.pipe(
	v.custom<string | object>(
		(value) => typeof value === 'string' || isJsonObject(value),
		'must be an object, or a text to send unchanged',
	),
	v.transform((value) => (typeof value === 'string' ? value : JSON.stringify(value))),
);

const call = v.pipe(
	strictObject({
		id: optional(someText),
		name: someText,
		arguments: optional(callArguments),
	}),
	v.transform(({id, name, arguments: text = '{}'}): ScriptedCall => ({id, name, arguments: text})),
);

const delta = v.lazy((input) => (typeof input === 'string' ? textDelta : anyDelta));

const textDelta = v.pipe(
	v.string(),
	v.transform((content) => ({content})),
);

const anyDelta = v.custom<JsonObject>(
	isJsonObject,
	'must be a text or a delta, which is an object',
);

const count = optional(integerFrom(0));

/** Counts must be numbers; other fields are sent as they are. */
const usage = v.looseObject({
	prompt_tokens: count,
	completion_tokens: count,
	total_tokens: count,
});

const object = v.pipe(
	strictObject({
		text: optional(v.string()),
		reasoning: optional(v.string()),
		tool_calls: optional(v.array(call)),
		chunks: optional(v.array(delta)),
		usage: optional(usage),
		finish_reason: optional(someText),
	}),
	read((fields, fail): ScriptedReply => {
		const {text = '', reasoning = '', tool_calls: toolCalls = [], chunks} = fields;
		const finishReason = fields.finish_reason;
		const common = {usage: fields.usage, finishReason};
		if (chunks === undefined) return {content: text, reasoning, toolCalls, ...common};
		const doubled = (['text', 'reasoning', 'tool_calls'] as const).find(
			(key) => fields[key] !== undefined,
		);
		if (doubled !== undefined)
			fail('cannot be used with chunks, which hold the whole reply', doubled);
		return {...joinDeltas(chunks), deltas: chunks, ...common};
	}),
);

const plain = v.pipe(
	v.string('must be a text, or an object with text, reasoning, tool_calls or chunks'),
	v.transform((content): ScriptedReply => ({content, reasoning: '', toolCalls: []})),
);

export const scriptedReply = v.lazy((input) => (isJsonObject(input) ? object : plain));

/**
 * The message that the deltas add up to, joined as clients do. Anything without a known form is
 * left out: it can only be streamed.
 */
function joinDeltas(deltas: readonly JsonObject[]): ScriptedReply {
	const texts = {content: '', reasoning: ''};
	const calls = new Map<number, ScriptedCall>();
	for (const delta of deltas) {
		texts.content += asText(delta['content']) ?? '';
		texts.reasoning += asText(delta['reasoning_content'] ?? delta['reasoning']) ?? '';
		for (const [place, part] of (asArray(delta['tool_calls']) ?? []).entries()) {
			const {index, id, function: called} = asObject(part) ?? {};
			const {name, arguments: text} = asObject(called) ?? {};
			const at = asNumber(index) ?? place;
			const known = calls.get(at) ?? {id: undefined, name: '', arguments: ''};
			calls.set(at, {
				id: known.id ?? asText(id),
				name: known.name || (asText(name) ?? ''),
				arguments: known.arguments + (asText(text) ?? ''),
			});
		}
	}
	return {...texts, toolCalls: [...calls.values()]};
}
