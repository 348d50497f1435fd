import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {parseResult} from '../helpers/json-output.ts';
import {errorReply, jsonReply, streamReply} from '../helpers/replies.ts';
import {type RunOptions, runChat} from '../helpers/run-chat.ts';
import {createHome} from '../helpers/settings-home.ts';
import {startRecording} from '../helpers/start-service.ts';

const answer = streamReply(['Hi.']);
const key = 'sk-0123456789abcdef';
const secret = 'gateway-secret-42';

/** A variable as it stands in a header. */
const ref = (name: string) => `\${${name}}`;

type Run = RunOptions & {
	readonly config?: (url: string) => unknown;
	readonly argv?: readonly string[];
};

/** Runs against a service that answers, and returns the headers of the request. */
async function headersOf({argv = [], config, variables, ...options}: Run) {
	const service = await startRecording(answer);
	const url = service.variables.CHAT_BASE_URL;
	const home = config && createHome({config: config(url)}).home;
	const set = config === undefined ? service.variables : {};
	const run = await runChat([...argv, 'p'], {
		...options,
		...(home === undefined ? {} : {home}),
		variables: {...set, ...variables},
		secrets: [secret],
	});
	return {run, headers: service.requests[0]?.headers ?? {}, requests: service.requests};
}

describe('a header', () => {
	test('of a flag goes out with every request, also in place of one of ours', async () => {
		const flags = ['--header', 'X-Title: my chat', '--header', 'user-agent:  mine '];
		const {headers, run} = await headersOf({argv: flags});
		expect(headers).toMatchObject({'x-title': 'my chat', 'user-agent': 'mine'});
		expect(run).toMatchObject({stdout: 'Hi.\n', stderr: '', exitCode: 0});
	});

	test('goes out with every retry and fallback, and with the list of models', async () => {
		const {variables, requests} = await startRecording(
			errorReply(400, "Unknown parameter: 'stream_options'."),
			errorReply(503, 'later', {'retry-after-ms': '1'}),
			errorReply(404, 'The model p does not exist'),
			jsonReply(200, {data: [{id: 'm-1'}]}),
		);
		const run = await runChat(['--header', 'X-Team: blue', 'p'], {variables});
		expect(run.stderr).toContain('m-1');
		expect(requests.map(({method}) => method)).toEqual(['POST', 'POST', 'POST', 'GET']);
		for (const {headers} of requests) expect(headers).toMatchObject({'x-team': 'blue'});
	});

	test('of the file, of a profile and of a flag add up, and the last one counts', async () => {
		const {headers} = await headersOf({
			config: (url) => ({
				'base-url': url,
				headers: {'X-One': 'file', 'X-Two': 'file', 'X-Three': 'file', 'X-Four': 'file'},
				profiles: {work: {headers: {'x-two': 'profile', 'X-Three': 'profile'}}},
			}),
			argv: ['--profile', 'work', '--header', 'x-three: flag', '--header', 'X-Four:'],
		});
		expect(headers).toMatchObject({'x-one': 'file', 'x-two': 'profile', 'x-three': 'flag'});
		expect(headers).not.toHaveProperty('x-four');
	});

	test('has the values of variables, which are never shown', async () => {
		const {run, headers} = await headersOf({
			argv: ['-v', '--header', `X-Gateway: Token ${ref('GATEWAY')}`],
			variables: {GATEWAY: `${secret}\n`},
		});
		expect(headers).toMatchObject({'x-gateway': `Token ${secret}`});
		expect(run.stderr).toContain('= headers: x-gateway (--header)\n');
		expect(run.stderr).toMatch(/^> .*, x-gateway$/m);
	});

	test.each(['text', 'json', 'jsonl'])(
		'is not shown when a service echoes it: %s',
		async (format) => {
			const {variables} = await startRecording(errorReply(400, `X-Gateway was Token ${secret}`));
			const flags = ['-o', format, '-v', '--header', `X-Gateway: Token ${secret}`];
			const run = await runChat([...flags, 'p'], {variables, secrets: [secret]});
			expect(run.exitCode).toBe(65);
			expect(run.stderr + run.stdout).toContain('X-Gateway was [redacted]');
		},
	);

	test('with an ordinary word does not hide that word elsewhere', async () => {
		const {variables} = await startRecording(streamReply(['Hi.'], {model: 'anthropic/m'}));
		const flags = ['-o', 'json', '--header', 'X-Provider: anthropic'];
		const run = await runChat([...flags, 'p'], {variables});
		expect(parseResult(run.stdout).model).toBe('anthropic/m');
	});

	test('never goes after a redirect', async () => {
		const target = await startRecording(answer);
		const location = `${target.variables.CHAT_BASE_URL}v1/chat/completions`;
		const {variables} = await startRecording(jsonReply(307, {}, {location}));
		const run = await runChat(['--header', `X-Gateway: ${secret}`, 'p'], {
			variables,
			secrets: [secret],
		});
		expect(run.exitCode).toBe(76);
		expect(target.requests).toEqual([]);
	});
});

describe('a header of the config file', () => {
	test('goes only to the base URL beside it', async () => {
		const other = await startRecording(answer);
		const file = (url: string) => ({
			'base-url': url,
			headers: {'X-Gateway': ref('NOT_SET')},
			profiles: {other: {'base-url': other.variables.CHAT_BASE_URL, headers: {'X-Other': 'yes'}}},
		});
		for (const argv of [
			['--profile', 'other'],
			['--base-url', other.variables.CHAT_BASE_URL, '--header', 'X-Other: yes'],
		]) {
			const {run, requests} = await headersOf({config: file, argv});
			expect(run).toMatchObject({exitCode: 0, stderr: ''});
			expect(requests).toEqual([]);
			expect(other.requests.at(-1)?.headers).toMatchObject({'x-other': 'yes'});
			expect(other.requests.at(-1)?.headers).not.toHaveProperty('x-gateway');
		}
	});

	test('without a base URL beside it is an error', async () => {
		const {run, requests} = await headersOf({
			config: () => ({headers: {'X-Title': 'chat'}}),
			variables: (await startRecording(answer)).variables,
		});
		expect(run.exitCode).toBe(78);
		expect(run.stderr).toMatch(
			/headers in .*config\.json has no base-url beside it.*Set base-url/s,
		);
		expect(requests).toEqual([]);
	});

	test('is set, listed without its value, and removed', async () => {
		const {home, config} = createHome();
		const chat = (...argv: readonly string[]) =>
			runChat(['config', ...argv], {home, secrets: [secret]});
		const headers = {'X-Title': 'chat', 'X-Gateway': secret};
		await chat('set', 'base-url', 'https://api.example.com');
		expect(await chat('set', 'headers', JSON.stringify(headers))).toMatchObject({exitCode: 0});
		expect(config()).toMatchObject({headers});
		expect((await chat('get', 'headers')).stdout).toBe('x-title, x-gateway\n');
		expect((await chat('list')).stdout).toMatch(/^headers +x-title, x-gateway +config$/m);
		expect(await chat('unset', 'headers')).toMatchObject({exitCode: 0});
		expect(config()).not.toHaveProperty('headers');
	});
});

describe('a header that cannot be sent', () => {
	test.each([
		['X-Gateway', 'must be "Name: value"'],
		[secret, 'must be "Name: value"'],
		[`X Gateway: ${secret}`, 'has a name that is not valid: "x gateway"'],
		[`: ${secret}`, 'has a name that is not valid: ""'],
		['Host: other.example', 'cannot set host, which chat sets itself'],
		['content-length: 1', 'cannot set content-length, which chat sets itself'],
		['Transfer-Encoding: chunked', 'cannot set transfer-encoding, which chat sets itself'],
		[`X-Gateway: ${secret}\r\nX-Evil: 1`, 'needs one line of ASCII characters as the value'],
		['X-Title: schön', 'needs one line of ASCII characters as the value of x-title'],
		[`Authorization: Bearer ${secret}`, 'cannot set authorization, which carries the API key'],
		[`X-Gateway: ${ref('LINES')}`, 'cannot set x-gateway: a variable in its value is not one line'],
		[`X-Gateway: ${ref('NOPE')}`, 'needs the variable NOPE for x-gateway, but it is not set'],
		[`X-Gateway: ${ref('EMPTY')}`, 'needs the variable EMPTY for x-gateway, but it is not set'],
	])('is refused, and nothing is sent: %j', async (header, message) => {
		const variables = {LINES: `${secret}\nX-Evil: 1`, EMPTY: ''};
		const {run, requests} = await headersOf({argv: ['--header', header], variables});
		expect(run).toMatchObject({exitCode: 64, stdout: ''});
		expect(run.stderr).toContain(`chat: --header ${message}`);
		expect(requests).toEqual([]);
	});

	test.each([
		[{headers: {'X-Gateway': 5}}, 'or in a file {"Name": "value"}'],
		[{headers: [secret]}, 'or in a file {"Name": "value"}'],
		[{headers: {Connection: 'close'}}, 'cannot set connection'],
		[{headers: {'X-Gateway': ref('NOPE')}}, 'needs the variable NOPE'],
		[{headers: {Authorization: secret}}, 'cannot set authorization'],
	])('is an error of the file, with its place: %j', async (values, message) => {
		const {run} = await headersOf({config: (url) => ({'base-url': url, ...values})});
		expect(run).toMatchObject({exitCode: 78, stdout: ''});
		expect(run.stderr).toMatch(/^chat: headers? in .*config\.json /);
		expect(run.stderr).toContain(message);
	});

	test('because nothing encrypts it names the flag that allows it', async () => {
		const argv = ['--base-url', 'http://192.0.2.1:9', '--header', `X-Gateway: ${secret}`];
		const {run} = await headersOf({argv});
		expect(run.exitCode).toBe(78);
		expect(run.stderr).toMatch(/the header x-gateway would go unencrypted.*--insecure-http/s);
	});

	test('has no service to go to: the built-in one does not stand in', async () => {
		const run = await runChat(['--header', 'X-Title: chat', 'p']);
		expect(run).toMatchObject({exitCode: 78, stdout: ''});
		expect(run.stderr).toContain('the header x-title is set, but no service is configured');
	});
});

describe('the key', () => {
	test('goes alone into the header that auth-header names', async () => {
		for (const name of ['api-key', 'X-API-Key']) {
			const {headers, run} = await headersOf({
				argv: ['-v', '--auth-header', name],
				variables: {CHAT_API_KEY: key},
			});
			expect(headers).toMatchObject({[name.toLowerCase()]: key});
			expect(headers).not.toHaveProperty('authorization');
			expect(run.stderr).toContain(`= auth-header: ${name} (--auth-header)\n`);
		}
	});

	test('goes after Bearer into Authorization, in any case', async () => {
		const variables = {CHAT_API_KEY: key, CHAT_AUTH_HEADER: 'AUTHORIZATION'};
		const {headers} = await headersOf({variables});
		expect(headers).toMatchObject({authorization: `Bearer ${key}`});
	});

	test('stays here with auth-header none, and another scheme may replace it', async () => {
		const {headers, run} = await headersOf({
			argv: ['--auth-header', 'none', '--header', `Authorization: Basic ${ref('LOGIN')}`],
			variables: {CHAT_API_KEY: key, LOGIN: secret},
		});
		expect(headers).toMatchObject({authorization: `Basic ${secret}`});
		expect(run).toMatchObject({exitCode: 0, stderr: ''});
	});

	test('of the file works the same in a profile', async () => {
		const {headers} = await headersOf({
			config: (url) => ({profiles: {azure: {'base-url': url, 'auth-header': 'api-key'}}}),
			argv: ['--profile', 'azure'],
			variables: {CHAT_API_KEY: key},
		});
		expect(headers).toMatchObject({'api-key': key});
	});

	test('that is refused is reported with its header', async () => {
		const {variables} = await startRecording(errorReply(401, 'no'));
		const set = {...variables, CHAT_API_KEY: key};
		const named = await runChat(['--auth-header', 'api-key', 'p'], {variables: set});
		expect(named.stderr).toContain('the key from CHAT_API_KEY, sent as api-key (auth-header).');
		const none = await runChat(['--auth-header', 'none', 'p'], {variables: set});
		expect(none.stderr).toContain('No API key was sent, because auth-header is none.');
		expect(none.exitCode).toBe(77);
	});

	test('of Azure is sent as api-key to the address of a deployment, after one hint', async () => {
		const refusal = 'Access denied due to invalid subscription key or wrong API endpoint.';
		const {variables, requests} = await startRecording(errorReply(401, refusal), answer);
		const path = '/openai/deployments/d-1/chat/completions?api-version=2024-10-21';
		const url = new URL(path, variables.CHAT_BASE_URL).href;
		const set = {CHAT_BASE_URL: url, CHAT_API_KEY: key};
		const refused = await runChat(['p'], {variables: set});
		expect(refused.exitCode).toBe(77);
		expect(refused.stderr).toContain('in another header: --auth-header api-key');
		const run = await runChat(['--auth-header', 'api-key', 'p'], {variables: set});
		expect(run).toEqual({stdout: 'Hi.\n', stderr: '', exitCode: 0});
		expect(requests[1]).toMatchObject({path, headers: {'api-key': key}});
		expect(requests[1]?.headers).not.toHaveProperty('authorization');
	});

	test.each(['Host', 'content-type', 'two words', ''])('has no header %j', async (name) => {
		const {run, requests} = await headersOf({argv: ['--auth-header', name]});
		expect(run.exitCode).toBe(64);
		expect(run.stderr).toContain('must be the name of a header');
		expect(requests).toEqual([]);
	});
});

test('headers of the file go to a model whose path starts at the file', async () => {
	const {home, directory} = createHome({
		config: {'base-url': 'llama:tiny.gguf', headers: {'X-Team': 'blue'}},
	});
	writeFileSync(join(directory, 'tiny.gguf'), 'GGUF');
	const run = await runChat(['--dry-run', '-m', 'tiny', 'p'], {home});
	expect(run.exitCode).toBe(0);
	expect(JSON.parse(run.stdout).headers).toHaveProperty('x-team');
});
