/** A checked request: input for the reply, free from wire details. */
import type {JsonObject} from '../../json.ts';
import type {Tier} from '../models.ts';

export type Attachment = {
	readonly kind: 'image' | 'file' | 'audio';
	/** `PNG, 64 x 48 pixels`, or the address or id as sent. */
	readonly description: string;
	/** Absent for an address or an id, which is never fetched. */
	readonly bytes?: Uint8Array;
};

export type RequestToolCall = {
	readonly id: string;
	readonly name: string;
	/** Exactly as sent, perhaps invalid JSON. */
	readonly arguments: string;
	/** Where its id is in the body. */
	readonly path: string;
};

export type RequestMessage = {
	/** `developer` has become `system`. */
	readonly role: 'system' | 'user' | 'assistant' | 'tool';
	/** Texts and attachments; string content is one part. */
	readonly parts: ReadonlyArray<string | Attachment>;
	/** The text parts, joined by line breaks. */
	readonly text: string;
	readonly toolCalls: readonly RequestToolCall[];
	/** In a tool message: the answered call. */
	readonly toolCallId: string | undefined;
	/** Where it is in the body; for a tool message, where the id of its call is. */
	readonly path: string;
	/** Where its parts are. */
	readonly partsPath: string;
};

export function joinTexts(parts: RequestMessage['parts']): string {
	return parts.filter((part) => typeof part === 'string').join('\n');
}

export function textsOf({parts}: RequestMessage): readonly string[] {
	return parts.filter((part) => typeof part === 'string');
}

export function attachmentsOf({parts}: RequestMessage): readonly Attachment[] {
	return parts.filter((part) => typeof part !== 'string');
}

export type RequestTool = {
	readonly name: string;
	readonly description: string;
	/** JSON Schema for the arguments, if the client sent a sane one. */
	readonly parameters: JsonObject;
};

export type RequestToolChoice = 'auto' | 'none' | 'required' | {readonly name: string};

export type ChatRequest = {
	readonly model: string;
	readonly tier: Tier;
	/** Whether an answer by rule has reasoning. */
	readonly isReasoning: boolean;
	readonly messages: readonly RequestMessage[];
	readonly isStreaming: boolean;
	readonly includesUsage: boolean;
	/** 0 to 2. */
	readonly temperature: number | undefined;
	/** 0 to 1. */
	readonly topP: number | undefined;
	/** A positive integer; counts reasoning, answer and tool calls. */
	readonly maxTokens: number | undefined;
	readonly stop: readonly string[];
	readonly tools: readonly RequestTool[];
	readonly toolChoice: RequestToolChoice;
	readonly allowsParallelCalls: boolean;
	readonly responseFormat: 'text' | 'json_object' | 'json_schema';
	/** The answer's schema; some clients send one with `json_object` too. */
	readonly responseSchema: JsonObject | undefined;
};
