/**
 * Session records: one JSON object per line. Lines are only added, or masked; a record of an
 * unknown type, and unknown fields, belong to another version and are left alone.
 */
import * as v from 'valibot';
import {cutCauses} from '../chat/event.ts';
import {ChatError} from '../errors.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../json.ts';

const json = v.custom<JsonValue>((value) => value !== undefined);
const jsonObject = v.custom<JsonObject>(isJsonObject);
const count = v.pipe(v.number(), v.minValue(0));
/** Names a file in the folder and nothing else, whatever a damaged record says. */
const blob = v.pipe(v.string(), v.regex(/^sha256-[0-9a-f]{64}$/));

const textPart = v.object({type: v.literal('text'), text: v.string()});
const mime = v.string();
const url = v.string();
const imageType = v.literal('image');
const imagePart = v.union([
	v.object({type: imageType, url}),
	v.object({type: imageType, blob, mime}),
]);
const documentType = {type: v.literal('document'), name: v.string()};
const documentPart = v.union([
	v.object({...documentType, url}),
	v.object({...documentType, blob, mime}),
]);
const audioType = {type: v.literal('audio'), format: v.picklist(['wav', 'mp3'])};
const audioPart = v.union([
	v.object({...audioType, data: v.string()}),
	v.object({...audioType, blob}),
]);

const attachment = v.variant('type', [
	v.object({type: v.literal('file'), name: v.string(), text: v.string()}),
	v.object({type: imageType, name: v.string(), part: imagePart}),
	v.object({type: v.literal('document'), name: v.string(), part: documentPart}),
	v.object({type: v.literal('audio'), name: v.string(), part: audioPart}),
]);

const folds = v.array(
	v.object({
		from: count,
		to: count,
		label: v.string(),
		attachments: v.optional(v.array(count)),
	}),
);

/** A prompt as typed. */
export const typed = v.object({
	text: v.string(),
	folds: v.optional(folds),
	/** The offsets of the at signs attaching files, and of the slash calling a command. */
	signs: v.optional(v.array(count)),
});

const call = v.object({
	callId: v.string(),
	name: v.string(),
	arguments: v.string(),
	isRunnable: v.boolean(),
	providerData: v.optional(jsonObject),
});
const assistantPart = v.variant('type', [
	v.object({
		type: v.literal('reasoning'),
		text: v.string(),
		providerData: v.optional(jsonObject),
	}),
	textPart,
	v.object({type: v.literal('refusal'), text: v.string()}),
	v.object({type: v.literal('tool-call'), call}),
]);
const toolParts = v.array(
	v.union([textPart, imagePart, v.object({type: v.literal('json'), value: json})]),
);
const sources = v.optional(
	v.array(
		v.object({
			url: v.string(),
			title: v.optional(v.string()),
			start: v.optional(count),
			end: v.optional(count),
		}),
	),
);
const quotations = v.array(
	v.object({
		text: v.string(),
		found: v.picklist(['verbatim', 'elsewhere', 'stitched', 'changed', 'absent']),
		places: v.pipe(v.array(v.object({name: v.string(), line: v.optional(count)})), v.readonly()),
		named: v.optional(v.string()),
	}),
);
const status = v.picklist(['complete', 'interrupted', 'incomplete']);
const message = v.variant('role', [
	v.object({
		role: v.literal('assistant'),
		parts: v.array(assistantPart),
		status,
		model: v.string(),
		sources,
	}),
	v.object({
		role: v.literal('tool'),
		callId: v.string(),
		parts: toolParts,
		isError: v.boolean(),
	}),
]);
const usage = v.object({
	promptTokens: v.optional(v.number()),
	cachedTokens: v.optional(v.number()),
	completionTokens: v.optional(v.number()),
	reasoningTokens: v.optional(v.number()),
	totalTokens: v.optional(v.number()),
	raw: jsonObject,
});

const finishReason = v.object({
	kind: v.picklist(['stop', 'length', 'filter', 'tool-calls', 'failed', 'unknown']),
	raw: v.nullable(v.string()),
});

const delta = (type: 'reasoning-delta' | 'text-delta' | 'refusal-delta') =>
	v.object({type: v.literal(type), text: v.string()});
/** The events making up an answer; see `ChatEvent`. */
const event = v.variant('type', [
	v.pipe(
		v.object({
			type: v.literal('step-start'),
			model: v.string(),
			requestedModel: v.string(),
			id: v.string(),
			created: v.optional(v.number()),
			attempts: v.number(),
		}),
		v.transform((start) => ({...start, created: start.created})),
	),
	delta('reasoning-delta'),
	delta('text-delta'),
	delta('refusal-delta'),
	v.object({type: v.literal('reasoning-end'), providerData: jsonObject}),
	v.object({type: v.literal('tool-call-start'), callId: v.string(), name: v.string()}),
	v.object({type: v.literal('tool-call'), call}),
	v.object({
		type: v.literal('continuation'),
		continuation: v.variant('state', [
			v.pipe(
				v.object({
					state: v.literal('asked'),
					cause: v.picklist(cutCauses),
					usage: v.optional(usage),
					count,
					limit: count,
				}),
				v.transform((asked) => ({...asked, usage: asked.usage})),
			),
			v.pipe(
				v.object({
					state: v.literal('joined'),
					id: v.string(),
					created: v.optional(v.number()),
					model: v.string(),
					attempts: count,
				}),
				v.transform((joined) => ({...joined, created: joined.created})),
			),
			v.pipe(
				v.object({
					state: v.literal('rejected'),
					text: v.string(),
					usage: v.optional(usage),
					attempts: count,
				}),
				v.transform((rejected) => ({...rejected, usage: rejected.usage})),
			),
		]),
	}),
	v.pipe(
		v.object({
			type: v.literal('step-end'),
			finishReason,
			usage: v.optional(usage),
			sources,
		}),
		v.transform((end) => ({...end, usage: end.usage})),
	),
	v.object({
		type: v.literal('tool-result'),
		callId: v.string(),
		parts: toolParts,
		isError: v.boolean(),
	}),
	v.object({type: v.literal('answer-rejected'), problem: v.string(), isFinal: v.boolean()}),
]);

const id = v.pipe(v.string(), v.minLength(1));
const isoTime = v.pipe(
	v.string(),
	v.check((text) => !Number.isNaN(Date.parse(text))),
);

const schemas = {
	/** The first record. */
	session: v.object({
		v: v.number(),
		type: v.literal('session'),
		id,
		created: isoTime,
		cwd: v.string(),
		/** The session this one copies. */
		forkOf: v.nullish(id),
		/** The conversation from another program this one copies: `chatgpt:…`. */
		source: v.nullish(id),
		/** When a run finding it deleted wrote it again. */
		restored: v.optional(v.number()),
	}),
	/** The following turns' settings. */
	settings: v.object({
		type: v.literal('settings'),
		model: v.string(),
		/** The base URL; empty if the conversation comes from another program. */
		service: v.string(),
		system: v.string(),
		/** Other request options, by their settings' names. */
		options: jsonObject,
	}),
	/** A prompt; its id is its turn's. */
	user: v.object({
		type: v.literal('user'),
		id,
		/** The turn before it; null for the first one. */
		parent: v.nullable(id),
		at: isoTime,
		model: v.string(),
		text: v.string(),
		attachments: v.array(attachment),
		folds: v.optional(folds),
		/** The text as typed, if it attached files or called a template. */
		typed: v.optional(typed),
	}),
	/** Part of an answer under way; it counts only without an answer after it. */
	partial: v.object({
		type: v.literal('partial'),
		of: id,
		/** Milliseconds since the prompt. */
		ms: v.number(),
		events: v.array(event),
	}),
	/** The whole answer, with tool results. The last one counts: a cut answer may go on. */
	answer: v.object({
		type: v.literal('answer'),
		of: id,
		status,
		messages: v.array(message),
		usage: v.optional(usage),
		/** Why the service cut it off, if it did. */
		cut: v.optional(finishReason),
		quotations: v.optional(quotations),
		reasoningMs: v.number(),
		totalMs: v.number(),
	}),
	/** The last one is the title. */
	title: v.object({type: v.literal('title'), text: v.string()}),
	/** Stands for turns in requests; see `Compaction`. */
	compact: v.object({
		type: v.literal('compact'),
		id,
		/** The last turn before it. */
		parent: id,
		/** The first and the last turn it stands for. */
		from: id,
		to: id,
		kind: v.optional(v.picklist(['summary', 'omission', 'results']), 'summary'),
		text: v.optional(v.string(), ''),
	}),
	/** Takes a compaction back. */
	uncompact: v.object({type: v.literal('uncompact'), of: id}),
	/** The conversation continues after that turn; null is its start. */
	head: v.object({type: v.literal('head'), at: v.nullable(id)}),
} as const;

type Schemas = typeof schemas;

export type RecordOf<Type extends keyof Schemas> = v.InferOutput<Schemas[Type]>;

export type SessionRecord = {readonly [Type in keyof Schemas]: RecordOf<Type>}[keyof Schemas];

export type StoredPart =
	| v.InferOutput<typeof imagePart>
	| v.InferOutput<typeof documentPart>
	| v.InferOutput<typeof audioPart>;

/** Fields whose texts never come from a person, a model or a tool. */
export const wordFields: ReadonlySet<string> = new Set([
	...['type', 'id', 'of', 'parent', 'from', 'to', 'at', 'created', 'forkOf'],
	...['role', 'status', 'state', 'cause', 'kind', 'format', 'mime', 'blob', 'callId'],
]);

/** Fields with any JSON inside, in which names may be texts, too. */
export const anyJsonFields: ReadonlySet<string> = new Set([
	'options',
	'providerData',
	'raw',
	'value',
]);

/** An unchecked record. */
export type RawRecord = Readonly<Record<string, unknown>>;

export function isRecordType(word: string): word is keyof Schemas {
	return Object.hasOwn(schemas, word);
}

/** Returns undefined for an invalid record, and `unknown` for one from another version. */
export function checkRecord(value: RawRecord): SessionRecord | 'unknown' | undefined {
	const {type} = value;
	if (typeof type !== 'string') return undefined;
	if (!isRecordType(type)) return 'unknown';
	const result = v.safeParse(schemas[type], value, {abortEarly: true});
	return result.success ? result.output : undefined;
}

/** @throws {ChatError} `data` if the record is not valid; the message names the place and the problem */
export function requireRecord<Type extends keyof Schemas>(
	type: Type,
	value: RawRecord,
): RecordOf<Type> {
	const result = v.safeParse(schemas[type], {type, ...value}, {abortEarly: true});
	if (result.success) return result.output;
	const [issue] = result.issues;
	const place = v.getDotPath(issue);
	throw new ChatError('data', place === null ? issue.message : `${place}: ${issue.message}`);
}
