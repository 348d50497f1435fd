/** `--wire`: the convention in which a service is asked. */
import {expect, test} from 'vitest';
import {runChat} from '../helpers/run-chat.ts';
import {openScene} from '../helpers/run-table.ts';

const key = 'sk-0123456789';
const event = (type: string, more: object) => `data: ${JSON.stringify({type, ...more})}\n\n`;
const stream = (...bodyChunks: readonly string[]) => ({
	...{status: 200, headers: {'content-type': 'text/event-stream'}, bodyChunks},
});

const response = stream(
	event('response.created', {response: {id: 'resp_1', model: 'm-1'}}),
	event('response.reasoning_summary_text.delta', {delta: 'Hm.'}),
	event('response.output_text.delta', {delta: 'Hi.'}),
	event('response.completed', {response: {id: 'resp_1', model: 'm-1', output: []}}),
);
const message = stream(
	event('message_start', {message: {id: 'msg_1', type: 'message', model: 'm-1'}}),
	event('content_block_delta', {delta: {type: 'text_delta', text: 'Hi.'}}),
	event('content_block_stop', {}),
	event('message_delta', {delta: {stop_reason: 'end_turn'}, usage: {output_tokens: 1}}),
	event('message_stop', {}),
);

test.each([
	['responses', '--wire responses', '', response, {id: 'resp_1', reasoning: 'Hm.'}],
	['messages', '', 'v1/messages', message, {id: 'msg_1', usage: {output_tokens: 1}}],
])('%s is asked by flag, or by the base URL', async (wire, flags, path, reply, result) => {
	const {run, service} = await openScene({replies: [reply]});
	const CHAT_BASE_URL = new URL(`/${path}`, service.variables.CHAT_BASE_URL).href;
	const {stdout, exitCode} = await run(`${flags} -o json -m m hello`, {
		variables: {CHAT_BASE_URL, CHAT_API_KEY: key},
	});
	expect(exitCode).toBe(0);
	const answer = {model: 'm-1', content: 'Hi.', finish_reason: expect.any(String), wire};
	expect(JSON.parse(stdout)).toMatchObject({...answer, complete: true, ...result});
	expect(service.requests.map(({path: asked}) => asked)).toEqual([`/v1/${wire}`]);
	const {headers = {}} = service.requests[0] ?? {};
	const isMessages = wire === 'messages';
	expect(headers['authorization']).toBe(isMessages ? undefined : `Bearer ${key}`);
	expect(headers['x-api-key']).toBe(isMessages ? key : undefined);
	expect(service.bodies()[0]).toMatchObject({model: 'm', stream: true});
});

const openai = {OPENAI_API_KEY: key};
const anthropic = {ANTHROPIC_API_KEY: key};
const router = {OPENROUTER_API_KEY: key};
const thinking = {type: 'adaptive', display: 'summarized'};
const webSearch = {type: 'web_search_20250305', name: 'web_search'};

test.each([
	['openai: -m gpt-5', openai, 'responses', {reasoning: {summary: 'auto'}}],
	['openai: -m gpt-5 --wire chat', openai, 'chat', {}],
	['https://api.openai.com/v1/chat/completions -m gpt-5', openai, 'chat', {}],
	['anthropic: -m claude-sonnet-4-5', anthropic, 'messages', {max_tokens: 32_000, thinking}],
	['openrouter: -m openai/gpt-5', router, 'chat', {}],
	['openai: --search -m gpt-4.1', openai, 'responses', {tools: [{type: 'web_search'}]}],
	['anthropic: --search -m claude-3-haiku-20240307', anthropic, 'messages', {tools: [webSearch]}],
	['openrouter: --search -m openai/gpt-5', router, 'chat', {plugins: [{id: 'web'}]}],
])(
	'a provider is asked over its own wire, also to search: %s',
	async (flags, variables, wire, fields) => {
		const run = await runChat(`--dry-run -v --base-url ${flags} hello`, {variables});
		const source = flags.includes('--wire') ? '--wire' : 'auto';
		expect(run.stderr).toContain(`= wire: ${wire} (${source})\n`);
		const {wire: named, body} = JSON.parse(run.stdout);
		expect(named).toBe(wire);
		expect(body).toMatchObject(fields);
		for (const name of ['reasoning', 'thinking', 'tools', 'plugins']) {
			expect(name in body).toBe(name in fields);
		}
	},
);

test('what a wire or a service does not have is refused, and nothing is sent', async () => {
	const {run, service} = await openScene();
	const search = await run('--search -m m hello');
	expect(search).toMatchObject({exitCode: 64, stdout: ''});
	expect(search.stderr).toContain('this service has no web search over chat completions');
	const stop = await run('--wire responses --stop END -m m --dry-run hello', {
		variables: {CHAT_BASE_URL: 'http://127.0.0.1:1'},
	});
	expect(stop).toMatchObject({exitCode: 64, stdout: ''});
	expect(stop.stderr).toContain('the Responses wire has no stop');
	expect(stop.stderr).toContain('Leave stop out, or use --wire chat.');
	expect(service.requests).toEqual([]);
});
