import {describe, expect, test} from 'vitest';
import {streamReply} from '../helpers/replies.ts';
import {runChat} from '../helpers/run-chat.ts';
import {createHome} from '../helpers/settings-home.ts';
import {startRecording} from '../helpers/start-service.ts';
import {createDirectory, pixelPng} from '../input/input-helpers.ts';

const key = 'sk-0123456789abcdef';

describe('--dry-run', () => {
	test('prints the request that the same run without it sends, and sends nothing', async () => {
		const service = await startRecording(streamReply(['{}']));
		const {source} = createHome({config: {options: {top_k: 40}}});
		const tool = {type: 'function', function: {name: 'clock'}};
		const schema = {type: 'object'};
		const cwd = createDirectory({
			'tools.json': JSON.stringify([tool]),
			'answer.json': JSON.stringify(schema),
			'notes.txt': 'Notes.',
		});
		const options = {
			...source,
			cwd,
			stdin: 'piped',
			variables: {...service.variables, CHAT_API_KEY: key},
		};
		const flags = ['-f', 'notes.txt', '--tools', 'tools.json', '--json-schema', 'answer.json'];
		const argv = [
			'-m',
			'm',
			'-s',
			'Be brief.',
			...flags,
			'--header',
			'X-Team: blue',
			'--stop',
			'END',
			'p',
		];
		const dry = await runChat(['--dry-run', ...argv], options);
		expect(dry).toMatchObject({stderr: '', exitCode: 0});
		expect(service.requests).toEqual([]);
		await runChat(argv, options);
		expect(service.requests).toHaveLength(1);
		const shown = JSON.parse(dry.stdout);
		expect(shown).toMatchObject({
			method: 'POST',
			url: service.variables.CHAT_BASE_URL,
			headers: {
				'content-type': 'application/json',
				authorization: '[redacted]',
				'x-team': '[redacted]',
			},
		});
		expect(shown.body).toEqual(service.bodies()[0]);
		const sent = Object.keys(service.requests[0]?.headers ?? {});
		const ofTheConnection = ['connection', 'content-length', 'host'];
		expect(Object.keys(shown.headers).sort()).toEqual(
			sent.filter((name) => !ofTheConnection.includes(name)).sort(),
		);
	});

	test('starts no built-in service, and names none of its ports', async () => {
		const [first, second] = [await runChat(['--dry-run', 'p']), await runChat(['--dry-run', 'p'])];
		expect(JSON.parse(first.stdout)).toMatchObject({
			url: 'built-in:/v1/chat/completions',
			body: {messages: [{role: 'user', content: 'p'}]},
		});
		expect(second).toEqual(first);
	});

	test('shortens data, and hides every secret', async () => {
		const cwd = createDirectory({'a.png': pixelPng, 'a.json': `{"data": "${'A'.repeat(400)}"}`});
		const images = ['--image', 'a.png', '--image', 'https://x.test/a.png?sig=hidden-34&version=2'];
		const fields = ['-O', 'audio=@a.json', '-O', 'search.api_key=hidden-56'];
		const run = await runChat(
			['--dry-run', '-m', 'm', ...images, ...fields, '--', `Is ${key} a key?`],
			{
				cwd,
				variables: {CHAT_BASE_URL: 'https://api.test/v1?token=hidden-12', CHAT_API_KEY: key},
			},
		);
		expect(run).toMatchObject({stderr: '', exitCode: 0});
		expect(run.stdout).not.toContain('hidden-');
		const {url, body} = JSON.parse(run.stdout);
		expect(url).toBe('https://api.test/v1/chat/completions?token=%5Bredacted%5D');
		const [text, image, address] = body.messages[0].content;
		expect(text.text).toBe('Is [redacted] a key?');
		expect(image.image_url.url).toMatch(
			new RegExp(`^data:image/png;base64,.{32}… \\(${pixelPng.length} bytes\\)$`),
		);
		expect(address.image_url.url).toBe('https://x.test/a.png?sig=%5Bredacted%5D&version=2');
		expect(body.search).toEqual({api_key: '[redacted]'});
		expect(body.audio.data).toBe(`${'A'.repeat(32)}… (300 bytes)`);
	});

	test('spells out what a terminal would not show', async () => {
		const stdin = 'a\u202eb\u{e0041}c\u009b31m';
		const variables = {CHAT_BASE_URL: 'http://127.0.0.1:1'};
		for (const terminals of [[], ['stdout', 'stderr']] as const) {
			const run = await runChat(['--dry-run'], {stdin, variables, terminals});
			expect(run.stdout).toContain(String.raw`"a\u202eb\udb40\udc41c\u009b31m"`);
			expect(JSON.parse(run.stdout).body.messages[0].content).toBe(stdin);
		}
	});

	test('prints notices on stderr, unless told not to', async () => {
		const argv = ['--dry-run', '-m', 'm', '--temperature', '1', '--top-p', '1', 'p'];
		const options = {variables: {CHAT_BASE_URL: 'http://127.0.0.1:1'}};
		const loud = await runChat(argv, options);
		expect(loud.stderr).toMatch(/^chat: temperature and top_p are both set;/);
		const quiet = await runChat(['-q', ...argv], options);
		expect(quiet).toEqual({...loud, stderr: ''});
		const verbose = await runChat(['-v', ...argv], options);
		expect(verbose.stderr).toContain('= temperature: 1 (--temperature)\n');
	});

	test('needs a prompt, and no session', async () => {
		const variables = {CHAT_BASE_URL: 'http://127.0.0.1:1'};
		const terminals = ['stdout', 'stderr'] as const;
		const none = await runChat(['--dry-run'], {variables, stdin: 'terminal', terminals});
		expect(none).toMatchObject({stdout: '', exitCode: 64});
		expect(none.stderr).toContain('chat "your question"');
		const session = await runChat(['--dry-run', '-i', 'p'], {variables});
		expect(session).toMatchObject({stdout: '', exitCode: 64});
		expect(session.stderr).toBe('chat: --dry-run cannot be used in interactive mode\n');
	});
});
