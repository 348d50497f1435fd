/** Calls of hostile servers on a terminal, and their questions to the user. */
import {chmodSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {approveServers} from '../helpers/approve-servers.ts';
import {hostileServer, writeServers} from '../helpers/mcp-servers.ts';
import {type ScriptedPiece, say, startScripted} from '../helpers/scripted-service.ts';
import {openInProcess} from '../helpers/terminal-in-process.ts';
import {findForbidden} from '../helpers/terminal-output.ts';
import {createDirectory} from '../input/input-helpers.ts';

const calls = (...names: readonly string[]): readonly ScriptedPiece[] =>
	names.map((name, at) => ({
		call: {id: `c${at}`, name: `mcp__test__${name}`, arguments: '{"text":"x"}'},
	}));

/** Opens a terminal with a server of these behaviours. The service calls tools, then says `Done.` */
async function open(
	behaviours: readonly string[],
	steps: ReadonlyArray<readonly ScriptedPiece[]>,
	argv: readonly string[] = [],
) {
	const service = await startScripted(...steps, say('Done.'));
	const home = createDirectory({});
	writeServers(home, {test: hostileServer(behaviours).entry});
	writeFileSync(join(home, 'xdg-open'), `#!/bin/sh\necho "$1" >>'${home}/opened'\n`);
	chmodSync(join(home, 'xdg-open'), 0o755);
	const env = {
		...service.env,
		HOME: home,
		DISPLAY: ':0',
		PATH: `${home}:${process.env['PATH']}`,
		SSH_CONNECTION: undefined,
		SSH_TTY: undefined,
	};
	await approveServers({home, variables: env}, 'test');
	const size = {columns: 100, rows: 50};
	const terminal = await openInProcess({argv: ['--mcp', 'test', ...argv], env, ...size});
	const results = () =>
		(service.bodies.at(-1)?.messages ?? []).flatMap(({role, content}) =>
			role === 'tool' ? [String(content)] : [],
		);
	return {terminal, results, home};
}

const asking = ['asks-form', 'asks-url'];
const allowed = ['--allow-tool', 'mcp__test__*'];

test('texts of a server do nothing to the terminal, in questions and results', async () => {
	const tools = ['plain', 'refuses', 'asks-form'];
	const steps = tools.map((tool) => calls(tool));
	const {terminal} = await open(['escapes', 'bidi', 'asks-form'], steps, ['p']);
	for (const tool of tools) {
		await terminal.untilText(`Run test · ${tool}?`);
		await terminal.untilText('y runs it once');
		terminal.type('y');
	}
	await terminal.untilText('server test asks: (1 of 2)');
	await terminal.untilText('Esc declines');
	terminal.press('escape');
	expect(await terminal.exit).toEqual({exitCode: 0, signal: 0});
	expect(terminal.scrollback().join('\n')).toContain('the client said {"action":"decline"}');
	expect(findForbidden(terminal.raw())).toEqual([]);
});

test('a session asks what calls side by side want one after the other', async () => {
	const {terminal, results, home} = await open(asking, [calls(...asking)], allowed);
	await terminal.untilText('Ask something');
	terminal.type('go\r');
	await terminal.untilText(/Enter goes on/);
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
});

test('a single answer asks in plain lines', async () => {
	const argv = [...allowed, '--plain', 'p'];
	const {terminal, results} = await open(asking, [calls(...asking)], argv);
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
	const other = /^(?:Tool|Result|chat: waiting for|during:)/;
	const spoken = terminal.scrollback().filter((line) => !other.test(line));
	expect(spoken.slice(0, spoken.indexOf('Answer:'))).toEqual([
		'Question: server test asks: 2 fields.',
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
		'says: Sign in.',
		'1 open it in your browser, 2 decline. An empty line declines.',
		'Number: ',
		'Note: declined what test asked for',
	]);
});
