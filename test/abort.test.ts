import {describe, expect, it, onTestFinished, vi} from 'vitest';
import {wait} from '../src/abort.ts';
import {ChatError} from '../src/errors.ts';

describe('wait', () => {
	const stop = new ChatError('interrupted', 'stop');

	it('takes the given time', async () => {
		const startMs = performance.now();
		await wait(30, new AbortController().signal);
		expect(performance.now() - startMs).toBeGreaterThanOrEqual(28);
	});

	it('rejects with the reason of an abort', async () => {
		const controller = new AbortController();
		const waiting = wait(60_000, controller.signal);
		controller.abort(stop);
		await expect(waiting).rejects.toBe(stop);
	});

	it('rejects after an abort', async () => {
		await expect(wait(60_000, AbortSignal.abort(stop))).rejects.toBe(stop);
	});

	it('removes its timer and its listener', async () => {
		const start = vi.spyOn(globalThis, 'setTimeout');
		const clear = vi.spyOn(globalThis, 'clearTimeout');
		onTestFinished(() => {
			start.mockRestore();
			clear.mockRestore();
		});
		const controller = new AbortController();
		let listeners = 0;
		const {signal} = controller;
		const {addEventListener, removeEventListener} = signal;
		signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
			listeners++;
			addEventListener.apply(signal, args);
		};
		signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
			listeners--;
			removeEventListener.apply(signal, args);
		};
		await wait(1, signal);
		expect(listeners).toBe(0);
		const waiting = wait(60_000, signal);
		controller.abort(stop);
		await expect(waiting).rejects.toBe(stop);
		expect(clear).toHaveBeenLastCalledWith(start.mock.results.at(-1)?.value);
	});
});
