/**
 * What a service turned out to accept. Each field starts at the convention and flips once, when a
 * 400 or 422 names it; the answer is remembered for as long as the connection value lives.
 */
export type Dialect = {
	/** Whether `stream_options` may be sent. */
	readonly hasStreamOptions: boolean;
	readonly tokenLimitField: 'max_tokens' | 'max_completion_tokens';
	/** Whether the reasoning of tool-calling messages is sent back. */
	readonly isReasoningReplayed: boolean;
	/** What an assistant message without text holds beside its tool calls. */
	readonly emptyContent: null | '';
	/** Whether a schema goes into `response_format`; else it stands in the system message. */
	readonly hasJsonSchema: boolean;
};

export const defaultDialect: Dialect = {
	hasStreamOptions: true,
	tokenLimitField: 'max_tokens',
	isReasoningReplayed: true,
	emptyContent: null,
	hasJsonSchema: true,
};

type Lesson = {
	/** How the refusal names the field. */
	readonly pattern: RegExp;
	/** Whether the refused request held what the lesson changes. */
	applies(body: string): boolean;
	learn(dialect: Dialect): Dialect | undefined;
	readonly message: string;
};

const lessons: readonly Lesson[] = [
	{
		pattern: /response_format|json_schema/,
		applies: (body) => body.includes('"response_format":{"type":"json_schema"'),
		learn: (dialect) => (dialect.hasJsonSchema ? {...dialect, hasJsonSchema: false} : undefined),
		message: 'the service does not take a JSON Schema; asking again with it in the system message',
	},
	{
		pattern: /stream_options|include_usage/,
		applies: (body) => body.includes('"stream_options"'),
		learn: (dialect) =>
			dialect.hasStreamOptions ? {...dialect, hasStreamOptions: false} : undefined,
		message: 'the service does not know stream_options; asking again without it',
	},
	{
		pattern: /max_tokens|max_completion_tokens/,
		applies: (body) => /"max_(?:completion_)?tokens"/.test(body),
		learn: (dialect) =>
			dialect.tokenLimitField === 'max_tokens'
				? {...dialect, tokenLimitField: 'max_completion_tokens'}
				: undefined,
		message: 'the service wants max_completion_tokens; asking again with it',
	},
	{
		pattern: /reasoning(?:_content|_details)?\b/,
		applies: (body) => /"reasoning(?:_content|_details)?"/.test(body),
		learn: (dialect) =>
			dialect.isReasoningReplayed ? {...dialect, isReasoningReplayed: false} : undefined,
		message: 'the service does not take reasoning back; asking again without it',
	},
	{
		pattern: /content/,
		applies: (body) => body.includes('"content":null'),
		learn: (dialect) =>
			dialect.emptyContent === null ? {...dialect, emptyContent: ''} : undefined,
		message: 'the service does not take an empty content; asking again with an empty text',
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
