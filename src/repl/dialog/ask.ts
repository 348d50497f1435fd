/** Asks the user whether a call may run, and waits for the answer. */
import type {Approval, Approve} from '../../chat/tool.ts';
import {scheduleAfterInput} from '../../schedule-after-input.ts';
import type {ApprovalAction, ApprovalEffect} from '../action.ts';

interface Asker {
	/** Opens the dialog, one at a time. */
	readonly ask: Approve;
	perform(effect: ApprovalEffect): void;
	close(): void;
}

/** Time without a key before keys count as answers. */
export const approvalArmedMs = 600;

export function createAsker(dispatch: (action: ApprovalAction) => void): Asker {
	let answer: ((approval: Approval) => void) | undefined;
	let cancelArming = () => {};
	return {
		ask: (request, signal) =>
			new Promise((resolve, reject) => {
				const settle = () => {
					answer = undefined;
					cancelArming();
					signal.removeEventListener('abort', withdraw);
				};
				const withdraw = () => {
					settle();
					dispatch({type: 'approval-withdrawn'});
					reject(signal.reason);
				};
				if (signal.aborted) return reject(signal.reason);
				signal.addEventListener('abort', withdraw, {once: true});
				answer = (approval) => {
					settle();
					resolve(approval);
				};
				return dispatch({type: 'approval-asked', request});
			}),
		perform(effect) {
			if (effect.type === 'answer-approval') {
				answer?.(effect.approval);
				return;
			}
			cancelArming();
			cancelArming = scheduleAfterInput(() => dispatch({type: 'approval-armed'}), approvalArmedMs);
		},
		close: () => cancelArming(),
	};
}
