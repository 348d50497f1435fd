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

async function until(isMet: () => boolean): Promise<void> {
	while (!isMet()) await pause(10);
}

test('a server that ignores signals ends with all it started, however the run ends', async () => {
	const start = async (tool: string, more: Readonly<Record<string, string>> = {}) => {
		const server = hostileServer(['stubborn', 'grandchild', 'never-answers']);
		const {home} = createHome();
		writeServers(home, {h: server.entry});
		await approveServers({home}, 'h');
		const service = await startScripted([{text: 'Let me see.'}, callOf(tool)], say('Done.'));
		const argv = ['--mcp', 'h', '--allow-tool', `mcp__h__${tool}`, 'p'];
		const run = startProcess(argv, {variables: {HOME: home, ...service.env, ...more}});
		return {run, server};
	};
	/** In the middle of a call. */
	const endBy = async (signal: NodeJS.Signals, more: Readonly<Record<string, string>> = {}) => {
		const {run, server} = await start('never-answers', more);
		run.stdout.resume();
		await until(() =>
			server.events('message').some(({message}) => message?.method === 'tools/call'),
		);
		expect(server.alive()).toHaveLength(2);
		run.child.kill(signal);
		return {...(await run.ended), server};
	};
	const ways = {
		async end() {
			const {run, server} = await start('echo');
			run.stdout.resume();
			return {...(await run.ended), server};
		},
		async 'closed pipe'() {
			const {run, server} = await start('echo');
			run.stdout.once('data', () => run.stdout.destroy());
			return {...(await run.ended), server};
		},
		'by SIGINT': async () => await endBy('SIGINT'),
		'by SIGTERM': async () => await endBy('SIGTERM'),
		async 'by SIGKILL'() {
			const ended = await endBy('SIGKILL');
			await until(() => ended.server.alive().length === 0);
			return ended;
		},
		async 'by a bug'() {
			const ended = await endBy('SIGUSR2', bug);
			await until(() => ended.server.alive().length === 0);
			return ended;
		},
	};
	const ends = await Promise.all(
		Object.entries(ways).map(async ([way, end]) => {
			const {code, signal, server} = await end();
			return [way, {end: code ?? signal, alive: server.alive()}] as const;
		}),
	);
	expect(Object.fromEntries(ends)).toEqual({
		end: {end: 0, alive: []},
		'closed pipe': {end: 141, alive: []},
		'by SIGINT': {end: 'SIGINT', alive: []},
		'by SIGTERM': {end: 'SIGTERM', alive: []},
		'by SIGKILL': {end: 'SIGKILL', alive: []},
		'by a bug': {end: 1, alive: []},
	});
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
