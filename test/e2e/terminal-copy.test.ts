/** `/copy` and `/save` in a terminal: the clipboard programs are scripts, the sequences are exact bytes. */
import {existsSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {createGate, type ScriptedReply} from '../helpers/scripted-service.ts';
import type {TestTerminal} from '../helpers/terminal-screen.ts';
import {readExport} from '../sessions/read-export.ts';
import {openStory, ready} from './story.ts';

const python = `def f():\n\treturn "${'long '.repeat(30)}é🌸"`;
const shell = 'ls -l | wc';
const answer = `First *this*:\n\n\`\`\`python\n${python}\n\`\`\`\n\nThen:\n\n\`\`\`sh\n${shell}\n\`\`\`\n`;

type Variables = Readonly<Record<string, string>>;

async function open(reply: ScriptedReply, variables: Variables = {}) {
	const {terminal} = await openStory([reply], {env: {CHAT_API_KEY: 'sk-secret', ...variables}});
	const say = async (line: string, said: string | RegExp) => {
		terminal.type(`${line}\r`);
		await terminal.untilText(said);
	};
	return {terminal, say};
}

async function openAnswered(text: string, variables?: Variables) {
	const stage = await open([{reasoning: 'Hmm.\nWell.'}, {text}], variables);
	stage.terminal.type('How?\r');
	// The echo of the prompt may have left the window.
	const isEchoed = () => stage.terminal.scrollback().some((row) => row.startsWith('› How?'));
	await stage.terminal.until((screen) => isEchoed() && screen.includes(ready));
	return stage;
}

/** Puts a program into the path that keeps what it gets, and stays in the background as xclip does. */
function install({home}: TestTerminal, name: string) {
	const path = join(home, `${name}.copied`);
	const lines = [
		'#!/bin/sh',
		`cat > "${path}.new"; echo "$*" > "${path}.argv"; env > "${path}.env"`,
		`sleep 60 & echo $! > "${path}.pid"`,
		`mv "${path}.new" "${path}"`,
	];
	writeFileSync(join(home, name), `${lines.join('\n')}\n`, {mode: 0o755});
	const read = (part: string) => readFileSync(`${path}${part}`, 'utf8');
	const copied = () => readFileSync(path);
	onTestFinished(() => {
		if (existsSync(`${path}.pid`)) process.kill(Number(read('.pid')), 'SIGKILL');
	});
	return {read, copied, text: () => copied().toString()};
}

test('/copy gives xclip the exact source, by stdin and without our keys', async () => {
	const {terminal} = await openAnswered(answer, {DISPLAY: ':0'});
	const {text, read} = install(terminal, 'xclip');
	const copy = async (keys: string, source: string, said: string) => {
		terminal.type(keys);
		await terminal.untilText(said);
		expect(text()).toBe(source);
		terminal.press('ctrl+u');
	};
	await copy('/copy\r', answer, `copied ${Array.from(answer).length} characters, 12 lines`);
	await copy('/copy 1\r', python, 'characters, 2 lines');
	await copy('/copy Bash\r', shell, 'copied 10 characters, 1 line');
	await copy('/copy py\r', python, 'characters, 2 lines');
	await copy('/copy reasoning\r', 'Hmm.\nWell.', 'copied 10 characters, 2 lines');
	await copy('\x1bc', answer, '12 lines');
	terminal.type('/copy all\r');
	await terminal.until(() => text().includes('How?'));
	// The line about it would replace the next one.
	await terminal.untilText(`copied ${Array.from(text()).length} characters`);
	expect(readExport(text()).conversation.turns).toMatchObject([
		{prompt: {text: 'How?'}, messages: [{parts: [{type: 'reasoning'}, {text: answer}]}]},
	]);
	expect(read('.argv')).toBe('-selection clipboard\n');
	expect(read('.env')).not.toContain('sk-secret');
	terminal.press('ctrl+d', 'ctrl+u', 'ctrl+d');
	expect(await terminal.exit).toMatchObject({exitCode: 0});
	// The program that holds the clipboard lives on, and nothing of it is left in the scrollback.
	process.kill(Number(read('.pid')), 0);
	expect(terminal.scrollback().join('\n')).not.toContain('copied');
});

const payload = Buffer.from(python).toString('base64');
const osc = `\u001b]52;c;${payload}\u0007`;
const pieces = ['\u001b]', ...(`52;c;${payload}`.match(/.{1,240}/g) ?? []), '\u0007'];
const utf8 = Buffer.from(python);

test.each<readonly [variables: Variables, program: string, copied: Buffer | string]>([
	[{WAYLAND_DISPLAY: 'wayland-0', DISPLAY: ':0'}, 'wl-copy', utf8],
	[{TERMUX_VERSION: '0.118'}, 'termux-clipboard-set', utf8],
	// UTF-16 without a byte order mark, which would become part of the text.
	[{WSL_DISTRO_NAME: 'Debian', DISPLAY: ':0'}, 'clip.exe', Buffer.from(python, 'utf16le')],
	[{DISPLAY: ':0'}, 'xsel', utf8],
	// Without a program, over SSH, and in tmux that cannot be asked, the terminal is asked.
	[{}, 'xclip', osc],
	[{SSH_TTY: '/dev/pts/1', DISPLAY: ':0'}, 'xclip', osc],
	[{TMUX: '/nowhere,1,0'}, 'xclip', `\u001bPtmux;\u001b${osc}\u001b\\`],
	[{STY: '1.pts'}, 'xclip', pieces.map((piece) => `\u001bP${piece}\u001b\\`).join('')],
	[{TMUX: '/tmp/tmux,1,0', SSH_TTY: '/dev/pts/1'}, 'tmux', utf8],
])('/copy with %j uses %s, or the terminal', async (variables, program, expected) => {
	const {terminal, say} = await openAnswered(answer, variables);
	const {copied, read} = install(terminal, program);
	const isAsked = typeof expected === 'string' || program === 'tmux';
	await say(
		'/copy 1',
		isAsked ? /2 lines \(through the terminal, which may\s+refuse\)/ : '2 lines',
	);
	if (!isAsked) expect(terminal.screen().join('\n')).not.toContain('through the terminal');
	if (program === 'tmux') expect(read('.argv')).toBe('load-buffer -w -\n');
	if (typeof expected === 'string') {
		expect(terminal.raw().split(expected)).toHaveLength(2);
		expect(copied).toThrow('ENOENT');
	} else {
		expect(copied()).toEqual(expected);
		expect(terminal.raw()).not.toContain('52;c;');
	}
});

test('/copy says when a text is too large for a terminal, and passes over a program that fails', async () => {
	const {terminal, say} = await openAnswered('x'.repeat(74_994), {DISPLAY: ':0'});
	writeFileSync(join(terminal.home, 'xclip'), '#!/bin/sh\nexit 1\n', {mode: 0o755});
	await say('/copy', 'copied 74,994 characters, 1 line (through the terminal');
	const limit = /takes at most\s+74,994\s+bytes,\s+not\s+\d\d,\d{3}\s+bytes;\s+\/save\s+writes/;
	await say('/copy all', limit);
});

test('control characters are left out of what is copied, and not of what is saved', async () => {
	const {terminal, say} = await openAnswered('```sh\necho\u001b[201~ a\tb\n```', {DISPLAY: ':0'});
	const {text} = install(terminal, 'xclip');
	await say('/copy sh', 'copied 13 characters, 1 line, without 1 control character');
	expect(text()).toBe('echo[201~ a\tb');
	await say('/save 1 a.sh', 'saved to a.sh');
	expect(readFileSync(join(terminal.home, 'a.sh'), 'utf8')).toBe('echo\u001b[201~ a\tb\n');
});

test('during an answer, /copy takes the finished blocks and the text so far', async () => {
	const gate = createGate();
	const written = '```js\nlet a;\n```\n\n```js\nlet b;\n';
	const {terminal, say} = await open([{text: written}, {gate}, {text: '```\n'}], {DISPLAY: ':0'});
	const {text} = install(terminal, 'xclip');
	await say('Both', 'let b;');
	await say('/copy js', 'that code block is not finished yet');
	terminal.press('ctrl+u');
	await say('/copy 1', 'copied 6 characters, 1 line');
	expect(text()).toBe('let a;');
	terminal.press('alt+c');
	await terminal.untilText('6 lines so far');
	expect(text()).toBe(written);
	gate.open();
	await terminal.untilText(ready);
	await say('/copy js', /copied 6 characters, 1 line$/m);
	expect(text()).toBe('let b;');
});

test('/save writes the answer or a block to a new file, and never over another', async () => {
	const {terminal, say} = await openAnswered(answer);
	const path = (name: string) => join(terminal.home, name);
	for (const [line, said] of [
		['/save answer.md', 'saved to answer.md'],
		['/save 2 list.sh', 'saved to list.sh'],
		['/save 1 list.sh', 'list.sh exists already; /save 1 list-2.sh writes a new file'],
		['/save "my list"', 'saved to my list'],
		['/save my list', 'my list exists already; /save my list-2 writes a new file'],
		['/save 3 x.py', 'there are only 2 code blocks yet'],
		['/save 2', '/save needs a file name: /save 2 main.py'],
		['/save', '/save needs a file name: /save answer.md'],
	] as const) {
		await say(line, said);
		terminal.press('ctrl+u');
	}
	expect(readFileSync(path('answer.md'), 'utf8')).toBe(answer);
	expect(readFileSync(path('list.sh'), 'utf8')).toBe(`${shell}\n`);
	expect(statSync(path('list.sh')).mode & 0o777).toBe(0o666 & ~process.umask());
	expect(existsSync(path('x.py'))).toBe(false);
});
