/** A frame and its input. */
import type {Redact} from '../../redact.ts';
import type {Block} from '../../repl/rhythm.ts';
import type {AnswerState, ReplState} from '../../repl/state.ts';
import type {SafeText} from '../../terminal/safe-text.ts';
import type {Styler} from '../../terminal/style.ts';
import type {ReasoningPager} from './reasoning-pager.ts';
import type {TurnView} from './turn-view.ts';

/** Rows of the screen: safe, and not wider than their place. */
export type Rows = readonly SafeText[];

/** The live region from top to bottom: the rows of each component. */
export type Frame = {
	readonly turn: TurnFrame;
	readonly question: QuestionFrame;
	/** Notices that wait for the end of the answer. */
	readonly notices: Rows;
	readonly prompt: PromptFrame;
	readonly popup: Rows;
	readonly menu: Rows;
	readonly status: Rows;
	/** The parts with an empty row above them. */
	readonly apart: ReadonlySet<FramePart>;
	/** The terminal's own cursor, for input methods; undefined hides it. */
	readonly cursor: Cursor | undefined;
};

/** The parts that are blocks of their own; the popup and the status belong to the prompt. */
export type FramePart = 'turn' | 'question' | 'notices' | 'prompt';

export type Cursor = {readonly x: number; readonly y: number};

/** The reasoning and the unfinished rest of the answer. */
export type TurnFrame = {
	readonly pane: PaneFrame | undefined;
	readonly answer: Rows;
};

export type PaneFrame = {
	/** Says how long the model has thought, and which key opens or closes the pane. */
	readonly title: Rows;
	/** None while it is closed. */
	readonly rows: Rows;
	/** The cells left of it, if it stands beside the answer. */
	readonly answerWidth: number | undefined;
};

/** The open question. */
export type QuestionFrame = {
	readonly isFramed: boolean;
	readonly head: Rows;
	readonly body: Rows;
	/** Only in a frame; otherwise the status names the keys. */
	readonly choices: Rows;
};

/** Where prompts are written, or the turns of the tree in its place. */
export type PromptFrame = {
	readonly queue: Rows;
	readonly attachments: Rows;
	readonly rows: Rows;
	/** The cells of the rules above and below these rows; undefined without them. */
	readonly ruleWidth: number | undefined;
	/** In these rows. */
	readonly cursor: Cursor | undefined;
};

export const noTurn: TurnFrame = {pane: undefined, answer: []};

export const noQuestion: QuestionFrame = {isFramed: false, head: [], body: [], choices: []};

export const noPrompt: PromptFrame = {
	queue: [],
	attachments: [],
	rows: [],
	ruleWidth: undefined,
	cursor: undefined,
};

/** With the cursor in its only row, which is empty. */
export const noFrame: Frame = {
	turn: noTurn,
	question: noQuestion,
	notices: [],
	prompt: noPrompt,
	popup: [],
	menu: [],
	status: [],
	apart: new Set(),
	cursor: {x: 0, y: 0},
};

export function heightOfTurn({pane, answer}: TurnFrame): number {
	if (pane === undefined) return answer.length;
	const height = pane.title.length + pane.rows.length;
	return pane.answerWidth === undefined ? height + answer.length : Math.max(height, answer.length);
}

export function heightOfQuestion({isFramed, head, body, choices}: QuestionFrame): number {
	return head.length + body.length + choices.length + (isFramed ? 2 : 0);
}

export function heightOfPrompt({queue, attachments, rows, ruleWidth}: PromptFrame): number {
	return queue.length + attachments.length + rows.length + (ruleWidth === undefined ? 0 : 2);
}

export type AnswerFrameInput = {
	readonly state: AnswerState;
	/** The turn under way. */
	readonly view: TurnView | undefined;
	readonly style: Styler;
	readonly redact: Redact;
	/** The address of the service, which the status leaves out. */
	readonly serviceUrl?: string | undefined;
	/** Opens and closes the reasoning; undefined without a keyboard. */
	readonly reasoningKey: string | undefined;
	/** The last block of the scrollback. */
	readonly lastBlock: Block | undefined;
};

export type FrameInput = AnswerFrameInput & {
	readonly state: ReplState;
	/** The reasoning of the last turn, if it is open. */
	readonly pager: ReasoningPager | undefined;
	/** Notices that wait for the end of the answer, right above the prompt. */
	readonly heldNotices: readonly SafeText[];
};
