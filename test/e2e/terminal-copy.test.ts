/** `/copy` and `/save` in a terminal: the clipboard programs are scripts, the sequences are exact bytes. */
import {existsSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {
	createGate,
	type ScriptedReply,
	type ScriptedService,
	startScripted,
} from '../helpers/scripted-service.ts';
import {openInProcess} from '../helpers/terminal-in-process.ts';
import type {TestTerminal} from '../helpers/terminal-screen.ts';
import {readExport} from '../sessions/read-export.ts';

const ready = 'Ask something';
const python = `def f():\n\treturn "${'long '.repeat(30)}é🌸"`;
const shell = 'ls -l | wc';
const answer = `First *this*:\n\n\`\`\`python\n${python}\n\`\`\`\n\nThen:\n\n\`\`\`sh\n${shell}\n\`\`\`\n`;

type Stage = {readonly terminal: TestTerminal; readonly service: ScriptedService};

async function open(
	reply: ScriptedReply,
	env: Readonly<Record<string, string>> = {},
): Promise<Stage> {
	const service = await startScripted(reply);
	const terminal = await openInProcess({env: {...service.env, CHAT_API_KEY: 'sk-secret', ...env}});
	await terminal.untilText(ready);
	return {terminal, service};
}

async function openAnswered(text: string, env?: Readonly<Record<string, string>>): Promise<Stage> {
	const stage = await open([{reasoning: 'Hmm.\nWell.'}, {text}], env);
	await ask(stage, 'How?');
	return stage;
}

async function ask({terminal, service}: Stage, prompt: string): Promise<void> {
	const count = service.bodies.length;
	terminal.type(`${prompt}\r`);
	// The echo of the prompt may have left the window.
	const isEchoed = () => terminal.scrollback().some((row) => row.startsWith(`› ${prompt}`));
	await terminal.until((screen) => {
		return service.bodies.length > count && screen.includes(ready) && isEchoed();
	});
}

/** Puts a program into the path that keeps what it gets, and stays in the background as xclip does. */
function install({home}: TestTerminal, name: string): {readonly copied: () => Buffer} {
	const path = join(home, `${name}.copied`);
	const lines = [
		'#!/bin/sh',
		`cat > "${path}.new"; echo "$*" > "${path}.argv"; env > "${path}.env"`,
		`sleep 60 & echo $! > "${path}.pid"`,
		`mv "${path}.new" "${path}"`,
	];
	writeFileSync(join(home, name), `${lines.join('\n')}\n`, {mode: 0o755});
	return {copied: () => readFileSync(path)};
}

function readBeside({home}: TestTerminal, name: string): string {
	return readFileSync(join(home, name), 'utf8');
}

test('/copy gives xclip the exact source, by stdin and without our keys', async () => {
	const {terminal} = await openAnswered(answer, {DISPLAY: ':0'});
	const {copied} = install(terminal, 'xclip');
	const copy = async (line: string, source: string, said: string) => {
		terminal.type(line);
		await terminal.untilText(said);
		expect(copied().toString()).toBe(source);
		terminal.press('ctrl+u');
	};
	await copy('/copy\r', answer, `copied ${Array.from(answer).length} characters, 12 lines`);
	await copy('/copy 1\r', python, 'characters, 2 lines');
	await copy('/copy 2\r', shell, 'copied 10 characters, 1 line');
	await copy('/copy py\r', python, 'characters, 2 lines');
	await copy('/copy Bash\r', shell, 'copied 10 characters, 1 line');
	await copy('/copy reasoning\r', 'Hmm.\nWell.', 'copied 10 characters, 2 lines');
	terminal.press('alt+c');
	await terminal.untilText('12 lines');
	expect(copied().toString()).toBe(answer);
	terminal.type('/copy all\r');
	await terminal.until(() => copied().includes('How?'));
	// The line about it would replace the next one.
	await terminal.untilText(`copied ${Array.from(copied().toString()).length} characters`);
	expect(readExport(copied().toString()).conversation.turns).toMatchObject([
		{prompt: {text: 'How?'}, messages: [{parts: [{type: 'reasoning'}, {text: answer}]}]},
	]);
	terminal.type('/copy rust\r');
	await terminal.untilText('there is no code block in rust');
	terminal.type('/copy 3\r');
	await terminal.untilText('there are only 2 code blocks yet');
	expect(readBeside(terminal, 'xclip.copied.argv')).toBe('-selection clipboard\n');
	expect(readBeside(terminal, 'xclip.copied.env')).not.toContain('sk-secret');
	// The program that holds the clipboard lives on, also after the session.
	const pid = Number(readBeside(terminal, 'xclip.copied.pid'));
	terminal.press('ctrl+d', 'ctrl+u', 'ctrl+d');
	expect(await terminal.exit).toMatchObject({exitCode: 0});
	process.kill(pid, 'SIGKILL');
	// Nothing of it is left in the scrollback.
	expect(terminal.scrollback().join('\n')).not.toContain('copied');
});

test.each([
	['wl-copy', {WAYLAND_DISPLAY: 'wayland-0', DISPLAY: ':0'}, 'utf8'],
	['termux-clipboard-set', {TERMUX_VERSION: '0.118'}, 'utf8'],
	// UTF-16 without a byte order mark, which would become part of the text.
	['clip.exe', {WSL_DISTRO_NAME: 'Debian', DISPLAY: ':0'}, 'utf16le'],
	['xsel', {DISPLAY: ':0'}, 'utf8'],
] as const)('/copy uses %s', async (name, env, encoding) => {
	const {terminal} = await openAnswered(answer, env);
	const {copied} = install(terminal, name);
	terminal.type('/copy 1\r');
	await terminal.untilText('characters, 2 lines');
	expect(terminal.screen().join('\n')).not.toContain('through the terminal');
	expect(copied()).toEqual(Buffer.from(python, encoding));
	process.kill(Number(readBeside(terminal, `${name}.copied.pid`)), 'SIGKILL');
});

const payload = Buffer.from(python).toString('base64');
const piecesForScreen = `52;c;${payload}`.match(/.{1,240}/g) ?? [];

test.each([
	['without a clipboard program', {}, `\u001b]52;c;${payload}\u0007`],
	['over SSH', {SSH_TTY: '/dev/pts/1', DISPLAY: ':0'}, `\u001b]52;c;${payload}\u0007`],
	[
		'in tmux that cannot be asked',
		{TMUX: '/nowhere,1,0'},
		`\u001bPtmux;\u001b\u001b]52;c;${payload}\u0007\u001b\\`,
	],
	[
		'in GNU screen',
		{STY: '1.pts'},
		['\u001b]', ...piecesForScreen, '\u0007'].map((piece) => `\u001bP${piece}\u001b\\`).join(''),
	],
])('/copy asks the terminal %s', async (_, env, sequence) => {
	const {terminal} = await openAnswered(answer, env);
	const {copied} = install(terminal, 'xclip');
	terminal.type('/copy 1\r');
	await terminal.untilText(/2 lines \(through the terminal, which may\s+refuse\)/);
	expect(terminal.raw().split(sequence)).toHaveLength(2);
	expect(copied).toThrow('ENOENT');
});

test('/copy asks tmux to pass the text on, which it does whatever its settings are', async () => {
	const {terminal} = await openAnswered(answer, {TMUX: '/tmp/tmux,1,0', SSH_TTY: '/dev/pts/1'});
	const {copied} = install(terminal, 'tmux');
	terminal.type('/copy 2\r');
	await terminal.untilText('1 line (through the terminal, which may refuse)');
	expect(copied().toString()).toBe(shell);
	expect(readBeside(terminal, 'tmux.copied.argv')).toBe('load-buffer -w -\n');
	expect(terminal.raw()).not.toContain('52;c;');
	process.kill(Number(readBeside(terminal, 'tmux.copied.pid')), 'SIGKILL');
});

test('/copy says when a text is too large for a terminal, and a program that fails is passed over', async () => {
	const limit = 74_994;
	const {terminal} = await openAnswered('x'.repeat(limit), {DISPLAY: ':0'});
	writeFileSync(join(terminal.home, 'xclip'), '#!/bin/sh\nexit 1\n', {mode: 0o755});
	terminal.type('/copy\r');
	await terminal.untilText('copied 74,994 characters, 1 line (through the terminal');
	terminal.type('/copy all\r');
	await terminal.untilText(
		/takes at most\s+74,994\s+bytes,\s+not\s+\d\d,\d{3}\s+bytes;\s+\/save\s+writes/,
	);
});

test('control characters are left out of what is copied, and not of what is saved', async () => {
	const {terminal} = await openAnswered('```sh\necho\u001b[201~ a\tb\n```', {DISPLAY: ':0'});
	const {copied} = install(terminal, 'xclip');
	terminal.type('/copy sh\r');
	await terminal.untilText('copied 13 characters, 1 line, without 1 control character');
	expect(copied().toString()).toBe('echo[201~ a\tb');
	terminal.type('/save 1 a.sh\r');
	await terminal.untilText('saved to a.sh');
	expect(readBeside(terminal, 'a.sh')).toBe('echo\u001b[201~ a\tb\n');
	process.kill(Number(readBeside(terminal, 'xclip.copied.pid')), 'SIGKILL');
});

test('during an answer, /copy takes the finished blocks and the text so far', async () => {
	const gate = createGate();
	const text = '```js\nlet a;\n```\n\n```js\nlet b;\n';
	const {terminal} = await open([{text}, {gate}, {text: '```\n'}], {DISPLAY: ':0'});
	const {copied} = install(terminal, 'xclip');
	terminal.type('/copy\r');
	await terminal.untilText('there is no answer to copy yet');
	terminal.type('Both\r');
	await terminal.untilText('let b;');
	terminal.type('/copy js\r');
	await terminal.untilText('that code block is not finished yet');
	terminal.press('ctrl+u');
	terminal.type('/copy 1\r');
	await terminal.untilText('copied 6 characters, 1 line');
	expect(copied().toString()).toBe('let a;');
	terminal.press('alt+c');
	await terminal.untilText('6 lines so far');
	expect(copied().toString()).toBe(text);
	gate.open();
	await terminal.untilText(ready);
	terminal.type('/copy js\r');
	await terminal.untilText(/copied 6 characters, 1 line$/m);
	expect(copied().toString()).toBe('let b;');
	process.kill(Number(readBeside(terminal, 'xclip.copied.pid')), 'SIGKILL');
});

test('/save writes the answer or a block to a new file, and never over another', async () => {
	const {terminal} = await openAnswered(answer);
	const run = async (line: string, said: string | RegExp) => {
		terminal.type(`${line}\r`);
		await terminal.untilText(said);
		terminal.press('ctrl+u');
	};
	await run('/save answer.md', 'saved to answer.md');
	expect(readBeside(terminal, 'answer.md')).toBe(answer);
	await run('/save 2 list.sh', 'saved to list.sh');
	expect(readBeside(terminal, 'list.sh')).toBe(`${shell}\n`);
	expect(statSync(join(terminal.home, 'list.sh')).mode & 0o777).toBe(0o666 & ~process.umask());
	await run('/save 1 list.sh', 'list.sh exists already; /save 1 list-2.sh writes a new file');
	await run('/save "my list"', 'saved to my list');
	await run('/save my list', 'my list exists already; /save my list-2 writes a new file');
	expect(readBeside(terminal, 'list.sh')).toBe(`${shell}\n`);
	await run('/save 3 x.py', 'there are only 2 code blocks yet');
	await run('/save 2', '/save needs a file name: /save 2 main.py');
	await run('/save', '/save needs a file name: /save answer.md');
	expect(existsSync(join(terminal.home, 'x.py'))).toBe(false);
});
