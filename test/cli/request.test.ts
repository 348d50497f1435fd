import {describe, expect, test} from 'vitest';
import {streamReply, wholeReply} from '../helpers/replies.ts';
import {runChat} from '../helpers/run-chat.ts';
import {startRecording, type WireBody} from '../helpers/start-service.ts';
import {createDirectory} from '../input/input-helpers.ts';

const weather = {
	type: 'function',
	function: {
		name: 'get_weather',
		description: 'The weather of a city.',
		parameters: {type: 'object', properties: {city: {type: 'string'}}},
	},
};
const clock = {type: 'function', function: {name: 'clock'}};

const minimal: WireBody = {
	model: 'MODEL-5.6-sol',
	messages: [{role: 'user', content: 'p'}],
	stream: true,
	stream_options: {include_usage: true},
};

/** The body that the service gets for these flags and variables. */
async function bodyOf(
	flags: readonly string[],
	variables: Readonly<Record<string, string>> = {},
): Promise<WireBody> {
	const isStreaming = !flags.includes('--no-stream') && variables['CHAT_STREAM'] !== 'false';
	const reply = isStreaming ? streamReply(['{}']) : wholeReply({text: '{}'});
	const service = await startRecording(reply);
	const cwd = createDirectory({'tools.json': JSON.stringify([weather, clock])});
	const run = await runChat([...flags, 'p'], {
		cwd,
		variables: {...service.variables, ...variables},
	});
	expect(run).toMatchObject({stdout: '{}\n', exitCode: 0});
	const [body, ...more] = service.bodies();
	if (body === undefined || more.length > 0) throw new Error('not one request');
	return body;
}

describe('a request', () => {
	test('holds model, messages and stream, and nothing that was not asked for', async () => {
		expect(await bodyOf([])).toEqual(minimal);
	});

	test.each([
		[['-m', 'terra'], {model: 'MODEL-5.6-terra'}],
		[['-m', 'SOL'], {model: 'SOL'}],
		[['--model', 'some/Other:latest'], {model: 'some/Other:latest'}],
		[['--temperature', '0'], {temperature: 0}],
		[['--temperature', '2'], {temperature: 2}],
		[['--top-p', '0.25'], {top_p: 0.25}],
		[['--max-tokens', '1'], {max_tokens: 1}],
		[['--reasoning-effort', 'xhigh'], {reasoning_effort: 'xhigh'}],
		[['--verbosity', 'low'], {verbosity: 'low'}],
		[['--seed', '-1'], {seed: -1}],
		[['--stop', 'END', '--stop', '\n\n'], {stop: ['END', '\n\n']}],
		[['--service-tier', 'flex'], {service_tier: 'flex'}],
		[['--response-format', 'text'], {response_format: {type: 'text'}}],
		[['--response-format', 'json_object'], {response_format: {type: 'json_object'}}],
		[['--tools', 'tools.json'], {tools: [weather, clock]}],
		[['--tools', 'tools.json', '--tool-choice', 'auto'], {tool_choice: 'auto'}],
		[['--tools', 'tools.json', '--tool-choice', 'none'], {tool_choice: 'none'}],
		[['--tools', 'tools.json', '--tool-choice', 'required'], {tool_choice: 'required'}],
		[
			['--tools', 'tools.json', '--tool-choice', 'clock'],
			{tool_choice: {type: 'function', function: {name: 'clock'}}},
		],
		[['--tool-choice', 'none'], {tool_choice: 'none'}],
		[['--stream'], {}],
	])('with %j has exactly that field besides', async (flags, fields) => {
		const tools = flags.includes('--tools') ? {tools: [weather, clock]} : {};
		expect(await bodyOf(flags)).toEqual({...minimal, ...tools, ...fields});
	});

	test('without streaming says so, and asks for nothing of a stream', async () => {
		const {stream_options: _, ...rest} = minimal;
		expect(await bodyOf(['--no-stream'])).toEqual({...rest, stream: false});
		expect(await bodyOf([], {CHAT_STREAM: 'false'})).toEqual({...rest, stream: false});
	});

	test('streams if the last flag says so', async () => {
		const reply = streamReply(['Hi.']);
		const service = await startRecording(reply);
		const variables = {...service.variables, CHAT_STREAM: 'false'};
		await runChat(['--no-stream', '--stream', 'p'], {variables});
		expect(service.bodies()[0]?.['stream']).toBe(true);
	});

	test('takes its fields from the environment too', async () => {
		const variables = {
			CHAT_MODEL: 'luna',
			CHAT_FAMILY: 'acme',
			CHAT_SYSTEM: 'Be brief.',
			CHAT_TEMPERATURE: '1.5',
			CHAT_TOP_P: '1',
			CHAT_MAX_TOKENS: '9',
			CHAT_REASONING_EFFORT: 'low',
			CHAT_VERBOSITY: 'high',
			CHAT_SEED: '7',
			CHAT_STOP: 'END',
			CHAT_SERVICE_TIER: 'priority',
			CHAT_RESPONSE_FORMAT: 'json_object',
			CHAT_QUIET: 'yes',
		};
		expect(await bodyOf([], variables)).toEqual({
			...minimal,
			model: 'acme-5.6-luna',
			messages: [
				{role: 'system', content: 'Be brief.'},
				{role: 'user', content: 'p'},
			],
			temperature: 1.5,
			top_p: 1,
			max_tokens: 9,
			reasoning_effort: 'low',
			verbosity: 'high',
			seed: 7,
			stop: ['END'],
			service_tier: 'priority',
			response_format: {type: 'json_object'},
		});
	});

	test('with temperature and top-p is sent, with a remark', async () => {
		const service = await startRecording(streamReply(['Hi.']));
		const run = await runChat(['--temperature', '1', '--top-p', '1', 'p'], service);
		expect(service.bodies()[0]).toMatchObject({temperature: 1, top_p: 1});
		expect(run).toMatchObject({stdout: 'Hi.\n', exitCode: 0});
		expect(run.stderr).toMatch(/^chat: temperature and top_p are both set;[^\n]*\n$/);
	});

	test('goes to the operation of the base URL, with the key as a bearer token', async () => {
		const service = await startRecording(streamReply(['Hi.']));
		const {origin} = new URL(service.variables.CHAT_BASE_URL);
		const variables = {CHAT_BASE_URL: `${origin}/api/`, CHAT_API_KEY: 'sk-0123456789'};
		await runChat(['p'], {variables});
		expect(service.requests[0]).toMatchObject({
			method: 'POST',
			path: '/api/v1/chat/completions',
			headers: {'content-type': 'application/json', authorization: 'Bearer sk-0123456789'},
		});
	});

	test('without a key has no authorization header', async () => {
		const service = await startRecording(streamReply(['Hi.']));
		const variables = {...service.variables, OPENAI_API_KEY: 'sk-of-another'};
		await runChat(['p'], {variables});
		expect(service.requests[0]?.headers).not.toHaveProperty('authorization');
		expect(JSON.stringify(service.requests)).not.toContain('sk-of-another');
	});
});
