/** `chat setup` with a shell around it, another process after it, or a command for the key. */
import {readFileSync} from 'node:fs';
import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {type LocalService, startLocalService} from '../helpers/local-service.ts';
import {runProcess} from '../helpers/run-process.ts';
import {answer, enterUrl, key, openSetup, readSettings} from '../helpers/setup-dialog.ts';
import {openTerminal} from '../helpers/terminal.ts';
import type {TestTerminal} from '../helpers/terminal-screen.ts';

/** Opens it with this config file. */
async function openAfter(
	config: string,
	env: Readonly<Record<string, string | undefined>> = {},
	flags = '',
): Promise<TestTerminal> {
	const shell = `read -r _; chat setup ${flags}; echo "code $?"`;
	const terminal = await openTerminal({shell, env});
	const folder = join(terminal.home, '.config', 'chat');
	await mkdir(folder, {recursive: true, mode: 0o700});
	await writeFile(join(folder, 'config.json'), config, {mode: 0o600});
	terminal.type('\r');
	return terminal;
}

describe('chat setup', () => {
	test('asks for the key of a service without showing it, and again if it is wrong', async () => {
		const service = await startLocalService(['only'], {key});
		const terminal = await openSetup();
		await enterUrl(terminal, service);
		await answer(terminal, 'API key, or nothing', 'sk-wrong-key-12345\r');
		await terminal.untilText('does not accept the key from your input. Does');
		await answer(terminal, /API key, or nothing.*\s*$/, '\r');
		await terminal.untilText(/(?:answered 401[\s\S]*){2}API key, or nothing.*\s*$/);
		expect(terminal.raw()).not.toContain('Set CHAT_API_KEY');
		await answer(terminal, /API key, or nothing.*\s*$/, `${key}\r`);
		await answer(terminal, 'Which model?', '\r');
		await answer(terminal, 'Send “Say hello.” to only', '\r');
		await answer(terminal, 'Which runs', 'only\r');
		await answer(terminal, 'Profile name (Enter: 127.0.0.1):', 'work\r');
		expect((await terminal.exit).exitCode).toBe(0);
		const origin = `http://${service.host}`;
		expect(readSettings(terminal, 'config')).toEqual({
			profiles: {work: {'base-url': origin, model: 'only'}},
		});
		expect(readSettings(terminal, 'credentials')).toEqual({[origin]: key});
		expect(terminal.raw()).not.toContain(key);
		expect(terminal.raw()).not.toContain('sk-wrong');
		expect(terminal.raw()).toContain(`API key, or nothing (hidden): ${'•'.repeat(key.length)}`);
		const variables = {HOME: terminal.home};
		const run = await runProcess(['--profile', 'work', 'p'], {variables});
		expect(run).toMatchObject({stdout: 'Hello from only\n', code: 0});
	});

	test.each([
		['the list', async () => {}],
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
		const terminal = await openSetup({shell});
		const modes = () =>
			terminal.scrollback({isJoined: true}).filter((row) => /^[0-9a-f]+:/.test(row));
		await go(terminal, service);
		terminal.press('ctrl+c');
		await terminal.untilText(/interrupted \(SIGINT\); nothing was changed\s+code 130/);
		await terminal.until(() => modes().length === 2);
		expect(modes()[1]).toBe(modes()[0]);
		terminal.type('typed\r');
		await terminal.untilText('got typed');
		expect(readSettings(terminal, 'config')).toBeUndefined();
		expect(readSettings(terminal, 'credentials')).toBeUndefined();
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
		await answer(terminal, '› every run, in place of https://old.example', '\r');
		await terminal.untilText('code 0');
		expect(readSettings(terminal, 'config')).toEqual({
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
		expect(readSettings(terminal, 'config')).toEqual({
			...old,
			profiles: {work: {'auth-header': 'Authorization', 'base-url': url, model: 'm'}},
		});
		expect(terminal.screen().join('\n')).toContain('Hello from m');
	});

	describe('when a setting names another key for the service', () => {
		const old = {'api-key-command': ['printf', 'sk-old-0123456789']};
		const inherited = {...old, temperature: 1};

		async function tryKey(terminal: TestTerminal, service: LocalService): Promise<void> {
			await enterUrl(terminal, service);
			await answer(terminal, /Which key\?[\s\S]*which ends in 6789/, 'another\r');
			await answer(terminal, 'API key, or nothing', `${key}\r`);
			await answer(terminal, 'Which model?', '\r');
			await answer(terminal, 'as a test?', '\r');
			await terminal.untilText('Hello from m');
		}

		test.each([
			['of the file', (url: string) => ({'base-url': url, ...old}), []],
			[
				'of the file, in a profile',
				(url: string) => ({'base-url': url, ...inherited, profiles: {work: {'base-url': url}}}),
				['--profile', 'work'],
			],
			[
				'of a profile',
				(url: string) => ({profiles: {work: {'base-url': url, ...old}}}),
				['--profile', 'work'],
			],
		])('removes it, so that runs use the key that was tried: %s', async (_, configOf, flags) => {
			const service = await startLocalService(['m'], {key});
			const url = `http://${service.host}`;
			const terminal = await openAfter(JSON.stringify(configOf(url)), {}, flags.join(' '));
			// The file is for another address before the profile is chosen.
			const isKnown = flags.length === 0 || 'base-url' in configOf(url);
			if (isKnown) await tryKey(terminal, service);
			else {
				await enterUrl(terminal, service);
				await answer(terminal, 'API key, or nothing', `${key}\r`);
				await answer(terminal, 'Which model?', '\r');
				await answer(terminal, 'as a test?', 'no\r');
			}
			if (flags.length === 0) await answer(terminal, 'Which runs', '\r');
			await terminal.untilText(/api-key-command [^›]* is\s+set:\s+its\s+key\s+is\s+used/);
			await answer(terminal, 'Which key do runs use', '\r');
			await terminal.untilText('code 0');
			expect(JSON.stringify(readSettings(terminal, 'config'))).not.toContain('api-key-command');
			const variables = {HOME: terminal.home};
			const run = await runProcess([...flags, 'p'], {variables});
			expect(run).toMatchObject({stdout: 'Hello from m\n', code: 0});
			const status = await runProcess(['auth', 'status', ...flags], {variables});
			expect(status.stdout).toMatch(/credentials\.json \(chat auth\), ends in cdef/);
		});

		test('keeps it if the user prefers its key, and stores no other', async () => {
			const service = await startLocalService(['m'], {key});
			const config = {'base-url': `http://${service.host}`, ...old};
			const terminal = await openAfter(JSON.stringify(config), {});
			await tryKey(terminal, service);
			await answer(terminal, 'Which runs', '\r');
			await answer(terminal, 'Which key do runs use', 'that of\r');
			await terminal.untilText('code 0');
			expect(readSettings(terminal, 'config')).toEqual({...config, model: 'm'});
			expect(readSettings(terminal, 'credentials')).toBeUndefined();
		});

		test('offers the key of a variable, and says that it decides', async () => {
			const service = await startLocalService(['m'], {key});
			const terminal = await openSetup({env: {CHAT_API_KEY: 'sk-old-0123456789'}});
			await tryKey(terminal, service);
			await answer(terminal, 'Which runs', '\r');
			await terminal.untilText('CHAT_API_KEY is set: its key is used, not a stored one.');
			await terminal.untilText('To use the stored key: unset CHAT_API_KEY.');
			await answer(terminal, 'Store the key', 'no\r');
			expect((await terminal.exit).exitCode).toBe(0);
			expect(readSettings(terminal, 'credentials')).toBeUndefined();
		});
	});

	test('keeps the source of a key that it has used', async () => {
		const service = await startLocalService(['m'], {key});
		const old = {'base-url': `http://${service.host}`, 'api-key-command': ['printf', key]};
		const terminal = await openAfter(JSON.stringify(old), {});
		await enterUrl(terminal, service);
		await answer(terminal, /which ends in cdef/, '\r');
		await answer(terminal, 'Which model?', '\r');
		await answer(terminal, 'as a test?', '\r');
		await answer(terminal, 'Which runs', '\r');
		await terminal.untilText('code 0');
		expect(readSettings(terminal, 'config')).toEqual({...old, model: 'm'});
		expect(readSettings(terminal, 'credentials')).toBeUndefined();
	});

	test('restores the terminal after a signal', async () => {
		const start = `bash -c 'echo $$ >pid; exec chat setup'`;
		const terminal = await openSetup({
			shell: `stty -g; ${start}; echo "code $?"; stty -g; read -r _`,
		});
		process.kill(Number(readFileSync(join(terminal.home, 'pid'), 'utf8')), 'SIGTERM');
		await terminal.untilText('code 143');
		const modes = () =>
			terminal.scrollback({isJoined: true}).filter((row) => /^[0-9a-f]+:/.test(row));
		await terminal.until(() => modes().length === 2);
		expect(modes()[1]).toBe(modes()[0]);
	});

	test('shows no line that changes where plain lines are set', async () => {
		const service = await startLocalService(['m']);
		const terminal = await openAfter('{"plain": true}', {OLLAMA_HOST: service.host});
		await answer(terminal, 'Which service?', 'ollama\r');
		await answer(terminal, /asking .* for its models\nWhich model\?/, 'm\r');
		await terminal.untilText('as a test?');
		expect(terminal.raw()).not.toContain('\x1b');
		terminal.press('ctrl+c');
		await terminal.exit;
	});
});

describe('as plain lines', () => {
	test('changes nothing after Ctrl-D', async () => {
		const terminal = await openSetup({env: {TERM: 'dumb'}}, openTerminal);
		await terminal.untilText('Number, or a URL:');
		terminal.press('ctrl+d');
		expect((await terminal.exit).signal).toBe(2);
		expect(readSettings(terminal, 'config')).toBeUndefined();
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
