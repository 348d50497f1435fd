/** Going back in a conversation, and to the answers that were left. */
import {expect, test} from 'vitest';
import {say, startScripted} from '../helpers/scripted-service.ts';
import {openInProcess} from '../helpers/terminal-in-process.ts';
import type {TestTerminal} from '../helpers/terminal-screen.ts';

const ready = 'Ask something';

async function ask(terminal: TestTerminal, prompt: string, answer: string): Promise<void> {
	terminal.type(`${prompt}\r`);
	await terminal.untilText(answer);
	await terminal.untilText(ready);
}

type ScriptedService = Awaited<ReturnType<typeof startScripted>>;

/** Returns the texts of the last request. */
function lastSent({bodies}: ScriptedService): readonly unknown[] | undefined {
	return bodies.at(-1)?.messages.map(({content}) => content);
}

test('Esc Esc edits the last prompt, /edit 1 the first one, and no answer is lost', async () => {
	const service = await startScripted(...['one', 'two', 'three', 'four'].map(say));
	const env = {...service.env, CHAT_SAVE: undefined};
	const terminal = await openInProcess({env});
	await terminal.untilText(ready);
	await ask(terminal, 'first prompt', 'one');
	await ask(terminal, 'second prompt', 'two');
	terminal.press('escape');
	await terminal.untilText('press Esc again to edit the last prompt');
	terminal.press('escape');
	await terminal.untilText('editing prompt 2 of 2 · Enter sends it instead of 2 · Esc leaves');
	await ask(terminal, ', please', 'three');
	expect(terminal.screen().join('\n')).toContain('· back to "second prompt"');
	expect(lastSent(service)).toEqual(['first prompt', 'one', 'second prompt, please']);

	terminal.type('/edit 1\r');
	await terminal.untilText('editing prompt 1 of 2 · Enter sends it instead of 1–2 · Esc leaves');
	await ask(terminal, ' again', 'four');
	expect(lastSent(service)).toEqual(['first prompt again']);
	terminal.type('/exit\r');
	expect(await terminal.exit).toMatchObject({exitCode: 0});

	const again = await openInProcess({
		env: {...env, HOME: terminal.home},
		cwd: terminal.home,
		argv: ['-c'],
	});
	await again.untilText(ready);
	const screen = again.screen().join('\n');
	expect(screen).toContain('› first prompt again');
	expect(screen).toContain('has 3 branches');
	expect(screen).not.toContain('second prompt');
});

test('/tree goes back to the answer that was there before /retry, also in a later session', async () => {
	const service = await startScripted(...['a pond', 'old snow', 'new snow', 'go on'].map(say));
	const env = {...service.env, CHAT_SAVE: undefined};
	const terminal = await openInProcess({env, columns: 20, rows: 6});
	await terminal.untilText('Ask something');
	for (const [prompt, answer] of [
		['first', 'a pond'],
		['second', 'old snow'],
		['/retry', 'new snow'],
	]) {
		terminal.type(`${prompt}\r`);
		const wanted = answer ?? '';
		await terminal.until(() => terminal.scrollback().join('\n').includes(wanted));
		await terminal.untilText('Ask something');
	}
	terminal.type('/tree\r');
	await terminal.untilText('› 2 second ◂');
	terminal.press('down');
	await terminal.untilText('› ╰─ 2 second');
	terminal.press('enter');
	await terminal.untilText('Ask something');
	expect(terminal.scrollback({isJoined: true}).join('\n')).toMatch(
		/· back to\s+"second"\s+› second\s+old snow/,
	);
	terminal.press('ctrl+d');
	expect(await terminal.exit).toMatchObject({exitCode: 0});

	const again = await openInProcess({
		env: {...env, HOME: terminal.home},
		cwd: terminal.home,
		argv: ['-c'],
	});
	await again.untilText(ready);
	expect(again.screen().join('\n')).toContain('old snow');
	expect(again.screen().join('\n')).not.toContain('new snow');
	await ask(again, 'third', 'go on');
	expect(lastSent(service)).toEqual(['first', 'a pond', 'second', 'old snow', 'third']);
	again.type('/tree\r');
	await again.untilText('new snow');
	expect(again.screen().filter((row) => / \d (first|second|third)/.test(row))).toEqual([
		'  1 first         a pond',
		'  2 second        old snow',
		'› 3 third ◂ now   go on',
		'  ╰─ 2 second     new snow',
	]);
});
