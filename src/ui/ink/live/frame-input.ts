/** A frame and its input. */
import type {Redact} from '../../../redact.ts';
import type {List} from '../../../repl/list/list.ts';
import type {Block} from '../../../repl/rhythm.ts';
import type {AnswerState, ReplState} from '../../../repl/state.ts';
import type {SafeText} from '../../../terminal/safe-text.ts';
import type {Styler} from '../../../terminal/style.ts';
import type {TurnView} from '../transcript/turn-view.ts';

/** Safe screen rows, no wider than their place. */
export type Rows = readonly SafeText[];

/** The live region from top to bottom: each component's rows. */
export type Frame = {
	/**
	 * Width in cells: a row as wide as the window would leave traces when the window gets narrower.
	 */
	readonly width: number;
	readonly turn: TurnFrame;
	readonly question: QuestionFrame;
	/** Notices waiting for the answer's end. */
	readonly notices: Rows;
	readonly prompt: PromptFrame;
	/** A popup or a menu, below the prompt. */
	readonly popup: Rows;
	readonly status: Rows;
	/** The parts with an empty row above them. */
	readonly apart: ReadonlySet<FramePart>;
	/** The terminal's own cursor, for input methods; undefined hides it. */
	readonly cursor: Cursor | undefined;
};

/** Parts that are blocks; the popup and the status belong to the prompt. */
export type FramePart = 'turn' | 'question' | 'notices' | 'prompt';

export type Cursor = {readonly x: number; readonly y: number};

/** The reasoning and the answer's unfinished rest. */
export type TurnFrame = {
	readonly pane: PaneFrame | undefined;
	readonly answer: Rows;
};

export type PaneFrame = {
	/** The activity row while the model only thinks; between turns, the thinking time. */
	readonly title: Rows;
	readonly rows: Rows;
	/** Cells to its left, when beside the answer. */
	readonly answerWidth: number | undefined;
};

/** The open question. */
/** An open fold: its rows, starting at the selected one. */
export type Pager = List<SafeText> & {
	readonly title: string;
	/** Whether another fold follows. */
	readonly hasNext: boolean;
};

export type QuestionFrame = {
	readonly isFramed: boolean;
	readonly rows: Rows;
};

/** The prompt editor, or in its place the turn tree. */
export type PromptFrame = {
	/** The activity row, the queue and the attachments. */
	readonly above: Rows;
	readonly rows: Rows;
	/** Whether these rows are between two rules. */
	readonly hasRules: boolean;
	/** In these rows. */
	readonly cursor: Cursor | undefined;
};

export const noTurn: TurnFrame = {pane: undefined, answer: []};

export const noQuestion: QuestionFrame = {isFramed: false, rows: []};

export const noPrompt: PromptFrame = {above: [], rows: [], hasRules: false, cursor: undefined};

/** A single empty row with the cursor. */
export const noFrame: Frame = {
	width: 1,
	turn: noTurn,
	question: noQuestion,
	notices: [],
	prompt: noPrompt,
	popup: [],
	status: [],
	apart: new Set(),
	cursor: {x: 0, y: 0},
};

export function heightOfTurn({pane, answer}: TurnFrame): number {
	if (pane === undefined) return answer.length;
	const height = pane.title.length + pane.rows.length;
	return pane.answerWidth === undefined ? height + answer.length : Math.max(height, answer.length);
}

export function heightOfQuestion({isFramed, rows}: QuestionFrame): number {
	return rows.length + (isFramed ? 2 : 0);
}

export function heightOfPrompt({above, rows, hasRules}: PromptFrame): number {
	return above.length + rows.length + (hasRules ? 2 : 0);
}

/** The state, and the other parts making up a frame. */
export type FrameInput = {
	readonly state: AnswerState;
	/** The turn under way. */
	readonly view: TurnView | undefined;
	readonly style: Styler;
	readonly redact: Redact;
	/** The service address, omitted from the status. */
	readonly serviceUrl?: string | undefined;
	/** The reasoning key; undefined without a keyboard. */
	readonly reasoningKey: string | undefined;
	/** The scrollback's last block. */
	readonly lastBlock: Block | undefined;
	/** Set for the REPL, not for a single answer. */
	readonly repl?: ReplFrameInput | undefined;
};

export type ReplFrameInput = {
	readonly state: ReplState;
	/** The last turn's reasoning, if open. */
	readonly pager: Pager | undefined;
	/** The first help row shown. */
	readonly helpTop: number;
	/** Notices waiting for the answer's end, right above the prompt. */
	readonly heldNotices: readonly SafeText[];
};
