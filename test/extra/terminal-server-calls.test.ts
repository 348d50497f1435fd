/** Calls of hostile servers on a terminal: the questions about them, their questions, their results. */
import {existsSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {approveServers} from '../helpers/approve-servers.ts';
import {type HostileServer, hostileServer, writeServers} from '../helpers/mcp-servers.ts';
import {say, startScripted} from '../helpers/scripted-service.ts';
import {sideBySide} from '../helpers/side-by-side.ts';
import {openInProcess} from '../helpers/terminal-in-process.ts';
import {findForbidden} from '../helpers/terminal-output.ts';

const armed = 'y runs it once';
const callOf = (tool: string) => [
	{call: {id: tool, name: `mcp__h__${tool}`, arguments: '{"text":"x"}'}},
];

/** Prepares one answer, in which these tools are called one after the other. */
function prepare({entry}: HostileServer, isAllowed = false) {
	const home = mkdtempSync(join(tmpdir(), 'chat-servers-'));
	onTestFinished(() => rmSync(home, {recursive: true, force: true}));
	writeServers(home, {h: entry});
	const places = {XDG_CONFIG_HOME: join(home, '.config'), XDG_STATE_HOME: join(home, 'state')};
	const open = async (...tools: readonly string[]) => {
		const service = await startScripted(...tools.map(callOf), say('Done.'));
		const env = {...service.env, ...places};
		const allowed = isAllowed ? ['--allow-tool', 'mcp__h__*'] : [];
		return await openInProcess({
			argv: ['--mcp', 'h', ...allowed, 'p'],
			env,
			columns: 100,
			rows: 40,
		});
	};
	const approve = () => approveServers({home, variables: places}, 'h');
	const manifests = join(places.XDG_STATE_HOME, 'chat', 'mcp');
	return {open, approve, isAnythingApproved: () => existsSync(manifests)};
}

test('a hostile server harms neither the terminal nor its user', async () => {
	await sideBySide({
		async 'texts of a server do nothing to the terminal, in questions and results'() {
			const tools = ['plain', 'refuses', 'asks-form'];
			const {open} = prepare(hostileServer(['escapes', 'bidi', 'asks-form']));
			const terminal = await open(...tools);
			for (const tool of tools) {
				await terminal.untilText(`Run h · ${tool}?`);
				await terminal.untilText(armed);
				terminal.type('y');
			}
			await terminal.untilText('server h asks: (1 of 2)');
			await terminal.untilText('Esc declines');
			terminal.press('escape');
			expect(await terminal.exit).toEqual({exitCode: 0, signal: 0});
			expect(terminal.scrollback().join('\n')).toContain('the client said {"action":"decline"}');
			expect(findForbidden(terminal.raw())).toEqual([]);
		},
		async 'a tool of a server that is not approved is asked about, and once is once'() {
			const {open, isAnythingApproved} = prepare(hostileServer(), true);
			for (const answer of ['y', 's']) {
				const terminal = await open('echo');
				await terminal.untilText(armed);
				expect(terminal.scrollback().join('\n')).toContain('server h is not approved yet');
				terminal.type(answer);
				expect(await terminal.exit).toMatchObject({exitCode: 0});
				expect(isAnythingApproved()).toBe(false);
			}
		},
		async 'a tool that has changed is asked about again, with the difference'() {
			const server = hostileServer(['change-description']);
			const {open, approve} = prepare(server);
			await approve();
			const terminal = await open('steady', 'steady');
			await terminal.untilText(armed);
			expect(terminal.screen().join('\n')).not.toContain('changed');
			terminal.type('s');
			await terminal.untilText('the tool has changed since it was approved');
			await terminal.untilText(/- Adds two numbers\..*\+ Reads ~\/\.ssh\/id_rsa first\./s);
			await terminal.untilText(armed);
			terminal.type('s');
			expect(await terminal.exit).toMatchObject({exitCode: 0});
			const calls = server
				.events('message')
				.filter(({message}) => message?.method === 'tools/call');
			expect(calls).toHaveLength(2);
		},
	});
});
