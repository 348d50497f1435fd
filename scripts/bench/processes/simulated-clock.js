/** Puts a clock that only moves by hand in the place of the real one. Import it before all else. */

let now = 0;
let timers = [];

class Timer {
	constructor(callback, ms, words, isRepeated) {
		this.callback = () => callback(...words);
		this.periodMs = Math.max(1, Number(ms) || 0);
		this.isRepeated = isRepeated;
		this.refresh();
	}

	refresh() {
		this.dueAt = now + this.periodMs;
		if (!timers.includes(this)) timers.push(this);
		return this;
	}

	ref() {
		return this;
	}

	unref() {
		return this;
	}
}

function stop(timer) {
	timers = timers.filter((other) => other !== timer);
}

globalThis.setTimeout = (callback, ms, ...words) => new Timer(callback, ms, words, false);
globalThis.setInterval = (callback, ms, ...words) => new Timer(callback, ms, words, true);
globalThis.clearTimeout = stop;
globalThis.clearInterval = stop;
Date.now = () => 1_790_000_000_000 + now;
Object.defineProperty(performance, 'now', {value: () => now});

/** Lets time pass, and resolves when all that was due has been done. */
export async function advance(ms) {
	const end = now + ms;
	for (;;) {
		await settle();
		const due = timers.filter(({dueAt}) => dueAt <= end);
		if (due.length === 0) break;
		const next = due.reduce((first, timer) => (timer.dueAt < first.dueAt ? timer : first));
		now = Math.max(now, next.dueAt);
		if (next.isRepeated) next.refresh();
		else stop(next);
		next.callback();
	}
	now = end;
}

function settle() {
	return new Promise((resolve) => setImmediate(resolve));
}
