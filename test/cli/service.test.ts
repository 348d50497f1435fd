/** The service of a run: its address or name, its headers and its key, and where they come from. */
import {mkdirSync, rmSync, symlinkSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {parseResult} from '../helpers/json-output.ts';
import {noLocalServices, startLocalService} from '../helpers/local-service.ts';
import {errorReply, jsonReply} from '../helpers/replies.ts';
import {type Line, type RunOptions, runChat, wordsOf} from '../helpers/run-chat.ts';
import {type Given, openScene, testOutputs, testRefusals} from '../helpers/run-table.ts';
import {createHome} from '../helpers/settings-home.ts';

const key = 'sk-0123456789abcdef';
const secret = 'gateway-secret-42';
const secrets = [secret];
const none = {replies: null};
const nowhere = 'http://127.0.0.1:1';

describe('the built-in service', () => {
	const notice = /^chat: no service configured: [^\n]*chat setup\n$/;
	const openai = {variables: {OPENAI_API_KEY: key}};
	const others = {CHAT_ROOM: 'a', CHAT_SERVER_PORT: '1', CHAT_: '', CHATTER: 'b'};
	testOutputs(
		'answers without a configured service, and says so',
		[
			['count to 5', '1, 2, 3, 4, 5\n', {}, notice],
			['-o json Hello', /"notices":\[\{"code":"built-in-service"/, {}, notice],
			['Hello', /^You wrote/, {variables: {CHAT_BASE_URL: '', OPENAI_BASE_URL: ''}}, notice],
			['Hello', /^You/, {config: {profiles: {work: {}}}, variables: others}, notice],
			['Hello', /^You/, openai, /built-in .*OPENAI_API_KEY .*not used.*openai:/],
			['say hi', 'hi\n', {variables: {MISTRAL_API_KEY: key}}, /not used; .* base-url mistral:\n/],
		],
		none,
	);

	const typed = 'sk-proj-abcdefghijklmnop1234';
	const noFlag = /^chat: there is no flag for an API key: .*\n.* chat auth set, or/;
	const config = {profiles: {work: {model: 'x'}, b: {}}};
	const misspelt = /^chat: unknown variable chat_profile, and no .*\n {6}Did you mean CHAT_PROFILE/;
	testRefusals(
		'does not replace a service that was meant',
		[
			['--api-key-file key.txt Hello', 78, 'key', {files: {'key.txt': key}}],
			[`--api-key=${typed} p`, 64, noFlag, {secrets: [typed]}],
			[`--token ${typed} p`, 64, noFlag, {secrets: [typed]}],
			['--profile work Hello', 78, /the profile work has no service\n.*--profile work/, {config}],
			['--profile wrok Hello', 78, /no profile wrok in .+; there are: work, b/, {config}],
			['-q Hello', 78, /^chat: unknown key "base_url" .*\n.*base-url\?/, {config: {base_url: 'x'}}],
			['Hello', 78, misspelt, {variables: {chat_profile: secret}}],
			[['--header', 'X-Title: chat', 'p'], 78, 'x-title is set, but no service is configured'],
		],
		{...none, secrets},
	);

	test.each<[string, RunOptions, string]>([
		['does not exist', {home: '/nonexistent'}, 'the home folder /nonexistent does not exist'],
		['is not named', {variables: {HOME: undefined}}, 'HOME is not set'],
		['is unknown', {home: undefined, variables: {HOME: 'x'}}, 'there is no home folder'],
	])('does not answer if the home folder %s', async (_, options, problem) => {
		const run = await runChat('Hello', {...options, platform: 'linux'});
		expect(run).toMatchObject({stdout: '', exitCode: 78});
		expect(run.stderr).toContain(`chat: ${problem}`);
		const variables = {XDG_CONFIG_HOME: createHome().home, ...options.variables};
		const other = await runChat('Hello', {...options, variables, platform: 'linux'});
		expect(other.exitCode).toBe(0);
	});

	test('does not answer if the config file cannot be read, or is a link without a target', async () => {
		const {run, service, configPath} = await openScene(none);
		mkdirSync(configPath, {recursive: true});
		const {stderr, exitCode} = await run('Hello');
		expect(exitCode).toBe(78);
		expect(stderr).toContain(`cannot read ${configPath} (EISDIR)`);
		expect(await run('Hello', {variables: service.variables})).toEqual({
			stdout: 'Hi.\n',
			stderr: `chat: cannot read ${configPath} (EISDIR)\n`,
			exitCode: 0,
		});
		rmSync(configPath, {recursive: true});
		symlinkSync('unmounted.json', configPath);
		const linked = await run('Hello');
		expect(linked).toMatchObject({stdout: '', exitCode: 78});
		expect(linked.stderr).toContain(`the link ${configPath} leads nowhere`);
	});

	test('answers without a notice wherever it is named, whatever else is set', async () => {
		const config = {profiles: {play: {'base-url': 'built-in:'}}};
		const {run} = await openScene({...none, config, variables: {CHAT_API_KEY: key}});
		const quiet = {stdout: 'hi\n', stderr: '', exitCode: 0};
		expect(await run('--base-url built-in: say hi', {home: undefined})).toEqual(quiet);
		expect(await run('--profile play say hi')).toEqual(quiet);
		const json = await run('--base-url built-in: -o json say hi');
		expect(JSON.parse(json.stdout)).toMatchObject({service: 'built-in', notices: []});
	});

	test('writes at reading speed on a terminal, and at full speed elsewhere', async () => {
		const timeOf = async (words: number, terminals: readonly 'stdout'[]) => {
			const start = performance.now();
			const run = await runChat(`-m luna Write ${words} words`, {terminals});
			expect(run.stdout.split(/\s+(?=\w)/)).toHaveLength(words);
			return performance.now() - start;
		};
		expect(await timeOf(12, ['stdout'])).toBeGreaterThan(120);
		// At reading speed, these would take longer than the time limit of the test.
		await timeOf(5000, []);
	});
});

test('a key that is given as the name of a file is not shown', async () => {
	const name = 'eyJhbGciOiJIUzI1.eyJzdWIiOiIx.abcdefghijk';
	const {run} = await openScene({...none, secrets: [name]});
	const line = '-v -o json --base-url http://localhost:1';
	for (const [flags, variables] of [
		[`--api-key-file ${name}`, {}],
		['', {CHAT_API_KEY_FILE: name}],
	] as const) {
		const {stderr, exitCode} = await run(`${line} ${flags} p`, {variables});
		expect(exitCode).toBe(66);
		expect(stderr).toContain('the key from a file named like a key: no such file');
		expect((await run('config list', {variables})).exitCode).toBe(0);
	}
});

testRefusals(
	'a file that is named is reported if it is of no use',
	[
		['--api-key-file gone p', 66, /^chat: cannot read the key from the file gone: no such file\n/],
		['--api-key-file words p', 77, /^chat: the file words does not contain a valid API key\n/],
		['--ca-file gone p', 66, /^chat: cannot read the certificates in gone: no such file\n/],
		['--ca-file words p', 65, /^chat: words does not contain valid certificates\n/],
	],
	{files: {words: 'two words'}},
);

const post = 'POST /v1/chat/completions';

/** Opens a home where Ollama is this service, and the others are nowhere. */
async function openLocal(models: readonly string[] = ['m'], {variables, ...given}: Given = {}) {
	const service = await startLocalService(models);
	const all = {...noLocalServices, OLLAMA_HOST: service.host, ...variables};
	return {...(await openScene({...none, ...given, variables: all})), local: service};
}

describe('the name of a local service', () => {
	test('works as a flag and in the config file, and follows its own variable', async () => {
		const {run, local} = await openLocal(['m'], {config: {'base-url': 'ollama:'}});
		for (const line of ['--base-url ollama: -m m p', '-m m p']) {
			expect(await run(line)).toEqual({stdout: 'Hello from m\n', stderr: '', exitCode: 0});
		}
		expect(local.requests).toEqual([post, post]);
		for (const [OLLAMA_HOST, url] of [
			['192.0.2.7', 'http://192.0.2.7:11434/'],
			['192.0.2.7:80', 'http://192.0.2.7/'],
			[':11435', 'http://127.0.0.1:11435/'],
			['[::]:1', 'http://[::1]:1/'],
			['https://gpu.example', 'https://gpu.example/'],
			['', 'http://127.0.0.1:11434/v1'],
		] as const) {
			const shown = await run('config get base-url', {variables: {OLLAMA_HOST}});
			expect(shown.stdout).toBe(`${url}\n`);
		}
	});

	test('sends no key, unless one was given for it', async () => {
		const {run, local} = await openLocal();
		const named = '--base-url ollama: -m m p';
		const left = await run(named, {variables: {CHAT_API_KEY: key}});
		expect(left.stderr).toContain('the key from CHAT_API_KEY was not sent to a service on this');
		const CHAT_BASE_URL = 'https://api.example.com';
		await run(named, {variables: {CHAT_API_KEY: key, CHAT_BASE_URL, OPENAI_API_KEY: key}});
		expect(local.requests).toEqual([post, post]);
		const own = {CHAT_API_KEY: key, CHAT_BASE_URL: 'ollama:'};
		expect(await run('-m m p', {variables: own})).toMatchObject({stderr: '', exitCode: 0});
		await run(`auth set --base-url http://${local.host}`, {stdin: key});
		await run(named);
		expect(local.requests.slice(2)).toEqual([`${post} Bearer ${key}`, `${post} Bearer ${key}`]);
	});

	test('may be that of the first one that answers, not of another program', async () => {
		const wrong = [
			await startLocalService([], {listReply: '"a page"'}),
			await startLocalService([], {listReply: `{"data":[],"x":"${'x'.repeat(70_000)}"}`}),
		];
		const {run, local} = await openLocal();
		const {stdout, stderr} = await run('--base-url local: -m m p');
		expect(stdout).toBe('Hello from m\n');
		expect(stderr).toBe(`chat: local: is Ollama at http://${local.host}\n`);
		for (const {host} of wrong) {
			const variables = {OLLAMA_HOST: host, LM_STUDIO_URL: local.host};
			const other = await run('--base-url local: -m m p', {variables});
			expect(other.stderr).toContain('local: is LM Studio');
		}
	});
});

describe('the name of a hosted service', () => {
	const how =
		'Get one at https://console.groq.com/keys, then set GROQ_API_KEY, or store it with: chat auth set --base-url groq:\n';
	const variables = {CHAT_BASE_URL: 'https://api.example.com', CHAT_API_KEY: key};
	const left = 'Groq is set; the key from CHAT_API_KEY was not sent: it is for';
	const behind = {variables: {HTTPS_PROXY: nowhere}};
	const own = ['--base-url', 'anthropic:', '--header', 'x-api-key: k', '-m', 'x'];
	testRefusals(
		'needs a key, or a header that may carry one',
		[
			['--base-url groq: p', 77, `chat: no API key for Groq is set\n      ${how}`],
			['--base-url groq: p', 77, left, {variables}],
			[[...own, '--max-retries', '0', 'p'], 69, 'proxy', behind],
			[['--base-url', 'ollama', 'p'], 64, 'or a name such as ollama:'],
			['--base-url open-router: p', 64, '(did you mean openrouter:?)'],
			['--base-url ollama: p', 64, 'an address in OLLAMA', {variables: {OLLAMA_HOST: 'a b'}}],
		],
		none,
	);

	test('is named by the other commands, which need no key', async () => {
		const {run} = await openScene({...none, variables: {CHAT_BASE_URL: 'groq:'}});
		expect((await run('auth status')).stderr).toBe(`chat: no API key for Groq is set. ${how}`);
		expect((await run('--dry-run -m x p')).exitCode).toBe(0);
		expect((await run('doctor -o json')).exitCode).toBe(77);
	});
});

/** A variable as it stands in a header. */
const ref = (name: string) => `\${${name}}`;

/** Sends a prompt with these flags, and returns the headers of the request. */
async function send(line: Line, given: Given = {}) {
	const scene = await openScene({secrets, ...given});
	const run = await scene.run([...wordsOf(line), 'p']);
	const {requests} = scene.service;
	return {run, requests, headers: requests[0]?.headers ?? {}};
}

describe('a header', () => {
	test('goes out with every retry and fallback, and with the list of models', async () => {
		const replies = [
			errorReply(400, "Unknown parameter: 'stream_options'."),
			errorReply(503, 'later', {'retry-after-ms': '1'}),
			errorReply(404, 'The model p does not exist'),
			jsonReply(200, {data: [{id: 'm-1'}]}),
		];
		const flags = ['--header', 'X-Team: blue', '--header', 'user-agent:  mine '];
		const {requests} = await send(flags, {replies});
		expect(requests.map(({method}) => method)).toEqual(['POST', 'POST', 'POST', 'GET']);
		for (const {headers} of requests) {
			expect(headers).toMatchObject({'x-team': 'blue', 'user-agent': 'mine'});
		}
	});

	test('of the file, of a profile and of a flag add up, and the last one counts', async () => {
		const flags = ['--profile', 'work', '--header', 'x-three: flag', '--header', 'X-Four:'];
		const {headers} = await send(flags, {
			config: (url: string) => ({
				'base-url': url,
				headers: {'X-One': 'file', 'X-Two': 'file', 'X-Three': 'file', 'X-Four': 'file'},
				profiles: {work: {headers: {'x-two': 'profile', 'X-Three': 'profile'}}},
			}),
		});
		expect(headers).toMatchObject({'x-one': 'file', 'x-two': 'profile', 'x-three': 'flag'});
		expect(headers).not.toHaveProperty('x-four');
	});

	test('has the values of variables, which are never shown, also if they are echoed', async () => {
		const {run, service} = await openScene({
			...{secrets, variables: {GATEWAY: `${secret}\n`}},
			replies: [errorReply(400, `X-Gateway was Token ${secret}`)],
		});
		for (const format of ['text', 'json', 'jsonl']) {
			const flags = ['-v', '-o', format, '--header', `X-Gateway: Token ${ref('GATEWAY')}`];
			const {stdout, stderr} = await run([...flags, 'p']);
			expect(stderr).toContain('= headers: x-gateway (--header)\n');
			expect(stderr).toMatch(/^> .*, x-gateway$/m);
			expect(stderr + stdout).toContain('X-Gateway was [redacted]');
		}
		expect(service.requests[0]?.headers).toMatchObject({'x-gateway': `Token ${secret}`});
	});

	test('is set in the config file, and listed without its value', async () => {
		const {run, config} = await openScene({secrets, replies: null});
		const headers = {'X-Title': 'chat', 'X-Gateway': secret};
		await run('config set base-url https://api.example.com');
		await run(['config', 'set', 'headers', JSON.stringify(headers)]);
		expect(config()).toMatchObject({headers});
		expect((await run('config get headers')).stdout).toBe('x-title, x-gateway\n');
		expect((await run('config list')).stdout).toMatch(/^headers +x-title, x-gateway +config$/m);
	});

	const header = (text: string) => ['--header', text, 'p'];
	const inFile = (headers: unknown) => ({config: {'base-url': nowhere, headers}, replies: null});
	const onlyAscii = 'needs one line of ASCII characters as the value';
	const notOneLine = 'cannot set x-a: a variable in its value is not one line';
	const openly = ['--base-url', 'http://192.0.2.1:9', ...header(`X-Gateway: ${secret}`)];
	testRefusals(
		'that cannot be sent is refused',
		[
			[header(secret), 64, 'chat: --header must be "Name: value"'],
			[header(`X Gateway: ${secret}`), 64, 'has a name that is not valid: "x gateway"'],
			[header('Host: other.example'), 64, 'cannot set host, which chat sets itself'],
			[header(`X-Gateway: ${secret}\r\nX-Evil: 1`), 64, onlyAscii],
			[header('X-Title: schön'), 64, `${onlyAscii} of x-title`],
			[header(`Authorization: ${secret}`), 64, 'cannot set authorization, which carries the'],
			[header(`X-A: ${ref('LINES')}`), 64, notOneLine],
			[header(`X-A: ${ref('NOPE')}`), 64, 'needs the variable NOPE for x-a, but it is not set'],
			[openly, 78, /the header x-gateway would go unencrypted.*--insecure-http/s],
			['--auth-header Host p', 64, 'must be the name of a header'],
			['p', 78, /^chat: headers in .*config\.json .*or in a file \{"Name"/, inFile({'X-A': 5})],
			['p', 78, 'or in a file {"Name": "value"}', inFile([secret])],
			['p', 78, 'cannot set authorization', inFile({Authorization: secret})],
			['p', 78, /has no base-url beside it.*Set base-url/s, {config: {headers: {'X-A': 'b'}}}],
		],
		{secrets, variables: {LINES: `${secret}\nX-Evil: 1`}},
	);
});

describe('the key', () => {
	const variables = {CHAT_API_KEY: key};

	test('goes alone into the header that auth-header names', async () => {
		const {headers, run} = await send('-v --auth-header X-API-Key', {variables});
		expect(headers).toMatchObject({'x-api-key': key});
		expect(headers).not.toHaveProperty('authorization');
		expect(run.stderr).toContain('= auth-header: X-API-Key (--auth-header)\n');
		const given = {variables: {...variables, CHAT_AUTH_HEADER: 'AUTHORIZATION'}};
		expect((await send('', given)).headers).toMatchObject({authorization: `Bearer ${key}`});
	});

	test('stays here with auth-header none, and another scheme may replace it', async () => {
		const flags = ['--auth-header', 'none', '--header', `Authorization: Basic ${ref('LOGIN')}`];
		const {headers, run} = await send(flags, {variables: {...variables, LOGIN: secret}});
		expect(headers).toMatchObject({authorization: `Basic ${secret}`});
		expect(run).toMatchObject({exitCode: 0, stderr: ''});
	});

	test('that is refused is reported with its header', async () => {
		const given = {replies: [errorReply(401, 'no')], variables};
		const named = await send('--auth-header api-key', given);
		expect(named.run.stderr).toContain('the key from CHAT_API_KEY, sent as api-key (auth-header).');
		const left = await send('--auth-header none', given);
		expect(left.run.stderr).toContain('No API key was sent, because auth-header is none.');
	});
});

describe('the settings of a run', () => {
	test('are reported if a key is unknown, and the run answers', async () => {
		const {run, configPath} = await openScene({
			config: (url: string) => ({
				max_tokens: 5,
				later: {x: 1},
				top_k: 40,
				profiles: {work: {'base-url': url, api_key: 'x', Image: 'y.png'}, other: {odd: 1}},
			}),
		});
		const {stdout, stderr} = await run('--profile work p');
		expect(stdout).toBe('Hi.\n');
		expect(stderr.replaceAll(configPath, 'FILE').split('\n')).toEqual([
			'chat: unknown key "max_tokens" in FILE. Did you mean max-tokens?',
			'chat: unknown key "later" in FILE',
			'chat: unknown key "top_k" in FILE. Did you mean top-p? A field of the request goes into options: chat config set options top_k=VALUE',
			'chat: unknown key "api_key" of the profile work in FILE. API keys are stored separately: chat auth set',
			'chat: unknown key "Image" of the profile work in FILE',
			'',
		]);
		expect((await run('-q --profile work p')).stderr).toBe('');
		const misspelt = await run('--profile work p', {
			variables: {CHAT_MODLE: 'x', CHAT_ROOM: 'a'},
		});
		expect(misspelt).toMatchObject({stdout: 'Hi.\n', exitCode: 0});
		expect(misspelt.stderr).toContain('unknown variable CHAT_MODLE. Did you mean CHAT_MODEL?\n');
	});

	test('decide about the format of an early failure', async () => {
		for (const [config, line, kind] of [
			[{output: 'json'}, '--temperature 7 p', 'usage'],
			['{', '-o json p', 'config'],
		] as const) {
			const {run} = await openScene({config});
			expect(parseResult((await run(line)).stdout).error?.kind).toBe(kind);
		}
	});

	test('are shown by -v with their sources, without secrets, and shortened', async () => {
		const {run, service, credentialsPath} = await openScene({
			config: {usage: false, profiles: {work: {model: 'luna'}}},
			secrets: [key, 'hunter2hunter2', '5678'],
		});
		const url = service.variables.CHAT_BASE_URL;
		await run(`auth set --base-url ${url}`, {stdin: key});
		const image = 'https://x.example/a.png?token=hunter2hunter2';
		const {stderr} = await run(`-v --profile work --temperature 1 --image ${image} p`, {
			variables: {CHAT_MAX_TOKENS: '8', CHAT_SYSTEM: `a\n${'b'.repeat(200)}`},
		});
		expect(stderr.split('\n').filter((line) => line.startsWith('= '))).toEqual([
			'= model: luna (profile work)',
			`= system: a ${'b'.repeat(78)}… (CHAT_SYSTEM)`,
			'= temperature: 1 (--temperature)',
			'= max-tokens: 8 (CHAT_MAX_TOKENS)',
			'= image: https://x.example/a.png?token=%5Bredacted%5D (--image)',
			'= usage: false (config)',
			'= save: false (CHAT_SAVE)',
			`= base-url: ${url} (CHAT_BASE_URL)`,
			'= profile: work (--profile)',
			'= wire: chat (auto)',
			`= API key: ends in cdef (${credentialsPath} (chat auth))`,
		]);
		const short = await run('-v p', {variables: {CHAT_API_KEY: 'sk-12345678'}});
		expect(short.stderr).toContain('= API key: too short to show (CHAT_API_KEY)');
	});
});
