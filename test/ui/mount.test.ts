/** Where the frame is on the terminal, and how it is erased after the terminal wrapped it. */
import {expect, test} from 'vitest';
import {createLocator} from '../../src/ui/ink/mount/locate.ts';
import {type CursorReport, clearFrame, eraseFrame} from '../../src/ui/ink/mount/reflow.ts';

const cursor = {x: 2, y: 10};
const last = {x: 79, y: 23};
const size = {columns: 80, rows: 24};
const place = {cursor, size};

function open() {
	let time = 0;
	const written: string[] = [];
	const places: CursorReport[] = [];
	const {locate, onPosition} = createLocator(
		(text) => written.push(text),
		() => time,
	);
	return {
		ask: () => void locate().then((found) => places.push(found)),
		async answer(...positions: readonly (typeof cursor)[]) {
			for (const position of positions) onPosition(position);
			await Promise.resolve();
			return places.splice(0);
		},
		wait(ms: number) {
			time += ms;
		},
		count: () => written.length,
	};
}

test('the place of the cursor comes with the size of the window', async () => {
	const {ask, answer} = open();
	ask();
	expect(await answer(cursor)).toEqual([]);
	expect(await answer(last)).toEqual([place]);
	ask();
	expect(await answer(cursor, last)).toEqual([place]);
});

test('a late answer is not taken for that to a later question', async () => {
	const {ask, answer, wait, count} = open();
	ask();
	wait(400);
	ask();
	expect(count()).toBe(1);
	expect(await answer(cursor, last)).toEqual([]);
	ask();
	expect(await answer(cursor, last)).toEqual([place]);
});

test('an answer that never came is given up after a while', async () => {
	const {ask, answer, wait, count} = open();
	ask();
	await answer(cursor);
	wait(5000);
	ask();
	expect(count()).toBe(2);
	expect(await answer(cursor, last)).toEqual([place]);
});

const up = '\u001b[A';
const narrow = {columns: 30, rows: 24};
const rows = ['a'.repeat(70), 'short', `> ${'b'.repeat(50)}`, 'status'];

test('erases a wrapped frame row by row, also the part of its own row above the cursor', () => {
	const erasing = eraseFrame({rows, cursor: {x: 52, y: 2}, size}, narrow, 'all');
	expect(erasing.split(`${up}\u001b[2K`)).toHaveLength(1 + 3 + 1 + 1);
	expect(erasing.split('\u001b[J')).toHaveLength(1 + 1);
});

test.each([
	['above', 3 + 1],
	['xterm.js', 3 + 1],
	['none', 1 + 1],
] as const)('erases as many rows as there are where the terminal rewraps %s', (reflow, count) => {
	const erasing = eraseFrame({rows, cursor: {x: 52, y: 2}, size}, narrow, reflow);
	expect(erasing.split(`${up}\u001b[2K`)).toHaveLength(1 + count);
});

test('leaves the cursor where Ink has put it in the frame', () => {
	for (const cursor of [{x: 2, y: 2}, {x: 0, y: 0}, undefined]) {
		const erasing = eraseFrame({rows, cursor, size}, size, 'all');
		const [, after = ''] = erasing.split('\r');
		expect(after).toBe('\n'.repeat(4) + up.repeat(4 - (cursor?.y ?? 4)));
	}
});

test('counts no row below the cursor that a lower window has dropped before it was wrapped', () => {
	const drawn = {rows: ['above', '> ', 'right'.padStart(50)], cursor: {x: 2, y: 1}, size};
	const climb = (height: number) =>
		eraseFrame(drawn, {columns: 30, rows: height}, 'xterm.js').split(`${up}\u001b[2K`).length - 1;
	expect([24, 23, 22].map(climb)).toEqual([1 + 1, 1 + 1, 1]);
});

test('erases what the terminal reports of its window, whatever the program has heard', () => {
	const drawn = {rows, cursor: {x: 2, y: 2}, size};
	expect(clearFrame(drawn, place, narrow, 'all')).toBe(eraseFrame(drawn, size, 'all'));
	expect(clearFrame(drawn, undefined, narrow, 'all')).toBe(eraseFrame(drawn, narrow, 'all'));
});

test.each([
	['in another column', {x: 0, y: 10}],
	['above the frame', {x: 2, y: 1}],
])('erases nothing when the cursor is %s', (_, cursor) => {
	const clearing = clearFrame({rows, cursor: {x: 2, y: 2}, size}, {cursor, size}, size, 'all');
	expect(clearing).toBe(`\u001b[9999B\r${'\n'.repeat(5)}${up.repeat(2)}`);
});
