/** `--option`, and `options` in the config file: fields that only the service knows. */
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {streamReply} from '../helpers/replies.ts';
import {type RunOptions, runChat} from '../helpers/run-chat.ts';
import {createHome} from '../helpers/settings-home.ts';
import {startRecording} from '../helpers/start-service.ts';
import {createDirectory} from '../input/input-helpers.ts';

describe('an option of the request', () => {
	test('goes out as it is, after the fields that every request has', async () => {
		const service = await startRecording(streamReply(['Hi.']));
		const cwd = createDirectory({'prefs.json': '{"order": ["a"], "allow": null}'});
		const options = [
			['-O', 'top_k=40'],
			['--option', 'chat_template_kwargs.enable_thinking=false'],
			['-Oprovider=@prefs.json'],
			['--option=user=ada'],
		];
		const run = await runChat([...options.flat(), 'p'], {...service, cwd});
		expect(run).toEqual({stdout: 'Hi.\n', stderr: '', exitCode: 0});
		expect(service.bodies()[0]).toEqual({
			model: 'MODEL-5.6-sol',
			messages: [{role: 'user', content: 'p'}],
			stream: true,
			stream_options: {include_usage: true},
			top_k: 40,
			chat_template_kwargs: {enable_thinking: false},
			provider: {order: ['a'], allow: null},
			user: 'ada',
		});
	});

	test('is merged key by key: file, profile, variable, flags', async () => {
		const service = await startRecording(streamReply(['Hi.']));
		const {source} = createHome({
			config: {
				options: {a: 'file', b: 'file', c: 'file', d: 'file', e: {x: 'file', y: 'file'}},
				profiles: {work: {options: {b: 'profile', c: 'profile', d: null}}},
			},
		});
		const variables = {
			...service.variables,
			CHAT_PROFILE: 'work',
			CHAT_OPTIONS: '{"c": "variable", "f": "variable"}',
		};
		const flags = ['-O', 'f=null', '-O', 'e.x=flag', '-O', 'g=flag'];
		await runChat([...flags, 'p'], {...source, variables});
		expect(service.bodies()[0]).toMatchObject({
			a: 'file',
			b: 'profile',
			c: 'variable',
			e: {x: 'flag', y: 'file'},
			g: 'flag',
		});
		for (const gone of ['d', 'f']) expect(service.bodies()[0]).not.toHaveProperty(gone);
		await runChat(['-O', '', '-O', 'g=flag', 'p'], {...source, variables});
		expect(Object.keys(service.bodies()[1] ?? {}).slice(4)).toEqual(['g']);
		const named = ['--profile', 'work', 'p'];
		await runChat(named, {...source, variables: {...variables, CHAT_PROFILE: ''}});
		expect(service.bodies()[2]).toMatchObject({a: 'file', b: 'profile', c: 'profile'});
	});

	test.each([
		[['-O', 'temperature=1'], /^chat: --option is "temperature=1", but .* use --temperature\n$/],
		[['-O', 'a=1', '-O', 'a.b=2'], /^chat: --option is "a\.b=2", but it goes into a, which is 1/],
		[['-O', 'n=@five.json', '-O', 'n.b=2'], /^chat: --option goes into n, which is 5 and not an/],
	])('that does not fit is a usage error: %j', async (flags, complaint) => {
		const service = await startRecording(streamReply(['Hi.']));
		const cwd = createDirectory({'five.json': '5'});
		const run = await runChat([...flags, 'p'], {...service, cwd});
		expect(run).toMatchObject({stdout: '', exitCode: 64});
		expect(run.stderr).toMatch(complaint);
		expect(service.requests).toEqual([]);
	});

	test.each([
		['missing.json', 66, /^chat: no such file: missing\.json\n/],
		['large.json', 64, /^chat: --option must not contain a number that is too large/],
		['broken.json', 65, /^chat: broken\.json is not valid JSON: line 2, column 1: .*\n$/],
	])('of a file that cannot be used is not sent: %s', async (name, exitCode, complaint) => {
		const service = await startRecording(streamReply(['Hi.']));
		const cwd = createDirectory({
			'broken.json': '{"a":\n}',
			'large.json': '[9007199254740993]',
		});
		const run = await runChat(['-O', `a=@${name}`, 'p'], {...service, cwd});
		expect(run).toMatchObject({stdout: '', exitCode});
		expect(run.stderr).toMatch(complaint);
		expect(service.requests).toEqual([]);
	});

	test.each([
		[
			{options: {a: JSON.parse(`${'['.repeat(1000)}${']'.repeat(1000)}`)}},
			'options in FILE is "…", but it must not be nested so deep',
		],
		[
			{options: 5},
			'options in FILE is "5", but it must be key=value, as in top_k=40, or a JSON object',
		],
		[
			{options: [5]},
			'options in FILE is "[5]", but it must be key=value, as in top_k=40, or a JSON object',
		],
		[
			{profiles: {p: {options: {seed: 1}}}},
			'options of the profile p in FILE is "{"seed":1}", but it must not set seed: use --seed',
		],
	])('in a file that is not valid is a configuration error: %j', async (config, complaint) => {
		const {source, configPath} = createHome({config});
		const variables = {
			CHAT_BASE_URL: 'http://127.0.0.1:1',
			CHAT_PROFILE: 'profiles' in config ? 'p' : '',
		};
		const run = await runChat(['p'], {...source, variables});
		expect(run).toMatchObject({stdout: '', exitCode: 78});
		expect(run.stderr).toContain(complaint.replace('FILE', configPath));
	});

	test('of a file named in the config file is read from its folder', async () => {
		const service = await startRecording(streamReply(['Hi.']));
		const {source, directory} = createHome({config: {options: ['a=@a=b.json', 'c=1']}});
		writeFileSync(join(directory, 'a=b.json'), '"read"');
		const run = await runChat(['p'], {...source, ...service});
		expect(run).toMatchObject({stdout: 'Hi.\n', exitCode: 0});
		expect(service.bodies()[0]).toMatchObject({a: 'read', c: 1});
	});

	test('replaces --max-tokens, with a notice', async () => {
		const service = await startRecording(streamReply(['Hi.']));
		const flags = ['--max-tokens', '5', '-O', 'max_completion_tokens=9'];
		const run = await runChat([...flags, 'p'], service);
		expect(run.stderr).toBe('chat: max_completion_tokens is sent in place of max_tokens\n');
		expect(service.bodies()[0]).toMatchObject({max_completion_tokens: 9});
		expect(service.bodies()[0]).not.toHaveProperty('max_tokens');
	});
});

describe('chat config', () => {
	test('sets one of the options, or all of them', async () => {
		const {source, config} = createHome({config: {options: {a: 1}}});
		const set = async (...words: readonly string[]) => {
			expect(await runChat(['config', 'set', ...words], source)).toMatchObject({exitCode: 0});
			return config();
		};
		expect(await set('options', 'b.c=2')).toEqual({options: {a: 1, b: {c: 2}}});
		expect(await set('options', 'a=null')).toEqual({options: {b: {c: 2}}});
		expect(await set('options', '{"d": null}')).toEqual({options: {d: null}});
		await set('--profile', 'p', 'options', 'd=null');
		expect(await set('--profile', 'p', 'options', 'e=high')).toEqual({
			options: {d: null},
			profiles: {p: {options: {d: null, e: 'high'}}},
		});
	});

	test.each([
		['{"a":', 'options is "{"a":", but it must be key=value, as in top_k=40, or a JSON object'],
		['', 'options is "", but it must be key=value, as in top_k=40, or a JSON object'],
		['a=@b.json', 'options must contain the value itself: files are read for a single run'],
		['a.b=1', 'options is "a.b=1", but it goes into a, which is 1 and not an object'],
		['model=x', 'options is "model=x", but it must not set model: use --model'],
	])('refuses %j', async (text, complaint) => {
		const {source, config} = createHome({config: {options: {a: 1}}});
		const run = await runChat(['config', 'set', 'options', text], source);
		expect(run).toMatchObject({stdout: '', exitCode: 64});
		expect(run.stderr).toContain(complaint);
		expect(config()).toEqual({options: {a: 1}});
	});

	test('lists the options with every source, and without secrets', async () => {
		const {source} = createHome({
			config: {
				options: {top_k: 40, auth: {api_key: 'hidden-1234'}},
				profiles: {p: {options: {a: 1}}},
			},
		});
		const shown = '{"top_k":40,"auth":{"api_key":"[redacted]"},"a":1}';
		const secrets = ['hidden-1234'];
		const get = ['config', 'get', '--profile', 'p', 'options'];
		expect(await runChat(get, {...source, secrets})).toMatchObject({stdout: `${shown}\n`});
		const list = await runChat(['config', 'list', '--profile', 'p'], {...source, secrets});
		expect(list.stdout).toMatch(/^options +\{"top_k":40,.* config, profile p$/m);
		const service = await startRecording(streamReply(['Hi.']));
		const variables = {...service.variables, CHAT_OPTIONS: 'b=2'};
		const flags = ['-v', '-O', 'c=@c.json'];
		const cwd = createDirectory({'c.json': '3'});
		const run = await runChat([...flags, 'p'], {...source, cwd, secrets, variables});
		expect(run.stderr).toContain(
			'= options: {"top_k":40,"auth":{"api_key":"[redacted]"},"b":2,"c":{"@file":"c.json"}} (config, CHAT_OPTIONS, --option)',
		);
	});

	test('keeps a list, and shows stop texts as they are', async () => {
		const {source, config} = createHome();
		await runChat(['config', 'set', 'stop', '["### a@b?", "STOP"]'], source);
		await runChat(['config', 'set', 'tools', '["a.json", "/b.json"]'], {...source, cwd: '/etc'});
		expect(config()).toEqual({
			stop: ['### a@b?', 'STOP'],
			tools: ['/etc/a.json', '/b.json'],
		});
		const get = ['config', 'get', 'stop'];
		expect(await runChat(get, source)).toMatchObject({stdout: '["### a@b?","STOP"]\n'});
		const variables = {CHAT_STOP: '[x?'};
		expect(await runChat(get, {...source, variables})).toMatchObject({stdout: '[x?\n'});
		const set = await runChat(['config', 'set', 'options', 'a=1'], {
			...source,
			variables: {CHAT_OPTIONS: 'b=2'},
		});
		expect(set.stderr).toBe('chat: CHAT_OPTIONS is set, and is added to the file\n');
	});

	test('suggests the key for the name of the flag', async () => {
		const run = await runChat(['config', 'set', 'option', 'a=1'], createHome().source);
		expect(run).toMatchObject({exitCode: 64});
		expect(run.stderr).toContain('Did you mean options?');
		const field = await runChat(['config', 'set', 'min_p', '0.1'], createHome().source);
		expect(field).toMatchObject({exitCode: 64});
		expect(field.stderr).toContain('chat config set options min_p=VALUE');
	});
});

describe('a field that the service refuses', () => {
	test.each([
		[
			['--reasoning-effort', 'high'],
			{
				error: {
					message: "Unsupported parameter: 'reasoning_effort' is not supported with this model.",
					type: 'invalid_request_error',
					param: 'reasoning_effort',
					code: 'unsupported_parameter',
				},
			},
			"The model may not reason (chat models show), or take another field, as in -O thinking.type=enabled. Leave out reasoning_effort with --reasoning-effort '', or /set reasoning_effort in a session.",
		],
		[
			['--reasoning-effort', 'high'],
			{
				error: {
					message: '"llama3.2" does not support thinking',
					type: 'api_error',
					param: null,
					code: null,
				},
			},
			"Leave out reasoning_effort with --reasoning-effort ''",
		],
		[
			['--reasoning-effort', 'high'],
			{code: 'invalid-argument', error: 'Argument not supported on this model: reasoningEffort'},
			"Leave out reasoning_effort with --reasoning-effort ''",
		],
		[
			['-O', 'top_k=40'],
			{error: {message: "property 'top_k' is unsupported", type: 'invalid_request_error'}},
			'Leave out top_k with -O top_k=null, or /set top_k=null in a session.',
		],
		[
			['-O', 'top_k=40'],
			{
				object: 'error',
				message: {
					detail: [
						{
							type: 'extra_forbidden',
							loc: ['body', 'top_k'],
							msg: 'Extra inputs are not permitted',
							input: 40,
						},
					],
				},
			},
			'Leave out top_k with -O top_k=null',
		],
		[
			['-O', 'top_k=40'],
			{
				error: {
					code: 400,
					message: 'Invalid JSON payload received. Unknown name "top_k": Cannot find field.',
					status: 'INVALID_ARGUMENT',
				},
			},
			'Leave out top_k with -O top_k=null',
		],
		[
			['--seed', '7'],
			{
				error: {
					message: 'Unrecognized request argument supplied: seed',
					type: 'invalid_request_error',
				},
			},
			"Leave out seed with --seed '', or /set seed in a session",
		],
		[
			['-O', 'reasoning.effort=high'],
			{error: {message: 'reasoning is not supported by this endpoint', code: 400}},
			'Leave out reasoning with -O reasoning=null',
		],
		[
			['-O', 'max_completion_tokens=9'],
			{
				detail: [
					{
						type: 'extra_forbidden',
						loc: ['body', 'max_completion_tokens'],
						msg: 'Extra inputs are not permitted',
					},
				],
			},
			'Leave out max_completion_tokens with -O max_completion_tokens=null',
		],
	])('is named with the way to leave it out: %j', async (flags, body, hint) => {
		const service = await startRecording({status: 400, bodyChunks: [JSON.stringify(body)]});
		const run = await runChat([...flags, '-m', 'm', 'p'], service);
		expect(run).toMatchObject({stdout: '', exitCode: 65});
		expect(run.stderr).toContain(hint);
		expect(service.requests).toHaveLength(1);
	});

	test('that one source sets is named with that source', async () => {
		const error = {message: "property 'top_k' is unsupported", type: 'invalid_request_error'};
		const bodyChunks = [JSON.stringify({error})];
		const {variables} = await startRecording({status: 400, bodyChunks});
		const run = async (options: RunOptions) => (await runChat(['p'], options)).stderr;
		const {source} = createHome({config: {options: {top_k: 40}}});
		expect(await run({...source, variables})).toContain('Leave out top_k (set by the config file)');
		const both = {...variables, CHAT_OPTIONS: 'a=1'};
		expect(await run({...source, variables: both})).toContain('chat config list shows where');
		const given = {...variables, CHAT_OPTIONS: 'top_k=40'};
		expect(await run({variables: given})).toContain('Leave out top_k (set by CHAT_OPTIONS)');
	});

	test.each([
		[
			['--reasoning-effort', 'minimal'],
			"Unsupported value: 'reasoning_effort' does not support 'minimal' with this model. Supported values are: 'low' and 'high'.",
		],
		[
			['--reasoning-effort', 'xhigh'],
			'reasoning_effort: unknown variant `xhigh`, expected one of `high`, `max`',
		],
		[['-O', 'provider.sort=price'], 'Provider returned error: unsupported parameter'],
	])('for its value, or another reason, gets no such hint: %j', async (flags, message) => {
		const service = await startRecording({
			status: 400,
			bodyChunks: [JSON.stringify({error: {message}})],
		});
		const run = await runChat([...flags, '-m', 'm', 'p'], service);
		expect(run).toMatchObject({stdout: '', exitCode: 65});
		expect(run.stderr).not.toContain('Leave out');
	});
});
