/** Typed keys, in the encodings of real terminals. */
import {expect, test} from 'vitest';
import {say, startScripted} from '../helpers/scripted-service.ts';
import {openTerminal} from '../helpers/terminal.ts';
import {openInProcess} from '../helpers/terminal-in-process.ts';
import {openStory} from './story.ts';

test.each([openTerminal, openInProcess])(
	'keeps text typed before the screen is drawn, and takes a line end in it for Enter: %o',
	async (open) => {
		const service = await startScripted(say('answered'));
		const terminal = await open({env: service.env});
		terminal.type('early\rdraft');
		await terminal.until((screen) => /answered[\s\S]*› draft/.test(screen));
		expect(service.bodies.map(({messages}) => messages.at(-1)?.content)).toEqual(['early']);
		// A terminal echoes early keys; the frame must not contain them.
		if (open === openInProcess) return;
		expect(terminal.screen().find((row) => row.includes('draft'))).toBe('› draft');
	},
);

test('inserts a new line for every encoding of its keys', async () => {
	const {terminal, send, sent} = await openStory([say('answered')]);
	const [kitty, xterm, control, alt] = ['\x1b[13;2u', '\x1b[27;2;13~', '\x1b[27;5;13~', '\x1b\r'];
	terminal.type(`one${kitty}two${xterm}three${control}four${alt}five\nsix\\\rseven`);
	const lines = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];
	await terminal.untilText(`› ${lines.join('\n  ')}`);
	await send('');
	expect(sent()).toEqual([lines.join('\n')]);
});

test('a paste of 300 lines is folded, and sent in full', async () => {
	const lines = Array.from({length: 300}, (_, index) => `line ${index + 1}\tof 300`);
	const {terminal, send, sent} = await openStory([say('answered')]);
	terminal.type('Sum this up: ');
	terminal.paste(`${lines.join('\n')}\n`);
	await terminal.untilText('› Sum this up: [Pasted 300 lines #1]');
	await send('please');
	expect(sent()).toEqual([`Sum this up: ${lines.join('\n')}\nplease`]);
	expect(terminal.scrollback()).toContain('› Sum this up: [Pasted 300 lines #1]please');
	expect(terminal.raw()).not.toContain('line 150');
	// One with Enter in it sends nothing, and loses its control characters.
	terminal.paste('first\n\x1b]0;title\x07/exit\n\x03');
	await terminal.untilText('/exit');
	await send('');
	expect(sent().at(-1)).toBe('first\n/exit\n');
});
