/** The screen that the session picker leaves behind. */
import {expect, test} from 'vitest';
import type {PickerSession} from '../../src/repl/list/picker-state.ts';
import type {KeyInput} from '../../src/terminal/keys/key-input.ts';
import {runPicker} from '../../src/ui/ink/picker/run-picker.tsx';
import {pressed} from '../repl/play.ts';
import {openEmulator} from './emulator.ts';

const sessions = Array.from({length: 30}, (_, index): PickerSession => {
	const title = `conversation ${index}`;
	return {
		...{id: `id${index}`, title, updated: 0, turns: 1, isAnswered: true},
		...{model: 'm', cwd: '/here', prompts: ''},
	};
});

test.each([
	['with', true],
	['without', false],
])('nothing of the picker stays in a terminal %s an alternate screen', async (_, hasOne) => {
	const {terminal, screen} = openEmulator({columns: 60, rows: 12}, hasOne);
	terminal.output.write('$ chat\n');
	let push: (keys: readonly KeyInput[]) => void = () => {};
	const picked = runPicker({
		services: {
			async *list() {
				yield sessions;
			},
			async *search() {},
			preview: async () => [],
			rename: async (__, title) => title,
			async delete() {},
		},
		terminal,
		listen(listener) {
			push = listener;
			return () => {};
		},
		hasColor: true,
		...{cwd: '/here', date: 0, signal: new AbortController().signal},
	});
	await expect.poll(async () => (await screen()).join('\n')).toContain('conversation 3');
	push(pressed('<escape>').keys);
	expect(await picked).toBeUndefined();
	expect(await screen()).toEqual(['$ chat']);
});
