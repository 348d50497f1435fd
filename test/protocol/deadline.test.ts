import {describe, expect, it} from 'vitest';
import {createDeadline} from '../../src/protocol/http/deadline.ts';

const countTimers = () =>
	process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

describe('a deadline', () => {
	it('expires later after a restart, but not after a second start', async () => {
		const expired: string[] = [];
		await new Promise<void>((resolve) => {
			const kept = createDeadline(60, () => expired.push('started again'));
			const moved = createDeadline(60, () => {
				expired.push('started over');
				resolve();
			});
			kept.start();
			moved.start();
			createDeadline(40, () => {
				kept.start();
				moved.restart();
			}).start();
		});
		expect(expired).toEqual(['started again', 'started over']);
	});

	it.each([0, -1, 2 ** 31, Number.POSITIVE_INFINITY, Number.NaN])(
		'of %s has no timer',
		(limitMs) => {
			const before = countTimers();
			const deadline = createDeadline(limitMs, () => expect.unreachable());
			deadline.start();
			deadline.restart();
			expect(countTimers()).toBe(before);
		},
	);
});
