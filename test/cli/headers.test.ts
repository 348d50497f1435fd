import {describe, expect, test} from 'vitest';
import {parseResult} from '../helpers/json-output.ts';
import {errorReply, jsonReply, streamReply} from '../helpers/replies.ts';
import {type Line, runChat, wordsOf} from '../helpers/run-chat.ts';
import {type Given, openScene, testRefusals} from '../helpers/run-table.ts';

const key = 'sk-0123456789abcdef';
const secret = 'gateway-secret-42';
const secrets = [secret];

/** A variable as it stands in a header. */
const ref = (name: string) => `\${${name}}`;

/** Sends a prompt with these flags, and returns the headers of the request. */
async function send(line: Line, given: Given = {}) {
	const scene = await openScene({secrets, ...given});
	const run = await scene.run([...wordsOf(line), 'p']);
	const {requests} = scene.service;
	return {run, requests, headers: requests[0]?.headers ?? {}};
}

describe('a header', () => {
	test('of a flag goes out with the request, also in place of one of ours', async () => {
		const flags = ['--header', 'X-Title: my chat', '--header', 'user-agent:  mine '];
		const {headers, run} = await send(flags);
		expect(headers).toMatchObject({'x-title': 'my chat', 'user-agent': 'mine'});
		expect(run).toMatchObject({stdout: 'Hi.\n', stderr: '', exitCode: 0});
	});

	test('goes out with every retry and fallback, and with the list of models', async () => {
		const replies = [
			errorReply(400, "Unknown parameter: 'stream_options'."),
			errorReply(503, 'later', {'retry-after-ms': '1'}),
			errorReply(404, 'The model p does not exist'),
			jsonReply(200, {data: [{id: 'm-1'}]}),
		];
		const {run, requests} = await send(['--header', 'X-Team: blue'], {replies});
		expect(run.stderr).toContain('m-1');
		expect(requests.map(({method}) => method)).toEqual(['POST', 'POST', 'POST', 'GET']);
		for (const {headers} of requests) expect(headers).toMatchObject({'x-team': 'blue'});
	});

	test('of the file, of a profile and of a flag add up, and the last one counts', async () => {
		const flags = ['--profile', 'work', '--header', 'x-three: flag', '--header', 'X-Four:'];
		const {headers} = await send(flags, {
			config: (url: string) => ({
				'base-url': url,
				headers: {'X-One': 'file', 'X-Two': 'file', 'X-Three': 'file', 'X-Four': 'file'},
				profiles: {work: {headers: {'x-two': 'profile', 'X-Three': 'profile'}}},
			}),
		});
		expect(headers).toMatchObject({'x-one': 'file', 'x-two': 'profile', 'x-three': 'flag'});
		expect(headers).not.toHaveProperty('x-four');
	});

	test('has the values of variables, which are never shown', async () => {
		const flags = ['-v', '--header', `X-Gateway: Token ${ref('GATEWAY')}`];
		const {run, headers} = await send(flags, {variables: {GATEWAY: `${secret}\n`}});
		expect(headers).toMatchObject({'x-gateway': `Token ${secret}`});
		expect(run.stderr).toContain('= headers: x-gateway (--header)\n');
		expect(run.stderr).toMatch(/^> .*, x-gateway$/m);
	});

	test.each(['text', 'json', 'jsonl'])('is not shown if it is echoed: %s', async (format) => {
		const flags = ['-o', format, '-v', '--header', `X-Gateway: Token ${secret}`];
		const {run} = await send(flags, {
			replies: [errorReply(400, `X-Gateway was Token ${secret}`)],
		});
		expect(run.exitCode).toBe(65);
		expect(run.stderr + run.stdout).toContain('X-Gateway was [redacted]');
	});

	test('with an ordinary word does not hide that word elsewhere', async () => {
		const flags = ['-o', 'json', '--header', 'X-Provider: anthropic'];
		const {run} = await send(flags, {replies: [streamReply(['Hi.'], {model: 'anthropic/m'})]});
		expect(parseResult(run.stdout).model).toBe('anthropic/m');
	});
});

describe('a header of the config file', () => {
	test('goes only to the base URL beside it', async () => {
		const {service: other} = await openScene();
		const url = other.variables.CHAT_BASE_URL;
		const config = (own: string) => ({
			'base-url': own,
			headers: {'X-Gateway': ref('NOT_SET')},
			profiles: {other: {'base-url': url, headers: {'X-Other': 'yes'}}},
		});
		for (const flags of [
			['--profile', 'other'],
			['--base-url', url, '--header', 'X-Other: yes'],
		]) {
			const {run, requests} = await send(flags, {config});
			expect(run).toMatchObject({exitCode: 0, stderr: ''});
			expect(requests).toEqual([]);
			expect(other.requests.at(-1)?.headers).toMatchObject({'x-other': 'yes'});
			expect(other.requests.at(-1)?.headers).not.toHaveProperty('x-gateway');
		}
	});

	test('is set, listed without its value, and removed', async () => {
		const {run, config} = await openScene({secrets, replies: null});
		const headers = {'X-Title': 'chat', 'X-Gateway': secret};
		await run('config set base-url https://api.example.com');
		const set = await run(['config', 'set', 'headers', JSON.stringify(headers)]);
		expect(set.exitCode).toBe(0);
		expect(config()).toMatchObject({headers});
		expect((await run('config get headers')).stdout).toBe('x-title, x-gateway\n');
		expect((await run('config list')).stdout).toMatch(/^headers +x-title, x-gateway +config$/m);
		expect(await run('config unset headers')).toMatchObject({exitCode: 0});
		expect(config()).not.toHaveProperty('headers');
	});

	const url = 'http://127.0.0.1:1';
	const inFile = (headers: unknown) => ({config: {'base-url': url, headers}, replies: null});
	testRefusals(
		'is an error of the file, with its place',
		[
			['p', 78, /^chat: headers in .*config\.json .*or in a file \{"Name"/, inFile({'X-A': 5})],
			['p', 78, 'or in a file {"Name": "value"}', inFile([secret])],
			['p', 78, 'cannot set connection', inFile({Connection: 'close'})],
			['p', 78, 'needs the variable NOPE', inFile({'X-Gateway': ref('NOPE')})],
			['p', 78, 'cannot set authorization', inFile({Authorization: secret})],
			['p', 78, /has no base-url beside it.*Set base-url/s, {config: {headers: {'X-A': 'b'}}}],
		],
		{secrets},
	);
});

describe('a header that cannot be sent', () => {
	const header = (text: string) => ['--header', text, 'p'];
	const onlyAscii = 'needs one line of ASCII characters as the value';
	testRefusals(
		'is refused',
		[
			[header('X-Gateway'), 64, 'chat: --header must be "Name: value"'],
			[header(secret), 64, 'must be "Name: value"'],
			[header(`X Gateway: ${secret}`), 64, 'has a name that is not valid: "x gateway"'],
			[header('Host: other.example'), 64, 'cannot set host, which chat sets itself'],
			[header('Transfer-Encoding: chunked'), 64, 'cannot set transfer-encoding, which chat'],
			[header(`X-Gateway: ${secret}\r\nX-Evil: 1`), 64, onlyAscii],
			[header('X-Title: schön'), 64, `${onlyAscii} of x-title`],
			[
				header(`Authorization: Bearer ${secret}`),
				64,
				'cannot set authorization, which carries the',
			],
			[
				header(`X-A: ${ref('LINES')}`),
				64,
				'cannot set x-a: a variable in its value is not one line',
			],
			[header(`X-A: ${ref('NOPE')}`), 64, 'needs the variable NOPE for x-a, but it is not set'],
			[
				['--base-url', 'http://192.0.2.1:9', ...header(`X-Gateway: ${secret}`)],
				78,
				/the header x-gateway would go unencrypted.*--insecure-http/s,
			],
			[
				header('X-Title: chat'),
				78,
				'the header x-title is set, but no service is configured',
				{replies: null},
			],
			['--auth-header Host p', 64, 'must be the name of a header'],
		],
		{secrets, variables: {LINES: `${secret}\nX-Evil: 1`}},
	);
});

describe('the key', () => {
	const variables = {CHAT_API_KEY: key};

	test('goes alone into the header that auth-header names', async () => {
		for (const name of ['api-key', 'X-API-Key']) {
			const {headers, run} = await send(`-v --auth-header ${name}`, {variables});
			expect(headers).toMatchObject({[name.toLowerCase()]: key});
			expect(headers).not.toHaveProperty('authorization');
			expect(run.stderr).toContain(`= auth-header: ${name} (--auth-header)\n`);
		}
		const given = {variables: {...variables, CHAT_AUTH_HEADER: 'AUTHORIZATION'}};
		expect((await send('', given)).headers).toMatchObject({authorization: `Bearer ${key}`});
		const config = (url: string) => ({
			profiles: {azure: {'base-url': url, 'auth-header': 'api-key'}},
		});
		expect((await send('--profile azure', {variables, config})).headers['api-key']).toBe(key);
	});

	test('stays here with auth-header none, and another scheme may replace it', async () => {
		const flags = ['--auth-header', 'none', '--header', `Authorization: Basic ${ref('LOGIN')}`];
		const {headers, run} = await send(flags, {variables: {...variables, LOGIN: secret}});
		expect(headers).toMatchObject({authorization: `Basic ${secret}`});
		expect(run).toMatchObject({exitCode: 0, stderr: ''});
	});

	test('that is refused is reported with its header', async () => {
		const given = {replies: [errorReply(401, 'no')], variables};
		const named = await send('--auth-header api-key', given);
		expect(named.run.stderr).toContain('the key from CHAT_API_KEY, sent as api-key (auth-header).');
		const none = await send('--auth-header none', given);
		expect(none.run.stderr).toContain('No API key was sent, because auth-header is none.');
		expect(none.run.exitCode).toBe(77);
	});

	test('of Azure is sent as api-key to the address of a deployment, after one hint', async () => {
		const refusal = 'Access denied due to invalid subscription key or wrong API endpoint.';
		const {service} = await openScene({replies: [errorReply(401, refusal), streamReply(['Hi.'])]});
		const path = '/openai/deployments/d-1/chat/completions?api-version=2024-10-21';
		const CHAT_BASE_URL = new URL(path, service.variables.CHAT_BASE_URL).href;
		const options = {variables: {...variables, CHAT_BASE_URL}};
		const refused = await runChat('p', options);
		expect(refused.exitCode).toBe(77);
		expect(refused.stderr).toContain('in another header: --auth-header api-key');
		const run = await runChat('--auth-header api-key p', options);
		expect(run).toEqual({stdout: 'Hi.\n', stderr: '', exitCode: 0});
		expect(service.requests[1]).toMatchObject({path, headers: {'api-key': key}});
		expect(service.requests[1]?.headers).not.toHaveProperty('authorization');
	});
});
