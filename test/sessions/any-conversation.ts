/** Draws any conversation. */
import fc from 'fast-check';
import {
	applyChange,
	type Conversation,
	createConversation,
	type Turn,
} from '../../src/chat/conversation.ts';
import type {Attachment} from '../../src/chat/prompt.ts';
import type {JsonValue} from '../../src/json.ts';

/** Lines that some format gives a meaning to. */
const line = fc.constantFrom(
	...['## User', '\\## Assistant', '## Tool (failed) ', '<!-- chat text -->', '\\<!-- chat x'],
	...['```', '````json', '</details>', '<details><summary>Reasoning</summary>', '---'],
	...[
		'[media-1]: <data:,y>',
		'![a][media-1]',
		'-->',
		'\ufffd',
		'\ufeff',
		'a',
		' a ',
		'',
		' ',
		'\t',
	],
);
const lines = fc
	.tuple(fc.array(line, {maxLength: 6}), fc.constantFrom('\n', '\n', '\r\n', '\r', '\n\n'))
	.map(([list, end]) => list.join(end));
const text = fc.oneof(
	fc.string({unit: 'binary'}),
	fc.string(),
	fc.constant('\ud800 \0 \u2028 "\\'),
	lines,
);
export const anyText: fc.Arbitrary<string> = text;
const base64 = fc.uint8Array({maxLength: 40}).map((bytes) => Buffer.from(bytes).toString('base64'));
const json = fc.jsonValue() as fc.Arbitrary<JsonValue>;
const object = fc.dictionary(text, json, {maxKeys: 3});
const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, {nil: undefined});

const url = fc.oneof(
	base64.map((data) => `data:image/png;base64,${data}`),
	fc.constantFrom('https://example.com/a.png', 'data:image/png;base64,not base64', 'data:,x'),
);
const image = fc.record({type: fc.constant('image' as const), url});
const attachment: fc.Arbitrary<Attachment> = fc.oneof(
	fc.record({type: fc.constant('file' as const), name: text, text}),
	fc.record({type: fc.constant('image' as const), name: text, part: image}),
	fc.record({
		type: fc.constant('document' as const),
		name: text,
		part: fc.record({type: fc.constant('document' as const), name: text, url}),
	}),
	fc.record({
		type: fc.constant('audio' as const),
		name: text,
		part: fc.record({
			type: fc.constant('audio' as const),
			format: fc.constantFrom('wav' as const, 'mp3' as const),
			data: base64,
		}),
	}),
);

const status = fc.constantFrom('complete' as const, 'interrupted' as const, 'incomplete' as const);
const providerData = optional(object);
const answerPart = fc.oneof(
	fc.record({type: fc.constantFrom('text' as const, 'refusal' as const), text}),
	fc.record({type: fc.constant('reasoning' as const), text, providerData}),
	fc.record({
		type: fc.constant('tool-call' as const),
		call: fc.record({
			...{callId: text, name: text, arguments: text},
			...{isRunnable: fc.boolean(), providerData},
		}),
	}),
);
const outputPart = fc.oneof(
	fc.record({type: fc.constant('text' as const), text}),
	fc.record({type: fc.constant('json' as const), value: json}),
	image,
);
const place = optional(fc.nat());
const source = fc.record({url: text, title: optional(text), start: place, end: place});
const message = fc.oneof(
	fc.record({
		role: fc.constant('assistant' as const),
		parts: fc.array(answerPart, {maxLength: 3}),
		status,
		model: text,
		sources: optional(fc.array(source, {minLength: 1, maxLength: 3})),
	}),
	fc.record({
		role: fc.constant('tool' as const),
		callId: text,
		parts: fc.array(outputPart, {maxLength: 3}),
		isError: fc.boolean(),
	}),
);
const count = optional(fc.nat());
const anyTurn: fc.Arbitrary<Turn> = fc.record({
	id: fc.uuid(),
	model: text,
	prompt: fc.record({
		text,
		attachments: fc.array(attachment, {maxLength: 3}),
		folds: optional(fc.array(fc.record({from: fc.nat(), to: fc.nat(), label: text}))),
	}),
	messages: fc.array(message, {minLength: 1, maxLength: 3}),
	usage: optional(
		fc.record({
			...{promptTokens: count, completionTokens: count, reasoningTokens: count},
			...{totalTokens: count, raw: object},
		}),
	),
	times: fc.record({
		startedAt: fc.date({min: new Date(0), noInvalidDate: true}).map((date) => date.getTime()),
		reasoningMs: fc.double({min: 0, noNaN: true, noDefaultInfinity: true}),
		totalMs: fc.double({min: 0, noNaN: true, noDefaultInfinity: true}),
	}),
	status,
});

type AnyCompaction = {readonly kind: 'summary' | 'omission' | 'results'; readonly text: string};

const anyCompactions: fc.Arbitrary<readonly AnyCompaction[]> = fc.array(
	fc.record({kind: fc.constantFrom('summary', 'omission', 'results'), text}),
	{maxLength: 2},
);

/** Compacts the branch from its first and from its last turn on, if it has turns. */
function withCompactions(
	conversation: Conversation,
	compactions: readonly AnyCompaction[],
): Conversation {
	const ids = conversation.turns.map(({id}) => id);
	const [first = '', ...others] = ids;
	const last = others.at(-1) ?? first;
	if (first === '' || compactions.length === 0) return conversation;
	return {
		...conversation,
		compactions: compactions.map(({kind, text}, index) => ({
			...{id: `compaction-${index}`, parent: last, from: index === 0 ? first : last, to: last},
			...{kind, text: kind === 'summary' ? text : ''},
		})),
	};
}

/** Each number leads to the turn before one of the turns, the last one to the head. */
export const anyConversation: fc.Arbitrary<Conversation> = fc
	.tuple(
		fc.uniqueArray(anyTurn, {selector: ({id}) => id, maxLength: 5}),
		fc.array(fc.nat(), {minLength: 6, maxLength: 6}),
		anyCompactions,
	)
	.map(([turns, numbers, compactions]) => {
		const idAt = (place: number) => {
			const number = (numbers[place] ?? 0) % (place + 1);
			return turns[number - 1]?.id ?? null;
		};
		const otherTurns = turns.map((one, place) => ({turn: one, parent: idAt(place)}));
		const at = idAt(turns.length);
		const grown = {...createConversation(), otherTurns};
		return withCompactions(applyChange(grown, {type: 'head-moved', at}), compactions);
	});
