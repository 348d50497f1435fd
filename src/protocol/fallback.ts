/**
 * What a service turned out to accept. Each field starts at the convention and moves one way only,
 * when a 400 or 422 names it; it is remembered for as long as the connection value lives.
 */
export type Dialect = {
	/** Whether an answer may be streamed. */
	readonly isStreamed: boolean;
	/** Whether these may be sent. */
	readonly hasTemperature: boolean;
	readonly hasTopP: boolean;
	/** Whether `stream_options` may be sent. */
	readonly hasStreamOptions: boolean;
	readonly tokenLimitField: 'max_tokens' | 'max_completion_tokens';
	/** Whether the reasoning of tool-calling messages is sent back. */
	readonly isReasoningReplayed: boolean;
	/** What an assistant message without text holds beside its tool calls. */
	readonly emptyContent: null | '';
	/** What `response_format` may be; what it may not is asked for in the system message. */
	readonly responseFormat: 'any' | 'json_object' | 'none';
};

export const defaultDialect: Dialect = {
	isStreamed: true,
	hasTemperature: true,
	hasTopP: true,
	hasStreamOptions: true,
	tokenLimitField: 'max_tokens',
	isReasoningReplayed: true,
	emptyContent: null,
	responseFormat: 'any',
};

/** What is known of a service before it is asked. */
export function dialectOf({hostname}: URL): Dialect {
	const isOpenAi = /(?:^|\.)api\.openai\.com$/.test(hostname);
	return isOpenAi ? {...defaultDialect, tokenLimitField: 'max_completion_tokens'} : defaultDialect;
}

type Lesson = {
	/** How the refusal names the field. */
	readonly pattern: RegExp;
	/** Whether the refused request held what the lesson changes. */
	applies(body: string): boolean;
	learn(dialect: Dialect): Dialect | undefined;
	readonly message: string;
};

/** A text that refuses the whole field, not a value that is out of range. */
const refusalOf = (field: string) =>
	new RegExp(
		String.raw`^(?=[\s\S]*\b${field}\b)(?=[\s\S]*(?:unsupported|(?:not|n't) support|only the default|not permitted))`,
		'i',
	);

/** The word alone: `stream_options` is another field. */
export const streamRefusal = new RegExp(
	`verified to stream|${refusalOf('stream(?:ing)?').source}`,
	'i',
);

export const temperatureRefusal = refusalOf('temperature');
export const topPRefusal = refusalOf('top_p');

const lessons: readonly Lesson[] = [
	{
		pattern: /response_format|json_schema/,
		applies: (body) => body.includes('"response_format":{"type":"json_schema"'),
		learn: (dialect) => ({...dialect, responseFormat: 'json_object'}),
		message:
			'this service does not support JSON Schema; retrying with the schema in the system message',
	},
	{
		pattern: /response_format|json_object/,
		applies: (body) => body.includes('"response_format":'),
		learn: (dialect) => ({...dialect, responseFormat: 'none'}),
		message:
			'this service does not support response_format; retrying with the format in the system message',
	},
	{
		pattern: /stream_options|include_usage/,
		applies: (body) => body.includes('"stream_options"'),
		learn: (dialect) =>
			dialect.hasStreamOptions ? {...dialect, hasStreamOptions: false} : undefined,
		message: 'this service does not support stream_options; retrying without it',
	},
	{
		pattern: /max_tokens|max_completion_tokens/,
		applies: (body) => /"max_(?:completion_)?tokens"/.test(body),
		learn: (dialect) =>
			dialect.tokenLimitField === 'max_tokens'
				? {...dialect, tokenLimitField: 'max_completion_tokens'}
				: undefined,
		message: 'retrying with max_completion_tokens, which this service requires',
	},
	{
		pattern: streamRefusal,
		applies: (body) => body.includes('"stream":true'),
		learn: (dialect) => (dialect.isStreamed ? {...dialect, isStreamed: false} : undefined),
		message: 'this service does not stream this model; retrying without streaming',
	},
	{
		pattern: temperatureRefusal,
		applies: (body) => body.includes('"temperature"'),
		learn: (dialect) => (dialect.hasTemperature ? {...dialect, hasTemperature: false} : undefined),
		message: 'this model does not support temperature; retrying without it',
	},
	{
		pattern: topPRefusal,
		applies: (body) => body.includes('"top_p"'),
		learn: (dialect) => (dialect.hasTopP ? {...dialect, hasTopP: false} : undefined),
		message: 'this model does not support top_p; retrying without it',
	},
	{
		pattern: /reasoning(?:_content|_details)?\b/,
		applies: (body) => /"reasoning(?:_content|_details)?"/.test(body),
		learn: (dialect) =>
			dialect.isReasoningReplayed ? {...dialect, isReasoningReplayed: false} : undefined,
		message: 'this service does not accept reasoning; retrying without it',
	},
	{
		pattern: /content/,
		applies: (body) => body.includes('"content":null'),
		learn: (dialect) =>
			dialect.emptyContent === null ? {...dialect, emptyContent: ''} : undefined,
		message: 'this service does not accept null as content; retrying with an empty text',
	},
];

/**
 * What a refusal teaches, or undefined if it names nothing that could be sent another way.
 *
 * @param said the service's own words: the address or the model may hold the name of a field
 * @param body the JSON text of the refused request
 */
export function learnDialect(
	dialect: Dialect,
	status: number | undefined,
	said: string,
	body: string,
): {readonly dialect: Dialect; readonly message: string} | undefined {
	if (status !== 400 && status !== 422) return undefined;
	for (const lesson of lessons) {
		if (!lesson.pattern.test(said) || !lesson.applies(body)) continue;
		const learned = lesson.learn(dialect);
		if (learned !== undefined) return {dialect: learned, message: lesson.message};
	}
	return undefined;
}
