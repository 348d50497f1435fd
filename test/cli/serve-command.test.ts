import {describe, expect, test} from 'vitest';
import {runChat} from '../helpers/run-chat.ts';
import {createDirectory} from '../input/input-helpers.ts';

type Served = {readonly url: string; readonly stdout: string; readonly stderr: string};

/** Serves until `use` is done with it, then sends SIGTERM. */
async function serve(
	flags: readonly string[],
	use: (url: string) => Promise<unknown>,
	files: Readonly<Record<string, string>> = {},
): Promise<Served & {readonly exitCode: number}> {
	let stop = () => {};
	let started = (_url: string) => {};
	const listening = new Promise<string>((resolve) => {
		started = resolve;
	});
	const running = runChat(['serve', '--port', '0', ...flags], {
		cwd: createDirectory(files),
		onListening(send) {
			stop = () => send('SIGTERM');
		},
		onStdout: (text) => started(text.trim()),
	});
	const url = await Promise.race([listening, running.then(({stderr}) => stderr)]);
	await use(url).finally(stop);
	return {url, ...(await running)};
}

describe('chat serve', () => {
	test('wants the key of the file', async () => {
		const key = 'sk-0123456789';
		const use = async (url: string) => {
			const variables = {CHAT_BASE_URL: url};
			expect((await runChat(['Hello'], {variables})).exitCode).toBe(77);
			const withKey = {...variables, CHAT_API_KEY: key};
			expect((await runChat(['Hello'], {variables: withKey})).exitCode).toBe(0);
		};
		await serve(['--api-key-file', 'key.txt'], use, {'key.txt': `${key}\n`});
	});

	test('tells each request with -v: what, how it ended, how long it took', async () => {
		const {stderr} = await serve(['-v'], (url) =>
			runChat(['-m', 'sol', 'Hello'], {variables: {CHAT_BASE_URL: url}}),
		);
		expect(stderr).toMatch(/^POST \/v1\/chat\/completions 200 \d+ ms\n$/);
	});

	test('plays a scenario, and keeps what it received', async () => {
		const files = {
			's.yaml': 'replies:\n  - {times: 1, fault: {status: 429, retry_after: 0}}\n  - reply: done',
		};
		const use = async (url: string) => {
			const run = await runChat(['-m', 'sol', 'Hello'], {variables: {CHAT_BASE_URL: url}});
			expect(run).toMatchObject({stdout: 'done\n', exitCode: 0});
			expect(run.stderr).toContain('answered 429');
			const {data} = (await (await fetch(`${url}/requests`)).json()) as {data: unknown[]};
			expect(data).toHaveLength(2);
		};
		const served = await serve(['--scenario', 's.yaml'], use, files);
		expect(served).toMatchObject({stderr: '', exitCode: 0});
	});

	test('says that it is open to others, without a key', async () => {
		const {stderr} = await serve(['--host', '0.0.0.0'], async () => undefined);
		expect(stderr).toBe('chat: anyone who reaches this address can use the service\n');
		const files = {k: 'sk-0123456789'};
		const flags = ['--host', '0.0.0.0', '--api-key-file', 'k'];
		expect((await serve(flags, async () => undefined, files)).stderr).toBe('');
	});
});
