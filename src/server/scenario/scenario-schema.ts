/** A scenario file: its rules, and the requests they match. `play-scenario.ts` plays it. */
import * as v from 'valibot';
import {type Fail, integerFrom, optional, read, someText, strictObject} from '../../check-json.ts';
import {isJsonObject} from '../../json.ts';
import {type Fault, fault} from '../reply/fault.ts';
import {scriptedReply} from './reply-schema.ts';

/** All given conditions must hold; `is` is the whole text, trimmed. */
export type TextMatch = {
	readonly is?: string;
	readonly contains?: string | undefined;
	readonly matches?: RegExp;
};

/** Ranges with both ends in them; the number must be in one. */
export type Counts = ReadonlyArray<{readonly from: number; readonly to: number}>;

export type Scenario = v.InferOutput<typeof scenario>;
export type ScenarioRule = Scenario['rules'][number];
/** All given conditions must hold. */
export type Conditions = v.InferOutput<typeof conditions>;

const textMatch = v.pipe(
	strictObject({
		contains: optional(someText),
		matches: optional(someText),
		// Flags that keep no position between two uses.
		flags: optional(v.pipe(v.string(), v.regex(/^[imsu]*$/, 'must be letters of i, m, s and u'))),
	}),
	read(({contains, matches, flags}, fail): TextMatch => {
		if (matches !== undefined) return {contains, matches: readPattern(matches, flags, fail)};
		return contains === undefined ? fail('needs contains or matches') : {contains};
	}),
);

function readPattern(source: string, flags: string | undefined, fail: Fail) {
	try {
		return new RegExp(source, flags);
	} catch (error) {
		const message = error instanceof Error ? error.message : '';
		const reason = message.slice(message.lastIndexOf(': ') + 2);
		return fail(`is not a valid regular expression: ${reason}`, 'matches');
	}
}

const exactText = v.pipe(
	v.string('must be a text, or an object with contains or matches'),
	v.transform((text): TextMatch => ({is: text.trim()})),
);

/** `3`, `"2-4"` or `"3-"`. */
const countRange = v.pipe(
	v.unknown(),
	read((value, fail): Counts[number] => {
		const found = /^([1-9]\d*)(?: ?(-) ?([1-9]\d*)?)?$/.exec(String(value));
		const [, first, dash, last = Infinity] = found ?? [];
		const [from, to] = [Number(first), Number(dash === undefined ? first : last)];
		if (from <= to) return {from, to};
		return fail('must be a number from 1, or a range such as "2-4" or "3-"');
	}),
);

function oneOrMore<const Schema extends v.GenericSchema>(schema: Schema) {
	const one = v.pipe(
		schema,
		v.transform((value): readonly v.InferOutput<Schema>[] => [value]),
	);
	const list = v.array(schema);
	return optional(v.lazy((input) => (Array.isArray(input) ? list : one)));
}

const conditions = strictObject({
	prompt: optional(v.lazy((input) => (isJsonObject(input) ? textMatch : exactText))),
	model: optional(someText),
	turn: oneOrMore(countRange),
	nth: oneOrMore(countRange),
	stream: optional(v.boolean()),
	has: oneOrMore(v.picklist(['image', 'tools', 'tool_result', 'system', 'json'])),
});

const rule = v.pipe(
	strictObject({
		name: optional(someText),
		when: optional(conditions),
		times: optional(integerFrom(1)),
		reply: optional(scriptedReply),
		fault: optional(fault),
	}),
	read((fields, fail) => {
		const {reply} = fields;
		const faults: Fault = fields.fault ?? {};
		if (reply === undefined && fields.fault === undefined) fail('needs a reply, a fault or both');
		const replacing = (['status', 'close_before_head'] as const).find((key) => faults[key]);
		if (reply !== undefined && replacing !== undefined) {
			fail(`would never be sent, because of fault.${replacing}`, 'reply');
		}
		const {name, when = {}, times = Number.POSITIVE_INFINITY} = fields;
		return {name, when, times, reply, fault: faults};
	}),
);

export const scenario = v.pipe(
	strictObject({
		strict: optional(v.boolean()),
		window: optional(integerFrom(1)),
		replies: v.pipe(v.array(rule), v.minLength(1, 'must have at least one rule')),
	}),
	v.transform(({strict, window, replies}) => {
		const rules = replies.map(({name, ...one}, index) => {
			return {name: name ?? `replies[${index}]`, ...one};
		});
		return {isStrict: strict ?? false, window, rules};
	}),
);
