/** Laws of every wire's decoder, whatever convention it speaks. No sockets. */
import {describe, expect, it} from 'vitest';
import {messagesOf} from '../../src/chat/conversation.ts';
import type {ChatEvent} from '../../src/chat/event.ts';
import {ChatError} from '../../src/errors.ts';
import type {BodyEnd} from '../../src/protocol/decode/body-decoder.ts';
import type {Wire} from '../../src/protocol/wire.ts';
import {
	callsOf,
	closedEnd,
	decodeBytes,
	decodeText,
	errorOf,
	summarize,
	textOf,
	wholeEnd,
} from '../protocol/decode-bytes.ts';
import {openConversation, reduceAll} from './conversation.ts';

export type Convention = {
	readonly wire: Wire;
	/** One reply: the reasoning `Hm. 🤔`, the text `Hello, world 🌍.`, the call `f({"a":1})`. */
	readonly reply: {
		readonly reasoning: string;
		/** The events of `Hello, `, then those of `world 🌍.` */
		readonly text: readonly [string, string];
		/** The call and the end. */
		readonly end: string;
		/** The same reply when it is not streamed. */
		readonly whole: string;
	};
	/** An event that reports an error with the words `too busy`. */
	readonly errorEvent: string;
};

const reasoning = 'Hm. 🤔';
const text = 'Hello, world 🌍.';

const ends: ReadonlyArray<readonly [name: string, end: BodyEnd]> = [
	['the connection was closed in order', closedEnd],
	['the transport thinks that it is whole', wholeEnd],
	[
		'the connection broke',
		{
			isBodyComplete: false,
			failure: new ChatError('unavailable', 'the connection broke', {code: 'ECONNRESET'}),
		},
	],
];

export function describeWire(name: string, {wire, reply, errorEvent}: Convention): void {
	const partial = reply.reasoning + reply.text[0];
	const streamed = partial + reply.text[1] + reply.end;
	const bytes = Buffer.from(streamed);
	const decode = (source: string) => decodeText(source, wholeEnd, wire);

	describe(`a reply over ${name}`, () => {
		it.each([
			['streamed', streamed],
			['whole', reply.whole],
		])('is one step with reasoning, text and calls: %s', (_, source) => {
			checkAnswer(decode(source));
		});

		it('does not depend on how it is cut', () => {
			const each = [...bytes].map((byte) => Buffer.of(byte));
			expect(summarize(decodeBytes(each, closedEnd, wire))).toEqual(summarize(decode(streamed)));
		});

		it.each(ends)('that ends early is never taken for all of it, if %s', (_, end) => {
			let came = '';
			// Steps that meet every kind of place: events differ in length.
			for (let cut = 0; cut < bytes.length + 29; cut += end === closedEnd ? 7 : 29) {
				const events = decodeBytes([bytes.subarray(0, cut)], end, wire);
				const said = textOf(events, 'reasoning-delta') + textOf(events, 'text-delta');
				expect(said.startsWith(came), `cut at ${cut}`).toBe(true);
				came = said;
				const error = errorOf(events);
				if (error === undefined) checkAnswer(events);
				else checkCut(events, error, cut);
			}
			expect(came).toBe(reasoning + text);
		});

		it('keeps the text before an error', () => {
			const events = decode(partial + errorEvent + reply.text[1] + reply.end);
			expect(textOf(events, 'reasoning-delta')).toBe(reasoning);
			expect(textOf(events, 'text-delta')).toBe('Hello, ');
			expect(errorOf(events)?.message).toContain('too busy');
			expect(callsOf(events)).toEqual([]);
		});

		it('ends with its end, whatever follows', () => {
			checkAnswer(decode(`${streamed}${reply.text[0]}{"error":1}\n`));
		});

		it('goes back with the next prompt, beside fields that the wire does not know', () => {
			const ended = reduceAll(openConversation('Go.'), decode(streamed));
			const messages = messagesOf(openConversation('And?', ended));
			const extraFields = {top_k: 40, provider: {order: ['a']}};
			const options = {model: 'm-test', isStreaming: true, extraFields};
			const {body} = wire.encode({messages, options});
			expect(body).toContain('world 🌍.');
			expect(JSON.parse(body)).toMatchObject(extraFields);
		});
	});
}

function checkAnswer(events: readonly ChatEvent[]): void {
	expect(textOf(events, 'reasoning-delta')).toBe(reasoning);
	expect(textOf(events, 'text-delta')).toBe(text);
	expect(callsOf(events)).toMatchObject([{name: 'f', arguments: '{"a":1}', isRunnable: true}]);
	expect(events.filter(({type}) => type === 'step-start')).toHaveLength(1);
	expect(events.at(-2)).toMatchObject({type: 'step-end', finishReason: {kind: 'tool-calls'}});
	expect(events.at(-1)).toEqual({type: 'turn-end'});
}

function checkCut(events: readonly ChatEvent[], error: ChatError, cut: number): void {
	const isShown = events.some(({type}) => type === 'step-start');
	if (isShown) expect(error.kind, `cut at ${cut}`).toBe('incomplete');
	else expect(error.kind, `cut at ${cut}`).not.toBe('bug');
	expect(callsOf(events), `cut at ${cut}`).toEqual([]);
	expect(events.map(({type}) => type)).not.toContain('step-end');
}
