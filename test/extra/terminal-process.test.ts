/** Single answers whose process, shell or files are the promise. */
import {cp, readdir, rm, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
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
