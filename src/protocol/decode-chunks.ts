/**
 * Chunks of one reply to the events of one step. Knows what chunks mean; knows nothing of bytes.
 *
 * A reply that was not streamed is one chunk with a `message` for its delta.
 */
import type {ChatEvent, Notice} from '../chat/event.ts';
import {classifyFinishReason} from '../chat/finish-reason.ts';
import type {JsonObject, JsonValue} from '../chat/message.ts';
import {ChatError} from '../errors.ts';
import {redactUrl} from '../redact.ts';
import {decodeUsage, findUsage} from './decode-usage.ts';
import {readDeltaText} from './delta-text.ts';
import {asArray, asNumber, asObject, asText} from './json.ts';
import {type ErrorContext, errorFromPayload} from './service-error.ts';
import {createTextChannel} from './text-channel.ts';
import {createThinkTagSplitter, type SplitText} from './think-tags.ts';
import {createToolCallAccumulator} from './tool-call-accumulator.ts';

export type StreamEnd = {
	/** `[DONE]` was seen. */
	readonly isDone: boolean;
	/** The transport says that the body is whole: its last chunk or its length was reached. */
	readonly isAttested: boolean;
	/** Why the transport ended early, if it did. */
	readonly failure: ChatError | undefined;
};

export interface ChunkDecoder {
	/**
	 * Appends the events of one payload.
	 *
	 * @param eventName the SSE event it came under
	 * @throws {ChatError} when the payload reports an error
	 */
	push(payload: JsonValue, eventName: string | undefined, events: ChatEvent[]): void;
	/**
	 * Appends the last events of the step.
	 *
	 * @throws {ChatError} when the reply is cut, empty or failed
	 */
	end(end: StreamEnd, events: ChatEvent[]): void;
	/** Appends text that was held back, and adds to the error what is known of the cut reply. */
	fail(error: ChatError, events: ChatEvent[]): ChatError;
	/** The service has said why it stopped. */
	readonly isFinished: boolean;
}

export function createChunkDecoder(context: ErrorContext, attempts: number): ChunkDecoder {
	const text = createTextChannel('text-delta');
	const reasoning = createTextChannel('reasoning-delta');
	const thinkTags = createThinkTagSplitter();
	const toolCalls = createToolCallAccumulator();
	let id = '';
	let model = '';
	let created: number | undefined;
	let isStarted = false;
	let hasChoice = false;
	let hasFinishKey = false;
	let finishReason: string | null = null;
	let usage: JsonObject | undefined;
	let reasoningField: string | undefined;
	let receivedLength = 0;

	const start = (events: ChatEvent[]) => {
		if (isStarted) return;
		isStarted = true;
		events.push({
			type: 'step-start',
			model: model === '' ? context.model : model,
			requestedModel: context.model,
			id,
			created,
			attempts,
		});
	};

	/** Runs `add` so that the step starts just before its first event, and not without one. */
	const emit = (events: ChatEvent[], add: (added: ChatEvent[]) => void) => {
		if (isStarted) return add(events);
		const added: ChatEvent[] = [];
		add(added);
		if (added.length > 0) start(events);
		events.push(...added);
	};

	const pushSplit = (split: SplitText, events: ChatEvent[]) => {
		reasoning.push(split.reasoning, events);
		text.push(split.text, events);
	};

	const pushDelta = (delta: JsonObject, events: ChatEvent[]) => {
		const read = readDeltaText(delta);
		if (read.reasoning !== '') {
			pushSplit(thinkTags.disable(), events);
			reasoning.push(read.reasoning, events);
			reasoningField ??= read.reasoningField;
		}
		receivedLength += read.text.length;
		if (read.text !== '') pushSplit(thinkTags.push(read.text), events);
		toolCalls.add(delta['tool_calls'] ?? legacyCall(delta), events);
	};

	const pushChoice = (choice: JsonObject, events: ChatEvent[]) => {
		hasChoice = true;
		const delta = asObject(choice['delta']) ?? unseenMessage(choice, receivedLength);
		if (delta !== undefined) pushDelta(delta, events);
	};

	const noteFinish = (choice: JsonObject) => {
		hasFinishKey ||= Object.hasOwn(choice, 'finish_reason');
		const reason = asText(choice['finish_reason']);
		if (reason !== undefined && reason !== 'null') finishReason = reason;
	};

	/** Chunks without a choice may carry empty names; they are not looked at. */
	const noteIdentity = (chunk: JsonObject) => {
		if (id === '') id = asText(chunk['id']) ?? '';
		if (model === '') model = asText(chunk['model']) ?? '';
		created ??= asNumber(chunk['created']);
	};

	const release = (events: ChatEvent[]) =>
		emit(events, (added) => {
			pushSplit(thinkTags.end(), added);
			reasoning.end(added);
			text.end(added);
		});

	/** A notice or nothing if the reply is complete, else what is wrong with it. */
	const verdict = (end: StreamEnd): Notice | ChatError | undefined => {
		if (classifyFinishReason(finishReason) === 'failed') {
			return failedError(finishReason ?? '', context);
		}
		const isEmpty = text.isEmpty && reasoning.isEmpty && toolCalls.isEmpty;
		if (finishReason !== null) return finishedVerdict(isEmpty, end);
		if (!hasChoice) return end.failure ?? emptyError(context);
		if (end.isDone) return unmarked('the service never said why the answer ended');
		if (!hasFinishKey && end.isAttested && !isEmpty) {
			return unmarked('the service marks the end of its answers only by ending the reply');
		}
		return incompleteError(end.failure, context);
	};

	return {
		push(payload, eventName, events) {
			const chunk = asObject(payload);
			const choice = chunk === undefined ? undefined : firstChoice(chunk);
			if (choice !== undefined) noteFinish(choice);
			const error = errorFromPayload(payload, eventName, context);
			if (error !== undefined) throw error;
			if (chunk === undefined) return;
			usage = findUsage(chunk, choice) ?? usage;
			if (choice === undefined) return;
			noteIdentity(chunk);
			emit(events, (added) => pushChoice(choice, added));
		},
		end(end, events) {
			release(events);
			const outcome = verdict(end);
			if (outcome instanceof ChatError) throw outcome;
			start(events);
			if (outcome !== undefined) events.push({type: 'notice', notice: outcome});
			const cut = cutNotice(finishReason);
			if (cut !== undefined) events.push({type: 'notice', notice: cut});
			toolCalls.finish(classifyFinishReason(finishReason), events);
			events.push({
				type: 'step-end',
				finishReason,
				usage: usage === undefined ? undefined : decodeUsage(usage),
				reasoningField,
			});
		},
		fail(error, events) {
			release(events);
			return new ChatError(error.kind, error.message, {...error.details, finishReason, usage});
		},
		get isFinished() {
			return finishReason !== null;
		},
	};
}

/** The choice with index 0; a missing index counts as 0. Other choices were not asked for. */
function firstChoice(chunk: JsonObject): JsonObject | undefined {
	for (const item of asArray(chunk['choices']) ?? []) {
		const choice = asObject(item);
		if (choice !== undefined && (choice['index'] ?? 0) === 0) return choice;
	}
	return undefined;
}

/** A whole message in place of a delta; some services repeat it with each chunk, a bit longer. */
function unseenMessage(choice: JsonObject, receivedLength: number): JsonObject | undefined {
	const message = asObject(choice['message']);
	if (message === undefined || receivedLength === 0) return message;
	return {content: (asText(message['content']) ?? '').slice(receivedLength)};
}

/** The form before tool calls existed: one call, without id or index. */
function legacyCall(delta: JsonObject): JsonValue | undefined {
	const call = asObject(delta['function_call']);
	return call === undefined ? undefined : {function: call};
}

function finishedVerdict(isEmpty: boolean, end: StreamEnd): Notice | undefined {
	if (isEmpty) return {code: 'empty-answer', message: 'the service gave an empty answer'};
	if (end.failure === undefined) return undefined;
	return unmarked('the connection broke after the answer was finished');
}

function unmarked(message: string): Notice {
	return {code: 'end-unmarked', message};
}

function cutNotice(finishReason: string | null): Notice | undefined {
	const finish = classifyFinishReason(finishReason);
	if (finish === 'length') {
		return {code: 'length', message: 'the answer is cut: it reached the limit of tokens'};
	}
	if (finish === 'filter') {
		return {code: 'content-filter', message: "the answer is cut by the service's content filter"};
	}
	return undefined;
}

function failedError(reason: string, {url}: ErrorContext): ChatError {
	return new ChatError('unavailable', `${redactUrl(url)} gave up on the answer: ${reason}`, {
		code: reason,
		retryable: true,
	});
}

function emptyError({url}: ErrorContext): ChatError {
	return new ChatError('protocol', `${redactUrl(url)} sent an empty reply`);
}

function incompleteError(failure: ChatError | undefined, {url}: ErrorContext): ChatError {
	const reason = failure === undefined ? 'the stream ended without an end mark' : failure.message;
	const kind = failure?.kind === 'timeout' ? 'timeout' : 'incomplete';
	return new ChatError(kind, `the answer from ${redactUrl(url)} is cut: ${reason}`, {
		code: failure?.details.code,
		retryable: true,
		cause: failure,
	});
}
