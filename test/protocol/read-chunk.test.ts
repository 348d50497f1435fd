import {describe, expect, it} from 'vitest';
import type {JsonObject} from '../../src/json.ts';
import {readDeltaText} from '../../src/protocol/chat-completions/read-chunk.ts';

type Row = readonly [delta: JsonObject, text: string, reasoning: string, field?: string];

const thinking = {type: 'thinking', thinking: [{type: 'text', text: 'hm'}]};

const rows: readonly Row[] = [
	[{content: ['a', null, 7]}, '', ''],
	[
		{content: [{text: 'a'}, {type: 'reference', text: 'x'}, {type: 'image_url', image_url: {}}]},
		'a',
		'',
	],
	[{content: [thinking, {type: 'text', text: 'a'}, {text: 'b'}]}, 'ab', 'hm'],
	[{reasoning_details: [{text: 'h'}, {summary: 'm'}, {data: 'x'}]}, '', 'hm'],
	[{reasoning: 'hm', reasoning_details: [{text: 'hm'}]}, '', 'hm', 'reasoning'],
	[{reasoning: '', reasoning_details: [{text: 'hm'}]}, '', 'hm'],
];

describe('a delta', () => {
	const named = rows.map(([delta, text, reasoning, reasoningField]) => ({
		name: JSON.stringify(delta),
		delta,
		expected: {text, refusal: '', reasoning, reasoningField},
	}));

	it.each(named)('$name has text and reasoning', ({delta, expected}) => {
		expect(readDeltaText(delta)).toEqual(expected);
	});

	it.each<JsonObject>([
		{content: null, refusal: 'No.'},
		{content: [{type: 'refusal', refusal: 'No.'}]},
	])('%j has a refusal, and no text', (delta) => {
		expect(readDeltaText(delta)).toMatchObject({text: '', refusal: 'No.'});
	});
});
