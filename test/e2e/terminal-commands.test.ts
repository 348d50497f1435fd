/** Slash commands in a terminal, and the requests after them. */
import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {createGate, type ScriptedService, say, startScripted} from '../helpers/scripted-service.ts';
import {openInProcess} from '../helpers/terminal-in-process.ts';
import type {TestTerminal} from '../helpers/terminal-screen.ts';
import {makeSolidPng} from '../server/helpers/images.ts';

const ready = 'Ask something';

type Stage = {readonly terminal: TestTerminal; readonly service: ScriptedService};

/** Wide enough for the path of any home folder. */
const wide = 300;

async function open(columns = 80): Promise<Stage> {
	const service = await startScripted(say('ok'));
	const terminal = await openInProcess({env: service.env, columns});
	await terminal.untilText(ready);
	return {terminal, service};
}

async function ask({terminal, service}: Stage, line: string): Promise<void> {
	const count = service.bodies.length;
	terminal.type(`${line}\r`);
	await terminal.until((screen) => service.bodies.length > count && screen.includes(ready));
}

async function command({terminal}: Stage, line: string, said: string | RegExp): Promise<void> {
	terminal.type(`${line}\r`);
	await terminal.untilText(said);
}

test('/image and /file attach to the next prompt only', async () => {
	const stage = await open(wide);
	const {home} = stage.terminal;
	const png = makeSolidPng(1, 1, [255, 0, 0]);
	await writeFile(join(home, 'red dot.png'), png);
	await writeFile(join(home, 'notes.txt'), 'remember the milk\n');
	await command(stage, '/image red dot.png', 'attached [image red dot.png]');
	await command(stage, '/file "notes.txt"', 'attached [file notes.txt]');
	await stage.terminal.untilText(/^\[image red dot.png\] \[file notes.txt\]\n─+\n› /m);
	await ask(stage, 'what is this?');
	expect(stage.service.bodies[0]?.messages.at(-1)?.content).toEqual([
		{type: 'text', text: '<file name="notes.txt">\nremember the milk\n</file>\n\nwhat is this?'},
		{type: 'image_url', image_url: {url: `data:image/png;base64,${png.toString('base64')}`}},
	]);
	await stage.terminal.untilText(/^ {2}\[image red dot\.png\] \[file notes\.txt\]$/m);
	await ask(stage, 'and now?');
	expect(stage.service.bodies[1]?.messages.at(-1)?.content).toBe('and now?');
	await command(stage, '/file ~/notes.txt', `attached [file ${home}/notes.txt]`);
	await command(stage, '/file notes.txt', /^\[file .*\] \[file notes.tx.*\n─+\n› /m);
	await command(stage, '/file', /1 {2}\[file .*\n {2}2 {2}\[file notes.txt\]/);
	await command(stage, '/detach 1', `detached [file ${home}/notes.txt]`);
	await command(stage, '/detach', 'detached [file notes.txt]');
	await command(
		stage,
		'/image notes.txt',
		/notes.txt is not an image.*\n.*Attach a text file with \/file/,
	);
	await command(stage, '/file nowhere.txt', 'no such file: nowhere.txt');
	await ask(stage, 'still there?');
	expect(stage.service.bodies[2]?.messages.at(-1)?.content).toBe('still there?');
});

test('help and tables shown during an answer leave no row in the scrollback', async () => {
	const gate = createGate();
	const service = await startScripted([{text: 'First.\n\n```js\nlet a;\n'}, {gate}, {text: '```'}]);
	const terminal = await openInProcess({env: service.env});
	await terminal.untilText(ready);
	terminal.type('?');
	await terminal.untilText('Ctrl-O, Alt-T');
	terminal.type('x\r');
	await terminal.untilText('let a;');
	for (const [line, shown] of [
		['/usage', /turn 1 .*–/],
		['/help', '/resume'],
		['/nope', '/nope;'],
	] as const) {
		terminal.press('ctrl+u');
		terminal.type(`${line}\r`);
		await terminal.untilText(shown);
	}
	terminal.press('ctrl+u');
	gate.open();
	await terminal.untilText(ready);
	expect(service.bodies[0]?.messages.at(-1)?.content).toBe('?x');
	const rows = terminal.scrollback().filter((row) => row !== '');
	const [above, below] = [expect.stringMatching(/^js ─+ \/copy 1$/), expect.stringMatching(/^─+$/)];
	expect(rows.slice(1)).toEqual([
		...['› ?x', 'First.', above, 'let a;', below],
		...[below, `› (${ready})`, below, expect.stringMatching(/^MODEL-5.6-sol /)],
	]);
});

test('the menu lists files, and Enter inserts the selected one', async () => {
	const stage = await open();
	const {terminal} = stage;
	await mkdir(join(terminal.home, 'docs'));
	await writeFile(join(terminal.home, 'docs', 'my notes.txt'), 'uno');
	terminal.type('see @note');
	await terminal.untilText('› docs/my notes.txt');
	terminal.type('\r');
	await terminal.untilText('› see @"docs/my notes.txt"');
	await ask(stage, 'please');
	expect(stage.service.bodies[0]?.messages.at(-1)?.content).toContain('uno\n</file>');
});

test('a file that is dropped on the terminal becomes a chip, and its image is sent', async () => {
	const stage = await open();
	const {terminal, service} = stage;
	const path = join(terminal.home, 'red dot.png');
	const png = makeSolidPng(1, 1, [255, 0, 0]);
	await writeFile(path, png);
	terminal.type('what is ');
	terminal.paste(`'${path}'`);
	await terminal.untilText('› what is [Image #1');
	await ask(stage, '?');
	expect(service.bodies[0]?.messages.at(-1)?.content).toEqual([
		{type: 'text', text: 'what is [Image #1]?'},
		{type: 'image_url', image_url: {url: `data:image/png;base64,${png.toString('base64')}`}},
	]);
	terminal.paste(`${terminal.home}/nothing.png`);
	await terminal.untilText(/nothing.png$/m);
});
