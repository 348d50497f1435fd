/** `--wire`: the convention in which a service is asked. */
import {expect, test} from 'vitest';
import {streamReply} from '../helpers/replies.ts';
import {runChat} from '../helpers/run-chat.ts';
import {type RecordingService, startRecording} from '../helpers/start-service.ts';

const event = (type: string, more: object) => `data: ${JSON.stringify({type, ...more})}\n\n`;

const originOf = ({variables}: RecordingService) => new URL('/', variables.CHAT_BASE_URL).href;

const response = {
	status: 200,
	headers: {'content-type': 'text/event-stream'},
	bodyChunks: [
		event('response.created', {response: {id: 'resp_1', model: 'm-1'}}),
		event('response.reasoning_summary_text.delta', {delta: 'Hm.'}),
		event('response.output_text.delta', {delta: 'Hi.'}),
		event('response.completed', {response: {id: 'resp_1', model: 'm-1', output: []}}),
	],
};

const message = {
	...response,
	bodyChunks: [
		event('message_start', {message: {id: 'msg_1', type: 'message', model: 'm-1'}}),
		event('content_block_delta', {delta: {type: 'text_delta', text: 'Hi.'}}),
		event('content_block_stop', {}),
		event('message_delta', {delta: {stop_reason: 'end_turn'}, usage: {output_tokens: 1}}),
		event('message_stop', {}),
	],
};

const key = 'sk-0123456789';

test.each([
	['responses', '', response, {id: 'resp_1', reasoning: 'Hm.', finish_reason: 'stop'}],
	['messages', 'v1/messages', message, {id: 'msg_1', usage: {output_tokens: 1}}],
] as const)('%s is asked by flag, or by the base URL', async (wire, path, reply, result) => {
	const service = await startRecording(reply);
	const flags = path === '' ? ['--wire', wire] : [];
	const run = await runChat([...flags, '-o', 'json', '-m', 'm', 'hello'], {
		variables: {CHAT_BASE_URL: originOf(service) + path, CHAT_API_KEY: key},
	});
	expect(run.exitCode).toBe(0);
	const answer = {model: 'm-1', content: 'Hi.', complete: true, wire};
	expect(JSON.parse(run.stdout)).toMatchObject({...answer, ...result});
	expect(service.requests.map(({path: asked}) => asked)).toEqual([`/v1/${wire}`]);
	const {headers = {}} = service.requests[0] ?? {};
	const isMessages = wire === 'messages';
	expect(headers['authorization']).toBe(isMessages ? undefined : `Bearer ${key}`);
	expect(headers['x-api-key']).toBe(isMessages ? key : undefined);
	expect(service.bodies()[0]).toMatchObject({model: 'm', stream: true});
});

const openai = {OPENAI_API_KEY: 'sk-0123456789'};
const anthropic = {ANTHROPIC_API_KEY: 'sk-0123456789'};

test.each([
	['openai: -m gpt-5', openai, 'responses', {reasoning: {summary: 'auto'}}],
	['openai: -m gpt-5 --wire chat', openai, 'chat', {}],
	['https://api.openai.com/v1/chat/completions -m gpt-5', openai, 'chat', {}],
	[
		'anthropic: -m claude-sonnet-4-5',
		anthropic,
		'messages',
		{max_tokens: 32_000, thinking: {type: 'adaptive', display: 'summarized'}},
	],
	['openrouter: -m openai/gpt-5', {OPENROUTER_API_KEY: 'sk-0123456789'}, 'chat', {}],
])('a provider is asked over its own wire: %s', async (argv, variables, wire, fields) => {
	const argvOf = `--dry-run -v --base-url ${argv} hello`.split(' ');
	const run = await runChat(argvOf, {variables: {...variables, CHAT_BASE_URL: undefined}});
	const source = argv.includes('--wire') ? '--wire' : 'auto';
	expect(run.stderr).toContain(`= wire: ${wire} (${source})\n`);
	const {wire: named, body} = JSON.parse(run.stdout);
	expect(named).toBe(wire);
	const {reasoning, max_tokens, thinking} = body;
	expect({reasoning, max_tokens, thinking}).toEqual(fields);
});

const router = {OPENROUTER_API_KEY: 'sk-0123456789'};

test.each([
	['openai: -m gpt-5', openai, {tools: [{type: 'web_search'}]}],
	[
		'anthropic: -m claude-sonnet-4-5',
		anthropic,
		{tools: [{type: 'web_search_20250305', name: 'web_search'}]},
	],
	['openrouter: -m openai/gpt-5', router, {plugins: [{id: 'web'}]}],
])('--search lets the service search: %s', async (argv, variables, fields) => {
	const argvOf = `--dry-run --search --base-url ${argv} hello`.split(' ');
	const run = await runChat(argvOf, {variables: {...variables, CHAT_BASE_URL: undefined}});
	const {tools, plugins} = JSON.parse(run.stdout).body;
	expect({tools, plugins}).toEqual({tools: undefined, plugins: undefined, ...fields});
});

test('--search is refused where the service has no search, and nothing is sent', async () => {
	const service = await startRecording(streamReply(['Hi.']));
	const run = await runChat(['--search', '-m', 'm', 'hello'], {variables: service.variables});
	expect(run).toMatchObject({exitCode: 64, stdout: ''});
	expect(run.stderr).toContain('this service has no web search over chat completions');
	expect(service.requests).toEqual([]);
});

test('a dry run prints the request, and a field without a counterpart is refused', async () => {
	const service = await startRecording(response);
	const variables = {CHAT_BASE_URL: originOf(service)};
	const argv = ['--wire', 'responses', '-m', 'm', '--dry-run'];
	const shown = await runChat([...argv, 'hello'], {variables});
	expect(JSON.parse(shown.stdout)).toMatchObject({
		url: `${originOf(service)}v1/responses`,
		body: {store: false},
	});
	const refused = await runChat([...argv, '--stop', 'END', 'hello'], {variables});
	expect(refused).toMatchObject({exitCode: 64, stdout: ''});
	expect(refused.stderr).toContain('the Responses wire has no stop');
	expect(refused.stderr).toContain('Leave stop out, or use --wire chat.');
	expect(service.requests).toEqual([]);
});
