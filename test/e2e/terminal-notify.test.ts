/** Signals to a user who looks elsewhere, on a terminal. */
import {expect, test} from 'vitest';
import {say, startScripted} from '../helpers/scripted-service.ts';
import {openInProcess} from '../helpers/terminal-in-process.ts';
import type {TestTerminal} from '../helpers/terminal-screen.ts';
import {createDirectory} from '../input/input-helpers.ts';
import {ready} from './story.ts';

const notified = '\u001b]777;notify;chat;chat: a tool call waits for approval\u0007';

function countOf(text: string, terminal: TestTerminal): number {
	return terminal.raw().split(text).length - 1;
}

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
