/**
 * The words of a conversation: messages, their parts, tools. Values only, JSON-safe, no identity.
 */

import type {JsonObject, JsonValue} from '../json.ts';

export type TextPart = {readonly type: 'text'; readonly text: string};

export type ImagePart = {
	readonly type: 'image';
	/** An `http(s):` URL that the service fetches, or a `data:` URL. */
	readonly url: string;
};

export type ReasoningPart = {
	readonly type: 'reasoning';
	readonly text: string;
	/** The field the service used for it; the same service wants it back under that name. */
	readonly field?: string | undefined;
};

export type ToolCall = {
	/** Unique within its message. */
	readonly callId: string;
	readonly name: string;
	/** The arguments as the service sent them: the text of a JSON object, if all went well. */
	readonly arguments: string;
	/**
	 * Whether the call may be run: its step is complete and not cut, it has a name, and the
	 * arguments parse to an object.
	 */
	readonly isRunnable: boolean;
	/** Fields of the call that must go back to the service as they came. */
	readonly extra?: JsonValue | undefined;
};

/** Why the model did not answer, in its own words. */
export type RefusalPart = {readonly type: 'refusal'; readonly text: string};

export type ToolCallPart = {readonly type: 'tool-call'; readonly call: ToolCall};

export type SystemMessage = {readonly role: 'system'; readonly parts: readonly TextPart[]};

export type UserMessage = {
	readonly role: 'user';
	readonly parts: ReadonlyArray<TextPart | ImagePart>;
};

export type AssistantMessage = {
	readonly role: 'assistant';
	readonly parts: ReadonlyArray<ReasoningPart | TextPart | RefusalPart | ToolCallPart>;
	/** `interrupted`: stopped by the user; `incomplete`: cut by anything else. */
	readonly status: 'complete' | 'interrupted' | 'incomplete';
	/** The model it was asked of. */
	readonly model: string;
};

export type ToolMessage = {
	readonly role: 'tool';
	readonly callId: string;
	readonly output: string;
	readonly isError: boolean;
};

export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

/** A function the model may call. */
export type Tool = {
	readonly name: string;
	readonly description?: string | undefined;
	/** JSON Schema of the arguments; its root is an object. */
	readonly parameters?: JsonObject | undefined;
	/** Whether the service must hold the model to the schema. */
	readonly strict?: boolean | undefined;
};

/** What a turn asks for besides its messages. Absent fields are not sent. */
export type ChatOptions = {
	readonly model: string;
	readonly isStreaming: boolean;
	/** 0 to 2. */
	readonly temperature?: number | undefined;
	/** 0 to 1. */
	readonly topP?: number | undefined;
	/** At least 1. */
	readonly maxTokens?: number | undefined;
	readonly tools?: readonly Tool[] | undefined;
	/** `auto`, `none`, `required`, or the name of one of the tools. */
	readonly toolChoice?: ToolChoice | undefined;
	readonly responseFormat?: ResponseFormat | undefined;
};

/** The form of the answer; with a schema it is the JSON text of a value that fits it. */
export type ResponseFormat = 'text' | 'json_object' | JsonSchemaFormat;

export type JsonSchemaFormat = {
	/** 1 to 64 letters, digits, `_` or `-`. */
	readonly name: string;
	/** JSON Schema 2020-12. */
	readonly schema: JsonObject;
};

export type ToolChoice = 'auto' | 'none' | 'required' | {readonly name: string};

/** The text of a message's text parts, joined. */
export function textOf(message: AssistantMessage | UserMessage | SystemMessage): string {
	let text = '';
	for (const part of message.parts) if (part.type === 'text') text += part.text;
	return text;
}

/** The text of a message's refusals, joined. */
export function refusalOf(message: AssistantMessage): string {
	let text = '';
	for (const part of message.parts) if (part.type === 'refusal') text += part.text;
	return text;
}
