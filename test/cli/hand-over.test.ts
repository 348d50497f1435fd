/** Handing texts to clipboards and files, and taking files, in a session. */
import {existsSync, mkdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {Writable} from 'node:stream';
import {describe, expect, onTestFinished, test} from 'vitest';
import {createConversation} from '../../src/chat/conversation.ts';
import {createHandOver} from '../../src/cli/run/repl/hand-over.ts';
import {createValueLister} from '../../src/cli/run/repl/list-values.ts';
import {createLoaders} from '../../src/cli/run/repl/load-attachments.ts';
import type {Run} from '../../src/cli/run/turn-runner.ts';
import {createOutputStream, type Environment, type Terminal} from '../../src/environment.ts';
import {processControl} from '../../src/process-environment.ts';
import {openConversation, reduceAll} from '../helpers/conversation.ts';
import {textDelta, turnEnd} from '../helpers/events.ts';
import {createDirectory} from '../input/input-helpers.ts';
import {stepEnd, stepStart} from '../repl/play.ts';
import {makeSolidPng} from '../server/helpers/images.ts';
import {readExport} from '../sessions/read-export.ts';

type Variables = Readonly<Record<string, string>>;

const key = 'sk-secret-key-0123456789';
const title = 'Name a bird: "white"!';
const events = [stepStart, textDelta(`Gulliver, ${key}`), stepEnd(), turnEnd];
const answered = reduceAll(openConversation(title), events);

function open(variables: Variables = {}, conversation = answered) {
	const folder = createDirectory();
	let written = '';
	const sink = new Writable({
		write(chunk, _, done) {
			written += chunk;
			done();
		},
	});
	const environment = {
		variables: {PATH: `${folder}:/usr/bin:/bin`, CHAT_API_KEY: key, ...variables},
		...{platform: 'linux', cwd: folder, homedir: folder, processes: processControl},
		stdout: createOutputStream(sink, true),
		now: () => 0,
	} as unknown as Environment;
	const running = {id: undefined, title: undefined, model: 'm', conversation};
	const describeRunning = () => ({...running, redact: (text: string) => text});
	const run = {servers: undefined, signal: new AbortController().signal} as Run;
	return {
		...createHandOver(describeRunning, {} as Terminal, environment),
		...createLoaders(run, environment),
		listValues: createValueLister(run, environment),
		folder,
		read: (name: string) => readFileSync(join(folder, name), 'utf8'),
		modeOf: (name: string) => statSync(join(folder, name)).mode & 0o777,
		written: () => written,
	};
}

/** Installs a program that keeps what it gets, and stays in the background as xclip does. */
function install(folder: string, name: string) {
	const path = join(folder, `${name}.copied`);
	const lines = [
		'#!/bin/sh',
		`cat > "${path}"; echo "$*" > "${path}.argv"; env > "${path}.env"`,
		`sleep 60 & echo $! > "${path}.pid"`,
	];
	writeFileSync(join(folder, name), `${lines.join('\n')}\n`, {mode: 0o755});
	const read = (part: string) => readFileSync(`${path}${part}`, 'utf8');
	onTestFinished(() => {
		if (existsSync(`${path}.pid`)) process.kill(Number(read('.pid')), 'SIGKILL');
	});
	return {read, copied: () => readFileSync(path)};
}

describe('a copy', () => {
	const text = `def f():\n\treturn "${'long '.repeat(30)}é🌸"`;
	const payload = Buffer.from(text).toString('base64');
	const osc = `\u001b]52;c;${payload}\u0007`;
	const pieces = ['\u001b]', ...(`52;c;${payload}`.match(/.{1,240}/g) ?? []), '\u0007'];
	const utf8 = Buffer.from(text);
	const copied = `copied ${Array.from(text).length} characters, 2 lines`;
	const asked = `${copied} (through the terminal, which may refuse)`;

	test.each<readonly [Variables, program: string, taken: Buffer | string]>([
		[{WAYLAND_DISPLAY: 'wayland-0', DISPLAY: ':0'}, 'wl-copy', utf8],
		// UTF-16 without a byte order mark, which would become part of the text.
		[{WSL_DISTRO_NAME: 'Debian', DISPLAY: ':0'}, 'clip.exe', Buffer.from(text, 'utf16le')],
		// Without a program, over SSH, and in tmux that cannot be asked, the terminal is asked.
		[{SSH_TTY: '/dev/pts/1', DISPLAY: ':0'}, 'xclip', osc],
		[{TMUX: '/nowhere,1,0'}, 'xclip', `\u001bPtmux;\u001b${osc}\u001b\\`],
		[{STY: '1.pts'}, 'xclip', pieces.map((piece) => `\u001bP${piece}\u001b\\`).join('')],
		[{TMUX: '/tmp/tmux,1,0', SSH_TTY: '/dev/pts/1'}, 'tmux', utf8],
	])('with %j goes to %s, or to the terminal', async (variables, program, taken) => {
		const {copy, folder, written} = open(variables);
		const clipboard = install(folder, program);
		const isAsked = typeof taken === 'string';
		expect(await copy(text, false)).toBe(isAsked || program === 'tmux' ? asked : copied);
		expect(written()).toBe(isAsked ? taken : '');
		if (isAsked) expect(clipboard.copied).toThrow('ENOENT');
		else expect(clipboard.copied()).toEqual(taken);
		if (program === 'tmux') expect(clipboard.read('.argv')).toBe('load-buffer -w -\n');
	});

	test('reaches xclip by stdin, without our keys; it holds the clipboard and lives on', async () => {
		const {copy, folder} = open({DISPLAY: ':0'});
		const {read, copied: taken} = install(folder, 'xclip');
		expect(await copy('echo\u001b[201~ a\tb', true)).toBe(
			'copied 13 characters, 1 line, without 1 control character so far',
		);
		expect(taken().toString()).toBe('echo[201~ a\tb');
		expect(read('.argv')).toBe('-selection clipboard\n');
		expect(read('.env')).not.toContain(key);
		process.kill(Number(read('.pid')), 0);
	});

	test('passes over a program that fails, and is refused where a terminal takes no more', async () => {
		const {copy, folder} = open({DISPLAY: ':0'});
		writeFileSync(join(folder, 'xclip'), '#!/bin/sh\nexit 1\n', {mode: 0o755});
		expect(await copy('x'.repeat(74_994), false)).toContain('(through the terminal');
		const limit = 'takes at most 74,994 bytes, not 74,995 bytes; /save writes them to a file';
		await expect(copy('x'.repeat(74_995), false)).rejects.toThrow(limit);
		const none = 'this terminal has no clipboard; /save writes to a file';
		await expect(open({TERM: 'dumb'}).copy('x', false)).rejects.toThrow(none);
	});
});

test('a saved part is a new file with a last line end, never over another', async () => {
	const {save, read, modeOf} = open();
	expect(await save('ls\u001b', '2', 'list.sh')).toBe('saved to list.sh');
	expect(read('list.sh')).toBe('ls\u001b\n');
	expect(modeOf('list.sh')).toBe(0o666 & ~process.umask());
	const next = 'list.sh exists already; /save 1 list-2.sh writes a new file';
	await expect(save('a', '1', 'list.sh')).rejects.toThrow(next);
	expect(await save('whole\n', '', '"my list"')).toBe('saved to my list');
	expect(read('my list')).toBe('whole\n');
	const other = 'my list exists already; /save my list-2 writes a new file';
	await expect(save('a', '', 'my list')).rejects.toThrow(other);
});

test('an export is for the user alone, never over another file, and without the key', async () => {
	const {exportConversation, printConversation, folder, read, modeOf} = open();
	const exportTo = (path: string) => exportConversation(path, {} as never);
	const name = 'Name-a-bird-white.md';
	expect(await exportTo('')).toBe(`exported to ${name}`);
	expect([modeOf(name), read(name).includes(key)]).toEqual([0o600, false]);
	const {conversation} = readExport(read(name));
	expect(conversation.turns).toMatchObject([{prompt: {text: title}}]);
	await expect(exportTo('')).rejects.toThrow(`${name} exists already; /export Name-a-bird-white-2`);
	expect(await exportTo('~/page.html')).toContain('page.html');
	expect(read('page.html')).toMatch(/^<!doctype html>/);
	expect(await exportTo('"my birds.json"')).toBe('exported to my birds.json');
	expect(readExport(read('my birds.json')).conversation).toEqual(conversation);
	const ending = '"notes.txt" does not end in one of .md, .json, .html';
	await expect(exportTo('notes.txt')).rejects.toThrow(ending);
	writeFileSync(join(folder, 'file'), '');
	await expect(exportTo('file/a.md')).rejects.toThrow('cannot write file/a.md: ENOTDIR');
	expect(readExport(await printConversation({} as never)).conversation).toEqual(conversation);
	const nothing = open({}, createConversation()).exportConversation('', {} as never);
	await expect(nothing).rejects.toThrow('there is no answer to export yet');
});

describe('a file', () => {
	const files = {'red dot.png': makeSolidPng(1, 1, [255, 0, 0]), 'notes.txt': 'milk\n'};
	const withFiles = () => {
		const session = open();
		mkdirSync(join(session.folder, 'docs'));
		for (const [name, content] of Object.entries({...files, 'docs/my notes.txt': 'uno'}))
			writeFileSync(join(session.folder, name), content);
		return session;
	};

	test('that is dropped comes with its path, quoted, as a URL or plain; other pastes do not', async () => {
		const {loadDropped, folder} = withFiles();
		const path = join(folder, 'red dot.png');
		for (const text of [path, `'${path}' `, `file://${encodeURI(path)}`, '~/notes.txt'])
			expect((await loadDropped(text))?.attachments, text).toHaveLength(1);
		for (const text of [`${folder}/nothing.png`, `'${path}' and`, folder, "it's"])
			expect(await loadDropped(text), text).toBeUndefined();
	});

	test('that is mentioned is listed and read, and other words are not', async () => {
		const {loadMentions, listValues} = withFiles();
		const names = (await listValues({type: 'files'})).map(({text}) => text);
		expect(names).toEqual(expect.arrayContaining(['docs/my notes.txt', 'docs/', 'notes.txt']));
		const listed = await listValues({type: 'folder', path: 'docs/'});
		expect(listed).toEqual([{text: 'my notes.txt', isPartial: false}]);
		const read = await loadMentions(['docs/my notes.txt', 'ann', '~/notes.txt', 'notes.txt.']);
		expect(read.map(({mention, attachments}) => [mention, attachments.length])).toEqual([
			...[['docs/my notes.txt', 1] as const, ['~/notes.txt', 1], ['notes.txt.', 1]],
		]);
	});
});
