/** Asks the user, one question at a time, and waits for the answer. */
import {untilAborted} from '../../abort.ts';
import type {Elicitation} from '../../chat/elicitation.ts';
import type {Questions} from '../../chat/tool.ts';
import {scheduleAfterInput} from '../../schedule-after-input.ts';
import type {Effect, QuestionAction, QuestionEffect} from '../action.ts';
import {createApproval} from './approval.ts';
import {createElicitation} from './elicitation.ts';
import type {Question} from './question.ts';

interface Asker extends Questions {
	/** Resolves with the user's answer. */
	ask<Answer>(question: Question<Answer>, signal: AbortSignal): Promise<Answer>;
	perform(effect: QuestionEffect): void;
	close(): void;
}

/** Whether an asker performs the effect. */
export function isQuestionEffect(effect: Effect): effect is QuestionEffect {
	return effect.type === 'answer-question' || effect.type === 'arm-question';
}

/** Opens a page in the user's browser; returns whether there is one. */
export type OpenPage = (url: URL) => Promise<boolean>;

/** Time without a key before keys count as answers. */
const armedMs = 600;

/** @param arm is called after a pause without a key, when the keys in the terminal have been read */
export function createArming(arm: () => void): {restart(): void; cancel(): void} {
	let cancel = () => {};
	return {
		restart() {
			cancel();
			cancel = scheduleAfterInput(arm, armedMs);
		},
		cancel: () => cancel(),
	};
}

export function createAsker(dispatch: (action: QuestionAction) => void, openPage: OpenPage): Asker {
	const arming = createArming(() => dispatch({type: 'question-armed'}));
	let resolveOpen: ((answer: unknown) => void) | undefined;
	const ask = async <Answer>(question: Question<Answer>, signal: AbortSignal) => {
		signal.throwIfAborted();
		const answered = () =>
			new Promise<unknown>((resolve) => {
				resolveOpen = resolve;
				dispatch({type: 'question-asked', question});
			});
		const withdraw = () => {
			arming.cancel();
			dispatch({type: 'question-withdrawn'});
		};
		// The open question alone makes answers, matching its own type.
		return (await untilAborted(answered, signal, withdraw)) as Answer;
	};
	/** Opens the approved page before the server hears about the approval. */
	const open = async (url: URL, signal: AbortSignal) => {
		const isOpen = await openPage(url).catch(() => false);
		signal.throwIfAborted();
		dispatch({type: 'page-opened', url, isOpen});
	};
	return {
		ask,
		approve: (request, signal) => ask(createApproval(request), signal),
		async elicit(request: Elicitation, signal) {
			const answer = await ask(createElicitation(request), signal);
			if (request.type === 'url' && answer.type === 'accept') await open(request.url, signal);
			return answer;
		},
		perform(effect) {
			if (effect.type === 'arm-question') arming.restart();
			else resolveOpen?.(effect.answer);
		},
		close: arming.cancel,
	};
}
