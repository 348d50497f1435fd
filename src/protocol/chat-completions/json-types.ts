/**
 * The service's JSON, as the request encoder and the built-in service write it. A client never
 * *reads* with these types: servers send anything, so the decoder starts from `unknown`. These
 * field names stay in this folder and in `server/`. Source: the chat-completions service
 * specification §2 and §4; where that is silent, the common convention.
 */
import type {JsonObject, JsonValue} from '../../json.ts';

export type ContentJson =
	| string
	| ReadonlyArray<{readonly type: 'text'; readonly text: string} | MediaPartJson>;

export type MediaPartJson =
	| {readonly type: 'image_url'; readonly image_url: {readonly url: string}}
	| {
			readonly type: 'file';
			/** The data are a `data:` URL. */
			readonly file: {readonly filename: string; readonly file_data: string};
	  }
	| {
			readonly type: 'input_audio';
			/** The data are base64. */
			readonly input_audio: {readonly data: string; readonly format: 'wav' | 'mp3'};
	  };

export type ToolCallJson = {
	readonly id: string;
	readonly type: 'function';
	/** `arguments` is a JSON object's text. */
	readonly function: {readonly name: string; readonly arguments: string};
	readonly extra_content?: JsonValue | undefined;
};

export type MessageJson =
	| {readonly role: 'system' | 'user'; readonly content: ContentJson}
	| {
			readonly role: 'assistant';
			/** Null only with `tool_calls`. */
			readonly content: ContentJson | null;
			readonly tool_calls?: readonly ToolCallJson[];
			/** Sent to services that need it back, see `encode-request.ts`. */
			readonly [reasoningField: `reasoning${string}`]: JsonValue;
	  }
	| {readonly role: 'tool'; readonly tool_call_id: string; readonly content: ContentJson};

export type ToolJson = {
	readonly type: 'function';
	readonly function: {
		readonly name: string;
		readonly description?: string | undefined;
		readonly parameters?: JsonObject | undefined;
		readonly strict?: boolean | undefined;
	};
};

export type ToolChoiceJson =
	| 'auto'
	| 'none'
	| 'required'
	| {readonly type: 'function'; readonly function: {readonly name: string}};

/** The body for `POST …/v1/chat/completions`, besides the parameters (`encode-request.ts`). */
export type RequestJson = {
	readonly model: string;
	readonly messages: readonly MessageJson[];
	readonly stream: boolean;
	readonly stream_options?: {readonly include_usage: true} | undefined;
	readonly tools?: readonly ToolJson[] | undefined;
	readonly tool_choice?: ToolChoiceJson | undefined;
	readonly response_format?: ResponseFormatJson | undefined;
};

export type ResponseFormatJson =
	| {readonly type: 'text' | 'json_object'}
	| {
			readonly type: 'json_schema';
			/** The name is 1 to 64 letters, digits, `_` or `-`. */
			readonly json_schema: {readonly name: string; readonly schema: JsonObject};
	  };

export type DeltaJson = {
	readonly role?: 'assistant';
	readonly content?: string | null;
	readonly reasoning_content?: string;
	readonly tool_calls?: ReadonlyArray<{
		readonly index: number;
		readonly id?: string;
		readonly type?: 'function';
		readonly function: {readonly name?: string; readonly arguments: string};
	}>;
};

export type ErrorJson = {
	readonly error: {
		readonly message: string;
		readonly type: string;
		/** The field at fault, as a path (`messages[0].content`), or null. */
		readonly param: string | null;
		readonly code: string | null;
	};
};

/** The last payload in a streamed reply. */
export const doneMarker = '[DONE]';
