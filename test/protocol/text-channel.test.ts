import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import type {ChatEvent} from '../../src/chat/event.ts';
import {createTextChannel} from '../../src/protocol/decode/text-channel.ts';
import {fuzzProperty} from '../helpers/fuzz.ts';

function pass(pieces: readonly string[]): string[] {
	const channel = createTextChannel((text) => ({type: 'text-delta', text}));
	const events: ChatEvent[] = [];
	for (const piece of pieces) channel.push(piece, events);
	channel.end(events);
	return events.map((event) => (event.type === 'text-delta' ? event.text : ''));
}

const [high = '', low = ''] = '😀'.split('');

describe('a text channel', () => {
	it.each([
		[
			['a', 'b'],
			['a', 'b'],
		],
		[['', 'a', ''], ['a']],
		[
			[`a${high}`, `${low}b`],
			['a', '😀b'],
		],
		[[high, low], ['😀']],
		[[high, '', low], ['😀']],
		[[high], [high]],
		[[`a${high}`], ['a', high]],
		[[high, 'a'], [`${high}a`]],
		[
			[high, high, low],
			[high, '😀'],
		],
		[
			[low, high],
			[low, high],
		],
		[['😀'], ['😀']],
	])('passes %j as %j', (pieces, expected) => {
		expect(pass(pieces)).toEqual(expected);
	});

	const piece = fc.string({unit: fc.constantFrom(high, low, 'a')});
	fuzzProperty(
		'loses nothing, and cuts no character in two',
		100,
		fc.property(fc.array(piece), (pieces) => {
			const passed = pass(pieces);
			expect(passed.join('')).toBe(pieces.join(''));
			expect(passed).not.toContain('');
			expect(passed.join('|')).not.toMatch(/[\ud800-\udbff]\|[\udc00-\udfff]/);
		}),
	);

	it('knows whether anything has come, be it held back', () => {
		const channel = createTextChannel((text) => ({type: 'text-delta', text}));
		channel.push('', []);
		expect(channel.isEmpty).toBe(true);
		channel.push(high, []);
		expect(channel.isEmpty).toBe(false);
	});
});
