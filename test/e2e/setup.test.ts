/** `chat setup` in a terminal. */
import {existsSync, readFileSync} from 'node:fs';
import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {type LocalService, noLocalServices, startLocalService} from '../helpers/local-service.ts';
import {openTerminal, type TerminalOptions} from '../helpers/terminal.ts';
import {openInProcess} from '../helpers/terminal-in-process.ts';
import type {TestTerminal} from '../helpers/terminal-screen.ts';
import {runProcess} from './run-process.ts';

const key = 'sk-0123456789abcdef';

async function open(
	options: TerminalOptions = {},
	start: typeof openTerminal | typeof openInProcess = options.shell === undefined
		? openInProcess
		: openTerminal,
): Promise<TestTerminal> {
	const env = {...noLocalServices, ...options.env};
	const terminal = await start({argv: ['setup'], ...options, env});
	await terminal.untilText('Which service?');
	return terminal;
}

/** Opens it with this config file. */
async function openAfter(
	config: string,
	env: TerminalOptions['env'],
	flags = '',
): Promise<TestTerminal> {
	const shell = `read -r _; chat setup ${flags}; echo "code $?"`;
	const terminal = await openTerminal({shell, env: {...noLocalServices, ...env}});
	const folder = join(terminal.home, '.config', 'chat');
	await mkdir(folder, {recursive: true, mode: 0o700});
	await writeFile(join(folder, 'config.json'), config, {mode: 0o600});
	terminal.type('\r');
	return terminal;
}

/** Waits for a question, and answers it. */
async function answer(terminal: TestTerminal, question: string | RegExp, typed: string) {
	await terminal.untilText(question);
	terminal.type(typed);
}

async function enterUrl(terminal: TestTerminal, {host}: LocalService): Promise<void> {
	await answer(terminal, 'Which service?', 'by its URL\r');
	await answer(terminal, /^Base URL:/m, `http://${host}\r`);
}

function read(terminal: TestTerminal, name: string): unknown {
	const path = join(terminal.home, '.config', 'chat', `${name}.json`);
	return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}

describe('chat setup', () => {
	test('connects a service that runs on this machine', async () => {
		const service = await startLocalService(['large', 'small']);
		const terminal = await open({env: {OLLAMA_HOST: service.host}});
		await answer(terminal, `› Ollama, on this machine at ${service.host}: large and 1 more`, '\r');
		await answer(terminal, 'Which model?', 'sma\r');
		await answer(terminal, 'Send “Say hello.” to small as a test?', '\r');
		await terminal.untilText(/It answered after .* s: Hello from small/);
		await answer(terminal, 'Use it', '\r');
		expect((await terminal.exit).exitCode).toBe(0);
		expect(read(terminal, 'config')).toEqual({'base-url': 'ollama:', model: 'small'});
		expect(read(terminal, 'credentials')).toBeUndefined();
		expect(service.requests).toEqual(['GET /v1/models', 'POST /v1/chat/completions']);
		expect(terminal.screen().join('\n')).toContain('try it: chat "What is a monad?"');
	});

	test('takes the name of a service in place of its URL', async () => {
		const terminal = await open();
		await answer(terminal, 'Which service?', 'by its URL\r');
		await answer(terminal, /^Base URL:/m, 'ftp://x\r');
		await answer(terminal, 'It must be a URL', '\u0015mistral:\r');
		await terminal.untilText('Get a key at https://console.mistral.ai/api-keys');
		terminal.press('ctrl+c');
		await terminal.exit;
	});

	test('asks again for a key that would go unencrypted over the network', async () => {
		const terminal = await open();
		await answer(terminal, 'Which service?', 'by its URL\r');
		await answer(terminal, /^Base URL:/m, 'http://service.invalid\r');
		await answer(terminal, 'API key, or nothing', `${key}\r`);
		await terminal.untilText('the API key would go unencrypted');
		await terminal.untilText(/--insecure-http[\s\S]*API key, or nothing/);
		terminal.press('ctrl+c');
		await terminal.exit;
	});

	test('asks for the key of a service without showing it, and again if it is wrong', async () => {
		const service = await startLocalService(['only'], {key});
		const terminal = await open();
		await enterUrl(terminal, service);
		await answer(terminal, 'API key, or nothing', 'sk-wrong-key-12345\r');
		await terminal.untilText('does not accept the key from your input. Does');
		await answer(terminal, /API key, or nothing.*\s*$/, '\r');
		await terminal.untilText(/(?:answered 401[\s\S]*){2}API key, or nothing.*\s*$/);
		expect(terminal.raw()).not.toContain('Set CHAT_API_KEY');
		await answer(terminal, /API key, or nothing.*\s*$/, `${key}\r`);
		await answer(terminal, 'Which model?', '\r');
		await answer(terminal, 'Send “Say hello.” to only', '\r');
		await answer(terminal, 'Use it', 'only with\r');
		await answer(terminal, 'Name of the profile: 127.0.0.1', '\u0015work\r');
		expect((await terminal.exit).exitCode).toBe(0);
		const origin = `http://${service.host}`;
		expect(read(terminal, 'config')).toEqual({
			profiles: {work: {'base-url': origin, model: 'only'}},
		});
		expect(read(terminal, 'credentials')).toEqual({[origin]: key});
		expect(terminal.raw()).not.toContain(key);
		expect(terminal.raw()).not.toContain('sk-wrong');
		const variables = {HOME: terminal.home};
		const run = await runProcess(['--profile', 'work', 'p'], {variables});
		expect(run).toMatchObject({stdout: 'Hello from only\n', code: 0});
	});

	test('offers a key in the environment, and leaves it there', async () => {
		const terminal = await open({env: {GROQ_API_KEY: key}});
		await answer(terminal, '› Groq, with the key in GROQ_API_KEY', '\r');
		await terminal.untilText('the one from GROQ_API_KEY, which ends in cdef');
		terminal.press('ctrl+c');
		expect((await terminal.exit).exitCode).toBe(130);
		expect(read(terminal, 'credentials')).toBeUndefined();
	});

	test.each([
		['the list', async () => {}],
		['the URL', (terminal: TestTerminal) => answer(terminal, 'Which', 'by its URL\rhttp')],
		[
			'the key',
			async (terminal: TestTerminal, service: LocalService) => {
				await enterUrl(terminal, service);
				await answer(terminal, 'API key', key);
			},
		],
		[
			'the test',
			async (terminal: TestTerminal, service: LocalService) => {
				await enterUrl(terminal, service);
				await answer(terminal, 'API key', `${key}\r`);
				await answer(terminal, 'Which model?', '\r');
				await terminal.untilText('as a test?');
			},
		],
	])('changes nothing after Ctrl-C at %s, and restores the terminal', async (_, go) => {
		const service = await startLocalService(['m'], {key});
		const shell =
			'stty -g; chat setup; echo "code $?"; stty -g; read -r line; echo "got $line"; read -r _';
		const terminal = await open({shell});
		const modes = () =>
			terminal.scrollback({isJoined: true}).filter((row) => /^[0-9a-f]+:/.test(row));
		await go(terminal, service);
		terminal.press('ctrl+c');
		await terminal.untilText('code 130');
		await terminal.until(() => modes().length === 2);
		expect(modes()[1]).toBe(modes()[0]);
		terminal.type('typed\r');
		await terminal.untilText('got typed');
		expect(read(terminal, 'config')).toBeUndefined();
		expect(read(terminal, 'credentials')).toBeUndefined();
	});

	test('reports a test that fails, and stores nothing without consent', async () => {
		const service = await startLocalService(['m'], {chatStatus: 500});
		const terminal = await open({env: {OLLAMA_HOST: service.host, CHAT_MAX_RETRIES: '0'}});
		await answer(terminal, 'Which service?', '\r');
		await answer(terminal, 'Which model?', '\r');
		await answer(terminal, 'as a test?', '\r');
		await answer(terminal, 'Store the connection anyway?', 'no\r');
		await terminal.untilText('nothing was changed');
		expect((await terminal.exit).exitCode).toBe(0);
		expect(read(terminal, 'config')).toBeUndefined();
	});

	test('keeps the rest of the config file, without what was for the old service', async () => {
		const service = await startLocalService(['m']);
		const old = {
			'base-url': 'https://old.example',
			'api-key-file': 'k',
			'auth-header': 'api-key',
			temperature: 1,
		};
		const terminal = await openAfter(JSON.stringify(old), {LM_STUDIO_URL: service.host});
		await answer(terminal, '› LM Studio', '\r');
		await answer(terminal, 'Which model?', '\r');
		await answer(terminal, 'as a test?', 'no\r');
		await answer(terminal, '› for every run, in place of https://old.example', '\r');
		await terminal.untilText('code 0');
		expect(read(terminal, 'config')).toEqual({
			'base-url': 'lmstudio:',
			temperature: 1,
			model: 'm',
		});
	});

	test('gives a profile the header that its service was tried with', async () => {
		const service = await startLocalService(['m'], {key});
		const old = {'base-url': 'https://old.example', 'auth-header': 'api-key'};
		const terminal = await openAfter(JSON.stringify(old), {}, '--profile work');
		await enterUrl(terminal, service);
		await answer(terminal, 'API key, or nothing', `${key}\r`);
		await answer(terminal, 'Which model?', '\r');
		await answer(terminal, 'as a test?', '\r');
		await terminal.untilText('code 0');
		const url = `http://${service.host}`;
		expect(read(terminal, 'config')).toEqual({
			...old,
			profiles: {work: {'auth-header': 'Authorization', 'base-url': url, model: 'm'}},
		});
		expect(terminal.screen().join('\n')).toContain('Hello from m');
	});

	test('keeps the source of a key that it has used', async () => {
		const service = await startLocalService(['m'], {key});
		const old = {'base-url': `http://${service.host}`, 'api-key-command': ['printf', key]};
		const terminal = await openAfter(JSON.stringify(old), {});
		await enterUrl(terminal, service);
		await answer(terminal, /which ends in cdef/, '\r');
		await answer(terminal, 'Which model?', '\r');
		await answer(terminal, 'as a test?', '\r');
		await answer(terminal, 'Use it', '\r');
		await terminal.untilText('code 0');
		expect(read(terminal, 'config')).toEqual({...old, model: 'm'});
		expect(read(terminal, 'credentials')).toBeUndefined();
	});

	test.each([
		['SIGTERM', 143],
		['SIGHUP', 129],
	])('restores the terminal after %s', async (signal, code) => {
		const start = `bash -c 'echo $$ >pid; exec chat setup'`;
		const terminal = await open({
			shell: `stty -g; ${start}; echo "code $?"; stty -g; read -r _`,
		});
		process.kill(Number(readFileSync(join(terminal.home, 'pid'), 'utf8')), signal);
		await terminal.untilText(`code ${code}`);
		const modes = () =>
			terminal.scrollback({isJoined: true}).filter((row) => /^[0-9a-f]+:/.test(row));
		await terminal.until(() => modes().length === 2);
		expect(modes()[1]).toBe(modes()[0]);
	});

	test('stores the flags that later runs need', async () => {
		const service = await startLocalService(['m']);
		const terminal = await openAfter('{}', {OLLAMA_HOST: service.host}, '--insecure-http');
		await answer(terminal, '› Ollama', '\r');
		await answer(terminal, 'Which model?', '\r');
		await answer(terminal, 'as a test?', 'no\r');
		await answer(terminal, 'Use it', '\r');
		await terminal.untilText('code 0');
		expect(read(terminal, 'config')).toEqual({
			'base-url': 'ollama:',
			model: 'm',
			'insecure-http': true,
		});
	});

	test('shows no escape sequences of a service, and offers no model that hides some', async () => {
		const service = await startLocalService(['\u001b[31mred', 'plain', 'a\u202eb']);
		const terminal = await open({env: {OLLAMA_HOST: service.host}});
		terminal.type('\r');
		await answer(terminal, 'Which model?', '\r');
		await terminal.untilText('Send “Say hello.” to plain');
		expect(terminal.raw()).not.toContain('\u001b[31m');
		expect(terminal.raw()).not.toContain('\u202e');
	});

	test('fits a small window', async () => {
		const terminal = await open({columns: 30, rows: 8});
		terminal.press('up');
		await terminal.untilText('› another service, by its URL');
		terminal.press('down');
		await terminal.untilText('› OpenAI');
		const lines = terminal.scrollback().filter((row) => row.includes('Which service?'));
		expect(lines).toHaveLength(1);
	});
});

describe('as plain lines', () => {
	test.each([{TERM: 'dumb'}, {ACCESSIBLE: '1'}])('with %j it asks by numbers', async (plain) => {
		const service = await startLocalService(['large', 'small', 'smaller'], {key});
		const terminal = await open({env: plain});
		await answer(terminal, /^Number:/m, '99\r');
		await answer(
			terminal,
			/Enter a number from 1 to \d+, or a part of a name\.\nNumber:/,
			'by its\r',
		);
		await answer(terminal, /^Base URL:/m, `http://${service.host}\r`);
		await answer(terminal, 'API key, or nothing (not shown as you type):', `${key}\r`);
		await answer(
			terminal,
			/4 choices\.\n1\. large\n2\. small\n3\. smaller\n4\. .*\nNumber:/,
			'SMALL\r',
		);
		await answer(terminal, /as a test\? 2 choices\.\n1\. yes\n2\. no\nNumber:/, '1\r');
		await answer(terminal, /s: Hello from small\nUse it.*\n1\. .*\n2\. .*\nNumber:/, '2\r');
		await answer(terminal, 'Name of the profile (an empty line: 127.0.0.1):', '\r');
		expect((await terminal.exit).exitCode).toBe(0);
		const origin = `http://${service.host}`;
		expect(read(terminal, 'config')).toEqual({
			profiles: {'127.0.0.1': {'base-url': origin, model: 'small'}},
		});
		expect(read(terminal, 'credentials')).toEqual({[origin]: key});
		expect(terminal.raw()).not.toContain(key);
		expect(terminal.raw()).not.toContain('\x1b');
	});

	test.each(['ctrl+c', 'ctrl+d'])('changes nothing after %s', async (chord) => {
		const terminal = await open({env: {TERM: 'dumb'}}, openTerminal);
		await terminal.untilText('Number:');
		terminal.press(chord);
		expect((await terminal.exit).signal).toBe(2);
		expect(read(terminal, 'config')).toBeUndefined();
	});
});

test('without a terminal, setup names the two commands to use', async () => {
	for (const variables of [{}, {TERM: 'dumb'}]) {
		const run = await runProcess(['setup'], {variables});
		expect(run).toMatchObject({stdout: '', code: 64});
		expect(run.stderr).toContain('chat config set base-url <url>; chat auth set < key.txt');
	}
});

test('a broken config file is reported before any question', async () => {
	const terminal = await openAfter('{', {});
	await terminal.untilText('code 78');
	expect(terminal.raw()).not.toContain('Which service?');
});
