/** A question as lines: a whole line answers, and only if it was typed after the question. */
import type {DialogAction} from '../../repl/action.ts';
import {type SafeText, safe} from '../../terminal/safe-text.ts';

export interface Question {
	/** All of it. */
	readonly lines: readonly SafeText[];
	/** Returns the text before the cursor. */
	prompt(): SafeText;
	/** Returns what a line answers, or what to say before the next line. */
	answer(line: string): DialogAction | Again;
}

export type Again = {readonly type: 'again'; readonly lines: readonly SafeText[]};

/** Says that an answer was typed before the question could be read. */
export const earlyLine = safe`Note: that came before the question could be answered`;
