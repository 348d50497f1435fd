import {describe, expect, test} from 'vitest';
import {startLocalService} from '../helpers/local-service.ts';
import {answer, enterUrl, key, openSetup, readSettings} from '../helpers/setup-dialog.ts';
import type {TestTerminal} from '../helpers/terminal-screen.ts';

async function interrupt(terminal: TestTerminal): Promise<void> {
	terminal.press('ctrl+c');
	expect((await terminal.exit).exitCode).toBe(130);
	for (const name of ['config', 'credentials'])
		expect(readSettings(terminal, name)).toBeUndefined();
}

describe('chat setup', () => {
	test('connects a service that runs on this machine', async () => {
		const service = await startLocalService(['large', 'small']);
		const terminal = await openSetup({env: {OLLAMA_HOST: service.host}});
		await answer(terminal, `› Ollama, on this machine at ${service.host}: large and 1 more`, '\r');
		await answer(terminal, 'Which model?', 'sma\r');
		await answer(terminal, 'Send “Say hello.” to small as a test?', '\r');
		await terminal.untilText(/It answered after .* s: Hello from small/);
		await answer(terminal, 'Which runs', '\r');
		expect((await terminal.exit).exitCode).toBe(0);
		expect(readSettings(terminal, 'config')).toEqual({'base-url': 'ollama:', model: 'small'});
		expect(readSettings(terminal, 'credentials')).toBeUndefined();
		const list = 'GET /v1/models';
		expect(service.requests).toEqual([list, list, 'POST /v1/chat/completions']);
		expect(terminal.screen().join('\n')).toContain('try it: chat "What is a monad?"');
	});

	test('offers the service of a typed address, and sends no key to it unencrypted', async () => {
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
		await interrupt(terminal);
	});

	test('lists the models for chat, the newest first, and none with a hidden name', async () => {
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
		expect((await terminal.exit).exitCode).toBe(0);
		expect(readSettings(terminal, 'config')).not.toHaveProperty('model');
		expect(terminal.screen().join('\n')).toContain('no model is stored: a run asks for one');
		for (const trick of ['\u001b[31m', '\u202e']) expect(terminal.raw()).not.toContain(trick);
	});
});

test('as plain lines, it asks by numbers', async () => {
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
	expect((await terminal.exit).exitCode).toBe(0);
	const origin = `http://${service.host}`;
	expect(readSettings(terminal, 'config')).toEqual({
		profiles: {'127.0.0.1': {'base-url': origin, model: 'small'}},
	});
	expect(readSettings(terminal, 'credentials')).toEqual({[origin]: key});
	expect(terminal.raw()).not.toContain(key);
	expect(terminal.raw()).not.toContain('\x1b');
});
