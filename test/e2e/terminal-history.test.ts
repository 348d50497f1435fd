/** Earlier prompts, in one session after another. */
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {summarize} from '../../src/sessions/find-session.ts';
import {oldHistoryPath} from '../../src/sessions/old-history.ts';
import {listSessionFiles} from '../../src/sessions/session-files.ts';
import {say, startScripted} from '../helpers/scripted-service.ts';
import {createHome} from '../helpers/settings-home.ts';
import type {TerminalOptions} from '../helpers/terminal.ts';
import {openInProcess} from '../helpers/terminal-in-process.ts';
import type {TestTerminal} from '../helpers/terminal-screen.ts';

const ready = 'Ask something';

type Machine = {
	/** The folder of saved conversations. */
	readonly directory: string;
	/** Starts the program. */
	open(options?: TerminalOptions): Promise<TestTerminal>;
	/** Starts a session that is ready for a prompt. */
	start(options?: TerminalOptions): Promise<TestTerminal>;
};

/** Prepares a home folder for several sessions, with these lines in the history of an earlier version. */
async function createMachine(...lines: readonly string[]): Promise<Machine> {
	const {home} = createHome();
	const service = await startScripted(say('answered'));
	const directory = join(home, '.local', 'state', 'chat');
	if (lines.length > 0) {
		mkdirSync(directory, {recursive: true, mode: 0o700});
		writeFileSync(oldHistoryPath(directory), lines.join(''), {mode: 0o600});
	}
	const open = ({env, ...options}: TerminalOptions = {}) =>
		openInProcess({
			cwd: home,
			...options,
			env: {...service.env, HOME: home, CHAT_SAVE: undefined, ...env},
		});
	return {
		directory,
		open,
		async start(options) {
			const terminal = await open(options);
			await terminal.untilText(ready);
			return terminal;
		},
	};
}

async function send(terminal: TestTerminal, prompt: string): Promise<void> {
	terminal.type(prompt);
	terminal.press('enter');
	await terminal.until((screen) => screen.includes(prompt) && screen.trimEnd().includes(ready));
}

async function exit(terminal: TestTerminal): Promise<void> {
	terminal.press('ctrl+d');
	expect(await terminal.exit).toEqual({exitCode: 0, signal: 0});
}

/** Presses a key until the window shows the text. */
async function pressUntil(terminal: TestTerminal, key: string, text: string): Promise<void> {
	terminal.press(key);
	await terminal.untilText(text);
}

function promptsIn(directory: string): readonly string[] {
	return listSessionFiles(directory).flatMap((file) => summarize(file)?.prompts ?? []);
}

const lineOf = (text: string) =>
	`${JSON.stringify({at: '2026-11-22T02:47:45.120Z', cwd: '/elsewhere', text})}\n`;

test('a later session recalls a prompt with Up, and finds it with Ctrl-R', async () => {
	const {start} = await createMachine();
	const first = await start();
	await send(first, 'write a haiku about pelicans');
	await exit(first);

	const second = await start();
	await pressUntil(second, 'up', '› write a haiku about pelicans');
	await pressUntil(second, 'down', ready);
	second.type('my draft');
	second.press('ctrl+r');
	second.type('PELI');
	await second.untilText(/› write a haiku about pelicans\nsearch: PELI\n─+\nEnter takes it/);
	expect(second.cursor()).toEqual({x: 12, y: 6});
	await pressUntil(second, 'escape', '› my draft\n─');
	second.press('ctrl+r');
	second.type('haiku');
	await second.untilText('search: haiku');
	await pressUntil(second, 'enter', 'pelicans\n─');
	second.type('!');
	await send(second, '');
	await exit(second);
	const lines = second.scrollback().map((line) => line.trimEnd());
	expect(lines).toContain('› write a haiku about pelicans!');
	expect(lines.join('\n')).not.toContain('search:');
});

test('two sessions at once lose nothing, and a third has the prompts of both', async () => {
	const {directory, start} = await createMachine();
	const [one, two] = await Promise.all([start(), start()]);
	for (let count = 1; count <= 3; count += 1) {
		await Promise.all([send(one, `from one ${count}`), send(two, `from two ${count}`)]);
	}
	await pressUntil(one, 'up', '› from one 3');
	await Promise.all([one.close(), two.close()]);
	expect([...promptsIn(directory)].sort()).toEqual([
		...['from one 1', 'from one 2', 'from one 3'],
		...['from two 1', 'from two 2', 'from two 3'],
	]);
	const third = await start();
	third.press('ctrl+r');
	third.type('one 2');
	await third.untilText('› from one 2');
	third.press('ctrl+u');
	third.type('two 1');
	await third.untilText('› from two 1');
});

test('damaged lines and hostile text are harmless', async () => {
	const hostile = 'rm\x1b]52;c;cm0gLXJmIH4=\x07\x9b2J\u202e hidden';
	const {start} = await createMachine(
		lineOf('the oldest'),
		`${'\0'.repeat(512)}{"at":"2026", "text": "torn`,
		lineOf(hostile),
		'{"at":"2026-11-2',
	);
	const terminal = await start();
	await pressUntil(terminal, 'up', 'hidden');
	await pressUntil(terminal, 'up', '› the oldest');
	terminal.press('ctrl+r');
	terminal.type('hidden');
	await terminal.untilText(/› rm.* hidden\nsearch: hidden/);
	terminal.press('escape', 'ctrl+c');
	await terminal.untilText(ready);
	await send(terminal, 'newest');
	await exit(terminal);
	for (const trick of ['\x1b]52', '\x9b', '\u202e']) expect(terminal.raw()).not.toContain(trick);
});

test('a folder that cannot be written costs one notice, and the session has its prompts', async () => {
	const {directory, start} = await createMachine();
	writeFileSync(join(directory, '..', '..', '..', 'a-file'), '');
	const terminal = await start({env: {CHAT_SESSIONS_DIR: './a-file/below'}});
	await send(terminal, 'one');
	await send(terminal, 'two');
	await pressUntil(terminal, 'up', '› two');
	terminal.press('ctrl+c');
	await terminal.untilText(ready);
	await exit(terminal);
	const lines = terminal.scrollback().filter((line) => line.includes('ENOTDIR'));
	expect(lines.length).toBe(1);
});

describe('a later session does not have', () => {
	test.each([
		['a prompt with --no-save', {argv: ['--no-save']}],
		['a prompt with the variable', {env: {CHAT_SAVE: 'false'}}],
		['a prompt to the built-in service', {env: {CHAT_BASE_URL: undefined}}],
	])('%s', async (_, options) => {
		const {directory, start} = await createMachine();
		const terminal = await start(options);
		await send(terminal, 'count to 3');
		await exit(terminal);
		expect(promptsIn(directory)).toEqual([]);
	});

	test('a prompt that starts with a space, but its session has it', async () => {
		const {start} = await createMachine();
		const terminal = await start();
		await send(terminal, 'hello');
		await send(terminal, ' secret');
		await pressUntil(terminal, 'up', '›  secret');
		terminal.press('ctrl+c');
		await terminal.untilText(ready);
		await exit(terminal);
		await pressUntil(await start(), 'up', '› hello');
	});
});

test('a key in a prompt is masked in the file', async () => {
	const key = 'sk-very-secret-0123456789';
	const {directory, start} = await createMachine();
	const terminal = await start({env: {CHAT_API_KEY: key}});
	await send(terminal, `is ${key} a good key?`);
	await exit(terminal);
	expect(promptsIn(directory)).toEqual(['is [redacted] a good key?']);
});
