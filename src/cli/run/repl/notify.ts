/** Signals answers and questions to a user looking elsewhere. */
import type {ChatEventBatch, Notice} from '../../../chat/event.ts';
import {askAfter} from '../../../chat/one-at-a-time.ts';
import type {Questions} from '../../../chat/tool.ts';
import type {Environment} from '../../../environment.ts';
import {createStdoutWriter} from '../../../output/streams.ts';
import type {Settings} from '../../../settings/options/settings.ts';
import {bell, type Notification, notificationSequence} from '../../../terminal/osc.ts';

/** A turn listener. */
type WatchedTurn = {
	hear(batch: ChatEventBatch): readonly Notice[];
	end(isWritten: boolean): void;
	/** Wraps questions with a signal. */
	readonly withSignals: (questions: Questions) => Questions;
};

type Notifier = {
	/** @param stop aborts when the user stops the turn */
	watch(stop: AbortSignal): WatchedTurn;
	/** Call on focus changes; undefined if focus is irrelevant. */
	readonly onFocus: ((isFocused: boolean) => void) | undefined;
};

/** Shorter turns need no signal: the user is still watching. */
const longTurnMs = 10_000;

/** `bell` signals each turn, `auto` a long one; a focused window needs no signal. */
export function createNotifier(
	{notify: mode}: Pick<Settings, 'notify'>,
	environment: Pick<Environment, 'stdout' | 'variables' | 'now'>,
): Notifier {
	const {stdout, variables} = environment;
	if (mode === 'off' || !stdout.isTerminal) {
		const watched = {withSignals: (questions: Questions) => questions, hear: () => [], end() {}};
		return {watch: () => watched, onFocus: undefined};
	}
	const isAuto = mode === 'auto';
	/** False also in terminals not reporting focus. */
	let isFocused = false;
	const setFocus = (hasFocus: boolean) => {
		isFocused = hasFocus;
	};
	const signal = (notification: Notification) => {
		if (isAuto && isFocused) return;
		const sequence = isAuto ? notificationSequence(notification, variables) : bell;
		void createStdoutWriter(stdout).write(sequence);
	};
	const watch: Notifier['watch'] = (stop) => {
		const since = environment.now();
		let isFailed = false;
		return {
			withSignals: (questions) => askAfter(questions, signal),
			hear(batch) {
				isFailed = batch.at(-1)?.type === 'error';
				return [];
			},
			end(isWritten) {
				const isLong = environment.now() - since >= longTurnMs;
				// No signal after a manual stop.
				if (!isWritten || stop.aborted || (isAuto && !isLong)) return;
				signal(isFailed ? 'failure' : 'answer');
			},
		};
	};
	return {watch, onFocus: isAuto ? setFocus : undefined};
}
