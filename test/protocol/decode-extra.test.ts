/** Fields of a reply besides text, whole and streamed. */
import {describe, expect, it} from 'vitest';
import {decodeText, errorOf, toEventStream} from './decode-bytes.ts';

const done = 'data: [DONE]\n\n';

function decode(text: string) {
	const events = decodeText(text);
	expect(errorOf(events)).toBeUndefined();
	return {
		extra: events.flatMap((event) => (event.type === 'step-end' ? [event.extra] : []))[0],
		notices: events.flatMap((event) =>
			event.type === 'notice' && event.notice.code === 'not-text' ? [event.notice.message] : [],
		),
	};
}

const streamed = (...chunks: readonly object[]) => decode(toEventStream(chunks) + done);

const choice = (fields: object) => ({choices: [{index: 0, ...fields}]});
const delta = (fields: object) => choice({delta: fields, finish_reason: null});
const image = {type: 'image_url', image_url: {url: 'data:image/png;base64,AAAA'}};

describe('the other fields of a reply', () => {
	it('are kept as sent in a whole reply, and named', () => {
		const logprobs = {content: [{token: 'Hi', logprob: -0.1}], refusal: null};
		const message = {
			role: 'assistant',
			content: 'Hi',
			images: [image],
			annotations: [],
			audio: null,
		};
		const second = {index: 1, message: {content: 'Ho'}, finish_reason: 'stop'};
		const reply = {
			id: 'c',
			object: 'chat.completion',
			created: 1,
			model: 'm',
			system_fingerprint: 'fp',
			provider: null,
			citations: ['https://a.test'],
			choices: [{index: 0, message, logprobs, finish_reason: 'stop'}, second],
			usage: {prompt_tokens: 1},
		};
		expect(decode(JSON.stringify(reply))).toEqual({
			extra: {
				system_fingerprint: 'fp',
				citations: ['https://a.test'],
				logprobs,
				images: [image],
				choices: [second],
			},
			notices: [
				'the reply also has images, probabilities, further choices, which only JSON output shows',
			],
		});
	});

	it('are put together from the pieces of a stream', () => {
		const audio = (fields: object) => delta({audio: fields});
		const second = (fields: object) => ({choices: [{index: 1, delta: fields}]});
		expect(
			streamed(
				{...delta({role: 'assistant', content: 'H'}), citations: ['a'], timings: {n: 1}},
				{...choice({delta: {content: 'i'}, logprobs: {content: [1]}}), citations: ['a', 'b']},
				choice({delta: {annotations: [{n: 1}]}, logprobs: {content: [2]}}),
				delta({annotations: [{n: 2}]}),
				audio({id: 'x', transcript: 'He', data: 'AA'}),
				audio({transcript: 'llo', data: 'BB', expires_at: 7}),
				second({role: 'assistant', content: 'He'}),
				second({content: 'y'}),
				{...choice({delta: {}, finish_reason: 'stop'}), timings: {n: 2}, obfuscation: 'xyz'},
			).extra,
		).toEqual({
			citations: ['a', 'b'],
			timings: {n: 2},
			logprobs: {content: [1, 2]},
			annotations: [{n: 1}, {n: 2}],
			audio: {id: 'x', transcript: 'Hello', data: 'AABB', expires_at: 7},
			choices: [{index: 1, message: {role: 'assistant', content: 'Hey'}}],
		});
	});

	it('include the parts of a content that are not text', () => {
		const content = [{type: 'text', text: 'Hi'}, image, {type: 'thinking', thinking: 'hm'}];
		expect(streamed(delta({content}), choice({delta: {}, finish_reason: 'stop'}))).toEqual({
			extra: {content: [image]},
			notices: ['the reply also has parts other than text, which only JSON output shows'],
		});
	});

	it('are kept up to a limit, and the rest is reported', {tags: ['cost']}, () => {
		const megabytes = 'x'.repeat(8 * 1024 * 1024);
		const pieces = Array.from({length: 5}, () => delta({audio: {data: megabytes}}));
		const {extra, notices} = streamed(delta({content: 'Hi'}), ...pieces);
		expect(JSON.stringify(extra).length).toBeLessThan(32 * 1024 * 1024);
		expect(notices).toEqual(['the reply has too much besides text to keep it all']);
		// A list that is whole in each chunk counts once.
		const whole = {...delta({content: 'Hi'}), citations: [megabytes]};
		expect(streamed(whole, whole, whole, whole, whole).notices).toHaveLength(1);
	});
});
