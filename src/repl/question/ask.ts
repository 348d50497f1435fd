/** Asks the user, one question at a time, and waits for the answer. */
import type {ElicitAnswer, Elicitation} from '../../chat/elicitation.ts';
import type {Approval, ApprovalRequest, Questions} from '../../chat/tool.ts';
import {scheduleAfterInput} from '../../schedule-after-input.ts';
import type {DialogAction, DialogEffect, Effect} from '../action.ts';

interface Asker extends Questions {
	perform(effect: DialogEffect): void;
	close(): void;
}

const performed = {
	'answer-approval': true,
	'answer-elicitation': true,
	'open-page': true,
	'arm-dialog': true,
} as const satisfies Record<DialogEffect['type'], true>;

/** Whether an asker performs the effect. */
export function isDialogEffect(effect: Effect): effect is DialogEffect {
	return Object.hasOwn(performed, effect.type);
}

/** Opens a page in the browser of the user; returns whether there is one. */
export type OpenPage = (url: URL) => Promise<boolean>;

/** Time without a key before keys count as answers. */
export const dialogArmedMs = 600;

export function createAsker(dispatch: (action: DialogAction) => void, openPage: OpenPage): Asker {
	let cancelArming = () => {};
	const createQuestion = <Request, Answer>(open: (request: Request) => DialogAction) => {
		let answer: ((given: Answer) => void) | undefined;
		return {
			ask: (request: Request, signal: AbortSignal) =>
				new Promise<Answer>((resolve, reject) => {
					const settle = () => {
						answer = undefined;
						cancelArming();
						signal.removeEventListener('abort', withdraw);
					};
					const withdraw = () => {
						settle();
						dispatch({type: 'dialog-withdrawn'});
						reject(signal.reason);
					};
					if (signal.aborted) return reject(signal.reason);
					signal.addEventListener('abort', withdraw, {once: true});
					answer = (given) => {
						settle();
						resolve(given);
					};
					return dispatch(open(request));
				}),
			answer: (given: Answer) => answer?.(given),
		};
	};
	const approval = createQuestion<ApprovalRequest, Approval>((request) => ({
		type: 'approval-asked',
		request,
	}));
	const elicitation = createQuestion<Elicitation, ElicitAnswer>((request) => ({
		type: 'elicitation-asked',
		request,
	}));
	const openInBrowser = async (url: URL) => {
		const isOpen = await openPage(url).catch(() => false);
		dispatch({type: 'page-opened', isOpen});
	};
	return {
		approve: approval.ask,
		elicit: elicitation.ask,
		perform(effect) {
			switch (effect.type) {
				case 'answer-approval':
					approval.answer(effect.approval);
					break;
				case 'answer-elicitation':
					elicitation.answer(effect.answer);
					break;
				case 'open-page':
					void openInBrowser(effect.url);
					break;
				case 'arm-dialog':
					cancelArming();
					cancelArming = scheduleAfterInput(() => dispatch({type: 'dialog-armed'}), dialogArmedMs);
					break;
				default:
					effect satisfies never;
			}
		},
		close: () => cancelArming(),
	};
}
