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

const number = 'an integer from 200 to 599';
const duration = 'a duration such as 500ms, 2s or 1m, or a number of milliseconds, up to a day';

describe('a scenario with a mistake says which', () => {
	test.each([
		// The file
		['', 'a scenario is an object with the key replies, a list of rules'],
		['- reply: x', 'a scenario is an object with the key replies, a list of rules'],
		['strict: true', 'replies is missing'],
		['replies: []', 'replies must have at least one rule (line 1)'],
		['replies: {}', 'replies must be an array, not an object (line 1)'],
		['strict: on\nreplies: [{reply: x}]', 'strict must be a boolean, not the string "on" (line 1)'],
		['rules: []', 'rules is not known; known are strict, window, replies (line 1)'],
		['replys: []', 'replys is not known; did you mean replies? (line 1)'],
		// Rules
		['replies:\n  - x', 'replies[0] must be an object, not the string "x" (line 2)'],
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
		[
			'replies:\n  - reply: x\n    fault: {close_before_head: true}',
			'replies[0].reply would never be sent, because of fault.close_before_head (line 2)',
		],
		// Conditions
		[
			when('{prompt: 3}'),
			'replies[0].when.prompt must be a text, or an object with contains or matches, not the number 3 (line 3)',
		],
		[when('{prompt: {}}'), 'replies[0].when.prompt needs contains or matches (line 3)'],
		[when('{prompt: {flags: i}}'), 'replies[0].when.prompt needs contains or matches (line 3)'],
		[
			when('{prompt: {contain: x}}'),
			'replies[0].when.prompt.contain is not known; did you mean contains? (line 3)',
		],
		[
			when('{prompt: {matches: "(x"}}'),
			'replies[0].when.prompt.matches is not a valid regular expression: Unterminated group (line 3)',
		],
		[
			when('{prompt: {matches: x, flags: g}}'),
			'replies[0].when.prompt.flags must be letters of i, m, s and u, not the string "g" (line 3)',
		],
		[
			when('{turn: 0}'),
			'replies[0].when.turn must be a number from 1, or a range such as "2-4" or "3-", not the number 0 (line 3)',
		],
		[
			when('{turn: 3-2}'),
			'replies[0].when.turn must be a number from 1, or a range such as "2-4" or "3-", not the string "3-2" (line 3)',
		],
		[
			when('{nth: [1, x]}'),
			'replies[0].when.nth[1] must be a number from 1, or a range such as "2-4" or "3-", not the string "x" (line 3)',
		],
		[
			when('{has: [tools, sound]}'),
			'replies[0].when.has[1] must be one of image, tools, tool_result, system, json, not the string "sound" (line 3)',
		],
		[when('{model: ""}'), 'replies[0].when.model must not be empty (line 3)'],
		// Replies
		[
			reply('3'),
			'replies[0].reply must be a text, or an object with text, reasoning, tool_calls or chunks, not the number 3 (line 2)',
		],
		[reply('{txt: x}'), 'replies[0].reply.txt is not known; did you mean text? (line 2)'],
		[
			reply('{tool_calls: [{arguments: {}}]}'),
			'replies[0].reply.tool_calls[0].name is missing (line 2)',
		],
		[
			reply('{tool_calls: [{name: f, arguments: 3}]}'),
			'replies[0].reply.tool_calls[0].arguments must be an object, or a text to send unchanged, not the number 3 (line 2)',
		],
		[
			reply('{chunks: [x, 3]}'),
			'replies[0].reply.chunks[1] must be a text or a delta, which is an object, not the number 3 (line 2)',
		],
		[
			reply('{chunks: [x], text: y}'),
			'replies[0].reply.text cannot be used with chunks, which hold the whole reply (line 2)',
		],
		[
			reply('{usage: {total_tokens: many}}'),
			'replies[0].reply.usage.total_tokens must be an integer of at least 0, not the string "many" (line 2)',
		],
		// Faults
		[fault('{dely: 2s}'), 'replies[0].fault.dely is not known; did you mean delay? (line 2)'],
		[
			fault('{status: 42}'),
			`replies[0].fault.status must be ${number}, not the number 42 (line 2)`,
		],
		[
			fault('{status: 429.5}'),
			`replies[0].fault.status must be ${number}, not the number 429.5 (line 2)`,
		],
		[
			fault('{delay: 2 hours}'),
			`replies[0].fault.delay must be ${duration}, not the string "2 hours" (line 2)`,
		],
		[
			fault('{delay: 25h}'),
			`replies[0].fault.delay must be ${duration}, not the string "25h" (line 2)`,
		],
		[
			fault('{delay: -1}'),
			`replies[0].fault.delay must be ${duration}, not the number -1 (line 2)`,
		],
		[
			fault('{rate: 0}'),
			'replies[0].fault.rate must be a number from 0.1 to 1000000, not the number 0 (line 2)',
		],
		[
			fault('{keep_alive_comments: 1ms}'),
			'replies[0].fault.keep_alive_comments must be at least 5ms, not the string "1ms" (line 2)',
		],
		[fault('{retry_after: 2}'), 'replies[0].fault.retry_after needs a status beside it (line 2)'],
		[fault('{body: x}'), 'replies[0].fault.body needs a status beside it (line 2)'],
		[
			fault('{status: 429, retry_after: soon}'),
			'replies[0].fault.retry_after must be a number of seconds, a duration such as 2s, or {date: 2s}, not the string "soon" (line 2)',
		],
		[
			fault('{status: 500, done: missing}'),
			'replies[0].fault.done cannot happen together with status (line 2)',
		],
		[
			fault('{close_before_head: true, status: 500}'),
			'replies[0].fault.status cannot happen together with close_before_head (line 2)',
		],
		[
			fault('{close_before_head: false}'),
			'replies[0].fault.close_before_head must be true, fin or reset, not false (line 2)',
		],
		[
			fault('{headers: {"a b": x}}'),
			'replies[0].fault.headers.a b is not a valid header name (line 2)',
		],
		[
			fault('{headers: {a: "x\\r\\ny"}}'),
			'replies[0].fault.headers.a has characters that are not allowed in a header (line 2)',
		],
		[
			fault('{headers: {Content-Length: 3}}'),
			'replies[0].fault.headers.Content-Length is set by the service; cut makes a body too short (line 2)',
		],
		[fault('{cut: {}}'), 'replies[0].fault.cut needs either after_events or after_bytes (line 2)'],
		[
			fault('{cut: {after_events: 1, after_bytes: 1}}'),
			'replies[0].fault.cut needs either after_events or after_bytes (line 2)',
		],
		[
			fault('{cut: {after_events: 1, how: slowly}}'),
			'replies[0].fault.cut.how must be one of fin, reset, end, not the string "slowly" (line 2)',
		],
		[
			fault('{stall: {for: 2s}}'),
			'replies[0].fault.stall needs either after_events or after_bytes (line 2)',
		],
		[fault('{malformed: {}}'), 'replies[0].fault.malformed.event is missing (line 2)'],
		[
			fault('{malformed: {event: 0}}'),
			'replies[0].fault.malformed.event must be an integer of at least 1, not the number 0 (line 2)',
		],
		[fault('{error: {body: x}}'), 'replies[0].fault.error.after_events is missing (line 2)'],
		[
			fault('{done: twice}'),
			'replies[0].fault.done must be one of duplicate, missing, not the string "twice" (line 2)',
		],
		// YAML
		['replies:\n  - reply: "x\n', 'line 3, column 1: Missing closing "quote'],
		['replies:\n\t- reply: x', 'line 2, column 1: Tabs are not allowed as indentation'],
		['strict: true\nstrict: true', 'line 2, column 1: Map keys must be unique'],
		['replies: !magic x', 'line 1, column 10: Unresolved tag: !magic'],
		[
			'a: 1\n---\nb: 2',
			'line 2, column 1: a scenario is one document, and here a second one begins',
		],
		[
			'replies: *none',
			'its aliases cannot be resolved: Unresolved alias (the anchor must be set before the alias): none',
		],
		['replies: &a [*a]', 'its aliases cannot be resolved: Converting circular structure to JSON'],
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
		['JSON', JSON.stringify({replies: rules})],
		['JSON with tabs', JSON.stringify({replies: rules}, undefined, '\t')],
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
		['2s', 2_000],
		['0.5m', 30_000],
		['250', 250],
		['0', 0],
	])('has durations such as %s', async (text, ms) => {
		const {rules} = await parseScenario(fault(`{delay: ${text}}`), 's');
		expect(rules[0]?.fault.delay).toBe(ms);
	});
});
