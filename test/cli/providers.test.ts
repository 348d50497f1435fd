/** Names of services in place of base URLs. */
import {describe, expect, test} from 'vitest';
import {localProviders} from '../../src/providers.ts';
import {type LocalService, noLocalServices, startLocalService} from '../helpers/local-service.ts';
import {type RunOptions, runChat} from '../helpers/run-chat.ts';
import {createHome} from '../helpers/settings-home.ts';

const key = 'sk-0123456789abcdef';

/** Runs the prompt `p`, with Ollama at this service and the others nowhere. */
async function ask(
	argv: readonly string[],
	{host}: LocalService,
	{variables, ...options}: RunOptions = {},
) {
	const all = {...noLocalServices, OLLAMA_HOST: host, ...variables};
	return await runChat([...argv, '-m', 'm', '--max-retries', '0', 'p'], {
		...options,
		variables: all,
	});
}

const answered = ['POST /v1/chat/completions'];

describe('the name of a local service', () => {
	test('works as a flag, as a variable, and in the config file and its profiles', async () => {
		const service = await startLocalService(['m']);
		const {source} = createHome({
			config: {'base-url': 'ollama:', profiles: {work: {'base-url': 'lmstudio:'}}},
		});
		const variables = {LM_STUDIO_URL: `http://${service.host}`};
		const runs = [
			await ask(['--base-url', 'ollama:'], service),
			await ask([], service, {variables: {CHAT_BASE_URL: 'ollama:'}}),
			await ask([], service, source),
			await ask(['--profile', 'work'], service, {...source, variables}),
		];
		for (const run of runs) {
			expect(run).toMatchObject({stdout: 'Hello from m\n', stderr: '', exitCode: 0});
		}
		expect(service.requests).toEqual(Array(4).fill(answered[0]));
	});

	test('can be stored, and is shown with the address it stands for', async () => {
		const {source, config} = createHome();
		const variables = {OLLAMA_HOST: '192.0.2.7'};
		await runChat(['config', 'set', 'base-url', 'ollama:'], source);
		expect(config()).toEqual({'base-url': 'ollama:'});
		const {stdout} = await runChat(['config', 'get', 'base-url'], {...source, variables});
		expect(stdout).toBe('http://192.0.2.7:11434/\n');
	});

	test.each([
		['192.0.2.7', 'http://192.0.2.7:11434/'],
		['192.0.2.7:80', 'http://192.0.2.7/'],
		[':11435', 'http://127.0.0.1:11435/'],
		['0.0.0.0', 'http://127.0.0.1:11434/'],
		['0.0.0.0:1', 'http://127.0.0.1:1/'],
		['[::]:1', 'http://[::1]:1/'],
		['https://gpu.example', 'https://gpu.example/'],
		['', 'http://127.0.0.1:11434/v1'],
	])('follows its own variable: OLLAMA_HOST=%s', async (address, shown) => {
		const variables = {OLLAMA_HOST: address, CHAT_BASE_URL: 'ollama:'};
		const {stdout} = await runChat(['config', 'get', 'base-url'], {variables});
		expect(stdout).toBe(`${shown}\n`);
	});

	test('reports a variable of its own that is not an address', async () => {
		const variables = {OLLAMA_HOST: 'a b'};
		const run = await runChat(['--base-url', 'ollama:', 'p'], {variables});
		expect(run).toMatchObject({stdout: '', exitCode: 64});
		expect(run.stderr).toContain('it needs an address in OLLAMA_HOST');
	});

	test('sends no key, unless one was given for it', async () => {
		const service = await startLocalService(['m']);
		const named = ['--base-url', 'ollama:'];
		const run = await ask(named, service, {variables: {CHAT_API_KEY: key}});
		expect(run.stderr).toContain('the key from CHAT_API_KEY was not sent to a service on this');
		const other = {CHAT_API_KEY: key, CHAT_BASE_URL: 'https://api.example.com'};
		await ask(named, service, {variables: {...other, OPENAI_API_KEY: key}});
		expect(service.requests).toEqual([answered[0], answered[0]]);
		const own = {CHAT_API_KEY: key, CHAT_BASE_URL: 'ollama:'};
		expect(await ask([], service, {variables: own})).toMatchObject({stderr: '', exitCode: 0});
		expect(service.requests.at(-1)).toBe(`${answered[0]} Bearer ${key}`);
		const {source} = createHome({credentials: {[`http://${service.host}`]: key}});
		await ask(named, service, source);
		expect(service.requests.at(-1)).toBe(`${answered[0]} Bearer ${key}`);
	});

	test('needs no model if the service has one', async () => {
		const service = await startLocalService(['tiny', 'nomic-embed-text']);
		const variables = {OLLAMA_HOST: service.host};
		const run = await runChat(['--base-url', 'ollama:', 'p'], {variables});
		expect(run).toMatchObject({
			stdout: 'Hello from tiny\n',
			stderr: 'chat: using tiny, the only model of Ollama\n',
			exitCode: 0,
		});
		const two = await startLocalService(['a', 'b']);
		const other = await runChat(['--base-url', 'ollama:', 'p'], {
			variables: {OLLAMA_HOST: two.host},
		});
		expect(other).toMatchObject({stdout: '', exitCode: 64});
		expect(other.stderr).toContain('no model is set, and Ollama offers 2 models\n');
		expect(two.requests).toEqual(['GET /v1/models']);
	});
});

describe('local:', () => {
	test('is the first service that answers, which is named', async () => {
		const service = await startLocalService(['m']);
		const silent = {...noLocalServices, LM_STUDIO_URL: service.host};
		const run = await ask(['--base-url', 'local:'], service, {variables: silent});
		expect(run.stdout).toBe('Hello from m\n');
		expect(run.stderr).toBe(`chat: local: is LM Studio at http://${service.host}\n`);
		expect(service.requests).toEqual(['GET /v1/models', ...answered]);
		const json = await ask(['--base-url', 'local:', '-o', 'json'], service);
		expect(JSON.parse(json.stdout).service).toBe(`http://${service.host}/`);
	});

	test.each(['no JSON', '"a page"', `{"data":[],"x":"${'x'.repeat(70_000)}"}`])(
		'does not take another program for a service: %.20s',
		async (listReply) => {
			const wrong = await startLocalService([], {listReply});
			const right = await startLocalService(['m']);
			const variables = {LM_STUDIO_URL: right.host};
			const run = await ask(['--base-url', 'local:'], wrong, {variables});
			expect(run.stderr).toContain('local: is LM Studio');
		},
	);

	test('reports where nothing answers', async () => {
		// The ports of services without a variable may be in use.
		const variables = {...noLocalServices, CHAT_BASE_URL: 'llama:'};
		const run = await runChat(['--max-retries', '0', 'p'], {variables});
		expect(run).toMatchObject({stdout: '', exitCode: 69});
		expect(run.stderr).toContain('http://127.0.0.1:1/');
	});
});

describe('the name of a hosted service', () => {
	const status = async (options: RunOptions, ...words: readonly string[]) =>
		(await runChat(['auth', 'status', ...words], options)).stdout;

	test('uses the variable of the provider, after any key that was given', async () => {
		const variables = {OPENROUTER_API_KEY: key, OPENAI_API_KEY: 'sk-of-another-one'};
		const named = ['--base-url', 'openrouter:'];
		expect(await status({variables}, ...named)).toBe(
			'service  https://openrouter.ai/api/v1\nkey      from OPENROUTER_API_KEY, ends in cdef\n',
		);
		const given = {...variables, CHAT_API_KEY: 'sk-zyxwvutsrqpo'};
		expect(await status({variables: given}, ...named)).toContain('from CHAT_API_KEY');
		const home = createHome({credentials: {'https://openrouter.ai': 'sk-stored-0123'}});
		expect(await status({...home.source, variables}, ...named)).toContain('(chat auth)');
	});

	test('is needed for that: a URL does not take the variable of a provider', async () => {
		const variables = {OPENROUTER_API_KEY: key};
		const shown = await status({variables}, '--base-url', 'https://openrouter.ai/api/v1');
		expect(shown).toMatch(/^key {6}none$/m);
		expect(await status({variables}, '--base-url', 'groq:')).toMatch(/^key {6}none$/m);
	});

	test('says where to get a key if there is none', async () => {
		const {stderr} = await runChat(['auth', 'status', '--base-url', 'groq:']);
		expect(stderr).toBe(
			'chat: no API key for Groq is set. Get one at https://console.groq.com/keys, then set GROQ_API_KEY, or store it with: chat auth set --base-url groq:\n',
		);
	});

	test('gets no prompt without a key, which is an error at once', async () => {
		const stderr =
			'chat: no API key for Groq is set\n      Get one at https://console.groq.com/keys, then set GROQ_API_KEY, or store it with: chat auth set --base-url groq:\n';
		const variables = {CHAT_BASE_URL: 'groq:'};
		expect(await runChat(['p'], {variables})).toEqual({stdout: '', stderr, exitCode: 77});
		const other = {CHAT_BASE_URL: 'https://api.example.com', CHAT_API_KEY: key};
		const left = await runChat(['--base-url', 'groq:', 'p'], {variables: other});
		expect(left).toMatchObject({stdout: '', exitCode: 77});
		expect(left.stderr).toContain('Groq is set; the key from CHAT_API_KEY was not sent: it is for');
		const dry = await runChat(['--dry-run', '-m', 'x', 'p'], {variables});
		expect(dry).toMatchObject({exitCode: 0});
		const doctor = await runChat(['doctor', '-o', 'json'], {variables});
		expect(doctor.exitCode).toBe(77);
	});

	test('needs no other key if a header may carry one', async () => {
		const proxy = {HTTPS_PROXY: 'http://127.0.0.1:1'};
		const flags = ['--base-url', 'anthropic:', '--header', 'x-api-key: k', '-m', 'x'];
		const run = await runChat([...flags, '--max-retries', '0', 'p'], {variables: proxy});
		expect(run.exitCode).toBe(69);
	});

	test('is offered for a key in the environment, and not taken', async () => {
		const run = await runChat(['say hello'], {variables: {MISTRAL_API_KEY: key}});
		expect(run.stdout).toBe('hello\n');
		expect(run.stderr).toContain(
			'MISTRAL_API_KEY is set, but not used; to use it: chat config set base-url mistral:\n',
		);
		const several = {MISTRAL_API_KEY: key, GROQ_API_KEY: key, OPENAI_API_KEY: ''};
		const choice = await runChat(['say hello'], {variables: several});
		expect(choice.stderr).toMatch(/; connect one with: chat setup\n$/);
	});

	test('gets the key that came with the same name', async () => {
		const variables = {CHAT_BASE_URL: 'groq:', CHAT_API_KEY: key};
		expect(await status({variables})).toContain('from CHAT_API_KEY');
		expect(await status({variables}, '--base-url', 'mistral:')).toMatch(/^key {6}none$/m);
	});
});

test.each(['olama:', 'ollama', 'Local:', 'open ai:'])('refuses %j as a base URL', async (text) => {
	const run = await runChat(['--base-url', text, 'p']);
	expect(run).toMatchObject({stdout: '', exitCode: 64});
	expect(run.stderr).toContain('or a name such as ollama:');
});

test('suggests the name that was probably meant', async () => {
	const run = await runChat(['--base-url', 'open-router:', 'p']);
	expect(run.stderr).toContain('(did you mean openrouter:?)');
});

test('every local service has a port of its own', () => {
	const ports = localProviders.flatMap((provider) => provider.ports);
	expect(new Set(ports).size).toBe(ports.length);
});
