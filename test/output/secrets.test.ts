import {describe, expect, test} from 'vitest';
import type {ReplayReply} from '../helpers/replay-reply.ts';
import {errorReply, streamReply} from '../helpers/replies.ts';
import {runChat} from '../helpers/run-chat.ts';
import {findSecrets} from '../helpers/secrets.ts';
import {startRecording} from '../helpers/start-service.ts';

const key = 'sk-+/=0123~secret';
const base64 = Buffer.from(key).toString('base64');
const part = encodeURIComponent(key);

/** Replies that echo the key, in every place that a client may print. */
const echoes: ReadonlyArray<readonly [name: string, reply: ReplayReply]> = [
	['in quotes and JSON', errorReply(401, JSON.stringify({error: `The key "${key}" is wrong`}))],
	['in encodings', errorReply(401, `${base64}, ?key=${encodeURIComponent(key)}`)],
	['in JSON of PHP', {...errorReply(401, ''), bodyChunks: [`no: ${key.replaceAll('/', '\\/')}`]}],
	['in HTML of a template', errorReply(401, 'sk-&#43;&#x2F;&#x3D;0123~secret')],
	[
		'in every field of a stream that fails',
		streamReply([], {
			finishReason: null,
			tail: [
				{id: key, model: key, choices: [{index: 0, delta: {content: 'Hi'}, finish_reason: key}]},
				{id: key, choices: [], usage: {prompt_tokens: 1, note: key, [key]: [key]}},
				{error: {message: 'no', usage: {note: key}}},
			]
				.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
				.join(''),
		}),
	],
	[
		'as code and type',
		{
			...errorReply(401, ''),
			bodyChunks: [JSON.stringify({error: {message: 'no', code: key, type: key}})],
		},
	],
	['as request id', errorReply(401, 'Who?', {'x-request-id': key})],
	['in a retried failure', errorReply(503, `Busy, ${key}`, {'retry-after-ms': '1'})],
	[
		'where its message is cut',
		errorReply(400, `${'x'.repeat(500 - key.length + 1)}${key}${'x'.repeat(99)}`),
	],
	[
		'with what is not shown inside',
		errorReply(
			401,
			['\u001b[31m', '\u001b]0;x\u0007', '\u009b1m', '\n', ' \r\n\t', '\u200b', '\u200d', '\u202e']
				.map((inside) => `${key.slice(0, 5)}${inside}${key.slice(5)}`)
				.join(', '),
		),
	],
	['in a header', errorReply(400, 'no', {'x-key': key})],
	['in the query of a redirect', redirectTo(`https://x.example/?${new URLSearchParams({q: key})}`)],
	[
		'in the other parts of a redirect',
		redirectTo(`https://${part}:x@x.example/${part}/v1?api_key=${key}#access_token=${key}`),
	],
	[
		'in the middle of the stream',
		streamReply(['Hi.'], {
			finishReason: null,
			tail: `data: {"error":{"message":"the key ${key} expired"}}\n\n`,
		}),
	],
];

function redirectTo(location: string): ReplayReply {
	return {status: 307, headers: {location}, framing: 'length'};
}

test.each(echoes)('a key that the service echoes %s is not printed', async (_, reply) => {
	const {variables} = await startRecording(reply);
	for (const format of ['text', 'json', 'jsonl']) {
		const argv = ['-v', '-u', '-o', format, 'p'];
		const run = await runChat(argv, {variables: {...variables, CHAT_API_KEY: key}});
		expect(run.exitCode).toBeGreaterThan(64);
		expect(run.stderr).toMatch(/chat: /);
		expect(findSecrets(`${run.stdout}${run.stderr}`, [key, key.slice(0, 8)])).toEqual([]);
	}
});

describe('a secret in the settings', () => {
	const password = 'hunter2hunter2';

	test.each([
		['a URL that does not parse', {}, ['--base-url', `http://user:${password}@ho st:99999`]],
		['the query of the base URL', {}, ['--base-url', `http://127.0.0.1:1/?api-key=${password}`]],
	])('%s is not printed', async (_, variables, flags) => {
		for (const format of ['text', 'json']) {
			const argv = ['-v', '--max-retries', '0', '-o', format, ...flags, 'p'];
			const run = await runChat(argv, {variables, secrets: [password]});
			expect(`${run.stdout}${run.stderr}`).not.toBe('');
		}
	});

	test('an echoed query field of the base URL is not printed', async () => {
		const {variables, requests} = await startRecording(errorReply(400, `no ${password}`));
		const url = `${variables.CHAT_BASE_URL}?api-key=${password}&version=1`;
		const argv = ['-v', '-o', 'json', '--base-url', url, 'p'];
		const run = await runChat(argv, {secrets: [password]});
		expect(run.exitCode).toBe(65);
		expect(requests[0]?.path).toContain(`api-key=${password}`);
		expect(run.stderr).toContain('version=1');
	});
});

test('the search for secrets fails a run that shows one', async () => {
	const {variables} = await startRecording(streamReply([`Your key is ${key}`]));
	const run = runChat(['p'], {variables: {...variables, CHAT_API_KEY: key}});
	await expect(run).rejects.toThrow('shown: sk-');
	const forms = [encodeURIComponent(key), base64, `${new URLSearchParams({key})}`];
	for (const form of forms) expect(findSecrets(`a ${form} b`, [key])).not.toEqual([]);
});
