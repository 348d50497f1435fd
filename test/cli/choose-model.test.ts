/** The model of a run that names none, or one for another service. */
import {describe, expect, test} from 'vitest';
import {noLocalServices, startLocalService} from '../helpers/local-service.ts';
import {type RunOptions, runChat} from '../helpers/run-chat.ts';
import {createHome} from '../helpers/settings-home.ts';
import {rawReply, startPathService} from '../helpers/start-path-service.ts';
import {openInProcess} from '../helpers/terminal-in-process.ts';

/** Runs the prompt `p` without a model. */
function ask(url: string, argv: readonly string[] = [], options: RunOptions = {}) {
	const flags = ['--base-url', url, '--max-retries', '0'];
	return runChat([...flags, ...argv, 'p'], {...options, variables: {...options.variables}});
}

describe('a model', () => {
	const config = (own: string) => ({
		'base-url': own,
		model: 'own',
		profiles: {
			bare: {'base-url': 'http://127.0.0.1:1'},
			named: {'base-url': 'http://127.0.0.1:1', model: 'of-profile'},
			same: {model: 'of-profile'},
		},
	});

	test.each<[string, readonly string[], Readonly<Record<string, string>>, string]>([
		['of the file', [], {}, 'own'],
		['of a profile', ['--profile', 'same'], {}, 'of-profile'],
		['of a variable', [], {CHAT_MODEL: 'given'}, 'given'],
		['of a flag', ['-m', 'mine'], {CHAT_MODEL: 'given'}, 'mine'],
		['of another service, in a variable', [], {CHAT_MODEL: 'x', CHAT_BASE_URL: 'other'}, 'own'],
		['that a flag drops', ['-m', ''], {CHAT_MODEL: 'given'}, 'listed'],
		['that a variable drops', [], {CHAT_MODEL: ''}, 'listed'],
	])('is for the base URL it came with: one %s', async (_, flags, variables, model) => {
		const service = await startLocalService(['listed']);
		const own = `http://${service.host}`;
		const {source} = createHome({config: config(own)});
		const given = variables['CHAT_BASE_URL'] === undefined ? flags : ['--base-url', own];
		const other = {...variables, ...(given === flags ? {} : {CHAT_BASE_URL: 'http://127.0.0.1:1'})};
		const run = await runChat([...given, 'p'], {...source, variables: other});
		expect(run).toMatchObject({stdout: `Hello from ${model}\n`, exitCode: 0});
	});

	test('of the file goes to no other service', async () => {
		const other = await startLocalService(['listed']);
		const {source} = createHome({config: config('http://127.0.0.1:2')});
		expect(await ask(`http://${other.host}`, [], source)).toEqual({
			stdout: 'Hello from listed\n',
			stderr: `chat: using listed, the only model of ${other.host} (own is for http://127.0.0.1:2)\n`,
			exitCode: 0,
		});
		const profile = await runChat(['--profile', 'bare', '--dry-run', 'p'], source);
		expect(profile.stdout).not.toContain('"own"');
		const named = await runChat(['--profile', 'named', '--dry-run', 'p'], source);
		expect(JSON.parse(named.stdout).body.model).toBe('of-profile');
	});

	test('of a saved conversation goes to no other service', async () => {
		const [first, second] = [await startLocalService(['a']), await startLocalService(['b'])];
		const {source} = createHome();
		const on = (host: string) => ({
			...source,
			variables: {CHAT_SAVE: 'true', CHAT_BASE_URL: `http://${host}`},
		});
		await runChat(['-m', 'chosen', 'p'], on(first.host));
		const there = await runChat(['-c', 'p'], on(first.host));
		expect(there.stdout).toBe('Hello from chosen\n');
		const elsewhere = await runChat(['-c', 'p'], on(second.host));
		expect(elsewhere.stdout).toBe('Hello from b\n');
	});
});

const list = (models: readonly unknown[]) => ({object: 'list', data: models});

/** Starts a service that lists these models and answers with the one it was asked for. */
async function start(models: readonly object[], replies: Readonly<Record<string, unknown>> = {}) {
	const service = await startPathService({
		'GET /v1/models': list(models),
		'POST /v1/chat/completions': {
			choices: [{message: {role: 'assistant', content: 'Hi.'}, finish_reason: 'stop'}],
		},
		...replies,
	});
	const asked = () => service.requests.map(({line}) => line);
	const model = () => JSON.parse(service.requests.at(-1)?.body ?? '').model;
	return {...service, asked, model};
}

describe('without a model', () => {
	const ollama = (id: string) => ({id, owned_by: 'library'});
	const studio = (id: string) => ({id, owned_by: 'organization_owner'});

	test.each<[string, readonly object[], Readonly<Record<string, unknown>>, string, string]>([
		[
			'the default of the specification, if it is listed',
			[{id: 'x'}, {id: 'MODEL-5.6-sol'}],
			{},
			'MODEL-5.6-sol',
			'',
		],
		['the same without a list', [], {}, 'MODEL-5.6-sol', ''],
		[
			'the same if the list is something else',
			[],
			{'GET /v1/models': 'hello'},
			'MODEL-5.6-sol',
			'',
		],
		[
			'the same if there is no such address',
			[],
			{'GET /v1/models': rawReply(405, 'no')},
			'MODEL-5.6-sol',
			'',
		],
		[
			'the only model that answers prompts',
			[
				{id: 'text-embedding-3'},
				{id: 'whisper-1'},
				{id: 'tts-1'},
				{id: 'dall-e-3'},
				{id: 'bge-m3'},
				{id: 'a', type: 'rerank'},
				{id: 'b'},
			],
			{},
			'b',
			'using b, the only model of',
		],
		['the only one, whatever its name', [{id: 'nomic-embed-text'}], {}, 'nomic-embed-text', 'only'],
		[
			'the one that Ollama has loaded',
			[ollama('a'), ollama('b')],
			{'GET /api/ps': {models: [{name: 'b', model: 'b'}]}},
			'b',
			'using b, the loaded model of',
		],
		[
			'the one that LM Studio has loaded',
			[studio('a'), studio('b'), studio('text-embedding-nomic')],
			{
				'GET /api/v1/models': {
					models: [
						{key: 'a', loaded_instances: []},
						{key: 'b', loaded_instances: [{id: 'b'}]},
						{key: 'text-embedding-nomic', loaded_instances: [{id: 't'}]},
					],
				},
			},
			'b',
			'using b, the loaded model of',
		],
	])('uses %s', async (_, models, replies, model, note) => {
		const service = await start(models, replies);
		const run = await ask(service.url);
		expect(run).toMatchObject({stdout: 'Hi.\n', exitCode: 0});
		expect(service.model()).toBe(model);
		if (note === '') expect(run.stderr).toBe('');
		else expect(run.stderr).toContain(note);
	});

	test('the family of the settings decides about the default', async () => {
		const service = await start([{id: 'gpt-5.6-sol'}, {id: 'gpt-5.6-luna'}]);
		await ask(service.url, [], {variables: {CHAT_FAMILY: 'gpt'}});
		expect(service.model()).toBe('gpt-5.6-sol');
	});

	test('names some of many models, and sends no prompt', async () => {
		const service = await start(Array.from({length: 300}, (_, index) => ({id: `m${index}`})));
		const run = await ask(service.url, ['-o', 'json']);
		const {error} = JSON.parse(run.stdout);
		expect(run.exitCode).toBe(64);
		expect(error).toMatchObject({
			kind: 'usage',
			message: expect.stringContaining('offers 300 models'),
		});
		expect(error.hint).toContain(
			'm19, and 280 more; chat models lists them. Choose one with -m NAME',
		);
		expect(service.asked()).toEqual(['GET /v1/models']);
	});

	test.each([
		['config', [], 'for every run: chat config set model NAME'],
		[
			'a profile',
			['--profile', 'work'],
			'for every run: chat config set --profile work model NAME',
		],
	])('says how to keep one beside the base URL: %s', async (_, flags, words) => {
		const {url} = await start([{id: 'a'}, {id: 'b'}]);
		const {source} = createHome({config: {'base-url': url, profiles: {work: {'base-url': url}}}});
		expect((await runChat([...flags, 'p'], source)).stderr).toContain(words);
		const given = {CHAT_BASE_URL: url};
		expect((await runChat(['p'], {variables: given})).stderr).toContain('CHAT_MODEL=NAME');
	});

	test('a choice on the terminal answers the prompt, and is kept by the command it names', async () => {
		const service = await start([{id: 'a'}, {id: 'b c'}]);
		const {source} = createHome({config: {'base-url': service.url}});
		const run = await runChat(['p'], {
			...source,
			stdin: {typed: '\x1b[B\r'},
			terminals: ['stderr'],
		});
		expect(run).toMatchObject({stdout: 'Hi.\n', exitCode: 0});
		expect(service.model()).toBe('b c');
		expect(run.stderr).toContain("using b c. To keep it: chat config set model 'b c'");
	});

	test('a pipe is read as input, never as the choice', async () => {
		const service = await start([{id: 'a'}, {id: 'b'}]);
		const run = await ask(service.url, [], {stdin: '\r', terminals: ['stderr']});
		expect(run).toMatchObject({stdout: '', exitCode: 64});
		const off = {stdin: {typed: '\r'}, terminals: ['stderr']} as const;
		expect((await ask(service.url, ['--no-stdin'], off)).exitCode).toBe(64);
	});

	test('a failure of the list is that of the run', async () => {
		const service = await start([], {'GET /v1/models': rawReply(503, '{"error":"busy"}')});
		const run = await ask(service.url);
		expect(run).toMatchObject({stdout: '', exitCode: 69});
		expect(run.stderr).toContain('To send a prompt without the list, name a model: -m NAME');
		expect(service.asked()).toEqual(['GET /v1/models']);
	});

	test('a session starts although the list cannot be read, and sends nothing before /model', async () => {
		const service = await start([], {'GET /v1/models': rawReply(401, '{"error":"no key"}')});
		const env = {CHAT_BASE_URL: service.url, CHAT_MODEL: undefined};
		const terminal = await openInProcess({env});
		await terminal.untilText(/so\s+no\s+model\s+is\s+set;\s+\/model\s+chooses\s+one/);
		terminal.type('p\r');
		await terminal.untilText('no model is set; /model NAME sets one');
		expect(service.asked()).not.toContain('POST /v1/chat/completions');
		terminal.press('ctrl+u');
		terminal.type('/model chosen\r');
		await terminal.untilText('model changed to chosen');
		terminal.type('p\r');
		await terminal.untilText('Hi.');
		expect(service.model()).toBe('chosen');
	});

	test('the alias of a provider is its default, for which nothing is asked', async () => {
		const run = await ask('mistral:', ['--dry-run']);
		expect(JSON.parse(run.stdout).body.model).toBe('mistral-large-latest');
		expect(run.stderr).toContain('using mistral-large-latest, the default for Mistral');
		const unknown = await ask('http://127.0.0.1:1', ['--dry-run'], {variables: noLocalServices});
		expect(unknown.stderr).toBe(
			'chat: no model is set: a run first asks 127.0.0.1:1 for its models\n',
		);
	});

	test('chat config get says that none is set', async () => {
		const run = await runChat(['config', 'get', 'model']);
		expect(run).toEqual({stdout: '', stderr: 'chat: model is not set\n', exitCode: 1});
	});
});
