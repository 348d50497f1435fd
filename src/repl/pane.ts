/** Whether and where the reasoning of the turn is shown. */
import type {AnswerState} from './state.ts';

/** From here on the pane stands beside the answer. */
const wideColumns = 100;

export function isWide(columns: number): boolean {
	return columns >= wideColumns;
}

/**
 * Whether the pane of the turn under way is open. Beside the answer it stays for the whole turn;
 * above it, it folds when the answer begins. The user's own choice wins over both.
 */
export function isPaneOpen({
	turn,
	columns,
	reasoningMode,
}: Pick<AnswerState, 'turn' | 'columns' | 'reasoningMode'>): boolean {
	if (turn === undefined || turn.reasoning === '') return false;
	if (turn.paneChoice !== undefined) return turn.paneChoice === 'open';
	if (reasoningMode !== 'auto') return reasoningMode === 'show';
	return isWide(columns) || turn.answerLength === 0;
}
