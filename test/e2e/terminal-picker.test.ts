/** Choosing a saved session: `chat sessions` on a terminal. */

import {utimesSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {describe, expect, test} from 'vitest';
import {appendTitle} from '../../src/sessions/rename-session.ts';
import {say, startScripted} from '../helpers/scripted-service.ts';
import {openTerminal, type TerminalOptions} from '../helpers/terminal.ts';
import {openInProcess} from '../helpers/terminal-in-process.ts';
import type {TestTerminal} from '../helpers/terminal-screen.ts';
import {createFolder, openWriter, pathOf, read} from '../sessions/session-files.ts';

const here = tmpdir();

type Saved = {
	readonly id: string;
	readonly prompts: readonly string[];
	readonly title?: string;
	readonly cwd?: string;
};

/** Saves sessions, the latest first. */
function save(...sessions: readonly Saved[]): string {
	const directory = createFolder();
	for (const [age, {id, prompts, title, cwd = here}] of sessions.entries()) {
		const writer = openWriter(directory, id, undefined, cwd);
		for (const prompt of prompts) writer.chat(prompt);
		writer.recorder.close();
		if (title !== undefined) appendTitle(pathOf(directory, id), title);
		const seconds = Date.now() / 1000 - age * 3600;
		utimesSync(pathOf(directory, id), seconds, seconds);
	}
	return directory;
}

const pets = [
	{id: 'aaaaaaaa', prompts: ['name ideas for a cat', 'shorter ones']},
	{id: 'bbbbbbbb', prompts: ['a pelican on a bicycle']},
	{id: 'cccccccc', prompts: ['elsewhere'], cwd: '/somewhere/else'},
];

async function openPicker(
	directory: string,
	options: Partial<TerminalOptions> = {},
): Promise<TestTerminal> {
	const env = {CHAT_SESSIONS_DIR: directory, CHAT_SAVE: undefined, ...options.env};
	const terminal = await openInProcess({argv: ['sessions'], cwd: here, ...options, env});
	await terminal.until((screen) => screen.includes('Enter resume'));
	return terminal;
}

test('-r without an id opens the picker, and continues with the flags of the line', async () => {
	const service = await startScripted(say('an answer'));
	const terminal = await openPicker(save(...pets), {
		argv: ['-m', 'a-model', '-r'],
		env: service.env,
	});
	await terminal.untilText('2 conversations, this folder');
	terminal.type('\r');
	await terminal.untilText('continuing aaaaaaaa');
	await terminal.untilText('a-model');
});

test('the sessions of this folder are listed, the latest first', async () => {
	const terminal = await openPicker(save(...pets));
	await terminal.untilText('2 conversations, this folder');
	const rows = terminal.screen().filter((row) => row.includes('ago') || row.includes('now'));
	expect(rows).toEqual([
		'›     just now  name ideas for a cat',
		'       1 h ago  a pelican on a bicycle',
	]);
});

/** Returns the titles in the list, with the mark of the selected one. */
function listed(terminal: TestTerminal): readonly string[] {
	return terminal
		.screen()
		.filter((row) => /(?:just now|ago) {2}/.test(row))
		.map((row) =>
			row
				.replace(/(?:just now|\d+ \w+ ago) {2}/, '')
				.replace(/ {2,}/, ' ')
				.trim(),
		);
}

test('typing finds titles at once, and then what only the answers have', async () => {
	const terminal = await openPicker(save(...pets));
	await terminal.untilText('2 conversations');
	terminal.type('PELICAN');
	await terminal.untilText('1 conversation,');
	expect(listed(terminal)).toEqual(['› a pelican on a bicycle']);
	// Input methods write where the cursor is.
	await terminal.until(() => terminal.modes().isCursorShown && terminal.cursor().y === 0);
	expect(terminal.cursor()).toEqual({x: 'search: PELICAN'.length, y: 0});
	terminal.press('escape');
	await terminal.untilText('2 conversations');
	// The answers of the recorded sessions are `answer to …`.
	terminal.type('answer shorter');
	await terminal.untilText('name ideas for a cat  answer to name ideas for a cat');
	expect(listed(terminal)).toHaveLength(1);
	terminal.type('x');
	await terminal.untilText('nothing found in this folder');
	terminal.press('escape', 'escape');
	expect(await terminal.exit).toMatchObject({exitCode: 0});
});

test('Enter continues the session in the current folder', async () => {
	const service = await startScripted(say('the answer'));
	const directory = save(...pets);
	const terminal = await openPicker(directory, {env: service.env});
	terminal.type('elsewhere');
	terminal.press('tab');
	await terminal.untilText('1 conversation, all folders');
	terminal.press('enter');
	await terminal.untilText('continuing cccccccc "elsewhere" (1 turn');
	expect(terminal.screen().join('\n')).toContain('answer to elsewhere');
	terminal.type('more\r');
	await terminal.untilText('the answer');
	terminal.type('/exit\r');
	await terminal.exit;
	expect(service.bodies[0]?.messages.map(({content}) => content)).toEqual([
		...['elsewhere', 'answer to elsewhere', 'more'],
	]);
	expect(read(directory, 'cccccccc').conversation.turns).toHaveLength(2);
});

test('the preview shows the end of the selected session', async () => {
	const terminal = await openPicker(save(...pets), {rows: 16});
	await terminal.untilText('2 conversations');
	terminal.press('right');
	await terminal.untilText('answer to shorter ones');
	expect(terminal.screen().join('\n')).toContain('› shorter ones');
	terminal.press('down');
	await terminal.untilText('answer to a pelican');
	terminal.resize(120, 30);
	await terminal.until((screen) => /ago {2}a pelican.*\n/.test(screen));
	await terminal.untilText('answer to a pelican');
	terminal.press('ctrl+e');
	await terminal.until((screen) => !screen.includes('answer to'));
});

test('Ctrl-R renames', async () => {
	const directory = save(...pets);
	const terminal = await openPicker(directory);
	await terminal.untilText('2 conversations');
	terminal.press('ctrl+r');
	await terminal.untilText('title: name ideas for a cat');
	terminal.press('ctrl+u');
	terminal.paste('猫の\n名前');
	await terminal.untilText('title: 猫の 名前');
	expect(terminal.cursor()).toEqual({x: 16, y: 22});
	terminal.press('enter');
	await terminal.untilText(/just now {2}猫の 名前/);
	expect(read(directory, 'aaaaaaaa').title).toBe('猫の 名前');
	terminal.press('ctrl+r');
	terminal.type('x');
	await terminal.untilText('猫の 名前x');
	terminal.press('escape');
	await terminal.untilText('Enter resume');
	expect(read(directory, 'aaaaaaaa').title).toBe('猫の 名前');
});

test('Ctrl-D asks before it deletes, and keys typed before the question do not answer', async () => {
	const directory = save(...pets);
	const terminal = await openPicker(directory);
	await terminal.untilText('2 conversations');
	terminal.type('\x04y');
	await terminal.untilText('Delete "name ideas for a cat"? y delete · ›n keep');
	await untilArmed(terminal);
	terminal.press('enter');
	await terminal.untilText('Enter resume');
	expect(listed(terminal)).toHaveLength(2);
	terminal.press('delete');
	await untilArmed(terminal);
	terminal.type('y');
	await terminal.untilText('1 conversation,');
	expect(listed(terminal)).toEqual(['› a pelican on a bicycle']);
	expect(() => read(directory, 'aaaaaaaa')).toThrow();
});

/** Waits until `y` answers the question, which is dim before. */
async function untilArmed(terminal: TestTerminal): Promise<void> {
	await terminal.until((screen) => {
		const y = screen.split('\n').findIndex((row) => row.startsWith('Delete "'));
		return y !== -1 && !terminal.cell(0, y).isDim;
	});
}

test('hostile titles stay in their rows, at any size', async () => {
	const titles = [
		'\x1b[2J\x1b[31mred\x07',
		'\u202eright to left\u2066',
		'שלום עולם',
		'猫'.repeat(80),
		'👩‍👩‍👧‍👦'.repeat(40),
		'a\nb\tc\u2028d',
	];
	const directory = save(
		...titles.map((title, index) => ({id: `${index}`.repeat(8), prompts: ['x'], title})),
	);
	const terminal = await openPicker(directory, {columns: 60});
	// A family of emoji takes 8 cells here, and 2 in a terminal that joins them.
	await terminal.untilText('6 conversations');
	for (const [columns, rows] of [
		[20, 6],
		[160, 50],
		[41, 9],
		[5, 3],
		[60, 24],
	] as const) {
		terminal.resize(columns, rows);
		const footer = Math.max(3, rows - 1) - 1;
		const first = columns < 50 ? /^›/ : /^› .*now {2}red$/;
		await terminal.until(() => {
			const screen = terminal.screen();
			const isWhole = screen[footer]?.startsWith('Ent') === true && screen[0] !== '';
			return isWhole && first.test(screen[1] ?? '');
		});
		expect(terminal.screen().filter((row) => row.startsWith('› '))).toHaveLength(1);
	}
	await terminal.until(() => listed(terminal).length === titles.length);
	expect(listed(terminal)).toEqual([
		'› red',
		'right to left',
		'שלום עולם',
		expect.stringMatching(/^猫+…$/),
		expect.stringMatching(/…$/),
		'a b c d',
	]);
});

describe('/sessions', () => {
	const ready = 'Ask something';

	async function openSession(directory: string): Promise<TestTerminal> {
		const service = await startScripted(say('first answer'), say('second answer'));
		const env = {...service.env, CHAT_SESSIONS_DIR: directory, CHAT_SAVE: undefined};
		const terminal = await openInProcess({env, cwd: here});
		await terminal.untilText(ready);
		terminal.type('a prompt\r');
		await terminal.untilText('first answer');
		await terminal.untilText(ready);
		return terminal;
	}

	test('switches to the chosen session, and the scrollback stays as it was', async () => {
		const terminal = await openSession(save(...pets));
		const before = terminal.scrollback().slice(0, 4);
		terminal.type('/sessions\r');
		await terminal.untilText('3 conversations, this folder');
		terminal.type('pelican');
		await terminal.untilText('1 conversation,');
		terminal.press('enter');
		await terminal.untilText('answer to a pelican on a bicycle');
		await terminal.untilText(ready);
		terminal.type('another\r');
		await terminal.untilText('second answer');
		const shown = terminal.scrollback();
		expect(shown.slice(0, 4)).toEqual(before);
		for (const text of ['› a prompt', 'first answer', '› a pelican', 'continuing bbbbbbbb']) {
			expect(
				shown.filter((row) => row.includes(text)),
				text,
			).toHaveLength(1);
		}
	});

	test('returns to the session after Esc, also in a window of another size', async () => {
		const terminal = await openSession(save(...pets));
		terminal.type('/sessions\r');
		await terminal.untilText('3 conversations, this folder');
		terminal.resize(60, 20);
		await terminal.untilText('3 conversations, this folder');
		terminal.press('escape');
		await terminal.untilText(ready);
		terminal.type('another\r');
		await terminal.untilText('second answer');
		const shown = terminal.scrollback({isJoined: true});
		expect(shown.filter((row) => row === 'first answer')).toHaveLength(1);
		expect(shown.filter((row) => row === '› a prompt')).toHaveLength(1);
	});

	test('renames the running conversation', async () => {
		const terminal = await openSession(save(...pets));
		terminal.type('/sessions\r');
		await terminal.untilText(/^› +just now {2}a prompt$/m);
		terminal.press('ctrl+r');
		await terminal.untilText('title: a prompt');
		terminal.type(' of mine\r');
		await terminal.untilText(/^› +just now {2}a prompt of mine$/m);
		terminal.press('escape');
		await terminal.untilText(ready);
		terminal.type('/name\r');
		await terminal.untilText(/\w{8} "a prompt of mine"/);
	});
});

test('without a screen the sessions are printed', async () => {
	const directory = save(...pets);
	const env = {CHAT_SESSIONS_DIR: directory};
	const dumb = await openInProcess({argv: ['sessions'], env: {...env, TERM: 'dumb'}});
	expect(await dumb.exit).toMatchObject({exitCode: 0});
	const piped = await openTerminal({shell: 'chat sessions | cat', env});
	await piped.exit;
	const nothing = await openInProcess({
		argv: ['sessions'],
		env: {CHAT_SESSIONS_DIR: createFolder()},
	});
	await nothing.exit;
	expect(nothing.screen().join('\n')).toContain('no conversations are saved');
	for (const terminal of [dumb, piped]) {
		expect(terminal.screen()[0]).toMatch(/^aaaaaaaa +just now +2 turns +name ideas for a cat$/);
	}
});
