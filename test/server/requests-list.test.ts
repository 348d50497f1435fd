import {describe, expect, test} from 'vitest';
import {play} from './helpers/scenario.ts';
import {ask, bodyOf, post, type Reply, serve, until} from './helpers/service.ts';

const key = 'sk-0123456789abcdef';
const bearer = {authorization: `Bearer ${key}`};

async function list(url: string, headers: Record<string, string> = {}): Promise<readonly Reply[]> {
	const response = await fetch(`${url}/requests`, {headers});
	const {object, data} = (await response.json()) as Reply;
	expect(object).toBe('list');
	return data;
}

describe('the list of requests', () => {
	test('has what was received, newest first, and what came of it', async () => {
		const {url} = await serve({now: () => 0});
		const response = await post(url, bodyOf('one', {temperature: 1}));
		await response.text();
		await fetch(`${url}/v1/models?key=abc&x=1`);
		await until(async () => (await list(url)).every(({state}) => state === 'sent'));
		const [second, first, ...others] = await list(url);
		expect(others).toEqual([]);
		expect(second).toMatchObject({
			method: 'GET',
			path: '/v1/models?key=%5Bredacted%5D&x=%5Bredacted%5D',
		});
		expect(first).toEqual({
			id: response.headers.get('x-request-id'),
			received: '1970-01-01T00:00:00.000Z',
			method: 'POST',
			path: '/v1/chat/completions',
			headers: expect.objectContaining({'content-type': 'application/json'}),
			body: bodyOf('one', {temperature: 1}),
			rule: null,
			status: 200,
			state: 'sent',
			duration_ms: expect.any(Number),
		});
	});

	test('has refused requests too: without a key, without JSON, without a path', async () => {
		const {url} = await serve({apiKey: key});
		expect((await post(url, bodyOf('x'))).status).toBe(401);
		expect((await post(url, '{"no json', bearer)).status).toBe(400);
		expect((await fetch(`${url}/nowhere`, {headers: bearer})).status).toBe(404);
		const entries = await list(url, bearer);
		expect(entries.map(({status, body}) => [status, body])).toEqual([
			[404, null],
			[400, '{"no json'],
			[401, null],
		]);
	});

	test('needs the key of the service, and shows four characters of a long secret', async () => {
		const {url} = await serve({apiKey: key});
		const secrets = {
			'x-api-key': 'other-key-9876',
			cookie: 'session=0123456789',
			'api-key': 'short',
		};
		await (await post(url, bodyOf('x'), {...bearer, ...secrets})).text();
		expect((await fetch(`${url}/requests`)).status).toBe(401);
		expect((await list(url, bearer))[0].headers).toMatchObject({
			authorization: 'Bearer …cdef',
			'x-api-key': '…9876',
			cookie: '…6789',
			'api-key': '…',
		});
	});

	test('names the rule that answered, and distinguishes a cut reply from a whole one', async () => {
		const {url} = await play(`
replies:
  - {name: broken, times: 1, fault: {cut: {after_events: 2}}}
  - {when: {prompt: bye}, fault: {close_before_head: true}}
  - reply: ok`);
		for (const prompt of ['hello', 'bye', 'hello']) {
			await post(url, bodyOf(prompt, {stream: true}))
				.then((response) => response.text())
				.catch(() => undefined);
		}
		await until(async () => (await list(url)).every(({state}) => state !== 'open'));
		const entries = await list(url);
		expect(entries.map(({rule, status, state}) => [rule, status, state])).toEqual([
			['replies[2]', 200, 'sent'],
			['replies[1]', null, 'cut'],
			['broken', 200, 'cut'],
		]);
	});

	test('ends where the bodies take too much room, and after a hundred', async () => {
		const {url} = await serve({}, {maxKeptBytes: 10_000});
		const body = bodyOf('x'.repeat(4_000));
		for (let sent = 0; sent < 4; sent += 1) await (await post(url, body)).text();
		expect(await list(url)).toHaveLength(2);
		const pages = Array.from({length: 101}, (_, index) => `${url}/v1/models/${index}`);
		for (const page of pages) await (await fetch(page)).text();
		const paths = (await list(url)).map(({path}) => path);
		expect(paths).toEqual(
			pages
				.map((page) => new URL(page).pathname)
				.slice(1)
				.reverse(),
		);
	});

	test('can be cleared, which restarts the scenario', async () => {
		const {url} = await play('replies: [{times: 1, reply: first}, {reply: later}]');
		expect([await ask(url, 'x'), await ask(url, 'x')]).toEqual(['first', 'later']);
		const cleared = await fetch(`${url}/requests`, {method: 'DELETE'});
		expect([cleared.status, await cleared.text()]).toEqual([204, '']);
		expect(await list(url)).toEqual([]);
		expect(await ask(url, 'x')).toBe('first');
	});
});
