/** Builds replies of a chat-completions service for the replay server. */
import type {ReplayReply} from './replay-reply.ts';

export type ReplyDelta = {
	readonly reasoning?: string;
	readonly text?: string;
	readonly refusal?: string;
	/** A whole call in one delta. */
	readonly call?: {readonly id: string; readonly name: string; readonly arguments: string};
};

export type ReplyOptions = {
	/** Null sends none (default: `stop`). */
	readonly finishReason?: string | null;
	readonly usage?: Readonly<Record<string, unknown>>;
	readonly model?: string;
	/** The end of the connection after the deltas. */
	readonly end?: ReplayReply['end'];
	/** Text of further events, after the deltas. */
	readonly tail?: string;
};

const common = {id: 'chatcmpl-1', created: 1_700_000_000};

/** A streamed reply; a text alone is a delta of text. One write for each delta. */
export function streamReply(
	deltas: ReadonlyArray<ReplyDelta | string>,
	options: ReplyOptions = {},
): ReplayReply {
	const {finishReason = 'stop', usage, end = 'clean', model = 'model-1', tail = ''} = options;
	const encode = (choices: readonly object[], more: object = {}) => {
		const chunk = {...common, object: 'chat.completion.chunk', model, choices, ...more};
		return `data: ${JSON.stringify(chunk)}\n\n`;
	};
	let calls = 0;
	const encodeDelta = (delta: ReplyDelta | string) => {
		const {reasoning, text, refusal, call} = typeof delta === 'string' ? {text: delta} : delta;
		const fields = {
			...(reasoning === undefined ? {} : {reasoning_content: reasoning}),
			...(text === undefined ? {} : {content: text}),
			...(refusal === undefined ? {} : {refusal}),
			...(call === undefined ? {} : {tool_calls: [{index: calls++, ...toWireCall(call)}]}),
		};
		return encode([{index: 0, delta: fields, finish_reason: null}]);
	};
	const ending = [
		...(finishReason === null || end !== 'clean'
			? []
			: [encode([{index: 0, delta: {}, finish_reason: finishReason}])]),
		...(usage === undefined ? [] : [encode([], {usage})]),
		...(tail === '' ? [] : [tail]),
		...(end === 'clean' && finishReason !== null ? ['data: [DONE]\n\n'] : []),
	];
	return {
		status: 200,
		headers: {'content-type': 'text/event-stream'},
		bodyChunks: [...deltas.map(encodeDelta), ...ending],
		chunkDelayMs: 0,
		end,
	};
}

/** Builds the same reply without streaming. */
export function wholeReply(delta: ReplyDelta, options: ReplyOptions = {}): ReplayReply {
	const {finishReason = 'stop', usage, model = 'model-1'} = options;
	const message = {
		role: 'assistant',
		content: delta.text ?? null,
		refusal: delta.refusal ?? null,
		...(delta.reasoning === undefined ? {} : {reasoning_content: delta.reasoning}),
		...(delta.call === undefined ? {} : {tool_calls: [toWireCall(delta.call)]}),
	};
	const choices = [{index: 0, message, finish_reason: finishReason}];
	return jsonReply(200, {...common, object: 'chat.completion', model, choices, usage});
}

export function jsonReply(
	status: number,
	body: unknown,
	headers: Readonly<Record<string, string>> = {},
): ReplayReply {
	return {
		status,
		headers: {'content-type': 'application/json', ...headers},
		bodyChunks: [JSON.stringify(body)],
		framing: 'length',
		chunkDelayMs: 0,
	};
}

export function errorReply(
	status: number,
	message: string,
	headers: Readonly<Record<string, string>> = {},
): ReplayReply {
	return jsonReply(status, {error: {message, type: 'some_error', code: 'some_code'}}, headers);
}

function toWireCall(call: NonNullable<ReplyDelta['call']>) {
	return {
		id: call.id,
		type: 'function',
		function: {name: call.name, arguments: call.arguments},
	};
}
