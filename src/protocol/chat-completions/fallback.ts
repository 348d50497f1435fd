import {
	jsonNotMentioned,
	streamRefusal,
	temperatureRefusal,
	topPRefusal,
} from '../errors/service-hint.ts';

/**
 * Other ways to send what a service refused. Each quirk changes once, when a 400 or 422 names its
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
};

/** Returns what is known of a service before the first request. */
export function quirksOf({hostname}: URL): Quirks {
	const isOpenAi = /(?:^|\.)api\.openai\.com$/.test(hostname);
	return isOpenAi ? {...noQuirks, tokenLimitField: 'max_completion_tokens'} : noQuirks;
}

/** The text before the images of tools, in a message of their own. */
export const toolImagesTitle = 'The images of the tool results above, in their order:';

type Row = {
	/** How a refusal names the field. */
	readonly pattern: RegExp;
	/** How the field looks in a request. */
	readonly sent: RegExp;
	readonly change: Partial<Quirks>;
	readonly message: string;
	/** Whether the words of the service follow the message. */
	readonly isReasonShown?: boolean;
	/** The field that is left out from now on. */
	readonly field?: string | undefined;
};

const rows: readonly Row[] = [
	{
		pattern: /response_format|(?:json|response)[_ ]?schema/i,
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
		pattern: /response_format|json_object/,
		sent: /"response_format":/,
		change: {responseFormat: 'none'},
		message:
			'this service does not support response_format; retrying with the format in the system message',
	},
	{
		pattern: /stream_options|include_usage/,
		sent: /"stream_options"/,
		change: {hasStreamOptions: false},
		message: 'this service does not support stream_options; retrying without it',
	},
	{
		pattern: /max_tokens|max_completion_tokens/,
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
		pattern: /reasoning(?:_content|_details)?\b/,
		sent: /"reasoning(?:_content|_details)?"/,
		change: {isReasoningReplayed: false},
		message: 'this service does not accept reasoning; retrying without it',
	},
	{
		pattern: /image|vision|multi-?modal/i,
		sent: new RegExp(toolImagesTitle),
		change: {hasToolImages: false},
		message: 'this model does not accept the images of tools; retrying with their names only',
	},
	{
		pattern: /content/,
		sent: /"content":null/,
		change: {emptyContent: ''},
		message: 'this service does not accept null as content; retrying with an empty text',
	},
];

/**
 * Returns how to send a refused request another way; undefined if the refusal names nothing of it.
 *
 * @param words the service's own: the address or the model may contain the name of a field
 * @param body the JSON text of the refused request
 */
export function findFallback(
	quirks: Quirks,
	status: number | undefined,
	words: string,
	body: string,
): (Pick<Row, 'message' | 'field'> & {readonly quirks: Quirks}) | undefined {
	if (status !== 400 && status !== 422) return undefined;
	for (const {pattern, sent, change, message, isReasonShown, field} of rows) {
		if (!pattern.test(words) || !sent.test(body)) continue;
		const isNew = Object.entries(change).some(([name, value]) => {
			return quirks[name as keyof Quirks] !== value;
		});
		if (!isNew) continue;
		const shown = isReasonShown === true ? `${message}: ${words}` : message;
		return {quirks: {...quirks, ...change}, message: shown, field};
	}
	return undefined;
}
