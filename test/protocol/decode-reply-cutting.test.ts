/** How the network cuts a reply makes no difference to what is made of it. */
import {describe, expect, it} from 'vitest';
import {ChatError} from '../../src/errors.ts';
import type {BodyEnd} from '../../src/protocol/decode/body-decoder.ts';
import {fuzz} from '../helpers/fuzz.ts';
import {decodeBody, framingOf, type ReplayReply} from '../helpers/replay-reply.ts';
import {loadWireCases} from '../helpers/wire-cases.ts';
import {closedEnd, decodeBytes, summarize, wholeEnd} from './decode-bytes.ts';

type Body = {readonly name: string; readonly bytes: Buffer; readonly end: BodyEnd};

const broken = new ChatError('unavailable', 'the connection broke', {code: 'ECONNRESET'});

function endOf(reply: ReplayReply): BodyEnd {
	if ((reply.end ?? 'clean') !== 'clean') return {isBodyComplete: false, failure: broken};
	return framingOf(reply) === 'close' ? closedEnd : wholeEnd;
}

const bodies: readonly Body[] = loadWireCases().flatMap(({id, name, replies}) =>
	replies
		.filter(({status, headers}) => status === 200 && headers?.['content-encoding'] === undefined)
		.map((reply, i) => ({
			name: `${id} ${name}, reply ${i}`,
			bytes: decodeBody(reply),
			end: endOf(reply),
		})),
);

function* oneByOne(bytes: Buffer): Generator<Uint8Array> {
	for (let at = 0; at < bytes.length; at++) yield bytes.subarray(at, at + 1);
}

const shortBodies = bodies.filter(({bytes}) => bytes.length < 4096);

/** So many rounds cut at every place. */
const stride = 32;

describe('a reply body', () => {
	it('is decoded the same byte by byte', () => {
		for (const {name, bytes, end} of bodies) {
			const whole = summarize(decodeBytes([bytes], end));
			expect.soft(summarize(decodeBytes(oneByOne(bytes), end)), name).toEqual(whole);
		}
	});

	fuzz('comes out the same cut in two at any place', (seed) => {
		const different: string[] = [];
		for (const {name, bytes, end} of shortBodies) {
			const whole = JSON.stringify(summarize(decodeBytes([bytes], end)));
			for (let at = 1 + (seed % stride); at < bytes.length; at += stride) {
				const events = decodeBytes([bytes.subarray(0, at), bytes.subarray(at)], end);
				if (JSON.stringify(summarize(events)) !== whole) different.push(`${name} at ${at}`);
			}
		}
		expect(different).toEqual([]);
	});
});
