/** A session from its first line to its last, in a real terminal. */
import {readlink, writeFile} from 'node:fs/promises';
import {describe, expect, test} from 'vitest';
import {createGate, say, startScripted} from '../helpers/scripted-service.ts';
import {openTerminal} from '../helpers/terminal.ts';
import {openInProcess} from '../helpers/terminal-in-process.ts';
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

test('answers with the built-in service if none is configured, and says so', async () => {
	const terminal = await openInProcess();
	await terminal.untilText(ready);
	expect(terminal.screen().slice(2, 9)).toEqual([
		'  The built-in service answers by rules; there is no model behind it.',
		'  /connect connects a real one: OpenAI, Anthropic, Ollama, …',
		'',
		'  Try',
		'  show me every Markdown construct  lists, tables, code, formulas',
		'  think hard: write code in rust    reasoning, which Ctrl-O opens',
		'',
	]);
	terminal.type('count to 5\r');
	await terminal.untilText('1, 2, 3, 4, 5');
	await terminal.untilText(/ · \d+ tokens/);
	terminal.type('/exit\r');
	expect(await terminal.exit).toEqual({exitCode: 0, signal: 0});
});

test('-q leaves out the header', async () => {
	const {terminal, ask} = await openStory([say('Hello yourself.')], {argv: ['-q']});
	expect(terminal.screen()[1]).toBe(`› (${ready})`);
	await ask('Hello', 'yourself.');
	terminal.press('ctrl+d');
	await terminal.exit;
	expect(terminal.screen().join('\n').trimEnd()).toMatch(/^› Hello\n\nHello yourself\.$/);
});

describe('a session ends', () => {
	test('with two Ctrl-C in one chunk, with exit code 0', async () => {
		const service = await startScripted(say('unused'));
		const terminal = await openTerminal({env: service.env});
		await terminal.untilText(ready);
		terminal.type('\x03\x03');
		expect(await terminal.exit).toEqual({exitCode: 0, signal: 0});
		expect(terminal.modes()).toEqual(restored);
	});

	test('during an answer, and keeps what came of it', async () => {
		const reply = [{text: 'The first part.\n\nAnd '}, {gate: createGate()}];
		const {terminal} = await openStory([reply]);
		terminal.type('go on\r');
		await terminal.untilText('And');
		terminal.press('ctrl+d');
		await terminal.untilText('press Ctrl-D again to exit');
		terminal.press('ctrl+d');
		expect(await terminal.exit).toEqual({exitCode: 0, signal: 0});
		const lines = terminal.scrollback().map((line) => line.trim());
		expect(lines).toEqual(expect.arrayContaining(['The first part.', 'And']));
	});

	test('by SIGHUP when its window is closed', async () => {
		const service = await startScripted([{text: 'It starts '}, {gate: createGate()}]);
		const terminal = await openTerminal({env: service.env});
		await terminal.untilText(ready);
		terminal.type('go on\r');
		await terminal.untilText('It starts');
		terminal.hangUp();
		expect(await terminal.exit).toMatchObject({signal: 1});
	});
});

test('Ctrl-L clears the window, foreign output included, and redraws the prompt at the top', async () => {
	const service = await startScripted(say('answered'));
	const terminal = await openTerminal({env: service.env});
	await terminal.untilText(ready);
	terminal.type('hello\r');
	await terminal.untilText(/answered\n\n─+\n› \(Ask/);
	terminal.type('a draft');
	await terminal.untilText('› a draft');
	await writeFile(await readlink(`/proc/${terminal.pid}/fd/1`), 'some\n\x1b[31mbody\nelse');
	await terminal.untilText('else');
	terminal.press('ctrl+l');
	await terminal.until((screen) => /^\n?─+\n› a draft\n─+\nMODEL-5.6-sol/.test(screen));
	expect(terminal.screen().slice(5).join('')).toBe('');
	expect(terminal.cursor().x).toBe('› a draft'.length);
	expect(terminal.scrollback()).toContain('answered');
});
