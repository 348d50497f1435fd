import {describe, expect, test} from 'vitest';
import {dataUrl, makeSolidPng} from './helpers/images.ts';
import {type Body, bodyOf, post, type Reply, serveAll} from './helpers/service.ts';

const service = serveAll();

const png = dataUrl('image/png', makeSolidPng(2, 2, [255, 0, 0]));
const user = {role: 'user', content: 'hello'};
const call = {id: 'c1', type: 'function', function: {name: 'f', arguments: '{}'}};
const caller = {role: 'assistant', content: null, tool_calls: [call]};
const result = {role: 'tool', tool_call_id: 'c1', content: 'ok'};
const tool = {type: 'function', function: {name: 'f', parameters: {type: 'object'}}};

const sol = {model: 'MODEL-5.6-sol'};
const ask = (extra: Body) => bodyOf('hello', extra);
const talk = (...messages: readonly unknown[]) => bodyOf('', {messages});
const says = (...parts: readonly unknown[]) => bodyOf(parts, sol);
const image = (url: unknown) => says({type: 'image_url', image_url: {url}});
const file = (given: unknown) => says({type: 'file', file: given});
const audio = (given: object) => says({type: 'input_audio', input_audio: given});
const text = (said: unknown) => ({type: 'text', text: said});
const toolOf = (described: object) => ask({tools: [{type: 'function', function: described}]});
const formatOf = (format: unknown) => ask({response_format: format});
const answers = (answer: object) => talk(user, {role: 'assistant', ...answer});

const pdf = 'data:application/pdf;base64,JVBERi0xLjcKJSVFT0YK';
const wav = 'UklGRiQAAABXQVZFZm10IA==';

const accepted: readonly Body[] = [
	ask({temperature: 2, stop: 'a', seed: 7, user: 'u', presence_penalty: -2, n: 1}),
	ask({temperature: null, tools: null, stop: null, stream: null}),
	ask({foo: {bar: 1}, service_tier: 'auto', tools: []}),
	talk({role: 'system', content: 'x'}),
	talk(user, {role: 'assistant', tool_calls: [call]}, {...result, content: [text('ok')]}),
	...['https://example.com/a.png', png.replace('data:image/png', 'DATA:IMAGE/PNG')].map(image),
	...[{filename: 'a.pdf', file_data: pdf}, {file_data: 'AAAA'}, {file_id: 'file-1'}].map(file),
	file({file_data: 'data:text/csv;base64,AAAA'}),
	audio({data: wav, format: 'wav'}),
	formatOf({type: 'json_schema', json_schema: {name: 'a', schema: {}}}),
	JSON.parse(
		'{"model":"M-5.6-sol","messages":[{"role":"user","content":"x","__proto__":{"a":1}}],"__proto__":{"stream":true},"constructor":1}',
	),
];

test.each(accepted)('a valid body passes: %j', async (body) => {
	const response = await post(service.url, body);
	const reply = (await response.json()) as Reply;
	expect(response.status, JSON.stringify(reply)).toBe(200);
	expect([reply.object, reply.model]).toEqual(['chat.completion', body['model']]);
});

const [content, part] = ['messages[0].content', 'messages[0].content[0]'];
const imageUrl = `${part}.image_url.url`;

const refused: ReadonlyArray<readonly [param: string | null, body: unknown]> = [
	['model', {messages: [user]}],
	['model', ask({model: 1})],
	['messages', talk()],
	['messages[0]', talk('hello')],
	['messages[0].role', talk({role: 'function', content: 'x'})],
	[content, talk({role: 'user'})],
	[content, bodyOf([])],
	['messages[1].content', answers({content: null, tool_calls: []})],
	[`${part}.type`, says({type: 'video'})],
	[`${part}.text`, says(text(1))],
	[`${part}.file`, file({filename: 'a.pdf'})],
	[`${part}.file.file_data`, file({file_data: 'a*b'})],
	[`${part}.file.file_data`, file({file_data: 'data:application/pdf;base64,AAAA'})],
	[`${part}.input_audio.data`, audio({data: wav, format: 'mp3'})],
	[`${part}.input_audio.format`, audio({data: 'AAAA', format: 'ogg'})],
	[`${part}.image_url`, says({type: 'image_url'})],
	[
		`${content}[1].image_url.url`,
		says(text('x'), {type: 'image_url', image_url: {url: 'ftp://x'}}),
	],
	[imageUrl, image('data:image/bmp;base64,AAAA')],
	[imageUrl, image('data:image/png;base64,a*b=')],
	[imageUrl, image(png.slice(0, -1))],
	[imageUrl, image(png.replace('image/png', 'image/gif'))],
	[imageUrl, image(dataUrl('image/png', Buffer.from('hello')))],
	[part, {...image(png), model: 'MODEL-5.6-terra'}],
	[`${part}.type`, talk({role: 'system', content: [{type: 'image_url', image_url: {url: png}}]})],
	['temperature', ask({temperature: 2.01})],
	['temperature', '{"model":"M-5.6-sol","messages":[],"temperature":1e999}'],
	['max_tokens', ask({max_tokens: 0})],
	['stream', ask({stream: 'true'})],
	['stream_options', ask({stream_options: {include_usage: true}})],
	['stream_options.include_usage', ask({stream: true, stream_options: {include_usage: 1}})],
	['n', ask({n: 2})],
	['seed', ask({seed: 'x'})],
	['stop', ask({stop: 1})],
	['stop[1]', ask({stop: ['a', '']})],
	['stop', ask({stop: ['a', 'b', 'c', 'd', 'e']})],
	['tools[0].type', ask({tools: [{function: {name: 'f'}}]})],
	['tools[0].function.name', toolOf({name: 'a b'})],
	['tools[0].function.name', toolOf({name: 'a'.repeat(65)})],
	['tools[1].function.name', ask({tools: [tool, tool]})],
	['tools[0].function.parameters', toolOf({name: 'f', parameters: []})],
	['tools[0].function.parameters.type', toolOf({name: 'f', parameters: {type: 'string'}})],
	['tool_choice', ask({tools: [tool], tool_choice: 'maybe'})],
	['tool_choice', ask({tool_choice: 'required'})],
	[
		'tool_choice.function.name',
		ask({tools: [tool], tool_choice: {type: 'function', function: {name: 'g'}}}),
	],
	['response_format', formatOf('json_object')],
	['response_format.type', formatOf({type: 'xml'})],
	['response_format.json_schema', formatOf({type: 'json_schema'})],
	['response_format.json_schema.name', formatOf({type: 'json_schema', json_schema: {schema: {}}})],
	['response_format.schema', formatOf({type: 'json_object', schema: 'x'})],
	['messages[1].tool_calls[0].id', answers({tool_calls: [{...call, id: undefined}]})],
	[
		'messages[1].tool_calls[0].function.arguments',
		answers({tool_calls: [{...call, function: {name: 'f', arguments: {}}}]}),
	],
	['messages[1].tool_calls[1].id', answers({tool_calls: [call, call]})],
	['messages[2].tool_call_id', talk(user, caller, {role: 'tool', content: 'ok'})],
	['messages[3].tool_call_id', talk(user, caller, result, result)],
	['messages[2]', talk(user, caller, user)],
	['messages[1].tool_calls[0].id', talk(user, caller)],
	...['{"model":', '', '[]', 'null'].map((body) => [null, body] as const),
	[null, Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])],
];

describe('an invalid body', () => {
	test.each(refused)('is a 400 that names the field %s: %j', async (param, body) => {
		const response = await post(service.url, body);
		const reply = (await response.json()) as Reply;
		expect([response.status, reply.error?.param]).toEqual([400, param]);
		expect(reply.error.type).toBe('invalid_request_error');
		expect(reply.error.message).toMatch(/\S{3}/);
		expect(typeof reply.error.code).toBe('string');
		expect(response.headers.get('x-request-id')).toMatch(/^req_/);
	});

	test.each([
		[ask({temperature: 3}), 'temperature must be a number from 0 to 2, not the number 3'],
		[ask({n: 2}), 'n must be 1: this service gives one choice, not the number 2'],
		[
			talk({role: 'function'}),
			'messages[0].role must be one of system, developer, user, assistant, tool, not the string "function"',
		],
		[bodyOf(5), `${content} must be a string or an array of parts, not the number 5`],
		[image('data:image/png;base64,AAA'), `${imageUrl} is not valid base64`],
	])('says what is wrong: %j', async (body, message) => {
		const reply = (await (await post(service.url, body)).json()) as Reply;
		expect(reply.error.message).toBe(message);
	});

	test.each(['MODEL-5.6-SOL', 'a b-5.6-sol'])(
		'names no model that exists: %j is a 404',
		async (model) => {
			const response = await post(service.url, bodyOf('x', {model}));
			const reply = (await response.json()) as Reply;
			expect([response.status, reply.error.code, reply.error.param]).toEqual([
				404,
				'model_not_found',
				'model',
			]);
		},
	);

	test('nested 20,000 deep is a 400, and the service lives on', async () => {
		expect((await post(service.url, '{"a":'.repeat(20_000))).status).toBe(400);
		expect((await post(service.url, bodyOf('hello'))).status).toBe(200);
	});

	test.each(['1', '{}'])('of countless values like %s is a 400', async (value) => {
		const response = await post(service.url, `{"x":[${`${value},`.repeat(260_000)}1]}`);
		expect(response.status).toBe(400);
		expect(((await response.json()) as Reply).error.message).toBe(
			'the body has more than 250000 values',
		);
	});

	test('counts brackets and commas outside of quotes only', async () => {
		expect((await post(service.url, bodyOf('[{,"\\[[['.repeat(50_000)))).status).toBe(200);
		const deep = `{"x":"\\"","y":${'['.repeat(500)}${']'.repeat(500)}}`;
		expect((await post(service.url, deep)).status).toBe(400);
	});
});
