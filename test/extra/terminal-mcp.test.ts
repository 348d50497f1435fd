/** MCP servers on a terminal: what they offer to a session, their calls, and their questions. */
import {chmodSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {ready} from '../e2e/story.ts';
import {approveServers} from '../helpers/approve-servers.ts';
import {
	everythingServer,
	hostileServer,
	startHostileHttp,
	type WrittenEntry,
	writeServers,
} from '../helpers/mcp-servers.ts';
import {type ScriptedPiece, say, startScripted} from '../helpers/scripted-service.ts';
import {openInProcess} from '../helpers/terminal-in-process.ts';
import {findForbidden} from '../helpers/terminal-output.ts';
import {createDirectory} from '../input/input-helpers.ts';

const calls = (...names: readonly string[]): readonly ScriptedPiece[] =>
	names.map((name, at) => ({
		call: {id: `c${at}`, name: `mcp__test__${name}`, arguments: '{"text":"x"}'},
	}));

/** Opens a terminal with these servers, and a service with these replies. */
async function open(
	servers: Readonly<Record<string, WrittenEntry>>,
	replies: ReadonlyArray<readonly ScriptedPiece[]>,
	more: readonly string[] = [],
) {
	const service = await startScripted(...replies);
	const home = createDirectory({});
	writeServers(home, servers);
	writeFileSync(join(home, 'xdg-open'), `#!/bin/sh\necho "$1" >>'${home}/opened'\n`);
	chmodSync(join(home, 'xdg-open'), 0o755);
	const env = {
		...service.env,
		HOME: home,
		DISPLAY: ':0',
		PATH: `${home}:${process.env['PATH']}`,
		SSH_CONNECTION: undefined,
		SSH_TTY: undefined,
		XDG_CONFIG_HOME: undefined,
		XDG_STATE_HOME: undefined,
	};
	const names = Object.keys(servers);
	await approveServers({home, variables: env}, ...names);
	const argv = [...names.flatMap((name) => ['--mcp', name]), ...more];
	const terminal = await openInProcess({argv, env, columns: 100, rows: 50});
	const results = () =>
		(service.bodies.at(-1)?.messages ?? []).flatMap(({role, content}) =>
			role === 'tool' ? [String(content)] : [],
		);
	return {terminal, service, results, home};
}

const answers = [1, 2, 3].map((number) => say(`Answer ${number}.`));

test('a session uses what a server offers', async () => {
	const {terminal, service} = await open({everything: everythingServer}, answers);
	await terminal.untilText(ready);
	// Its prompt is listed, the values are completed by it, and the result becomes the draft.
	terminal.type('/every');
	await terminal.untilText(/completable-prompt +First argument choice/);
	terminal.type('thing:compl');
	await terminal.until((screen) => !screen.includes('args-prompt'));
	terminal.press('tab');
	await terminal.untilText(/department= +required: Choose the department/);
	terminal.type('S');
	await terminal.untilText('completable-prompt S');
	terminal.press('tab');
	await terminal.untilText('Support');
	terminal.press('tab');
	await terminal.untilText('completable-prompt Sales');
	terminal.type(' E');
	await terminal.untilText('completable-prompt Sales E');
	terminal.press('tab');
	await terminal.untilText('/everything:completable-prompt Sales Eve');
	terminal.press('enter');
	await terminal.untilText('Please promote Eve to the head of the Sales team.');
	expect(service.bodies).toEqual([]);
	terminal.press('enter');
	await terminal.untilText('Answer 1.');
	expect(service.bodies[0]?.messages).toEqual([
		{role: 'user', content: 'Please promote Eve to the head of the Sales team.'},
	]);
	expect(JSON.stringify(service.bodies[0]?.['tools'])).toContain('mcp__everything__echo');

	// Its resources are attached when the prompt is sent.
	terminal.type('what is @static/doc/feat');
	await terminal.untilText('everything:demo://resource/static/document/features.md');
	terminal.press('enter');
	await terminal.untilText('what is @everything:demo://');
	terminal.type('and @everything:demo://resource/dynamic/text/7?\r');
	await terminal.untilText('Answer 2.');
	const text = JSON.stringify(service.bodies[1]?.messages);
	expect(text).toContain('name=\\"everything:demo://resource/static/document/features.md\\"');
	expect(text).toContain('Resource 7: This is a plaintext resource');
	terminal.type('see @everything:demo://nothing\r');
	await terminal.untilText('✗');
	expect(service.bodies).toHaveLength(2);
	terminal.press('ctrl+u');

	// `/mcp` switches it off.
	terminal.type('/mcp off everything\r');
	await terminal.untilText('the tools of everything are off');
	terminal.type('again\r');
	await terminal.untilText('Answer 3.');
	expect(service.bodies[2]?.['tools']).toBeUndefined();
});

test('texts of a hostile server do nothing to the terminal or the prompt', async () => {
	const [hostile, bidi] = [await startHostileHttp(['escapes']), await startHostileHttp(['bidi'])];
	const servers = {hostile: hostile.entry, bidi: bidi.entry};
	const {terminal, service} = await open(servers, answers);
	await terminal.untilText(ready);
	for (const [name, answer] of [
		['hostile', 'Answer 1.'],
		['bidi', 'Answer 2.'],
	] as const) {
		terminal.type(`/mcp ${name}\r`);
		await terminal.untilText(`@${name}:memo://one`);
		terminal.type(`/${name}:review 12\r`);
		await terminal.untilText('press Enter to send it');
		terminal.press('enter');
		await terminal.untilText(answer);
	}
	const attacks = ['\u001b]52', '\u001bc', '\u001bP', '\u009b', '\u202e', '\u2066', '\u{e0041}'];
	expect(attacks.filter((attack) => terminal.raw().includes(attack))).toEqual([]);
	const [first, second] = service.bodies.map(({messages}) => messages.at(-1)?.content);
	expect(first).toMatch(/^[ -~\n]+$/);
	expect(second).toBe('safegpj.exe paypal ');
});

const asking = ['asks-form', 'asks-url'];
const openAsking = (argv: readonly string[]) =>
	open({test: hostileServer(asking).entry}, [calls(...asking), say('Done.')], argv);
const allowed = ['--allow-tool', 'mcp__test__*'];

test('texts of a hostile server do nothing to the terminal, in questions and results', async () => {
	const tools = ['plain', 'refuses', 'asks-form'];
	const server = hostileServer(['escapes', 'bidi', 'asks-form']);
	const replies = [...tools.map((tool) => calls(tool)), say('Done.')];
	const {terminal} = await open({test: server.entry}, replies, ['p']);
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
	const {terminal, results, home} = await openAsking(allowed);
	await terminal.untilText(ready);
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
	const {terminal, results} = await openAsking(argv);
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
