/** `--fallback`: another model, or the service of a profile, if the first cannot answer. */
import {describe, expect, test} from 'vitest';
import {loadProfile} from '../../src/cli/run/service/load-profile.ts';
import {parseResult} from '../helpers/json-output.ts';
import {streamReply} from '../helpers/replies.ts';
import {type RunOptions, runChat} from '../helpers/run-chat.ts';
import {createHome} from '../helpers/settings-home.ts';
import {startRecording} from '../helpers/start-service.ts';
import {play} from '../server/helpers/scenario.ts';

const [sol, luna] = ['MODEL-5.6-sol', 'MODEL-5.6-luna'];

/** Runs `chat` against a service where only `sol` has this fault. */
async function askFaulty(fault: string, line: readonly string[], options: RunOptions = {}) {
	const {url} = await play(`replies: [{when: {model: sol}, ${fault}}]`);
	const variables = {CHAT_BASE_URL: url, CHAT_MAX_RETRIES: '0', CHAT_MODEL: 'sol'};
	return await runChat(line, {...options, variables});
}

describe('another model', () => {
	test.each(['429', '503'])('answers for one that fails with %s', async (status) => {
		const line = ['--fallback', 'luna', '-o', 'json', '-q', 'say hi'];
		const {stdout, stderr, exitCode} = await askFaulty(`fault: {status: ${status}}`, line);
		expect(parseResult(stdout)).toMatchObject({content: 'hi', model: luna, error: null});
		expect(stderr).toMatch(
			new RegExp(`^chat: .* answered ${status} .*; asking ${luna} instead\n$`),
		);
		expect(exitCode).toBe(0);
	});

	test.each([
		['is wrong', 'fault: {status: 400}', 65],
		['has begun to answer', 'reply: one two three, fault: {cut: {after_events: 3, how: end}}', 79],
	])('is not asked if the request %s', async (_name, fault, code) => {
		const {stderr, exitCode} = await askFaulty(fault, ['--fallback', 'luna', 'say hi']);
		expect(exitCode).toBe(code);
		expect(stderr).not.toContain('instead');
	});

	test('goes on with a cut answer, and the seam names it', async () => {
		const cut = '{when: {model: sol, nth: 1}, fault: {cut: {after_events: 60, how: end}}}';
		const {url} = await play(`replies: [${cut}, {when: {model: sol}, fault: {status: 503}}]`);
		const line = ['--continue-cut', '1', '--fallback', 'luna', '-o', 'json', 'write 60 words'];
		const variables = {CHAT_BASE_URL: url, CHAT_MAX_RETRIES: '0', CHAT_MODEL: 'sol'};
		const result = parseResult((await runChat(line, {variables})).stdout);
		expect(result).toMatchObject({model: sol, seams: [{model: luna}], error: null});
		expect(result.content.split(' ')).toHaveLength(60);
	});
});

describe('a profile', () => {
	const key = 'sk-first-0123456789abcdef';
	const ownKey = 'sk-other-0123456789abcdef';

	test('brings its own service and key; those of the run stay where they are', async () => {
		const [first, other] = [
			await startRecording({status: 503}),
			await startRecording(streamReply(['from the other'])),
		];
		const profile = {'base-url': other.variables.CHAT_BASE_URL, model: 'm-2', temperature: 0.5};
		const config = {profiles: {other: {...profile, 'api-key-command': ['echo', ownKey]}}};
		const {source} = createHome({config});
		const line = [
			...['--fallback', 'other', '-m', 'm-1', '--header', 'X-First: yes'],
			...['-o', 'json', '--max-retries', '0', 'hello'],
		];
		const variables = {...first.variables, CHAT_API_KEY: key, CHAT_WIRE: 'chat'};
		const run = await runChat(line, {...source, variables, secrets: [ownKey]});
		expect(parseResult(run.stdout)).toMatchObject({
			content: 'from the other',
			service: other.variables.CHAT_BASE_URL,
		});
		expect(run.exitCode).toBe(0);
		expect(first.requests[0]?.headers).toMatchObject({
			authorization: `Bearer ${key}`,
			'x-first': 'yes',
		});
		const [request] = other.requests;
		expect(request?.headers['authorization']).toBe(`Bearer ${ownKey}`);
		expect(request?.headers['x-first']).toBeUndefined();
		expect(other.bodies()).toMatchObject([{model: 'm-2', temperature: 0.5}]);
	});

	test('answers for a service that is gone, where no model of that service is asked', async () => {
		const other = await startRecording(streamReply(['from the other']));
		const config = {profiles: {other: {'base-url': other.variables.CHAT_BASE_URL, model: 'm-2'}}};
		const {source} = createHome({config});
		const line = ['--fallback', 'm-1', '--fallback', 'other', '--max-retries', '0', 'hello'];
		const variables = {CHAT_BASE_URL: 'http://127.0.0.1:1', CHAT_API_KEY: key, CHAT_MODEL: 'm'};
		const {stdout, stderr} = await runChat(line, {...source, variables});
		expect(stdout).toBe('from the other\n');
		expect(stderr).toMatch(/ECONNREFUSED.*; asking other instead\n/);
		expect(stderr).not.toContain('m-1');
		expect(other.requests[0]?.headers['authorization']).toBeUndefined();
	});

	test.each([
		['CHAT_BASE_URL', {CHAT_BASE_URL: 'https://first.example', CHAT_API_KEY: key}, undefined],
		['no service', {CHAT_API_KEY: key}, key],
	])(
		'that a session moves to gets no header, wire or key that came with %s',
		(_name, given, left) => {
			const {source} = createHome({config: {profiles: {other: {'base-url': 'https://b.example'}}}});
			const variables = {...given, CHAT_WIRE: 'messages', CHAT_INSECURE_HTTP: 'true'};
			const environment = {variables, homedir: source.home, platform: 'linux'};
			const flags = {header: ['X-First: yes'], apiKeyFile: ['key.txt'], temperature: ['1']};
			const {settings, source: used} = loadProfile('other', flags, true, environment);
			expect(settings).toMatchObject({
				header: [],
				wire: 'auto',
				insecureHttp: false,
				temperature: 1,
			});
			expect(settings.apiKeyFile).toBeUndefined();
			expect(used.variables['CHAT_API_KEY']).toBe(left);
		},
	);
});
