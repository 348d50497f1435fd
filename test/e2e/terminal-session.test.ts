/** A session from its first line to its last, in a real terminal. */
import {readFileSync} from 'node:fs';
import {rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {startServer} from '../../src/server/server.ts';
import {say} from '../helpers/scripted-service.ts';
import {createHome} from '../helpers/settings-home.ts';
import {openInProcess} from '../helpers/terminal-in-process.ts';
import {createDirectory, pixelPng} from '../input/input-helpers.ts';
import {openStory, ready} from './story.ts';

const restored = {
	...{isCursorShown: true, isPasteBracketed: false, keyboardFlags: 0, isModifyingKeys: false},
};
const rule = expect.stringMatching(/^─+$/);

test('answers a prompt, folds its reasoning to one line, and exits at Ctrl-D', async () => {
	const reasoning = 'A greeting wants a greeting.';
	const {terminal} = await openStory([[{reasoning}, {text: 'Hello yourself, **Ada**!'}]]);
	expect(terminal.screen().slice(0, 6)).toEqual([
		expect.stringMatching(/^ {2}chat \d.* {3}MODEL-5.6-sol at 127.0.0.1:\d+ {3}~$/),
		...['', rule, `› (${ready})`, rule, expect.stringMatching(/^MODEL-5.6-sol /)],
	]);
	expect(terminal.cursor()).toEqual({x: 2, y: 3});
	terminal.type('Hello there');
	await terminal.untilText('› Hello there');
	terminal.press('enter');
	await terminal.untilText(ready);
	const shown = terminal.screen();
	expect(shown.slice(shown.indexOf('› Hello there')).slice(0, 8)).toEqual([
		...['› Hello there', ''],
		expect.stringMatching(/^▸ Thought for (a moment|\d\.\d s) {3}\/reasoning 1$/),
		...['', 'Hello yourself, Ada!', '', rule, `› (${ready})`],
	]);
	terminal.press('ctrl+d');
	expect(await terminal.exit).toEqual({exitCode: 0, signal: 0});
	expect(terminal.screen().join('\n')).toContain('Hello yourself, Ada!');
	expect(terminal.screen().join('\n')).not.toContain(ready);
	expect(terminal.modes()).toEqual(restored);
});

test('the first prompt has the files of the command line; -q leaves out the header', async () => {
	const cwd = createDirectory({'notes.md': 'remember the milk\n', 'dot.png': pixelPng});
	const argv = ['-q', '-f', 'notes.md', '--image', 'dot.png'];
	const {terminal, send, sent} = await openStory([say('Nice.')], {argv, cwd});
	expect(terminal.screen().slice(0, 3)).toEqual([
		...['[file notes.md] [image dot.png]', rule, `› (${ready})`],
	]);
	await send('and now?');
	const content = JSON.stringify(sent());
	expect(content).toMatch(/remember the milk.*and now\?.*data:image\/png;base64,/);
	terminal.press('ctrl+d');
	await terminal.exit;
	const files = '  [file notes.md] [image dot.png]';
	expect(terminal.screen().join('\n').trimEnd()).toBe(`› and now?\n${files}\n\nNice.`);
});

test('an answer without the form of the schema is reported, and kept', async () => {
	const texts = ['{"name":1}', '```json\n{"name":"Ada"}\n```', 'No.'];
	const cwd = createDirectory({'s.json': '{"properties":{"name":{"type":"string"}}}'});
	const argv = ['--json-schema', 's.json', '-i', 'one'];
	const {terminal, ask, send, sent} = await openStory(texts.map(say), {argv, cwd});
	const misfit = /{"name":1}\n\n {2}· the answer does not match the schema: name must be string/;
	await terminal.untilText(misfit);
	await send('two');
	expect(terminal.screen().join('\n').split('match the schema')).toHaveLength(2);
	await ask('/set response_format json_object', 'response_format: json_object');
	await ask('three', /No\.\n\n {2}· the answer is not valid JSON/);
	expect(sent()).toHaveLength(5);
});

describe('a rejected key', () => {
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
		const argv = ['-m', 'sol', '--api-key-file', 'key'];
		const replies = [denied, {status: 400, message: 'not a-new-key-0123'}];
		const {terminal} = await openStory(replies, {argv, cwd});
		terminal.type('hi\r');
		await terminal.untilText(refusal);
		await writeFile(join(cwd, 'key'), 'a-new-key-0123');
		terminal.press('enter');
		await terminal.untilText('not [redacted]');
	});
});
