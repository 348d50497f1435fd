import {describe, expect, test} from 'vitest';
import {parseResult} from '../helpers/json-output.ts';
import {errorReply, streamReply} from '../helpers/replies.ts';
import {runChat} from '../helpers/run-chat.ts';
import {startRecording, startReference} from '../helpers/start-service.ts';
import {createDirectory} from '../input/input-helpers.ts';

const key = 'sk-0123456789';

describe('the built-in service', () => {
	test('answers without a configured service, and says how to connect one', async () => {
		const run = await runChat(['count to 5']);
		expect(run.stdout).toBe('1, 2, 3, 4, 5\n');
		expect(run.stderr).toMatch(/^chat: no service configured: [^\n]*chat setup\n$/);
		expect(run.exitCode).toBe(0);
	});

	test.each([
		['-q', ['-q']],
		['JSON output', ['-o', 'json']],
		['JSON lines', ['-o', 'jsonl', '-q']],
	])('says so even with %s', async (_, flags) => {
		const {stderr} = await runChat([...flags, 'Hello']);
		expect(stderr).toMatch(/^chat: no service configured: [^\n]*\n$/);
	});

	test('is named in JSON, with its notice', async () => {
		const {stdout} = await runChat(['-o', 'json', 'Hello']);
		expect(parseResult(stdout)).toMatchObject({
			service: 'built-in',
			model: 'MODEL-5.6-sol',
			finish_reason: 'stop',
			complete: true,
			error: null,
			attempts: 1,
			notices: [{code: 'built-in-service'}],
		});
	});

	test('answers two prompts differently', async () => {
		const first = await runChat(['-q', 'A prompt about penguins']);
		const second = await runChat(['-q', 'A prompt about zeppelins']);
		expect(first.stdout).toContain('penguins');
		expect(second.stdout).toContain('zeppelins');
	});

	test.each([
		['CHAT_API_KEY', {CHAT_API_KEY: key}, [], 78],
		['a key file', {}, ['--api-key-file', 'key.txt'], 78],
		['an empty CHAT_API_KEY', {CHAT_API_KEY: ''}, [], 77],
		['CHAT_API_KEY with OPENAI_BASE_URL', {CHAT_API_KEY: key, OPENAI_BASE_URL: 'http://x'}, [], 78],
	])('does not replace a service that was meant: %s', async (_, variables, flags, exitCode) => {
		const cwd = createDirectory({'key.txt': key});
		const run = await runChat([...flags, 'Hello'], {cwd, variables});
		expect(run).toMatchObject({stdout: '', exitCode});
		expect(run.stderr).not.toContain('answering with');
	});

	test('writes at reading speed on a terminal, and at full speed elsewhere', async () => {
		const timeOf = async (words: number, terminals: readonly 'stdout'[]) => {
			const start = performance.now();
			const run = await runChat(['-m', 'luna', `Write ${words} words`], {terminals});
			expect(run.stdout.split(/\s+(?=\w)/)).toHaveLength(words);
			return performance.now() - start;
		};
		expect(await timeOf(24, ['stdout'])).toBeGreaterThan(250);
		// At reading speed, these would take longer than the time limit of the test.
		await timeOf(5000, []);
	});

	test('answers with OPENAI_API_KEY alone, and says that it is not used', async () => {
		const run = await runChat(['Hello'], {variables: {OPENAI_API_KEY: key}});
		expect(run.stdout).toMatch(/^You wrote “Hello”/);
		expect(run.stderr).toMatch(/built-in .*OPENAI_API_KEY .*not used.*openai:/);
		expect(run.exitCode).toBe(0);
	});

	test('treats an empty base URL as unset', async () => {
		const run = await runChat(['Hello'], {variables: {CHAT_BASE_URL: '', OPENAI_BASE_URL: ''}});
		expect(run).toMatchObject({exitCode: 0});
		expect(run.stderr).toContain('built-in service');
	});
});

describe('-v', () => {
	const traceOf = async (
		argv: readonly string[],
		variables: Readonly<Record<string, string>>,
	): Promise<string> => (await runChat(['-v', ...argv, 'p'], {variables})).stderr;

	test('prints the flags and variables in use, and the source of the key', async () => {
		const {variables} = await startRecording(streamReply(['Hi.']));
		const long = `${key}-and-more`;
		const set = {...variables, CHAT_API_KEY: long, CHAT_TOP_P: '1', CHAT_MODEL: 'luna'};
		const trace = await traceOf(['-m', 'terra'], set);
		expect(trace).toContain('= model: terra (--model)\n= top-p: 1 (CHAT_TOP_P)\n');
		expect(trace).toContain(`= base-url: ${variables.CHAT_BASE_URL} (CHAT_BASE_URL)\n`);
		expect(trace).toMatch(/= API key: .*more.* \(CHAT_API_KEY\)\n> POST/);
	});

	test('names OPENAI_BASE_URL, and does not show a short key', async () => {
		const {variables} = await startRecording(streamReply(['Hi.']));
		const pair = {OPENAI_BASE_URL: variables.CHAT_BASE_URL, OPENAI_API_KEY: key};
		const trace = await traceOf([], pair);
		expect(trace).toContain(`(OPENAI_BASE_URL)\n= API key: `);
		expect(trace).toContain('(OPENAI_API_KEY)\n> POST');
	});

	test('does not name the key of the built-in service', async () => {
		expect(await traceOf([], {})).toMatch(/^= save: .*\nchat: no service configured: .*\n> POST/);
	});
});

describe('a configured service', () => {
	test('answers without a notice, and is named in JSON', async () => {
		const {url} = await startReference();
		const run = await runChat(['-o', 'json', 'Hello'], {variables: {CHAT_BASE_URL: url}});
		expect(parseResult(run.stdout)).toMatchObject({service: `${url}/`, notices: []});
		expect(run).toMatchObject({stderr: '', exitCode: 0});
	});

	test('gets the key of the variable', async () => {
		const {url} = await startReference({apiKey: key});
		const variables = {CHAT_BASE_URL: url, CHAT_API_KEY: ` ${key}\n`};
		expect((await runChat(['Hello'], {variables})).exitCode).toBe(0);
		const pair = {OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: key};
		expect((await runChat(['Hello'], {variables: pair})).exitCode).toBe(0);
	});

	test('gets the key of a file', async () => {
		const {url} = await startReference({apiKey: key});
		const cwd = createDirectory({'key.txt': `${key}\n`});
		const argv = ['--base-url', url, '--api-key-file', 'key.txt', 'Hello'];
		expect((await runChat(argv, {cwd, secrets: [key]})).exitCode).toBe(0);
	});

	test('that needs a key reports that none was sent', async () => {
		const {url} = await startReference({apiKey: key});
		const run = await runChat(['Hello'], {variables: {CHAT_BASE_URL: url}});
		expect(run).toMatchObject({stdout: '', exitCode: 77});
		expect(run.stderr).toMatch(
			/401.*\n(.*\n)?.*No API key was sent\. To store one: chat auth set --base-url http/,
		);
	});

	test('that refuses the key names its source', async () => {
		const {url} = await startReference({apiKey: key});
		const variables = {CHAT_BASE_URL: url, CHAT_API_KEY: 'sk-wrong-one'};
		const run = await runChat(['Hello'], {variables});
		expect(run.exitCode).toBe(77);
		expect(run.stderr).toContain('does not accept the key from CHAT_API_KEY');
	});

	test('that does not know the default model reports that none was chosen', async () => {
		const service = await startRecording(errorReply(404, 'The model does not exist.'));
		const run = await runChat(['p'], service);
		expect(run.stderr).toMatch(
			/No model is set, so the default MODEL-5\.6-sol was requested\. .*CHAT_MODEL/,
		);
		const chosen = await runChat(['-m', 'sol', 'p'], service);
		expect(chosen.stderr).not.toContain('No model is set');
	});

	test('is not OPENAI_BASE_URL if CHAT_BASE_URL is set', async () => {
		const chat = await startRecording(streamReply(['Hi.']));
		const other = await startRecording(streamReply(['no']));
		const pair = {OPENAI_BASE_URL: other.variables.CHAT_BASE_URL, OPENAI_API_KEY: key};
		await runChat(['p'], {variables: {...chat.variables, ...pair}});
		await runChat(['--base-url', chat.variables.CHAT_BASE_URL, 'p'], {variables: pair});
		expect(chat.requests.map(({headers}) => headers['authorization'])).toEqual([
			undefined,
			undefined,
		]);
		expect(other.requests).toEqual([]);
	});

	test('on another machine gets no request without encryption, unless that is allowed', async () => {
		const variables = {CHAT_BASE_URL: 'http://192.0.2.1:9', CHAT_API_KEY: key};
		const refused = await runChat(['-o', 'json', 'p'], {variables});
		expect(parseResult(refused.stdout)).toMatchObject({attempts: 0, error: {kind: 'config'}});
		const limits = ['-m', 'm', '--connect-timeout', '50ms', '--max-retries', '0'];
		const allowed = await runChat(['--insecure-http', ...limits, 'p'], {variables});
		expect([69, 75]).toContain(allowed.exitCode);
		expect(allowed.stderr).toContain('http://192.0.2.1:9/v1/chat/completions');
	});
});

describe('a key on the command line', () => {
	const typed = 'sk-proj-abcdefghijklmnop1234';

	test.each([
		[['--api-key', typed], 64],
		[[`--api-key=${typed}`], 64],
		[['--api_key', typed], 64],
		[['--token', typed], 64],
	])(
		'is refused without being shown, with the ways that there are: %j',
		async (flags, exitCode) => {
			const run = await runChat([...flags, 'p'], {secrets: [typed]});
			expect(run).toMatchObject({stdout: '', exitCode});
			expect(run.stderr).toMatch(
				/^chat: there is no flag for an API key: .*\n.* chat auth set, or/,
			);
		},
	);

	test.each([typed, 'AIzaSyD4f8a9b0c1d2e3f4', 'eyJhbGciOiJIUzI1.eyJzdWIiOiIx.abcdefghijk'])(
		'is not shown when it is given as the name of a file: %s',
		async (key) => {
			for (const options of [{}, {variables: {CHAT_API_KEY_FILE: key}}]) {
				const flags = 'variables' in options ? [] : ['--api-key-file', key];
				const argv = ['-v', '-o', 'json', '--base-url', 'http://localhost:1', ...flags, 'p'];
				const run = await runChat(argv, {...options, secrets: [key]});
				expect(run.exitCode).toBe(66);
				expect(run.stderr).toContain(
					'the key from a file whose name looks like a key: no such file',
				);
				expect(run.stderr).toContain('chat auth set');
				const listed = await runChat(['config', 'list'], {...options, secrets: [key]});
				expect(listed.exitCode).toBe(0);
			}
		},
	);
});

describe('a file named on the command line', () => {
	test.each([
		['--api-key-file', 'gone', 66, 'cannot read the key from the file gone: no such file'],
		['--api-key-file', '.', 66, 'cannot read the key from the file .: it is a directory'],
		['--api-key-file', '/dev/null', 77, 'the file /dev/null is empty'],
		['--api-key-file', 'words', 77, 'the file words does not contain a valid API key'],
		['--ca-file', 'gone', 66, 'cannot read the certificates in gone: no such file'],
		['--ca-file', '.', 66, 'cannot read the certificates in .: it is a directory'],
		['--ca-file', 'words', 65, 'words does not contain valid certificates'],
	])('of %s is reported if it is %s', async (flag, path, exitCode, message) => {
		const {variables, requests} = await startRecording(streamReply(['no']));
		const cwd = createDirectory({words: 'two words'});
		const run = await runChat([flag, path, 'p'], {variables, cwd});
		expect(run).toMatchObject({stdout: '', exitCode});
		expect(run.stderr.split('\n')[0]).toBe(`chat: ${message}`);
		expect(requests).toEqual([]);
	});
});
