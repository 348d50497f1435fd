/** `chat setup`: files it writes, the next run, the terminal afterwards. */
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {type LocalService, startLocalService} from '../helpers/local-service.ts';
import {runChat} from '../helpers/run-chat.ts';
import {createHome} from '../helpers/settings-home.ts';
import {answer, enterUrl, key, openSetup, readSettings} from '../helpers/setup-dialog.ts';
import {openInProcess} from '../helpers/terminal-in-process.ts';
import type {TestTerminal} from '../helpers/terminal-screen.ts';

/** Opens it with this config file. */
async function openAfter(
	config: unknown,
	env: Readonly<Record<string, string>> = {},
	flags: readonly string[] = [],
) {
	const home = createHome({config});
	const argv = ['setup', ...flags];
	const terminal = await openInProcess({argv, env: {HOME: home.home, ...env}, columns: 100});
	return {...home, terminal};
}

/** Types a key that the service accepts, takes its model, and tries it. */
async function tryKey(terminal: TestTerminal, question: string | RegExp): Promise<void> {
	await answer(terminal, question, `${key}\r`);
	await answer(terminal, 'Which model?', '\r');
	await answer(terminal, 'as a test?', '\r');
	await terminal.untilText('Hello from m');
}

async function expectEnd(terminal: TestTerminal, exitCode = 0): Promise<void> {
	expect((await terminal.exit).exitCode).toBe(exitCode);
}

const asked = 'API key, or nothing';

test('a service that runs on this machine is connected', async () => {
	const service = await startLocalService(['large', 'small']);
	const terminal = await openSetup({env: {OLLAMA_HOST: service.host}});
	await answer(terminal, `› Ollama, on this machine at ${service.host}: large and 1 more`, '\r');
	await answer(terminal, 'Which model?', 'sma\r');
	await answer(terminal, 'Send “Say hello.” to small as a test?', '\r');
	await terminal.untilText(/It answered after .* s: Hello from small/);
	await answer(terminal, 'Which runs', '\r');
	await expectEnd(terminal);
	expect(readSettings(terminal, 'config')).toEqual({'base-url': 'ollama:', model: 'small'});
	expect(readSettings(terminal, 'credentials')).toBeUndefined();
	const list = 'GET /v1/models';
	expect(service.requests).toEqual([list, list, 'POST /v1/chat/completions']);
	expect(terminal.screen().join('\n')).toContain('try it: chat "What is a monad?"');
});

test('the service of a typed address is offered, and gets no key unencrypted', async () => {
	const terminal = await openSetup();
	for (const [typed, shown] of [
		['https://llm.example.com/v1', 'https://llm.example.com/v1'],
		['mistral:', 'Mistral'],
		['service.invalid:8000/v1', 'https://service.invalid:8000/v1'],
		['http://service.invalid', 'http://service.invalid'],
	] as const) {
		terminal.press('ctrl+u');
		terminal.paste(typed);
		await terminal.untilText(`› ${shown}\n`);
	}
	terminal.press('enter');
	await answer(terminal, 'API key, or nothing', `${key}\r`);
	await terminal.untilText('the API key would go unencrypted');
	await terminal.untilText(/--insecure-http[\s\S]*API key, or nothing/);
	terminal.press('ctrl+c');
	await expectEnd(terminal, 130);
	expect(readSettings(terminal, 'config')).toBeUndefined();
	expect(readSettings(terminal, 'credentials')).toBeUndefined();
});

test('models for chat are listed, the newest first, and none with a hidden name', async () => {
	const data = [
		{id: 'text-embedding-3-large', created: 9},
		{id: 'claude-3-opus', created: 1},
		{id: 'claude-4', created: 3, context_length: 200_000},
		{id: '\u001b[31mred', created: 9},
		{id: 'a\u202eb', created: 9},
		...Array.from({length: 20}, (_, index) => ({id: `other-${index}`})),
	];
	const service = await startLocalService([], {listReply: JSON.stringify({data})});
	const terminal = await openSetup({rows: 20});
	await enterUrl(terminal, service);
	await answer(terminal, 'API key, or nothing', '\r');
	await terminal.untilText(/› claude-4 {2}200k context\n {2}claude-3-opus.*\n {2}other-0\n/);
	// As many rows as the window has.
	await terminal.untilText(/↓ other-13\n {2}\(22 in total\)$/m);
	terminal.type('opus clau');
	await terminal.untilText('› claude-3-opus');
	terminal.type('\u0015text-embedding-4');
	await terminal.untilText('› text-embedding-4  as you typed it');
	terminal.type('\u0015none\r');
	await answer(terminal, 'Which runs', '\r');
	await expectEnd(terminal);
	expect(readSettings(terminal, 'config')).not.toHaveProperty('model');
	expect(terminal.screen().join('\n')).toContain('no model is stored: a run asks for one');
	for (const trick of ['\u001b[31m', '\u202e']) expect(terminal.raw()).not.toContain(trick);
});

test('the key of a service is asked for without showing it, and again if it is wrong', async () => {
	const service = await startLocalService(['m'], {key});
	const {terminal, config, credentials, source} = await openAfter({});
	await enterUrl(terminal, service);
	await answer(terminal, asked, 'sk-wrong-key-12345\r');
	await terminal.untilText('does not accept the key from your input. Does');
	await answer(terminal, /API key, or nothing.*\s*$/, '\r');
	await terminal.untilText(/(?:answered 401[\s\S]*){2}API key, or nothing.*\s*$/);
	expect(terminal.raw()).not.toContain('Set CHAT_API_KEY');
	await tryKey(terminal, /API key, or nothing.*\s*$/);
	await answer(terminal, 'Which runs', 'only\r');
	await answer(terminal, 'Profile name (Enter: 127.0.0.1):', 'work\r');
	await expectEnd(terminal);
	const origin = `http://${service.host}`;
	expect(config()).toEqual({profiles: {work: {'base-url': origin, model: 'm'}}});
	expect(credentials()).toEqual({[origin]: key});
	expect(terminal.raw()).not.toContain(key);
	expect(terminal.raw()).not.toContain('sk-wrong');
	expect(terminal.raw()).toContain(`API key, or nothing (hidden): ${'•'.repeat(key.length)}`);
	const run = await runChat('--profile work p', source);
	expect(run).toMatchObject({stdout: 'Hello from m\n', exitCode: 0});
});

test.each([
	['Ctrl-C', 130, (terminal: TestTerminal) => terminal.press('ctrl+c')],
	[
		'SIGTERM',
		143,
		({home}: TestTerminal) =>
			process.kill(Number(readFileSync(join(home, 'pid'), 'utf8')), 'SIGTERM'),
	],
])('%s at the key changes nothing, and restores the terminal', async (_, code, end) => {
	const service = await startLocalService(['m'], {key});
	const start = `bash -c 'echo $$ >pid; exec chat setup'; echo "code $?"`;
	const shell = `stty -g; ${start}; stty -g; read -r line; echo "got $line"; read -r _`;
	const terminal = await openSetup({shell});
	await enterUrl(terminal, service);
	await answer(terminal, asked, key);
	await terminal.untilText('•');
	end(terminal);
	await terminal.untilText(`code ${code}`);
	const modes = () =>
		terminal.scrollback({isJoined: true}).filter((row) => /^[0-9a-f]+:/.test(row));
	await terminal.until(() => modes().length === 2);
	expect(modes()[1]).toBe(modes()[0]);
	terminal.type('typed\r');
	await terminal.untilText('got typed');
	for (const name of ['config', 'credentials']) {
		expect(readSettings(terminal, name)).toBeUndefined();
	}
});

test('the rest of the config file is kept, without what was for the old service', async () => {
	const service = await startLocalService(['m']);
	const old = {'base-url': 'https://old.example', 'auth-header': 'api-key', temperature: 1};
	const variables = {LM_STUDIO_URL: service.host};
	const {terminal, config} = await openAfter({...old, 'api-key-file': 'k'}, variables);
	await answer(terminal, '› LM Studio', '\r');
	await answer(terminal, 'Which model?', '\r');
	await answer(terminal, 'as a test?', 'no\r');
	await answer(terminal, '› every run, in place of https://old.example', '\r');
	await expectEnd(terminal);
	expect(config()).toEqual({'base-url': 'lmstudio:', temperature: 1, model: 'm'});
});

test('a profile gets the header that its service was tried with', async () => {
	const service = await startLocalService(['m'], {key});
	const old = {'base-url': 'https://old.example', 'auth-header': 'api-key'};
	const {terminal, config} = await openAfter(old, {}, ['--profile', 'work']);
	await enterUrl(terminal, service);
	await tryKey(terminal, asked);
	await expectEnd(terminal);
	const work = {'auth-header': 'Authorization', 'base-url': `http://${service.host}`, model: 'm'};
	expect(config()).toEqual({...old, profiles: {work}});
});

const command = {'api-key-command': ['printf', 'sk-old-0123456789']};
const other = /Which key\?[\s\S]*which ends in 6789/;
const urlOf = ({host}: LocalService) => `http://${host}`;

test.each([
	['of the file', (url: string) => ({'base-url': url, ...command}), []],
	[
		'of the file, in a profile',
		(url: string) => ({'base-url': url, ...command, profiles: {work: {'base-url': url}}}),
		['--profile', 'work'],
	],
])(
	'another key that a setting names is removed, so that runs use the one that was tried: %s',
	async (...row) => {
		const [, configOf, flags] = row;
		const service = await startLocalService(['m'], {key});
		const {terminal, config, source} = await openAfter(configOf(urlOf(service)), {}, flags);
		await enterUrl(terminal, service);
		await answer(terminal, other, 'another\r');
		await tryKey(terminal, asked);
		if (flags.length === 0) await answer(terminal, 'Which runs', '\r');
		await terminal.untilText(/api-key-command [^›]* is\s+set:\s+its\s+key\s+is\s+used/);
		await answer(terminal, 'Which key do runs use', '\r');
		await expectEnd(terminal);
		expect(JSON.stringify(config())).not.toContain('api-key-command');
		const run = await runChat([...flags, 'p'], source);
		expect(run).toMatchObject({stdout: 'Hello from m\n', exitCode: 0});
	},
);

test('another key that a setting names is kept if the user prefers it, and no other is stored', async () => {
	const service = await startLocalService(['m'], {key});
	const old = {'base-url': urlOf(service), ...command};
	const {terminal, config, credentials} = await openAfter(old);
	await enterUrl(terminal, service);
	await answer(terminal, other, 'another\r');
	await tryKey(terminal, asked);
	await answer(terminal, 'Which runs', '\r');
	await answer(terminal, 'Which key do runs use', 'that of\r');
	await expectEnd(terminal);
	expect(config()).toEqual({...old, model: 'm'});
	expect(credentials()).toBeUndefined();
});

test('the key of a variable is offered, and decides over a stored one', async () => {
	const service = await startLocalService(['m'], {key});
	const {terminal, credentials} = await openAfter({}, {CHAT_API_KEY: 'sk-old-0123456789'});
	await enterUrl(terminal, service);
	await answer(terminal, other, 'another\r');
	await tryKey(terminal, asked);
	await answer(terminal, 'Which runs', '\r');
	await terminal.untilText('CHAT_API_KEY is set: its key is used, not a stored one.');
	await terminal.untilText('To use the stored key: unset CHAT_API_KEY.');
	await answer(terminal, 'Store the key', 'no\r');
	await expectEnd(terminal);
	expect(credentials()).toBeUndefined();
});

test('the source of a key that was used is kept', async () => {
	const service = await startLocalService(['m'], {key});
	const old = {'base-url': urlOf(service), 'api-key-command': ['printf', key]};
	const {terminal, config, credentials} = await openAfter(old);
	await enterUrl(terminal, service);
	await answer(terminal, /which ends in cdef/, '\r');
	await answer(terminal, 'Which model?', '\r');
	await answer(terminal, 'as a test?', '\r');
	await answer(terminal, 'Which runs', '\r');
	await expectEnd(terminal);
	expect(config()).toEqual({...old, model: 'm'});
	expect(credentials()).toBeUndefined();
});

test('plain lines ask by numbers', async () => {
	const service = await startLocalService(['large', 'small', 'smaller'], {key});
	const terminal = await openSetup({env: {TERM: 'dumb'}});
	await answer(terminal, /^Number, or a URL:/m, '99\r');
	await answer(
		terminal,
		/Enter a number from 1 to \d+, or a part of a name, or a URL\.\nNumber, or a URL:/,
		'by its\r',
	);
	await answer(terminal, /^Base URL:/m, `http://${service.host}\r`);
	await answer(terminal, 'API key, or nothing (hidden):', `${key}\r`);
	await answer(
		terminal,
		/3 choices\.\n1\. large\n2\. small\n3\. smaller\n4\. none.*\nNumber, or any name:/,
		'SMALL\r',
	);
	await answer(terminal, /as a test\? 2 choices\.\n1\. yes\n2\. no\nNumber:/, '1\r');
	await answer(terminal, /s: Hello from small\nWhich runs.*\n1\. .*\n2\. .*\nNumber:/, '2\r');
	await answer(terminal, 'Profile name (Enter: 127.0.0.1):', '\r');
	await expectEnd(terminal);
	const origin = `http://${service.host}`;
	expect(readSettings(terminal, 'config')).toEqual({
		profiles: {'127.0.0.1': {'base-url': origin, model: 'small'}},
	});
	expect(readSettings(terminal, 'credentials')).toEqual({[origin]: key});
	expect(terminal.raw()).not.toContain(key);
	expect(terminal.raw()).not.toContain('\x1b');
});

test('plain lines have no line that changes, and end with Ctrl-D without a change', async () => {
	const service = await startLocalService(['m']);
	const {terminal, config} = await openAfter({plain: true}, {OLLAMA_HOST: service.host});
	await answer(terminal, 'Which service?', 'ollama\r');
	await answer(terminal, /asking .* for its models\nWhich model\?/, 'm\r');
	await terminal.untilText('as a test?');
	expect(terminal.raw()).not.toContain('\x1b');
	terminal.press('ctrl+d');
	await expectEnd(terminal, 130);
	expect(config()).toEqual({plain: true});
});

test('without a terminal, setup names the two commands to use', async () => {
	const run = await runChat('setup');
	expect(run).toMatchObject({stdout: '', exitCode: 64});
	expect(run.stderr).toContain('chat config set base-url <url>; chat auth set < key.txt');
});

test('a broken config file is reported before any question', async () => {
	const {terminal} = await openAfter('{');
	await expectEnd(terminal, 78);
	expect(terminal.raw()).not.toContain('Which service?');
});
