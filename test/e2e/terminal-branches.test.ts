/** Going back in a conversation, and to the answers that were left. */
import {expect, test} from 'vitest';
import {say} from '../helpers/scripted-service.ts';
import {openStory, ready, saving} from './story.ts';

test('Esc Esc edits the last prompt, /edit 1 the first one, and no answer is lost', async () => {
	const story = await openStory(['one', 'two', 'three', 'four'].map(say), {env: saving});
	const {terminal, ask, sent, leave, again} = story;
	await ask('first prompt', 'one');
	await ask('second prompt', 'two');
	terminal.press('escape');
	await terminal.untilText('press Esc again to edit the last prompt');
	terminal.press('escape');
	await terminal.untilText('editing prompt 2 of 2 · Enter sends it instead of 2 · Esc leaves');
	await ask(', please', 'three');
	expect(terminal.screen().join('\n')).toContain('· back to "second prompt"');
	expect(sent()).toEqual(['first prompt', 'one', 'second prompt, please']);
	terminal.type('/edit 1\r');
	await terminal.untilText('editing prompt 1 of 2 · Enter sends it instead of 1–2 · Esc leaves');
	await ask(' again', 'four');
	expect(sent()).toEqual(['first prompt again']);
	await leave();
	const later = await again({argv: ['-c']});
	const screen = later.terminal.screen().join('\n');
	expect(screen).toContain('› first prompt again');
	expect(screen).toContain('has 3 branches');
	expect(screen).not.toContain('second prompt');
});

test('/tree goes back to the answer that was there before /retry, also in a later session', async () => {
	const replies = ['a pond', 'old snow', 'new snow', 'go on'].map(say);
	const {terminal, leave, again} = await openStory(replies, {env: saving, columns: 20, rows: 6});
	for (const [prompt, answer] of Object.entries({
		...{first: 'a pond', second: 'old snow', '/retry': 'new snow'},
	})) {
		terminal.type(`${prompt}\r`);
		await terminal.until(() => terminal.scrollback().join('\n').includes(answer));
		await terminal.untilText(ready);
	}
	terminal.type('/tree\r');
	await terminal.untilText('› 2 second ◂');
	terminal.press('down');
	await terminal.untilText('› ╰─ 2 second');
	terminal.press('enter');
	await terminal.untilText(ready);
	const back = /· back to\s+"second"\s+› second\s+old snow/;
	expect(terminal.scrollback({isJoined: true}).join('\n')).toMatch(back);
	await leave();
	const later = await again({argv: ['-c'], columns: 80, rows: 24});
	const shown = later.terminal.screen().join('\n');
	expect(shown).toContain('old snow');
	expect(shown).not.toContain('new snow');
	await later.ask('third', 'go on');
	expect(later.sent()).toEqual(['first', 'a pond', 'second', 'old snow', 'third']);
	later.terminal.type('/tree\r');
	await later.terminal.untilText('new snow');
	const rows = later.terminal.screen().filter((row) => / \d (first|second|third)/.test(row));
	expect(rows).toEqual([
		'  1 first         a pond',
		'  2 second        old snow',
		'› 3 third ◂ now   go on',
		'  ╰─ 2 second     new snow',
	]);
});
