/** Earlier prompts, in one session after another. */
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {summarize} from '../../src/sessions/find-session.ts';
import {oldHistoryPath} from '../../src/sessions/old-history.ts';
import {listSessionFiles} from '../../src/sessions/session-files.ts';
import {say} from '../helpers/scripted-service.ts';
import {createHome} from '../helpers/settings-home.ts';
import type {TerminalOptions} from '../helpers/terminal.ts';
import type {TestTerminal} from '../helpers/terminal-screen.ts';
import {openStory, ready, saving} from './story.ts';

/** Opens a session in a new home folder, with these lines in the history of an earlier version. */
async function open(options: TerminalOptions = {}, ...lines: readonly string[]) {
	const {home} = createHome();
	const directory = join(home, '.local', 'state', 'chat');
	if (lines.length > 0) {
		mkdirSync(directory, {recursive: true, mode: 0o700});
		writeFileSync(oldHistoryPath(directory), lines.join(''), {mode: 0o600});
	}
	const env = {HOME: home, ...saving, ...options.env};
	const story = await openStory([say('answered')], {cwd: home, ...options, env});
	/** The prompts that were saved. */
	const saved = () => listSessionFiles(directory).flatMap((file) => summarize(file)?.prompts ?? []);
	return {...story, home, saved};
}

/** Presses a key until the window shows the text. */
async function pressUntil(terminal: TestTerminal, key: string, text: string): Promise<void> {
	terminal.press(key);
	await terminal.untilText(text);
}

const lineOf = (text: string) =>
	`${JSON.stringify({at: '2026-11-22T02:47:45.120Z', cwd: '/elsewhere', text})}\n`;

test('a later session recalls a prompt with Up, and finds it with Ctrl-R', async () => {
	const first = await open();
	await first.send('write a haiku about pelicans');
	await first.leave();
	const {terminal, ask, leave} = await first.again();
	await pressUntil(terminal, 'up', '› write a haiku about pelicans');
	await pressUntil(terminal, 'down', ready);
	terminal.type('my draft');
	terminal.press('ctrl+r');
	terminal.type('PELI');
	await terminal.untilText(/› write a haiku about pelicans\nsearch: PELI\n─+\nEnter takes it/);
	expect(terminal.cursor()).toEqual({x: 12, y: 6});
	await pressUntil(terminal, 'escape', '› my draft\n─');
	terminal.press('ctrl+r');
	terminal.type('haiku');
	await terminal.untilText('search: haiku');
	await pressUntil(terminal, 'enter', 'pelicans\n─');
	await ask('!', 'answered');
	await leave();
	const lines = terminal.scrollback().map((line) => line.trimEnd());
	expect(lines).toContain('› write a haiku about pelicans!');
	expect(lines.join('\n')).not.toContain('search:');
});

test('two sessions at once lose nothing, and a third has the prompts of both', async () => {
	const one = await open();
	const two = await one.again();
	for (let count = 1; count <= 3; count += 1) {
		await Promise.all([one.send(`from one ${count}`), two.send(`from two ${count}`)]);
	}
	await pressUntil(one.terminal, 'up', '› from one 3');
	await Promise.all([one.terminal.close(), two.terminal.close()]);
	const all = ['one', 'two'].flatMap((name) => [1, 2, 3].map((count) => `from ${name} ${count}`));
	expect([...one.saved()].sort()).toEqual(all);
	const {terminal} = await one.again();
	terminal.press('ctrl+r');
	terminal.type('one 2');
	await terminal.untilText('› from one 2');
	terminal.press('ctrl+u');
	terminal.type('two 1');
	await terminal.untilText('› from two 1');
});

test('damaged lines and hostile text are harmless', async () => {
	const hostile = 'rm\x1b]52;c;cm0gLXJmIH4=\x07\x9b2J\u202e hidden';
	const torn = `${'\0'.repeat(512)}{"at":"2026", "text": "torn`;
	const old = [lineOf('the oldest'), torn, lineOf(hostile), '{"at":"2026-11-2'];
	const {terminal, send, leave} = await open({}, ...old);
	await pressUntil(terminal, 'up', 'hidden');
	await pressUntil(terminal, 'up', '› the oldest');
	terminal.press('ctrl+r');
	terminal.type('hidden');
	await terminal.untilText(/› rm.* hidden\nsearch: hidden/);
	terminal.press('escape', 'ctrl+c');
	await terminal.untilText(ready);
	await send('newest');
	await leave();
	for (const trick of ['\x1b]52', '\x9b', '\u202e']) expect(terminal.raw()).not.toContain(trick);
});

test('a folder that cannot be written costs one notice, and the session has its prompts', async () => {
	const story = await open({env: {CHAT_SESSIONS_DIR: './a-file/below'}});
	writeFileSync(join(story.home, 'a-file'), '');
	await story.send('one');
	await story.send('two');
	await pressUntil(story.terminal, 'up', '› two');
	const lines = story.terminal.scrollback().filter((line) => line.includes('ENOTDIR'));
	expect(lines).toHaveLength(1);
});

test.each<readonly [name: string, options: TerminalOptions]>([
	['--no-save', {argv: ['--no-save']}],
	['the variable', {env: {CHAT_SAVE: 'false'}}],
	['the built-in service', {env: {CHAT_BASE_URL: undefined}}],
])('a later session has no prompt of one with %s', async (_, options) => {
	const {ask, leave, saved} = await open(options);
	await ask('count to 3', '› count to 3');
	await leave();
	expect(saved()).toEqual([]);
});

test('a prompt that starts with a space is kept for its session alone, and a key is masked', async () => {
	const key = 'sk-very-secret-0123456789';
	const story = await open({env: {CHAT_API_KEY: key}});
	await story.send(`is ${key} a good key?`);
	await story.send(' secret');
	await pressUntil(story.terminal, 'up', '›  secret');
	story.terminal.press('ctrl+c');
	await story.terminal.untilText(ready);
	await story.leave();
	expect(story.saved()[0]).toBe('is [redacted] a good key?');
	const {terminal} = await story.again();
	await pressUntil(terminal, 'up', '› is [redacted] a good key?');
});
