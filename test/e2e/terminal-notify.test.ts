/** Signals to a user who looks elsewhere, on a terminal. */
import {expect, test} from 'vitest';
import {say, startScripted} from '../helpers/scripted-service.ts';
import {openInProcess} from '../helpers/terminal-in-process.ts';
import type {TestTerminal} from '../helpers/terminal-screen.ts';
import {createDirectory} from '../input/input-helpers.ts';

const ready = 'Ask something';
const notified = '\u001b]777;notify;chat;chat: a tool call waits for approval\u0007';

function countOf(text: string, terminal: TestTerminal): number {
	return terminal.raw().split(text).length - 1;
}

test('an answer rings in a session and outside of one, if that is set', async () => {
	const service = await startScripted(say('Hi.'));
	const env = {...service.env, CHAT_NOTIFY: 'bell'};
	const session = await openInProcess({env});
	await session.untilText(ready);
	session.type('hello\r');
	await session.until(() => countOf('\u0007', session) === 1);
	const loud = await openInProcess({env, argv: ['hello']});
	await loud.exit;
	expect(countOf('\u0007', loud)).toBe(1);
	const silent = await openInProcess({env: service.env, argv: ['hello']});
	await silent.exit;
	expect(silent.raw()).not.toContain('\u0007');
	expect(session.raw()).not.toContain('?1004');
});

test('a question is signalled to a window without the focus, and the terminal is left as it was', async () => {
	const call = {call: {id: 'a', name: 'echo', arguments: '{}'}};
	const service = await startScripted([call], say('First.'), [call], say('Second.'));
	const tools = {type: 'function', function: {name: 'echo'}, command: ['echo']};
	const cwd = createDirectory({'tools.json': JSON.stringify(tools)});
	const env = {...service.env, TERM_PROGRAM: 'ghostty'};
	const argv = ['--tools', 'tools.json', '--notify', 'auto'];
	const terminal = await openInProcess({argv, env, cwd});
	await terminal.untilText(ready);
	terminal.type('\u001b[I');
	const ask = async (answer: string) => {
		terminal.type('echo\r');
		await terminal.until(
			(screen) => screen.includes('Run echo?') && !screen.includes('in a moment'),
		);
		const count = countOf(notified, terminal);
		terminal.type('n');
		await terminal.untilText(answer);
		await terminal.untilText(ready);
		return count;
	};
	expect(await ask('First.')).toBe(0);
	terminal.type('\u001b[O');
	expect(await ask('Second.')).toBe(1);
	terminal.press('ctrl+u', 'ctrl+d');
	await terminal.exit;
	expect(countOf('\u001b[?1004h', terminal)).toBe(1);
	expect(terminal.raw().lastIndexOf('\u001b[?1004l')).toBeGreaterThan(
		terminal.raw().lastIndexOf('\u001b[?1004h'),
	);
	expect(terminal.raw()).not.toContain('\u0007\u0007');
});
