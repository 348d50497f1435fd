import {describe, expect, test} from 'vitest';
import {eventsOf, openRaw, playFault, readRaw} from './helpers/scenario.ts';
import {bodyOf, countReplies, joinDeltas, post, until} from './helpers/service.ts';

const whole = {stream: false};

function chunksOf(events: readonly string[]) {
	return events
		.filter((event) => event.startsWith('data: {'))
		.map((event) => JSON.parse(event.slice('data: '.length)));
}

describe('a status', () => {
	test('comes with an error of the convention, and with the wait in seconds', async () => {
		const {port} = await playFault('status: 429\nretry_after: 1.5s');
		const reply = await readRaw(port);
		expect(reply.head()).toMatch(/^HTTP\/1\.1 429 Too Many Requests\r\n/);
		expect(reply.head()).toMatch(/^content-type: application\/json/m);
		expect(reply.head()).toMatch(/^retry-after: 1\.5$/m);
		expect(JSON.parse(reply.body().toString())).toEqual({
			error: {
				message: 'status 429, as the scenario asks',
				type: 'rate_limit_error',
				param: null,
				code: null,
			},
		});
	});

	test('can ask to come back at a date', async () => {
		const now = () => Date.parse('2026-11-20T12:00:00.200Z');
		const {port} = await playFault('status: 503\nretry_after: {date: 3s}', {now});
		const reply = await readRaw(port);
		expect(reply.head()).toMatch(/^retry-after: Fri, 20 Nov 2026 12:00:04 GMT$/m);
	});

	test('has the body and the headers it is given', async () => {
		const page = await playFault('status: 200\nbody: <p>Sign in</p>\ncontent_type: text/html');
		const first = await readRaw(page.port);
		expect(first.head()).toMatch(/^content-type: text\/html$/m);
		expect(first.body().toString()).toBe('<p>Sign in</p>');
		const moved = await playFault('status: 307\nheaders: {Location: /elsewhere}\nbody: [1]');
		const second = await readRaw(moved.port);
		expect(second.head()).toMatch(/^location: \/elsewhere$/m);
		expect(second.body().toString()).toBe('[1]');
	});
});

describe('the time', () => {
	test('before the head is the delay, which replaces the latency', async () => {
		const {url} = await playFault('delay: 80ms', {latencyMs: 10_000});
		for (const stream of [true, false]) {
			const start = performance.now();
			const response = await post(url, bodyOf('hello', {stream}));
			expect(performance.now() - start).toBeGreaterThan(75);
			await response.text();
		}
	});

	test.each([true, false])('before the body comes after the head: stream %s', async (stream) => {
		const late = await playFault('delay_first_token: 10s');
		const reply = openRaw(late.port, {stream});
		await until(() => reply.head() !== '');
		expect(reply.body()).toHaveLength(0);
		reply.close();
		const {port} = await playFault('delay_first_token: 80ms');
		const start = performance.now();
		expect((await readRaw(port, {stream})).isWhole()).toBe(true);
		expect(performance.now() - start).toBeGreaterThan(75);
	});

	test('of each event is the rate, which replaces that of the service', async () => {
		const {url} = await playFault('rate: 40', {tokensPerSecond: 1_000_000});
		const start = performance.now();
		await (await post(url, bodyOf('hello', {stream: true}))).text();
		// Six events: five waits of 25 ms.
		expect(performance.now() - start).toBeGreaterThan(110);
	});

	test('of a silence can be filled with comments', async () => {
		const {port} = await playFault(
			'keep_alive_comments: 20ms\ndelay_first_token: 90ms\nstall: {after_events: 2, for: 90ms}',
		);
		const events = eventsOf(await readRaw(port));
		const comments = events.map((event) => event === ': keep-alive');
		expect(comments[0]).toBe(true);
		expect(comments.lastIndexOf(true)).toBeGreaterThan(comments.indexOf(false) + 1);
		expect(joinDeltas(chunksOf(events)).content).toBe('one two three');
		expect(events.at(-1)).toBe('data: [DONE]');
	});
});

describe('a cut', () => {
	test.each([
		['fin', false],
		['reset', false],
		['end', true],
	])('after three events ends the connection by %s', async (how, isWhole) => {
		const {port} = await playFault(`cut: {after_events: 3, how: ${how}}`);
		const reply = openRaw(port);
		await until(() => reply.ending() !== undefined || reply.isWhole());
		expect(eventsOf(reply)).toHaveLength(3);
		expect(joinDeltas(chunksOf(eventsOf(reply))).content).toBe('one two');
		expect(reply.isWhole()).toBe(isWhole);
		expect(reply.ending()).toBe(isWhole ? undefined : how);
	});

	test('right after the head leaves no body', async () => {
		const {port} = await playFault('cut: {after_events: 0}');
		const reply = await readRaw(port);
		expect(reply.head()).toMatch(/^HTTP\/1\.1 200/);
		expect(reply.body()).toHaveLength(0);
		expect(reply.ending()).toBe('fin');
	});

	test('also cuts the body of a status', async () => {
		const {port} = await playFault('status: 500\ncut: {after_bytes: 4}');
		const reply = await readRaw(port);
		expect(reply.head()).toMatch(/^HTTP\/1\.1 500/);
		expect(reply.body().toString()).toBe('{"er');
	});

	test('after some bytes may split an event', async () => {
		const {port} = await playFault('cut: {after_bytes: 10}');
		const reply = await readRaw(port);
		expect(reply.body().toString()).toBe('data: {"id');
		expect(reply.ending()).toBe('fin');
	});

	test.each(['fin', 'reset', 'end'])(
		'by %s takes half of a reply without a stream',
		async (how) => {
			const {port} = await playFault(`cut: {after_events: 2, how: ${how}}`);
			const reply = openRaw(port, whole);
			await until(() => reply.ending() !== undefined || reply.isWhole());
			const text = reply.body().toString();
			expect(text).toMatch(/^\{"id":"chatcmpl-/);
			expect(() => JSON.parse(text)).toThrow();
			expect(reply.isWhole()).toBe(how === 'end');
			expect(reply.ending()).toBe(how === 'end' ? undefined : how);
		},
	);
});

describe('a stall', () => {
	test.each([true, false])('lasts until the client leaves: stream %s', async (stream) => {
		const {port, url} = await playFault('stall: {after_events: 3}');
		const reply = openRaw(port, {stream});
		await until(() => reply.body().length > 0);
		await new Promise((resolve) => setTimeout(resolve, 60));
		expect(reply.ending()).toBeUndefined();
		expect(reply.isWhole()).toBe(false);
		expect(await countReplies(url)).toBe(1);
		reply.close();
		await until(async () => (await countReplies(url)) === 0);
	});
});

describe('places in events and in bytes', () => {
	test('let a stall come before a cut at the same place', async () => {
		const {port} = await playFault('cut: {after_events: 3}\nstall: {after_events: 3, for: 300ms}');
		const reply = openRaw(port);
		await until(() => eventsOf(reply).length === 3);
		expect(reply.ending()).toBeUndefined();
		await until(() => reply.ending() === 'fin');
		expect(eventsOf(reply)).toHaveLength(3);
	});

	test('are each counted by themselves', async () => {
		const {port} = await playFault('stall: {after_bytes: 5, for: 20ms}\ncut: {after_events: 2}');
		const reply = await readRaw(port);
		expect(reply.ending()).toBe('fin');
		expect(eventsOf(reply)).toHaveLength(2);
		expect(joinDeltas(chunksOf(eventsOf(reply))).content).toBe('one');
	});
});

describe('a connection that closes without a response', () => {
	test.each(['fin', 'reset'])('does so by %s, after its delay', async (how) => {
		const {port} = await playFault(`delay: 40ms\nclose_before_head: ${how}`);
		const start = performance.now();
		const reply = await readRaw(port);
		expect(performance.now() - start).toBeGreaterThan(35);
		expect(reply.head()).toBe('');
		expect(reply.ending()).toBe(how);
	});
});

describe('an event', () => {
	test('can be malformed, and the others stay as they are', async () => {
		const {port} = await playFault('malformed: {event: 3}');
		const events = eventsOf(await readRaw(port));
		expect(events).toHaveLength(6);
		const isJson = events.map((event) => {
			try {
				return JSON.parse(event.slice(6)) !== undefined;
			} catch {
				return false;
			}
		});
		expect(isJson).toEqual([true, true, false, true, true, false]);
		expect(events.at(-1)).toBe('data: [DONE]');
	});

	test('can be any other text, also of several lines', async () => {
		const {port} = await playFault('malformed: {event: 1, text: "{a\\nb"}');
		expect(eventsOf(await readRaw(port))[0]).toBe('data: {a\ndata: b');
	});

	test('can be an error that ends the answer', async () => {
		const {port} = await playFault('error: {after_events: 2, body: {error: {message: no memory}}}');
		const events = eventsOf(await readRaw(port));
		expect(events.slice(2)).toEqual(['data: {"error":{"message":"no memory"}}', 'data: [DONE]']);
		const plain = await playFault('error: {after_events: 0, body: no memory}');
		expect(eventsOf(await readRaw(plain.port))).toEqual(['data: no memory', 'data: [DONE]']);
	});

	test('without a stream: the JSON is malformed, or is the error', async () => {
		const broken = await playFault('malformed: {event: 3}');
		const text = await (await post(broken.url, bodyOf('hello'))).text();
		expect(() => JSON.parse(text)).toThrow();
		const failed = await playFault('error: {after_events: 2}');
		const reply = await post(failed.url, bodyOf('hello'));
		expect(reply.status).toBe(200);
		expect(await reply.json()).toMatchObject({error: {type: 'server_error'}});
	});
});

describe('the end of a reply', () => {
	test.each([
		['done: missing', 0],
		['done: duplicate', 2],
	])('with %j has as many end marks as wanted', async (fault, count) => {
		const {port} = await playFault(fault);
		const events = eventsOf(await readRaw(port));
		expect(events.filter((event) => event === 'data: [DONE]')).toHaveLength(count);
		expect(chunksOf(events).at(-1).choices[0].finish_reason).toBe('stop');
	});

	test('may have no finish reason, with or without its field', async () => {
		const missing = await playFault('finish_reason: missing');
		const open = chunksOf(eventsOf(await readRaw(missing.port)));
		expect(open).toHaveLength(4);
		expect(open.every(({choices: [choice]}) => choice.finish_reason === null)).toBe(true);
		const reply = JSON.parse((await readRaw(missing.port, whole)).body().toString());
		expect(reply.choices[0].finish_reason).toBeNull();

		const noField = await playFault('finish_reason: no_field');
		const bare = chunksOf(eventsOf(await readRaw(noField.port)));
		expect(bare).toHaveLength(5);
		for (const {choices} of bare) expect(choices[0]).not.toHaveProperty('finish_reason');
		const plain = JSON.parse((await readRaw(noField.port, whole)).body().toString());
		expect(plain.choices[0]).not.toHaveProperty('finish_reason');
	});
});
