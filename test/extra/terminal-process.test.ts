/** Answers and sessions whose process, shell or files are the promise. */
import {cp, readdir, readlink, rm, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {ready} from '../e2e/story.ts';
import {builtProgram} from '../helpers/built-program.ts';
import {createGate, say, startScripted} from '../helpers/scripted-service.ts';
import {createTerminalHome, interactiveShell, openTerminal} from '../helpers/terminal.ts';

test('an answer has plain code when the highlighter is gone, as after an upgrade', async () => {
	const service = await startScripted(say('```js\nconst a = 1;\n```'));
	const home = await createTerminalHome();
	const root = join(dirname(builtProgram), '..');
	for (const folder of ['bin', 'dist'])
		await cp(join(root, folder), join(home, folder), {recursive: true});
	const chunks = join(home, 'dist/chunks');
	const highlighter = (await readdir(chunks)).filter((name) => name.startsWith('common-'));
	expect(highlighter).toHaveLength(1);
	for (const name of highlighter) await rm(join(chunks, name));
	await writeFile(join(home, 'package.json'), '{"type": "module"}');
	const terminal = await openTerminal({
		program: join(home, 'bin/chat.js'),
		argv: ['write'],
		env: service.env,
	});
	expect(await terminal.exit).toEqual({exitCode: 0, signal: 0});
	expect(terminal.screen()).toContain('const a = 1;');
});

test('text typed ahead of an answer is left to the shell', async () => {
	const gate = createGate();
	const service = await startScripted([{text: 'Slowly, '}, {gate}, {text: 'it ends.'}]);
	const terminal = await openTerminal({
		shell: interactiveShell,
		env: service.env,
	});
	await terminal.untilText('$ ');
	terminal.type('chat write\r');
	await terminal.untilText('Slowly,');
	terminal.type('echo $((40 + 2)) it is\r');
	gate.open();
	await terminal.untilText(/^42 it is$/m);
	expect(terminal.scrollback().join('\n')).toContain('Slowly, it ends.');
	terminal.type('exit\r');
	await terminal.exit;
});

test('-i answers piped text, then reads the keyboard', async () => {
	const service = await startScripted(say('Three words.'), say('Indeed.'));
	const shell = 'echo one two three | chat -i "count the words"';
	const terminal = await openTerminal({shell, env: service.env});
	await terminal.untilText(/Three words\.\n\n─+\n› \(Ask/);
	terminal.type('really?\r');
	await terminal.untilText(/Indeed\.\n\n─+\n› \(Ask/);
	const sent = service.bodies[1]?.messages.map(({content}) => content);
	expect(sent).toEqual(['one two three\n\ncount the words', 'Three words.', 'really?']);
	terminal.press('ctrl+d');
	expect(await terminal.exit).toEqual({exitCode: 0, signal: 0});
});

test('Ctrl-C during an answer ends the program by SIGINT, and keeps the text so far', async () => {
	const service = await startScripted([{text: 'This much '}, {gate: createGate()}]);
	const terminal = await openTerminal({argv: ['write'], env: service.env});
	await terminal.untilText('This much');
	terminal.press('ctrl+c');
	expect(await terminal.exit).toMatchObject({signal: 2});
	expect(terminal.screen().slice(0, 3)).toEqual(['This much', '', '  ◐ interrupted']);
	expect(terminal.modes().isCursorShown).toBe(true);
});

test('a prompt typed before the screen is drawn is sent, and a draft is kept', async () => {
	const service = await startScripted(say('answered'));
	const terminal = await openTerminal({env: service.env});
	terminal.type('early\rdraft');
	await terminal.until((screen) => /answered[\s\S]*› draft/.test(screen));
	expect(service.bodies.map(({messages}) => messages.at(-1)?.content)).toEqual(['early']);
	// The terminal echoes early keys; the frame must not contain them.
	expect(terminal.screen().find((row) => row.includes('draft'))).toBe('› draft');
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
