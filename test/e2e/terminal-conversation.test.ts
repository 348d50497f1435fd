/** The requests of a session, turn after turn, after turns that fail as well. */
import {readFileSync} from 'node:fs';
import {rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {startServer} from '../../src/server/server.ts';
import {
	createGate,
	type ScriptedReply,
	type ScriptedService,
	say,
	startScripted,
} from '../helpers/scripted-service.ts';
import {createHome} from '../helpers/settings-home.ts';
import {openInProcess} from '../helpers/terminal-in-process.ts';
import type {TestTerminal} from '../helpers/terminal-screen.ts';
import {createDirectory, pixelPng} from '../input/input-helpers.ts';

const ready = 'Ask something';

type Stage = {readonly terminal: TestTerminal; readonly service: ScriptedService};

async function open(
	replies: readonly ScriptedReply[],
	argv: readonly string[] = [],
): Promise<Stage> {
	const service = await startScripted(...replies);
	const terminal = await openInProcess({argv, env: service.env});
	await terminal.untilText(ready);
	return {terminal, service};
}

test('attaches the files and images of the command line to the first prompt', async () => {
	const service = await startScripted(say('Nice.'), say('Nice.'));
	const cwd = createDirectory({'notes.md': 'remember the milk\n', 'dot.png': pixelPng});
	const argv = ['-f', 'notes.md', '--image', 'dot.png'];
	const terminal = await openInProcess({argv, env: service.env, cwd});
	await terminal.untilText('[file notes.md] [image dot.png]');
	await ask({terminal, service}, 'and now?');
	const content = JSON.stringify(service.bodies[0]?.messages?.at(-1)?.content);
	expect(content).toContain('remember the milk');
	expect(content).toContain('and now?');
	expect(content).toContain('data:image/png;base64,');
	expect(terminal.screen().join('\n')).not.toContain('remember the milk');
});

test('reports an answer without the form of the schema, and keeps it', async () => {
	const replies = [say('{"name":1}'), say('```json\n{"name":"Ada"}\n```'), say('No.'), say('[]')];
	const service = await startScripted(...replies);
	const cwd = createDirectory({'s.json': '{"properties":{"name":{"type":"string"}}}'});
	const argv = ['--json-schema', 's.json', '-i', 'one'];
	const terminal = await openInProcess({argv, env: service.env, cwd});
	const stage = {terminal, service};
	await terminal.untilText(
		/{"name":1}\n\n {2}· the answer does not match the schema: name must be string/,
	);
	await ask(stage, 'two');
	expect(terminal.screen().join('\n').split('match the schema')).toHaveLength(2);
	terminal.type('/set response_format json_object\r');
	await terminal.untilText('response_format: json_object');
	await ask(stage, 'three');
	await terminal.untilText(/No\.\n\n {2}· the answer is not valid JSON/);
	terminal.type('/set response_format\r');
	await terminal.untilText('response_format: not set');
	await ask(stage, 'four');
	expect(terminal.screen().join('\n')).not.toMatch(/\[\]\n+the answer/);
	const messages = service.bodies.at(-1)?.messages ?? [];
	expect(messages.map(({role}) => role).join(' ')).toBe(`${'user assistant '.repeat(3)}user`);
});

describe('a rejected key', () => {
	const argv = ['-m', 'sol', '--api-key-file', 'key'];
	const refusal = /It\s+is\s+read\s+again\s+before\s+the\s+next\s+prompt/;

	test('of a command is asked for again, and Ctrl-C ends the wait for it', async () => {
		const server = await startServer({host: '127.0.0.1', port: 0, apiKey: 'the-right-key-0123'});
		onTestFinished(() => server.close());
		const script = 'echo run >> runs; [ -e slow ] && sleep 60; cat key';
		const cwd = createDirectory({key: 'a-wrong-key-0123'});
		const config = {
			'base-url': server.url,
			model: 'sol',
			'api-key-command': ['sh', '-c', `cd "${cwd}"; ${script}`],
		};
		const {home} = createHome({config});
		const terminal = await openInProcess({env: {HOME: home, XDG_CONFIG_HOME: undefined}, cwd});
		await terminal.untilText(ready);
		terminal.type('My name is Ada\r');
		await terminal.untilText(refusal);
		await writeFile(join(cwd, 'slow'), '');
		terminal.press('enter');
		await terminal.until(() => readFileSync(join(cwd, 'runs'), 'utf8') === 'run\nrun\n');
		terminal.press('ctrl+c');
		await terminal.untilText('interrupted; the prompt is the draft again');
		await rm(join(cwd, 'slow'));
		await writeFile(join(cwd, 'key'), 'the-right-key-0123');
		terminal.press('enter');
		await terminal.untilText(/^ {2}· the key was read again$/m);
		await terminal.untilText(/\d tokens/);
	});

	test('and its replacement are never shown', async () => {
		const denied = {status: 401, message: 'denied'};
		const service = await startScripted(denied, {status: 400, message: 'not a-new-key-0123'});
		const cwd = createDirectory({key: 'a-wrong-key-0123'});
		const terminal = await openInProcess({argv, env: service.env, cwd});
		await terminal.untilText(ready);
		terminal.type('hi\r');
		await terminal.untilText(refusal);
		await writeFile(join(cwd, 'key'), 'a-new-key-0123');
		terminal.press('enter');
		await terminal.untilText('not [redacted]');
	});
});

/** Sends a line, and waits for the end of the answer. */
async function ask({terminal, service}: Stage, line: string): Promise<void> {
	const count = service.bodies.length;
	terminal.type(`${line}\r`);
	await terminal.until((screen) => service.bodies.length > count && screen.includes(ready));
}

/** Returns the messages of the last request, as `role: content`. */
function sent({bodies}: ScriptedService): readonly string[] {
	return (bodies.at(-1)?.messages ?? []).map(
		({role, content}) =>
			`${role}: ${typeof content === 'string' ? content : JSON.stringify(content)}`,
	);
}

test('keeps the text of an interrupted answer, and marks it', async () => {
	const stage = await open([[{text: 'Partly '}, {gate: createGate()}], say('ok')]);
	const {terminal, service} = stage;
	terminal.type('start\r');
	await terminal.untilText('Partly');
	terminal.press('ctrl+c');
	await terminal.untilText(/Partly\n\n {2}◐ interrupted · \/continue goes on, \/retry asks again\n/);
	await ask(stage, 'continue');
	expect(sent(service)).toEqual([
		'user: start',
		expect.stringMatching(/^assistant: Partly ?$/),
		'user: continue',
	]);
	expect(service.abandoned()).toBe(1);
});
