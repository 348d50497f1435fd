/** A reply as Responses JSON, as Open Responses defines it: a resource, and the events building it. */
import {randomBytes} from 'node:crypto';
import {asText, isJsonObject} from '../../json.ts';
import type {ResponseRequest} from '../request/check-response.ts';
import {sealReasoning} from '../sealed-reasoning.ts';
import {encodeBody, type ReplyEncoder, type ReplyEvent, type ReplyFacts} from './encoder.ts';
import type {CutReply, ReplyUsage} from './reply.ts';
import {splitTokens} from './tokens.ts';

type Fields = Readonly<Record<string, unknown>>;

type Part = Fields & {readonly text: string};

/** An output item, and how a stream builds it. */
type Item = {
	readonly id: string;
	/** The item as it begins, and when it is done. */
	readonly begun: Fields;
	readonly done: Fields;
	/** The events of its texts: `response.output_text` for `response.output_text.delta`. */
	readonly name: string;
	/** The events of the parts that the texts are in, and the field with their number. */
	readonly part?: {readonly name: string; readonly index: string};
	readonly parts: readonly Part[];
	/** Whether a done text is called `arguments`. */
	readonly isCall?: boolean;
	/** Fields of each event about a text. */
	readonly extra?: Fields;
};

/** The words of finish reasons that mean a whole answer. */
const wholeReasons: ReadonlySet<string> = new Set(['stop', 'tool_calls']);

export function responseEncoder(asked: ResponseRequest): ReplyEncoder {
	const id = makeId('resp');
	const open = (facts: ReplyFacts): Fields => ({
		id,
		object: 'response',
		created_at: facts.now(),
		completed_at: null,
		status: 'in_progress',
		incomplete_details: null,
		error: null,
		model: asked.request.model,
		output: [],
		usage: null,
		previous_response_id: null,
		store: false,
		background: false,
		service_tier: 'default',
		...asked.echo,
	});
	const close = (response: Fields, items: readonly Item[], reply: CutReply, facts: ReplyFacts) => ({
		...response,
		output: items.map(({done}) => done),
		usage: encodeUsage(facts.countUsage()),
		...encodeEnd(reply, facts),
	});
	return {
		encodeWhole(reply, facts) {
			return JSON.stringify(close(open(facts), makeItems(reply, asked), reply, facts));
		},
		*encodeEvents(reply, facts) {
			let number = 0;
			const event = (type: string, fields: Fields): ReplyEvent => {
				const data = JSON.stringify({type, sequence_number: number, ...fields});
				number += 1;
				return {name: type, data};
			};
			const response = open(facts);
			yield event('response.created', {response});
			yield event('response.in_progress', {response});
			const items = makeItems(reply, asked);
			for (const [place, item] of items.entries()) yield* encodeItem(item, place, event);
			const closed = close(response, items, reply, facts);
			// A fault may leave the end out.
			if (facts.fault.finish_reason !== undefined) return;
			yield event(`response.${closed.status}`, {response: closed});
		},
		encodeError(body, count) {
			if (!isJsonObject(body)) return {name: 'error', data: encodeBody(body)};
			const event = {type: 'error', sequence_number: count, ...body};
			return {name: asText(event.type) ?? 'error', data: JSON.stringify(event)};
		},
	};
}

function* encodeItem(
	{id, begun, done, name, part, parts, isCall = false, extra = {}}: Item,
	place: number,
	event: (type: string, fields: Fields) => ReplyEvent,
): Generator<ReplyEvent, void, undefined> {
	yield event('response.output_item.added', {output_index: place, item: begun});
	for (const [index, whole] of parts.entries()) {
		const at = {item_id: id, output_index: place, ...(part && {[part.index]: index})};
		if (part) yield event(`${part.name}.added`, {...at, part: {...whole, text: ''}});
		for (const delta of splitTokens(whole.text)) {
			yield event(`${name}.delta`, {...at, delta, ...extra});
		}
		yield event(`${name}.done`, {...at, [isCall ? 'arguments' : 'text']: whole.text, ...extra});
		if (part) yield event(`${part.name}.done`, {...at, part: whole});
	}
	yield event('response.output_item.done', {output_index: place, item: done});
}

function makeItems(reply: CutReply, asked: ResponseRequest): readonly Item[] {
	const {reasoning, content, toolCalls, finishReason} = reply;
	const hasText = content !== '' || toolCalls.length === 0;
	const last = toolCalls.length - 1;
	const statusOf = (isLast: boolean) =>
		isLast && !wholeReasons.has(finishReason) ? 'incomplete' : 'completed';
	return [
		...(reasoning === '' ? [] : [makeReasoning(reasoning, asked)]),
		...(hasText ? [makeMessage(content, statusOf(last < 0))] : []),
		...toolCalls.map((call, place): Item => {
			const id = makeId('fc');
			const head = {type: 'function_call', id, call_id: call.id, name: call.name};
			return {
				id,
				begun: {...head, arguments: '', status: 'in_progress'},
				done: {...head, arguments: call.arguments, status: statusOf(place === last)},
				name: 'response.function_call_arguments',
				parts: [{text: call.arguments}],
				isCall: true,
			};
		}),
	];
}

/** Each paragraph is a part of the summary. */
function makeReasoning(text: string, {isSummarized, isSealed}: ResponseRequest): Item {
	const id = makeId('rs');
	const paragraphs = isSummarized ? text.split('\n\n') : [];
	const summary = paragraphs.map((paragraph) => ({type: 'summary_text', text: paragraph}));
	const sealed = isSealed ? {encrypted_content: sealReasoning(text)} : {};
	return {
		id,
		begun: {type: 'reasoning', id, summary: []},
		done: {type: 'reasoning', id, summary, ...sealed},
		name: 'response.reasoning_summary_text',
		part: {name: 'response.reasoning_summary_part', index: 'summary_index'},
		parts: summary,
	};
}

function makeMessage(text: string, status: string): Item {
	const id = makeId('msg');
	const head = {type: 'message', id, role: 'assistant'};
	const logprobs: readonly never[] = [];
	const part = {type: 'output_text', text, annotations: [], logprobs};
	return {
		id,
		begun: {...head, status: 'in_progress', content: []},
		done: {...head, status, content: [part]},
		name: 'response.output_text',
		part: {name: 'response.content_part', index: 'content_index'},
		parts: [part],
		extra: {logprobs},
	};
}

/** `length` and other cuts are incomplete, `error` has failed. */
function encodeEnd({finishReason: reason}: CutReply, {fault, now}: ReplyFacts) {
	if (fault.finish_reason !== undefined) return {status: 'in_progress'};
	if (wholeReasons.has(reason)) return {status: 'completed', completed_at: now()};
	if (reason === 'error') {
		const error = {code: 'server_error', message: 'an error, as the scenario asks'};
		return {status: 'failed', error};
	}
	const details = {reason: reason === 'length' ? 'max_output_tokens' : reason};
	return {status: 'incomplete', incomplete_details: details};
}

/** The counts under this convention's names; scripted fields are added to them. */
function encodeUsage(usage: ReplyUsage) {
	const {prompt_tokens, completion_tokens, total_tokens, ...rest} = usage;
	const {prompt_tokens_details, completion_tokens_details, ...more} = rest;
	return {
		input_tokens: prompt_tokens,
		input_tokens_details: prompt_tokens_details ?? {cached_tokens: 0},
		output_tokens: completion_tokens,
		output_tokens_details: completion_tokens_details ?? {reasoning_tokens: 0},
		total_tokens,
		...more,
	};
}

function makeId(prefix: string): string {
	return `${prefix}_${randomBytes(16).toString('hex')}`;
}
