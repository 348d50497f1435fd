/**
 * Decodes one reply's chunks to one step's events. Knows what chunks mean, but not bytes. An
 * unstreamed reply is one chunk with a `message` for its delta.
 */
import {type FinishReason, isCutReason} from '../../finish-reason.ts';
import {
	asInteger,
	asObject,
	asText,
	isEmptyValue,
	type JsonObject,
	type JsonValue,
} from '../../json.ts';
import {type PayloadDecoder, parsePayload} from '../decode/payload-decoder.ts';
import {readCitations} from '../decode/sources.ts';
import {createStep} from '../decode/step.ts';
import {createThinkTagSplitter, type SplitText} from '../decode/think-tags.ts';
import type {ErrorContext} from '../errors/error-context.ts';
import {errorFromPayload} from '../errors/service-error.ts';
import {createChunkTemplate} from './chunk-template.ts';
import {citationsIn, createExtraCollector} from './decode-extra.ts';
import {doneMarker} from './json-types.ts';
import {
	type DeltaText,
	decodeUsage,
	findUsage,
	firstChoice,
	readCalls,
	readDeltaText,
} from './read-chunk.ts';
import {createToolCallAccumulator} from './tool-call-accumulator.ts';
import {readFinishReason} from './words.ts';

export function createChunkDecoder(context: ErrorContext, attempts: number): PayloadDecoder {
	const step = createStep(context, attempts);
	const {text, refusal, reasoning} = step;
	const thinkTags = createThinkTagSplitter();
	const toolCalls = createToolCallAccumulator(step);
	const extra = createExtraCollector();
	const template = createChunkTemplate();
	let isStarted = false;
	let hasFinishKey = false;
	let finishReason: FinishReason | undefined;
	/** An empty finish reason or the text `null`: reported, but without a meaning. */
	let unmeantReason: string | null = null;
	let usage: JsonObject | undefined;
	/** The field for the current reasoning, if it can be sent back. */
	let reasoningField: DeltaText['reasoningField'];
	const received = {text: 0, refusal: 0, reasoning: 0};

	const endReasoning = () => {
		if (reasoningField === undefined) return;
		reasoning.end();
		step.add({type: 'reasoning-end', providerData: {field: reasoningField}});
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
			if (!thinkTags.isOver) pushSplit(thinkTags.end());
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

	/** Some services send growing whole messages instead of deltas. */
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
		isStarted = true;
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
		else finishReason = readFinishReason(reason, finishReason);
	};

	/** A chunk with an error may carry text and usage too. */
	const pushChunk = (chunk: JsonObject, choice: JsonObject | undefined) => {
		usage = findUsage(chunk, choice) ?? usage;
		extra.addChunk(chunk, choice);
		if (choice === undefined) return;
		noteFinish(choice);
		// Chunks without a choice may have empty names.
		step.identify({
			id: asText(chunk['id']),
			model: asText(chunk['model']),
			created: asInteger(chunk['created']),
		});
		pushChoice(choice);
	};

	const release = () => {
		pushSplit(thinkTags.end());
		endReasoning();
	};

	const pushPayload = (payload: JsonValue, eventName: string | undefined) => {
		const chunk = asObject(payload);
		const choice = chunk === undefined ? undefined : firstChoice(chunk);
		if (chunk !== undefined) pushChunk(chunk, choice);
		// Groq has its own error field.
		const error =
			errorFromPayload(chunk?.['x_groq'], undefined, context) ??
			errorFromPayload(payload, eventName, context) ??
			errorFromPayload(choice, undefined, context);
		if (error !== undefined) throw error;
	};

	return {
		endMark: doneMarker,
		push(data, name) {
			const plain = name === undefined ? template.match(data) : undefined;
			const payload = plain === undefined ? parsePayload(data, name) : undefined;
			if (plain !== undefined) pushText(plain);
			else if (payload !== undefined) {
				pushPayload(payload, name);
				template.learn(data, payload);
			}
			return plain !== undefined || payload !== undefined;
		},
		pushWhole(reply) {
			pushPayload(reply, undefined);
			return asObject(reply)?.['choices'] !== undefined;
		},
		end(end) {
			const hasCalls = !toolCalls.isEmpty;
			// Gateways put an answer after its reasoning into a choice of its own.
			if (isStarted && text.isBlank && refusal.isBlank && !hasCalls) pushText(extra.takeText());
			release();
			step.finish({finishReason, hasFinishKey, isStarted, hasCalls}, end);
			const fields = extra.end();
			const sources = readCitations(citationsIn(fields));
			const notice = extra.notice(sources !== undefined);
			if (notice !== undefined) step.add({type: 'notice', notice});
			const reason: FinishReason = finishReason ?? {kind: 'unknown', raw: unmeantReason};
			toolCalls.finish(isCutReason(reason));
			step.add({
				type: 'step-end',
				finishReason: reason,
				usage: decodeUsage(usage),
				sources,
				extra: fields,
			});
		},
		fail(error) {
			release();
			return step.fail(error, {finishReason, usage: decodeUsage(usage)});
		},
		take: step.take,
		get isFinished() {
			return finishReason !== undefined;
		},
		isDone: false,
	};
}
