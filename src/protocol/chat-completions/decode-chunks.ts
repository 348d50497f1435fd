/**
 * Decodes the chunks of one reply to the events of one step. Knows what chunks mean, but not bytes.
 *
 * A reply that was not streamed is one chunk with a `message` for its delta.
 */
import {isCutReason} from '../../chat/finish-reason.ts';
import {ChatError, type FinishReason} from '../../errors.ts';
import type {JsonObject, JsonValue} from '../../json.ts';
import {type CompletionEvidence, cutNotice, judgeReply} from '../decode/completion.ts';
import {createEventBatch} from '../decode/event-batch.ts';
import type {PayloadDecoder} from '../decode/payload-decoder.ts';
import {createThinkTagSplitter, type SplitText} from '../decode/think-tags.ts';
import type {ErrorContext} from '../errors/error-context.ts';
import {errorFromPayload} from '../errors/service-error.ts';
import {asInteger, asObject, asText, isEmptyValue} from '../json-values.ts';
import {createExtraCollector} from './decode-extra.ts';
import {moreSevere, readFinishReason} from './finish-reason.ts';
import {doneMarker} from './json-types.ts';
import {
	type DeltaText,
	decodeUsage,
	findUsage,
	firstChoice,
	plainTextOf,
	readCalls,
	readDeltaText,
} from './read-chunk.ts';
import {createToolCallAccumulator} from './tool-call-accumulator.ts';

export function createChunkDecoder(context: ErrorContext, attempts: number): PayloadDecoder {
	let id = '';
	let model = '';
	let created: number | undefined;
	const events = createEventBatch(() => ({
		type: 'step-start',
		model: model === '' ? context.model : model,
		requestedModel: context.model,
		id,
		created,
		attempts,
	}));
	const text = events.createChannel((piece) => ({type: 'text-delta', text: piece}));
	const refusal = events.createChannel((piece) => ({type: 'refusal-delta', text: piece}));
	const reasoning = events.createChannel((piece) => ({type: 'reasoning-delta', text: piece}));
	const thinkTags = createThinkTagSplitter();
	const toolCalls = createToolCallAccumulator(events);
	const extra = createExtraCollector();
	let hasChoice = false;
	let hasFinishKey = false;
	let finishReason: FinishReason | undefined;
	/** An empty finish reason or the text `null`: reported, but without a meaning. */
	let unmeantReason: string | null = null;
	let usage: JsonObject | undefined;
	/** The field of the reasoning under way, if it can be sent back. */
	let reasoningField: DeltaText['reasoningField'];
	const received = {text: 0, refusal: 0, reasoning: 0};

	const endReasoning = () => {
		if (reasoningField === undefined) return;
		events.add({type: 'reasoning-end', providerData: {field: reasoningField}});
		reasoningField = undefined;
	};

	const pushSplit = (split: SplitText) => {
		reasoning.push(split.reasoning);
		text.push(split.text);
	};

	const pushText = (piece: string) => {
		if (piece === '') return;
		received.text += piece.length;
		endReasoning();
		if (thinkTags.isOver) text.push(piece);
		else pushSplit(thinkTags.push(piece));
	};

	const pushDeltaText = (read: DeltaText) => {
		if (read.reasoning !== '') {
			received.reasoning += read.reasoning.length;
			pushSplit(thinkTags.disable());
			reasoning.push(read.reasoning);
			reasoningField ??= read.reasoningField;
		}
		pushText(read.text);
		if (read.refusal !== '') endReasoning();
		received.refusal += read.refusal.length;
		refusal.push(read.refusal);
	};

	const pushCalls = (calls: JsonValue | undefined) => {
		if (calls === undefined || isEmptyValue(calls)) return;
		endReasoning();
		toolCalls.add(calls);
	};

	/** Some services send whole messages in place of deltas, each longer than the one before. */
	const pushMessage = (message: JsonObject) => {
		const whole = readDeltaText(message);
		pushDeltaText({
			...whole,
			text: whole.text.slice(received.text),
			refusal: whole.refusal.slice(received.refusal),
			reasoning: whole.reasoning.slice(received.reasoning),
		});
		if (toolCalls.isEmpty) pushCalls(readCalls(message));
	};

	const pushChoice = (choice: JsonObject) => {
		hasChoice = true;
		const delta = asObject(choice['delta']);
		const message = delta ?? asObject(choice['message']);
		if (message === undefined) return;
		extra.addMessage(message);
		if (delta === undefined) return pushMessage(message);
		pushDeltaText(readDeltaText(delta));
		pushCalls(readCalls(delta));
	};

	const noteFinish = (choice: JsonObject) => {
		const reason = choice['finish_reason'];
		if (reason === undefined) return;
		hasFinishKey = true;
		if (typeof reason !== 'string') return;
		if (reason === '' || reason === 'null') unmeantReason = reason;
		else finishReason = moreSevere(finishReason, readFinishReason(reason));
	};

	/** Only of chunks with a choice: others may have empty names. */
	const noteIdentity = (chunk: JsonObject) => {
		if (id === '') id = asText(chunk['id']) ?? '';
		if (model === '') model = asText(chunk['model']) ?? '';
		created ??= asInteger(chunk['created']);
	};

	/** A chunk that reports an error may have text and usage too. */
	const pushChunk = (chunk: JsonObject, choice: JsonObject | undefined) => {
		usage = findUsage(chunk, choice) ?? usage;
		extra.addChunk(chunk, choice);
		if (choice === undefined) return;
		noteFinish(choice);
		noteIdentity(chunk);
		pushChoice(choice);
	};

	const release = () => {
		pushSplit(thinkTags.end());
		reasoning.end();
		endReasoning();
		text.end();
		refusal.end();
	};

	const hasText = () => !text.isBlank || !refusal.isBlank;

	const findEmptyReason = (): CompletionEvidence['emptyReason'] => {
		if (hasText() || !toolCalls.isEmpty) return undefined;
		return reasoning.isBlank ? 'nothing' : 'reasoning';
	};

	const push = (payload: JsonValue, eventName: string | undefined) => {
		const chunk = asObject(payload);
		const choice = chunk === undefined ? undefined : firstChoice(chunk);
		if (chunk !== undefined) pushChunk(chunk, choice);
		// Groq reports errors in a field of its own.
		const error =
			errorFromPayload(chunk?.['x_groq'], undefined, context) ??
			errorFromPayload(payload, eventName, context) ??
			errorFromPayload(choice, undefined, context);
		if (error !== undefined) throw error;
	};

	return {
		endMark: doneMarker,
		push,
		pushWhole(reply) {
			push(reply, undefined);
			return asObject(reply)?.['choices'] !== undefined;
		},
		plainTextOf,
		pushText,
		end(end) {
			release();
			const seen = {finishReason, hasFinishKey, hasChoice, hasText: hasText()};
			const outcome = judgeReply({...seen, emptyReason: findEmptyReason(), end}, context);
			if (outcome instanceof ChatError) throw outcome;
			const fields = extra.end();
			const reason: FinishReason = finishReason ?? {kind: 'unknown', raw: unmeantReason};
			for (const notice of [outcome, cutNotice(reason), extra.notice()]) {
				if (notice !== undefined) events.add({type: 'notice', notice});
			}
			toolCalls.finish(isCutReason(reason));
			events.add({
				type: 'step-end',
				finishReason: reason,
				usage: decodeUsage(usage),
				extra: fields,
			});
		},
		fail(error) {
			release();
			const {requestId} = context;
			return new ChatError(error.kind, error.message, {
				requestId,
				...error.details,
				finishReason,
				usage: decodeUsage(usage),
			});
		},
		take: () => events.take(),
		get isFinished() {
			return finishReason !== undefined;
		},
		isDone: false,
	};
}
