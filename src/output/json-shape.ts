/**
 * Results and events as the JSON output that the schemas in `schemas/` describe. Field names follow
 * the wire format. Secrets are redacted in every field except the answer, the reasoning and the
 * calls, which are exact.
 */
import type {CheckedQuotation} from '../chat/checked-quotation.ts';
import type {ChatEvent, Continuation, Notice} from '../chat/event.ts';
import type {ToolCall} from '../chat/message.ts';
import type {Source} from '../chat/source.ts';
import type {ToolOutput} from '../chat/tool.ts';
import {outputText} from '../chat/tool-output.ts';
import {type ChatError, hintOf} from '../errors.ts';
import {lineHint} from '../hint.ts';
import {type Redact, redactJson} from '../redact.ts';
import type {CallRecord} from './turn-result.ts';
import type {FinishedTurn, ResultContext} from './turn-writer.ts';

export function resultToJson({result, dataError, cost}: FinishedTurn, context: ResultContext) {
	const error = result.error ?? dataError;
	const hide = <Value>(value: Value) => redactJson(value, context.redact);
	return {
		id: hide(result.id),
		model: hide(result.model),
		created: result.created,
		// JSON has the last step only.
		content: context.part.type === 'json' ? result.answer : result.content,
		refusal: result.refusal === '' ? null : result.refusal,
		reasoning: result.reasoning,
		tool_calls: result.toolCalls.map(recordToJson),
		finish_reason: hide(result.finishReason?.raw ?? null),
		usage: hide(result.usage?.raw ?? null),
		total_usage: hide(result.totalUsage?.raw ?? null),
		cost: cost === undefined ? null : {usd: cost.usd, prices_of: cost.pricesOf},
		sources: hide(result.sources.map(sourceToJson)),
		quotes: result.quotations?.map(quotationToJson) ?? null,
		seams: hide(result.seams),
		extra: hide(result.extra ?? null),
		complete: result.isComplete,
		error: error === undefined ? null : hide(errorToJson(error)),
		notices: hide(result.notices.map(noticeToJson)),
		steps: result.steps,
		attempts: result.attempts,
		timing: {
			first_token_ms: roundMs(result.firstTokenMs),
			total_ms: roundMs(result.totalMs),
		},
		service: context.service,
		wire: context.wire,
		session: context.session(),
	};
}

/** Returns one event as one object; undefined for those that the output does not have, or has later. */
export function eventToJson(event: ChatEvent, redact: Redact): object | undefined {
	switch (event.type) {
		case 'step-start': {
			const {type, id, model, created = null, attempts} = event;
			return {type, ...redactJson({id, model, created, attempts}, redact)};
		}
		case 'tool-call-start':
			return {type: event.type, call_id: event.callId, name: event.name};
		case 'tool-call-delta':
			return {type: event.type, call_id: event.callId, text: event.text};
		case 'tool-call':
			return {type: event.type, ...callToJson(event.call)};
		case 'step-end': {
			const {type, finishReason, usage, sources = [], extra = null} = event;
			const fields = {
				finish_reason: finishReason.raw,
				usage: usage?.raw ?? null,
				sources: sources.map(sourceToJson),
				extra,
			};
			return {type, ...redactJson(fields, redact)};
		}
		case 'continuation':
			return {type: event.type, ...continuationToJson(event.continuation, redact)};
		case 'tool-decision': {
			const {type, callId, decision} = event;
			const edited = event.arguments === undefined ? {} : {arguments: event.arguments};
			const reason = event.reason === undefined ? {} : {reason: event.reason};
			return {type, call_id: callId, decision, ...edited, ...reason};
		}
		case 'tool-result':
			return {type: event.type, call_id: event.callId, ...outputToJson(event)};
		case 'notice':
			return {type: event.type, ...redactJson(noticeToJson(event.notice), redact)};
		case 'quotations-checked':
			return {type: event.type, quotes: event.quotations.map(quotationToJson)};
		case 'answer-rejected':
			return {type: event.type, problem: event.problem, final: event.isFinal};
		case 'reasoning-delta':
		case 'text-delta':
		case 'refusal-delta':
		case 'answer-unwrapped':
		case 'turn-end':
			return event;
		case 'reasoning-end':
		case 'trace':
		// Written with the result.
		case 'error':
			return undefined;
		default:
			return event satisfies never;
	}
}

function continuationToJson(continuation: Continuation, redact: Redact) {
	const {state} = continuation;
	if (state === 'asked') return {state, cause: continuation.cause};
	if (state === 'rejected') return {state, text: continuation.text};
	return {state, model: redact(continuation.model)};
}

function callToJson(call: ToolCall) {
	const {callId, name, isRunnable} = call;
	return {id: callId, name, arguments: call.arguments, runnable: isRunnable};
}

function recordToJson({call, result}: CallRecord) {
	return {...callToJson(call), ...(result === undefined ? {} : {result: outputToJson(result)})};
}

function outputToJson({parts, isError}: ToolOutput) {
	return {output: outputText({parts}), is_error: isError};
}

function sourceToJson({url, title, start, end}: Source) {
	return {url, title: title ?? null, start: start ?? null, end: end ?? null};
}

export function quotationToJson({text, found, places, named}: CheckedQuotation) {
	const [place] = places;
	return {
		text,
		found,
		file: place?.name ?? null,
		line: place?.line ?? null,
		named: named ?? null,
	};
}

function noticeToJson({code, message}: Notice) {
	return {code, message};
}

function errorToJson(error: ChatError) {
	const {status = null, code = null, requestId = null, retryable = false} = error.details;
	const {kind, message} = error;
	const hint = lineHint(hintOf(error) ?? '') || null;
	return {kind, message, status, code, request_id: requestId, hint, retryable};
}

function roundMs(milliseconds: number | null): number | null {
	return milliseconds === null ? null : Math.round(milliseconds);
}
