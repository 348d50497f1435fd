/**
 * Assembles tool calls from deltas.
 *
 * Invariant: nothing is decided before the step ends. Arguments that parse may still be the
 * beginning of longer ones (https://github.com/vercel/ai/issues/13137).
 *
 * Services disagree on what identifies a call: index, id, both, neither, one index for all, one id
 * for two. The rules are in `findEntry`, and their order matters.
 */
import type {ToolCall} from '../../chat/message.ts';
import {
	asArray,
	asInteger,
	asObject,
	asText,
	type JsonObject,
	type JsonValue,
	parseJson,
} from '../../json.ts';
import type {EventBatch, TextChannel} from '../decode/event-batch.ts';
import {finishCall} from '../decode/open-call.ts';

export interface ToolCallAccumulator {
	/** Takes one delta's `tool_calls`, in any shape. */
	add(deltas: JsonValue | undefined): void;
	/**
	 * Adds the finished step's calls, in order of appearance.
	 *
	 * @param isCut whether the answer was cut off, so that no call may run
	 */
	finish(isCut: boolean): void;
	readonly isEmpty: boolean;
}

type Entry = {
	/** The service's id, which may come late, or belong to another call too. */
	id: string | undefined;
	index: number | undefined;
	name: string;
	arguments: string;
	/** The last piece ended in a brace: the arguments may be whole. */
	isClosed: boolean;
	/** Number of characters parsed so far, counting repeats. */
	parsed: number;
	extra: JsonValue | undefined;
	/** The call's id in our events; empty until announced. */
	callId: string;
	/** The argument text. */
	readonly channel: TextChannel;
};

/** @param events receives the call events */
export function createToolCallAccumulator(
	events: EventBatch,
	createId: () => string = randomId,
): ToolCallAccumulator {
	const entries: Entry[] = [];
	const byId = new Map<string, Entry>();
	const byIndex = new Map<number, Entry>();
	const callIds = new Set<string>();

	const addEntry = (delta: Delta): Entry => {
		const {id, index} = delta;
		const entry: Entry = {
			id,
			index,
			name: '',
			arguments: '',
			isClosed: false,
			parsed: 0,
			extra: undefined,
			callId: '',
			channel: events.createChannel((text) => {
				return {type: 'tool-call-delta', callId: entry.callId, text};
			}),
		};
		entries.push(entry);
		if (id !== undefined && !byId.has(id)) byId.set(id, entry);
		if (index !== undefined) byIndex.set(index, entry);
		return entry;
	};

	/** Two calls may share one id; then the index decides. */
	const findKnown = (known: Entry, delta: Delta): Entry => {
		const {id, index} = delta;
		if (index === undefined || index === known.index) return known;
		const slot = byIndex.get(index);
		if (known.index === undefined) {
			known.index = index;
			if (slot === undefined) byIndex.set(index, known);
			return known;
		}
		if (slot !== undefined && slot.id === id) return slot;
		return delta.name === undefined ? known : addEntry(delta);
	};

	/** A new id means a new call, unless the call at its index has no id yet. */
	const findEntry = (delta: Delta): Entry => {
		const {id, index} = delta;
		const known = id === undefined ? undefined : byId.get(id);
		if (known !== undefined) return findKnown(known, delta);
		const last = id === undefined ? entries.at(-1) : undefined;
		const slot = index === undefined ? last : byIndex.get(index);
		const isTaken = id !== undefined && slot?.id !== undefined;
		if (slot === undefined || isTaken || startsNewCall(slot, delta)) return addEntry(delta);
		if (id !== undefined) byId.set(id, slot);
		slot.id ??= id;
		return slot;
	};

	const announce = (entry: Entry) => {
		const {id, name} = entry;
		entry.callId = id === undefined || callIds.has(id) ? createId() : id;
		callIds.add(entry.callId);
		events.add({type: 'tool-call-start', callId: entry.callId, name});
		entry.channel.push(entry.arguments);
	};

	const addDelta = (delta: Delta) => {
		const entry = findEntry(delta);
		entry.arguments += delta.arguments;
		const tail = delta.arguments.trimEnd();
		if (tail !== '') entry.isClosed = tail.endsWith('}');
		entry.extra = delta.extra ?? entry.extra;
		if (entry.callId !== '') return entry.channel.push(delta.arguments);
		entry.name = growName(entry.name, delta.name);
		if (entry.name !== '' && entry.id !== undefined) announce(entry);
	};

	return {
		add(deltas) {
			for (const item of asArray(deltas) ?? [deltas]) {
				const delta = readDelta(asObject(item) ?? {});
				if (!isEmptyDelta(delta)) addDelta(delta);
			}
		},
		finish(isCut) {
			for (const entry of entries) {
				if (entry.callId === '') announce(entry);
				entry.channel.end();
			}
			for (const entry of entries) events.add({type: 'tool-call', call: toCall(entry, isCut)});
		},
		get isEmpty() {
			return entries.length === 0;
		},
	};
}

type Delta = ReturnType<typeof readDelta>;

function readDelta(object: JsonObject) {
	const call = asObject(object['function']) ?? object;
	return {
		id: asText(object['id']),
		index: asInteger(object['index']),
		name: asText(call['name']),
		arguments: readArguments(call['arguments']),
		extra: object['extra_content'],
	};
}

/** Some services send an empty call with every answer. */
function isEmptyDelta({id, name, arguments: text, extra}: Delta): boolean {
	return id === undefined && name === undefined && text === '' && extra === undefined;
}

/** Some services send arguments as an object instead of text. */
function readArguments(value: JsonValue | undefined): string {
	if (typeof value === 'string') return value;
	return value === undefined || value === null ? '' : JSON.stringify(value);
}

/** A delta belongs to the open call at its place, unless that call is finished. */
function startsNewCall(entry: Entry, delta: Delta): boolean {
	if (delta.name === undefined || entry.name === '') return false;
	if (delta.name === entry.name)
		return delta.arguments.trimStart().startsWith('{') && isFinished(entry);
	return delta.index === undefined || isFinished(entry);
}

/** Whether the arguments are one object. Long ones in many pieces cost linear time. */
function isFinished(entry: Entry): boolean {
	const {length} = entry.arguments;
	if (!entry.isClosed || entry.parsed > 4 * length) return false;
	entry.parsed += length;
	return asObject(parseJson(entry.arguments)) !== undefined;
}

/** Names come once, repeatedly, or growing, but never in pieces. */
function growName(name: string, next: string | undefined): string {
	return next !== undefined && (name === '' || next.startsWith(name)) ? next : name;
}

function toCall(entry: Entry, isCut: boolean): ToolCall {
	return {
		...finishCall(entry, isCut),
		...(entry.extra === undefined ? {} : {providerData: {extra_content: entry.extra}}),
	};
}

const idAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Nine letters or digits: every known service accepts these. */
function randomId(): string {
	let id = '';
	for (let i = 0; i < 9; i++) id += idAlphabet[Math.floor(Math.random() * idAlphabet.length)];
	return id;
}
