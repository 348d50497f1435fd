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

	test('has the body and the type it is given', async () => {
		const {port} = await playFault('status: 200\nbody: <p>Sign in</p>\ncontent_type: text/html');
		const reply = await readRaw(port);
		expect(reply.head()).toMatch(/^content-type: text\/html$/m);
		expect(reply.body().toString()).toBe('<p>Sign in</p>');
	});

	test('can ask to come back at a date', async () => {
		const now = () => Date.parse('2026-11-20T12:00:00.200Z');
		const {port} = await playFault('status: 503\nretry_after: {date: 3s}', {now});
		const reply = await readRaw(port);
		expect(reply.head()).toMatch(/^retry-after: Fri, 20 Nov 2026 12:00:04 GMT$/m);
	});
});

describe('the time', () => {
	test('before the head is the delay, which replaces the latency', async () => {
		const {url} = await playFault('delay: 80ms', {latencyMs: 10_000});
		const start = performance.now();
		const response = await post(url, bodyOf('hello'));
		expect(performance.now() - start).toBeGreaterThan(75);
		await response.text();
	});

	test('before the body comes after the head', async () => {
		const {port} = await playFault('delay_first_token: 80ms');
		const start = performance.now();
		const reply = openRaw(port, whole);
		await until(() => reply.head() !== '');
		expect(reply.body()).toHaveLength(0);
		await until(() => reply.isWhole());
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
	const head = '{"id":"chatcmpl-';

	test.each([
		['after_events: 3, how: end', {stream: true}, /^(?:data: .*\n\n){3}$/, undefined],
		['after_events: 3, how: reset', {stream: true}, /^(?:data: .*\n\n){3}$/, 'reset'],
		['after_events: 0', {stream: true}, /^$/, 'fin'],
		['after_bytes: 10', {stream: true}, /^data: \{"id$/, 'fin'],
		['after_events: 2, how: end', whole, new RegExp(`^${head}.*[^}]$`), undefined],
		['after_events: 2', whole, new RegExp(`^${head}.*[^}]$`), 'fin'],
	] as const)('%s, of the reply to %j leaves its beginning', async (cut, body, left, ending) => {
		const {port} = await playFault(`cut: {${cut}}`);
		const reply = openRaw(port, body);
		await until(() => reply.ending() !== undefined || reply.isWhole());
		expect(reply.head()).toMatch(/^HTTP\/1\.1 200/);
		expect(reply.body().toString()).toMatch(left);
		expect([reply.isWhole(), reply.ending()]).toEqual([ending === undefined, ending]);
	});

	test('also cuts the body of a status', async () => {
		const {port} = await playFault('status: 500\ncut: {after_bytes: 4}');
		const reply = await readRaw(port);
		expect(reply.head()).toMatch(/^HTTP\/1\.1 500/);
		expect(reply.body().toString()).toBe('{"er');
	});

	test('comes after a stall at the same place, in events or in bytes', async () => {
		const {port} = await playFault('cut: {after_events: 3}\nstall: {after_events: 3, for: 300ms}');
		const reply = openRaw(port);
		await until(() => eventsOf(reply).length === 3);
		expect(reply.ending()).toBeUndefined();
		await until(() => reply.ending() === 'fin');
		const mixed = await playFault('stall: {after_bytes: 5, for: 20ms}\ncut: {after_events: 2}');
		expect(chunksOf(eventsOf(await readRaw(mixed.port)))).toHaveLength(2);
	});
});

test('a stall lasts until the client leaves', async () => {
	const {port, url} = await playFault('stall: {after_events: 3}');
	const reply = openRaw(port);
	await until(() => reply.body().length > 0);
	await new Promise((resolve) => setTimeout(resolve, 60));
	expect([reply.ending(), reply.isWhole(), await countReplies(url)]).toEqual([undefined, false, 1]);
	reply.close();
	await until(async () => (await countReplies(url)) === 0);
});

test.each(['fin', 'reset'])('a connection closes without a response by %s', async (how) => {
	const {port} = await playFault(`delay: 40ms\nclose_before_head: ${how}`);
	const start = performance.now();
	const reply = await readRaw(port);
	expect(performance.now() - start).toBeGreaterThan(35);
	expect([reply.head(), reply.ending()]).toEqual(['', how]);
});

describe('an event', () => {
	test('can be malformed or any other text, and the others stay as they are', async () => {
		const {port} = await playFault('malformed: {event: 3}');
		const events = eventsOf(await readRaw(port));
		expect(events).toHaveLength(6);
		expect(() => JSON.parse(events[2]?.slice(6) ?? '{}')).toThrow();
		expect(chunksOf(events.toSpliced(2, 1))).toHaveLength(4);
		const lines = await playFault('malformed: {event: 1, text: "{a\\nb"}');
		expect(eventsOf(await readRaw(lines.port))[0]).toBe('data: {a\ndata: b');
	});

	test('can be an error that ends the answer', async () => {
		const {port} = await playFault('error: {after_events: 2, body: {error: {message: no memory}}}');
		const events = eventsOf(await readRaw(port));
		expect(events.slice(2)).toEqual(['data: {"error":{"message":"no memory"}}', 'data: [DONE]']);
		const plain = await playFault('error: {after_events: 0, body: no memory}');
		expect(eventsOf(await readRaw(plain.port))).toEqual(['data: no memory', 'data: [DONE]']);
	});
});

test('a reply without a stream is malformed too, or is the error', async () => {
	const broken = await playFault('malformed: {event: 3}');
	const text = await (await post(broken.url, bodyOf('hello'))).text();
	expect(() => JSON.parse(text)).toThrow();
	const failed = await playFault('error: {after_events: 2}');
	const reply = await (await post(failed.url, bodyOf('hello'))).json();
	expect(reply).toMatchObject({error: {type: 'server_error'}});
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
