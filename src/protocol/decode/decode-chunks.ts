/**
 * Chunks of one reply to the events of one step. Knows what chunks mean; knows nothing of bytes.
 *
 * A reply that was not streamed is one chunk with a `message` for its delta.
 */
import type {ChatEvent} from '../../chat/event.ts';
import {classifyFinishReason, type FinishClass} from '../../chat/finish-reason.ts';
import {ChatError} from '../../errors.ts';
import type {JsonObject, JsonValue} from '../../json.ts';
import {type ErrorContext, errorFromPayload} from '../errors/service-error.ts';
import {asArray, asInteger, asObject, asText} from '../json-values.ts';
import {cutNotice, judgeReply, type ReplyMarks, type StreamEnd} from './completion.ts';
import {createExtraCollector} from './decode-extra.ts';
import {decodeUsage, findUsage} from './decode-usage.ts';
import {type DeltaText, readDeltaText, readPlainText} from './delta-text.ts';
import {createTextChannel} from './text-channel.ts';
import {createThinkTagSplitter, type SplitText} from './think-tags.ts';
import {createToolCallAccumulator} from './tool-call-accumulator.ts';

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
	const text = createTextChannel((piece) => ({type: 'text-delta', text: piece}));
	const refusal = createTextChannel((piece) => ({type: 'refusal-delta', text: piece}));
	const reasoning = createTextChannel((piece) => ({type: 'reasoning-delta', text: piece}));
	const thinkTags = createThinkTagSplitter();
	const toolCalls = createToolCallAccumulator();
	const extra = createExtraCollector();
	let id = '';
	let model = '';
	let created: number | undefined;
	let isStarted = false;
	let hasChoice = false;
	let hasFinishKey = false;
	let finishReason: string | null = null;
	/** An empty finish reason or the text `null`: reported, but not the end of anything. */
	let unmeantReason: string | null = null;
	let usage: JsonObject | undefined;
	let reasoningField: string | undefined;
	const received = {text: 0, refusal: 0, reasoning: 0};

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
		for (const event of added) events.push(event);
	};

	const pushSplit = (split: SplitText, events: ChatEvent[]) => {
		reasoning.push(split.reasoning, events);
		text.push(split.text, events);
	};

	const pushText = (read: DeltaText, events: ChatEvent[]) => {
		received.text += read.text.length;
		received.refusal += read.refusal.length;
		received.reasoning += read.reasoning.length;
		if (read.reasoning !== '') {
			pushSplit(thinkTags.disable(), events);
			reasoning.push(read.reasoning, events);
			reasoningField ??= read.reasoningField;
		}
		if (read.text !== '') pushSplit(thinkTags.push(read.text), events);
		refusal.push(read.refusal, events);
	};

	/** What nearly all deltas are, without the many places where something else may stand. */
	const pushPlainText = (piece: string, events: ChatEvent[]) => {
		received.text += piece.length;
		if (thinkTags.isOver) text.push(piece, events);
		else pushSplit(thinkTags.push(piece), events);
	};

	const pushDelta = (delta: JsonObject, events: ChatEvent[]) => {
		const plain = readPlainText(delta);
		if (plain !== undefined) return pushPlainText(plain, events);
		extra.addMessage(delta);
		pushText(readDeltaText(delta), events);
		toolCalls.add(readCalls(delta), events);
	};

	/** A whole message in place of a delta; some services repeat it, longer with each chunk. */
	const pushMessage = (message: JsonObject, events: ChatEvent[]) => {
		extra.addMessage(message);
		const whole = readDeltaText(message);
		const unseen = {
			...whole,
			text: whole.text.slice(received.text),
			refusal: whole.refusal.slice(received.refusal),
			reasoning: whole.reasoning.slice(received.reasoning),
		};
		pushText(unseen, events);
		if (toolCalls.isEmpty) toolCalls.add(readCalls(message), events);
	};

	const pushChoice = (choice: JsonObject, events: ChatEvent[]) => {
		hasChoice = true;
		const delta = asObject(choice['delta']);
		if (delta !== undefined) return pushDelta(delta, events);
		const message = asObject(choice['message']);
		if (message !== undefined) pushMessage(message, events);
	};

	/** A later and milder reason does not undo one that says the answer is cut or failed. */
	const noteFinish = (choice: JsonObject) => {
		const reason = choice['finish_reason'];
		if (reason === undefined) return;
		hasFinishKey = true;
		if (typeof reason !== 'string') return;
		if (reason === '' || reason === 'null') unmeantReason = reason;
		else if (severityOf(reason) >= severityOf(finishReason)) finishReason = reason;
	};

	/** Chunks without a choice may carry empty names; they are not looked at. */
	const noteIdentity = (chunk: JsonObject) => {
		if (id === '') id = asText(chunk['id']) ?? '';
		if (model === '') model = asText(chunk['model']) ?? '';
		created ??= asInteger(chunk['created']);
	};

	/** A chunk that reports an error may carry text and usage too. */
	const pushChunk = (chunk: JsonObject, choice: JsonObject | undefined, events: ChatEvent[]) => {
		usage = findUsage(chunk, choice) ?? usage;
		extra.addChunk(chunk, choice);
		if (choice === undefined) return;
		noteFinish(choice);
		noteIdentity(chunk);
		if (isStarted) pushChoice(choice, events);
		else emit(events, (added) => pushChoice(choice, added));
	};

	const release = (events: ChatEvent[]) =>
		emit(events, (added) => {
			pushSplit(thinkTags.end(), added);
			reasoning.end(added);
			text.end(added);
			refusal.end(added);
		});

	const hasText = () => !text.isBlank || !refusal.isBlank;

	/** Blank reasoning is as good as none. */
	const findInstead = (): ReplyMarks['instead'] => {
		if (hasText() || !toolCalls.isEmpty) return undefined;
		return reasoning.isBlank ? 'nothing' : 'reasoning';
	};

	return {
		push(payload, eventName, events) {
			const chunk = asObject(payload);
			const choice = chunk === undefined ? undefined : firstChoice(chunk);
			if (chunk !== undefined) pushChunk(chunk, choice, events);
			const error =
				errorFromPayload(payload, eventName, context) ??
				(choice?.['error'] === undefined
					? undefined
					: errorFromPayload(choice, undefined, context));
			if (error !== undefined) throw error;
		},
		end(end, events) {
			release(events);
			const marks = {hasText: hasText(), instead: findInstead(), end};
			const outcome = judgeReply({finishReason, hasFinishKey, hasChoice, ...marks}, context);
			if (outcome instanceof ChatError) throw outcome;
			start(events);
			const fields = extra.end();
			for (const notice of [outcome, cutNotice(finishReason), extra.notice()]) {
				if (notice !== undefined) events.push({type: 'notice', notice});
			}
			toolCalls.finish(classifyFinishReason(finishReason), events);
			events.push({
				type: 'step-end',
				finishReason: finishReason ?? unmeantReason,
				usage: usage === undefined ? undefined : decodeUsage(usage),
				extra: fields,
				reasoningField,
			});
		},
		fail(error, events) {
			release(events);
			const {requestId} = context;
			return new ChatError(error.kind, error.message, {
				requestId,
				...error.details,
				finishReason,
				usage: usage === undefined ? undefined : decodeUsage(usage),
			});
		},
		get isFinished() {
			return finishReason !== null;
		},
	};
}

/** The choice with index 0; a missing index counts as 0. Other choices were not asked for. */
function firstChoice(chunk: JsonObject): JsonObject | undefined {
	const choices = asArray(chunk['choices']) ?? [];
	// Once for each token: a loop that makes no iterator.
	for (let place = 0; place < choices.length; place++) {
		const choice = asObject(choices[place]);
		if (choice !== undefined && (choice['index'] ?? 0) === 0) return choice;
	}
	return undefined;
}

/** Before tool calls existed there was one `function_call`, without id or index. */
function readCalls(delta: JsonObject): JsonValue | undefined {
	const legacy = asObject(delta['function_call']);
	return delta['tool_calls'] ?? (legacy === undefined ? undefined : {function: legacy});
}

const severities = {stop: 0, tools: 0, length: 1, filter: 1, failed: 2} as const satisfies Record<
	FinishClass,
	number
>;

function severityOf(reason: string | null): number {
	return severities[classifyFinishReason(reason)];
}
