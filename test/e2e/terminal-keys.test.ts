/** Typed keys, in the encodings of real terminals. */
import {describe, expect, test} from 'vitest';
import {type ScriptedService, say, startScripted} from '../helpers/scripted-service.ts';
import {openTerminal} from '../helpers/terminal.ts';
import {openInProcess} from '../helpers/terminal-in-process.ts';
import type {TestTerminal} from '../helpers/terminal-screen.ts';

const ready = 'Ask something';

type Stage = {readonly terminal: TestTerminal; readonly service: ScriptedService};

async function open(env: Readonly<Record<string, string>> = {}): Promise<Stage> {
	const service = await startScripted(say('answered'));
	const terminal = await openInProcess({env: {...service.env, ...env}});
	await terminal.untilText(ready);
	return {terminal, service};
}

/** Sends the draft, waits for the answer, and returns the prompt as sent. */
async function send({terminal, service}: Stage): Promise<unknown> {
	const count = service.bodies.length;
	terminal.press('enter');
	await terminal.until((screen) => service.bodies.length > count && screen.includes(ready));
	return service.bodies.at(-1)?.messages.at(-1)?.content;
}

test('keeps text typed before the screen is drawn, and sends it at Enter', async () => {
	const service = await startScripted(say('answered'));
	const terminal = await openTerminal({env: service.env});
	terminal.type('early\rdraft');
	await terminal.until((screen) => /answered[\s\S]*› draft/.test(screen));
	expect(service.bodies.map(({messages}) => messages.at(-1)?.content)).toEqual(['early']);
	// The terminal echoes early keys; the frame must not contain them.
	expect(terminal.screen().find((row) => row.includes('draft'))).toBe('› draft');
});

test('takes a line end for Enter if it was typed before raw mode', async () => {
	const service = await startScripted(say('answered'));
	const terminal = await openInProcess({env: service.env});
	terminal.type('early\rdraft');
	await terminal.untilText('answered');
	expect(service.bodies.map(({messages}) => messages.at(-1)?.content)).toEqual(['early']);
});

test('inserts a new line for every encoding of its keys', async () => {
	const stage = await open();
	const kitty = '\x1b[13;2u';
	const xterm = '\x1b[27;2;13~';
	const control = '\x1b[27;5;13~';
	const alt = '\x1b\r';
	stage.terminal.type(`one${kitty}two${xterm}three${control}four${alt}five\nsix\\\rseven`);
	const lines = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];
	await stage.terminal.untilText(`› ${lines.join('\n  ')}`);
	expect(await send(stage)).toBe(lines.join('\n'));
});

describe('a paste', () => {
	const lines = Array.from({length: 300}, (_, index) => `line ${index + 1}\tof 300`);

	test('of 300 lines is folded, and sent in full', async () => {
		const stage = await open();
		stage.terminal.type('Sum this up: ');
		stage.terminal.paste(`${lines.join('\n')}\n`);
		await stage.terminal.untilText('› Sum this up: [Pasted 300 lines #1]');
		stage.terminal.type('please');
		await stage.terminal.untilText('#1]please');
		expect(await send(stage)).toBe(`Sum this up: ${lines.join('\n')}\nplease`);
		expect(stage.terminal.scrollback()).toContain('› Sum this up: [Pasted 300 lines #1]please');
		expect(stage.terminal.raw()).not.toContain('line 150');
	});

	test('with Enter in it sends nothing, and loses its control characters', async () => {
		const stage = await open();
		stage.terminal.paste('first\n\x1b]0;title\x07/exit\n\x03');
		await stage.terminal.untilText('/exit');
		expect(await send(stage)).toBe('first\n/exit\n');
	});
});
