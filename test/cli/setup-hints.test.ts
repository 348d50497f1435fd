/** The next step that a run names when its settings do not fit the service or the network. */
import {readFileSync} from 'node:fs';
import {createServer as createHttpServer} from 'node:http';
import {createServer as createHttpsServer} from 'node:https';
import type {AddressInfo, Server} from 'node:net';
import {fileURLToPath} from 'node:url';
import {describe, expect, onTestFinished, test} from 'vitest';
import {errorReply, streamReply} from '../helpers/replies.ts';
import {runChat} from '../helpers/run-chat.ts';
import {createHome} from '../helpers/settings-home.ts';
import {startRecording} from '../helpers/start-service.ts';

async function listen(server: Server): Promise<string> {
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	onTestFinished(() => {
		server.close();
	});
	return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function startHttps(): Promise<string> {
	const read = (name: string) =>
		readFileSync(fileURLToPath(new URL(`../fixtures/tls/${name}`, import.meta.url)));
	return listen(createHttpsServer({key: read('server-key.pem'), cert: read('server.pem')}));
}

const once = ['--max-retries', '0'];

describe('a temperature that the model does not take', () => {
	const refusal = errorReply(
		400,
		"Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
	);
	const config = {temperature: 0.2, profiles: {work: {temperature: 0.2}}};

	test.each([
		['flag', ['--temperature', '0.2'], {}, '--temperature', ''],
		['variable', [], {CHAT_TEMPERATURE: '0.2'}, 'CHAT_TEMPERATURE', ' (set by CHAT_TEMPERATURE)'],
		['config file', [], {}, 'the config file', ' (set by the config file)'],
		['profile', ['--profile', 'work'], {}, 'the profile work', ' (set by the profile work)'],
	])('is left out, or refused with its place: %s', async (_, flags, more, place, named) => {
		const {source} = createHome({config});
		const {variables, bodies} = await startRecording(refusal, streamReply(['Hi.']), refusal);
		const options = {...source, variables: {...variables, ...more}};
		const retried = await runChat([...flags, 'p'], options);
		expect(retried).toEqual({
			stdout: 'Hi.\n',
			stderr: `chat: this model does not support temperature; retrying without it (set by ${place})\n`,
			exitCode: 0,
		});
		expect(bodies().map((body) => 'temperature' in body)).toEqual([true, false]);
		const refused = await runChat([...once, ...flags, 'p'], options);
		expect(refused.exitCode).toBe(65);
		expect(refused.stderr).toContain(
			`Leave out temperature${named} with --temperature '', or /set temperature in a session.\n`,
		);
		const cleared = await runChat([...once, ...flags, '--temperature', '', 'p'], options);
		expect(bodies().at(-1)).not.toHaveProperty('temperature');
		expect(cleared.stderr).not.toContain('set by');
	});
});

describe('the wrong scheme', () => {
	test.each(['http', 'https'])('%s is suspected', async (scheme) => {
		const host = scheme === 'http' ? await startHttps() : await listen(createHttpServer());
		const run = await runChat([...once, '--base-url', `${scheme}://${host}`, 'p']);
		const right = scheme === 'http' ? 'https' : 'http';
		expect(run.exitCode).toBe(69);
		expect(run.stderr).toMatch(/^chat: cannot talk to .*\n.*https.*\n$/);
		expect(run.stderr).toContain(`write ${right}:// in the base URL.`);
	});
});

describe('a proxy', () => {
	const url = 'https://service.test';

	test.each([
		[
			'that does not run',
			'http://127.0.0.1:1',
			/^chat: cannot talk to the proxy http:\/\/127\.0\.0\.1:1\/: /,
		],
		[
			'that cannot be resolved',
			'http://no.invalid:1',
			/^chat: cannot talk to the proxy http:\/\/no\.invalid:1\/: /,
		],
	])('%s is named in place of the service', async (_, proxy, message) => {
		const variables = {HTTPS_PROXY: proxy};
		const run = await runChat([...once, '--base-url', url, 'p'], {variables});
		expect(run.stderr).toMatch(message);
		expect(run.stderr).toContain('HTTPS_PROXY, HTTP_PROXY or ALL_PROXY names it');
		expect(run.exitCode).toBe(69);
	});

	test.each(['http', 'https'])('is suspected if %s leads to another server', async (scheme) => {
		const host = scheme === 'http' ? await startHttps() : await listen(createHttpServer());
		const variables = {HTTPS_PROXY: `${scheme}://${host}`};
		const run = await runChat([...once, '--base-url', url, 'p'], {variables});
		expect(run.stderr).toContain(`through the proxy ${scheme}://${host}/`);
		expect(run.stderr).toContain('Is it the right proxy?');
	});
});

test('OPENAI_BASE_URL with the key in CHAT_API_KEY is said to be unused', async () => {
	const {variables, requests} = await startRecording(streamReply(['no']));
	const run = await runChat(['p'], {
		variables: {OPENAI_BASE_URL: variables.CHAT_BASE_URL, CHAT_API_KEY: 'sk-test-12345678'},
	});
	expect(run).toMatchObject({stdout: '', exitCode: 78});
	expect(run.stderr).toContain(
		'OPENAI_BASE_URL is not used with CHAT_API_KEY, only with OPENAI_API_KEY.',
	);
	expect(requests).toEqual([]);
});
