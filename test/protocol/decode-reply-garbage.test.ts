/**
 * Whatever a server sends, the decoder answers with events that keep their grammar and, if it
 * fails, with an error that says what the server did; it never calls it a bug of ours.
 */
import {afterEach, describe, expect, it} from 'vitest';
import type {ChatEvent} from '../../src/chat/event.ts';
import {ChatError, type ErrorKind} from '../../src/errors.ts';
import type {BodyEnd} from '../../src/protocol/decode/body-decoder.ts';
import {fuzz} from '../helpers/fuzz.ts';
import {decodeBody, framingOf, type ReplayReply} from '../helpers/replay-reply.ts';
import {createSeededRandom, cutBytes, type DrawInteger} from '../helpers/seeded-random.ts';
import {loadWireCases} from '../helpers/wire-cases.ts';
import {callsOf, closedEnd, decodeBytes, errorOf, summarize, wholeEnd} from './decode-bytes.ts';

/** The kinds of error that a damaged reply may end with. */
const sensibleKinds: readonly ErrorKind[] = [
	...(['protocol', 'incomplete', 'unavailable', 'rejected'] as const),
	...(['busy', 'auth', 'quota', 'timeout'] as const),
];

const broken = new ChatError('unavailable', 'the connection broke', {code: 'ECONNRESET'});

const ends: readonly BodyEnd[] = [
	wholeEnd,
	closedEnd,
	{isBodyComplete: false, failure: broken},
	{isBodyComplete: false, failure: new ChatError('timeout', 'nothing more came')},
];

/** Returns what is wrong with the outcome. */
function findFault(events: readonly ChatEvent[]): string | undefined {
	const error = errorOf(events);
	if (error !== undefined && !sensibleKinds.includes(error.kind)) {
		return `an error of kind ${error.kind}: ${error.message}`;
	}
	if (error !== undefined && callsOf(events).length > 0) return 'calls of a step that failed';
	for (const call of callsOf(events)) {
		if (call.isRunnable && !isObjectText(call.arguments)) return 'a call that cannot be run';
	}
	return undefined;
}

function isObjectText(text: string): boolean {
	const value = JSON.parse(text);
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function check(bytes: Uint8Array, draw: DrawInteger): void {
	const pieces = draw(0, 2) === 0 ? [bytes] : cutBytes(Buffer.from(bytes), 200, draw);
	const end = ends[draw(0, ends.length - 1)] ?? wholeEnd;
	let fault: string | undefined;
	try {
		fault = findFault(decodeBytes(pieces, end));
	} catch (error) {
		fault = String(error);
	}
	if (fault !== undefined) throw new Error(`${fault}\n${JSON.stringify(String(bytes))}`);
}

afterEach(() => {
	expect(Object.keys(Object.prototype), 'fields added to every object').toEqual([]);
});

const bodies = loadWireCases().flatMap(({replies}) =>
	replies.map(decodeBody).filter(({length}) => length > 0 && length < 4096),
);

/** Pieces of JSON and of event streams that matter to the decoder. */
const tokens: readonly Buffer[] = [
	...['{', '}', '[', ']', '"', ',', ':', '\\', 'null', 'true', '0', '-1', '1e999', '{}'],
	...['[]', '\n', '\n\n', '\r', '\r\n', '\r\r', '\ufeff', ' ', '\0', '\u2028', '<'],
	...['<think>', '</think>', 'data:', 'data: ', 'event: error\n', ': x\n'],
	...['error: {"a":1}\n', 'data: [DONE]\n\n', 'id: 1\n', '"error":', '"choices":'],
	...['"delta":{', '"message":{', '"content":', '"tool_calls":[{', '"finish_reason":"stop"'],
	...['"finish_reason":"error"', '"function":{', '"arguments":', '"index":', '"name":"f"'],
	...['"id":"call_a1"', '"usage":', '"reasoning":', '"__proto__":', '"toString":1'],
	...['"\\ud83d"', '"\\ude00"', '\ud83d\ude00', '"loc":[{"toString":1}],"msg":"m",'],
	...['"metadata":', '"content":[{"type":"text","text":7},{"type":{}}],', '"constructor":{"a":1},'],
	...['"reasoning_details":[{"text":1},null],', '"refusal":[]', '"index":"x",', '"choices":[null,'],
].map((token) => Buffer.from(token));
const halfCharacter = Buffer.from([0xf0, 0x9f]);

type Mutate = (body: Buffer, draw: DrawInteger) => Buffer;

function slice(body: Buffer, draw: DrawInteger): Buffer {
	const start = draw(0, body.length);
	return body.subarray(start, Math.min(body.length, start + draw(0, 120)));
}

function insert(body: Buffer, piece: Buffer, draw: DrawInteger): Buffer {
	const at = draw(0, body.length);
	return Buffer.concat([body.subarray(0, at), piece, body.subarray(at)]);
}

const mutations: readonly Mutate[] = [
	(body, draw) => {
		const copy = Buffer.from(body);
		if (copy.length > 0) copy[draw(0, copy.length - 1)] = draw(0, 255);
		return copy;
	},
	(body, draw) => {
		const start = draw(0, body.length);
		return Buffer.concat([body.subarray(0, start), body.subarray(start + draw(1, 60))]);
	},
	(body, draw) => insert(body, slice(body, draw), draw),
	(body, draw) => insert(body, tokens[draw(0, tokens.length - 1)] ?? halfCharacter, draw),
	(body, draw) => insert(body, slice(bodies[draw(0, bodies.length - 1)] ?? body, draw), draw),
	(body, draw) => insert(body, halfCharacter, draw),
	(body, draw) => body.subarray(0, draw(0, body.length)),
];

function endOf(reply: ReplayReply): BodyEnd {
	if ((reply.end ?? 'clean') !== 'clean') return {isBodyComplete: false, failure: broken};
	return framingOf(reply) === 'close' ? closedEnd : wholeEnd;
}

it('a real reply is decoded the same byte by byte', () => {
	for (const {id, replies} of loadWireCases()) {
		for (const reply of replies.filter(({status}) => status === 200)) {
			if (reply.headers?.['content-encoding'] !== undefined) continue;
			const body = decodeBody(reply);
			// Longer ones have nothing more to cut.
			if (body.length > 1200) continue;
			const whole = summarize(decodeBytes([body], endOf(reply)));
			const bytes = Array.from(body, (byte) => Uint8Array.of(byte));
			expect.soft(summarize(decodeBytes(bytes, endOf(reply))), id).toEqual(whole);
		}
	}
});

/** Checks this many bodies in each round. */
function fuzzBodies(name: string, count: number, drawBody: (draw: DrawInteger) => Buffer): void {
	fuzz(name, (seed) => {
		const draw = createSeededRandom(seed);
		for (let run = 0; run < count; run++) check(drawBody(draw), draw);
	});
}

describe('a reply that is garbage', () => {
	fuzzBodies('of random pieces of JSON and events gets a sensible error', 200, (draw) => {
		const count = draw(1, 30);
		const pieces = Array.from({length: count}, () => tokens[draw(0, tokens.length - 1)]);
		return Buffer.concat(pieces.flatMap((piece) => piece ?? []));
	});

	fuzzBodies('was a real reply before it was damaged', 300, (draw) => {
		let body = bodies[draw(0, bodies.length - 1)] ?? Buffer.alloc(0);
		for (let count = draw(1, 4); count > 0; count--) {
			body = mutations[draw(0, mutations.length - 1)]?.(body, draw) ?? body;
		}
		return body;
	});
});
