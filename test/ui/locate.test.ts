import {expect, test} from 'vitest';
import {createLocator} from '../../src/ui/ink/mount/locate.ts';
import type {CursorReport} from '../../src/ui/ink/mount/reflow.ts';

const cursor = {x: 2, y: 10};
const last = {x: 79, y: 23};
const place = {cursor, size: {columns: 80, rows: 24}};

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
