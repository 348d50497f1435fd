/** The requests of a session, turn after turn, after turns that fail as well. */
import {readFileSync} from 'node:fs';
import {rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {startServer} from '../../src/server/server.ts';
import {createGate, say} from '../helpers/scripted-service.ts';
import {createHome} from '../helpers/settings-home.ts';
import {openInProcess} from '../helpers/terminal-in-process.ts';
import {createDirectory, pixelPng} from '../input/input-helpers.ts';
import {openStory, ready} from './story.ts';

test('attaches the files and images of the command line to the first prompt', async () => {
	const cwd = createDirectory({'notes.md': 'remember the milk\n', 'dot.png': pixelPng});
	const argv = ['-f', 'notes.md', '--image', 'dot.png'];
	const {terminal, send, sent} = await openStory([say('Nice.')], {argv, cwd});
	await terminal.untilText('[file notes.md] [image dot.png]');
	await send('and now?');
	const content = JSON.stringify(sent());
	expect(content).toMatch(/remember the milk.*and now\?.*data:image\/png;base64,/);
	expect(terminal.screen().join('\n')).not.toContain('remember the milk');
});

test('reports an answer without the form of the schema, and keeps it', async () => {
	const texts = ['{"name":1}', '```json\n{"name":"Ada"}\n```', 'No.', '[]'];
	const cwd = createDirectory({'s.json': '{"properties":{"name":{"type":"string"}}}'});
	const argv = ['--json-schema', 's.json', '-i', 'one'];
	const {terminal, ask, send, sent} = await openStory(texts.map(say), {argv, cwd});
	const misfit = /{"name":1}\n\n {2}· the answer does not match the schema: name must be string/;
	await terminal.untilText(misfit);
	await send('two');
	expect(terminal.screen().join('\n').split('match the schema')).toHaveLength(2);
	await ask('/set response_format json_object', 'response_format: json_object');
	await ask('three', /No\.\n\n {2}· the answer is not valid JSON/);
	await ask('/set response_format', 'response_format: not set');
	await send('four');
	expect(terminal.screen().join('\n')).not.toMatch(/\[\]\n+the answer/);
	expect(sent()).toHaveLength(7);
});

describe('a rejected key', () => {
	const argv = ['-m', 'sol', '--api-key-file', 'key'];
	const refusal = /It\s+is\s+read\s+again\s+before\s+the\s+next\s+prompt/;

	test('of a command is asked for again, and Ctrl-C ends the wait for it', async () => {
		const apiKey = 'the-right-key-0123';
		const server = await startServer({host: '127.0.0.1', port: 0, apiKey});
		onTestFinished(() => server.close());
		const cwd = createDirectory({key: 'a-wrong-key-0123'});
		const script = `cd "${cwd}"; echo run >> runs; [ -e slow ] && sleep 60; cat key`;
		const command = {'api-key-command': ['sh', '-c', script]};
		const {home} = createHome({config: {'base-url': server.url, model: 'sol', ...command}});
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
		await writeFile(join(cwd, 'key'), apiKey);
		terminal.press('enter');
		await terminal.untilText(/^ {2}· the key was read again$/m);
		await terminal.untilText(/\d tokens/);
	});

	test('and its replacement are never shown', async () => {
		const denied = {status: 401, message: 'denied'};
		const cwd = createDirectory({key: 'a-wrong-key-0123'});
		const replies = [denied, {status: 400, message: 'not a-new-key-0123'}];
		const {terminal} = await openStory(replies, {argv, cwd});
		terminal.type('hi\r');
		await terminal.untilText(refusal);
		await writeFile(join(cwd, 'key'), 'a-new-key-0123');
		terminal.press('enter');
		await terminal.untilText('not [redacted]');
	});
});

test('keeps the text of an interrupted answer, and marks it', async () => {
	const replies = [[{text: 'Partly '}, {gate: createGate()}], say('ok')];
	const {terminal, service, send, sent} = await openStory(replies);
	terminal.type('start\r');
	await terminal.untilText('Partly');
	terminal.press('ctrl+c');
	await terminal.untilText(
		/Partly\n\n {2}◐ interrupted · \/continue goes on, \/retry asks again\n/,
	);
	await send('continue');
	expect(sent()).toEqual(['start', expect.stringMatching(/^Partly ?$/), 'continue']);
	expect(service.abandoned()).toBe(1);
});
