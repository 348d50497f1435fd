/** The questions of `chat mcp` on a terminal. */
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {filesystemServer, type WrittenEntry} from '../helpers/mcp-servers.ts';
import {openInProcess} from '../helpers/terminal-in-process.ts';
import type {TestTerminal} from '../helpers/terminal-screen.ts';
import {createDirectory} from '../input/input-helpers.ts';

const yes = 'yes\r';
const no = '\r';

function readFile({home}: TestTerminal): unknown {
	const path = join(home, '.config', 'chat', 'mcp.json');
	return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}

function textOf(terminal: TestTerminal): string {
	return terminal.scrollback().join('\n');
}

async function add({command, args}: WrittenEntry): Promise<TestTerminal> {
	const words = ['--', String(command), ...(args as readonly string[])];
	return await openInProcess({argv: ['mcp', 'add', 'files', ...words], columns: 60, rows: 40});
}

test('chat mcp add asks before the server starts, and before it is kept', async () => {
	const entry = filesystemServer(createDirectory());
	const terminal = await add(entry);
	await terminal.untilText('Start files to see what it offers?');
	expect(textOf(terminal)).toMatch(/^in: [\s\S]*chat-terminal-/m);
	terminal.type(yes);
	await terminal.untilText('Add files?');
	expect(textOf(terminal)).toMatch(
		/^new tool write_file\n {4}Create a new file or completely(?:.*\n {4})+.*directories\.$/m,
	);
	expect(readFile(terminal)).toBeUndefined();
	terminal.type(yes);
	expect(await terminal.exit).toMatchObject({exitCode: 0});
	expect(readFile(terminal)).toEqual({mcpServers: {files: entry}});
});

test('chat mcp import asks for each server', async () => {
	const cwd = createDirectory();
	const servers = {one: {command: 'one'}, two: {url: 'https://two.example/mcp'}};
	writeFileSync(join(cwd, 'servers.json'), JSON.stringify({servers}));
	const terminal = await openInProcess({argv: ['mcp', 'import', 'servers.json'], cwd});
	await terminal.untilText('Import one?');
	terminal.type(no);
	await terminal.untilText('Import two?');
	expect(textOf(terminal)).toContain('address: https://two.example/mcp\n');
	terminal.type(yes);
	await terminal.untilText('imported 1 of 2 servers');
	expect(readFile(terminal)).toEqual({mcpServers: {two: {url: servers.two.url}}});
});
