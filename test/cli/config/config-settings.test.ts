import {chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {parseResult} from '../../helpers/json-output.ts';
import {streamReply} from '../../helpers/replies.ts';
import {type RunOptions, runChat} from '../../helpers/run-chat.ts';
import {createHome} from '../../helpers/settings-home.ts';
import {startRecording} from '../../helpers/start-service.ts';

const key = 'sk-0123456789abcdef';

describe('a run', () => {
	test('uses the file, then variables, then flags', async () => {
		const service = await startRecording(streamReply(['Hi.']));
		const {source} = createHome({
			config: {
				'base-url': service.variables.CHAT_BASE_URL,
				model: 'terra',
				temperature: 0.5,
				'max-tokens': 7,
				system: 'Be brief.',
			},
		});
		const variables = {CHAT_MAX_TOKENS: '8'};
		const run = await runChat(['--temperature', '1', 'p'], {...source, variables});
		expect(run).toEqual({stdout: 'Hi.\n', stderr: '', exitCode: 0});
		expect(service.bodies()[0]).toMatchObject({
			model: 'MODEL-5.6-terra',
			temperature: 1,
			max_tokens: 8,
			messages: [{role: 'system', content: 'Be brief.'}, {role: 'user'}],
		});
	});

	test('uses the profile before the rest of the file', async () => {
		const work = await startRecording(streamReply(['Work.']));
		const other = await startRecording(streamReply(['Other.']));
		const {source} = createHome({
			config: {
				'base-url': other.variables.CHAT_BASE_URL,
				temperature: 0.5,
				profiles: {work: {'base-url': work.variables.CHAT_BASE_URL, model: 'luna'}},
			},
		});
		const flagged = await runChat(['--profile', 'work', 'p'], source);
		const variables = {CHAT_PROFILE: 'work'};
		const named = await runChat(['p'], {...source, variables});
		const plain = await runChat(['p'], {...source, variables: {CHAT_PROFILE: ''}});
		expect([flagged, named, plain].map(({stdout}) => stdout)).toEqual([
			'Work.\n',
			'Work.\n',
			'Other.\n',
		]);
		expect(work.bodies()[0]).toMatchObject({model: 'MODEL-5.6-luna', temperature: 0.5});
		expect(other.bodies()[0]).toMatchObject({model: 'MODEL-5.6-sol', temperature: 0.5});
	});

	test('uses the service of --profile rather than that of the variables', async () => {
		const work = await startRecording(streamReply(['Work.']));
		const other = await startRecording(streamReply(['Other.']));
		const {source} = createHome({
			config: {profiles: {work: {'base-url': work.variables.CHAT_BASE_URL, model: 'luna'}}},
		});
		const variables = {...other.variables, CHAT_MODEL: 'x', CHAT_API_KEY: key};
		const flagged = await runChat(['--profile', 'work', 'p'], {...source, variables});
		expect(flagged.stdout).toBe('Work.\n');
		expect(flagged.stderr).toMatch(/^chat: the key from CHAT_API_KEY was not sent: [^\n]*\n$/);
		expect(work.requests[0]?.headers['authorization']).toBeUndefined();
		expect(work.bodies()[0]).toMatchObject({model: 'MODEL-5.6-luna'});
		const named = {...variables, CHAT_PROFILE: 'work'};
		expect((await runChat(['p'], {...source, variables: named})).stdout).toBe('Other.\n');
		expect(other.bodies()[0]).toMatchObject({model: 'x'});
	});

	test('reports an early failure in the output format of the file', async () => {
		const {source} = createHome({config: {output: 'json'}});
		const run = await runChat(['--temperature', '7', 'p'], source);
		expect(parseResult(run.stdout)).toMatchObject({error: {kind: 'usage'}});
	});

	test('reports a broken file in JSON with -o json', async () => {
		const {source} = createHome({config: '{'});
		const run = await runChat(['-o', 'json', 'p'], source);
		expect(parseResult(run.stdout)).toMatchObject({error: {kind: 'config'}});
		expect(run.exitCode).toBe(78);
	});

	test('reports unknown keys and answers', async () => {
		const service = await startRecording(streamReply(['Hi.']));
		const work = {'base-url': service.variables.CHAT_BASE_URL, api_key: 'x', Image: 'y.png'};
		const {source, configPath} = createHome({
			config: {max_tokens: 5, later: {x: 1}, top_k: 40, profiles: {work, other: {odd: 1}}},
		});
		const run = await runChat(['--profile', 'work', 'p'], source);
		expect(run).toMatchObject({stdout: 'Hi.\n', exitCode: 0});
		const place = `of the profile work in ${configPath}`;
		expect(run.stderr.split('\n')).toEqual([
			`chat: unknown key "max_tokens" in ${configPath}. Did you mean max-tokens?`,
			`chat: unknown key "later" in ${configPath}`,
			`chat: unknown key "top_k" in ${configPath}. Did you mean top-p? A field of the request goes into options: chat config set options top_k=VALUE`,
			`chat: unknown key "api_key" ${place}. API keys are stored separately: chat auth set`,
			`chat: unknown key "Image" ${place}`,
			'',
		]);
		expect((await runChat(['-q', '--profile', 'work', 'p'], source)).stderr).toBe('');
	});

	test('can drop a stored value and a stored switch', async () => {
		const service = await startRecording(streamReply(['Hi.']));
		const {source, home} = createHome({
			config: {temperature: 1, 'max-tokens': 7, tools: 'gone.json', usage: true},
		});
		const empty = ['--temperature', '', '--max-tokens', '', '--tools', ''];
		const variables = {...service.variables, CHAT_TOP_P: '0.5', CHAT_VERBOSE: 'true'};
		const argv = [...empty, '--top-p', '', '--no-usage', '--no-verbose', 'p'];
		const run = await runChat(argv, {...source, variables, cwd: home});
		expect(run).toEqual({stdout: 'Hi.\n', stderr: '', exitCode: 0});
		const body = service.bodies()[0];
		for (const field of ['temperature', 'top_p', 'max_tokens', 'tools']) {
			expect(body).not.toHaveProperty(field);
		}
		const {stderr} = await runChat(['-v', ...empty, '--no-usage', 'p'], {...source, variables});
		expect(stderr).toContain('= temperature:  (--temperature)\n');
		expect(stderr).toContain('= usage: false (--no-usage)\n');
	});

	test('names the file, the key and the rule of a value that is not valid', async () => {
		const {source, configPath} = createHome({config: {'max-tokens': 0}});
		const run = await runChat(['p'], source);
		expect(run).toMatchObject({stdout: '', exitCode: 78});
		expect(run.stderr).toContain(
			`max-tokens in ${configPath} is "0", but it must be a whole number of at least 1`,
		);
	});
});

describe('the built-in service', () => {
	test('answers if the config file has no service', async () => {
		const {source} = createHome({config: {usage: true, profiles: {work: {}}}});
		const run = await runChat(['Hello'], source);
		expect(run).toMatchObject({exitCode: 0});
		expect(run.stderr).toContain('built-in service');
	});

	test('does not replace the service of a profile', async () => {
		const {source, configPath} = createHome({config: {profiles: {work: {model: 'x'}, b: {}}}});
		const nameless = await runChat(['--profile', 'work', 'Hello'], source);
		expect(nameless).toMatchObject({stdout: '', exitCode: 78});
		expect(nameless.stderr).toContain('the profile work has no service');
		expect(nameless.stderr).toContain('chat config set --profile work base-url <url>');
		const variables = {CHAT_PROFILE: 'wrok'};
		const missing = await runChat(['Hello'], {...source, variables});
		expect(missing).toMatchObject({stdout: '', exitCode: 78});
		expect(missing.stderr).toContain(`no profile wrok in ${configPath}; there are: work, b`);
		const fileless = await runChat(['--profile', 'work', 'Hello'], createHome().source);
		expect(fileless).toMatchObject({stdout: '', exitCode: 78});
	});

	test('does not answer if the config file has an unknown key', async () => {
		const {source, configPath} = createHome({config: {base_url: 'https://api.example.com'}});
		const run = await runChat(['-q', 'Hello'], source);
		expect(run).toEqual({
			stdout: '',
			stderr: `chat: unknown key "base_url" in ${configPath}, and no service is configured\n      Did you mean base-url? To fix it: chat config edit. For the built-in service: --base-url built-in:\n`,
			exitCode: 78,
		});
	});

	test.each([
		['CHAT_BASEURL', 'CHAT_BASE_URL'],
		['CHAT_BASE_URI', 'CHAT_BASE_URL'],
		['CHAT_MODLE', 'CHAT_MODEL'],
		['chat_profile', 'CHAT_PROFILE'],
	])('does not answer if %s is set, which may be %s', async (name, meant) => {
		const run = await runChat(['Hello'], {variables: {[name]: 'secret'}, secrets: ['secret']});
		expect(run).toEqual({
			stdout: '',
			stderr: `chat: unknown variable ${name}, and no service is configured\n      Did you mean ${meant}? For the built-in service: --base-url built-in:\n`,
			exitCode: 78,
		});
	});

	test('answers if the variables of another program are set', async () => {
		const variables = {CHAT_ROOM: 'a', CHAT_SERVER_PORT: '1', CHAT_: '', CHATTER: 'b'};
		expect(await runChat(['Hello'], {variables})).toMatchObject({exitCode: 0});
	});

	test.each<[string, RunOptions, string]>([
		['does not exist', {home: '/nonexistent'}, 'the home folder /nonexistent does not exist'],
		['is a file', {home: import.meta.filename}, `the home folder ${import.meta.filename} is not`],
		['is not named', {variables: {HOME: undefined}}, 'HOME is not set'],
		['is unknown', {home: undefined, variables: {HOME: 'x'}}, 'there is no home folder'],
	])('does not answer if the home folder %s', async (_, options, problem) => {
		const run = await runChat(['Hello'], {...options, platform: 'linux'});
		expect(run).toMatchObject({stdout: '', exitCode: 78});
		expect(run.stderr).toContain(`chat: ${problem}`);
		expect(run.stderr).toContain('Set HOME or XDG_CONFIG_HOME. For the built-in service: --base');
		const named = {XDG_CONFIG_HOME: createHome().home, ...options.variables};
		const other = await runChat(['Hello'], {...options, variables: named, platform: 'linux'});
		expect(other.exitCode).toBe(0);
	});

	test('answers without a notice wherever it is named, whatever else is set', async () => {
		const name = 'built-in:';
		const variables = {CHAT_API_KEY: 'sk-0123456789'};
		const {source} = createHome({config: {profiles: {play: {'base-url': name}}}});
		const runs = [
			await runChat(['--base-url', name, 'say hi'], {home: undefined, variables}),
			await runChat(['say hi'], {home: '/nonexistent', variables: {CHAT_BASE_URL: name}}),
			await runChat(['--profile', 'play', 'say hi'], source),
		];
		const quiet = {stdout: 'hi\n', stderr: '', exitCode: 0};
		expect(runs).toEqual([quiet, quiet, quiet]);
		const json = await runChat(['--base-url', name, '-o', 'json', 'say hi']);
		expect(JSON.parse(json.stdout)).toMatchObject({service: 'built-in', notices: []});
	});

	test('gets the headers of the run', async () => {
		const flags = ['--base-url', 'built-in:', '--dry-run', '--header', 'X-Team: blue'];
		expect(JSON.parse((await runChat([...flags, 'p'])).stdout).headers).toHaveProperty('x-team');
	});

	test('does not answer if the config file cannot be read', async () => {
		const {source, configPath} = createHome();
		mkdirSync(configPath, {recursive: true});
		const service = await startRecording(streamReply(['Hi.']));
		const pair = {OPENAI_BASE_URL: service.variables.CHAT_BASE_URL};
		for (const variables of [{}, pair]) {
			const run = await runChat(['Hello'], {...source, variables});
			expect(run).toMatchObject({stdout: '', exitCode: 78});
			expect(run.stderr).toContain(`cannot read ${configPath} (EISDIR)`);
		}
		expect(service.requests).toEqual([]);
	});

	test('does not answer if the config file is a link without a target', async () => {
		const {source, configPath} = createHome({config: {}});
		rmSync(configPath);
		symlinkSync('unmounted.json', configPath);
		const run = await runChat(['Hello'], source);
		expect(run).toMatchObject({stdout: '', exitCode: 78});
		expect(run.stderr).toContain(`the link ${configPath} leads nowhere`);
	});

	test('warns if others can write the config file', async () => {
		const {source, configPath} = createHome({config: {usage: false}});
		chmodSync(configPath, 0o666);
		const run = await runChat(['Hello'], {...source, platform: 'linux'});
		expect(run.stderr).toContain(`chat: other users can write ${configPath}`);
	});

	test('is not needed if a variable names the service and the file cannot be read', async () => {
		const {source, configPath} = createHome();
		mkdirSync(configPath, {recursive: true});
		const service = await startRecording(streamReply(['Hi.']));
		const run = await runChat(['Hello'], {...source, variables: service.variables});
		expect(run).toMatchObject({
			stdout: 'Hi.\n',
			stderr: `chat: cannot read ${configPath} (EISDIR)\n`,
			exitCode: 0,
		});
	});
});

describe('-v', () => {
	test('prints the source of each value and of the key', async () => {
		const service = await startRecording(streamReply(['Hi.']));
		const url = service.variables.CHAT_BASE_URL;
		const {source, credentialsPath} = createHome({
			config: {'base-url': url, usage: false, profiles: {work: {model: 'luna'}}},
			credentials: {[new URL(url).origin]: key},
		});
		const variables = {CHAT_MAX_TOKENS: '8'};
		const argv = ['-v', '--profile', 'work', '--temperature', '1', 'p'];
		const run = await runChat(argv, {...source, variables, secrets: [key]});
		const lines = run.stderr.split('\n').filter((line) => line.startsWith('= '));
		expect(lines).toEqual([
			'= model: luna (profile work)',
			'= temperature: 1 (--temperature)',
			'= max-tokens: 8 (CHAT_MAX_TOKENS)',
			'= usage: false (config)',
			'= save: false (CHAT_SAVE)',
			`= base-url: ${url} (config)`,
			'= profile: work (--profile)',
			`= API key: ends in cdef (${credentialsPath} (chat auth))`,
		]);
		expect(run.stderr).toContain(`> POST ${url}`);
	});

	test('names OPENAI_BASE_URL, and shortens long values', async () => {
		const service = await startRecording(streamReply(['Hi.']));
		const variables = {
			OPENAI_BASE_URL: service.variables.CHAT_BASE_URL,
			OPENAI_API_KEY: key,
			CHAT_SYSTEM: `a\n${'b'.repeat(200)}`,
		};
		const {stderr} = await runChat(['-v', 'p'], {variables});
		expect(stderr).toContain(`= base-url: ${variables.OPENAI_BASE_URL} (OPENAI_BASE_URL)\n`);
		expect(stderr).toContain('= API key: ends in cdef (OPENAI_API_KEY)\n');
		expect(stderr).toMatch(/^= system: a b{78}… \(CHAT_SYSTEM\)$/m);
	});

	test('does not show a short key or a key in a URL', async () => {
		const service = await startRecording(streamReply(['Hi.']));
		const {source, home} = createHome();
		writeFileSync(join(home, 'x.txt'), 'text');
		const variables = {...service.variables, CHAT_API_KEY: 'sk-12345678'};
		const image = 'https://x.example/a.png?token=hunter2hunter2';
		const run = await runChat(['-v', '--image', image, 'p'], {
			...source,
			variables,
			secrets: ['hunter2hunter2', '5678'],
		});
		expect(run.stderr).toContain('= API key: too short to show (CHAT_API_KEY)');
		expect(run.stderr).toContain('= image: https://x.example/a.png?token=');
	});
});

describe('a time limit that is too long for a timer', () => {
	const rule = 'it must be at most 2147483647ms, which is 596.5h (0 for no limit)';

	test.each([
		['a flag', ['--tool-timeout', '600h', 'p'], {}, {}, 64, '--tool-timeout is "600h"'],
		['a variable', ['p'], {CHAT_IDLE_TIMEOUT: '36000m'}, {}, 78, 'CHAT_IDLE_TIMEOUT is "36000m"'],
		['the file', ['p'], {}, {'finish-grace': '600h'}, 78, 'finish-grace in '],
		['config set', ['config', 'set', 'idle-timeout', '600h'], {}, {}, 64, 'idle-timeout is "600h"'],
		['serve', ['serve', '--latency', '600h'], {}, {}, 64, '--latency is "600h"'],
	])('is refused with the maximum: %s', async (_, argv, variables, config, ...end) => {
		const [exitCode, place] = end;
		const {source} = createHome({config});
		const run = await runChat(argv, {...source, variables});
		expect(run).toMatchObject({stdout: '', exitCode});
		expect(run.stderr).toContain(place);
		expect(run.stderr).toContain(rule);
	});
});

test('a variable that is probably a setting is reported, also beside a service', async () => {
	const service = await startRecording(streamReply(['Hi.']));
	const variables = {...service.variables, CHAT_MODLE: 'x', CHAT_ROOM: 'a'};
	const run = await runChat(['Hello'], {variables});
	const stderr = 'chat: unknown variable CHAT_MODLE. Did you mean CHAT_MODEL?\n';
	expect(run).toEqual({stdout: 'Hi.\n', stderr, exitCode: 0});
});
