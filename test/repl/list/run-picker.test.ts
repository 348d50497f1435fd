/** The session picker with its files, which are never in the way of a key. */
import {expect, test} from 'vitest';
import {openPicker, type PickerServices} from '../../../src/repl/list/picker.ts';
import {createPickerState, type PickerSession} from '../../../src/repl/list/picker-state.ts';
import {press, type} from '../play.ts';

const session: PickerSession = {
	...{id: 'cat', title: 'names', updated: 0, turns: 1, isAnswered: true},
	...{model: 'm', cwd: '/here', prompts: ''},
};

/** Lists one session; what is called is written down. */
function open(called: string[], services: Partial<PickerServices> = {}) {
	return openPicker(createPickerState({cwd: '/here', date: 0, columns: 80, rows: 24}), {
		async *list() {
			yield [session];
			called.push('list');
		},
		async *search([word = '']) {
			called.push(`search ${word}`);
			yield [{id: 'cat', excerpt: 'a pelican'}];
		},
		preview: async () => [],
		rename: async (_, title) => title,
		async delete(id) {
			called.push(`delete ${id}`);
		},
		suspend() {},
		...services,
	});
}

test('a session is deleted after the key that agrees to it, and leaves the list then', async () => {
	const called: string[] = [];
	const picker = open(called);
	await expect.poll(() => picker.getState().isListed).toBe(true);
	picker.dispatch(press('ctrl+d'));
	await expect.poll(() => picker.getState().question?.isArmed).toBe(true);
	picker.dispatch(type('y'));
	expect(picker.getState().question).toBeUndefined();
	expect(called).toEqual(['list']);
	await expect.poll(() => picker.getState().list.items).toEqual([]);
	expect(called).toEqual(['list', 'delete cat']);
});

test('full texts are searched after all sessions are listed', async () => {
	const called: string[] = [];
	const picker = open(called);
	picker.dispatch(type('pelican'));
	await expect.poll(() => picker.getState().isSearching).toBe(false);
	expect(called).toEqual(['list', 'search pelican']);
	expect(picker.getState().list.items).toMatchObject([{foundIn: 'text', excerpt: 'a pelican'}]);
});

test('a failure is shown, and the picker stays open', async () => {
	const picker = open([], {
		rename: async () => {
			throw new Error('disk full');
		},
	});
	await expect.poll(() => picker.getState().isListed).toBe(true);
	picker.dispatch(press('ctrl+r'));
	picker.dispatch(type('!'));
	picker.dispatch(press('enter'));
	await expect.poll(() => picker.getState().notice).toContain('disk full');
	picker.dispatch(press('escape'));
	expect(await picker.closed).toBeUndefined();
});
