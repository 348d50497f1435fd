import {describe, expect, test} from 'vitest';
import type {Variables} from '../../src/environment.ts';
import {errorReply, streamReply} from '../helpers/replies.ts';
import {type Line, runChat, wordsOf} from '../helpers/run-chat.ts';
import {openScene, testOutputs, testRefusals} from '../helpers/run-table.ts';
import type {WireBody} from '../helpers/start-service.ts';
import {pixelPng} from '../input/input-helpers.ts';

const weather = {type: 'function', function: {name: 'get_weather', description: 'Tells it.'}};
const clock = {type: 'function', function: {name: 'clock'}};
const withTools = {tools: [weather, clock]};

const minimal: WireBody = {
	model: 'MODEL-5.6-sol',
	messages: [{role: 'user', content: 'p'}],
	stream: true,
	stream_options: {include_usage: true},
};

/** Returns the only request's body for these flags. */
async function bodyOf(line: Line) {
	const {run, service} = await openScene({
		files: {
			'tools.json': JSON.stringify([weather, clock]),
		},
		replies: [streamReply(['{}'])],
	});
	expect(await run([...wordsOf(line), 'p'])).toMatchObject({stdout: '{}\n', exitCode: 0});
	expect(service.requests).toHaveLength(1);
	return service.bodies()[0];
}

describe('a request', () => {
	test.each<[Line, object]>([
		['', {}],
		['-m terra', {model: 'MODEL-5.6-terra'}],
		['--top-p 0.25', {top_p: 0.25}],
		[['--stop', 'END', '--stop', '\n\n'], {stop: ['END', '\n\n']}],
		['--tools tools.json', withTools],
		[
			'--tools tools.json --tool-choice clock',
			{...withTools, tool_choice: {type: 'function', function: {name: 'clock'}}},
		],
		['--tool-choice none', {tool_choice: 'none'}],
		['-O top_k=40 -Ouser=ada', {top_k: 40, user: 'ada'}],
	])('with %j has exactly that field besides', async (line, fields) => {
		expect(await bodyOf(line)).toEqual({...minimal, ...fields});
	});

	testOutputs('has a remark', [
		['--temperature 1 --top-p 1 p', 'Hi.\n', {}, /^chat: temperature and top_p are both set;.*\n$/],
		[
			'--max-tokens 5 -O max_completion_tokens=9 p',
			'Hi.\n',
			{},
			'chat: max_completion_tokens is sent instead of max_tokens\n',
		],
	]);
});

describe('the options of a request', () => {
	test('are merged key by key: file, profile, variable, flags', async () => {
		const {run, service} = await openScene({
			config: {
				options: {a: 'file', b: 'file', c: 'file', d: 'file', e: {x: 'file', y: 'file'}},
				profiles: {work: {options: {b: 'profile', c: 'profile', d: null}}},
			},
			variables: {CHAT_PROFILE: 'work', CHAT_OPTIONS: '{"c": "variable", "f": "variable"}'},
		});
		await run('-O f=null -O e.x=flag -O g=flag p');
		expect(service.bodies()[0]).toEqual({
			...minimal,
			...{a: 'file', b: 'profile', c: 'variable', e: {x: 'flag', y: 'file'}, g: 'flag'},
		});
		await run(['-O', '', '-O', 'g=flag', 'p']);
		expect(service.bodies()[1]).toEqual({...minimal, g: 'flag'});
		await run('--profile work p', {variables: {CHAT_PROFILE: ''}});
		expect(service.bodies()[2]).toMatchObject({a: 'file', b: 'profile', c: 'profile'});
	});

	testRefusals(
		'are refused',
		[
			['-O temperature=1 p', 64, /^chat: --option is "temperature=1", .* use --temperature\n$/],
			['-O n=@five.json -O n.b=2 p', 64, /^chat: --option goes into n, which is 5 and not an/],
			['-O a=@large.json p', 64, /^chat: --option must not contain a number that is too large/],
			['-O a=@broken.json p', 65, /^chat: broken\.json is not valid JSON: line 2, column 1: .*\n$/],
			['config set options model=x', 64, 'options is "model=x", but it must not set model'],
			['config set options a=@b.json', 64, 'must contain the value itself: files are read for a'],
			['config set min_p 0.1', 64, 'chat config set options min_p=VALUE'],
		],
		{files: {'five.json': '5', 'broken.json': '{"a":\n}', 'large.json': '[9007199254740993]'}},
	);

	test('are set one by one by chat config, or all of them', async () => {
		const {run, config} = await openScene({config: {options: {a: 1}}});
		const set = async (line: string) => {
			expect(await run(`config set ${line}`)).toMatchObject({exitCode: 0});
			return config();
		};
		expect(await set('options b.c=2')).toEqual({options: {a: 1, b: {c: 2}}});
		expect((await run('config set options a.b=1')).stderr).toContain('goes into a, which is 1 and');
		expect(await set('options a=null')).toEqual({options: {b: {c: 2}}});
		expect(await set('options {"d":null}')).toEqual({options: {d: null}});
		expect(await set('--profile p options e=high')).toEqual({
			options: {d: null},
			profiles: {p: {options: {e: 'high'}}},
		});
		const more = await run('config set options a=1', {variables: {CHAT_OPTIONS: 'b=2'}});
		expect(more.stderr).toBe('chat: CHAT_OPTIONS is set, and is added to the file\n');
	});

	test('are shown with every source, and without secrets', async () => {
		const {run} = await openScene({
			config: {
				options: {top_k: 40, auth: {api_key: 'hidden-1234'}},
				profiles: {p: {options: {a: 1}}},
			},
			files: {'c.json': '3'},
			secrets: ['hidden-1234'],
		});
		const shown = '{"top_k":40,"auth":{"api_key":"[redacted]"},"a":1}';
		expect(await run('config get --profile p options')).toMatchObject({stdout: `${shown}\n`});
		const list = await run('config list --profile p');
		expect(list.stdout).toMatch(/^options +\{"top_k":40,.* config, profile p$/m);
		const trace = await run('-v -O c=@c.json p', {variables: {CHAT_OPTIONS: 'b=2'}});
		expect(trace.stderr).toContain(
			'= options: {"top_k":40,"auth":{"api_key":"[redacted]"},"b":2,"c":{"@file":"c.json"}} (config, CHAT_OPTIONS, --option)',
		);
	});
});

test.each([
	[
		'--reasoning-effort high',
		'reasoning_effort',
		"The model may not reason (chat models show), or take another field, as in -O thinking.type=enabled. Leave out reasoning_effort with --reasoning-effort '', or /set reasoning_effort in a session.",
	],
	['-O top_k=40', 'top_k', 'top_k with -O top_k=null, or /set top_k=null in a session.'],
	['-m m', 'top_k', 'Leave out top_k (set by CHAT_OPTIONS)'],
])('a field that the service refuses is named with the way to leave it out: %j', async (...row) => {
	const [flags, field, hint] = row;
	const variables: Variables = flags === '-m m' ? {CHAT_OPTIONS: 'top_k=40'} : {};
	const replies = [errorReply(400, `Unsupported parameter: '${field}' is not supported.`)];
	const {run, service} = await openScene({variables, replies});
	const {stdout, stderr, exitCode} = await run(`${flags} -m m p`);
	expect({stdout, exitCode}).toEqual({stdout: '', exitCode: 65});
	expect(stderr).toContain(hint);
	expect(service.requests).toHaveLength(1);
});

describe('--dry-run', () => {
	const key = 'sk-0123456789abcdef';

	test('prints the request that the same run without it sends, and sends nothing', async () => {
		const {run, service} = await openScene({
			config: {options: {top_k: 40}},
			files: {
				'tools.json': JSON.stringify([clock]),
				'answer.json': '{"type": "object"}',
				'notes.txt': 'Notes.',
			},
			replies: [streamReply(['{}'])],
			stdin: 'piped',
			variables: {CHAT_API_KEY: key},
		});
		const flags = '-m m -f notes.txt --tools tools.json --json-schema answer.json --stop END';
		const line = [...wordsOf(flags), '-s', 'Be brief.', '--header', 'X-Team: blue', 'p'];
		const dry = await run(['--dry-run', ...line]);
		expect(dry).toMatchObject({stderr: '', exitCode: 0});
		expect(service.requests).toEqual([]);
		await run(line);
		const shown = JSON.parse(dry.stdout);
		expect(shown).toMatchObject({
			method: 'POST',
			url: service.variables.CHAT_BASE_URL,
			headers: {'content-type': 'application/json'},
		});
		const {authorization, 'x-team': team} = shown.headers;
		expect([authorization, team]).toEqual(['[redacted]', '[redacted]']);
		expect([shown.body]).toEqual(service.bodies());
		const sent = Object.keys(service.requests[0]?.headers ?? {});
		const ofTheConnection = ['connection', 'content-length', 'host'];
		expect(Object.keys(shown.headers).sort()).toEqual(
			sent.filter((name) => !ofTheConnection.includes(name)).sort(),
		);
	});

	test('shortens data, and hides every secret', async () => {
		const {run} = await openScene({
			files: {'a.png': pixelPng, 'a.json': `{"data": "${'A'.repeat(400)}"}`},
			variables: {CHAT_BASE_URL: 'https://api.test/v1?token=hidden-12', CHAT_API_KEY: key},
			secrets: ['hidden-'],
		});
		const images = '--image a.png --image https://x.test/a.png?sig=hidden-34&version=2';
		const fields = '-O audio=@a.json -O search.api_key=hidden-56';
		const dry = await run([
			...wordsOf(`--dry-run -m m ${images} ${fields} --`),
			`Is ${key} a key?`,
		]);
		expect(dry).toMatchObject({stderr: '', exitCode: 0});
		const {url, body} = JSON.parse(dry.stdout);
		expect(url).toBe('https://api.test/v1/chat/completions?token=%5Bredacted%5D');
		const [text, image, address] = body.messages[0].content;
		expect(text.text).toBe('Is [redacted] a key?');
		const bytes = `\\(${pixelPng.length} bytes\\)`;
		expect(image.image_url.url).toMatch(new RegExp(`^data:image/png;base64,.{32}… ${bytes}$`));
		expect(address.image_url.url).toBe('https://x.test/a.png?sig=%5Bredacted%5D&version=2');
		expect(body.search).toEqual({api_key: '[redacted]'});
		expect(body.audio.data).toBe(`${'A'.repeat(32)}… (300 bytes)`);
	});

	test('spells out what a terminal would not show', async () => {
		const stdin = 'a\u202eb\u{e0041}c\u009b31m';
		for (const terminals of [[], ['stdout', 'stderr']] as const) {
			const {stdout} = await runChat('--dry-run', {stdin, terminals});
			expect(stdout).toContain(String.raw`"a\u202eb\udb40\udc41c\u009b31m"`);
			expect(JSON.parse(stdout).body.messages[0].content).toBe(stdin);
		}
	});

	testRefusals('needs a prompt, and no session', [
		['--dry-run', 64, 'chat "your question"', {stdin: 'terminal', terminals: ['stdout', 'stderr']}],
		['--dry-run -i p', 64, /^chat: --dry-run cannot be used in interactive mode\n$/],
	]);
});
