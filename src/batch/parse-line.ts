/** Parses a line of a batch's input: a prompt, fields, or a line of OpenAI's batch files. */
import * as v from 'valibot';
import {
	checkJson,
	type Fail,
	JsonMistake,
	jsonObject,
	looseObject,
	optional,
	read,
	someText,
	strictObject,
} from '../check-json.ts';
import {ChatError} from '../errors.ts';
import {isJsonObject, isTooDeep, type JsonObject, type JsonValue} from '../json.ts';
import {parseUserJson} from '../json-error.ts';

/** The fields of a line. Absent ones have their values from the command line. */
export type BatchLine = {
	/** Unique; `line-3` if the line has none. */
	readonly id: string;
	/** Undefined if the template needs none. */
	readonly prompt: string | undefined;
	readonly system?: string | undefined;
	readonly model?: string | undefined;
	/** Paths. */
	readonly files?: readonly string[] | undefined;
	/** Values for the template's parameters. */
	readonly params?: Readonly<Record<string, string>> | undefined;
	/** A JSON Schema, its file, or its fields in short. */
	readonly schema?: string | JsonObject | undefined;
	/** More fields of the request, by their names in it. */
	readonly fields?: JsonObject | undefined;
};

/** `lines`: a JSON value each. `text`: a prompt each. */
export type InputFormat = 'lines' | 'text';

/** Decides by the first non-blank line: JSON lines start with an object or a JSON string. */
export function detectFormat(first: string): InputFormat {
	const text = first.trim();
	if (text.startsWith('{')) return 'lines';
	return text.startsWith('"') && 'value' in parseUserJson(text) ? 'lines' : 'text';
}

const id = v.pipe(
	v.union([v.string(), v.number()], 'must be a string or a number'),
	v.transform(String),
	v.nonEmpty('must not be empty'),
	v.maxLength(200, 'must not be longer than 200 characters'),
);

const param = v.pipe(
	v.union([v.string(), v.number(), v.boolean()], 'must be a string, a number or a boolean'),
	v.transform(String),
);

const schema = v.custom<string | JsonObject>(
	(value) => typeof value === 'string' || isJsonObject(value),
	'must be a JSON Schema, or a string',
);

const ownLine = strictObject({
	id: optional(id),
	prompt: optional(v.string()),
	system: optional(v.string()),
	model: optional(someText),
	files: optional(v.array(someText)),
	params: optional(v.pipe(jsonObject, v.record(v.string(), param))),
	schema: optional(schema),
});

const textOfMessage = looseObject({
	role: v.picklist(['system', 'developer', 'user']),
	content: v.string(),
});

const body = v.pipe(
	jsonObject,
	read((fields: JsonObject, fail: Fail) => {
		const {model, messages, stream: _, stream_options: __, ...rest} = fields;
		const list = v.safeParse(v.array(textOfMessage), messages);
		const last = list.success ? list.output.at(-1) : undefined;
		const before = list.success ? list.output.slice(0, -1) : [];
		if (last?.role !== 'user' || before.some(({role}) => role === 'user')) {
			return fail('must be system messages and one user message, with texts', 'messages');
		}
		if (model !== undefined && typeof model !== 'string') return fail('must be a string', 'model');
		return {
			prompt: last.content,
			system: before.map(({content}) => content).join('\n\n') || undefined,
			model,
			fields: rest,
		};
	}),
);

const openAiLine = looseObject({
	custom_id: id,
	method: optional(v.literal('POST')),
	url: optional(v.literal('/v1/chat/completions')),
	body,
});

/**
 * @param number of the line, from 1
 * @throws {ChatError} `data` naming the field
 */
export function parseLine(text: string, format: InputFormat, number: number): BatchLine {
	const own = `line-${number}`;
	if (format === 'text') return {id: own, prompt: text};
	const parsed = parseUserJson(text);
	if ('problem' in parsed) throw new ChatError('data', parsed.problem.replace('line 1, ', ''));
	try {
		return {id: own, ...readValue(parsed.value)};
	} catch (error) {
		if (!(error instanceof JsonMistake)) throw error;
		throw new ChatError('data', error.message);
	}
}

function readValue(value: JsonValue): Omit<BatchLine, 'id'> & {readonly id?: string} {
	if (typeof value === 'string') return {prompt: value};
	if (isTooDeep(value)) throw new JsonMistake(null, 'is nested too deep');
	if (isJsonObject(value) && Object.hasOwn(value, 'custom_id')) {
		const {custom_id, body: fields} = checkJson(openAiLine, value);
		return {id: custom_id, ...fields};
	}
	const {id: given, prompt, ...others} = checkJson(ownLine, value);
	return {...(given !== undefined && {id: given}), prompt, ...others};
}
