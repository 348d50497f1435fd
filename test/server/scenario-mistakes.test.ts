import {describe, expect, test} from 'vitest';
import {ChatError} from '../../src/errors.ts';
import {parseScenario} from '../../src/server/scenario/parse-scenario.ts';

async function mistakeIn(text: string): Promise<string> {
	try {
		await parseScenario(text, 's.yaml');
	} catch (error) {
		if (!(error instanceof ChatError)) throw error;
		expect(error.kind).toBe('data');
		return error.message;
	}
	throw new Error('there is no mistake');
}

/** A rule with this fault or reply on its first line. */
const fault = (text: string) => `replies:\n  - fault: ${text}`;
const reply = (text: string) => `replies:\n  - reply: ${text}`;
const when = (text: string) => `replies:\n  - reply: x\n    when: ${text}`;

const duration = 'a duration such as 500ms, 2s or 1m, or a number of milliseconds, up to a day';

/** A mistake in the condition, reply or fault of the first rule. */
type Row = readonly [text: string, message: string];

const ofCondition: readonly Row[] = [
	[
		'{prompt: 3}',
		'.prompt must be a text, or an object with contains or matches, not the number 3',
	],
	[
		'{prompt: {matches: "(x"}}',
		'.prompt.matches is not a valid regular expression: Unterminated group',
	],
	[
		'{prompt: {matches: x, flags: g}}',
		'.prompt.flags must be letters of i, m, s and u, not the string "g"',
	],
	[
		'{turn: 0}',
		'.turn must be a number from 1, or a range such as "2-4" or "3-", not the number 0',
	],
];

const ofReply: readonly Row[] = [
	[
		'{tool_calls: [{name: f, arguments: 3}]}',
		'.tool_calls[0].arguments must be an object, or a text to send unchanged, not the number 3',
	],
	[
		'{chunks: [x, 3]}',
		'.chunks[1] must be a text or a delta, which is an object, not the number 3',
	],
	['{chunks: [x], text: y}', '.text cannot be used with chunks, which hold the whole reply'],
];

const ofFault: readonly Row[] = [
	['{delay: 2 hours}', `.delay must be ${duration}, not the string "2 hours"`],
	['{keep_alive_comments: 1ms}', '.keep_alive_comments must be at least 5ms, not the string "1ms"'],
	[
		'{status: 429, retry_after: soon}',
		'.retry_after must be a number of seconds, a duration such as 2s, or {date: 2s}, not the string "soon"',
	],
	['{status: 500, done: missing}', '.done cannot happen together with status'],
	[
		'{close_before_head: true, status: 500}',
		'.status cannot happen together with close_before_head',
	],
	['{close_before_head: false}', '.close_before_head must be true, fin or reset, not false'],
	['{headers: {"a b": x}}', '.headers.a b is not a valid header name'],
	['{headers: {a: "x\\r\\ny"}}', '.headers.a has characters that are not allowed in a header'],
	[
		'{headers: {Content-Length: 3}}',
		'.headers.Content-Length is set by the service; cut makes a body too short',
	],
	['{cut: {after_events: 1, after_bytes: 1}}', '.cut needs either after_events or after_bytes'],
	['{body: x}', '.body needs a status beside it'],
];

describe('a scenario with a mistake says which', () => {
	test.each<Row>([
		['', 'a scenario is an object with the key replies, a list of rules'],
		['replies: []', 'replies must have at least one rule (line 1)'],
		['strict: on\nreplies: [{reply: x}]', 'strict must be a boolean, not the string "on" (line 1)'],
		['replies:\n  - {}', 'replies[0] needs a reply, a fault or both (line 2)'],
		[
			'replies:\n  - times: 0',
			'replies[0].times must be an integer of at least 1, not the number 0 (line 2)',
		],
		[
			'replies:\n  - reply: x\n  - reply: y\n    whem:\n      prompt: z',
			'replies[1].whem is not known; did you mean when? (line 5)',
		],
		[
			'replies:\n  - reply: x\n    fault: {status: 500}',
			'replies[0].reply would never be sent, because of fault.status (line 2)',
		],
		['replies:\n  - reply: "x\n', 'line 3, column 1: Missing closing "quote'],
		[
			'replies: *none',
			'its aliases cannot be resolved: Unresolved alias (the anchor must be set before the alias): none',
		],
		...ofCondition.map(
			([text, message]): Row => [when(text), `replies[0].when${message} (line 3)`],
		),
		...ofReply.map(([text, message]): Row => [reply(text), `replies[0].reply${message} (line 2)`]),
		...ofFault.map(([text, message]): Row => [fault(text), `replies[0].fault${message} (line 2)`]),
	])('%j', async (text, message) => {
		expect(await mistakeIn(text)).toBe(`s.yaml: ${message}`);
	});
});

describe('a scenario', () => {
	const rules = [{reply: {text: 'x', tool_calls: [{name: 'f'}]}, when: {prompt: {matches: '^a'}}}];

	test.each([
		[
			'YAML',
			'replies:\n  - when: {prompt: {matches: ^a}}\n    reply: {text: x, tool_calls: [{name: f}]}',
		],
		['JSON with a byte order mark', `\ufeff${JSON.stringify({replies: rules})}`],
	])('may be %s', async (_, text) => {
		const scenario = await parseScenario(text, 's');
		expect(scenario.rules).toMatchObject([
			{name: 'replies[0]', reply: {content: 'x', toolCalls: [{name: 'f', arguments: '{}'}]}},
		]);
	});

	test('may reuse its parts with anchors and merge keys', async () => {
		const {rules} = await parseScenario(
			'replies:\n  - &slow {reply: x, fault: {delay: 1.5s}}\n  - {<<: *slow, reply: y}',
			's',
		);
		expect(rules.map(({fault, reply}) => [fault.delay, reply?.content])).toEqual([
			[1_500, 'x'],
			[1_500, 'y'],
		]);
	});

	test.each([
		['500ms', 500],
		['0', 0],
	])('has durations such as %s', async (text, ms) => {
		const {rules} = await parseScenario(fault(`{delay: ${text}}`), 's');
		expect(rules[0]?.fault.delay).toBe(ms);
	});
});
