/** The input of a Responses request: a text, or the items of a conversation. */
import * as v from 'valibot';
import {optional, read, someText} from '../../check-json.ts';
import {isJsonObject} from '../../json.ts';
import {isSealed} from '../sealed-reasoning.ts';
import {fileFields, readFile, readImage} from './attachment-schema.ts';
import {content, contentPart} from './message-schema.ts';
import {joinTexts, type RequestMessage, type RequestToolCall} from './request.ts';
import {toolName} from './tool-schema.ts';

type Item = {
	/** Absent for an item that no rule reads. */
	readonly role?: RequestMessage['role'];
	readonly parts?: RequestMessage['parts'];
	readonly call?: Omit<RequestToolCall, 'path'>;
	readonly toolCallId?: string;
};

const inputImage = v.pipe(
	v.object({
		type: v.literal('input_image'),
		image_url: optional(v.pipe(v.string(), read(readImage))),
		file_id: optional(v.string()),
		detail: optional(v.picklist(['auto', 'low', 'high', 'original'])),
	}),
	read(({type, image_url: image, file_id: id}, fail) => {
		if (image !== undefined) return {type, part: image};
		if (id === undefined) return fail('needs image_url or file_id');
		return {type, part: {kind: 'image' as const, description: `id ${id.slice(0, 200)}`}};
	}),
);

const inputFile = v.pipe(
	v.object({type: v.literal('input_file'), ...fileFields, file_url: optional(v.string())}),
	read((given, fail) => ({type: given.type, part: readFile(given, fail)})),
);

const refusal = v.pipe(
	v.object({type: v.literal('refusal'), refusal: v.string()}),
	v.transform(({type, refusal: text}) => ({type, part: text})),
);

const inputs = content(v.variant('type', [contentPart('input_text'), inputImage, inputFile]));

const message = v.pipe(
	v.variant('role', [
		v.object({
			role: v.picklist(['system', 'developer']),
			content: content(v.variant('type', [contentPart('input_text')])),
		}),
		v.object({role: v.literal('user'), content: inputs}),
		v.object({
			role: v.literal('assistant'),
			content: content(v.variant('type', [contentPart('output_text'), refusal])),
		}),
	]),
	v.transform(({role, content: parts}): Item => {
		return {role: role === 'developer' ? 'system' : role, parts};
	}),
);

const call = v.pipe(
	v.object({
		type: v.literal('function_call'),
		call_id: someText,
		name: toolName,
		arguments: v.string(),
	}),
	v.transform(({call_id: id, name, arguments: text}): Item => {
		return {role: 'assistant', call: {id, name, arguments: text}};
	}),
);

const output = v.pipe(
	v.object({type: v.literal('function_call_output'), call_id: someText, output: inputs}),
	v.transform(({call_id: toolCallId, output: parts}): Item => ({role: 'tool', parts, toolCallId})),
);

const sealed = v.pipe(
	v.string(),
	v.check(isSealed, 'could not be verified: it is from another service, or was changed'),
);

const reasoning = v.pipe(
	v.object({
		type: v.literal('reasoning'),
		summary: v.array(v.object({type: v.literal('summary_text'), text: v.string()})),
		encrypted_content: optional(sealed),
	}),
	v.transform((): Item => ({})),
);

const types = 'must be one of message, function_call, function_call_output, reasoning';
const otherItem = v.variant('type', [call, output, reasoning], types);

const item = v.lazy((input) => {
	const isMessage = !isJsonObject(input) || (input['type'] ?? 'message') === 'message';
	return isMessage ? message : otherItem;
});

const items = v.pipe(
	v.array(item, 'must be a string or an array of items'),
	v.minLength(1, 'must have at least one item'),
	v.transform((all) => toMessages(all)),
);

const text = v.pipe(
	v.string(),
	v.transform((prompt) => toMessages([{role: 'user', parts: [prompt]}])),
);

export const input = v.lazy((given) => (typeof given === 'string' ? text : items));

/** Consecutive calls are one message's, as is a text beside them. */
function toMessages(all: readonly Item[]): RequestMessage[] {
	const messages: RequestMessage[] = [];
	// Lists to grow: copies would cost the square of many items.
	let parts: Array<RequestMessage['parts'][number]> = [];
	let toolCalls: RequestToolCall[] = [];
	for (const [index, given] of all.entries()) {
		const {role, call: called, toolCallId} = given;
		if (role === undefined) continue;
		const path = `input[${index}]`;
		const hasCalls = called !== undefined || toolCalls.length > 0;
		if (role !== 'assistant' || messages.at(-1)?.role !== 'assistant' || !hasCalls) {
			parts = [];
			toolCalls = [];
			const at =
				role === 'tool'
					? {path: `${path}.call_id`, partsPath: `${path}.output`}
					: {path, partsPath: `${path}.content`};
			messages.push({role, parts, toolCalls, toolCallId, text: '', ...at});
		}
		parts.push(...(given.parts ?? []));
		if (called !== undefined) toolCalls.push({...called, path: `${path}.call_id`});
	}
	return messages.map((one) => ({...one, text: joinTexts(one.parts)}));
}
