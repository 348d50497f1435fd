/** Signals the end of an answer, and a question, to a user who looks elsewhere. */
import type {Questions} from '../../../chat/tool.ts';
import type {Environment} from '../../../environment.ts';
import {createStdoutWriter} from '../../../output/streams.ts';
import type {Settings} from '../../../settings/options/settings.ts';
import {bell, type Notification, notificationSequence} from '../../../terminal/osc.ts';
import type {TurnRunner} from '../turn-runner.ts';

type Notifier = {
	/** Returns a runner whose turns are signalled. */
	watch(runTurn: TurnRunner): TurnRunner;
	/** To be called when the window gets or loses the focus; undefined if that changes nothing. */
	readonly onFocus: ((isFocused: boolean) => void) | undefined;
};

/** Shorter turns need no signal: the user is still watching. */
const longTurnMs = 10_000;

/** `bell` signals each turn, `auto` a long one; a window that is known to have the focus needs no signal. */
export function createNotifier(
	{notify: mode}: Pick<Settings, 'notify'>,
	environment: Pick<Environment, 'stdout' | 'variables' | 'now'>,
): Notifier {
	const {stdout, variables} = environment;
	if (mode === 'off' || !stdout.isTerminal) {
		return {watch: (runTurn) => runTurn, onFocus: undefined};
	}
	const isAuto = mode === 'auto';
	/** False also in a terminal that does not report it. */
	let isFocused = false;
	const setFocus = (hasFocus: boolean) => {
		isFocused = hasFocus;
	};
	const signal = (notification: Notification) => {
		if (isAuto && isFocused) return;
		const sequence = isAuto ? notificationSequence(notification, variables) : bell;
		void createStdoutWriter(stdout).write(sequence);
	};
	const watch: Notifier['watch'] = (runTurn) =>
		async function* (conversation, options, stop, {approve, elicit}) {
			const since = environment.now();
			let isFailed = false;
			const questions: Questions = {
				approve(request, questionSignal) {
					signal('question');
					return approve(request, questionSignal);
				},
				elicit(request, questionSignal) {
					signal('elicitation');
					return elicit(request, questionSignal);
				},
			};
			for await (const batch of runTurn(conversation, options, stop, questions)) {
				isFailed = batch.at(-1)?.type === 'error';
				yield batch;
			}
			const isLong = environment.now() - since >= longTurnMs;
			// No signal after a manual stop.
			if (!stop.aborted && (isLong || !isAuto)) signal(isFailed ? 'failure' : 'answer');
		};
	return {watch, onFocus: isAuto ? setFocus : undefined};
}
