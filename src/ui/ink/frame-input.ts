/** A frame and its input. */
import type {Redact} from '../../redact.ts';
import type {AnswerState, ReplState} from '../../repl/state.ts';
import type {SafeText} from '../../terminal/safe-text.ts';
import type {Styler} from '../../terminal/style.ts';
import type {TailBuffer} from './tail-buffer.ts';
import type {TurnView} from './turn-view.ts';

export type Frame = {
	readonly rows: readonly SafeText[];
	/** The terminal's own cursor, for input methods; undefined hides it. */
	readonly cursor: {readonly x: number; readonly y: number} | undefined;
};

export const emptyFrame: Frame = {rows: [], cursor: undefined};

export type AnswerFrameInput = {
	readonly state: AnswerState;
	/** The turn under way. */
	readonly view: TurnView | undefined;
	readonly style: Styler;
	readonly redact: Redact;
};

export type FrameInput = AnswerFrameInput & {
	readonly state: ReplState;
	/** The reasoning of the last turn. */
	readonly lastReasoning: TailBuffer | undefined;
	/** Notices that wait for the end of the answer, right above the prompt. */
	readonly heldNotices: readonly SafeText[];
};
