/** The log of the program llm, as JSON: one entry a turn, the newest first or last. */
import * as v from 'valibot';
import type {AssistantPart} from '../../chat/message.ts';
import type {Attachment} from '../../chat/prompt.ts';
import type {JsonObject} from '../../json.ts';
import {buildSession} from './build-turns.ts';
import {anything, dateTime, list, milliseconds, objectsOf, text, toolCall} from './fields.ts';
import type {ForeignConversation, ForeignMessage, ImportFormat} from './foreign.ts';
import {attach, readImageUrl} from './media.ts';

const entryFields = v.object({
	id: text,
	conversation_id: text,
	conversation_name: text,
	model: text,
	prompt: text,
	system: text,
	response: text,
	reasoning: text,
	datetime_utc: dateTime,
	duration_ms: milliseconds,
	prompt_fragments: list,
	system_fragments: list,
	attachments: list,
	tool_calls: list,
	tool_results: list,
});
type Entry = v.InferOutput<typeof entryFields>;

const fragmentFields = v.object({hash: text, content: text});
const attachmentFields = v.object({url: text, path: text});
const callFields = v.object({tool_call_id: text, name: text, arguments: anything});
const resultFields = v.object({tool_call_id: text, output: text, exception: anything});

type Group = {readonly place: string; readonly entries: Entry[]};

export const llmFormat: ImportFormat = {
	name: 'llm',
	detect: ({prompt, response, model}) =>
		(typeof prompt === 'string' || prompt === null) &&
		typeof response === 'string' &&
		typeof model === 'string',
	*read(pieces, {now}) {
		const groups = new Map<string, Group>();
		for (const {place, value} of pieces) {
			if (value === undefined || !llmFormat.detect(value)) {
				yield {place, problem: 'not an entry of a log'};
				continue;
			}
			const entry = v.parse(entryFields, value);
			// Very old entries have no conversation.
			const key = entry.conversation_id || `entry ${entry.id || place}`;
			const group = groups.get(key) ?? {place, entries: []};
			groups.set(key, group);
			group.entries.push(entry);
		}
		for (const {place, entries} of groups.values()) {
			yield {place, session: buildSession(readConversation(entries), now)};
		}
	},
};

function readConversation(unordered: readonly Entry[]): ForeignConversation {
	const entries = unordered.toSorted((a, b) => (a.datetime_utc ?? 0) - (b.datetime_utc ?? 0));
	const [first] = entries;
	const last = entries.at(-1);
	const omitted: string[] = [];
	return {
		id: first?.conversation_id || first?.id || '',
		title: first?.conversation_name ?? '',
		created: first?.datetime_utc,
		updated: last?.datetime_utc,
		model: last?.model ?? '',
		messages: entries.flatMap((entry) => readEntry(entry, omitted)),
		omitted,
	};
}

function readEntry(entry: Entry, omitted: string[]): readonly ForeignMessage[] {
	const {id, datetime_utc: at, duration_ms: duration = 0, prompt, system, model} = entry;
	const attachments = [
		...fragmentsOf(entry.prompt_fragments).map(
			({hash, content}): Attachment => ({
				type: 'file',
				name: hash.slice(0, 12) || 'fragment',
				text: content,
			}),
		),
		...objectsOf(entry.attachments).flatMap((value) => readAttachment(value, omitted)),
	];
	const results = objectsOf(entry.tool_results).map((value): ForeignMessage => {
		const result = v.parse(resultFields, value);
		const isError = typeof result.exception === 'string' && result.exception !== '';
		const parts = [{type: 'text', text: result.output} as const];
		return {role: 'tool', callId: result.tool_call_id, at, parts, isError};
	});
	// The entry after a call has its result, and mostly no prompt.
	const hasPrompt = prompt !== '' || attachments.length > 0 || results.length === 0;
	const answeredAt = at === undefined ? undefined : at + duration;
	return [
		...[...fragmentsOf(entry.system_fragments).map(({content}) => content), system].map(
			(value): ForeignMessage => ({role: 'system', text: value}),
		),
		...results,
		...(hasPrompt ? [{role: 'user', text: prompt, attachments, at} as const] : []),
		{role: 'assistant', parts: readAnswer(entry), id, model, at: answeredAt},
	];
}

function fragmentsOf(values: readonly unknown[]) {
	return objectsOf(values).map((value) => v.parse(fragmentFields, value));
}

/** Threat: a path in the log may be that of any file here, so none is read. */
function readAttachment(value: JsonObject, omitted: string[]): readonly Attachment[] {
	const {url} = v.parse(attachmentFields, value);
	const part = readImageUrl(url);
	if (part === undefined) omitted.push('attachment');
	return part === undefined ? [] : [attach(part, '')];
}

function readAnswer({reasoning, response, tool_calls}: Entry): readonly AssistantPart[] {
	const texts = [
		{type: 'reasoning', text: reasoning},
		{type: 'text', text: response},
	] as const;
	const calls = objectsOf(tool_calls).map((value): AssistantPart => {
		const {tool_call_id: callId, name, arguments: given} = v.parse(callFields, value);
		return toolCall(callId, name, given);
	});
	return [...texts.filter((part) => part.text !== ''), ...calls];
}
