import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {flagsOf, rowsOf} from '../../src/cli/command-line/command.ts';
import {exitCodeRows} from '../../src/cli/command-line/exit-code-rows.ts';
import {chat, commands, readLine} from '../../src/cli/commands.ts';
import {hintOf} from '../../src/errors.ts';
import {streamReply} from '../helpers/replies.ts';
import {runChat} from '../helpers/run-chat.ts';
import {createHome} from '../helpers/settings-home.ts';
import {startRecording} from '../helpers/start-service.ts';

async function parse(argv: readonly string[]) {
	const {command, verbName, flags, words, instead, failure} = await readLine(argv);
	expect(failure).toBeUndefined();
	const texts = words.map(({text}) => text);
	return {
		command: command.name,
		flags,
		words: verbName === undefined ? texts : [verbName, ...texts],
		instead,
	};
}

type Parsed = Partial<Awaited<ReturnType<typeof parse>>>;

const rows: ReadonlyArray<readonly [argv: readonly string[], line: Parsed]> = [
	[[], {command: 'chat', words: [], flags: {}}],
	[['hello'], {command: 'chat', words: ['hello']}],
	[['serve'], {command: 'serve', words: [], instead: undefined}],
	[['serve', '--port', '0'], {command: 'serve', flags: {port: ['0']}, words: []}],
	[['--port', '0', 'serve'], {command: 'serve', flags: {port: ['0']}, words: []}],
	[
		['-n', '1', '--all', 'sessions', 'list'],
		{command: 'sessions', flags: {limit: ['1'], all: ['true']}, words: ['list']},
	],
	[['serve', '-V'], {command: 'serve', instead: 'version'}],
	[['models'], {command: 'models', words: [], instead: undefined}],
	[['models', 'show', 'x'], {command: 'models', words: ['show', 'x'], instead: undefined}],
	[['-v', 'serve'], {command: 'serve', flags: {verbose: ['true']}}],
	[['--help', 'serve'], {command: 'serve', instead: 'help'}],
	[['help'], {command: 'chat', instead: 'help'}],
	[['help', 'serve'], {command: 'serve', instead: 'help'}],
	[['help', 'chat'], {command: 'chat', instead: 'help'}],
	[['help', 'config'], {command: 'config', instead: 'help'}],
	[['help', 'all'], {command: 'chat', instead: 'full-help'}],
	[['sessions', 'help'], {command: 'sessions', instead: 'help'}],
	[['doctor', 'help'], {command: 'doctor', instead: 'help'}],
	[['help', 'me', 'write'], {command: 'chat', words: ['help', 'me', 'write'], instead: undefined}],
	[['help', 'serve', 'me'], {command: 'chat', words: ['help', 'serve', 'me'], instead: undefined}],
	[['helpful', 'tips'], {command: 'chat', words: ['helpful', 'tips']}],
	[['config'], {command: 'config', words: [], instead: 'help'}],
	[['config', '--help'], {command: 'config', instead: 'help'}],
	[['config', 'list'], {command: 'config', words: ['list'], instead: undefined}],
	[['config', 'set', 'model', 'x'], {command: 'config', words: ['set', 'model', 'x']}],
	[['config', 'get', '--', '-x'], {command: 'config', words: ['get', '-x']}],
	[
		['config', '--profile', 'work', 'list'],
		{command: 'config', flags: {profile: ['work']}, words: ['list']},
	],
	[
		['-v', '--profile', 'work', 'config', 'list'],
		{command: 'config', flags: {verbose: ['true'], profile: ['work']}, words: ['list']},
	],
	[['auth'], {command: 'auth', instead: 'help'}],
	[['auth', 'status'], {command: 'auth', words: ['status'], instead: undefined}],
	[
		['auth', '--base-url', 'http://x', 'set'],
		{command: 'auth', flags: {baseUrl: ['http://x']}, words: ['set']},
	],
	[['--', 'auth', 'set'], {command: 'chat', words: ['auth', 'set']}],
	[['auth set'], {command: 'chat', words: ['auth set']}],
	[['--', 'serve'], {command: 'chat', words: ['serve']}],
	[['please', 'config', 'my', 'vim'], {command: 'chat'}],
	[['-m', 'serve', 'hello'], {command: 'chat', flags: {model: ['serve']}, words: ['hello']}],
	[['--model', 'config', 'hello'], {command: 'chat', flags: {model: ['config']}}],
	[['-qm', 'doctor', 'hello'], {command: 'chat', flags: {quiet: ['true'], model: ['doctor']}}],
	[['-qmterra', 'help'], {command: 'chat', flags: {model: ['terra']}, instead: 'help'}],
	[['--model=terra', 'help'], {command: 'chat', flags: {model: ['terra']}, instead: 'help'}],
	[['-mgamma-m', 'p'], {flags: {model: ['gamma-m']}, words: ['p']}],
	[['-s', '--', 'p'], {flags: {system: ['--']}, words: ['p']}],
	[['-s', '-x', 'p'], {flags: {system: ['-x']}, words: ['p']}],
	[['--no-usage', '-u', 'p'], {flags: {usage: ['false', 'true']}}],
	[['-f', 'a', '-f', 'b', '--file=c'], {flags: {file: ['a', 'b', 'c']}, words: []}],
	[['-5', '+', '-3.5', '-1e-3'], {words: ['-5', '+', '-3.5', '-1e-3'], flags: {}}],
	[['-', 'p'], {words: ['-', 'p']}],
	[['--help', '--', '-V'], {words: ['-V'], instead: 'help'}],
	[['Serve', 'me'], {command: 'chat', words: ['Serve', 'me']}],
];

describe('an argument list', () => {
	test.each(rows)('%j is %j', async (argv, line) => {
		expect(await parse(argv)).toMatchObject(line);
	});

	test('keeps the flags that are valid beside a mistake', async () => {
		const {flags, failure} = await readLine(['-o', 'json', '--bogus', '--usage=yes', 'p', '-m']);
		expect(flags).toEqual({output: ['json']});
		expect(failure?.message).toBe("unknown option '--bogus'");
	});

	test.each([
		[['-x-z', 'p'], "unknown option '--z'"],
		[['config', '--bogus'], "unknown option '--bogus'"],
		[['--usage=yes', 'p'], '--usage takes no value'],
		[['config', 'list', '--temperature', '1'], "unknown option '--temperature'"],
		[['--family', 'x'], '--family is not an option, but a key of the config file'],
		[['--headers', 'X: y'], '--headers is not an option, but a key of the config file'],
		[['-qx', 'serve', '--port'], "unknown option '-q'"],
		[['--port', '0', 'tell', 'me', 'serve'], "unknown option '--port'"],
		[['--port', '0', '--', 'serve'], "unknown option '--port'"],
	])('%j is a mistake', async (argv, message) => {
		expect(await readLine(argv)).toMatchObject({
			instead: undefined,
			failure: {kind: 'usage', message},
		});
	});

	test.each([
		[['--no-tools', 'p'], "unknown option '--no-tools'", "--tools ''"],
		[['--no-temperature', 'p'], "unknown option '--no-temperature'", "--temperature ''"],
		[['--no-color', 'p'], "unknown option '--no-color' (Did you mean --color?)", 'chat help all'],
		[['serve', '--bogus'], "unknown option '--bogus'", /^chat serve --help lists the options\.$/],
	])('%j is a mistake whose hint helps', async (argv, message, words) => {
		const {failure} = await readLine(argv);
		expect(failure?.message).toBe(message);
		expect(failure && hintOf(failure)).toMatchObject(expect.stringMatching(words));
	});

	test('has flags that mean the same for every command', async () => {
		const spellings = new Map<string, string>();
		const loaded = await Promise.all(Object.values(commands).map(({load}) => load()));
		const rowsOfAll = [chat, ...loaded].map((command) => rowsOf(command));
		for (const {long, spelling, name} of rowsOfAll.flatMap(flagsOf)) {
			expect(spellings.get(long) ?? `${name} ${spelling}`).toBe(`${name} ${spelling}`);
			spellings.set(long, `${name} ${spelling}`);
		}
	});
});

describe('a prompt that looks like a command', () => {
	test.each([
		[['config', 'my', 'vim'], 'config my vim'],
		[['serve', 'me', 'a', 'joke'], 'serve me a joke'],
		[['-q', 'doctor', 'who'], 'doctor who'],
		[['sessions', 'are', 'fun'], 'sessions are fun'],
		[['auth', '--', 'set'], 'auth -- set'],
		[['mcp', 'is', 'fun'], 'mcp is fun'],
		[['config', '--profile', 'work', 'my', 'vim'], 'config --profile work my vim'],
		[['config', '--', 'list'], 'config -- list'],
		[['auth', 'me', 'please'], 'auth me please'],
		[['auth', 'toString'], 'auth toString'],
		[['sessions', 'help', 'me'], 'sessions help me'],
		[['models', 'are', 'fun'], 'models are fun'],
		[['help', 'nope'], 'help nope'],
		[['configg', 'set', 'model', 'x'], 'configg set model x', 'chat config set model x'],
		[['server', '--port', '0'], 'server --port 0', 'chat serve --port 0'],
		[['auht'], 'auht', 'chat auth'],
		[['config', 'sett', 'x'], 'config sett x', 'chat config set'],
		[['-t', 'sesions', 'sesions', 'list'], 'sesions list', 'chat sessions list'],
		[['-qm', 'auht', '-s', 'auht', 'auht', 'status'], 'auht status', 'chat auth status'],
		[['login'], 'login', 'chat auth set'],
		[['auth', 'x', '--header', 'X-Key: hidden'], 'auth x --header …'],
		[['doctor', '--header=X-Key: hidden', 'who'], 'doctor --header=… who'],
		[['version', '-q'], 'version -q', 'chat --version'],
		[['keys'], 'keys', 'chat auth list'],
		[['keys', 'set', 'openai'], 'keys set openai', 'chat auth set'],
		[['key', 'list'], 'key list', 'chat auth list'],
		[['login', 'status'], 'login status', 'chat auth status'],
		[['logout'], 'logout', 'chat auth remove'],
		[['logs', '-n', '3'], 'logs -n 3', 'chat sessions list'],
		[['logs', 'path'], 'logs path', 'chat sessions path'],
		[['history'], 'history', 'chat sessions list'],
		[['history', 'clear'], 'history clear', 'chat sessions delete --all'],
		[['list'], 'list', 'chat sessions list'],
		[['ls'], 'ls', 'chat sessions list'],
		[['list', 'models'], 'list models', 'chat models'],
		[['ls', 'templates'], 'ls templates', 'chat templates list'],
		[['profiles'], 'profiles', 'chat config profiles'],
		[['providers'], 'providers', 'chat setup'],
		[['init'], 'init', 'chat setup'],
		[['import', 'old.json'], 'import old.json', 'chat sessions import old.json'],
		[['resume'], 'resume', 'chat -c'],
		[['resume', 'k3f9'], 'resume k3f9', 'chat -r k3f9'],
		[['exec', 'list the files'], 'exec list the files', 'chat "your question"'],
		[['new'], 'new', 'chat, which starts a new conversation'],
		[['upgrade'], 'upgrade', 'chat doctor, which shows how chat is installed'],
		[['quit'], 'quit', '/exit in a session'],
		[['templates', 'mv', 'a', 'b'], 'templates mv a b', 'chat templates rename'],
	])('is refused with the command that sends it: %j', async (argv, words, meant?: string) => {
		const {variables, requests} = await startRecording(streamReply(['no']));
		const run = await runChat(argv, {variables});
		expect(run).toMatchObject({stdout: '', exitCode: 64});
		expect(run.stderr).toContain(`unknown command "${words}"`);
		expect(run.stderr).toContain(`chat -- ${words}`);
		if (meant !== undefined) expect(run.stderr).toContain(`Did you mean ${meant}?`);
		expect(requests).toEqual([]);
	});
});

describe('words that are certainly meant for a command', () => {
	test.each([
		[['setup', 'ollama'], 'Without questions: chat config set base-url ollama:'],
		[['setup', 'https://a.example'], 'chat config set base-url https://a.example'],
		[['serve', '8099'], 'Did you mean chat serve --port 8099?'],
		[['templates', 'rm', 'x'], 'Did you mean chat templates delete?'],
		[['sessions', 'rm', 'k3f9'], 'Did you mean chat sessions delete?'],
		[['mcp', 'ls'], 'Did you mean chat mcp list?'],
		[['auth', 'login'], 'Did you mean chat auth set?'],
	])('are refused with that, and not offered as a prompt: %j', async (argv, advice) => {
		const {variables, requests} = await startRecording(streamReply(['no']));
		const run = await runChat(argv, {variables});
		expect(run).toMatchObject({stdout: '', exitCode: 64});
		expect(run.stderr).toContain(advice);
		expect(run.stderr).not.toContain('chat -- ');
		expect(requests).toEqual([]);
	});
});

describe('a word that looks like an API key', () => {
	const keys = [
		'sk-proj-mysecretkey123',
		'sk-ant-api03-0aB1cD2eF3gH',
		'sk-or-v1-0123456789abcdef',
		'gsk_0aB1cD2eF3gH4iJ5kL6m',
		'AIzaSyA0bC1dE2fG3hI4jK5l',
		'hf_aBcDeFgHiJkLmNoPqR12',
		'xai-0aB1cD2eF3gH4iJ5kL6m',
		'ghp_0aB1cD2eF3gH4iJ5kL6mN7oP8qR9',
		'AKIAIOSFODNN7EXAMPLE',
	];

	test.each(keys)('is not sent, saved or repeated: %s', async (key) => {
		const home = createHome();
		const service = await startRecording(streamReply(['no']));
		const variables = {...service.variables, CHAT_SAVE: 'true'};
		const prompt = 'the prompt has what looks like an API key';
		const lines = [
			{argv: ['keys', 'set', key], problem: prompt},
			{argv: [`why is "${key}" wrong?`], problem: prompt},
			{argv: ['auth', 'set', key], problem: 'auth set takes no argument'},
		];
		for (const {argv, problem} of lines) {
			const run = await runChat(argv, {...home.source, variables, secrets: [key]});
			expect(run).toMatchObject({stdout: '', exitCode: 64});
			expect(run.stderr).toContain(problem);
			expect(run.stderr).toContain('chat auth set');
		}
		expect(service.requests).toEqual([]);
		expect(existsSync(join(home.home, '.local', 'state'))).toBe(false);
	});

	test('is sent after --', async () => {
		const service = await startRecording(streamReply(['Hi.']));
		const [key = ''] = keys;
		const run = await runChat(['--', 'is', key, 'valid?'], service);
		expect(run).toMatchObject({exitCode: 0, stderr: ''});
		expect(service.prompt()).toBe(`is ${key} valid?`);
	});

	test.each(['sk-learn-contrib-package', 'hf_hub_download_files', 'task-0123456789abcdef'])(
		'is not every word with such a beginning: %s',
		async (word) => {
			const service = await startRecording(streamReply(['Hi.']));
			expect(await runChat(['what', 'is', word], service)).toMatchObject({exitCode: 0});
			expect(service.prompt()).toBe(`what is ${word}`);
		},
	);
});

describe('a prompt', () => {
	test.each([
		[['Hello'], 'Hello'],
		[['help', 'me', 'write'], 'help me write'],
		[['--', 'config', 'my', 'vim'], 'config my vim'],
		[['config my vim'], 'config my vim'],
		[['configs', 'in', 'vim'], 'configs in vim'],
		[['server', 'or', 'client'], 'server or client'],
		[['version', 'control', 'in', 'a', 'word'], 'version control in a word'],
		[['list', 'three', 'colours'], 'list three colours'],
		[['list', 'ideas'], 'list ideas'],
		[['new', 'ideas', 'for', 'a', 'cat'], 'new ideas for a cat'],
		[['key', 'ideas'], 'key ideas'],
		[['resume', 'template'], 'resume template'],
		[['exec', 'summary'], 'exec summary'],
		[['update', 'my', 'CV'], 'update my CV'],
		[['--', 'history'], 'history'],
		[['--', '--model', 'x'], '--model x'],
		[['-x', '--', '-5 + 3'], '-5 + 3'],
		[['what', 'is', '--', '-v'], 'what is -v'],
		[['-5', '+', '-3.5'], '-5 + -3.5'],
		[['-qm', 'terra', 'p'], 'p'],
		[['-qmterra', 'p'], 'p'],
		[['--model=terra', 'p'], 'p'],
		[['p', '-m', 'terra'], 'p'],
		[['-x', 'p'], 'p'],
		[['two words', ' and   more '], 'two words  and   more '],
		[['--', '-'], '-'],
		[['5', '-', '3'], '5 - 3'],
	])('of %j is %j', async (argv, prompt) => {
		const service = await startRecording(streamReply(['```\ncode\n```']));
		const run = await runChat(argv, service);
		expect(run).toMatchObject({exitCode: 0, stderr: ''});
		expect(service.prompt()).toBe(prompt);
	});

	test.each([
		[['-qm', 'terra', 'p']],
		[['-qmterra', 'p']],
		[['--model=terra', 'p']],
		[['p', '--model', 'terra']],
		[['-m', 'luna', '-m', 'terra', 'p']],
	])('comes with the model of %j', async (argv) => {
		const service = await startRecording(streamReply(['Hi.']));
		await runChat(argv, service);
		expect(service.bodies()[0]?.model).toBe('MODEL-5.6-terra');
	});
});

describe('help', () => {
	test.each([[['--help']], [['-h']], [['help']], [['help', 'chat']], [['Hello', '--help']]])(
		'of %j is that of the chat',
		async (argv) => {
			const run = await runChat(argv);
			expect(run).toMatchObject({stderr: '', exitCode: 0});
			expect(run.stdout).toMatch(/^Usage: chat \[options\] \[prompt\.\.\.\] \| <command>\n/);
			expect(run.stdout).toContain('chat help all');
			for (const command of Object.keys(commands)) {
				expect(run.stdout).toMatch(new RegExp(`^  ${command} +[a-z]`, 'm'));
			}
		},
	);

	test('of the chat fits two windows of 80 by 24', async () => {
		const lines = (await runChat(['--help'])).stdout.trimEnd().split('\n');
		expect(lines.length).toBeLessThanOrEqual(47);
		expect(Math.max(...lines.map(({length}) => length))).toBeLessThanOrEqual(80);
		expect(lines.join(' ')).not.toMatch(/terra|luna/);
	});

	test('of everything has every flag, variable and exit code', async () => {
		const {stdout} = await runChat(['help', 'all']);
		for (const {flags, variable = 'CHAT_API_KEY'} of Object.values(chat.flags)) {
			expect(stdout).toContain(`  ${flags[0] ?? ''}`);
			expect(stdout).toContain(`  ${variable} `);
		}
		for (const {code} of exitCodeRows) expect(stdout).toMatch(new RegExp(`^  ${code} `, 'm'));
	});

	const shownHelps = [
		['--help'],
		['help', 'all'],
		...Object.keys(commands).map((word) => [word, 'help']),
	];

	test.each(shownHelps)('%s %s is wrapped at words to the window', async (...argv) => {
		const {stdout: piped} = await runChat(argv);
		const wordsOf = (text: string) => text.split(/\s+/);
		for (const [columns, width] of [
			[60, 60],
			[90, 90],
			[300, 100],
		] as const) {
			const {stdout} = await runChat(argv, {terminals: ['stdout'], columns});
			expect(wordsOf(stdout)).toEqual(wordsOf(piped));
			// Lines for a shell stay whole.
			const examples = /^Examples:\n(?: {2}.*\n)+/m.exec(stdout)?.[0] ?? '';
			const lines = stdout.replace(examples, '').split('\n');
			expect(lines.filter(({length}) => length > width)).toEqual([]);
		}
	});

	test.each(Object.keys(commands))('of %s has its sections in the order of all', async (word) => {
		const {stdout} = await runChat([word, '--help']);
		const titles = [...stdout.matchAll(/^([A-Z]\w+):/gm)].map(([, title = '']) => title);
		const order = ['Usage', 'Examples', 'Commands', 'Options'];
		expect(titles).toEqual(order.filter((title) => titles.includes(title)));
		expect(titles).toContain('Options');
	});

	test.each([[['serve', '--help']], [['serve', '-h']], [['help', 'serve']], [['--help', 'serve']]])(
		'of %j is that of the service',
		async (argv) => {
			const run = await runChat(argv);
			expect(run).toMatchObject({stderr: '', exitCode: 0});
			expect(run.stdout).toMatch(/^Usage: chat serve \[options\]\n/);
		},
	);

	test.each(['config', 'auth'])('of %j alone is its own, and lists its verbs', async (word) => {
		const {stdout} = await runChat([word]);
		expect(stdout).toMatch(new RegExp(`^Usage: chat ${word} .*\\n`));
		expect(stdout).toMatch(/^Commands:\n( {2}\w+ .*\n)+/m);
		for (const argv of [
			[word, '--help'],
			['help', word],
		]) {
			expect(await runChat(argv)).toEqual({stdout, stderr: '', exitCode: 0});
		}
	});

	test('of a verb has its arguments and its flags alone', async () => {
		const {stdout} = await runChat(['sessions', 'delete', '--help']);
		expect(stdout).toMatch(/^Usage: chat sessions delete \[id\.\.\.\] \[--all\] \[-y\]\n/);
		expect(stdout).toContain('-y, --yes');
		expect(stdout).not.toContain('--older-than');
	});

	test('of a verb that takes a program has its flags before the --', async () => {
		const {stdout} = await runChat(['mcp', 'add', '--help']);
		const [usage = ''] = stdout.split('\n\n');
		expect(usage).toMatch(
			/^Usage: chat mcp add <name> \[--url <url>\] .* \[-- <program\.\.\.>\]$/s,
		);
	});

	test.each(['--version', '-V'])('%s prints the version, also among other flags', async (flag) => {
		const run = await runChat(['-q', flag]);
		expect(run).toMatchObject({stderr: '', exitCode: 0});
		expect(run.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
	});
});
