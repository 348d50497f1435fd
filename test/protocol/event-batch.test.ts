import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import type {ChatEvent} from '../../src/chat/event.ts';
import {createEventBatch} from '../../src/protocol/decode/event-batch.ts';
import {fuzzProperty} from '../helpers/fuzz.ts';

const first: ChatEvent = {type: 'turn-end'};
const text = (piece: string): ChatEvent => ({type: 'text-delta', text: piece});
const reasoning = (piece: string): ChatEvent => ({type: 'reasoning-delta', text: piece});
const notice: ChatEvent = {type: 'notice', notice: {code: 'retry', message: 'a'}};

/** The texts of the events, one for each piece: every piece comes with a read of its own. */
function pass(pieces: readonly string[]): string[] {
	const batch = createEventBatch(() => first);
	const channel = batch.createChannel(text);
	const events = pieces.flatMap((piece) => {
		channel.push(piece);
		return batch.take();
	});
	channel.end();
	return [...events, ...batch.take()].flatMap((event) =>
		event.type === 'text-delta' ? [event.text] : [],
	);
}

const [high = '', low = ''] = '😀'.split('');

describe('a text', () => {
	it.each([
		[
			[`a${high}`, `${low}b`],
			['a', '😀b'],
		],
		[[high, '', low], ['😀']],
		[[`a${high}`], ['a', high]],
		[[high, 'a'], [`${high}a`]],
		[
			[high, high, low],
			[high, '😀'],
		],
	])('read as %j becomes %j', (pieces, expected) => {
		expect(pass(pieces)).toEqual(expected);
	});

	const piece = fc.string({unit: fc.constantFrom(high, low, 'a')});
	fuzzProperty(
		'is kept whole, with no character cut in two',
		100,
		fc.property(fc.array(piece), (pieces) => {
			const passed = pass(pieces);
			expect(passed.join('')).toBe(pieces.join(''));
			expect(passed).not.toContain('');
			expect(passed.join('|')).not.toMatch(/[\ud800-\udbff]\|[\udc00-\udfff]/);
		}),
	);
});

describe('the events of one read', () => {
	it('have one event for each run of pieces, in order', () => {
		const batch = createEventBatch(() => first);
		const answer = batch.createChannel(text);
		const thoughts = batch.createChannel(reasoning);
		for (const piece of ['a', 'b', high]) answer.push(piece);
		for (const piece of ['c', '', 'd']) thoughts.push(piece);
		answer.push(`${low}e`);
		batch.add(notice);
		answer.push('f');
		expect(batch.take()).toEqual([
			first,
			text('ab'),
			reasoning('cd'),
			text('😀e'),
			notice,
			text('f'),
		]);
		answer.push('g');
		expect(batch.take()).toEqual([text('g')]);
		expect(batch.take()).toEqual([]);
	});
});
