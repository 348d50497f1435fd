/** The place of the reasoning during and after an answer, and its key. */
import {describe, expect, test} from 'vitest';
import {createGate, startScripted} from '../helpers/scripted-service.ts';
import type {TerminalOptions} from '../helpers/terminal.ts';
import {openInProcess} from '../helpers/terminal-in-process.ts';
import type {TestTerminal} from '../helpers/terminal-screen.ts';

const ready = 'Ask something';
const thoughts = 'first thought\nsecond thought\nlatest thought';

type Stage = {
	readonly terminal: TestTerminal;
	/** Releases the start of the answer, its next part, and the end of the turn. */
	begin(): void;
	goOn(): void;
	end(): void;
};

/** Sends a prompt and waits for the reasoning; the answer waits for `begin`. */
async function think(options: TerminalOptions): Promise<Stage> {
	const [beginning, middle, ending] = [createGate(), createGate(), createGate()];
	const service = await startScripted([
		{reasoning: thoughts},
		{gate: beginning},
		{text: 'The answer begins.\n\nIts tail '},
		{gate: middle},
		{text: 'goes on '},
		{gate: ending},
		{text: 'and ends.'},
	]);
	const terminal = await openInProcess({...options, env: service.env});
	await terminal.untilText(ready);
	terminal.type('think\r');
	await terminal.untilText(/thinking .* Esc stops$/m);
	return {terminal, begin: beginning.open, goOn: middle.open, end: ending.open};
}

const pane = /│ latest thought/;
const thought = /^▸ Thought for (a moment|\d\.\d s) {3}\/reasoning \d$/m;
const beside = /^Its tail .* │ /m;

describe('at 120 columns', () => {
	test('the reasoning is beside the answer until the turn ends', async () => {
		const {terminal, begin, goOn, end} = await think({columns: 120});
		await terminal.untilText(pane);
		begin();
		await terminal.untilText(beside);
		const row = terminal.screen().findIndex((line) => line.startsWith('Its tail'));
		const bar = terminal.screen()[row]?.indexOf('│') ?? -1;
		expect(bar).toBe(72);
		expect(terminal.cell(bar, row)).toEqual({text: '│', isDim: true});
		expect(terminal.cell(0, row)).toEqual({text: 'I', isDim: false});
		expect(terminal.screen()[row]?.slice(bar)).toBe('│ latest thought');
		expect(terminal.cell(bar + 2, row)).toEqual({text: 'l', isDim: true});
		expect(terminal.screen()[row - 1]?.slice(bar)).toBe('│ second thought');
		expect(terminal.screen()[row + 1]).not.toContain('│');
		goOn();
		await terminal.untilText(/^Its tail goes on .* │ latest thought$/m);
		end();
		await terminal.untilText(ready);
		expect(
			terminal
				.screen()
				.filter((line) => line !== '')
				.slice(1),
		).toEqual([
			'› think',
			expect.stringMatching(thought),
			'The answer begins.',
			'Its tail goes on and ends.',
			expect.stringMatching(/^─+$/),
			`› (${ready})`,
			expect.stringMatching(/^─+$/),
			expect.stringMatching(/^MODEL-5.6-sol /),
		]);
	});

	test('Ctrl-O closes and opens the pane during the answer', async () => {
		const {terminal, begin, goOn, end} = await think({columns: 120});
		begin();
		await terminal.untilText(beside);
		terminal.press('ctrl+o');
		await terminal.until((screen) => !screen.includes('│'));
		expect(terminal.screen()).toContain('Its tail');
		terminal.press('ctrl+o');
		await terminal.untilText(beside);
		goOn();
		await terminal.untilText(/^Its tail goes on .* │ /m);
		terminal.press('ctrl+o');
		end();
		await terminal.untilText(ready);
		expect(terminal.screen()).toContain('Its tail goes on and ends.');
		expect(terminal.screen().filter((line) => thought.test(line))).toHaveLength(1);
	});
});

describe('below 100 columns', () => {
	test('the reasoning closes when the answer starts, and can be opened above it', async () => {
		const {terminal, begin, goOn, end} = await think({columns: 99});
		await terminal.untilText(pane);
		const screen = terminal.screen();
		const top = screen.findIndex((line) => /^[·•] thinking/.test(line));
		expect(screen.slice(top + 1, top + 4)).toEqual([
			'│ first thought',
			'│ second thought',
			'│ latest thought',
		]);
		begin();
		await terminal.until((shown) => thought.test(shown) && !shown.includes('│'));
		expect(terminal.screen()).toContain('Its tail');
		terminal.press('ctrl+o');
		await terminal.untilText(/│ latest thought\n\nIts tail/);
		terminal.press('ctrl+o');
		await terminal.until((shown) => thought.test(shown) && !shown.includes('│'));
		goOn();
		end();
		await terminal.untilText(ready);
		expect(terminal.screen().filter((line) => thought.test(line))).toHaveLength(1);
	});
});

test('Ctrl-O shows the reasoning of the last turn above the prompt, and hides it', async () => {
	const {terminal, begin, goOn, end} = await think({columns: 80});
	for (const open of [begin, goOn, end]) open();
	await terminal.untilText(ready);
	const folded = terminal.screen();
	terminal.press('ctrl+o');
	await terminal.untilText(/│ second thought\n│ latest thought\n\n─+\n› /);
	terminal.press('ctrl+o');
	await terminal.until((screen) => !screen.includes('│'));
	expect(terminal.screen()).toEqual(folded);
});
