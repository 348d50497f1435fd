/** A llama-server that belongs to a run. A stand-in is in the path; it has a helper process. */
import {existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {describe, expect, test} from 'vitest';
import {isRunning} from '../helpers/is-running.ts';
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
		const run = await runProcess([...argv, '-v', 'p'], {variables: {...variables, ...secrets}});
		expect(run).toMatchObject({stdout: 'Hello from tiny model.gguf\n', code: 0});
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

	test('that crashes shows the end of its log', async () => {
		const {argv, variables, left} = createStandIn('crash');
		const run = await runProcess([...argv, 'p'], {variables});
		expect(run).toMatchObject({stdout: '', code: 69});
		expect(run.stderr).toContain('llama-server: line 39\nllama-server: error: bad magic number\n');
		expect(run.stderr).toContain('chat: llama-server ended with code 3\n');
		expect(run.stderr).toContain(
			'chat: llama-server did not load tiny model.gguf: error: bad magic number\n',
		);
		expect(run.stderr).not.toContain('\u0007');
		expect(run.stderr).not.toMatch(/line 1$/m);
		await expect.poll(left).toEqual([]);
	});

	test('that never gets ready ends at the time limit', async () => {
		const {argv, variables, left} = createStandIn('slow');
		const run = await runProcess([...argv, '--payload-timeout', '400ms', 'p'], {variables});
		expect(run).toMatchObject({stdout: '', code: 75});
		expect(run.stderr).toContain('did not load tiny model.gguf: it wrote nothing for 0.4 s');
		await expect.poll(left).toEqual([]);
	});

	test('is called by its model in JSON and in errors', async () => {
		const {argv, variables} = createStandIn();
		const run = await runProcess([...argv, '-o', 'json', 'p'], {variables});
		expect(JSON.parse(run.stdout)).toMatchObject({service: 'llama:tiny model.gguf', error: null});
		const refused = createStandIn('refuses');
		const {stderr, code} = await runProcess([...refused.argv, 'p'], refused);
		expect({stderr, code}).toMatchObject({
			stderr: expect.stringContaining(
				'chat: llama:tiny model.gguf answered 400 to model tiny model.gguf: too long\n',
			),
			code: 65,
		});
	});

	test('ends after an error of the run, even if it ignores SIGTERM', async () => {
		const {argv, variables, starts, left} = createStandIn('stubborn');
		const run = await runProcess([...argv, '-f', 'nowhere.txt', 'p'], {variables});
		expect(run).toMatchObject({stdout: '', code: 66});
		expect(starts()).toHaveLength(1);
		await expect.poll(left).toEqual([]);
	});

	test.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const)(
		'ends after %s',
		async (signal) => {
			for (const mode of ['slow', 'silent']) {
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
			}
		},
	);
});

describe('without what it needs', () => {
	test('the error says how to install llama-server', async () => {
		const {argv, variables, folder} = createStandIn();
		const run = await runProcess([...argv, 'p'], {variables: {...variables, PATH: '/nowhere'}});
		expect(run).toMatchObject({stdout: '', code: 69});
		expect(run.stderr).toContain('needs llama-server, which is not in PATH');
		expect(run.stderr).toContain('brew install llama.cpp');
		const missing = ['--base-url', `llama:${folder}/none.gguf`, 'p'];
		expect(await runProcess(missing, {variables})).toMatchObject({stdout: '', code: 66});
	});

	test.each(['llama:what', 'llama:a/b/c'])('refuses %s', async (name) => {
		const run = await runProcess(['--base-url', name, 'p']);
		expect(run).toMatchObject({stdout: '', code: 64});
		expect(run.stderr).toContain('it must name a file (llama:model.gguf) or a repository');
	});

	test('nothing is started for a dry run or a key', async () => {
		const {argv, variables, starts} = createStandIn();
		expect(await runProcess([...argv, '--dry-run', 'p'], {variables})).toMatchObject({code: 0});
		const [flag = '', name = ''] = argv;
		const auth = await runProcess(['auth', 'status', flag, name], {variables});
		expect(auth).toMatchObject({stdout: '', code: 64});
		expect(starts()).toEqual([]);
	});
});
