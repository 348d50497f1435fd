/** `--wire`: the convention in which a service is asked. */
import {expect, test} from 'vitest';
import {streamReply} from '../helpers/replies.ts';
import {runChat} from '../helpers/run-chat.ts';
import {type RecordingService, startRecording, startReference} from '../helpers/start-service.ts';

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

test.each([
	['by flag', ['--wire', 'responses'], {}, ''],
	["by the base URL's end", [], {}, 'v1/responses'],
])('Responses is asked %s', async (_, argv, variables, path) => {
	const service = await startRecording(response);
	const CHAT_BASE_URL = originOf(service) + path;
	const run = await runChat([...argv, '-o', 'json', '-m', 'm', 'hello'], {
		variables: {...variables, CHAT_BASE_URL, CHAT_API_KEY: 'sk-0123456789'},
	});
	expect(run.exitCode).toBe(0);
	expect(JSON.parse(run.stdout)).toMatchObject({
		...{id: 'resp_1', model: 'm-1', content: 'Hi.', reasoning: 'Hm.'},
		...{finish_reason: 'stop', complete: true},
	});
	expect(service.requests.map(({path: asked}) => asked)).toEqual(['/v1/responses']);
	expect(service.requests[0]?.headers['authorization']).toBe('Bearer sk-0123456789');
	expect(service.bodies()[0]).toMatchObject({
		...{model: 'm', store: false, stream: true},
		input: [{role: 'user', content: [{type: 'input_text', text: 'hello'}]}],
	});
});

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

test.each([
	['by flag', ['--wire', 'messages'], ''],
	["by the base URL's end", [], 'v1/messages'],
])('Messages is asked %s', async (_, argv, path) => {
	const service = await startRecording(message);
	const CHAT_BASE_URL = originOf(service) + path;
	const run = await runChat([...argv, '-o', 'json', '-m', 'm', 'hello'], {
		variables: {CHAT_BASE_URL, CHAT_API_KEY: 'sk-0123456789'},
	});
	expect(run.exitCode).toBe(0);
	expect(JSON.parse(run.stdout)).toMatchObject({
		...{id: 'msg_1', model: 'm-1', content: 'Hi.', complete: true},
		usage: {output_tokens: 1},
	});
	expect(service.requests.map(({path: asked}) => asked)).toEqual(['/v1/messages']);
	const {headers = {}} = service.requests[0] ?? {};
	expect(headers).toMatchObject({'x-api-key': 'sk-0123456789', 'anthropic-version': '2023-06-01'});
	expect(headers['authorization']).toBeUndefined();
	expect(run.stdout + run.stderr).not.toContain('sk-0123456789');
});

const openai = {OPENAI_API_KEY: 'sk-0123456789'};
const anthropic = {ANTHROPIC_API_KEY: 'sk-0123456789'};

test.each([
	['openai: -m gpt-5', openai, 'responses', {reasoning: {summary: 'auto'}}],
	['openai: -m gpt-4.1', openai, 'responses', {}],
	['https://api.openai.com -m gpt-5', openai, 'responses', {reasoning: {summary: 'auto'}}],
	['openai: -m gpt-5 --wire chat', openai, 'chat', {}],
	['https://api.openai.com/v1/chat/completions -m gpt-5', openai, 'chat', {}],
	[
		'anthropic: -m claude-sonnet-4-5',
		anthropic,
		'messages',
		{max_tokens: 32_000, thinking: {type: 'adaptive', display: 'summarized'}},
	],
	['anthropic: -m claude-3-haiku-20240307', anthropic, 'messages', {max_tokens: 4096}],
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

test('one answer is the same JSON over all wires, but for ids, usage and the wire', async () => {
	const {url} = await startReference({now: () => 0});
	const prompt = 'think for 40 words: say one two three';
	const askAt = async (CHAT_BASE_URL: string, wire: string) => {
		const argv = [
			'--wire',
			wire,
			'-o',
			'json',
			'-m',
			'MODEL-5.6-sol',
			'--max-retries',
			'0',
			prompt,
		];
		const run = await runChat(argv, {variables: {CHAT_BASE_URL, CHAT_API_KEY: 'sk-0123456789'}});
		const {
			id,
			usage,
			total_usage,
			timing,
			service,
			wire: named,
			created,
			...same
		} = JSON.parse(run.stdout);
		expect(named).toBe(wire);
		expect(usage.total_tokens ?? null).toEqual(total_usage.total_tokens ?? null);
		return same;
	};
	const overChat = await askAt(url, 'chat');
	expect(overChat).toMatchObject({content: 'one two three', finish_reason: 'stop', complete: true});
	expect(overChat.reasoning.split('\n\n')).toHaveLength(3);
	expect(await askAt(url, 'responses')).toEqual(overChat);
	const model = 'MODEL-5.6-sol';
	const service = await startRecording({
		...response,
		bodyChunks: [
			event('message_start', {message: {id: 'msg_1', type: 'message', model}}),
			event('content_block_delta', {delta: {type: 'thinking_delta', thinking: overChat.reasoning}}),
			event('content_block_stop', {}),
			...message.bodyChunks.slice(1),
		].map((chunk) => chunk.replace('"Hi."', '"one two three"')),
	});
	expect(await askAt(originOf(service), 'messages')).toEqual(overChat);
});
