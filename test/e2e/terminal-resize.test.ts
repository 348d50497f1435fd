/** A window that changes its size: the terminal rewraps what is drawn, and nothing of it stays. */
import {describe, expect, test} from 'vitest';
import {createGate, startScripted} from '../helpers/scripted-service.ts';
import {openTerminal, type TestTerminal} from '../helpers/terminal.ts';

const ready = 'Ask something';

/** The emulator of the tests is that of this terminal. */
const emulator = {TERM_PROGRAM: 'vscode'};

/** Resizes the window, and waits for a frame for its width: the status ends at the right edge. */
async function resize(terminal: TestTerminal, columns: number, rows: number): Promise<void> {
	terminal.resize(columns, rows);
	const isStatus = (row: string) => /(stops|keys)$/.test(row) && row.length === columns - 1;
	await terminal.until(() => terminal.screen().some(isStatus));
}

function countIn(terminal: TestTerminal, text: string): number {
	return terminal.scrollback({isJoined: true}).join('\n').split(text).length - 1;
}

describe('an answer beside its reasoning', () => {
	const thoughts = Array.from({length: 40}, (_, index) => `Thought ${index}: ${'hm '.repeat(30)}`);
	const sizes = [
		[100, 30],
		[60, 30],
		[120, 24],
		[99, 30],
		[160, 50],
		[80, 40],
		[120, 40],
	] as const;

	test('leaves neither parts of the reasoning nor a line twice', async () => {
		const gates = sizes.map(() => createGate());
		const service = await startScripted([
			{reasoning: thoughts.join('\n')},
			...gates.flatMap((gate, index) => [
				{text: `Paragraph ${index} has ${'some words '.repeat(20)}and STOP${index}`},
				{gate},
				{text: ' goes on.\n\n'},
			]),
		]);
		const terminal = await openTerminal({
			env: {...service.env, ...emulator},
			columns: 120,
			rows: 40,
		});
		await terminal.untilText(ready);
		terminal.type('think\r');
		for (const [index, gate] of gates.entries()) {
			await terminal.untilText(`STOP${index}`);
			const [columns, rows] = sizes[index] ?? [80, 24];
			await resize(terminal, columns, rows);
			gate.open();
		}
		await terminal.untilText(ready);
		const text = terminal.scrollback({isJoined: true}).join('\n');
		expect(text).not.toContain('│');
		for (const index of gates.keys()) {
			expect(countIn(terminal, `Paragraph ${index} `)).toBe(1);
			expect(countIn(terminal, `STOP${index} goes on`)).toBe(1);
		}
	});
});
