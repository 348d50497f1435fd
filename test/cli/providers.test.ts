/** Names of services in place of base URLs. */
import {describe, expect, test} from 'vitest';
import {noLocalServices, startLocalService} from '../helpers/local-service.ts';
import type {Line} from '../helpers/run-chat.ts';
import {
	type Given,
	type Output,
	openScene,
	testOutputs,
	testRefusals,
} from '../helpers/run-table.ts';

const key = 'sk-0123456789abcdef';
const none = {replies: null};
const post = 'POST /v1/chat/completions';

/** Opens a home where Ollama is this service, and the others are nowhere. */
async function openLocal(models: readonly string[] = ['m'], {variables, ...given}: Given = {}) {
	const service = await startLocalService(models);
	const all = {...noLocalServices, OLLAMA_HOST: service.host, ...variables};
	return {...(await openScene({...none, ...given, variables: all})), local: service};
}

describe('the name of a local service', () => {
	test('works as a flag, as a variable, and in the config file and its profiles', async () => {
		const config = {'base-url': 'ollama:', profiles: {work: {'base-url': 'lmstudio:'}}};
		const {run, local} = await openLocal(['m'], {config});
		const LM_STUDIO_URL = `http://${local.host}`;
		const CHAT_BASE_URL = 'ollama:';
		for (const [line, variables] of [
			['--base-url ollama: -m m p', {}],
			['-m m p', {CHAT_BASE_URL}],
			['-m m p', {}],
			['--profile work -m m p', {LM_STUDIO_URL}],
		] as const) {
			const answer = {stdout: 'Hello from m\n', stderr: '', exitCode: 0};
			expect(await run(line, {variables})).toEqual(answer);
		}
		expect(local.requests).toEqual([post, post, post, post]);
		await run('config set base-url ollama:');
		const shown = await run('config get base-url', {variables: {OLLAMA_HOST: '192.0.2.7'}});
		expect(shown.stdout).toBe('http://192.0.2.7:11434/\n');
	});

	const rows = [
		['192.0.2.7:80', 'http://192.0.2.7/'],
		[':11435', 'http://127.0.0.1:11435/'],
		['0.0.0.0', 'http://127.0.0.1:11434/'],
		['[::]:1', 'http://[::1]:1/'],
		['https://gpu.example', 'https://gpu.example/'],
		['', 'http://127.0.0.1:11434/v1'],
	].map(([OLLAMA_HOST = '', shown = '']): Output => {
		return [
			'config get base-url',
			`${shown}\n`,
			{variables: {OLLAMA_HOST, CHAT_BASE_URL: 'ollama:'}},
		];
	});
	testOutputs('follows its own variable', rows, none);

	test('sends no key, unless one was given for it', async () => {
		const {run, local, credentialsPath} = await openLocal();
		const named = '--base-url ollama: -m m p';
		const left = await run(named, {variables: {CHAT_API_KEY: key}});
		expect(left.stderr).toContain('the key from CHAT_API_KEY was not sent to a service on this');
		const CHAT_BASE_URL = 'https://api.example.com';
		await run(named, {variables: {CHAT_API_KEY: key, CHAT_BASE_URL, OPENAI_API_KEY: key}});
		expect(local.requests).toEqual([post, post]);
		const own = {CHAT_API_KEY: key, CHAT_BASE_URL: 'ollama:'};
		expect(await run('-m m p', {variables: own})).toMatchObject({stderr: '', exitCode: 0});
		await run(`auth set --base-url http://${local.host}`, {stdin: key});
		expect(credentialsPath).toContain('credentials');
		await run(named);
		expect(local.requests.slice(2)).toEqual([`${post} Bearer ${key}`, `${post} Bearer ${key}`]);
	});
});

describe('local:', () => {
	test('is the first service that answers, which is named', async () => {
		const {run, local} = await openLocal();
		const {stdout, stderr} = await run('--base-url local: -m m p');
		expect(stdout).toBe('Hello from m\n');
		expect(stderr).toBe(`chat: local: is Ollama at http://${local.host}\n`);
		expect(local.requests).toEqual(['GET /v1/models', post]);
		const json = await run('--base-url local: -o json -m m p');
		expect(JSON.parse(json.stdout).service).toBe(`http://${local.host}/`);
	});

	test.each(['no JSON', '"a page"', `{"data":[],"x":"${'x'.repeat(70_000)}"}`])(
		'is not another program: %.20s',
		async (listReply) => {
			const wrong = await startLocalService([], {listReply});
			const {run, local} = await openLocal();
			const variables = {OLLAMA_HOST: wrong.host, LM_STUDIO_URL: local.host};
			const {stderr} = await run('--base-url local: -m m p', {variables});
			expect(stderr).toContain('local: is LM Studio');
		},
	);
});

describe('the name of a hosted service', () => {
	const OPENROUTER_API_KEY = key;
	const credentials = {'https://openrouter.ai': 'sk-stored-0123'};
	const url = 'https://openrouter.ai/api/v1';
	const status = (given: Given, shown: RegExp, words: string): readonly [Line, RegExp, Given] => [
		`auth status ${words}`,
		shown,
		{variables: {OPENROUTER_API_KEY}, ...given},
	];

	test.each([
		status(
			{},
			/^service {2}https:\S+\nkey {6}from OPENROUTER_API_KEY, ends in cdef/,
			'openrouter:',
		),
		status(
			{variables: {OPENROUTER_API_KEY, CHAT_API_KEY: key}},
			/from CHAT_API_KEY/,
			'openrouter:',
		),
		status({credentials}, /\(chat auth\)/, 'openrouter:'),
		status({}, /^key {6}none$/m, url),
		status({}, /^key {6}none$/m, 'groq:'),
		status({variables: {CHAT_BASE_URL: 'groq:', CHAT_API_KEY: key}}, /^key {6}none$/m, 'mistral:'),
		status({variables: {CHAT_BASE_URL: 'groq:', CHAT_API_KEY: key}}, /from CHAT_API_KEY/, 'groq:'),
	])('uses a given key, or its own: %j %s', async (line, shown, given) => {
		const {run} = await openScene({...none, ...given});
		const [, , word = ''] = String(line).split(' ');
		expect((await run(`auth status --base-url ${word}`)).stdout).toMatch(shown);
	});

	const how =
		'Get one at https://console.groq.com/keys, then set GROQ_API_KEY, or store it with: chat auth set --base-url groq:\n';
	const variables = {CHAT_BASE_URL: 'https://api.example.com', CHAT_API_KEY: key};
	const left = 'Groq is set; the key from CHAT_API_KEY was not sent: it is for';
	const anthropic = ['--base-url', 'anthropic:', '--header', 'x-api-key: k', '-m', 'x'];
	testRefusals(
		'needs a key, or a header that may carry one',
		[
			['--base-url groq: p', 77, `chat: no API key for Groq is set\n      ${how}`],
			['--base-url groq: p', 77, left, {variables}],
			[
				[...anthropic, '--max-retries', '0', 'p'],
				69,
				'proxy',
				{variables: {HTTPS_PROXY: 'http://127.0.0.1:1'}},
			],
			...['olama:', 'ollama', 'Local:', 'open ai:'].map(
				(text) => [['--base-url', text, 'p'], 64, 'or a name such as ollama:'] as const,
			),
			['--base-url open-router: p', 64, '(did you mean openrouter:?)'],
			[
				'--base-url ollama: p',
				64,
				'needs an address in OLLAMA_HOST',
				{variables: {OLLAMA_HOST: 'a b'}},
			],
		],
		none,
	);

	test('is named by the other commands, which need no key', async () => {
		const {run} = await openScene({...none, variables: {CHAT_BASE_URL: 'groq:'}});
		expect((await run('auth status')).stderr).toBe(`chat: no API key for Groq is set. ${how}`);
		expect((await run('--dry-run -m x p')).exitCode).toBe(0);
		expect((await run('doctor -o json')).exitCode).toBe(77);
	});

	testOutputs(
		'is offered for a key in the environment, and not taken',
		[
			[
				'say hello',
				'hello\n',
				{variables: {MISTRAL_API_KEY: key}},
				/MISTRAL_API_KEY is set, but not used; to use it: chat config set base-url mistral:\n/,
			],
			[
				'say hello',
				'hello\n',
				{variables: {MISTRAL_API_KEY: key, GROQ_API_KEY: key, OPENAI_API_KEY: ''}},
				/; connect one with: chat setup\n$/,
			],
		],
		none,
	);
});
