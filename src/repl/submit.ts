/** Sending what is in the editor, or queueing it while an answer is being written. */
import {hasContent} from '../input/build-prompt.ts';
import {type Update, update} from './action.ts';
import {clearIntoHistory} from './editor/history.ts';
import {showNotice} from './popup.ts';
import {sendNext, startTurn} from './reduce-turn.ts';
import {promptOf, restorePrompt} from './session-prompt.ts';
import type {ReplState} from './state.ts';

export function submitPrompt(state: ReplState): Update {
	const prompt = promptOf(state.editor.buffer, state.attachments);
	if (!hasContent(prompt.text)) return releaseQueue(state);
	if (state.loading > 0) {
		return showNotice(state, 'a file is still being read; try again');
	}
	const cleared = {...state, editor: clearIntoHistory(state.editor), attachments: []};
	// What is in the editor may have come back from before the prompts that are held.
	if (state.turn === undefined) return startTurn(cleared, prompt, state.now);
	return update({...cleared, queue: [...state.queue, prompt], isQueueHeld: false});
}

/** Brings the last of the prompts that wait back into the editor; undefined if none does. */
export function takeFromQueue(state: ReplState): ReplState | undefined {
	const prompt = state.queue.at(-1);
	if (prompt === undefined) return undefined;
	const queue = state.queue.slice(0, -1);
	return {
		...restorePrompt(state, prompt),
		queue,
		isQueueHeld: state.isQueueHeld && queue.length > 0,
	};
}

/** Enter on an empty prompt lets a held queue go. */
function releaseQueue(state: ReplState): Update {
	return state.isQueueHeld ? sendNext({...state, isQueueHeld: false}) : update(state);
}
