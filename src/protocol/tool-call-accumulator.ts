/**
 * Puts tool calls together from their deltas.
 *
 * Invariant: nothing is decided before the step ends. Arguments that parse already may still be
 * the beginning of longer ones (https://github.com/vercel/ai/issues/13137).
 *
 * Services disagree on what identifies a call: index, id, both, neither, the same index for all,
 * the same id for two. The rules are in `findEntry`, and their order matters.
 */
import type {ChatEvent} from '../chat/event.ts';
import type {FinishClass} from '../chat/finish-reason.ts';
import type {JsonObject, JsonValue, ToolCall} from '../chat/message.ts';
import {asArray, asObject, asText, parseJson} from './json.ts';

export interface ToolCallAccumulator {
	/** Takes the `tool_calls` of one delta, of whatever shape. */
	add(deltas: JsonValue | undefined, events: ChatEvent[]): void;
	/** The calls of the finished step, in order of appearance. */
	finish(finish: FinishClass, events: ChatEvent[]): void;
	readonly isEmpty: boolean;
}

type Entry = {
	/** The id as the service gave it; a later one may still fill it. */
	id: string | undefined;
	/** What our events call it, once it has been announced. */
	callId: string | undefined;
	index: number | undefined;
	name: string;
	arguments: string;
	extra: JsonValue | undefined;
};

type Delta = {
	readonly id: string | undefined;
	readonly index: number | undefined;
	readonly name: string | undefined;
	readonly arguments: string;
	readonly extra: JsonValue | undefined;
};

export function createToolCallAccumulator(createId: () => string = randomId): ToolCallAccumulator {
	const entries: Entry[] = [];
	const byId = new Map<string, Entry>();
	const byIndex = new Map<number, Entry>();
	const callIds = new Set<string>();

	const addEntry = (delta: Delta, id: string | undefined): Entry => {
		const entry: Entry = {
			id,
			callId: undefined,
			index: delta.index,
			name: '',
			arguments: '',
			extra: undefined,
		};
		entries.push(entry);
		if (id !== undefined) byId.set(id, entry);
		if (delta.index !== undefined) byIndex.set(delta.index, entry);
		return entry;
	};

	const findKnown = (known: Entry, delta: Delta): Entry => {
		const isOther =
			delta.index !== undefined && known.index !== undefined && delta.index !== known.index;
		if (!isOther) return known;
		// Two calls may share one id; then the index tells them apart.
		const sibling = byIndex.get(delta.index);
		if (sibling !== undefined) return sibling;
		return delta.name === undefined ? known : addEntry(delta, undefined);
	};

	const findEntry = (delta: Delta): Entry => {
		const slot = delta.index === undefined ? undefined : byIndex.get(delta.index);
		if (delta.id !== undefined) {
			const known = byId.get(delta.id);
			if (known !== undefined) return findKnown(known, delta);
			if (slot === undefined || slot.id !== undefined) return addEntry(delta, delta.id);
			slot.id = delta.id;
			byId.set(delta.id, slot);
			return slot;
		}
		const candidate = delta.index === undefined ? entries.at(-1) : slot;
		if (candidate === undefined || startsNewCall(candidate, delta)) {
			return addEntry(delta, undefined);
		}
		return candidate;
	};

	const announce = (entry: Entry, events: ChatEvent[]) => {
		const isFree = entry.id !== undefined && !callIds.has(entry.id);
		const callId = isFree && entry.id !== undefined ? entry.id : createId();
		callIds.add(callId);
		entry.callId = callId;
		events.push({type: 'tool-call-start', callId, name: entry.name});
		if (entry.arguments !== '') {
			events.push({type: 'tool-call-delta', callId, text: entry.arguments});
		}
		return callId;
	};

	const addDelta = (delta: Delta, events: ChatEvent[]) => {
		const entry = findEntry(delta);
		if (entry.callId === undefined) entry.name = growName(entry.name, delta.name);
		entry.arguments += delta.arguments;
		entry.extra = delta.extra ?? entry.extra;
		if (entry.callId !== undefined) {
			if (delta.arguments !== '') {
				events.push({type: 'tool-call-delta', callId: entry.callId, text: delta.arguments});
			}
		} else if (entry.name !== '' && entry.id !== undefined) {
			announce(entry, events);
		}
	};

	return {
		add(deltas, events) {
			const list = asArray(deltas) ?? (asObject(deltas) === undefined ? [] : [deltas ?? null]);
			for (const item of list) {
				const object = asObject(item);
				if (object !== undefined) addDelta(readDelta(object), events);
			}
		},
		finish(finish, events) {
			const calls: ToolCall[] = [];
			for (const entry of entries) {
				calls.push(closeEntry(entry, entry.callId ?? announce(entry, events), finish));
			}
			for (const call of calls) events.push({type: 'tool-call', call});
		},
		get isEmpty() {
			return entries.length === 0;
		},
	};
}

function readDelta(object: JsonObject): Delta {
	const call = asObject(object['function']) ?? object;
	const index = object['index'];
	return {
		id: asText(object['id']),
		index: Number.isInteger(index) ? (index as number) : undefined,
		name: asText(call['name']),
		arguments: readArguments(call['arguments']),
		extra: object['extra_content'],
	};
}

/** Some services send the arguments as an object instead of its text. */
function readArguments(value: JsonValue | undefined): string {
	if (typeof value === 'string') return value;
	return asObject(value) === undefined ? '' : JSON.stringify(value);
}

/** A delta without an id belongs to the open call, unless that one is visibly finished. */
function startsNewCall(entry: Entry, delta: Delta): boolean {
	if (delta.name === undefined || entry.name === '') return false;
	const isFinished = isCompleteObject(entry.arguments);
	if (delta.name === entry.name) return isFinished && delta.arguments !== '';
	return isFinished || delta.index === undefined;
}

function isCompleteObject(text: string): boolean {
	return text.trimEnd().endsWith('}') && asObject(parseJson(text)) !== undefined;
}

/** Names come once, repeatedly, or growing; never as pieces to be joined. */
function growName(name: string, next: string | undefined): string {
	return next !== undefined && (name === '' || next.startsWith(name)) ? next : name;
}

function closeEntry(entry: Entry, callId: string, finish: FinishClass): ToolCall {
	const text = entry.arguments.trim() === '' ? '{}' : entry.arguments;
	const isWhole = finish === 'stop' || finish === 'tools';
	return {
		callId,
		name: entry.name,
		arguments: text,
		isRunnable: isWhole && entry.name !== '' && asObject(parseJson(text)) !== undefined,
		...(entry.extra === undefined ? {} : {extra: entry.extra}),
	};
}

const idAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Nine letters or digits: the only alphabet that every known service takes back. */
function randomId(): string {
	let id = '';
	for (let i = 0; i < 9; i++) id += idAlphabet[Math.floor(Math.random() * idAlphabet.length)];
	return id;
}
