/** What is typed, as real terminals spell it, and what becomes of it. */
import {describe, expect, test} from 'vitest';
import {type ScriptedService, say, startScripted} from '../helpers/scripted-service.ts';
import {openTerminal, type TestTerminal} from '../helpers/terminal.ts';

const ready = 'Ask something; /help lists the commands';

type Stage = {readonly terminal: TestTerminal; readonly service: ScriptedService};

async function open(): Promise<Stage> {
	const service = await startScripted(say('answered'));
	const terminal = await openTerminal({env: service.env});
	await terminal.untilText(ready);
	return {terminal, service};
}

/** Sends what is in the editor, and waits for the answer. */
async function send({terminal, service}: Stage): Promise<unknown> {
	const count = service.bodies.length;
	terminal.press('enter');
	await terminal.until((screen) => service.bodies.length > count && screen.includes(ready));
	return service.bodies.at(-1)?.messages.at(-1)?.content;
}

test('keys that come in one chunk work as they were typed', async () => {
	const {terminal, service} = await open();
	terminal.type('hello\r');
	await terminal.untilText('answered');
	terminal.type('worse\x01better or \x1b[F\x7f?\r');
	await terminal.until((screen) => service.bodies.length === 2 && screen.includes(ready));
	const prompts = service.bodies.map(({messages}) => messages.at(-1)?.content);
	expect(prompts).toEqual(['hello', 'better or wors?']);
});

test('what is typed before there is a screen is not lost, and Enter sends it', async () => {
	const service = await startScripted(say('answered'));
	const terminal = await openTerminal({env: service.env});
	terminal.type('early\rdraft');
	await terminal.until((screen) => /answered[\s\S]*> draft/.test(screen));
	expect(service.bodies.map(({messages}) => messages.at(-1)?.content)).toEqual(['early']);
	// The terminal shows what is typed too early; none of it may stand in the frame.
	expect(terminal.screen().find((row) => row.includes('draft'))).toBe('> draft');
});

test('Backspace takes a family, a wide character, a letter with a mark and a flag at once', async () => {
	const stage = await open();
	const graphemes = ['👨‍👩‍👧', '日', 'e\u0301', '🇩🇪'];
	stage.terminal.type(`a${graphemes.join('')}`);
	await stage.terminal.untilText(/^> a./m);
	for (const _ of graphemes) stage.terminal.press('backspace');
	stage.terminal.type('z');
	await stage.terminal.untilText('> az');
	expect(await send(stage)).toBe('az');
});

test('a new line is made as every terminal spells it', async () => {
	const stage = await open();
	const kitty = '\x1b[13;2u';
	const xterm = '\x1b[27;2;13~';
	const alt = '\x1b\r';
	stage.terminal.type(`one${kitty}two${xterm}three${alt}four\nfive\\\rsix`);
	await stage.terminal.untilText('> one\n  two\n  three\n  four\n  five\n  six');
	expect(await send(stage)).toBe('one\ntwo\nthree\nfour\nfive\nsix');
});

describe('a paste', () => {
	const lines = Array.from({length: 300}, (_, index) => `line ${index + 1}\tof 300`);

	test('of 300 lines is one folded paste, and is sent in full', async () => {
		const stage = await open();
		stage.terminal.type('Sum this up: ');
		stage.terminal.paste(`${lines.join('\n')}\n`);
		await stage.terminal.untilText('> Sum this up: [Pasted 300 lines #1]');
		stage.terminal.type('please');
		await stage.terminal.untilText('#1]please');
		expect(await send(stage)).toBe(`Sum this up: ${lines.join('\n')}\nplease`);
		expect(stage.terminal.scrollback()).toContain('> Sum this up: [Pasted 300 lines #1]please');
		expect(stage.terminal.raw()).not.toContain('line 150');
	});

	test('with Enter in it sends nothing, and its control characters are gone', async () => {
		const stage = await open();
		stage.terminal.paste('first\n\x1b]0;title\x07/exit\n\x03');
		await stage.terminal.untilText('/exit');
		expect(await send(stage)).toBe('first\n/exit\n');
	});

	test('that never ends does not make it deaf', async () => {
		const {terminal} = await open();
		terminal.type('\x1b[200~half a paste');
		await terminal.untilText('> half a paste');
		terminal.press('ctrl+c');
		await terminal.untilText(ready);
		terminal.press('ctrl+c');
		await terminal.untilText('again to exit');
		terminal.press('ctrl+c');
		expect(await terminal.exit).toEqual({exitCode: 0, signal: 0});
	});
});

test('Ctrl-C of a Cyrillic layout clears the draft, which Up brings back', async () => {
	const stage = await open();
	stage.terminal.type('черновик');
	await stage.terminal.untilText('> черновик');
	stage.terminal.type('\x1b[1089::99;5u');
	await stage.terminal.untilText(ready);
	stage.terminal.press('up');
	await stage.terminal.untilText('> черновик');
	expect(await send(stage)).toBe('черновик');
});

test('answers of the terminal itself are never taken for keys', async () => {
	const stage = await open();
	stage.terminal.type(
		'a\x1b[?62;1;4c\x1b]11;rgb:1c1c/1c1c/1c1c\x1b\\\x1b[24;80R\x1b[I\x1b[O\x1bP1$r0m\x1b\\b',
	);
	await stage.terminal.untilText('> ab');
	expect(await send(stage)).toBe('ab');
});

test('a draft of many rows scrolls in its place, and the cursor stays in the window', async () => {
	const stage = await open();
	for (let line = 1; line <= 40; line += 1) stage.terminal.type(`row ${line}\n`);
	stage.terminal.type('last');
	await stage.terminal.untilText('last');
	const screen = stage.terminal.screen();
	expect(screen.filter((row) => row.includes('row ')).length).toBeLessThan(12);
	const {x, y} = stage.terminal.cursor();
	expect(screen[y]).toBe('  last');
	expect(x).toBe(6);
	stage.terminal.press(...Array.from({length: 39}, () => 'up'));
	await stage.terminal.untilText('  row 2\n');
	expect(stage.terminal.screen()[stage.terminal.cursor().y]).toMatch(/row 2$/);
});
