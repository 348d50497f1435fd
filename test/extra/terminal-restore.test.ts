/** However a session ends, it restores the terminal. */
import {expect, test} from 'vitest';
import {ready} from '../e2e/story.ts';
import {createGate, say, startScripted} from '../helpers/scripted-service.ts';
import {
	findChild,
	interactiveShell,
	openTerminal,
	type ProcessTerminal,
} from '../helpers/terminal.ts';

const stty = 'stty -a | grep -ow -e -icanon -e -echo -e icanon -e echo | xargs echo';

/** Starts a session in a shell. */
async function openShell(): Promise<ProcessTerminal> {
	const service = await startScripted([{text: 'It starts '}, {gate: createGate()}], say('ok'));
	const terminal = await openTerminal({
		shell: `ulimit -c 0; ${interactiveShell}`,
		env: service.env,
	});
	await terminal.untilText('$ ');
	terminal.type(`${stty} before:\r`);
	await terminal.untilText('before: icanon echo');
	terminal.type('chat\r');
	await terminal.untilText(ready);
	expect(terminal.modes()).toMatchObject({keyboardFlags: 1, isModifyingKeys: true});
	return terminal;
}

/** Bracketed paste is not checked: the prompt of the shell turns it on again. */
async function expectRestored(terminal: ProcessTerminal): Promise<void> {
	terminal.type(`${stty} after:\r`);
	await terminal.untilText('after: icanon echo');
	expect(terminal.modes()).toMatchObject({
		isCursorShown: true,
		keyboardFlags: 0,
		isModifyingKeys: false,
	});
	expect(terminal.raw().lastIndexOf('\x1b[<u')).toBeGreaterThan(
		terminal.raw().lastIndexOf('\x1b[>5u'),
	);
	terminal.type('exit\r');
	await terminal.exit;
}

test.each([
	['INT', 130],
	['HUP', 129],
] as const)('the terminal is restored after SIG%s during an answer', async (signal, code) => {
	const terminal = await openShell();
	terminal.type('go on\r');
	await terminal.untilText('It starts');
	process.kill(await findChild(terminal), `SIG${signal}`);
	await terminal.until((screen) => !screen.includes('Esc stops'));
	terminal.type('echo code $?\r');
	await terminal.untilText(`code ${code}`);
	expect(terminal.scrollback().join('\n')).toMatch(/It starts\n+ {2}◐ interrupted/);
	await expectRestored(terminal);
});

test('the terminal is restored after SIGQUIT, which ends a session at once', async () => {
	const terminal = await openShell();
	process.kill(await findChild(terminal), 'SIGQUIT');
	await terminal.untilText(/^\$ $/m);
	terminal.type('echo code $?\r');
	await terminal.untilText('code 131');
	await expectRestored(terminal);
});

test('the terminal is restored after SIGQUIT at the question for a key', async () => {
	const terminal = await openTerminal({shell: interactiveShell});
	await terminal.untilText('$ ');
	terminal.type('chat auth set --base-url https://api.example.com\r');
	await terminal.untilText('(hidden)');
	process.kill(await findChild(terminal), 'SIGQUIT');
	await terminal.until((screen) => screen.trimEnd().endsWith('$'));
	terminal.type(`echo code $?; ${stty} after:\r`);
	await terminal.untilText(/code 131\s+after: icanon echo/);
});
