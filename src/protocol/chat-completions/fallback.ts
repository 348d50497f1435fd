import type {ErrorDetails} from '../../errors.ts';
import {asText, parseJson} from '../../json.ts';
import {
	jsonNotMentioned,
	reasoningWithToolsRefusal,
	refusalOf,
	streamRefusal,
	temperatureRefusal,
	topPRefusal,
} from '../errors/service-hint.ts';

/**
 * Other ways to send what a service refused. Each quirk changes once, when a 400 or 422 refuses its
 * field, and is remembered for as long as the connection is used.
 */
export type Quirks = {
	/** Whether an answer may be streamed. */
	readonly isStreamed: boolean;
	/** Whether these may be sent. */
	readonly hasTemperature: boolean;
	readonly hasTopP: boolean;
	readonly hasStreamOptions: boolean;
	readonly tokenLimitField: 'max_tokens' | 'max_completion_tokens';
	/** Whether the reasoning of messages with tool calls is sent back. */
	readonly isReasoningReplayed: boolean;
	/** Whether the images that tools return are sent. */
	readonly hasToolImages: boolean;
	/** The content of an assistant message that has only tool calls. */
	readonly emptyContent: null | '';
	/** The formats that may be sent; the system message asks for any other one. */
	readonly responseFormat: 'any' | 'json_object' | 'none';
	/** Whether the system message asks for JSON as well. */
	readonly isJsonMentioned: boolean;
	/** The model that must not reason in a request with tools; other models may not know the field. */
	readonly toolModelWithoutReasoning: string | undefined;
};

export const noQuirks: Quirks = {
	isStreamed: true,
	hasTemperature: true,
	hasTopP: true,
	hasStreamOptions: true,
	tokenLimitField: 'max_tokens',
	isReasoningReplayed: true,
	hasToolImages: true,
	emptyContent: null,
	responseFormat: 'any',
	isJsonMentioned: false,
	toolModelWithoutReasoning: undefined,
};

/** Returns what is known of a service before the first request. */
export function quirksOf({hostname}: URL): Quirks {
	const isOpenAi = /(?:^|\.)api\.openai\.com$/.test(hostname);
	return isOpenAi ? {...noQuirks, tokenLimitField: 'max_completion_tokens'} : noQuirks;
}

/** The text before the images of tools, in a message of their own. */
export const toolImagesTitle = 'The images of the tool results above, in their order:';

type Row = {
	/** How a text refuses the field. */
	readonly pattern: RegExp;
	/** How an error names the field as its cause, if any complaint about it is a refusal. */
	readonly param?: RegExp;
	/** How the field looks in a request. */
	readonly sent: RegExp;
	readonly change: Partial<Quirks> | ((model: string) => Partial<Quirks>);
	readonly message: string;
	/** Whether the words of the service follow the message. */
	readonly isReasonShown?: boolean;
	/** The field that is left out from now on. */
	readonly field?: string | undefined;
};

/** A format has more ways to be wrong than most fields. */
const wrongFormat = 'invalid|unavailable|failed|must be|should be|expected';

const rows: readonly Row[] = [
	{
		pattern: refusalOf(['response[_ ]format|(?:json|response)[_ ]?schema'], wrongFormat),
		param: /response_format/,
		sent: /"response_format":\{"type":"json_schema"/,
		change: {responseFormat: 'json_object'},
		message: 'the service refused the JSON Schema; retrying with it in the system message',
		// It may support schemas, but not all of this one.
		isReasonShown: true,
	},
	{
		pattern: jsonNotMentioned,
		sent: /"response_format":\{"type":"json_object"/,
		change: {isJsonMentioned: true},
		message:
			'this service needs the word JSON in a message; retrying with it in the system message',
	},
	{
		pattern: refusalOf(['response[_ ]format|json_object'], wrongFormat),
		param: /response_format/,
		sent: /"response_format":/,
		change: {responseFormat: 'none'},
		message:
			'this service does not support response_format; retrying with the format in the system message',
	},
	{
		pattern: refusalOf(['stream_options|include_usage']),
		param: /stream_options/,
		sent: /"stream_options"/,
		change: {hasStreamOptions: false},
		message: 'this service does not support stream_options; retrying without it',
	},
	{
		pattern: refusalOf(['max_tokens'], String.raw`\buse\b.*\bmax_completion_tokens`),
		sent: /"max_tokens"/,
		change: {tokenLimitField: 'max_completion_tokens'},
		message: 'retrying with max_completion_tokens, which this service requires',
	},
	{
		pattern: streamRefusal,
		sent: /"stream":true/,
		change: {isStreamed: false},
		message: 'this service does not stream this model; retrying without streaming',
	},
	{
		pattern: temperatureRefusal,
		sent: /"temperature"/,
		change: {hasTemperature: false},
		message: 'this model does not support temperature; retrying without it',
		field: 'temperature',
	},
	{
		pattern: topPRefusal,
		sent: /"top_p"/,
		change: {hasTopP: false},
		message: 'this model does not support top_p; retrying without it',
		field: 'top_p',
	},
	{
		pattern: reasoningWithToolsRefusal,
		sent: /"tools":\[/,
		change: (model) => ({toolModelWithoutReasoning: model}),
		message:
			'this model cannot reason and use tools over chat completions; retrying without reasoning',
		field: 'reasoning_effort',
	},
	{
		pattern: refusalOf([String.raw`\breasoning(?:_content|_details)?\b`], 'remove'),
		param: /reasoning(?:_content|_details)?$/,
		sent: /"reasoning(?:_content|_details)?"/,
		change: {isReasoningReplayed: false},
		message: 'this service does not accept reasoning; retrying without it',
	},
	{
		pattern: refusalOf(
			['image|vision|multi-?modal'],
			'invalid|only|at most|exceed|too (?:large|many)|could not|unable|failed|missing|is not a',
		),
		sent: new RegExp(toolImagesTitle),
		change: {hasToolImages: false},
		message: 'the service refused the images of tools; retrying with their names only',
	},
	{
		pattern: refusalOf(
			[String.raw`\bcontent\b`],
			String.raw`\bnull|\bnil\b|\bNoneType\b|\bmissing|\b(?:is|are) (?:a )?required|\b(?:must|should) be a (?:valid )?string|(?:not|n't) be (?:null|empty|none)`,
		),
		sent: /"content":null/,
		change: {emptyContent: ''},
		message: 'this service does not accept null as content; retrying with an empty text',
	},
];

/**
 * Returns how to send a refused request another way; undefined if the refusal is about something else.
 *
 * @param refusal the service's own words: the address may contain the name of a field
 * @param body the JSON text of the refused request
 */
export function findFallback(
	quirks: Quirks,
	{status, serviceMessage = '', param = '', code}: ErrorDetails,
	body: string,
): (Pick<Row, 'message' | 'field'> & {readonly quirks: Quirks}) | undefined {
	if (status !== 400 && status !== 422) return undefined;
	const model = modelOf(body);
	// The name of the model may contain that of a field.
	const said = model === '' ? serviceMessage : serviceMessage.replaceAll(model, 'm');
	const words = `${said}\n${param.slice(0, 200)} ${code?.slice(0, 200)}`;
	for (const row of rows) {
		const {pattern, sent, message, isReasonShown, field} = row;
		const isRefused = pattern.test(words) || (param !== '' && row.param?.test(param) === true);
		if (!isRefused || !sent.test(body)) continue;
		const change = typeof row.change === 'function' ? row.change(model) : row.change;
		const isNew = Object.entries(change).some(([name, value]) => {
			return quirks[name as keyof Quirks] !== value;
		});
		if (!isNew) continue;
		const shown = isReasonShown === true ? `${message}: ${serviceMessage}` : message;
		return {quirks: {...quirks, ...change}, message: shown, field};
	}
	return undefined;
}

/** The model is the first field. */
function modelOf(body: string): string {
	const [, name = ''] = /^\{"model":("(?:[^"\\]|\\.)*")/.exec(body) ?? [];
	return asText(parseJson(name)) ?? '';
}
