/** Ctrl-C during an answer that is expensive to draw. */
import {describe, expect, test} from 'vitest';
import {ready} from '../e2e/story.ts';
import {createGate, startScripted} from '../helpers/scripted-service.ts';
import {openTerminal} from '../helpers/terminal.ts';
import {openInProcess} from '../helpers/terminal-in-process.ts';

describe('Ctrl-C stops an answer that is expensive to draw', () => {
	const code = `\`\`\`python\n${"f'{a\n".repeat(300)}\`\`\`\n`;
	const reply = [{text: `It starts.\n\n${code}${'a-_'.repeat(5_000)}`}, {gate: createGate()}];

	test('on its own', async () => {
		const service = await startScripted(reply);
		const terminal = await openTerminal({argv: ['attack'], env: service.env});
		await terminal.until(() => terminal.raw().includes('It starts.'));
		terminal.press('ctrl+c');
		expect(await terminal.exit).toMatchObject({signal: 2});
	});

	test('in a session', async () => {
		const service = await startScripted(reply);
		const terminal = await openInProcess({env: service.env});
		await terminal.untilText(ready);
		terminal.type('attack\r');
		await terminal.until(() => terminal.raw().includes('It starts.'));
		terminal.press('ctrl+c');
		await terminal.untilText('◐ interrupted');
		terminal.press('ctrl+d');
		expect(await terminal.exit).toEqual({exitCode: 0, signal: 0});
	});
});
