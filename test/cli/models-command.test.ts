/** `chat models`: lists, one model, and the public data. */
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {modelLists, modelsDev} from '../fixtures/model-lists.ts';
import {runChat} from '../helpers/run-chat.ts';
import {createHome, modeOf} from '../helpers/settings-home.ts';
import {type PathService, rawReply, startPathService} from '../helpers/start-path-service.ts';

const key = 'sk-0123456789abcdef';

function runModels(service: PathService, words: string, home = createHome()) {
	const variables = {CHAT_API_KEY: key};
	return runChat(`models ${words} --base-url ${service.url}`, {...home.source, variables});
}

/** Runs the command against a service with these replies. */
async function ask(replies: Readonly<Record<string, unknown>>, words = '') {
	const service = await startPathService(replies);
	return {...(await runModels(service, words)), service};
}

const listOf = (...ids: readonly string[]) => ({'GET /v1/models': {data: ids.map((id) => ({id}))}});

test.each<[keyof typeof modelLists, readonly string[]]>([
	['openai', ['dall-e-3', 'gpt-4o    128,000 context  16,384 output  images, tools']],
	[
		'openrouter',
		[
			'acme/large:free    163,840 context  16,384 output  images, tools, reasoning',
			'openrouter/auto  2,000,000 context',
		],
	],
	['mistral', ['mistral-medium-2508  131,072 context  262,144 output  images, tools']],
	['vllm', ['Qwen/Qwen3-8B  40,960 context']],
	['llama-server', ['qwen3-4b.gguf  4,096 context  images']],
	['ollama', ['qwen3:4b  262,144 context  tools, reasoning']],
	[
		'lm-studio',
		['google/gemma-3-4b   8,192 context  images', 'qwen/qwen3-4b      40,960 context  tools'],
	],
])('the list of %s is read', async (name, lines) => {
	const {stdout, stderr, exitCode, service} = await ask(modelLists[name]);
	expect(stdout).toBe(lines.map((line) => `${line}\n`).join(''));
	expect({stderr, exitCode}).toEqual({stderr: '', exitCode: 0});
	expect(service.requests.map(({line}) => line)).toEqual(Object.keys(modelLists[name]));
	for (const {headers} of service.requests) expect(headers.authorization).toBe(`Bearer ${key}`);
});

test('a local service may lack its own API, or say nothing of its loaded model', async () => {
	const ollama = {'GET /v1/models': modelLists.ollama['GET /v1/models']};
	expect(await ask(ollama)).toMatchObject({stdout: 'qwen3:4b\n', stderr: '', exitCode: 0});
	const list = modelLists['llama-server']['GET /v1/models'];
	const {stdout} = await ask({'GET /v1/models': list, 'GET /props': {role: 'router'}});
	expect(stdout).toBe('qwen3-4b.gguf  40,960 context  images\n');
	expect((await runChat('models')).stdout).toBe('MODEL-5.6-luna\nMODEL-5.6-sol\nMODEL-5.6-terra\n');
});

test('a name is printed without escape sequences, and exactly as JSON', async () => {
	const name = 'evil\u001b]0;title\u0007\nmodel';
	expect((await ask(listOf(name))).stdout).toBe('evil␛]0;title␇␊model\n');
	expect(JSON.parse((await ask(listOf(name), '-o json')).stdout)[0].name).toBe(name);
	expect((await ask(listOf(name), 'show x')).stderr.split('\n')).toHaveLength(3);
});

describe('one model', () => {
	const gemini = listOf('models/gemini-2.5-pro');

	test.each<[object, string, readonly RegExp[]]>([
		[
			modelLists.groq,
			'openai/gpt-oss-120b',
			[
				/^context {4}131,072 tokens +the service$/m,
				/^images {5}no +table of \d{4}-\d\d-\d\d \(models\.dev\)$/m,
				/^price {6}not known +chat models update fetches prices$/m,
			],
		],
		[
			modelLists.openrouter,
			'acme/large:free',
			[/^price +\$0\.1 in, \$0\.4 out for a million tokens +the service$/m],
		],
		[gemini, 'gemini-2.5-pro', [/^name +models\/gemini-2\.5-pro$/m, /1,048,576 tokens/]],
		[modelLists.mistral, 'gpt-4o', [/^service .* does not list it$/m, /128,000 tokens/]],
		[listOf('__proto__', 'constructor'), 'constructor', [/^context +not known$/m]],
	])('of %j is shown with the source of each figure: %s', async (replies, name, shown) => {
		const {stdout, exitCode} = await ask({...replies}, `show ${name}`);
		expect(exitCode).toBe(0);
		for (const line of shown) expect(stdout).toMatch(line);
	});
});

const page = rawReply(200, '<html><title>Sign in</title></html>', {'content-type': 'text/html'});
const tooMuch = rawReply(200, `[${' '.repeat(17 * 1_048_576)}]`);
const wrongKey = rawReply(401, `{"error":{"message":"Incorrect API key provided: ${key}"}}`);

test.each<[string, unknown, number, RegExp]>([
	['no list', rawReply(404, '{}'), 65, /\/v1\/models answered 404.*-m NAME/s],
	['a key', wrongKey, 77, /answered 401: .*: \[redacted\].*the key from CHAT_API_KEY/s],
	['a web page', page, 76, /sent a web page.*login page/s],
	['too much', tooMuch, 76, /\/v1\/models: the reply is.*larger than 16 MiB/s],
])('a failure is clear: %s', async (_name, reply, code, message) => {
	const {stdout, stderr, exitCode} = await ask({'GET /v1/models': reply});
	expect({stdout, exitCode}).toEqual({stdout: '', exitCode: code});
	expect(stderr).toMatch(message);
});

describe('an update', () => {
	const pathOf = ({home}: {readonly home: string}) => join(home, '.cache', 'chat', 'models.json');

	/** Updates from a source that knows this service. */
	async function update(
		home: ReturnType<typeof createHome>,
		service: PathService,
		reply?: unknown,
	) {
		const api = {'GET /api.json': reply ?? modelsDev(`${service.url}/v1`)};
		const source = await startPathService(api);
		return {source, run: await runModels(source, `update ${source.url}/api.json`, home)};
	}

	test('stores the figures and prices of each service, for the user alone', async () => {
		const home = createHome();
		const service = await startPathService(modelLists.openai);
		await runModels(service, '', home);
		// Nothing is asked of models.dev without the command.
		expect(existsSync(pathOf(home))).toBe(false);
		const {run, source} = await update(home, service);
		const stderr = `chat: 2 models of 2 services are stored in ${pathOf(home)}\n`;
		expect(run).toEqual({stdout: '', stderr, exitCode: 0});
		expect(modeOf(pathOf(home))).toBe('600');
		expect(source.requests[0]?.headers).not.toHaveProperty('authorization');
		const {stdout} = await runModels(service, 'show gpt-4o', home);
		const today = new Date().toISOString().slice(0, 10);
		expect(stdout).toMatch(new RegExp(`^context +64,000 tokens +models\\.dev, ${today}$`, 'm'));
		expect(stdout).toMatch(/^price +\$3 in, \$12\.5 out for a million tokens +models\.dev/m);
		const other = await runModels(await startPathService(modelLists.openai), 'show gpt-4o', home);
		expect(other.stdout).toContain('128,001 tokens');
		expect(other.stdout).toMatch(/^price +not known$/m);
	});

	test('keeps the last data if the new data is not usable, and needs none', async () => {
		const home = createHome();
		const service = await startPathService(modelLists.openai);
		await update(home, service);
		const before = readFileSync(pathOf(home), 'utf8');
		for (const reply of [{}, [], {acme: {}}, rawReply(200, '<html>'), rawReply(500, '')]) {
			expect((await update(home, service, reply)).run.exitCode).not.toBe(0);
		}
		expect(readFileSync(pathOf(home), 'utf8')).toBe(before);
		writeFileSync(pathOf(home), '{"date":');
		const {stdout, exitCode} = await runModels(service, 'show gpt-4o', home);
		expect(stdout).toContain('128,000 tokens');
		expect(exitCode).toBe(0);
	});
});
