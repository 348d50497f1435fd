/** Slash commands in a terminal, and the requests after them. */
import {readFileSync, statSync} from 'node:fs';
import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {createGate, say} from '../helpers/scripted-service.ts';
import {makeSolidPng} from '../server/helpers/images.ts';
import {readExport} from '../sessions/read-export.ts';
import {openStory, ready} from './story.ts';

const png = makeSolidPng(1, 1, [255, 0, 0]);
const url = `data:image/png;base64,${png.toString('base64')}`;
const imageOf = (text: string) => [
	{type: 'text', text},
	{type: 'image_url', image_url: {url}},
];

test('/image and /file attach to the next prompt only', async () => {
	// Wide enough for the path of any home folder.
	const story = await openStory([say('ok')], {columns: 300});
	const {terminal, send, sent} = story;
	const {home} = terminal;
	const command = async (line: string, said: string | RegExp) => {
		terminal.type(`${line}\r`);
		await terminal.untilText(said);
	};
	await writeFile(join(home, 'red dot.png'), png);
	await writeFile(join(home, 'notes.txt'), 'remember the milk\n');
	await command('/image red dot.png', 'attached [image red dot.png]');
	await command('/file "notes.txt"', 'attached [file notes.txt]');
	await terminal.untilText(/^\[image red dot.png\] \[file notes.txt\]\n─+\n› /m);
	await send('what is this?');
	const file = '<file name="notes.txt">\nremember the milk\n</file>\n\nwhat is this?';
	expect(sent()).toEqual([imageOf(file)]);
	await terminal.untilText(/^ {2}\[image red dot\.png\] \[file notes\.txt\]$/m);
	await send('and now?');
	expect(sent().at(-1)).toBe('and now?');
	await command('/file ~/notes.txt', `attached [file ${home}/notes.txt]`);
	await command('/detach', `detached [file ${home}/notes.txt]`);
	const wrong = /notes.txt is not an image.*\n.*Attach a text file with \/file/;
	await command('/image notes.txt', wrong);
	await command('/file nowhere.txt', 'no such file: nowhere.txt');
	await send('still there?');
	expect(sent().at(-1)).toBe('still there?');
});

test('a mention of the menu and a file that is dropped go with their prompts', async () => {
	const {terminal, send, sent} = await openStory([say('ok')]);
	await mkdir(join(terminal.home, 'docs'));
	await writeFile(join(terminal.home, 'docs', 'my notes.txt'), 'uno');
	terminal.type('see @note');
	await terminal.untilText('› docs/my notes.txt');
	terminal.type('\r');
	await terminal.untilText('› see @"docs/my notes.txt"');
	await send('please');
	expect(sent().at(-1)).toContain('uno\n</file>');
	const path = join(terminal.home, 'red dot.png');
	await writeFile(path, png);
	terminal.type('what is ');
	terminal.paste(`'${path}'`);
	await terminal.untilText('› what is [Image #1');
	await send('?');
	expect(sent().at(-1)).toEqual(imageOf('what is [Image #1]?'));
	terminal.paste(`${terminal.home}/nothing.png`);
	await terminal.untilText(/nothing.png$/m);
});

test('help and tables shown during an answer leave no row in the scrollback', async () => {
	const gate = createGate();
	const replies = [[{text: 'First.\n\n```js\nlet a;\n'}, {gate}, {text: '```'}]];
	const {terminal, sent} = await openStory(replies);
	terminal.type('?');
	await terminal.untilText('Ctrl-O, Alt-T');
	terminal.type('x\r');
	await terminal.untilText('let a;');
	const lines = {'/usage': /turn 1 .*–/, '/help': /\/resume/, '/nope': /\/nope;/};
	for (const [line, shown] of Object.entries(lines)) {
		terminal.press('ctrl+u');
		terminal.type(`${line}\r`);
		await terminal.untilText(shown);
	}
	terminal.press('ctrl+u');
	gate.open();
	await terminal.untilText(ready);
	expect(sent()).toEqual(['?x']);
	const rows = terminal.scrollback().filter((row) => row !== '');
	const [above, below] = [expect.stringMatching(/^js ─+ \/copy 1$/), expect.stringMatching(/^─+$/)];
	expect(rows.slice(1)).toEqual([
		...['› ?x', 'First.', above, 'let a;', below],
		...[below, `› (${ready})`, below, expect.stringMatching(/^MODEL-5.6-sol /)],
	]);
});

test('/export writes files for the user alone, never over another, and without the key', async () => {
	const key = 'sk-secret-key-0123456789';
	const story = await openStory([say(`Gulliver, ${key}`)], {env: {CHAT_API_KEY: key}});
	const {ask, leave, terminal} = story;
	await ask('/export', 'there is no answer to export yet');
	await ask('Name a bird: "white"!', 'Gulliver');
	await ask('/export', 'exported to Name-a-bird-white.md');
	const path = join(terminal.home, 'Name-a-bird-white.md');
	const markdown = readFileSync(path, 'utf8');
	expect(statSync(path).mode & 0o777).toBe(0o600);
	expect(markdown).not.toContain(key);
	const {title, conversation} = readExport(markdown);
	expect(title).toBe('Name a bird: "white"!');
	expect(conversation.turns).toMatchObject([{prompt: {text: title}}]);
	await ask('/export', /Name-a-bird-white\.md exists already; \/export Name-a-bird-white-2\.md/);
	expect(readFileSync(path, 'utf8')).toBe(markdown);
	await ask('/export ~/page.html', /exported to (?:.*\n){0,3}.*page\.html/);
	expect(readFileSync(join(terminal.home, 'page.html'), 'utf8')).toMatch(/^<!doctype html>/);
	await ask('/export "my birds.json"', 'exported to my birds.json');
	const json = readFileSync(join(terminal.home, 'my birds.json'), 'utf8');
	expect(readExport(json).conversation).toEqual(conversation);
	await ask('/export notes.txt', /"notes\.txt" does not end in one of \.md, \.json, \.html/);
	await writeFile(join(terminal.home, 'file'), '');
	await ask('/export file/a.md', /cannot write file\/a\.md: ENOTDIR/);
	await leave();
});
