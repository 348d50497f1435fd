import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {modelLists, modelsDev} from '../fixtures/model-lists.ts';
import {runChat} from '../helpers/run-chat.ts';
import {createHome, modeOf} from '../helpers/settings-home.ts';
import {type PathService, rawReply, startPathService} from '../helpers/start-path-service.ts';

const key = 'sk-0123456789abcdef';

function runModels(service: PathService, argv: readonly string[], home = createHome()) {
	const argvOfService = ['models', ...argv, '--base-url', service.url];
	return runChat(argvOfService, {...home.source, variables: {CHAT_API_KEY: key}});
}

/** Runs the command against a service with these replies. */
async function ask(replies: Readonly<Record<string, unknown>>, ...argv: readonly string[]) {
	const service = await startPathService(replies);
	return {...(await runModels(service, argv)), service};
}

describe('the list of', () => {
	const rows: ReadonlyArray<readonly [keyof typeof modelLists, readonly string[]]> = [
		['openai', ['dall-e-3', 'gpt-4o    128,000 context  16,384 output  images, tools']],
		[
			'openrouter',
			[
				'acme/large:free    163,840 context  16,384 output  images, tools, reasoning',
				'openrouter/auto  2,000,000 context',
			],
		],
		['groq', ['openai/gpt-oss-120b  131,072 context  65,536 output  tools, reasoning']],
		['mistral', ['mistral-medium-2508  131,072 context  262,144 output  images, tools']],
		['vllm', ['Qwen/Qwen3-8B  40,960 context']],
		['llama-server', ['qwen3-4b.gguf  4,096 context  images']],
		['ollama', ['qwen3:4b  262,144 context  tools, reasoning']],
		[
			'lm-studio',
			['google/gemma-3-4b   8,192 context  images', 'qwen/qwen3-4b      40,960 context  tools'],
		],
		['together', ['acme/chat  32,768 context']],
	];

	it.each(rows)('%s is read', async (name, lines) => {
		const {stdout, stderr, exitCode, service} = await ask(modelLists[name]);
		expect(stdout).toBe(lines.map((line) => `${line}\n`).join(''));
		expect({stderr, exitCode}).toEqual({stderr: '', exitCode: 0});
		expect(service.requests.map(({line}) => line)).toEqual(Object.keys(modelLists[name]));
		for (const {headers} of service.requests) expect(headers.authorization).toBe(`Bearer ${key}`);
	});

	it('the built-in service is printed', async () => {
		const {stdout} = await runChat(['models'], createHome().source);
		expect(stdout).toBe('MODEL-5.6-luna\nMODEL-5.6-sol\nMODEL-5.6-terra\n');
	});

	it('Ollama survives without its own API', async () => {
		const replies = {'GET /v1/models': modelLists.ollama['GET /v1/models']};
		expect(await ask(replies)).toMatchObject({stdout: 'qwen3:4b\n', stderr: '', exitCode: 0});
	});

	it('a llama-server that says nothing of its loaded model is that of its training', async () => {
		const list = modelLists['llama-server']['GET /v1/models'];
		const {stdout} = await ask({'GET /v1/models': list, 'GET /props': {role: 'router'}});
		expect(stdout).toBe('qwen3-4b.gguf  40,960 context  images\n');
	});
});

it('asks Ollama for a model by its name', async () => {
	const {service} = await ask(modelLists.ollama);
	expect(JSON.parse(service.requests[1]?.body ?? '')).toEqual({model: 'qwen3:4b'});
});

it('sends the headers of the service, to its own API too', async () => {
	const flags = ['--header', 'X-Title: test', '--auth-header', 'api-key'];
	const {service} = await ask(modelLists.ollama, ...flags);
	expect(service.requests).toHaveLength(2);
	for (const {headers} of service.requests) {
		expect(headers).toMatchObject({'x-title': 'test', 'api-key': key});
		expect(headers).not.toHaveProperty('authorization');
	}
});

it('prints an array as JSON, with the source of each figure', async () => {
	const {stdout} = await ask(modelLists.groq, '-o', 'json');
	expect(JSON.parse(stdout)).toEqual([
		{
			name: 'openai/gpt-oss-120b',
			context: 131_072,
			output: 65_536,
			images: false,
			tools: true,
			reasoning: true,
			input_price: null,
			output_price: null,
			sources: {
				context: 'the service',
				output: 'the service',
				images: expect.stringMatching(/^table of \d{4}-\d\d-\d\d \(models\.dev\)$/),
				tools: expect.stringContaining('models.dev'),
				reasoning: expect.stringContaining('models.dev'),
			},
		},
	]);
});

it('prints a line of JSON for each model with jsonl', async () => {
	const {stdout} = await ask(modelLists.openrouter, '--output', 'jsonl');
	const names = stdout
		.trimEnd()
		.split('\n')
		.map((line) => JSON.parse(line).name);
	expect(names).toEqual(['acme/large:free', 'openrouter/auto']);
});

describe('one model', () => {
	it('is shown with the source of each figure', async () => {
		const {stdout, exitCode, service} = await ask(modelLists.groq, 'show', 'openai/gpt-oss-120b');
		expect(exitCode).toBe(0);
		expect(stdout).toContain(`service    ${service.url}/`);
		expect(stdout).toMatch(/^context {4}131,072 tokens +the service$/m);
		expect(stdout).toMatch(/^images {5}no +table of \d{4}-\d\d-\d\d \(models\.dev\)$/m);
		expect(stdout).toMatch(/^price {6}not known +chat models update fetches prices$/m);
	});

	it('has the prices that the service names', async () => {
		const {stdout} = await ask(modelLists.openrouter, 'show', 'acme/large:free');
		expect(stdout).toMatch(/^price +\$0\.1 in, \$0\.4 out for a million tokens +the service$/m);
		const varying = await ask(modelLists.openrouter, 'show', 'openrouter/auto');
		expect(varying.stdout).toMatch(/^price +not known$/m);
	});

	it('is found under the short name that Gemini takes', async () => {
		const replies = {'GET /v1/models': {data: [{id: 'models/gemini-2.5-pro', object: 'model'}]}};
		const {stdout} = await ask(replies, 'show', 'gemini-2.5-pro');
		expect(stdout).toMatch(/^name +models\/gemini-2\.5-pro$/m);
		expect(stdout).toContain('1,048,576 tokens');
	});

	it('is suggested if the name is mistyped', async () => {
		const {stdout, stderr, exitCode} = await ask(modelLists.mistral, 'show', 'mistral-medium-2580');
		expect({stdout, exitCode}).toEqual({stdout: '', exitCode: 65});
		expect(stderr).toContain('does not offer mistral-medium-2580');
		expect(stderr).toContain('Did you mean mistral-medium-2508?');
	});

	it('is shown from the table if the service does not list it', async () => {
		const {stdout} = await ask(modelLists.mistral, 'show', 'gpt-4o');
		expect(stdout).toMatch(/^service .* does not list it$/m);
		expect(stdout).toContain('128,000 tokens');
		const json = await ask(modelLists.mistral, 'show', 'gpt-4o', '-o', 'json');
		expect(JSON.parse(json.stdout)).toMatchObject({name: 'gpt-4o', offered: false});
	});

	it('is shown from the table if the service has no list', async () => {
		const {stdout, exitCode} = await ask({}, 'show', 'gpt-4o');
		expect(stdout).toMatch(/^service .* has no model list$/m);
		expect(exitCode).toBe(0);
	});

	it('may have any name', async () => {
		const replies = {'GET /v1/models': {data: [{id: '__proto__'}, {id: 'constructor'}]}};
		const {stdout, exitCode} = await ask(replies, 'show', 'constructor');
		expect(stdout).toMatch(/^context +not known$/m);
		expect(exitCode).toBe(0);
	});
});

describe('a failure is clear:', () => {
	const page = rawReply(200, '<html><title>Sign in</title></html>', {'content-type': 'text/html'});
	const wrongKey = rawReply(401, `{"error":{"message":"Incorrect API key provided: ${key}"}}`);
	const tooMuch = rawReply(200, `[${' '.repeat(17 * 1_048_576)}]`);
	const redirect = rawReply(302, '', {location: 'http://127.0.0.1:1/x'});
	const rows: ReadonlyArray<readonly [string, unknown, number, RegExp, RegExp]> = [
		[
			'no list',
			rawReply(404, '{"detail":"Not Found"}'),
			65,
			/\/v1\/models answered 404/,
			/-m NAME/,
		],
		['a wrong key', wrongKey, 77, /answered 401: .*: \[redacted\]/, /the key from CHAT_API_KEY/],
		['a web page', page, 76, /sent a web page/, /login page/],
		['no JSON', rawReply(200, 'models'), 76, /not valid JSON/, /Is this the base URL of/],
		['another value', {hello: 1}, 76, /did not send a model list/, /Is this the base URL of/],
		[
			'an error with 200',
			{error: {message: 'out of order'}},
			69,
			/reported an error/,
			/out of order/,
		],
		['a redirect', redirect, 76, /redirects are not followed/, /If you trust that address/],
		['a service that loads', rawReply(503, 'Loading model'), 69, /answered 503/, /Loading model/],
		['too much', tooMuch, 76, /\/v1\/models: the reply is/, /larger than 16 MiB/],
	];

	it.each(rows)('%s', async (_name, reply, code, message, hint) => {
		const {stdout, stderr, exitCode} = await ask({'GET /v1/models': reply});
		expect({stdout, exitCode}).toEqual({stdout: '', exitCode: code});
		expect(stderr).toMatch(message);
		expect(stderr).toMatch(hint);
	});

	it('a stored key is not shown either', async () => {
		const reply = rawReply(401, `{"error":{"message":"no: ${key}"}}`);
		const service = await startPathService({'GET /v1/models': reply});
		const home = createHome({credentials: {[service.url]: key}});
		const argv = ['models', '--base-url', service.url];
		const {stderr} = await runChat(argv, {...home.source, secrets: [key]});
		expect(stderr).toContain('no: [redacted]');
	});
});

it('prints names without what a terminal would act on, and JSON exactly', async () => {
	const name = 'evil\u001b]0;title\u0007\nmodel';
	const replies = {'GET /v1/models': {data: [{id: name}]}};
	const {stdout} = await ask(replies);
	expect(stdout).toBe('evil␛]0;title␇␊model\n');
	const json = await ask(replies, '-o', 'json');
	expect(JSON.parse(json.stdout)[0].name).toBe(name);
	expect((await ask(replies, 'show', 'x')).stderr.split('\n')).toHaveLength(3);
});

it('reads a list of thousands', async () => {
	const data = Array.from({length: 5000}, (_, index) => ({
		id: `m${String(index).padStart(4, '0')}`,
		description: 'x'.repeat(500),
	}));
	const {stdout} = await ask({'GET /v1/models': {data}});
	expect(stdout.split('\n')).toHaveLength(5001);
});

it('-v shows the request without its secrets', async () => {
	const {stderr} = await ask(modelLists.vllm, '-v');
	expect(stderr).toMatch(/^> GET http:\/\/127\.0\.0\.1:\d+\/v1\/models$/m);
	expect(stderr).toMatch(/^< 200 after /m);
});

describe('an update', () => {
	async function update(
		home: ReturnType<typeof createHome>,
		replies?: Readonly<Record<string, unknown>>,
	) {
		const service = await startPathService({
			...modelLists.openai,
			...replies,
			'GET /api.json': modelsDev('http://127.0.0.1:1'),
		});
		const api = replies ?? {'GET /api.json': modelsDev(`${service.url}/v1`)};
		const source = await startPathService(api);
		const run = await runModels(source, ['update', `${source.url}/api.json`], home);
		return {run, source, service, path: join(home.home, '.cache', 'chat', 'models.json')};
	}

	it('stores the figures and prices of each service, for the user alone', async () => {
		const home = createHome();
		const {run, source, service, path} = await update(home);
		expect(run).toMatchObject({stdout: '', exitCode: 0});
		expect(run.stderr).toBe(`chat: 2 models of 2 services are stored in ${path}\n`);
		expect(modeOf(path)).toBe('600');
		expect(source.requests[0]?.headers).not.toHaveProperty('authorization');
		const {stdout} = await runModels(service, ['show', 'gpt-4o'], home);
		const today = new Date().toISOString().slice(0, 10);
		expect(stdout).toMatch(new RegExp(`^context +64,000 tokens +models\\.dev, ${today}$`, 'm'));
		expect(stdout).toMatch(/^price +\$3 in, \$12\.5 out for a million tokens +models\.dev/m);
	});

	it('gives no prices for a service it does not know', async () => {
		const home = createHome();
		await update(home);
		const other = await startPathService(modelLists.openai);
		const {stdout} = await runModels(other, ['show', 'gpt-4o'], home);
		expect(stdout).toContain('128,001 tokens');
		expect(stdout).toMatch(/^price +not known$/m);
	});

	it('keeps the last data if the new data is not usable', async () => {
		const home = createHome();
		const {path} = await update(home);
		const before = readFileSync(path, 'utf8');
		for (const reply of [{}, [], {acme: {}}, rawReply(200, '<html>'), rawReply(500, '')]) {
			const {run} = await update(home, {'GET /api.json': reply});
			expect(run.exitCode).not.toBe(0);
		}
		expect(readFileSync(path, 'utf8')).toBe(before);
	});

	it('is not needed: a damaged file is as good as none', async () => {
		const home = createHome();
		const {path, service} = await update(home);
		writeFileSync(path, '{"date":');
		const {stdout, exitCode} = await runModels(service, ['show', 'gpt-4o'], home);
		expect(stdout).toContain('128,000 tokens');
		expect(exitCode).toBe(0);
	});

	it('needs a valid address, and a home', async () => {
		const wrong = await runChat(['models', 'update', 'models.dev']);
		expect(wrong.exitCode).toBe(64);
		expect(wrong.stderr).toMatch(/must be a URL that starts with http:\/\/ or https:\/\/\n$/);
		const argv = ['models', 'update', 'http://127.0.0.1:1/api.json'];
		expect((await runChat(argv, {home: undefined})).exitCode).toBe(73);
	});
});

it('asks models.dev for nothing by itself', async () => {
	const home = createHome();
	await runModels(await startPathService(modelLists.openai), [], home);
	expect(existsSync(join(home.home, '.cache', 'chat', 'models.json'))).toBe(false);
});

it.each([
	['models', 'show'],
	['models', 'show', 'a', 'b'],
	['models', 'list', 'a'],
	['models', 'update', 'http://a', 'http://b'],
])('the words of a verb are checked: chat %s %s', async (...argv) => {
	const {stderr, exitCode} = await runChat(argv);
	expect(exitCode).toBe(64);
	expect(stderr).toContain('Write: chat models');
});
