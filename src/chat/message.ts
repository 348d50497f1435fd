/** Messages, their parts, tools and request options. Plain JSON values. */
import type {JsonObject, JsonValue} from '../json.ts';
import type {Source} from './source.ts';

export type TextPart = {readonly type: 'text'; readonly text: string};

export type ImagePart = {
	readonly type: 'image';
	/** An `http(s):` URL for the service to fetch, or a `data:` URL. */
	readonly url: string;
};

/** A PDF. */
export type DocumentPart = {
	readonly type: 'document';
	/** A file name without folders. */
	readonly name: string;
	/** A `data:` URL. */
	readonly url: string;
};

export type AudioPart = {
	readonly type: 'audio';
	readonly format: 'wav' | 'mp3';
	/** Base64. */
	readonly data: string;
};

export type MediaPart = ImagePart | DocumentPart | AudioPart;

export type ReasoningPart = {
	readonly type: 'reasoning';
	/** Empty if the service hides it. */
	readonly text: string;
	readonly providerData?: ProviderData | undefined;
};

/**
 * Opaque JSON that goes back to the service with a part. Each wire has fields of its own and
 * ignores all others.
 */
export type ProviderData = JsonObject;

export type ToolCall = {
	/** Unique within its message. */
	readonly callId: string;
	readonly name: string;
	/** The arguments exactly as received; usually the text of a JSON object. */
	readonly arguments: string;
	/**
	 * Whether the call may run: its step is complete, it has a name, and its arguments parse to an
	 * object.
	 */
	readonly isRunnable: boolean;
	readonly providerData?: ProviderData | undefined;
};

/** Why the model did not answer, in its own words. */
export type RefusalPart = {readonly type: 'refusal'; readonly text: string};

export type ToolCallPart = {readonly type: 'tool-call'; readonly call: ToolCall};

export type SystemMessage = {readonly role: 'system'; readonly parts: readonly TextPart[]};

export type UserMessage = {
	readonly role: 'user';
	readonly parts: ReadonlyArray<TextPart | MediaPart>;
};

export type AssistantPart = ReasoningPart | TextPart | RefusalPart | ToolCallPart;

export type AssistantMessage = {
	readonly role: 'assistant';
	/** In the order in which they came. */
	readonly parts: readonly AssistantPart[];
	/** `interrupted`: stopped by the user; `incomplete`: cut off by anything else. */
	readonly status: 'complete' | 'interrupted' | 'incomplete';
	/** The requested model. */
	readonly model: string;
	/** Pages cited by the text. Not sent. */
	readonly sources?: readonly Source[] | undefined;
};

export type ToolMessage = {
	readonly role: 'tool';
	readonly callId: string;
	readonly parts: readonly ToolOutputPart[];
	readonly isError: boolean;
};

/** Nested no deeper than `parseJson` permits. */
export type JsonPart = {readonly type: 'json'; readonly value: JsonValue};

export type ToolOutputPart = TextPart | ImagePart | JsonPart;

export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

/** A function the model may call. */
export type ToolDefinition = {
	readonly name: string;
	readonly description?: string | undefined;
	/** JSON Schema for the arguments; its root is an object. */
	readonly parameters?: JsonObject | undefined;
	/** Whether the service must enforce the schema. */
	readonly strict?: boolean | undefined;
};

/** Request fields sent as set; each wire has its own names for them. */
export type RequestFields = {
	/** 0 to 2. */
	readonly temperature?: number | undefined;
	/** 0 to 1. */
	readonly topP?: number | undefined;
	/** A positive integer. */
	readonly maxTokens?: number | undefined;
	readonly reasoningEffort?: string | undefined;
	readonly verbosity?: string | undefined;
	readonly seed?: number | undefined;
	/** Texts that end the answer. */
	readonly stop?: readonly string[] | undefined;
	readonly serviceTier?: string | undefined;
};

/** Request options. Absent fields are not sent. */
export type ChatOptions = RequestFields & {
	readonly model: string;
	readonly isStreaming: boolean;
	/** Service-specific fields by their wire names, sent unchanged. */
	readonly extraFields?: JsonObject | undefined;
	readonly toolChoice?: ToolChoice | undefined;
	/** Whether the service may search the web. */
	readonly isSearching?: boolean | undefined;
	readonly responseFormat?: ResponseFormat | undefined;
	/** Where the user set fields, by their names in the request: `CHAT_TEMPERATURE`. Not sent. */
	readonly fieldSources?: Readonly<Record<string, string>> | undefined;
};

/** Answer format; with a schema, JSON text that matches it. */
export type ResponseFormat = 'text' | 'json_object' | JsonSchemaFormat;

export type JsonSchemaFormat = {
	/** 1 to 64 letters, digits, `_` or `-`. */
	readonly name: string;
	/** JSON Schema 2020-12 or draft-07. */
	readonly schema: JsonObject;
};

export type ToolChoice = 'auto' | 'none' | 'required' | {readonly name: string};

/** Returns a message's text parts, joined. */
export function messageText(message: AssistantMessage | UserMessage | SystemMessage): string {
	let text = '';
	for (const part of message.parts) if (part.type === 'text') text += part.text;
	return text;
}

/** Returns a message's refusals, joined. */
export function messageRefusal(message: AssistantMessage): string {
	let text = '';
	for (const part of message.parts) if (part.type === 'refusal') text += part.text;
	return text;
}
