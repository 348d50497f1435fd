/** A llama-server that belongs to a run. A stand-in is in the path; it has a helper process. */
import {existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {describe, expect, test} from 'vitest';
import {isRunning} from '../helpers/is-running.ts';
import {runChat} from '../helpers/run-chat.ts';
import {runProcess, startProcess, waitForText} from '../helpers/run-process.ts';
import {openTerminal} from '../helpers/terminal.ts';
import {createDirectory} from '../input/input-helpers.ts';

const standIn = fileURLToPath(
	new URL('../fixtures/llama-server/llama-server.cjs', import.meta.url),
);

type Start = {
	readonly args: readonly string[];
	readonly socket: string;
	readonly folderMode: string;
	readonly pids: readonly number[];
	readonly variables: readonly string[];
};

/** A folder with a model, and variables that put the stand-in into the path. */
function createStandIn(mode = '') {
	const folder = createDirectory({'tiny model.gguf': 'GGUF'});
	symlinkSync(standIn, join(folder, 'llama-server'));
	const model = join(folder, 'tiny model.gguf');
	const variables = {
		PATH: [folder, dirname(process.execPath), '/usr/bin', '/bin'].join(':'),
		STANDIN_FOLDER: folder,
		STANDIN_MODE: mode,
	};
	const starts = () =>
		readdirSync(folder)
			.filter((name) => /^start.*json$/.test(name))
			.map((name): Start => JSON.parse(readFileSync(join(folder, name), 'utf8')));
	return {
		folder,
		model,
		variables,
		argv: ['--base-url', `llama:${model}`, '--max-retries', '0'],
		starts,
		/** The processes that are left. */
		left: () => starts().flatMap(({pids}) => pids.filter(isRunning)),
	};
}

describe.skipIf(process.platform !== 'linux')('a llama-server of the run', () => {
	test('answers on a socket of this user alone, without a key, and ends with the run', async () => {
		const {argv, variables, model, starts, left} = createStandIn();
		const secrets = {CHAT_API_KEY: 'sk-0123456789', OPENAI_API_KEY: 'sk-9876543210'};
		const all = {...variables, ...secrets};
		const run = await runProcess([...argv, '-v', '-o', 'json', 'p'], {variables: all});
		expect(run.code).toBe(0);
		expect(JSON.parse(run.stdout)).toMatchObject({
			content: 'Hello from tiny model.gguf',
			service: 'llama:tiny model.gguf',
		});
		const [start] = starts();
		const socket = start?.socket ?? '';
		expect(start?.args).toEqual(['-m', model, '--alias', 'tiny model.gguf', '--host', socket]);
		expect(socket).toMatch(/\.sock$/);
		expect(start?.folderMode).toBe('700');
		expect(start?.variables.filter((name) => name.endsWith('_KEY'))).toEqual([]);
		expect(existsSync(dirname(socket))).toBe(false);
		expect(run.stderr).toContain(`= base-url: llama:${model} (--base-url)`);
		expect(run.stderr).toContain('= API key: none\n');
		expect(run.stderr).toContain('> POST llama:tiny model.gguf (');
		expect(run.stderr).not.toMatch(/authorization|not sent/i);
		await expect.poll(left).toEqual([]);
	});

	test('shows on a terminal that it loads, and serves a whole session', async () => {
		const {argv, variables, folder, left} = createStandIn('slow');
		const terminal = await openTerminal({argv, env: variables, columns: 100});
		await terminal.untilText(
			/chat: llama-server is loading tiny model.gguf, \d s {2}loading the model/,
		);
		writeFileSync(join(folder, 'ready'), '');
		await terminal.untilText('Ask something');
		expect(terminal.screen().join('\n')).not.toContain('loads tiny');
		for (const prompt of ['one', 'two']) {
			terminal.type(`${prompt}\r`);
			await terminal.untilText(new RegExp(`› ${prompt}\\n+Hello from tiny model.gguf`));
		}
		expect(left()).toHaveLength(2);
		terminal.press('ctrl+d');
		expect((await terminal.exit).exitCode).toBe(0);
		await expect.poll(left).toEqual([]);
	});

	test.each([
		[
			'crash',
			69,
			[],
			/line 39\nllama-server: error: bad magic[\s\S]*did not load tiny model.gguf: error: bad magic/,
		],
		['slow', 75, ['--payload-timeout', '400ms'], /did not load tiny model.gguf: it wrote nothing/],
		['refuses', 65, [], /chat: llama:tiny model.gguf answered 400 to model tiny.*: too long\n/],
		// It ignores SIGTERM.
		['stubborn', 66, ['-f', 'nowhere.txt'], /no such file/],
	])('that fails is reported, and leaves nothing: %s', async (mode, code, flags, message) => {
		const {argv, variables, starts, left} = createStandIn(mode);
		const run = await runProcess([...argv, ...flags, 'p'], {variables});
		expect(run).toMatchObject({stdout: '', code});
		expect(run.stderr).toMatch(message);
		// The beginning of its log is left out, and its control characters.
		expect(run.stderr).not.toMatch(/line 1$/m);
		expect(run.stderr).not.toContain('\u0007');
		expect(starts()).toHaveLength(1);
		await expect.poll(left).toEqual([]);
	});

	test.each([
		['SIGINT', 'slow'],
		['SIGTERM', 'silent'],
		['SIGHUP', 'slow'],
		['SIGKILL', 'silent'],
	] as const)('ends after %s: %s', async (signal, mode) => {
		const {argv, variables, starts, left} = createStandIn(mode);
		const running = startProcess([...argv, '-v', 'p'], {variables});
		const sign = mode === 'slow' ? 'llama-server is loading' : '> POST';
		await waitForText(running.child.stderr as NonNullable<typeof running.child.stderr>, sign);
		await expect.poll(() => starts().length).toBe(1);
		running.child.kill(signal);
		running.stdout.resume();
		expect((await running.ended).signal).toBe(signal);
		await expect.poll(left).toEqual([]);
		await expect.poll(() => existsSync(dirname(starts()[0]?.socket ?? ''))).toBe(false);
	});
});

test('without llama-server, the error says how to install it', async () => {
	const {argv, variables, folder} = createStandIn();
	const run = await runChat([...argv, 'p'], {variables: {...variables, PATH: '/nowhere'}});
	expect(run).toMatchObject({stdout: '', exitCode: 69});
	expect(run.stderr).toContain('needs llama-server, which is not in PATH');
	expect(run.stderr).toContain('brew install llama.cpp');
	const missing = ['--base-url', `llama:${folder}/none.gguf`, 'p'];
	expect(await runChat(missing, {variables})).toMatchObject({stdout: '', exitCode: 66});
});

test.each([
	[
		['--base-url', 'llama:a/b/c', 'p'],
		64,
		'it must name a file (llama:model.gguf) or a repository',
	],
	[['--base-url', 'MODEL', '--dry-run', 'p'], 0, ''],
	[['auth', 'status', '--base-url', 'MODEL'], 64, ''],
])('nothing is started for %j', async (words, exitCode, message) => {
	const {model, variables, starts} = createStandIn();
	const argv = words.map((word) => (word === 'MODEL' ? `llama:${model}` : word));
	const run = await runChat(argv, {variables});
	expect(run.exitCode).toBe(exitCode);
	expect(run.stderr).toContain(message);
	expect(starts()).toEqual([]);
});
