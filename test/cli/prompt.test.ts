import {execFileSync} from 'node:child_process';
import {mkdirSync} from 'node:fs';
import {open} from 'node:fs/promises';
import {join} from 'node:path';
import {Readable} from 'node:stream';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {describe, expect, onTestFinished, test, vi} from 'vitest';
import {streamReply} from '../helpers/replies.ts';
import {type RunOptions, runChat} from '../helpers/run-chat.ts';
import {startRecording} from '../helpers/start-service.ts';
import {createDirectory} from '../input/input-helpers.ts';

type Case = {
	readonly name: string;
	readonly argv: readonly string[];
	readonly options: RunOptions;
	/** The prompt that the service gets; undefined if nothing is sent. */
	readonly prompt: string | undefined;
};

const typed = {typed: 'from the keyboard\n'};

/** Standard input, standard output and prompt: what is asked of the service. */
const streams: readonly Case[] = [
	{name: 'nothing, nothing', argv: [], options: {}, prompt: undefined},
	{name: 'nothing, a prompt', argv: ['p'], options: {}, prompt: 'p'},
	{name: 'a pipe, no prompt', argv: [], options: {stdin: 'piped\n'}, prompt: 'piped'},
	{name: 'a pipe, a prompt', argv: ['p'], options: {stdin: 'piped\n'}, prompt: 'piped\n\np'},
	{
		name: 'a pipe to a terminal, no prompt',
		argv: [],
		options: {stdin: 'piped', terminals: ['stdout', 'stderr']},
		prompt: 'piped',
	},
	{
		name: 'a pipe to a terminal, a prompt',
		argv: ['p'],
		options: {stdin: 'piped', terminals: ['stdout', 'stderr']},
		prompt: 'piped\n\np',
	},
	{name: 'an empty pipe, a prompt', argv: ['p'], options: {stdin: ''}, prompt: 'p'},
	{name: 'an empty pipe, no prompt', argv: [], options: {stdin: ''}, prompt: undefined},
	{name: 'a pipe of white space', argv: [], options: {stdin: ' \n\t\n'}, prompt: undefined},
	{
		name: 'terminals, a prompt: the keyboard is left alone',
		argv: ['p'],
		options: {stdin: typed, terminals: ['stdout', 'stderr']},
		prompt: 'p',
	},
	{
		name: 'a terminal to a pipe, a prompt: the keyboard is left alone',
		argv: ['p'],
		options: {stdin: typed, terminals: ['stderr']},
		prompt: 'p',
	},
	{
		name: 'a terminal to a pipe, no prompt: it is typed',
		argv: [],
		options: {stdin: typed, terminals: ['stderr']},
		prompt: 'from the keyboard',
	},
	{
		name: 'a terminal to a pipe, no prompt, --no-stdin',
		argv: ['--no-stdin'],
		options: {stdin: typed, terminals: ['stderr']},
		prompt: undefined,
	},
	{name: 'a pipe, and - for it', argv: ['-'], options: {stdin: 'piped'}, prompt: 'piped'},
	{
		name: 'a pipe, and - after the prompt',
		argv: ['p', '-'],
		options: {stdin: 'piped'},
		prompt: 'piped\n\np',
	},
	{
		name: 'terminals, and -: it is typed',
		argv: ['-', 'p'],
		options: {stdin: typed, terminals: ['stdout', 'stderr']},
		prompt: 'from the keyboard\n\np',
	},
	{name: '--no-stdin', argv: ['--no-stdin', 'p'], options: {stdin: 'piped'}, prompt: 'p'},
	{name: 'only --no-stdin', argv: ['--no-stdin'], options: {stdin: 'piped'}, prompt: undefined},
];

describe('standard input, output and prompt', () => {
	test.each(streams)('$name', async ({argv, options, prompt}) => {
		const service = await startRecording(streamReply(['Hi.']));
		const run = await runChat(argv, {...options, variables: service.variables});
		if (prompt === undefined) {
			expect(service.requests).toEqual([]);
			expect(run).toMatchObject({stdout: '', exitCode: 64});
			expect(run.stderr).toMatch(/there is no prompt\n.*Give one: chat "your question"/);
		} else {
			expect(service.prompt()).toBe(prompt);
			expect(run).toMatchObject({stdout: 'Hi.\n', exitCode: 0});
		}
	});

	test('a terminal that is read says how to end it, unless it is to be quiet', async () => {
		const {variables} = await startRecording(streamReply(['Hi.']));
		const run = await runChat([], {stdin: typed, variables});
		expect(run.stderr).toContain('end it with Ctrl-D');
		expect((await runChat(['-q'], {stdin: typed, variables})).stderr).toBe('');
	});

	test('standard input that is left alone may stay open', async () => {
		const service = await startRecording(streamReply(['Hi.']));
		const silent = new Readable({read: () => undefined});
		const options = {stdin: silent, variables: service.variables};
		expect((await runChat(['--no-stdin', 'p'], options)).stdout).toBe('Hi.\n');
		silent.destroy();
	});

	test('standard input that comes in pieces is taken to its end', async () => {
		const service = await startRecording(streamReply(['Hi.']));
		const pieces = Array.from({length: 500}, (_, index) => Buffer.from(`line ${index} ü\n`));
		const stdin = Readable.from(pieces);
		await runChat(['count them'], {stdin, variables: service.variables});
		const text = Buffer.concat(pieces).toString().trimEnd();
		expect(service.prompt()).toBe(`${text}\n\ncount them`);
	});

	test('a signal ends the wait for it', async () => {
		const {variables, requests} = await startRecording(streamReply(['Hi.']));
		const run = await runChat(['-o', 'json', 'p'], {
			stdin: new Readable({read: () => undefined}),
			variables,
			onListening: (send) => setImmediate(() => send('SIGINT')),
		});
		expect(JSON.parse(run.stdout)).toMatchObject({complete: false, error: {kind: 'interrupted'}});
		expect(run.exitCode).toBe(130);
		expect(requests).toEqual([]);
	});
});

describe('the text of the prompt', () => {
	test('is the files in order, what is piped in, and the prompt last', async () => {
		const service = await startRecording(streamReply(['Hi.']));
		const cwd = createDirectory({'b.txt': 'two\nlines\n', 'a "1".txt': 'a < b'});
		const argv = ['-f', 'b.txt', '--file', 'a "1".txt', 'compare', 'them'];
		await runChat(argv, {cwd, stdin: 'piped\n', variables: service.variables});
		expect(service.prompt()).toBe(
			[
				'<file name="b.txt">\ntwo\nlines\n</file>',
				'<file name="a &#34;1&#34;.txt">\na < b\n</file>\n',
				'piped\n',
				'compare them',
			].join('\n'),
		);
	});

	test('is sent without terminal colours, and with its invalid bytes marked', async () => {
		const service = await startRecording(streamReply(['Hi.']));
		const stdin = Buffer.from('\x1b[1;31m-\xff\x1b[m\x1b[K\n\x1b[2J', 'latin1');
		const run = await runChat([], {stdin, variables: service.variables});
		expect(service.prompt()).toBe('-\ufffd\n\x1b[2J');
		expect(run.stderr.split('\n')).toEqual([
			expect.stringMatching(/^chat: stdin is not valid UTF-8/),
			'chat: terminal colours were removed from stdin',
			'',
		]);
	});

	test.each(['', ' \n'])('of a pipe that holds %j comes with a notice', async (stdin) => {
		const {variables} = await startRecording(streamReply(['Hi.']));
		const run = await runChat(['review this'], {stdin, variables});
		expect(run).toEqual({stdout: 'Hi.\n', stderr: 'chat: nothing was piped in\n', exitCode: 0});
		const quiet = await runChat(['-q', 'review this'], {stdin, variables});
		expect(quiet.stderr).toBe('');
	});

	test('may come from files and a pipe alone, but not from files alone', async () => {
		const service = await startRecording(streamReply(['Hi.']));
		const cwd = createDirectory({'a.txt': 'text'});
		const alone = await runChat(['-f', 'a.txt'], {cwd, variables: service.variables});
		expect(alone.exitCode).toBe(64);
		expect(alone.stderr).toContain('there are files, but no prompt');
		expect(service.requests).toEqual([]);
		await runChat(['-f', 'a.txt'], {cwd, stdin: 'what is it?', variables: service.variables});
		expect(service.prompt()).toBe('<file name="a.txt">\ntext\n</file>\n\nwhat is it?');
	});

	test.each([
		['a missing file', ['-f', 'gone.txt'], 66, /no such file: gone\.txt\n.*path/],
		['a binary file', ['-f', 'binary'], 65, /binary is binary: it contains NUL bytes/],
		['a folder without text', ['-f', '.'], 65, /\. has no text files to send; left out: 1 binary/],
		[
			'a pattern without files',
			['-f', '*.ts'],
			66,
			/no file matches \*\.ts\n.*chat -f '\*\*\/\*\.ts'/,
		],
		['standard input by name', ['-f', '-'], 64, /-f needs a path.*\n.*Piped/],
	])('is not sent with %s', async (_, flags, exitCode, message) => {
		const {variables, requests} = await startRecording(streamReply(['Hi.']));
		const cwd = createDirectory({binary: 'a\0b'});
		const run = await runChat([...flags, 'p'], {cwd, variables});
		expect(run).toMatchObject({stdout: '', exitCode});
		expect(run.stderr).toMatch(message);
		expect(requests).toEqual([]);
	});

	test('is not sent with binary from standard input', async () => {
		const {variables, requests} = await startRecording(streamReply(['Hi.']));
		const run = await runChat(['p'], {stdin: 'a\0b', variables});
		expect(run).toMatchObject({stdout: '', exitCode: 65});
		expect(requests).toEqual([]);
	});
});

const manyFiles = Array.from({length: 9}, (_, place) => `${place}.md`);

describe('words that name files', () => {
	test.each([
		[
			['-f', 'a.txt', 'b.txt', 'it is.md', 'compare them'],
			/^chat: -f takes one file, but more files follow: b\.txt, it is\.md\n/,
			"chat -f a.txt -f b.txt -f 'it is.md' 'compare them'\n",
		],
		[['-qf', 'a.txt', 'b.txt'], /-f takes one file/, 'chat -qf a.txt -f b.txt\n'],
		[['--file=a.txt', 'folder', 'b.txt', 'p'], /-f takes/, '--file=a.txt folder -f b.txt p\n'],
		[['-a', 'a.txt', 'b.txt', 'p'], /-a takes one file/, '-a a.txt -a b.txt p\n'],
		[['--image', 'a.txt', 'b.txt', 'p'], /--image takes/, '--image a.txt --image b.txt p\n'],
		[
			['-f', ...manyFiles, '-m', 'sol', 'p'],
			/more files follow: 1\.md/,
			'Quote a pattern: chat -f \'*.md\' "your question"\n',
		],
		[['-f', 'a.txt', ...manyFiles, 'p'], /7\.md and 1 more\n/, "chat -f '*.md' \"your"],
		[['-a', 'a.txt', ...manyFiles, 'p'], /7\.md and 1 more\n/, 'Give each its own flag.\n'],
		[['b.txt'], /^chat: b\.txt would be sent as text/, 'chat -f b.txt "your question"'],
		[['explain', '@b.txt'], /^chat: @b\.txt would be sent as text/, 'chat -- explain @b.txt\n'],
		[['explain', 'b.txt'], /^chat: b\.txt would be sent as text/, 'chat -f b.txt explain.'],
		[
			['compare', './a.txt', 'with', 'it is.md'],
			/^chat: \.\/a\.txt would be sent/,
			"chat -f ./a.txt -f 'it is.md' 'compare with'.",
		],
		[['-t', 'review', 'b.txt'], /^chat: b\.txt would be sent/, 'chat -t review -f b.txt.'],
	])('are refused with the command that sends them: %j', async (argv, message, command) => {
		const {variables, requests} = await startRecording(streamReply(['no']));
		const cwd = createDirectory({
			'a.txt': 'a',
			'b.txt': 'b',
			'it is.md': 'c',
			...Object.fromEntries(manyFiles.map((name) => [name, name])),
		});
		mkdirSync(join(cwd, 'folder'));
		const run = await runChat(argv, {cwd, variables});
		expect(run).toMatchObject({stdout: '', exitCode: 64});
		expect(run.stderr).toMatch(message);
		expect(run.stderr).toContain(command);
		expect(requests).toEqual([]);
	});

	test.each([
		[['-f', 'a.txt', 'what', 'does', 'a.txt', 'say'], 'what does a.txt say'],
		[['-f', 'a.txt', '--', 'b.txt'], 'b.txt'],
		[['--', '@b.txt'], '@b.txt'],
		[['explain', 'notes', 'in', 'folder'], 'explain notes in folder'],
		[['what is in b.txt?'], 'what is in b.txt\\?'],
		[['explain', '--', 'b.txt'], 'explain b.txt'],
		[['notes'], 'notes'],
		[['gone.txt'], 'gone.txt'],
	])('are text where they can only be text: %j', async (argv, prompt) => {
		const service = await startRecording(streamReply(['Hi.']));
		const cwd = createDirectory({'a.txt': 'a', 'b.txt': 'b', notes: 'c'});
		mkdirSync(join(cwd, 'folder'));
		const run = await runChat(argv, {cwd, variables: service.variables});
		expect(run).toMatchObject({stderr: '', exitCode: 0});
		expect(service.prompt()).toMatch(new RegExp(`(^|\\n\\n)${prompt}$`));
	});
});

test.each([
	[['-i', '-'], {stdin: typed}, /^chat: - reads the terminal, which -i needs/],
	[['-'], {}, /^chat: - reads stdin, but nothing was piped in\n/],
	[
		['-', '--no-stdin'],
		{stdin: 'piped'},
		/^chat: - reads stdin, which is turned off\n {6}Use --stdin/,
	],
])('%j is refused where stdin cannot be read', async (argv, options, message) => {
	const run = await runChat(argv, options);
	expect(run).toMatchObject({stdout: '', exitCode: 64});
	expect(run.stderr).toMatch(message);
});

test.each([[[]], [['-q']]])(
	'what stdin keeps a run waiting for is said with %j, and none of it is lost',
	async (flags) => {
		vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
		onTestFinished(() => {
			vi.useRealTimers();
		});
		const stdin = new Readable({read() {}});
		let isOver = false;
		const running = runChat([...flags, 'Say this: yes'], {
			stdin,
			onStderr: (text) => {
				if (text.includes('waiting for stdin') && !stdin.readableEnded) stdin.push(null);
			},
		}).finally(() => {
			isOver = true;
		});
		while (!isOver) {
			vi.advanceTimersByTime(1000);
			await nextTurn();
		}
		const run = await running;
		expect(run.stderr).toContain(
			'chat: waiting for stdin to end; --no-stdin or CHAT_STDIN=false ignores it\n',
		);
		expect(run.stdout).toContain('yes');
	},
);

test.skipIf(process.platform === 'win32')(
	'a pipe that a key is awaited from is named, and Ctrl-C ends the wait',
	async () => {
		vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
		onTestFinished(() => {
			vi.useRealTimers();
		});
		const path = join(createDirectory(), 'pipe');
		execFileSync('mkfifo', [path]);
		let interrupt = () => {};
		let isOver = false;
		const argv = ['--base-url', 'http://127.0.0.1:1', '--api-key-file', path, 'p'];
		const running = runChat(argv, {
			onListening: (send) => {
				interrupt = () => send('SIGINT');
			},
			onStderr: (text) => {
				if (text.includes('waiting for')) interrupt();
			},
		}).finally(() => {
			isOver = true;
		});
		while (!isOver) {
			vi.advanceTimersByTime(1000);
			await nextTurn();
		}
		execFileSync('sh', ['-c', `: <> "${path}"`]);
		expect((await running).stderr).toContain(`chat: waiting for the key from the file ${path}\n`);
	},
);

describe('the system message', () => {
	test.each([
		['a text', ['--system', 'Be brief.'], 'Be brief.'],
		['a file', ['-s', '@system.txt'], 'Answer\nin French.'],
		['no text', ['-s', ''], undefined],
	])('is %s', async (_, flags, content) => {
		const service = await startRecording(streamReply(['Hi.']));
		const cwd = createDirectory({'system.txt': 'Answer\nin French.\n'});
		await runChat([...flags, 'p'], {cwd, variables: service.variables});
		const user = {role: 'user', content: 'p'};
		const system = content === undefined ? [] : [{role: 'system', content}];
		expect(service.bodies()[0]?.messages).toEqual([...system, user]);
	});

	test.skipIf(process.platform === 'win32').each([
		['the system message', (path: string) => ['-s', `@${path}`]],
		['the tools', (path: string) => ['--tools', path]],
	])('a signal ends the wait for a pipe of %s', async (_, flagsFor) => {
		const path = join(createDirectory(), 'pipe');
		execFileSync('mkfifo', [path]);
		const run = await runChat([...flagsFor(path), 'p'], {
			onListening: (send) => setImmediate(() => send('SIGINT')),
		});
		// Lets go of what still waits for a writer.
		await (await open(path, 'w')).close();
		expect(run).toMatchObject({stdout: '', exitCode: 130});
	});

	test('in a missing file sends nothing', async () => {
		const {variables, requests} = await startRecording(streamReply(['Hi.']));
		const run = await runChat(['-s', '@gone.txt', 'p'], {variables});
		expect(run.exitCode).toBe(66);
		expect(run.stderr).toContain('no such file: gone.txt');
		expect(requests).toEqual([]);
	});
});
