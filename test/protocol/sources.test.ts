/** Cited pages: the same over every wire. */
import {describe, expect, test} from 'vitest';
import {createChatCompletions} from '../../src/protocol/chat-completions/chat-completions.ts';
import {createMessages} from '../../src/protocol/messages/messages.ts';
import {createResponses} from '../../src/protocol/responses/responses.ts';
import type {Wire} from '../../src/protocol/wire.ts';
import {closedEnd, decodeText, toEventStream} from './decode-bytes.ts';
import {block, blockEnd, delta, messageEnd, messageStart, text} from './messages-events.ts';

const url = new URL('http://service.test/v1');
const chat = createChatCompletions(url);
const responses = createResponses(url);
const messages = createMessages(url);

const sourcesIn = (wire: Wire, events: readonly object[]) =>
	decodeText(toEventStream(events), closedEnd, wire).find((event) => event.type === 'step-end')
		?.sources;

const page = {url: 'https://a.test/1', title: 'A page', start_index: 3, end_index: 6};
const cited = {url: page.url, title: page.title, start: 3, end: 6};

const chunk = (delta: object, more: object = {}) => ({choices: [{index: 0, delta, ...more}]});
const ended = chunk({}, {finish_reason: 'stop'});

const part = {type: 'output_text', text: 'Hi.', annotations: [page]};
const completed = (content: readonly object[]) => ({
	type: 'response.completed',
	response: {id: 'r', output: [{type: 'message', content}]},
});

const citation = {type: 'web_search_result_location', url: page.url, title: page.title};

describe('sources', () => {
	test.each([
		[
			'annotations in chat completions',
			chat,
			[chunk({content: 'Oh, hi.', annotations: [{url_citation: page}]}), ended],
			[cited],
		],
		['annotations in the final output', responses, [completed([part])], [cited]],
		[
			'annotations on their way',
			responses,
			[
				{type: 'response.output_text.delta', delta: 'Oh, hi.'},
				{type: 'response.output_text.annotation.added', annotation: page},
				completed([]),
			],
			[cited],
		],
		[
			'citations in a text block',
			messages,
			[
				messageStart(),
				block({type: 'text', text: '😀, '}),
				blockEnd,
				block({type: 'text', text: '', citations: []}),
				delta({type: 'citations_delta', citation}),
				text('hi.'),
				blockEnd,
				...messageEnd('end_turn'),
			],
			[cited],
		],
	])('come from %s', (_, wire, events, expected) => {
		expect(sourcesIn(wire, events)).toEqual(expected);
	});

	test('are web pages alone, each citation once, and at most 1,000', () => {
		const addresses = [
			'javascript:alert(1)',
			'file:///etc/passwd',
			'/relative',
			page.url,
			page.url,
		];
		const many = Array.from({length: 2000}, (_, index) => `https://a.test/${index}`);
		const reply = (citations: readonly unknown[]) => [
			{...chunk({content: 'Hi.'}), citations},
			ended,
		];
		const named = {citations: [page.url], search_results: [{url: page.url, title: page.title}]};
		expect(sourcesIn(chat, [{...chunk({content: 'Hi.'}), ...named}, ended])).toEqual([
			{url: page.url, title: page.title},
		]);
		expect(sourcesIn(chat, reply(addresses))).toEqual([{url: page.url}]);
		expect(sourcesIn(chat, reply(many))).toHaveLength(1000);
		expect(sourcesIn(chat, reply([{type: 'file_citation', file_id: 'f'}]))).toBeUndefined();
	});
});

test.each<[string, Wire, readonly object[]]>([
	[
		'Responses',
		responses,
		[
			{type: 'response.output_item.added', output_index: 0, item: {type: 'web_search_call'}},
			{type: 'response.web_search_call.searching', output_index: 0},
			completed([part]),
		],
	],
	[
		'Messages',
		messages,
		[
			block({type: 'server_tool_use', name: 'web_search', input: {}}),
			blockEnd,
			block({type: 'text', text: 'Hi.'}),
			blockEnd,
			...messageEnd('end_turn'),
		],
	],
])('a search is reported over %s before the answer', (_, wire, events) => {
	const decoded = decodeText(toEventStream(events), closedEnd, wire);
	expect(decoded.slice(0, 3)).toMatchObject([
		{type: 'step-start'},
		{type: 'notice', notice: {code: 'web-search', message: 'searching the web'}},
		{type: 'text-delta', text: 'Hi.'},
	]);
});
