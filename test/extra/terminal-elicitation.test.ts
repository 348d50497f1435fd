/** Servers that ask the user during a call: real ones, in a terminal. */
import {chmodSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {approveServers} from '../helpers/approve-servers.ts';
import {hostileServer, writeServers} from '../helpers/mcp-servers.ts';
import {type ScriptedPiece, say, startScripted} from '../helpers/scripted-service.ts';
import {sideBySide} from '../helpers/side-by-side.ts';
import {openInProcess} from '../helpers/terminal-in-process.ts';
import {createDirectory} from '../input/input-helpers.ts';

const calls = (...names: readonly string[]): readonly ScriptedPiece[] =>
	names.map((name, at) => ({call: {id: `c${at}`, name: `mcp__test__${name}`, arguments: '{}'}}));

/** Opens a terminal with a server whose tools are allowed. The service calls them, then says `Done.` */
async function open(
	server: Readonly<Record<string, unknown>>,
	tools: readonly string[],
	argv: readonly string[] = [],
	size: {readonly columns?: number; readonly rows?: number} = {},
) {
	const service = await startScripted(calls(...tools), say('Done.'));
	const home = createDirectory({});
	writeServers(home, {test: server});
	writeFileSync(join(home, 'xdg-open'), `#!/bin/sh\necho "$1" >>'${home}/opened'\n`);
	chmodSync(join(home, 'xdg-open'), 0o755);
	const env = {
		...service.env,
		HOME: home,
		DISPLAY: ':0',
		PATH: `${home}:${process.env['PATH']}`,
		SSH_CONNECTION: undefined,
		SSH_TTY: undefined,
		CHAT_SAVE: 'true',
	};
	await approveServers({home, variables: env}, 'test');
	const all = ['--mcp', 'test', '--allow-tool', 'mcp__test__*', ...argv];
	const terminal = await openInProcess({argv: all, env, ...size});
	const results = () =>
		(service.bodies.at(-1)?.messages ?? []).flatMap(({role, content}) =>
			role === 'tool' ? [String(content)] : [],
		);
	return {terminal, results, home};
}

const armed = /Enter goes on/;

test('a session and a single answer ask on a screen and in plain lines', async () => {
	await sideBySide({
		async 'a session asks what calls side by side want one after the other'() {
			const tools = ['asks-form', 'asks-url'];
			const {terminal, results, home} = await open(hostileServer(tools).entry, tools);
			await terminal.untilText('Ask something');
			terminal.type('go\r');
			await terminal.untilText(armed);
			expect(terminal.screen().join('\n')).not.toContain('Open a page');
			terminal.press('escape');
			await terminal.untilText('Open a page for server test?');
			await terminal.untilText('o opens it');
			terminal.type('o');
			await terminal.untilText('Done.');
			expect(results()).toEqual([
				'the client said {"action":"decline"}',
				'the client said {"action":"accept"}',
			]);
			expect(readFileSync(join(home, 'opened'), 'utf8')).toBe('https://example.com/login\n');
		},
		async 'a session declines a form in plain lines, and confirms a message without fields'() {
			const tools = ['asks-form', 'asks-nothing'];
			const {terminal, results} = await open(hostileServer(tools).entry, tools, ['--plain']);
			await terminal.untilText('You:');
			terminal.type('go\r');
			await terminal.untilText('Value:');
			terminal.type('/decline\r');
			await terminal.untilText('Note: declined what test asked for');
			await terminal.untilText('Question: confirm this for server test?');
			await terminal.untilText(/1 confirm it, 2 decline\. An empty line declines\.\n.*Number:/s);
			terminal.type('1\r');
			await terminal.untilText('Note: confirmed what test asked');
			await terminal.untilText(/Done\.\n(?:.*\n)+You:/);
			expect(results()).toEqual([
				'the client said {"action":"decline"}',
				'the client said {"action":"accept","content":{}}',
			]);
		},
		async 'a single answer asks on a screen of its own for JSON, in a small window'() {
			const {terminal, results} = await open(
				hostileServer(['asks-form']).entry,
				['asks-form'],
				['-o', 'json', 'p'],
				{columns: 40, rows: 10},
			);
			await terminal.untilText(/in a moment|asks/);
			await terminal.untilText(armed);
			terminal.type('Ada\r');
			await terminal.untilText('age');
			terminal.type('36\r');
			await terminal.untilText('v all first');
			terminal.type('v');
			await terminal.untilText('age: 36');
			await terminal.untilText(/y send · v all/);
			terminal.type('y');
			expect(await terminal.exit).toMatchObject({exitCode: 0});
			expect(results()).toEqual([
				'the client said {"action":"accept","content":{"name":"Ada","age":36}}',
			]);
		},
		async 'a single answer asks in plain lines'() {
			const {terminal, results} = await open(
				hostileServer(['asks-form', 'asks-url']).entry,
				['asks-form', 'asks-url'],
				['--plain', 'p'],
				{columns: 100, rows: 50},
			);
			await terminal.untilText('Value:');
			terminal.type('\r');
			await terminal.untilText('Error: this field must not be left out.\nValue:');
			terminal.type('Ada\r');
			await terminal.untilText('Field 2 of 2');
			terminal.type('old\r');
			await terminal.untilText('Error: expected a whole number');
			terminal.type('36\r');
			await terminal.untilText('Number:');
			terminal.type('1\r');
			await terminal.untilText('Its host is:');
			await terminal.until((screen) => screen.trimEnd().endsWith('Number:'));
			terminal.type('\r');
			expect(await terminal.exit).toMatchObject({exitCode: 0});
			expect(results()).toEqual([
				'the client said {"action":"accept","content":{"name":"Ada","age":36}}',
				'the client said {"action":"decline"}',
			]);
			const other = /^(?:Tool|Result|chat: waiting for)/;
			const spoken = terminal.scrollback().filter((line) => !other.test(line));
			expect(spoken.slice(0, spoken.indexOf('Answer:'))).toEqual([
				'Question: server test asks: 2 fields.',
				'during: one of these calls:',
				'during: asks-form {}',
				'during: asks-url {}',
				'says: Please fill this in.',
				'note: The server gets what you type: never a password.',
				'Note: /decline refuses all of it, /back goes back, /skip leaves a field out.',
				'Field 1 of 2: Name, required.',
				'Value: ',
				'Error: this field must not be left out.',
				'Value: Ada',
				'Field 2 of 2: age, required, a whole number, at least 0.',
				'Value: old',
				'Error: expected a whole number, at least 0.',
				'Value: 36',
				'All that is sent:',
				'sends: Name: Ada',
				'sends: age: 36',
				'1 send it, 2 go back, 3 decline.',
				'Number: 1',
				'Note: answered test: 2 fields',
				'Question: open a page for server test?',
				'Its host is:',
				'example.com',
				'address: https://example.com/login',
				'during: one of these calls:',
				'during: asks-form {}',
				'during: asks-url {}',
				'says: Sign in.',
				'1 open it in your browser, 2 decline. An empty line declines.',
				'Number: ',
				'Note: declined what test asked for',
			]);
		},
	});
});
