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

function withMessages(...messages: readonly unknown[]): Body {
	return bodyOf('', {messages});
}

function withImage(url: unknown, model = 'MODEL-5.6-sol'): Body {
	return bodyOf([{type: 'image_url', image_url: {url}}], {model});
}

function withFile(file: unknown): Body {
	return bodyOf([{type: 'file', file}]);
}

function withAudio(data: string, format: string): Body {
	return bodyOf([{type: 'input_audio', input_audio: {data, format}}]);
}

const accepted: ReadonlyArray<readonly [name: string, body: Body]> = [
	['the minimal body', bodyOf('hello')],
	['another family', bodyOf('hello', {model: 'acme/x-5.6-terra'})],
	['temperature 0', bodyOf('hello', {temperature: 0})],
	['temperature 2', bodyOf('hello', {temperature: 2})],
	['top_p at its ends', bodyOf('hello', {top_p: 1})],
	['null for absent', bodyOf('hello', {temperature: null, tools: null, stop: null, stream: null})],
	['unknown fields', bodyOf('hello', {foo: {bar: 1}, service_tier: 'auto'})],
	['fields without effect', bodyOf('hello', {seed: 7, user: 'u', presence_penalty: -2, n: 1})],
	['max_completion_tokens', bodyOf('hello', {max_completion_tokens: 1})],
	['both limits', bodyOf('hello', {max_tokens: 5, max_completion_tokens: 3})],
	[
		'text parts on every role',
		withMessages(
			{role: 'system', content: [{type: 'text', text: 'be brief'}]},
			{
				role: 'user',
				content: [
					{type: 'text', text: 'a'},
					{type: 'text', text: 'b'},
				],
			},
			{role: 'assistant', content: [{type: 'text', text: 'c'}]},
			user,
		),
	],
	['the developer role', withMessages({role: 'developer', content: 'x'}, user)],
	['only a system message', withMessages({role: 'system', content: 'x'})],
	['an assistant message last', withMessages(user, {role: 'assistant', content: 'hi'})],
	['calls and their results', withMessages(user, caller, result)],
	[
		'calls without a content key',
		withMessages(user, {role: 'assistant', tool_calls: [call]}, result),
	],
	[
		'results as parts',
		withMessages(user, caller, {...result, content: [{type: 'text', text: 'ok'}]}),
	],
	['an image by data URL', withImage(png)],
	['an image by address', withImage('https://example.com/a.png')],
	[
		'a file as base64',
		withFile({filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0xLjcKJSVFT0YK'}),
	],
	['a file without a type', withFile({file_data: 'AAAA'})],
	['a file by its id', withFile({file_id: 'file-1'})],
	['a file of any type', withFile({file_data: 'data:text/csv;base64,AAAA'})],
	['a WAV', withAudio('UklGRiQAAABXQVZFZm10IA==', 'wav')],
	['an MP3', withAudio('SUQzBAAAAAAAAA==', 'mp3')],
	['an upper-case data URL', withImage(png.replace('data:image/png', 'DATA:IMAGE/PNG'))],
	['an empty list of tools', bodyOf('hello', {tools: []})],
	[
		'tools without parameters',
		bodyOf('hello', {tools: [{type: 'function', function: {name: 'f'}}]}),
	],
	[
		'a named choice',
		bodyOf('x', {tools: [tool], tool_choice: {type: 'function', function: {name: 'f'}}}),
	],
	['no choice without tools', bodyOf('x', {tool_choice: 'none'})],
	['response_format text', bodyOf('x', {response_format: {type: 'text'}})],
	[
		'a schema as response_format',
		bodyOf('x', {response_format: {type: 'json_schema', json_schema: {name: 'a', schema: {}}}}),
	],
	['stop as a string', bodyOf('x', {stop: 'a'})],
	[
		'keys of the prototype',
		JSON.parse(
			'{"model":"M-5.6-sol","messages":[{"role":"user","content":"x","__proto__":{"a":1}}],"__proto__":{"stream":true},"constructor":1}',
		),
	],
];

describe('a valid body', () => {
	test.each(accepted)('passes: %s', async (_name, body) => {
		const response = await post(service.url, body);
		const reply = (await response.json()) as Reply;
		expect(response.status, JSON.stringify(reply)).toBe(200);
		expect(reply.object).toBe('chat.completion');
		expect(reply.model).toBe(body['model']);
	});
});

const firstContent = 'messages[0].content';

const refused: ReadonlyArray<readonly [name: string, body: unknown, param: string | null]> = [
	['no model', {messages: [user]}, 'model'],
	['a model of null', {model: null, messages: [user]}, 'model'],
	['a model of number', {model: 1, messages: [user]}, 'model'],
	['no messages', {model: 'M-5.6-sol'}, 'messages'],
	['messages of object', {model: 'M-5.6-sol', messages: {}}, 'messages'],
	['no message at all', {model: 'M-5.6-sol', messages: []}, 'messages'],
	['a message of string', withMessages('hello'), 'messages[0]'],
	['no role', withMessages({content: 'x'}), 'messages[0].role'],
	['an unknown role', withMessages({role: 'function', content: 'x'}), 'messages[0].role'],
	['no content', withMessages({role: 'user'}), firstContent],
	['a content of number', bodyOf(5), firstContent],
	['a content of object', bodyOf({}), firstContent],
	['a content without parts', bodyOf([]), firstContent],
	[
		'an assistant without content',
		withMessages(user, {role: 'assistant', content: null}),
		'messages[1].content',
	],
	[
		'an assistant with empty calls',
		withMessages({role: 'assistant', tool_calls: []}),
		firstContent,
	],
	['a part of string', bodyOf(['x']), `${firstContent}[0]`],
	['a part without type', bodyOf([{text: 'x'}]), `${firstContent}[0].type`],
	['an unknown part', bodyOf([{type: 'video'}]), `${firstContent}[0].type`],
	['a file without data', withFile({filename: 'a.pdf'}), `${firstContent}[0].file`],
	['a file of broken base64', withFile({file_data: 'a*b'}), `${firstContent}[0].file.file_data`],
	[
		'a PDF by name only',
		withFile({file_data: 'data:application/pdf;base64,AAAA'}),
		`${firstContent}[0].file.file_data`,
	],
	[
		'an MP3 that is a WAV',
		withAudio('UklGRiQAAABXQVZFZm10IA==', 'mp3'),
		`${firstContent}[0].input_audio.data`,
	],
	[
		'a recording of another format',
		withAudio('AAAA', 'ogg'),
		`${firstContent}[0].input_audio.format`,
	],
	[
		'a recording without a format',
		bodyOf([{type: 'input_audio', input_audio: {data: 'AAAA'}}]),
		`${firstContent}[0].input_audio.format`,
	],
	['a text part without text', bodyOf([{type: 'text'}]), `${firstContent}[0].text`],
	['a text of number', bodyOf([{type: 'text', text: 1}]), `${firstContent}[0].text`],
	[
		'an image part without image',
		bodyOf([{type: 'image_url'}], {model: 'M-5.6-sol'}),
		`${firstContent}[0].image_url`,
	],
	[
		'an image of string',
		bodyOf([{type: 'image_url', image_url: png}], {model: 'M-5.6-sol'}),
		`${firstContent}[0].image_url`,
	],
	[
		'an image second',
		bodyOf(
			[
				{type: 'text', text: 'x'},
				{type: 'image_url', image_url: {url: 'ftp://x/y'}},
			],
			{model: 'M-5.6-sol'},
		),
		`${firstContent}[1].image_url.url`,
	],
	['an image path', withImage('/tmp/a.png'), `${firstContent}[0].image_url.url`],
	[
		'an image of a wrong type',
		withImage('data:image/bmp;base64,AAAA'),
		`${firstContent}[0].image_url.url`,
	],
	['an image without base64', withImage('data:image/png,abc'), `${firstContent}[0].image_url.url`],
	['broken base64', withImage('data:image/png;base64,a*b='), `${firstContent}[0].image_url.url`],
	['cut base64', withImage(png.slice(0, -1)), `${firstContent}[0].image_url.url`],
	['no image data', withImage('data:image/png;base64,'), `${firstContent}[0].image_url.url`],
	[
		'another kind of image than it says',
		withImage(png.replace('image/png', 'image/gif')),
		`${firstContent}[0].image_url.url`,
	],
	[
		'bytes that are not an image',
		withImage(dataUrl('image/png', Buffer.from('hello'))),
		`${firstContent}[0].image_url.url`,
	],
	['an image for terra', withImage(png, 'MODEL-5.6-terra'), `${firstContent}[0]`],
	[
		'an image of the system',
		withMessages({role: 'system', content: [{type: 'image_url', image_url: {url: png}}]}),
		`${firstContent}[0].type`,
	],
	['temperature over 2', bodyOf('x', {temperature: 2.01}), 'temperature'],
	['temperature under 0', bodyOf('x', {temperature: -0.1}), 'temperature'],
	['temperature of string', bodyOf('x', {temperature: '1'}), 'temperature'],
	[
		'an infinite temperature',
		'{"model":"M-5.6-sol","messages":[{"role":"user","content":"x"}],"temperature":1e999}',
		'temperature',
	],
	['top_p over 1', bodyOf('x', {top_p: 1.5}), 'top_p'],
	['max_tokens 0', bodyOf('x', {max_tokens: 0}), 'max_tokens'],
	['max_tokens of fraction', bodyOf('x', {max_tokens: 1.5}), 'max_tokens'],
	['max_tokens of string', bodyOf('x', {max_tokens: '5'}), 'max_tokens'],
	['max_completion_tokens 0', bodyOf('x', {max_completion_tokens: 0}), 'max_completion_tokens'],
	['stream of string', bodyOf('x', {stream: 'true'}), 'stream'],
	['stream_options alone', bodyOf('x', {stream_options: {include_usage: true}}), 'stream_options'],
	[
		'include_usage of number',
		bodyOf('x', {stream: true, stream_options: {include_usage: 1}}),
		'stream_options.include_usage',
	],
	['two choices', bodyOf('x', {n: 2}), 'n'],
	['a seed of string', bodyOf('x', {seed: 'x'}), 'seed'],
	['a penalty over 2', bodyOf('x', {frequency_penalty: 3}), 'frequency_penalty'],
	['stop of number', bodyOf('x', {stop: 1}), 'stop'],
	['an empty stop', bodyOf('x', {stop: ['a', '']}), 'stop[1]'],
	['five stops', bodyOf('x', {stop: ['a', 'b', 'c', 'd', 'e']}), 'stop'],
	['tools of object', bodyOf('x', {tools: {}}), 'tools'],
	['a tool without type', bodyOf('x', {tools: [{function: {name: 'f'}}]}), 'tools[0].type'],
	['a tool without function', bodyOf('x', {tools: [{type: 'function'}]}), 'tools[0].function'],
	[
		'a tool without name',
		bodyOf('x', {tools: [{type: 'function', function: {}}]}),
		'tools[0].function.name',
	],
	[
		'a tool name with a space',
		bodyOf('x', {tools: [{type: 'function', function: {name: 'a b'}}]}),
		'tools[0].function.name',
	],
	[
		'a tool name of 65',
		bodyOf('x', {tools: [{type: 'function', function: {name: 'a'.repeat(65)}}]}),
		'tools[0].function.name',
	],
	['two tools of one name', bodyOf('x', {tools: [tool, tool]}), 'tools[1].function.name'],
	[
		'parameters of array',
		bodyOf('x', {tools: [{type: 'function', function: {name: 'f', parameters: []}}]}),
		'tools[0].function.parameters',
	],
	[
		'parameters of string type',
		bodyOf('x', {tools: [{type: 'function', function: {name: 'f', parameters: {type: 'string'}}}]}),
		'tools[0].function.parameters.type',
	],
	['an unknown choice', bodyOf('x', {tools: [tool], tool_choice: 'maybe'}), 'tool_choice'],
	['required without tools', bodyOf('x', {tool_choice: 'required'}), 'tool_choice'],
	[
		'a choice that is not a tool',
		bodyOf('x', {tools: [tool], tool_choice: {type: 'function', function: {name: 'g'}}}),
		'tool_choice.function.name',
	],
	[
		'an unknown response format',
		bodyOf('x', {response_format: {type: 'xml'}}),
		'response_format.type',
	],
	[
		'a response format without its schema',
		bodyOf('x', {response_format: {type: 'json_schema'}}),
		'response_format.json_schema',
	],
	[
		'a schema without a name',
		bodyOf('x', {response_format: {type: 'json_schema', json_schema: {schema: {}}}}),
		'response_format.json_schema.name',
	],
	[
		'a schema of string',
		bodyOf('x', {response_format: {type: 'json_object', schema: 'x'}}),
		'response_format.schema',
	],
	['a response format of string', bodyOf('x', {response_format: 'json_object'}), 'response_format'],
	[
		'a call without id',
		withMessages(user, {role: 'assistant', tool_calls: [{...call, id: undefined}]}),
		'messages[1].tool_calls[0].id',
	],
	[
		'a call with arguments of object',
		withMessages(user, {
			role: 'assistant',
			tool_calls: [{...call, function: {name: 'f', arguments: {}}}],
		}),
		'messages[1].tool_calls[0].function.arguments',
	],
	[
		'two calls of one id',
		withMessages(user, {role: 'assistant', tool_calls: [call, call]}),
		'messages[1].tool_calls[1].id',
	],
	[
		'a result without its id',
		withMessages(user, caller, {role: 'tool', content: 'ok'}),
		'messages[2].tool_call_id',
	],
	['a result of no call', withMessages(user, result), 'messages[1].tool_call_id'],
	['a result twice', withMessages(user, caller, result, result), 'messages[3].tool_call_id'],
	['an open call before a user message', withMessages(user, caller, user), 'messages[2]'],
	['an open call at the end', withMessages(user, caller), 'messages[1].tool_calls[0].id'],
	['broken JSON', '{"model":', null],
	['an empty body', '', null],
	['an array', '[]', null],
	['null', 'null', null],
	['bad UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), null],
];

describe('an invalid body', () => {
	test.each(refused)('is a 400 that names the field: %s', async (_name, body, param) => {
		const response = await post(service.url, body);
		const reply = (await response.json()) as Reply;
		expect([response.status, reply.error?.param]).toEqual([400, param]);
		expect(reply.error.type).toBe('invalid_request_error');
		expect(reply.error.message).toMatch(/\S{3}/);
		expect(typeof reply.error.code).toBe('string');
		expect(response.headers.get('x-request-id')).toMatch(/^req_/);
	});

	test.each([
		[bodyOf('x', {temperature: 3}), 'temperature must be a number from 0 to 2, not the number 3'],
		[
			bodyOf('x', {max_tokens: '5'}),
			'max_tokens must be an integer of at least 1, not the string "5"',
		],
		[bodyOf('x', {n: 2}), 'n must be 1: this service gives one choice, not the number 2'],
		[{messages: [user]}, 'model is missing'],
		[withMessages({role: 'user', content: null}), 'messages[0].content is missing'],
		[
			withMessages({role: 'function'}),
			'messages[0].role must be one of system, developer, user, assistant, tool, not the string "function"',
		],
		[withMessages(user, 'hello'), 'messages[1] must be an object, not the string "hello"'],
		[bodyOf(5), 'messages[0].content must be a string or an array of parts, not the number 5'],
		[
			bodyOf([{type: 'video'}]),
			'messages[0].content[0].type must be one of text, image_url, file, input_audio, not the string "video"',
		],
		[
			withImage('data:image/png;base64,AAA'),
			'messages[0].content[0].image_url.url is not valid base64',
		],
		[
			bodyOf('x', {tools: [{type: 'function', function: {name: 'f', parameters: {type: 'x'}}}]}),
			'tools[0].function.parameters.type must be "object", not the string "x"',
		],
		[withMessages(user, {role: 'assistant', content: null}), 'messages[1].content is missing'],
	])('says what is wrong: %j', async (body, message) => {
		const reply = (await (await post(service.url, body)).json()) as Reply;
		expect(reply.error.message).toBe(message);
	});

	test.each([
		'MODEL-5.6-SOL',
		'MODEL-5.6-nova',
		'-5.6-sol',
		'gpt-4',
		'a b-5.6-sol',
		'MODEL-5.6-sol ',
	])('names no model that exists: %j is a 404', async (model) => {
		const response = await post(service.url, bodyOf('x', {model}));
		const reply = (await response.json()) as Reply;
		expect([response.status, reply.error.code, reply.error.param]).toEqual([
			404,
			'model_not_found',
			'model',
		]);
	});

	test.each(['[', '{"a":'])(
		'nested 100,000 deep with %j is a 400 and the service lives on',
		async (opener) => {
			const response = await post(service.url, opener.repeat(100_000));
			expect(response.status).toBe(400);
			expect((await post(service.url, bodyOf('hello'))).status).toBe(200);
		},
	);

	test.each([
		['numbers', '1'],
		['objects', '{}'],
		['lists', '[[]]'],
	])('of millions of %s is a 400', async (_name, value) => {
		const response = await post(service.url, `{"x":[${`${value},`.repeat(2_000_000)}1]}`);
		expect(response.status).toBe(400);
		expect(((await response.json()) as Reply).error.message).toBe(
			'the body has more than 250000 values',
		);
	});

	test('may have as many commas in a text as it likes', async () => {
		expect((await post(service.url, bodyOf('[{,'.repeat(300_000)))).status).toBe(200);
	});

	test('counts brackets outside of quotes only', async () => {
		expect((await post(service.url, bodyOf('["\\[[['.repeat(1_000)))).status).toBe(200);
		const deep = `{"x":"\\"","y":${'['.repeat(500)}${']'.repeat(500)}}`;
		expect((await post(service.url, deep)).status).toBe(400);
	});
});
