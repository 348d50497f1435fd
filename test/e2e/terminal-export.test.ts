/** `/export` in a session: the conversation as a new file. */
import {readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {say, startScripted} from '../helpers/scripted-service.ts';
import {openInProcess} from '../helpers/terminal-in-process.ts';
import {readExport} from '../sessions/read-export.ts';

const ready = 'Ask something';
const key = 'sk-secret-key-0123456789';

test('writes files for the user alone, never over another, and without the key', async () => {
	const service = await startScripted(say(`Gulliver, ${key}`));
	const terminal = await openInProcess({env: {...service.env, CHAT_API_KEY: key}});
	const {home} = terminal;
	const run = async (line: string, reply: string | RegExp) => {
		terminal.type(`${line}\r`);
		await terminal.untilText(reply);
		await terminal.untilText(ready);
	};
	await terminal.untilText(ready);
	await run('/export', 'there is no answer to export yet');
	await run('Name a bird: "white"!', 'Gulliver');
	await run('/export', 'exported to Name-a-bird-white.md');
	const path = join(home, 'Name-a-bird-white.md');
	const markdown = readFileSync(path, 'utf8');
	expect(statSync(path).mode & 0o777).toBe(0o600);
	expect(markdown).not.toContain(key);
	const {title, conversation} = readExport(markdown);
	expect(title).toBe('Name a bird: "white"!');
	expect(conversation.turns).toMatchObject([
		{prompt: {text: 'Name a bird: "white"!'}, messages: [{parts: [{type: 'text'}]}]},
	]);
	await run('/export', /Name-a-bird-white\.md exists already; \/export Name-a-bird-white-2\.md/);
	expect(readFileSync(path, 'utf8')).toBe(markdown);
	await run('/export ~/page.html', /exported to (?:.*\n){0,3}.*page\.html/);
	expect(readFileSync(join(home, 'page.html'), 'utf8')).toMatch(/^<!doctype html>/);
	await run('/export "my birds.json"', 'exported to my birds.json');
	const json = readExport(readFileSync(join(home, 'my birds.json'), 'utf8'));
	expect(json.conversation).toEqual(conversation);
	await run('/export notes.txt', /"notes\.txt" does not end in one of \.md, \.json, \.html/);
	writeFileSync(join(home, 'file'), '');
	await run('/export file/a.md', /cannot write file\/a\.md: ENOTDIR/);
	terminal.type('/exit\r');
	expect(await terminal.exit).toMatchObject({exitCode: 0});
});
