/** A window that changes its size: the terminal rewraps what is drawn, and nothing of it stays. */
import {expect, test} from 'vitest';
import {ready} from '../e2e/story.ts';
import {countIn, emulator, fold, nextFrame, resize, unfold} from '../helpers/resize.ts';
import {createGate, say, startScripted} from '../helpers/scripted-service.ts';
import {createSeededRandom} from '../helpers/seeded-random.ts';
import {openTerminal} from '../helpers/terminal.ts';
import {openInProcess} from '../helpers/terminal-in-process.ts';

test('a draft is there once, wherever the cursor is', async () => {
	const service = await startScripted(say('Hello.'));
	const size = {columns: 100, rows: 24};
	const terminal = await openInProcess({env: {...service.env, ...emulator}, ...size});
	await terminal.untilText(ready);
	terminal.type('hi\r');
	await terminal.untilText('Hello.');
	await terminal.untilText(ready);
	terminal.type(`DRAFT ${'word '.repeat(12)}end`);
	await terminal.untilText('end');
	for (const columns of [60, 30, 100, 80]) {
		terminal.press(columns === 100 ? 'ctrl+e' : 'ctrl+a');
		await resize(terminal, columns, 24);
		const rules = Array.from({length: 2}, () => '─'.repeat(Math.min(72, columns - 1)));
		expect(countIn(terminal, 'DRAFT')).toBe(1);
		expect(terminal.scrollback().filter((row) => /^MODEL/.test(row))).toHaveLength(1);
		expect(terminal.scrollback().filter((row) => /^─+$/.test(row))).toEqual(rules);
	}
	expect(countIn(terminal, 'Hello.')).toBe(1);
});

const thoughts = Array.from({length: 40}, (_, index) => `Thought ${index}: ${'hm '.repeat(30)}`);

test('an answer leaves nothing of its reasoning, and no line twice, after many resizes', async () => {
	const draw = createSeededRandom(4);
	const gates = Array.from({length: 4}, () => createGate());
	const stops = gates.map((gate, index) => {
		const end = `STOP${index}`;
		const text = `Part ${index} has ${'some words '.repeat(30)}and ${end}`;
		const piece = index < 2 ? {reasoning: `${text}\n`} : {text};
		return {end, pieces: [piece, {gate}, index < 2 ? {reasoning: 'on\n'} : {text: ' on.\n\n'}]};
	});
	const pieces = stops.flatMap((stop) => stop.pieces);
	const service = await startScripted([{reasoning: thoughts.join('\n')}, ...pieces]);
	const terminal = await openTerminal({
		env: {...service.env, ...emulator},
		columns: 120,
		rows: 40,
	});
	await terminal.untilText(ready);
	terminal.type('think\r');
	for (const [index, gate] of gates.entries()) {
		await terminal.untilText(stops[index]?.end ?? '');
		await nextFrame(terminal);
		await fold(terminal, 121 + index, 40);
		for (let count = 0; count < 20; count += 1) terminal.resize(draw(30, 160), draw(10, 50));
		terminal.resize(120 + index, 40);
		await unfold(terminal);
		gate.open();
	}
	await terminal.untilText(ready);
	expect(countIn(terminal, '│')).toBe(0);
	expect(countIn(terminal, '› ')).toBe(2);
	expect(countIn(terminal, 'Thought for')).toBe(1);
	for (const index of gates.keys()) {
		expect(countIn(terminal, `STOP${index} on.`)).toBe(index < 2 ? 0 : 1);
		expect(countIn(terminal, `Part ${index} `)).toBe(index < 2 ? 0 : 1);
	}
});
