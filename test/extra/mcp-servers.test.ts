/** Servers of the real program: added, called, and ended with all they started, however a run ends. */
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {approveServers} from '../helpers/approve-servers.ts';
import {filesystemServer, hostileServer, writeServers} from '../helpers/mcp-servers.ts';
import {runProcess, startProcess} from '../helpers/run-process.ts';
import {say, startScripted} from '../helpers/scripted-service.ts';
import {createHome} from '../helpers/settings-home.ts';
import {openInProcess} from '../helpers/terminal-in-process.ts';
import type {TestTerminal} from '../helpers/terminal-screen.ts';
import {createDirectory} from '../input/input-helpers.ts';

const callOf = (tool: string) => ({call: {id: 'c1', name: `mcp__h__${tool}`, arguments: '{}'}});

const fault = "process.on('SIGUSR2', () => { throw new TypeError('a bug'); })";
/** Variables by which the program fails at a signal. */
const bug = {NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(fault)}`};

/** Runs a program whose server ignores signals and has started another process. */
async function start(tool: string, more: Readonly<Record<string, string>> = {}) {
	const server = hostileServer(['stubborn', 'grandchild', 'never-answers']);
	const {home} = createHome();
	writeServers(home, {h: server.entry});
	await approveServers({home}, 'h');
	const service = await startScripted([{text: 'Let me see.'}, callOf(tool)], say('Done.'));
	const argv = ['--mcp', 'h', '--allow-tool', `mcp__h__${tool}`, 'p'];
	const run = startProcess(argv, {variables: {HOME: home, ...service.env, ...more}});
	return {run, server};
}

test('a server that ignores signals ends with all it started, however the run ends', async () => {
	const ways = [
		['end', 0],
		['closed pipe', 141],
		['SIGTERM', 'SIGTERM'],
		['SIGKILL', 'SIGKILL'],
		// By the bug.
		['SIGUSR2', 1],
	] as const;
	await Promise.all(
		ways.map(async ([way, expected]) => {
			const isSignal = way.startsWith('SIG');
			const {run, server} = await start(isSignal ? 'never-answers' : 'echo', bug);
			if (way === 'closed pipe') run.stdout.once('data', () => run.stdout.destroy());
			else run.stdout.resume();
			if (isSignal) {
				const isCalled = () =>
					server.events('message').some(({message}) => message?.method === 'tools/call');
				while (!isCalled()) await pause(10);
				expect(server.alive()).toHaveLength(2);
				run.child.kill(way as NodeJS.Signals);
			}
			const {code, signal} = await run.ended;
			expect(code ?? signal, way).toBe(expected);
			const isLate = way === 'SIGKILL' || way === 'SIGUSR2';
			while (isLate && server.alive().length > 0) await pause(10);
			expect(server.alive(), way).toEqual([]);
		}),
	);
});

test('the built-in service calls a tool of a reference server', async () => {
	const folder = createDirectory({'note.txt': 'the content of the note'});
	const {home} = createHome();
	writeServers(home, {r: {...filesystemServer(folder), includeTools: ['read_text_file']}});
	await approveServers({home}, 'r');
	const prompt = `read the text file with path: "${folder}/note.txt"`;
	const argv = ['--mcp', 'r', '--allow-tool', 'mcp__r__read_text_file', prompt];
	const run = await runProcess(argv, {variables: {HOME: home}});
	expect(run.stdout).toContain('the content of the note');
	expect(run.code).toBe(0);
});

function readServers({home}: TestTerminal): unknown {
	const path = join(home, '.config', 'chat', 'mcp.json');
	return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}

function textOf(terminal: TestTerminal): string {
	return terminal.scrollback().join('\n');
}

test('chat mcp add asks before the server starts, and before it is kept', async () => {
	const entry = filesystemServer(createDirectory());
	const argv = ['mcp', 'add', 'files', '--', String(entry['command'])];
	argv.push(...(entry['args'] as readonly string[]));
	const terminal = await openInProcess({argv, columns: 60, rows: 40});
	await terminal.untilText('Start files to see what it offers?');
	expect(textOf(terminal)).toMatch(/^in: [\s\S]*chat-terminal-/m);
	terminal.type('yes\r');
	await terminal.untilText('Add files?');
	expect(textOf(terminal)).toMatch(
		/^new tool write_file\n {4}Create a new file or completely(?:.*\n {4})+.*directories\.$/m,
	);
	expect(readServers(terminal)).toBeUndefined();
	terminal.type('yes\r');
	expect(await terminal.exit).toMatchObject({exitCode: 0});
	expect(readServers(terminal)).toEqual({mcpServers: {files: entry}});
});

test('chat mcp import asks for each server', async () => {
	const cwd = createDirectory();
	const servers = {one: {command: 'one'}, two: {url: 'https://two.example/mcp'}};
	writeFileSync(join(cwd, 'servers.json'), JSON.stringify({servers}));
	const terminal = await openInProcess({argv: ['mcp', 'import', 'servers.json'], cwd});
	await terminal.untilText('Import one?');
	terminal.type('\r');
	await terminal.untilText('Import two?');
	expect(textOf(terminal)).toContain('address: https://two.example/mcp\n');
	terminal.type('yes\r');
	await terminal.untilText('imported 1 of 2 servers');
	expect(readServers(terminal)).toEqual({mcpServers: {two: {url: servers.two.url}}});
});
