/** MCP servers in a session on a terminal: their prompts, their resources, and `/mcp`. */
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {approveServers} from '../helpers/approve-servers.ts';
import {
	everythingServer,
	hostileServer,
	type WrittenEntry,
	writeServers,
} from '../helpers/mcp-servers.ts';
import {say, startScripted} from '../helpers/scripted-service.ts';
import {openInProcess} from '../helpers/terminal-in-process.ts';
import {writeTree} from '../input/input-helpers.ts';
import type {Files} from '../templates/template-files.ts';

/** Opens a session with these servers, and waits for its prompt. */
async function open(
	servers: Readonly<Record<string, WrittenEntry>>,
	{
		argv = [],
		templates = {},
		isApproved = true,
	}: {
		readonly argv?: readonly string[];
		readonly templates?: Files;
		readonly isApproved?: boolean;
	} = {},
) {
	const home = mkdtempSync(join(tmpdir(), 'chat-servers-'));
	onTestFinished(() => rmSync(home, {recursive: true, force: true}));
	writeServers(home, servers);
	writeTree(join(home, '.config', 'chat', 'templates'), templates);
	const service = await startScripted(say('Answer 1.'), say('Answer 2.'));
	const places = {XDG_CONFIG_HOME: join(home, '.config'), XDG_STATE_HOME: join(home, 'state')};
	const env = {...service.env, ...places};
	if (isApproved) await approveServers({home, variables: places}, ...Object.keys(servers));
	const named = Object.keys(servers).flatMap((name) => ['--mcp', name]);
	const terminal = await openInProcess({
		argv: [...named, ...argv],
		env,
		columns: 100,
		rows: 40,
	});
	return {terminal, service};
}

async function openEverything(argv: readonly string[] = []) {
	const opened = await open({everything: everythingServer}, {argv});
	await opened.terminal.untilText('Ask something');
	return opened;
}

test('a prompt is listed, its values are completed, and it becomes the draft', async () => {
	const {terminal, service} = await openEverything();
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
	terminal.type(' ');
	await terminal.untilText(/name= +required/);
	terminal.type('E');
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
});

test('a resource is attached when the prompt is sent', async () => {
	const {terminal, service} = await openEverything();
	terminal.type('what is @static/doc/feat');
	await terminal.untilText('everything:demo://resource/static/document/features.md');
	terminal.press('enter');
	await terminal.untilText('what is @everything:demo://');
	terminal.type('and @everything:demo://resource/dynamic/text/7?');
	terminal.press('enter');
	await terminal.untilText('Answer 1.');
	const text = JSON.stringify(service.bodies[0]?.messages);
	expect(text).toContain('name=\\"everything:demo://resource/static/document/features.md\\"');
	expect(text).toContain('name=\\"everything:demo://resource/dynamic/text/7\\"');
	expect(text).toContain('Resource 7: This is a plaintext resource');
	terminal.type('see @everything:demo://nothing');
	terminal.press('enter');
	await terminal.untilText(/see @everything:demo:\/\/nothing/);
	await terminal.untilText('✗');
	expect(service.bodies).toHaveLength(1);
});

test('/mcp shows, switches and restarts servers', async () => {
	const {terminal, service} = await openEverything();
	terminal.type('/mcp\r');
	await terminal.untilText(
		/everything +not started yet · 1\d tools, about [\d,]+ tokens a request/,
	);
	terminal.type('/mcp everything\r');
	await terminal.untilText('Prompts');
	await terminal.untilText('/everything:args-prompt city [state]');
	await terminal.untilText('@everything:demo://resource/dynamic/text/{resourceId}');
	expect(terminal.scrollback().join('\n')).toMatch(/^ *server +mcp-servers\/everything /m);
	terminal.type('hello\r');
	await terminal.untilText('Answer 1.');
	expect(JSON.stringify(service.bodies[0]?.['tools'])).toContain('mcp__everything__echo');
	terminal.type('/mcp off everything\r');
	await terminal.untilText('the tools of everything are off');
	terminal.type('again\r');
	await terminal.untilText('Answer 2.');
	expect(service.bodies[1]?.['tools']).toBeUndefined();
	terminal.type('/mcp restart\r');
	await terminal.untilText('the server everything is running');
	terminal.type('/mcp log\r');
	await terminal.untilText('Starting default (STDIO) server...');
});

test('texts of a hostile server do nothing to the terminal or the prompt', async () => {
	const {terminal, service} = await open({
		hostile: hostileServer(['escapes']).entry,
		bidi: hostileServer(['bidi']).entry,
	});
	await terminal.untilText('Ask something');
	for (const name of ['hostile', 'bidi']) {
		terminal.type(`/mcp ${name}\r`);
		await terminal.untilText(`@${name}:memo://one`);
		terminal.type(`/${name}:review 12\r`);
		await terminal.untilText('press Enter to send it');
		terminal.press('enter');
		await terminal.untilText(name === 'hostile' ? 'Answer 1.' : 'Answer 2.');
	}
	const attacks = ['\u001b]52', '\u001bc', '\u001bP', '\u009b', '\u202e', '\u2066', '\u{e0041}'];
	expect(attacks.filter((attack) => terminal.raw().includes(attack))).toEqual([]);
	const [first, second] = service.bodies.map(({messages}) => messages.at(-1)?.content);
	expect(first).toMatch(/^[ -~\n]+$/);
	expect(second).toBe('safegpj.exe paypal ');
});
