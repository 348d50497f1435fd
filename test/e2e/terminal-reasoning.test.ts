/** The place of the reasoning on a terminal during and after an answer, and its key. */
import {expect, test} from 'vitest';
import {createGate} from '../helpers/scripted-service.ts';
import {openStory, ready} from './story.ts';

const thought = /^▸ Thought for (a moment|\d\.\d s) {3}\/reasoning \d$/m;

test('the reasoning is beside an answer or above it, and Ctrl-O closes and opens it', async () => {
	const [beginning, middle] = [createGate(), createGate()];
	const reasoning = 'first thought\nsecond thought\nlatest thought';
	const {terminal} = await openStory(
		[
			[
				{reasoning},
				{gate: beginning},
				{text: 'Yes.\n\nIts tail '},
				{gate: middle},
				{text: 'ends.'},
			],
		],
		{columns: 120},
	);
	terminal.type('think\r');
	await terminal.untilText(/thinking .* Esc stops\n│ first thought\n│ second thought\n│ latest/);
	beginning.open();
	const beside = /^Its tail .* │ latest thought$/m;
	await terminal.untilText(beside);
	const row = terminal.screen().findIndex((line) => line.startsWith('Its tail'));
	expect(terminal.screen()[row]?.indexOf('│')).toBe(72);
	const cells = [0, 72, 74].map((x) => terminal.cell(x, row));
	expect(cells.map(({text, isDim}) => `${text} ${isDim}`)).toEqual(['I false', '│ true', 'l true']);
	expect(terminal.screen()[row - 1]?.slice(72)).toBe('│ second thought');
	terminal.press('ctrl+o');
	await terminal.until((screen) => !screen.includes('│'));
	expect(terminal.screen()).toContain('Its tail');
	terminal.press('ctrl+o');
	await terminal.untilText(beside);
	middle.open();
	await terminal.untilText(ready);
	const folded = terminal.screen();
	expect(folded.filter((line) => line !== '').slice(1, 5)).toEqual([
		...['› think', expect.stringMatching(thought), 'Yes.', 'Its tail ends.'],
	]);
	terminal.press('ctrl+o');
	await terminal.untilText(/│ second thought\n│ latest thought\n\n─+\n› /);
	terminal.press('ctrl+o');
	await terminal.until((screen) => !screen.includes('│'));
	expect(terminal.screen()).toEqual(folded);
});
