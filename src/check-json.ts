/**
 * The one way from JSON that others wrote to typed values. A schema of valibot says what is allowed;
 * the first mistake becomes an error that names the field and says what it should be.
 */
import * as v from 'valibot';
import {findClosest} from './did-you-mean.ts';
import {isJsonObject, type JsonObject} from './json.ts';

type Issue = v.BaseIssue<unknown>;

/** The first mistake of a value. The message begins with the path. */
export class JsonMistake extends Error {
	override readonly name = 'JsonMistake';
	/** `messages[0].content`; null for the value as a whole. */
	readonly path: string | null;
	/** The message without the path. */
	readonly problem: string;
	readonly isMissing: boolean;

	constructor(path: string | null, problem: string, isMissing = false) {
		super(`${path ?? 'the value'} ${problem}`);
		this.path = path;
		this.problem = problem;
		this.isMissing = isMissing;
	}
}

/**
 * @param isQuoted whether messages quote values: no file of secrets allows it
 * @throws {JsonMistake}
 */
export function checkJson<const Schema extends v.GenericSchema>(
	schema: Schema,
	value: unknown,
	{isQuoted = false}: {readonly isQuoted?: boolean} = {},
): v.InferOutput<Schema> {
	const result = v.safeParse(schema, value, {abortEarly: true, message: describeExpected});
	if (result.success) return result.output;
	const [issue] = result.issues;
	const path = printPath(issue);
	if (isMissing(issue)) throw new JsonMistake(path, 'is missing', true);
	const {message, kind} = issue;
	const describe = isQuoted ? describeValue : describeType;
	const isShown = message.startsWith('must be ') && (kind === 'schema' || isQuoted);
	throw new JsonMistake(path, `${message}${isShown ? `, not ${describe(readValue(issue))}` : ''}`);
}

/** A field that may be absent. Null counts as absent, as the convention has it. */
export function optional<const Schema extends v.GenericSchema>(schema: Schema) {
	return v.pipe(
		v.nullish(schema),
		v.transform((value): v.InferOutput<Schema> | undefined => value ?? undefined),
	);
}

/** An object that may have more keys than these. */
export function looseObject<const Entries extends v.ObjectEntries>(entries: Entries) {
	type Input = v.InferInput<v.ObjectSchema<Entries, undefined>>;
	return v.pipe(v.custom<Input>(isJsonObject, 'must be an object'), v.object(entries));
}

/** An object whose values are of one kind, by names that a pattern allows. */
export function record<const Value extends v.GenericSchema>(
	name: RegExp,
	wrongName: string,
	value: Value,
) {
	type Input = Record<string, v.InferInput<Value>>;
	return v.pipe(
		v.custom<Input>(isJsonObject, 'must be an object'),
		refuse((values) => {
			const passedOver = ['__proto__', 'constructor', 'prototype'];
			const found = passedOver.find((name) => Object.hasOwn(values, name));
			return found && `must not have the name ${found}`;
		}),
		v.record(v.pipe(v.string(), v.regex(name, wrongName)), value),
	);
}

export function strictObject<const Entries extends v.ObjectEntries>(entries: Entries) {
	type Input = v.InferInput<v.ObjectSchema<Entries, undefined>>;
	const known = Object.keys(entries);
	return v.pipe(
		v.custom<Input>(isJsonObject, 'must be an object'),
		v.rawCheck<Input>(({dataset, addIssue}) => {
			const input: Readonly<Record<string, unknown>> = dataset.typed ? dataset.value : {};
			const key = Object.keys(input).find((name) => !known.includes(name));
			if (key === undefined) return;
			const closest = findClosest(key, known);
			const help =
				closest === undefined ? `known are ${known.join(', ')}` : `did you mean ${closest}?`;
			addIssue({
				message: `is not known; ${help}`,
				path: [{type: 'object', origin: 'key', input, key, value: input[key]}],
			});
		}),
		v.object(entries),
	);
}

/** Reports a problem, which is printed after the path; `key` names the field of the value at fault. */
export type Fail = (message: string, key?: string) => never;

/** Thrown by `Fail` alone. */
class Failure extends Error {
	readonly key: string | undefined;

	constructor(message: string, key: string | undefined) {
		super(message);
		this.key = key;
	}
}

/** Converts a value that its schema allows, or fails. */
export function read<Input, Output>(convert: (value: Input, fail: Fail) => Output) {
	return v.rawTransform<Input, Output>(({dataset: {value: input}, addIssue, NEVER}) => {
		try {
			return convert(input, (message, key) => {
				throw new Failure(message, key);
			});
		} catch (error) {
			if (!(error instanceof Failure)) throw error;
			const {message, key} = error;
			const step = {type: 'unknown', origin: 'value', input, key, value: undefined} as const;
			addIssue(key === undefined ? {message} : {message, path: [step]});
			return NEVER;
		}
	});
}

/** @param find returns the problem of a value, which is printed after the path */
export function refuse<Input>(find: (value: Input) => string | undefined) {
	return v.check<Input, (issue: v.CheckIssue<Input>) => string>(
		(value) => find(value) === undefined,
		({input}) => find(input) ?? '',
	);
}

export const jsonObject = v.custom<JsonObject>(isJsonObject, 'must be an object');

/** A text that says something. */
export const someText = v.pipe(v.string(), v.nonEmpty('must not be empty'));

export function numberFrom(minimum: number, maximum: number) {
	const message = `must be a number from ${minimum} to ${maximum}`;
	return v.pipe(v.number(message), v.minValue(minimum, message), v.maxValue(maximum, message));
}

export function integerFrom(minimum: number, maximum = Number.POSITIVE_INFINITY) {
	const range =
		maximum === Number.POSITIVE_INFINITY
			? `of at least ${minimum}`
			: `from ${minimum} to ${maximum}`;
	const message = `must be an integer ${range}`;
	const isInRange = (value: number) => value >= minimum && value <= maximum;
	return v.pipe(v.number(message), v.integer(message), v.check(isInRange, message));
}

function printPath({path}: Issue): string | null {
	const steps = path?.map(({key}) => (typeof key === 'number' ? `[${key}]` : `.${key}`));
	return steps?.join('').replace(/^\./, '') ?? null;
}

/** The value at the path; a check of a whole object may be about one of its fields. */
function readValue({path, input}: Issue): unknown {
	return path === undefined ? input : path.at(-1)?.value;
}

function isMissing(issue: Issue): boolean {
	return issue.kind === 'schema' && (readValue(issue) ?? undefined) === undefined;
}

const expectedOfType: Readonly<Record<string, string>> = {
	array: 'an array',
	boolean: 'a boolean',
	number: 'a number',
	string: 'a string',
};

/** Says what is expected where a schema does not say it itself. */
function describeExpected({type, expected}: Issue): string {
	const words = expected?.match(/"[^"]*"/g)?.map((word) => word.slice(1, -1)) ?? [];
	if (words.length > 1) return `must be one of ${words.join(', ')}`;
	if (words[0] !== undefined) return `must be "${words[0]}"`;
	return `must be ${expectedOfType[type] ?? 'an object'}`;
}

function describeValue(value: unknown): string {
	if (typeof value === 'number') return `the number ${value}`;
	if (typeof value === 'string') return `the string ${JSON.stringify(value.slice(0, 40))}`;
	return describeType(value);
}

function describeType(value: unknown): string {
	if (value === null || typeof value === 'boolean') return String(value);
	if (typeof value === 'number' || typeof value === 'string') return `a ${typeof value}`;
	return Array.isArray(value) ? 'an array' : 'an object';
}
