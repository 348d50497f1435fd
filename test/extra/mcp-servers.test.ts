/** Servers of the real program: called, and ended with all they started, however the run ends. */
import {setTimeout as pause} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {approveServers} from '../helpers/approve-servers.ts';
import {filesystemServer, hostileServer, writeServers} from '../helpers/mcp-servers.ts';
import {runProcess, startProcess} from '../helpers/run-process.ts';
import {say, startScripted} from '../helpers/scripted-service.ts';
import {createHome} from '../helpers/settings-home.ts';
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
