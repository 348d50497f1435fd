/** The service that answers a run, and the next step that a run names if it does not fit. */
import {readFileSync} from 'node:fs';
import {createServer as createHttpServer} from 'node:http';
import {createServer as createHttpsServer} from 'node:https';
import {describe, expect, test} from 'vitest';
import {listen} from '../helpers/listen.ts';
import {errorReply, streamReply} from '../helpers/replies.ts';
import {runChat} from '../helpers/run-chat.ts';
import {openScene, testOutputs, testRefusals} from '../helpers/run-table.ts';

const key = 'sk-0123456789';
const none = {replies: null};

describe('the built-in service', () => {
	const notice = /^chat: no service configured: [^\n]*\n$/;
	testOutputs(
		'answers without a configured service, and says so',
		[
			['count to 5', '1, 2, 3, 4, 5\n', {}, /^chat: no service configured: [^\n]*chat setup\n$/],
			['-q A prompt about penguins', /penguins/, {}, notice],
			['-o json Hello', /"notices":\[\{"code":"built-in-service"/, {}, notice],
			['Hello', /^You wrote/, {variables: {CHAT_BASE_URL: '', OPENAI_BASE_URL: ''}}, notice],
			[
				'Hello',
				/^You wrote “Hello”/,
				{variables: {OPENAI_API_KEY: key}},
				/built-in .*OPENAI_API_KEY .*not used.*openai:/,
			],
		],
		none,
	);

	const OPENAI_BASE_URL = 'http://127.0.0.1:1';
	const typed = 'sk-proj-abcdefghijklmnop1234';
	const noFlag = /^chat: there is no flag for an API key: .*\n.* chat auth set, or/;
	testRefusals(
		'does not replace a service that was meant',
		[
			['--api-key-file key.txt Hello', 78, 'key', {files: {'key.txt': key}}],
			[
				'Hello',
				78,
				'OPENAI_BASE_URL is not used with CHAT_API_KEY, only with OPENAI_API_KEY.',
				{variables: {CHAT_API_KEY: key, OPENAI_BASE_URL}},
			],
			...[`--api-key=${typed}`, `--token ${typed}`].map(
				(flag) => [`${flag} p`, 64, noFlag, {secrets: [typed]}] as const,
			),
		],
		none,
	);

	test('writes at reading speed on a terminal, and at full speed elsewhere', async () => {
		const timeOf = async (words: number, terminals: readonly 'stdout'[]) => {
			const start = performance.now();
			const run = await runChat(`-m luna Write ${words} words`, {terminals});
			expect(run.stdout.split(/\s+(?=\w)/)).toHaveLength(words);
			return performance.now() - start;
		};
		expect(await timeOf(12, ['stdout'])).toBeGreaterThan(120);
		// At reading speed, these would take longer than the time limit of the test.
		await timeOf(5000, []);
	});
});

test('a key that is given as the name of a file is not shown', async () => {
	const name = 'eyJhbGciOiJIUzI1.eyJzdWIiOiIx.abcdefghijk';
	const {run} = await openScene({...none, secrets: [name]});
	const line = '-v -o json --base-url http://localhost:1';
	for (const [flags, variables] of [
		[`--api-key-file ${name}`, {}],
		['', {CHAT_API_KEY_FILE: name}],
	] as const) {
		const {stderr, exitCode} = await run(`${line} ${flags} p`, {variables});
		expect(exitCode).toBe(66);
		expect(stderr).toContain('the key from a file named like a key: no such file');
		expect(stderr).toContain('chat auth set');
		expect((await run('config list', {variables})).exitCode).toBe(0);
	}
});

testRefusals(
	'a file that is named is reported if it is of no use',
	[
		['--api-key-file gone p', 66, /^chat: cannot read the key from the file gone: no such file\n/],
		['--api-key-file words p', 77, /^chat: the file words does not contain a valid API key\n/],
		['--ca-file gone p', 66, /^chat: cannot read the certificates in gone: no such file\n/],
		['--ca-file words p', 65, /^chat: words does not contain valid certificates\n/],
	],
	{files: {words: 'two words'}},
);

/** Starts a server of the other scheme, and returns its host. */
async function startOther(scheme: string): Promise<string> {
	const read = (name: string) => readFileSync(new URL(`../fixtures/tls/${name}`, import.meta.url));
	const pair = {key: read('server-key.pem'), cert: read('server.pem')};
	const server = scheme === 'http' ? createHttpsServer(pair) : createHttpServer();
	return `127.0.0.1:${await listen(server)}`;
}

describe('the next step', () => {
	const refusal = errorReply(
		400,
		"Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
	);
	const config = {temperature: 0.2, profiles: {work: {temperature: 0.2}}};

	test.each([
		['', {CHAT_TEMPERATURE: '0.2'}, 'CHAT_TEMPERATURE', ' (set by CHAT_TEMPERATURE)'],
		['--profile work', {}, 'the profile work', ' (set by the profile work)'],
	])('after a refused temperature: %j %j', async (flags, variables, place, named) => {
		const replies = [refusal, streamReply(['Hi.']), refusal];
		const {run, service} = await openScene({config, replies, variables});
		expect(await run(`${flags} p`)).toEqual({
			stdout: 'Hi.\n',
			stderr: `chat: this model does not support temperature; retrying without it (set by ${place})\n`,
			exitCode: 0,
		});
		expect(service.bodies().map((body) => 'temperature' in body)).toEqual([true, false]);
		const refused = await run(`--max-retries 0 ${flags} p`);
		expect(refused.exitCode).toBe(65);
		expect(refused.stderr).toContain(
			`Leave out temperature${named} with --temperature '', or /set temperature in a session.\n`,
		);
	});

	test.each(['http', 'https'])('with the wrong scheme, %s', async (scheme) => {
		const url = `${scheme}://${await startOther(scheme)}`;
		const {stderr, exitCode} = await runChat(`--max-retries 0 --base-url ${url} p`);
		expect(exitCode).toBe(69);
		expect(stderr).toMatch(/^chat: cannot talk to .*\n.*https.*\n$/);
		expect(stderr).toContain(`write ${scheme === 'http' ? 'https' : 'http'}:// in the base URL.`);
	});

	const behindProxy = '--max-retries 0 --base-url https://service.test p';

	test('with no proxy at its address', async () => {
		const proxy = 'http://no.invalid:1';
		const {stderr, exitCode} = await runChat(behindProxy, {variables: {HTTPS_PROXY: proxy}});
		expect(stderr.startsWith(`chat: cannot talk to the proxy ${proxy}/: `)).toBe(true);
		expect(stderr).toContain('HTTPS_PROXY, HTTP_PROXY or ALL_PROXY names it');
		expect(exitCode).toBe(69);
	});

	test('with another server as the proxy', async () => {
		const proxy = `http://${await startOther('http')}`;
		const {stderr} = await runChat(behindProxy, {variables: {HTTPS_PROXY: proxy}});
		expect(stderr).toContain(`through the proxy ${proxy}/`);
		expect(stderr).toContain('Is it the right proxy?');
	});
});
