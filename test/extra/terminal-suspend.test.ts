/** Ctrl-Z and the stop signal: the shell gets the terminal back, and `fg` draws the screen again. */
import {tmpdir} from 'node:os';
import {describe, expect, onTestFinished, test} from 'vitest';
import {ready} from '../e2e/story.ts';
import {createGate, type ScriptedReply, say, startScripted} from '../helpers/scripted-service.ts';
import {
	findChild,
	openTerminal,
	type ProcessTerminal,
	type TerminalOptions,
} from '../helpers/terminal.ts';
import {callWeather, createTools} from '../helpers/weather-tool.ts';
import {createFolder, openWriter} from '../sessions/session-files.ts';

const stty = 'stty -a | grep -ow -e -icanon -e -echo -e icanon -e echo | xargs echo';

/** Starts a program in a shell that, unlike bash, restores nothing of the terminal itself. */
async function start(
	line: string,
	replies: readonly ScriptedReply[] = [say('ok')],
	options: TerminalOptions = {},
): Promise<ProcessTerminal> {
	const service = await startScripted(...replies);
	const env = {...service.env, ...options.env};
	const shell = "PS1='$ ' exec sh -i";
	const terminal = await openTerminal({columns: 60, ...options, env, shell});
	await terminal.untilText('$ ');
	terminal.type(`${line}\r`);
	return terminal;
}

/** Waits for the shell, and checks that it has the terminal as it was. */
async function expectStopped(terminal: ProcessTerminal, name: string): Promise<void> {
	await terminal.untilText(/Stopped[\s\S]*\n\$\s*$/);
	terminal.type(`echo ${name} && ${stty}\r`);
	await terminal.untilText(`${name}\nicanon echo\n$`);
	expect(terminal.modes()).toEqual({
		isCursorShown: true,
		isPasteBracketed: false,
		keyboardFlags: 0,
		isModifyingKeys: false,
	});
}

function count(terminal: ProcessTerminal, text: string): number {
	return terminal.scrollback({isJoined: true}).join('\n').split(text).length - 1;
}

describe('a session', () => {
	test('stopped by Ctrl-Z gives the terminal back, and is there again after fg', async () => {
		const terminal = await start('chat');
		await terminal.untilText(ready);
		terminal.type('my draft');
		await terminal.untilText('› my draft');
		terminal.press('ctrl+z');
		await expectStopped(terminal, 'stopped');
		expect(terminal.screen().join('\n')).not.toContain('› my draft');
		terminal.type('fg\r');
		await terminal.untilText('› my draft');
		expect(terminal.modes()).toMatchObject({isPasteBracketed: true, keyboardFlags: 1});
		terminal.type(' goes on');
		await terminal.untilText('› my draft goes on');
		expect(count(terminal, '› my draft')).toBe(1);
		terminal.press('enter');
		await terminal.untilText('ok');
	});

	test.each(['TSTP', 'STOP'])('stopped by SIG%s from outside is drawn after fg', async (signal) => {
		const terminal = await start('chat');
		await terminal.untilText(ready);
		terminal.type('my draft');
		await terminal.untilText('› my draft');
		process.kill(await findChild(terminal), `SIG${signal}`);
		if (signal === 'TSTP') await expectStopped(terminal, 'then');
		else await terminal.untilText('Stopped');
		// In raw mode, which the shell knows nothing of.
		terminal.type('fg\n');
		await terminal.until(() => terminal.raw().split('\x1b[?2004h').length === 3);
		terminal.type('!');
		await terminal.untilText('› my draft!');
		expect(terminal.modes()).toMatchObject({isPasteBracketed: true, keyboardFlags: 1});
	});

	test('is stopped again in the background, and draws only in the foreground', async () => {
		const terminal = await start('chat');
		await terminal.untilText(ready);
		terminal.press('ctrl+z');
		await expectStopped(terminal, 'stopped');
		terminal.type('bg\r');
		// The shell reports it with its next prompt, or the one after.
		const asking = setInterval(() => terminal.type('jobs\r'), 200);
		onTestFinished(() => clearInterval(asking));
		await terminal.untilText('Stopped (tty output)');
		clearInterval(asking);
		expect(count(terminal, ready)).toBe(0);
		terminal.type('fg\r');
		await terminal.untilText(ready);
		terminal.type('hello');
		await terminal.untilText('› hello');
	});

	test('without a shell that could continue it goes on', async () => {
		const service = await startScripted(say('ok'));
		const terminal = await openTerminal({env: service.env});
		await terminal.untilText(ready);
		terminal.type('a\x1ab');
		await terminal.untilText('› ab');
	});
});

test('a question about a call is not answered by what was typed after fg', async () => {
	const cwd = createTools();
	const answers = [callWeather(), say('It is fine.')];
	const terminal = await start('chat --tools tools.json "how is it?"', answers, {cwd});
	await terminal.untilText('y runs it once');
	terminal.press('ctrl+z');
	await expectStopped(terminal, 'stopped');
	terminal.type('fg\ryyy');
	await terminal.untilText('y runs it once');
	expect(terminal.screen().join('\n')).not.toContain('It is fine.');
	terminal.type('y');
	await terminal.untilText('It is fine.');
});

test('a single answer is a whole after a stop', async () => {
	const gate = createGate();
	const terminal = await start('chat write', [
		[{text: 'One.\n\nTwo'}, {gate}, {text: ' is more.'}],
	]);
	await terminal.untilText('Two');
	terminal.press('ctrl+z');
	await expectStopped(terminal, 'stopped');
	gate.open();
	terminal.type('fg\r');
	await terminal.untilText(/fg\n+chat write\n+Two is more\.\n+\$/);
	expect(count(terminal, 'One.')).toBe(1);
});

test('the picker of conversations is there again after fg', async () => {
	const directory = createFolder();
	openWriter(directory, 'aaaaaaaa', undefined, tmpdir()).chat('name ideas for a cat');
	const env = {CHAT_SESSIONS_DIR: directory, CHAT_SAVE: undefined};
	const terminal = await start('chat sessions', [say('ok')], {env, cwd: tmpdir()});
	await terminal.untilText('Enter resume');
	terminal.type('cat');
	await terminal.untilText('1 conversation');
	terminal.press('ctrl+z');
	await expectStopped(terminal, 'stopped');
	expect(terminal.screen().join('\n')).not.toContain('Enter resume');
	terminal.type('fg\r');
	await terminal.untilText('1 conversation');
	terminal.press('ctrl+c');
	await terminal.until((screen) => !screen.includes('Enter resume'));
});
