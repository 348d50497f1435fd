/** `/connect` and `/profile`: a conversation goes on with another service. */
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {type LocalService, startLocalService} from '../helpers/local-service.ts';
import {openTerminal, type TerminalOptions} from '../helpers/terminal.ts';
import type {TestTerminal} from '../helpers/terminal-screen.ts';

const ready = 'Ask something';
const key = 'sk-0123456789abcdef';

async function open({env, ...options}: TerminalOptions = {}): Promise<TestTerminal> {
	const terminal = await openTerminal({
		...options,
		env: {CHAT_SAVE: undefined, ...env},
	});
	await terminal.untilText(options.argv?.includes('--plain') ? 'You: ' : ready);
	return terminal;
}

async function answer(terminal: TestTerminal, question: string | RegExp, typed: string) {
	await terminal.untilText(question);
	terminal.type(typed);
}

function configFolder({home}: TestTerminal): string {
	return join(home, '.config', 'chat');
}

function textsBelow(folder: string): string {
	if (!existsSync(folder)) return '';
	return readdirSync(folder, {recursive: true, withFileTypes: true})
		.filter((entry) => entry.isFile())
		.map(({parentPath, name}) => readFileSync(join(parentPath, name), 'utf8'))
		.join('');
}

async function connectTo(terminal: TestTerminal, {host}: LocalService): Promise<void> {
	await answer(terminal, 'Which service?', `http://${host}\r`);
	await answer(terminal, 'API key, or nothing', `${key}\r`);
	await answer(terminal, 'Which model?', 'sma\r');
	await answer(terminal, 'Send “Say hello.” to small', 'n\r');
	await answer(terminal, 'Which runs use this service?', '\r');
	await terminal.untilText(`small at ${host} answers from here on`);
}

test('/connect asks in the session, and the conversation goes on with the new service', async () => {
	const service = await startLocalService(['large', 'small'], {key});
	const terminal = await open();
	await answer(terminal, ready, 'say one word\r');
	await terminal.untilText(/^one word$/m);
	await answer(terminal, ready, '/connect\r');
	await connectTo(terminal, service);
	await answer(terminal, ready, 'and now?\r');
	await terminal.untilText('Hello from small');
	await answer(terminal, ready, '/copy all\r');
	expect(service.requests.at(-1)).toBe(`POST /v1/chat/completions Bearer ${key}`);
	terminal.type('/exit\r');
	expect((await terminal.exit).exitCode).toBe(0);
	const config = readFileSync(join(configFolder(terminal), 'config.json'), 'utf8');
	expect(JSON.parse(config)).toEqual({'base-url': `http://${service.host}`, model: 'small'});
	const saved = textsBelow(join(terminal.home, '.local', 'state'));
	expect(saved).toContain('and now?');
	expect(saved + terminal.raw()).not.toContain(key);
});

async function openWithProfiles(service: LocalService, other: LocalService, dead = '127.0.0.1:1') {
	const env = {CHAT_BASE_URL: `http://${service.host}`, CHAT_MODEL: 'first'};
	const terminal = await open({env});
	await mkdir(configFolder(terminal), {recursive: true, mode: 0o700});
	const profiles = {
		fast: {'base-url': `http://${other.host}`, model: 'second'},
		dead: {'base-url': `http://${dead}`},
	};
	const path = join(configFolder(terminal), 'config.json');
	await writeFile(path, JSON.stringify({profiles}), {mode: 0o600});
	return terminal;
}

test('/profile lists the profiles, and goes on with the chosen one', async () => {
	const [first, second] = [await startLocalService(['first']), await startLocalService(['second'])];
	const terminal = await openWithProfiles(first, second);
	terminal.type('/profile\r');
	await terminal.untilText(`http://${second.host} · second`);
	terminal.type('fa');
	await terminal.untilText('› fast');
	terminal.type('\r');
	await terminal.untilText(`second at ${second.host} answers from here on`);
	await answer(terminal, ready, 'hello\r');
	await terminal.untilText('Hello from second');
	expect(first.requests).toEqual([]);
});
