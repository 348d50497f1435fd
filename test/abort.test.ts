import {getEventListeners} from 'node:events';
import {expect, it, onTestFinished, vi} from 'vitest';
import {wait} from '../src/abort.ts';
import {ChatError} from '../src/errors.ts';

it('waits for a time, or until an abort, whose reason it rejects with, and leaves nothing', async () => {
	vi.useFakeTimers();
	onTestFinished(() => void vi.useRealTimers());
	const stop = new ChatError('interrupted', 'stop');
	const controller = new AbortController();
	const {signal} = controller;
	let isOver = false;
	void wait(30, signal).then(() => {
		isOver = true;
	});
	await vi.advanceTimersByTimeAsync(29);
	expect(isOver).toBe(false);
	await vi.advanceTimersByTimeAsync(1);
	expect(isOver).toBe(true);
	expect(getEventListeners(signal, 'abort')).toEqual([]);
	const waiting = wait(60_000, signal);
	controller.abort(stop);
	await expect(waiting).rejects.toBe(stop);
	await expect(wait(60_000, signal)).rejects.toBe(stop);
	expect(vi.getTimerCount()).toBe(0);
});
