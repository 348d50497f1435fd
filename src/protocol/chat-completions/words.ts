/** Words used by chat-completions services: what they refuse, what follows, and why answers end. */
import {joinHints} from '../../hint.ts';
import {createFinishReader} from '../decode/finish-words.ts';
import {leaveOutHint, modelChoiceHint} from '../errors/common-refusals.ts';
import type {PartRefusal} from '../errors/error-context.ts';
import {rangeRefusal, refusalOf, sentenceWith, valueRefusal} from '../errors/refusal-words.ts';

/** A format has more ways to be wrong than most fields. */
const wrongFormat = 'invalid|unavailable|failed|must be|should be|expected';

/** Either the answer does not match the format, or a tool's schema is meant. */
const otherJson =
	/json_validate_failed|failed_generation|\btools\[|function\.parameters|schema (?:for|of|in) (?:the )?(?:tool|function)/;

/** A field with an option, supported by some models only. Left out once refused. */
function fieldOfModel<Name extends string>(name: Name) {
	return {
		about: name,
		field: name,
		pattern: refusalOf([String.raw`\b${name}\b`]),
		unless: rangeRefusal,
		isOfModel: true,
		notice: `this model does not support ${name}; retrying without it`,
	};
}

/**
 * Order matters. After a refusal, `encode-request.ts` sends each part with a `notice` in another
 * way, and finds it by `about`.
 */
const rows = [
	{
		about: 'json_schema',
		pattern: refusalOf(['response[_ ]format|(?:json|response)[_ ]?schema'], wrongFormat),
		param: /response_format/,
		unless: otherJson,
		isOfModel: true,
		notice: 'the service refused the JSON Schema; retrying with it in the system message',
		// The service may support schemas, but not everything in this one.
		isReasonShown: true,
	},
	{
		about: 'unmentioned JSON',
		pattern: /must contain the word '?json/i,
		notice: 'this service needs the word JSON in a message; retrying with it in the system message',
		hint: {
			line: 'Mention JSON in the prompt or in the system message (-s).',
			repl: 'Mention JSON in the prompt or in the system message (/system).',
		},
	},
	{
		about: 'response_format',
		pattern: refusalOf(['response[_ ]format|json_object'], wrongFormat),
		param: /response_format/,
		unless: otherJson,
		notice:
			'this service does not support response_format; retrying with the format in the system message',
	},
	{
		about: 'stream_options',
		pattern: refusalOf(['stream_options|include_usage']),
		param: /stream_options/,
		notice: 'this service does not support stream_options; retrying without it',
	},
	{
		about: 'max_tokens',
		field: 'max_tokens',
		pattern: refusalOf(['max_tokens'], String.raw`\buse\b.*\bmax_completion_tokens`),
		unless: rangeRefusal,
		notice: 'retrying with max_completion_tokens, which this service requires',
	},
	{
		about: 'stream',
		// The word alone: `stream_options` is another field.
		pattern: refusalOf([String.raw`\bstream(?:ing)?\b`], 'verified to stream'),
		isOfModel: true,
		notice: 'this service does not stream this model; retrying without streaming',
		hint: {line: 'Use --no-stream.', repl: 'Use /set stream false.'},
	},
	fieldOfModel('temperature'),
	fieldOfModel('top_p'),
	{
		// Some OpenAI models reason even without the field.
		about: 'reasoning with tools',
		pattern: refusalOf([String.raw`\btools?\b`, 'reasoning.?effort']),
		field: 'reasoning_effort',
		isOfModel: true,
		notice:
			'this model cannot reason and use tools over chat completions; retrying without reasoning',
		hint: 'Use --reasoning-effort none (in a session: /set reasoning_effort none), leave out the tools, use --wire responses, or choose another model with -m.',
	},
	{
		about: 'chat completions',
		statuses: [400, 404],
		pattern:
			/\bnot a chat model\b|\b(?:in|use|using|with|through) (?:the )?(?:\/?v1\/responses|responses api)\b/i,
		hint: modelChoiceHint(
			'The model does not support chat completions; it may need the Responses API, as with --wire responses. Or choose another',
		),
	},
	{
		about: 'reasoning_effort',
		pattern: refusalOf([String.raw`\breasoning_?effort|\bthinking\b`]),
		unless: valueRefusal,
		hint: ({context}) =>
			context.chosenFields?.includes('reasoning_effort') === true
				? joinHints(reasoningHint, leaveOutHint('reasoning_effort', context))
				: undefined,
	},
	{
		about: 'earlier reasoning',
		pattern: refusalOf([String.raw`\breasoning(?:_content|_details)?\b(?! effort)`], 'remove'),
		param: /reasoning(?:_content|_details)?$/,
		notice: 'this service does not accept reasoning; retrying without it',
	},
	{
		about: 'images of tools',
		pattern: refusalOf(
			[String.raw`\bimages?(?:_url)?\b|\bvision\b|\bmulti-?modal`],
			'invalid|only|at most|exceed|too (?:large|many)|could not|unable|failed|missing|is not a',
		),
		isOfModel: true,
		notice: 'the service refused the images of tools; retrying with their names only',
	},
	{
		about: 'null content',
		pattern: sentenceWith(
			// A nested field, such as `content[0].type`, is another complaint.
			String.raw`\bcontent\b(?!\.?\[?\d)`,
			String.raw`\bnull|\bnil\b|\bNoneType\b|\bmissing|\b(?:is|are) (?:a )?required|\b(?:must|should) be a (?:valid )?string|(?:not|n't) be (?:null|empty|none)`,
		),
		notice: 'this service does not accept null as content; retrying with an empty text',
	},
] as const satisfies readonly PartRefusal[];

const reasoningHint = {
	line: 'The model may not reason (chat models show), or take another field, as in -O thinking.type=enabled.',
	repl: 'The model may not reason, or take another field, as in /set thinking.type=enabled.',
};

export const refusals: readonly PartRefusal[] = rows.map((row) => ({
	statuses: [400, 422],
	...row,
}));

/** Request parts with an alternative form. */
export type OptionalPart = Extract<(typeof rows)[number], {readonly notice: string}>['about'];

/** Proxies send words from other conventions too. */
export const readFinishReason = createFinishReader({
	stop: 'stop eos eos_token eos_found end_turn stop_sequence complete completed finish',
	'tool-calls': 'tool_calls tool_call tool_use function_call',
	length: `length limit max_tokens max_output_tokens max_completion_tokens token_limit model_length
		context_length context_length_exceeded model_context_window_exceeded error_limit`,
	filter: `content_filter content_filtered sensitive refusal safety recitation blocklist
		prohibited_content spii language guardrail_intervened model_armor error_toxic image_safety
		image_recitation image_prohibited_content`,
	failed: `error failed abort aborted cancelled user_cancel timeout time_limit network_error
		insufficient_system_resource incomplete malformed_function_call malformed_response
		malformed_model_output malformed_tool_use function_call_filter unexpected_tool_call
		too_many_tool_calls missing_thought_signature pause_turn`,
});
