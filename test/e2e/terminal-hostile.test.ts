/** Whatever a service sends, the terminal gets text and only our own escape sequences. */
import {expect, test} from 'vitest';
import {hostileFamilies, hostileSample, hostileTexts} from '../fixtures/hostile-texts.ts';
import {type ScriptedPiece, startScripted} from '../helpers/scripted-service.ts';
import {openInProcess} from '../helpers/terminal-in-process.ts';
import {findForbidden} from '../helpers/terminal-output.ts';
import type {TestTerminal} from '../helpers/terminal-screen.ts';
import {openStory, ready} from './story.ts';

/** Every text on lines of its own, followed by a word that must be shown. */
const wholeTexts = hostileTexts.map(({text}, index) => `${text}\n\nafter ${index}\n\n`);
const longTexts = hostileFamilies.map(({start, piece}) => `${start}${piece.repeat(300)}\n\n`);

/** Entities and escapes that become sequences only after Markdown is parsed. */
const markdownTexts = [
	'&#27;]52;c;cm0=&#7; &#x1b;[2J &#155;31m &#8238;\n\n',
	'[label](https://a.example/\x1b[2J) [x](javascript:alert) ![i](file:///etc/passwd)\n\n',
	'<https://a.example/&#27;]8;;>\n\n',
	'```js\x1b[2J\nconst a = "\x1b]0;t\x07";\n```\n\n',
	'| a\x1b[2J | b |\n| - | - |\n| &#27;[2J | \x9b2J |\n\n',
	'`\x1b[2J` **\x1b[2J** # \x1b[2J\n\n',
];

/** Half a character or a sequence at a time. */
const splitTexts = hostileSample.flatMap(({text}) => `${text}\n\n`.split(''));

const answers = [...wholeTexts, ...markdownTexts, ...longTexts, ...splitTexts];

/** Sends the same as reasoning and as text. */
const hostileReply: readonly ScriptedPiece[] = [
	...answers.map((reasoning) => ({reasoning})),
	{reasoning: '\n\nThe last thought.'},
	...answers.map((text) => ({text})),
	{text: '\x1b]0;x\x07\n\nThe end.'},
];
const message = hostileTexts.map(({text}) => text).join(' ');

function expectClean(terminal: TestTerminal): void {
	expect(findForbidden(terminal.raw())).toEqual([]);
	expect(terminal.modes()).toMatchObject({isCursorShown: true});
	const shown = terminal.scrollback().join('\n');
	// Nothing has moved up and overwritten it.
	expect(shown).toMatch(/^harmless\s/m);
	for (let index = 0; index < hostileTexts.length; index += 1) {
		expect(shown).toContain(`after ${index}`);
	}
}

test('a session shows hostile answers, reasoning and errors as text', async () => {
	const {terminal} = await openStory([hostileReply, {status: 400, message}], {columns: 120});
	terminal.type('attack\r');
	await terminal.untilText('The end.');
	await terminal.untilText(ready);
	terminal.press('ctrl+o');
	await terminal.untilText('Ctrl-O closes');
	terminal.press('ctrl+o');
	terminal.type('/reasoning\r');
	await terminal.until(() => terminal.scrollback().includes('│ The last thought.'));
	await terminal.untilText(ready);
	terminal.type('again\r');
	await terminal.untilText('answered 400');
	terminal.press('ctrl+c', 'ctrl+d');
	await terminal.exit;
	expectClean(terminal);
});

test('a single answer shows hostile texts as text', async () => {
	const service = await startScripted(hostileReply);
	const env = {...service.env, FORCE_HYPERLINK: '1'};
	const terminal = await openInProcess({argv: ['attack'], env});
	expect(await terminal.exit).toEqual({exitCode: 0, signal: 0});
	expectClean(terminal);
});

test('plain lines show hostile texts as text, without a sequence of their own', async () => {
	const argv = ['--plain', '--reasoning', 'show'];
	const {terminal} = await openStory([hostileReply, {status: 400, message}], {argv});
	terminal.type('attack\r');
	await terminal.untilText(/The end\.\nAnswer complete\./);
	terminal.type('/reasoning\r');
	await terminal.untilText(/The last thought\.\nEnd of reasoning\.\nYou:/);
	terminal.type('again\r');
	await terminal.untilText('answered 400');
	terminal.press('ctrl+d');
	await terminal.exit;
	expectClean(terminal);
	expect(terminal.raw()).not.toContain('\x1b');
});

test('finds forbidden sequences', () => {
	const own = '\x1b[?2026h\x1b[1mbold\x1b[22m\x1b[2K\r\n\x1b[?25h';
	expect(findForbidden(own)).toEqual([]);
	for (const {name, text, shown} of hostileTexts) {
		const isOwn = /^CSI moves up|^CR|separator$/.test(name);
		if (text !== shown && !isOwn) expect(findForbidden(text), name).not.toEqual([]);
	}
});
