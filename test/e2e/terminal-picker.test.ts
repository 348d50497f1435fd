/** Choosing a saved session: `chat sessions` on a terminal, and `/sessions` in a session. */
import {utimesSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {expect, test} from 'vitest';
import {appendTitle} from '../../src/sessions/rename-session.ts';
import {say, startScripted} from '../helpers/scripted-service.ts';
import type {TerminalOptions} from '../helpers/terminal.ts';
import {openInProcess} from '../helpers/terminal-in-process.ts';
import type {TestTerminal} from '../helpers/terminal-screen.ts';
import {createFolder, openWriter, pathOf, read} from '../sessions/session-files.ts';
import {openStory, ready} from './story.ts';

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

async function openPicker(directory: string, options: TerminalOptions = {}): Promise<TestTerminal> {
	const env = {CHAT_SESSIONS_DIR: directory, CHAT_SAVE: undefined, ...options.env};
	const terminal = await openInProcess({argv: ['sessions'], cwd: here, ...options, env});
	await terminal.until((screen) => screen.includes('Enter resume'));
	return terminal;
}

/** Returns the titles in the list, with the mark of the selected one. */
function listed(terminal: TestTerminal): readonly string[] {
	const age = /(?:just now|\d+ \w+ ago) {2}/;
	const rows = terminal.screen().filter((row) => age.test(row));
	return rows.map((row) => row.replace(age, '').replace(/ {2,}/, ' ').trim());
}

test('typing finds titles at once, then what only the answers have; a preview shows their end', async () => {
	const terminal = await openPicker(save(...pets));
	await terminal.untilText('2 conversations, this folder');
	expect(terminal.screen().slice(1, 3)).toEqual([
		'›     just now  name ideas for a cat',
		'       1 h ago  a pelican on a bicycle',
	]);
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
	terminal.press('escape');
	await terminal.untilText('2 conversations');
	terminal.press('right');
	await terminal.untilText('answer to shorter ones');
	terminal.press('down');
	await terminal.untilText('answer to a pelican');
	terminal.press('ctrl+e');
	await terminal.until((screen) => !screen.includes('answer to'));
	terminal.press('escape');
	expect(await terminal.exit).toMatchObject({exitCode: 0});
});

test('Enter continues the session in the current folder, with the flags of the line', async () => {
	const service = await startScripted(say('the answer'));
	const directory = save(...pets);
	const options = {argv: ['-m', 'a-model', '-r'], env: service.env};
	const terminal = await openPicker(directory, options);
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
	expect(service.bodies).toMatchObject([
		{
			model: 'a-model',
			messages: ['elsewhere', 'answer to elsewhere', 'more'].map((content) => ({content})),
		},
	]);
	expect(read(directory, 'cccccccc').conversation.turns).toHaveLength(2);
});

test('Ctrl-R renames, and Ctrl-D deletes once a key agrees that was not typed before', async () => {
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
	terminal.type('\x04y');
	await terminal.untilText('Delete "猫の 名前"? y delete · ›n keep');
	// The question is dim until `y` answers it.
	await terminal.until((screen) => {
		const y = screen.split('\n').findIndex((row) => row.startsWith('Delete "'));
		return y !== -1 && !terminal.cell(0, y).isDim;
	});
	expect(read(directory, 'aaaaaaaa').title).toBe('猫の 名前');
	terminal.type('y');
	await terminal.untilText('1 conversation,');
	expect(listed(terminal)).toEqual(['› a pelican on a bicycle']);
	expect(() => read(directory, 'aaaaaaaa')).toThrow();
});

test('/sessions renames the running one and switches, and the scrollback stays as it was', async () => {
	const env = {CHAT_SESSIONS_DIR: save(...pets), CHAT_SAVE: undefined};
	const replies = ['first answer', 'second answer', 'third answer'].map(say);
	const {terminal, ask} = await openStory(replies, {env, cwd: here});
	await ask('a prompt', 'first answer');
	terminal.type('/sessions\r');
	await terminal.untilText(/^› +just now {2}a prompt$/m);
	terminal.press('ctrl+r');
	await terminal.untilText('title: a prompt');
	terminal.type(' of mine\r');
	await terminal.untilText(/^› +just now {2}a prompt of mine$/m);
	terminal.press('escape');
	await terminal.untilText(ready);
	await ask('/name', /\w{8} "a prompt of mine"/);
	await ask('another', 'second answer');
	terminal.type('/sessions\r');
	await terminal.untilText('3 conversations, this folder');
	terminal.type('pelican');
	await terminal.untilText('1 conversation,');
	terminal.press('enter');
	await terminal.untilText('answer to a pelican on a bicycle');
	await terminal.untilText(ready);
	await ask('again', 'third answer');
	const shown = terminal.scrollback({isJoined: true});
	for (const text of ['› a prompt', 'first answer', 'second answer', 'continuing bbbbbbbb']) {
		expect(
			shown.filter((row) => row.includes(text)),
			text,
		).toHaveLength(1);
	}
});
