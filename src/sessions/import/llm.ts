/** The log of the program llm, as JSON: one entry per turn, the newest first or last. */
import * as v from 'valibot';
import {textOutput} from '../../chat/tool-output.ts';
import {buildSession} from './build-turns.ts';
import {answerOf, anything, dateTime, listOf, milliseconds, text, toolCall} from './fields.ts';
import type {ForeignConversation, ForeignMessage, ImportFormat} from './foreign.ts';
import {attach, readImageUrl} from './media.ts';

const fragments = listOf({hash: text, content: text});
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
	prompt_fragments: fragments,
	system_fragments: fragments,
	/** Threat: a path may name any file here, so only addresses are read. */
	attachments: listOf({url: text}),
	tool_calls: listOf({tool_call_id: text, name: text, arguments: anything}),
	tool_results: listOf({tool_call_id: text, output: text, exception: anything}),
});
type Entry = v.InferOutput<typeof entryFields>;

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
	const files = entry.prompt_fragments.map(({hash, content}) => {
		return {type: 'file', name: hash.slice(0, 12) || 'fragment', text: content} as const;
	});
	const media = entry.attachments.flatMap(({url}) => attach(readImageUrl(url), '', omitted));
	const attachments = [...files, ...media];
	const results = entry.tool_results.map(({tool_call_id: callId, output, exception}) => {
		const isError = typeof exception === 'string' && exception !== '';
		return {role: 'tool', callId, at, ...textOutput(output, isError)} as const;
	});
	// The entry after a call has its result, and mostly no prompt.
	const hasPrompt = prompt !== '' || attachments.length > 0 || results.length === 0;
	const answeredAt = at === undefined ? undefined : at + duration;
	const systems = [...entry.system_fragments.map(({content}) => content), system];
	const calls = entry.tool_calls.map((call) => {
		return toolCall(call.tool_call_id, call.name, call.arguments);
	});
	const parts = answerOf({reasoning: entry.reasoning, text: entry.response}, calls);
	return [
		...systems.map((value) => ({role: 'system', text: value}) as const),
		...results,
		...(hasPrompt ? [{role: 'user', text: prompt, attachments, at} as const] : []),
		{role: 'assistant', parts, id, model, at: answeredAt},
	];
}
