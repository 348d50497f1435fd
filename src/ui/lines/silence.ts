/** Reports how long nothing has arrived: after some seconds, and again each time that doubles. */
import type {ToolCall} from '../../chat/message.ts';
import type {SafeText} from '../../terminal/safe-text.ts';
import {speakDuration, speakLine} from './speak-entry.ts';

export interface Silence {
	/** Counts from now or, while a wait is announced, from its end. */
	restart(waitMs?: number): void;
	stop(): void;
}

const firstMs = 8000;

type SilenceOptions = {
	readonly say: (line: SafeText) => void;
	/** Returns the calls with running tools. */
	readonly running: () => readonly ToolCall[];
	readonly now: () => number;
};

export function createSilence({say, running, now}: SilenceOptions): Silence {
	let timer: NodeJS.Timeout | undefined;
	let since = 0;
	let limitMs = firstMs;
	const check = () => {
		const quietMs = now() - since;
		if (quietMs >= limitMs) {
			say(describeSilence(quietMs, running()));
			limitMs = 2 * quietMs;
		}
		wait();
	};
	const wait = () => {
		timer = setTimeout(check, since + limitMs - now());
	};
	const stop = () => {
		clearTimeout(timer);
		timer = undefined;
	};
	return {
		restart(waitMs = 0) {
			since = now() + waitMs;
			// A running timer checks the time itself, unless it would do so too late.
			if (limitMs > firstMs) stop();
			limitMs = firstMs;
			if (timer === undefined) wait();
		},
		stop,
	};
}

function describeSilence(quietMs: number, running: readonly ToolCall[]): SafeText {
	const duration = speakDuration(quietMs);
	const names = running.map(({name}) => name).join(', ');
	return speakLine(
		names === '' ? `Nothing received for ${duration}.` : `Running ${names} for ${duration}.`,
	);
}
