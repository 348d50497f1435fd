/** Estimates of tokens, and which requests are too large. */
import {describe, expect, test} from 'vitest';
import type {Conversation, Turn} from '../../src/chat/conversation.ts';
import {estimateText} from '../../src/context/estimate-tokens.ts';
import {describeSize, exceeds, sizeRequest} from '../../src/context/fit.ts';
import counts from '../fixtures/token-counts.json' with {type: 'json'};

/** `tokens` are counts of the tokenizer `o200k_base`. */
test.each(counts)('$kind is estimated within 20 %', ({text, tokens}) => {
	expect(Math.abs(estimateText(text) / tokens - 1)).toBeLessThan(0.2);
});

test('a long text is sampled, with the same result', () => {
	const text = counts.map((each) => each.text).join('\n');
	const times = 200;
	const estimated = estimateText(text.repeat(times)) / (estimateText(text) * times);
	expect(Math.abs(estimated - 1)).toBeLessThan(0.05);
});

const words = (count: number) => 'word '.repeat(count);

function turnOf(promptTokens: number | undefined, messages: Turn['messages'] = []): Turn {
	return {
		id: 'turn-1',
		prompt: {text: words(1000), attachments: []},
		model: 'm',
		messages: [...messages, answerOf('yes')],
		usage: {promptTokens, raw: {}},
		times: {startedAt: 0, reasoningMs: 0, totalMs: 0},
		status: 'complete',
	};
}

function answerOf(text: string): Turn['messages'][number] {
	return {role: 'assistant', parts: [{type: 'text', text}], status: 'complete', model: 'm'};
}

function sizeAfter(turns: readonly Turn[], window = 100_000, text = 'go on') {
	const conversation: Conversation = {system: '', turns, otherTurns: []};
	const prompt = {text, attachments: []};
	return sizeRequest({conversation, prompt, options: {model: 'm'}, window});
}

describe('the size of a request', () => {
	test.each([
		['twice the estimate', turnOf(2008), 2024],
		['a count that cannot be right', turnOf(50_000), 2024],
		['the sum of two steps', turnOf(4 * 1008, [answerOf('')]), 2032],
		['nothing', turnOf(undefined), 1012],
	])('follows the last count of the service: %s', (_, turn, tokens) => {
		expect(Math.abs(sizeAfter([turn]).tokens - tokens)).toBeLessThan(30);
	});

	test.each([
		[11_000, undefined, false],
		[12_500, undefined, true],
		[11_000, 1004, true],
	])(
		'%i words with a first turn of %s tokens exceed a window of 14,000: %s',
		(count, counted, is) => {
			const size = sizeAfter(counted === undefined ? [] : [turnOf(counted)], 14_000, words(count));
			expect(exceeds(size, 14_000)).toBe(is);
		},
	);

	test('names its largest parts', () => {
		const prompt = {
			text: `${words(400)}now`,
			folds: [{from: 0, to: 2000, label: '[Piped 9 lines]'}],
			attachments: [{type: 'file', name: 'notes.txt', text: words(1500)} as const],
		};
		const conversation = {system: 'be brief', turns: [], otherTurns: []};
		const options = {model: 'm', maxTokens: 300};
		const size = sizeRequest({conversation, prompt, options, window: 1000});
		expect(describeSize(size, 1000)).toBe(
			'about 1,900 tokens for a window of 1,000; notes.txt is 1,500 of them, [Piped 9 lines] 400',
		);
		expect(describeSize({...size, parts: []}, 2000)).toBe(
			'about 1,900 tokens and 300 for the answer, for a window of 2,000',
		);
	});
});
