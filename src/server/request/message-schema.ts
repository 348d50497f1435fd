/** A request's messages: each by its role, with a string or parts as content. */
import * as v from 'valibot';
import {optional, someText} from '../../check-json.ts';
import {audioPart, filePart, imagePart} from './attachment-schema.ts';
import {type Attachment, joinTexts, type RequestMessage} from './request.ts';
import {toolName} from './tool-schema.ts';

export function contentPart<const Type extends string>(name: Type) {
	return v.pipe(
		v.object({type: v.literal(name), text: v.string()}),
		v.transform(({type, text}) => ({type, part: text})),
	);
}

/** A string, or parts. */
export function content<
	const Part extends v.GenericSchema<unknown, {readonly part: string | Attachment}>,
>(part: Part) {
	const parts = v.pipe(
		v.array(part, 'must be a string or an array of parts'),
		v.minLength(1, 'must have at least one part'),
		v.transform((items) => items.map((item) => item.part)),
	);
	const text = v.pipe(
		v.string(),
		v.transform((whole) => [whole]),
	);
	return v.lazy((input) => (typeof input === 'string' ? text : parts));
}

const toolCall = v.pipe(
	v.object({
		id: someText,
		type: v.literal('function'),
		function: v.object({name: toolName, arguments: v.string()}),
	}),
	v.transform(({id, function: called}) => ({id, ...called})),
);

const name = optional(v.string());
const plainContent = content(v.variant('type', [contentPart('text')]));
const userContent = content(
	v.variant('type', [contentPart('text'), imagePart, filePart, audioPart]),
);

const message = v.variant('role', [
	v.object({role: v.picklist(['system', 'developer']), content: plainContent, name}),
	v.object({role: v.literal('user'), content: userContent, name}),
	v.pipe(
		v.object({
			role: v.literal('assistant'),
			content: optional(plainContent),
			name,
			tool_calls: optional(v.array(toolCall)),
		}),
		v.forward(
			v.check(
				({content: said, tool_calls: calls = []}) => said !== undefined || calls.length > 0,
				'is missing',
			),
			['content'],
		),
	),
	v.object({role: v.literal('tool'), content: plainContent, tool_call_id: someText}),
]);

export const messages = v.pipe(
	v.array(message),
	v.minLength(1, 'must have at least one message'),
	v.transform((all) => all.map(toMessage)),
);

function toMessage(wire: v.InferOutput<typeof message>, index: number): RequestMessage {
	const path = `messages[${index}]`;
	const parts: RequestMessage['parts'] = wire.content ?? [];
	const calls = wire.role === 'assistant' ? (wire.tool_calls ?? []) : [];
	return {
		role: wire.role === 'developer' ? 'system' : wire.role,
		parts,
		text: joinTexts(parts),
		toolCalls: calls.map((call, place) => ({...call, path: `${path}.tool_calls[${place}].id`})),
		toolCallId: wire.role === 'tool' ? wire.tool_call_id : undefined,
		path: wire.role === 'tool' ? `${path}.tool_call_id` : path,
		partsPath: `${path}.content`,
	};
}
