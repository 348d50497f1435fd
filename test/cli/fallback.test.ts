/** `--fallback`: another model, or the service of a profile, if the first cannot answer. */
import {expect, test} from 'vitest';
import {loadProfile} from '../../src/cli/run/service/load-profile.ts';
import {parseResult} from '../helpers/json-output.ts';
import {streamReply} from '../helpers/replies.ts';
import {openScene} from '../helpers/run-table.ts';
import {createHome} from '../helpers/settings-home.ts';
import {startRecording} from '../helpers/start-service.ts';
import {play} from '../server/helpers/scenario.ts';

const luna = 'MODEL-5.6-luna';

test.each([
	['429', 'fault: {status: 429}', 0],
	['503', 'fault: {status: 503}', 0],
	['a wrong request', 'fault: {status: 400}', 65],
	['a cut answer', 'reply: one two three, fault: {cut: {after_events: 3, how: end}}', 79],
])('another model answers after %s, unless it would fail too: %s', async (_, fault, code) => {
	const {url} = await play(`replies: [{when: {model: sol}, ${fault}}]`);
	const variables = {CHAT_BASE_URL: url, CHAT_MAX_RETRIES: '0', CHAT_MODEL: 'sol'};
	const {run} = await openScene({variables});
	const {stdout, stderr, exitCode} = await run('--fallback luna -o json -q say hi');
	expect(exitCode).toBe(code);
	if (code !== 0) return expect(stderr).not.toContain('instead');
	expect(parseResult(stdout)).toMatchObject({content: 'hi', model: luna, error: null});
	expect(stderr).toMatch(new RegExp(`^chat: .* answered \\d+ .*; asking ${luna} instead\n$`));
});

const key = 'sk-first-0123456789abcdef';
const ownKey = 'sk-other-0123456789abcdef';

test('a profile brings its own service and key; those of the run stay where they are', async () => {
	const other = await startRecording(streamReply(['from the other']));
	const profile = {'base-url': other.variables.CHAT_BASE_URL, model: 'm-2', temperature: 0.5};
	const {run, service} = await openScene({
		config: {profiles: {other: {...profile, 'api-key-command': ['echo', ownKey]}}},
		replies: [{status: 503}],
		variables: {CHAT_API_KEY: key, CHAT_WIRE: 'chat'},
		secrets: [ownKey],
	});
	const flags = ['--fallback', 'other', '-m', 'm-1', '--header', 'X-First: yes'];
	const {stdout, exitCode} = await run([...flags, '-o', 'json', '--max-retries', '0', 'hello']);
	const {CHAT_BASE_URL} = other.variables;
	expect(parseResult(stdout)).toMatchObject({content: 'from the other', service: CHAT_BASE_URL});
	expect(exitCode).toBe(0);
	const own = {authorization: `Bearer ${key}`, 'x-first': 'yes'};
	expect(service.requests[0]?.headers).toMatchObject(own);
	expect(other.requests[0]?.headers).toMatchObject({authorization: `Bearer ${ownKey}`});
	expect(other.requests[0]?.headers).not.toHaveProperty('x-first');
	expect(other.bodies()).toMatchObject([{model: 'm-2', temperature: 0.5}]);
});

test('a profile answers for a service that is gone, where no model of that service is asked', async () => {
	const other = await startRecording(streamReply(['from the other']));
	const {run} = await openScene({
		config: {profiles: {other: {'base-url': other.variables.CHAT_BASE_URL, model: 'm-2'}}},
		variables: {CHAT_BASE_URL: 'http://127.0.0.1:1', CHAT_API_KEY: key, CHAT_MODEL: 'm'},
	});
	const {stdout, stderr} = await run('--fallback m-1 --fallback other --max-retries 0 hello');
	expect(stdout).toBe('from the other\n');
	expect(stderr).toMatch(/ECONNREFUSED.*; asking other instead\n/);
	expect(stderr).not.toContain('m-1');
	expect(other.requests[0]?.headers).not.toHaveProperty('authorization');
});

test('a profile that a session moves to gets nothing that came with a base URL', () => {
	const {source} = createHome({config: {profiles: {other: {'base-url': 'https://b.example'}}}});
	const flags = {header: ['X-First: yes'], apiKeyFile: ['key.txt'], temperature: ['1']};
	for (const [given, left] of [
		[{CHAT_BASE_URL: 'https://first.example', CHAT_API_KEY: key}, undefined],
		[{CHAT_API_KEY: key}, key],
	] as const) {
		const variables = {...given, CHAT_WIRE: 'messages', CHAT_INSECURE_HTTP: 'true'};
		const environment = {variables, homedir: source.home, platform: 'linux'};
		const {settings, source: used} = loadProfile('other', flags, true, environment);
		const kept = {header: [], wire: 'auto', insecureHttp: false, temperature: 1};
		expect(settings).toMatchObject({...kept, apiKeyFile: undefined});
		expect(used.variables['CHAT_API_KEY']).toBe(left);
	}
});
