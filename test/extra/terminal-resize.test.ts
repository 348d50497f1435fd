/** A window resized many times in quick succession. */
import {describe, expect, test} from 'vitest';
import {countIn, emulator, fold, nextFrame, unfold} from '../helpers/resize.ts';
import {createGate, startScripted} from '../helpers/scripted-service.ts';
import {createSeededRandom} from '../helpers/seeded-random.ts';
import {openTerminal} from '../helpers/terminal.ts';

const ready = 'Ask something';

describe('an answer beside its reasoning', () => {
	const thoughts = Array.from({length: 40}, (_, index) => `Thought ${index}: ${'hm '.repeat(30)}`);

	test('leaves nothing of it after many resizes in quick succession', async () => {
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
});
