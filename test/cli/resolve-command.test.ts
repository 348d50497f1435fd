import {describe, expect, test} from 'vitest';
import {takesValue} from '../../src/cli/option-flags.ts';
import {resolveCommand} from '../../src/cli/resolve-command.ts';
import {exitCodeRows} from '../../src/errors.ts';
import {streamReply} from '../helpers/replies.ts';
import {runChat} from '../helpers/run-chat.ts';
import {startRecording} from '../helpers/start-service.ts';

type Row = readonly [argv: readonly string[], command: string, rest?: readonly string[]];

const rows: readonly Row[] = [
	[[], 'chat'],
	[['hello'], 'chat'],
	[['serve'], 'serve', []],
	[['serve', '--port', '0'], 'serve', ['--port', '0']],
	[['-v', 'serve'], 'serve', ['-v']],
	[['--help', 'serve'], 'serve', ['--help']],
	[['help'], 'help', []],
	[['help', 'serve'], 'help', ['serve']],
	[['help', 'chat'], 'help', ['chat']],
	[['help', 'me', 'write'], 'chat'],
	[['help', 'config'], 'help', ['config']],
	[['help', 'serve', 'me'], 'chat'],
	[['helpful', 'tips'], 'chat'],
	[['config'], 'config', []],
	[['config', '--help'], 'config', ['--help']],
	[['config', 'list'], 'config', ['list']],
	[['config', 'set', 'model', 'x'], 'config', ['set', 'model', 'x']],
	[['config', '--profile', 'work', 'list'], 'config', ['--profile', 'work', 'list']],
	[['-v', '--profile', 'work', 'config', 'list'], 'config', ['-v', '--profile', 'work', 'list']],
	[['config', 'get', '--', '-x'], 'config', ['get', '--', '-x']],
	[['auth'], 'auth', []],
	[['auth', 'status'], 'auth', ['status']],
	[['auth', '--base-url', 'http://x', 'set'], 'auth', ['--base-url', 'http://x', 'set']],
	[['--', 'auth', 'set'], 'chat'],
	[['auth set'], 'chat'],
	[['--', 'serve'], 'chat'],
	[['--', 'config', 'my', 'vim'], 'chat'],
	[['config my vim'], 'chat'],
	[['please', 'config', 'my', 'vim'], 'chat'],
	[['-m', 'serve', 'hello'], 'chat'],
	[['--model', 'config', 'hello'], 'chat'],
	[['-qm', 'doctor', 'hello'], 'chat'],
	[['-qmterra', 'help', 'serve'], 'help', ['serve']],
	[['-mgamma-m', 'help', 'serve'], 'help', ['serve']],
	[['--model=terra', 'help'], 'help', []],
	[['-s', '--', 'serve'], 'serve', ['-s', '--']],
	[['Serve', 'me'], 'chat'],
];

describe('the command of an argument list', () => {
	const cases = rows.map(([argv, command, rest = argv]) => [argv, command, rest] as const);

	test.each(cases)('%j is %s with %j', (argv, command, rest) => {
		expect(resolveCommand(argv, takesValue)).toEqual({command, argv: rest});
	});
});

describe('a prompt that looks like a command', () => {
	test.each([
		[['config', 'my', 'vim'], 'config my vim'],
		[['serve', 'me', 'a', 'joke'], 'serve me a joke'],
		[['-q', 'doctor', 'who'], 'doctor who'],
		[['sessions'], 'sessions'],
		[['auth', '--', 'set'], 'auth -- set'],
		[['completion', '-q'], 'completion -q'],
		[['config', '--profile', 'work', 'my', 'vim'], 'config --profile work my vim'],
		[['config', '--', 'list'], 'config -- list'],
		[['auth', 'me', 'please'], 'auth me please'],
		[['auth', 'toString'], 'auth toString'],
		[['models'], 'models'],
		[['help', 'nope'], 'help nope'],
		[['configg', 'set', 'model', 'x'], 'configg set model x', 'chat config set model x'],
		[['server', '--port', '0'], 'server --port 0', 'chat serve --port 0'],
		[['auht'], 'auht', 'chat auth'],
		[['config', 'sett', 'x'], 'config sett x', 'chat config set'],
		[['login'], 'login', 'chat auth set'],
		[['version', '-q'], 'version -q', 'chat --version'],
	])('is refused with the command to send it: %j', async (argv, words, meant?: string) => {
		const {variables, requests} = await startRecording(streamReply(['no']));
		const run = await runChat(argv, {variables});
		expect(run).toMatchObject({stdout: '', exitCode: 64});
		expect(run.stderr).toContain(`unknown command "${words}"`);
		expect(run.stderr).toContain(`chat -- ${words}`);
		if (meant !== undefined) expect(run.stderr).toContain(`Did you mean ${meant}?`);
		expect(requests).toEqual([]);
	});
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
			expect(run.stdout).toMatch(/^Usage: chat \[options\] \[prompt\.\.\.\]\n/);
			expect(run.stdout).toContain('--temperature <0..2>');
			expect(run.stdout).toContain('CHAT_API_KEY');
			for (const {code} of exitCodeRows) expect(run.stdout).toMatch(new RegExp(`^  ${code} `, 'm'));
		},
	);

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
			[word, 'set', '-h'],
		]) {
			expect(await runChat(argv)).toEqual({stdout, stderr: '', exitCode: 0});
		}
	});

	test.each([[['--help']], [['config', '--help']], [['auth', '--help']]])(
		'of %j fits into 100 columns',
		async (argv) => {
			const {stdout} = await runChat(argv);
			expect(stdout.split('\n').filter((line) => line.length > 100)).toEqual([]);
		},
	);

	test.each(['--version', '-V'])('%s prints the version, also among other flags', async (flag) => {
		const run = await runChat(['-q', flag]);
		expect(run).toMatchObject({stderr: '', exitCode: 0});
		expect(run.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
	});
});
