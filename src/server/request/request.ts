/**
 * A request after the checks: what the reply is made from, without a trace of the wire.
 */
import type {ImageInfo} from '../../image-type.ts';
import type {JsonObject} from '../../json.ts';
import type {Tier} from '../models.ts';

export type RequestImage = {
	/** As it was sent, a `data:` URL without its data. */
	readonly url: string;
	/** The bytes of a `data:` URL; absent for an address, which is never fetched. */
	readonly data?: {readonly bytes: Uint8Array; readonly info: ImageInfo};
};

export type RequestToolCall = {
	readonly id: string;
	readonly name: string;
	/** As the client sent it, which may be no JSON. */
	readonly arguments: string;
};

export type RequestMessage = {
	/** `developer` has become `system`. */
	readonly role: 'system' | 'user' | 'assistant' | 'tool';
	/** The text parts, joined by line breaks. */
	readonly text: string;
	/** Each text part; a string is one. */
	readonly texts: readonly string[];
	readonly images: readonly RequestImage[];
	readonly toolCalls: readonly RequestToolCall[];
	/** Of a tool message: the call it answers. */
	readonly toolCallId: string | undefined;
};

export type RequestTool = {
	readonly name: string;
	readonly description: string;
	/** JSON Schema of the arguments, as far as the client sent a sane one. */
	readonly parameters: JsonObject;
};

export type RequestToolChoice = 'auto' | 'none' | 'required' | {readonly name: string};

export type ChatRequest = {
	readonly model: string;
	readonly tier: Tier;
	readonly messages: readonly RequestMessage[];
	readonly isStreaming: boolean;
	readonly includesUsage: boolean;
	/** 0 to 2. */
	readonly temperature: number | undefined;
	/** 0 to 1. */
	readonly topP: number | undefined;
	/** At least 1; counts reasoning, answer and tool calls. */
	readonly maxTokens: number | undefined;
	readonly stop: readonly string[];
	readonly tools: readonly RequestTool[];
	readonly toolChoice: RequestToolChoice;
	/** Whether one reply may carry more than one call. */
	readonly allowsParallelCalls: boolean;
	readonly responseFormat: 'text' | 'json_object' | 'json_schema';
	/** What the answer must fit; some clients send it with `json_object` too. */
	readonly responseSchema: JsonObject | undefined;
};
