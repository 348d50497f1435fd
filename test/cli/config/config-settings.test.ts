/** Settings of a run from the config file, its profiles, variables and flags, and the trace of `-v`. */
import {chmodSync, mkdirSync, rmSync, symlinkSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {parseResult} from '../../helpers/json-output.ts';
import {streamReply} from '../../helpers/replies.ts';
import {type RunOptions, runChat, wordsOf} from '../../helpers/run-chat.ts';
import {openScene, testRefusals} from '../../helpers/run-table.ts';
import {createHome} from '../../helpers/settings-home.ts';
import {startRecording} from '../../helpers/start-service.ts';

const key = 'sk-0123456789abcdef';
const none = {replies: null};

describe('a run', () => {
	test('reports unknown keys and answers', async () => {
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
	});

	test('reports an early failure in the output format of the file, or of -o', async () => {
		for (const [config, line, kind] of [
			[{output: 'json'}, '--temperature 7 p', 'usage'],
			['{', '-o json p', 'config'],
		] as const) {
			const {run} = await openScene({config});
			expect(parseResult((await run(line)).stdout).error?.kind).toBe(kind);
		}
	});

	test('warns of a variable that is probably a setting, and of a file that others can write', async () => {
		const {run, configPath} = await openScene({config: {usage: false}});
		const variables = {CHAT_MODLE: 'x', CHAT_ROOM: 'a'};
		const stderr = 'chat: unknown variable CHAT_MODLE. Did you mean CHAT_MODEL?\n';
		expect(await run('Hello', {variables})).toEqual({stdout: 'Hi.\n', stderr, exitCode: 0});
		chmodSync(configPath, 0o666);
		expect((await run('Hello')).stderr).toContain(`chat: other users can write ${configPath}`);
	});
});

const rule = 'it must be at most 2147483647ms, which is 596.5h (0 for no limit)';
testRefusals('a value that is not valid names its place', [
	['p', 78, /max-tokens in .*config\.json is "0", but .* at least 1/, {config: {'max-tokens': 0}}],
	['--tool-timeout 600h p', 64, `--tool-timeout is "600h", but ${rule}`],
	['p', 78, /finish-grace in .* is "600h", .* 596\.5h/, {config: {'finish-grace': '600h'}}],
	['serve --latency 600h', 64, `--latency is "600h", but ${rule}`],
]);

describe('the built-in service', () => {
	test('answers if the config file has no service, and whatever variables others have', async () => {
		const variables = {CHAT_ROOM: 'a', CHAT_SERVER_PORT: '1', CHAT_: '', CHATTER: 'b'};
		const {run} = await openScene({
			...none,
			config: {usage: true, profiles: {work: {}}},
			variables,
		});
		expect(await run('Hello')).toMatchObject({
			exitCode: 0,
			stderr: expect.stringContaining('built-in service'),
		});
	});

	const config = {profiles: {work: {model: 'x'}, b: {}}};
	const unknown = (name: string, meant: string) =>
		`chat: unknown variable ${name}, and no service is configured\n      Did you mean ${meant}? For the built-in service: --base-url built-in:\n`;
	testRefusals(
		'does not replace a service that was meant',
		[
			['--profile work Hello', 78, 'chat config set --profile work base-url <url>', {config}],
			['--profile work Hello', 78, 'the profile work has no service', {config}],
			['--profile wrok Hello', 78, /no profile wrok in .+; there are: work, b/, {config}],
			['--profile work Hello', 78, /no profile work/],
			[
				'-q Hello',
				78,
				/^chat: unknown key "base_url" in .+, and no service is configured\n {6}Did you mean base-url\? To fix it: chat config edit\. For the built-in service: --base-url built-in:\n$/,
				{config: {base_url: 'https://api.example.com'}},
			],
			...[
				['CHAT_BASEURL', 'CHAT_BASE_URL'],
				['CHAT_MODLE', 'CHAT_MODEL'],
				['chat_profile', 'CHAT_PROFILE'],
			].map(([name = '', meant = '']) => {
				const given = {variables: {[name]: 'secret'}, secrets: ['secret']};
				return ['Hello', 78, unknown(name, meant), given] as const;
			}),
		],
		none,
	);

	test.each<[string, RunOptions, string]>([
		['does not exist', {home: '/nonexistent'}, 'the home folder /nonexistent does not exist'],
		['is a file', {home: import.meta.filename}, `the home folder ${import.meta.filename} is not`],
		['is not named', {variables: {HOME: undefined}}, 'HOME is not set'],
		['is unknown', {home: undefined, variables: {HOME: 'x'}}, 'there is no home folder'],
	])('does not answer if the home folder %s', async (_, options, problem) => {
		const run = await runChat('Hello', {...options, platform: 'linux'});
		expect(run).toMatchObject({stdout: '', exitCode: 78});
		expect(run.stderr).toContain(`chat: ${problem}`);
		expect(run.stderr).toContain('Set HOME or XDG_CONFIG_HOME. For the built-in service: --base');
		const variables = {XDG_CONFIG_HOME: createHome().home, ...options.variables};
		const other = await runChat('Hello', {...options, variables, platform: 'linux'});
		expect(other.exitCode).toBe(0);
	});

	test('answers without a notice wherever it is named, whatever else is set', async () => {
		const name = 'built-in:';
		const variables = {CHAT_API_KEY: 'sk-0123456789'};
		const {run} = await openScene({...none, config: {profiles: {play: {'base-url': name}}}});
		const quiet = {stdout: 'hi\n', stderr: '', exitCode: 0};
		const flag = ['--base-url', name, 'say', 'hi'];
		expect(await run(flag, {home: undefined, variables})).toEqual(quiet);
		const variable = {home: '/nonexistent', variables: {CHAT_BASE_URL: name}};
		expect(await run('say hi', variable)).toEqual(quiet);
		expect(await run('--profile play say hi')).toEqual(quiet);
		const json = await run([...wordsOf('-o json'), ...flag]);
		expect(JSON.parse(json.stdout)).toMatchObject({service: 'built-in', notices: []});
		const header = ['--dry-run', '--header', 'X-Team: blue', ...flag];
		expect(JSON.parse((await run(header)).stdout).headers).toHaveProperty('x-team');
	});

	test('does not answer if the config file cannot be read, or is a link without a target', async () => {
		const {run, service, configPath} = await openScene(none);
		mkdirSync(configPath, {recursive: true});
		const OPENAI_BASE_URL = service.variables.CHAT_BASE_URL;
		for (const variables of [{}, {OPENAI_BASE_URL}]) {
			const {stderr, exitCode} = await run('Hello', {variables});
			expect(exitCode).toBe(78);
			expect(stderr).toContain(`cannot read ${configPath} (EISDIR)`);
		}
		expect(service.requests).toEqual([]);
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
});

describe('-v', () => {
	test('prints the source of each value and of the key', async () => {
		const service = await startRecording(streamReply(['Hi.']));
		const url = service.variables.CHAT_BASE_URL;
		const {run, credentialsPath} = await openScene({
			...none,
			config: {'base-url': url, usage: false, profiles: {work: {model: 'luna'}}},
			credentials: {[new URL(url).origin]: key},
			variables: {CHAT_MAX_TOKENS: '8'},
			secrets: [key],
		});
		const {stderr} = await run('-v --profile work --temperature 1 p');
		expect(stderr.split('\n').filter((line) => line.startsWith('= '))).toEqual([
			'= model: luna (profile work)',
			'= temperature: 1 (--temperature)',
			'= max-tokens: 8 (CHAT_MAX_TOKENS)',
			'= usage: false (config)',
			'= save: false (CHAT_SAVE)',
			`= base-url: ${url} (config)`,
			'= profile: work (--profile)',
			'= wire: chat (auto)',
			`= API key: ends in cdef (${credentialsPath} (chat auth))`,
		]);
		expect(stderr).toContain(`> POST ${url}`);
	});

	test('names OPENAI_BASE_URL, shortens long values, and shows no short key and no key in a URL', async () => {
		const {run, service} = await openScene({...none, secrets: ['hunter2hunter2', '5678']});
		const url = service.variables.CHAT_BASE_URL;
		const CHAT_SYSTEM = `a\n${'b'.repeat(200)}`;
		const pair = {OPENAI_BASE_URL: url, OPENAI_API_KEY: key, CHAT_SYSTEM};
		const {stderr} = await run('-v p', {variables: pair});
		expect(stderr).toContain(`= base-url: ${url} (OPENAI_BASE_URL)\n`);
		expect(stderr).toContain('= API key: ends in cdef (OPENAI_API_KEY)\n');
		expect(stderr).toMatch(/^= system: a b{78}… \(CHAT_SYSTEM\)$/m);
		const short = {...service.variables, CHAT_API_KEY: 'sk-12345678'};
		const image = 'https://x.example/a.png?token=hunter2hunter2';
		const other = await run(`-v --image ${image} p`, {variables: short});
		expect(other.stderr).toContain('= API key: too short to show (CHAT_API_KEY)');
		expect(other.stderr).toContain('= image: https://x.example/a.png?token=');
		expect((await run('-v p')).stderr).toMatch(
			/^= save: .*\nchat: no service configured: .*\n> POST/,
		);
	});
});
