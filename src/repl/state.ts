/**
 * A session, or a single answer, at one moment, as a value. The screen is a picture of it; nothing
 * here knows terminals, sockets or clocks.
 */
import {type Conversation, emptyConversation} from '../chat/conversation.ts';
import type {Retry} from '../chat/event.ts';
import type {ChatOptions, ImagePart, ToolCall} from '../chat/message.ts';
import type {ApprovalRequest, ToolOutput} from '../chat/tool.ts';
import type {ChatError, Usage} from '../errors.ts';
import type {ApprovalDialog} from './approval.ts';
import type {EditorBuffer} from './editor/buffer.ts';
import {createEditor, type Editor} from './editor/history.ts';

export type ReasoningMode = 'auto' | 'show' | 'hide';

/** A file or an image that goes with the next prompt. */
export type Attachment =
	| {readonly type: 'file'; readonly name: string; readonly text: string}
	| {readonly type: 'image'; readonly name: string; readonly part: ImagePart};

/** What the user asks. */
export type SessionPrompt = {
	/** What is sent. */
	readonly text: string;
	/** As the editor had it, with long pastes folded: so it is shown, and so it comes back. */
	readonly draft: EditorBuffer;
	readonly attachments: readonly Attachment[];
};

export type LiveTurn = {
	/** Who answers; `/model` counts for the next prompt. */
	readonly model: string;
	/** `waiting`: nothing has come yet. `stopping`: the user has stopped it. */
	readonly phase: 'waiting' | 'reasoning' | 'answering' | 'stopping';
	/** The retry it waits for. */
	readonly retry: (Retry & {readonly until: number}) | undefined;
	/** The calls whose tools are running. */
	readonly running: readonly ToolCall[];
	readonly startedAt: number;
	/** When something came last. */
	readonly lastEventAt: number;
	/** When the first reasoning came, and when the answer began after it. */
	readonly reasoningFrom: number | undefined;
	readonly reasoningUntil: number | undefined;
	/** When the first text came. */
	readonly answerFrom: number | undefined;
	/** UTF-16 units of answer text so far; the live rate is estimated from it. */
	readonly answerLength: number;
	readonly reasoning: string;
	readonly usage: Usage | undefined;
	/** The model has said why it does not answer. */
	readonly isRefused: boolean;
	/** Whether the user has opened or closed the pane himself. */
	readonly paneChoice: 'open' | 'closed' | undefined;
};

/** The answer under way and the window it is drawn in. */
export type AnswerState = {
	readonly conversation: Conversation;
	readonly turn: LiveTurn | undefined;
	/** The question that is open. */
	readonly approval: ApprovalDialog | undefined;
	readonly reasoningMode: ReasoningMode;
	readonly now: number;
	readonly columns: number;
	readonly rows: number;
};

/** The turn under way in a session. */
export type SessionTurn = LiveTurn & {readonly prompt: SessionPrompt};

/** What is remembered of a turn that is over, for `/reasoning` and `/usage`. */
export type TurnRecord = {
	readonly prompt: SessionPrompt;
	/** Whether it is in the conversation; one without an answer is not. */
	readonly isKept: boolean;
	readonly reasoning: string;
	/** Milliseconds; 0 if there was no reasoning. */
	readonly reasoningMs: number;
	readonly totalMs: number;
	readonly usage: Usage | undefined;
};

export type ReplState = AnswerState & {
	readonly turn: SessionTurn | undefined;
	/** What the next request asks for. */
	readonly options: ChatOptions;
	/** The family that `sol`, `terra` and `luna` belong to. */
	readonly family: string;
	readonly turns: readonly TurnRecord[];
	readonly editor: Editor;
	readonly attachments: readonly Attachment[];
	/** Attachments that are being read. */
	readonly loading: number;
	/** Prompts that were sent while an answer was being written. */
	readonly queue: readonly SessionPrompt[];
	/** After an interrupt or a failure the queue waits for Enter. */
	readonly isQueueHeld: boolean;
	/** The last turn's reasoning is shown above the prompt. */
	readonly isReasoningOpen: boolean;
	readonly popup: Popup | undefined;
	/** The key that exits when it is pressed once more. */
	readonly armedExit: 'Ctrl-C' | 'Ctrl-D' | undefined;
	/** Only the end of the turn still counts. */
	readonly isClosing: boolean;
};

/** Something that goes into the scrollback once, and is no answer. */
export type TranscriptEntry =
	| {readonly type: 'prompt'; readonly prompt: SessionPrompt}
	| {readonly type: 'notice'; readonly text: string}
	| {readonly type: 'error'; readonly error: ChatError}
	/** The turn's reasoning, folded. */
	| {
			readonly type: 'reasoning-summary';
			readonly reasoningMs: number;
			readonly tokens: number | undefined;
	  }
	/** Why the text above is not a whole answer. */
	| {readonly type: 'truncation'; readonly reason: 'interrupted' | 'incomplete' | 'refused'}
	/** A call, and what its tool answered; without an answer nobody here runs it. */
	| {
			readonly type: 'tool';
			readonly name: string;
			readonly arguments: string;
			readonly result: ToolOutput | undefined;
	  }
	/** All that is approved with a call. */
	| {readonly type: 'approval'; readonly request: ApprovalRequest}
	| {readonly type: 'reasoning'; readonly text: string}
	| {readonly type: 'text'; readonly text: string}
	/** Names, and what each of them means. */
	| {
			readonly type: 'table';
			readonly rows: ReadonlyArray<readonly [name: string, meaning: string]>;
	  };

/** Shown below the prompt until the next key. */
export type Popup = {
	readonly entry: TranscriptEntry;
	/** What a letter that follows puts back before itself: the `?` that asked for the keys. */
	readonly typed: string;
};

export type ReplSettings = {
	readonly options: ChatOptions;
	readonly family: string;
	readonly reasoningMode: ReasoningMode;
	readonly conversation?: Conversation;
	readonly attachments?: readonly Attachment[];
	readonly columns: number;
	readonly rows: number;
};

export function createReplState(settings: ReplSettings): ReplState {
	return {
		conversation: emptyConversation,
		attachments: [],
		...settings,
		turn: undefined,
		turns: [],
		approval: undefined,
		editor: createEditor(),
		loading: 0,
		queue: [],
		isQueueHeld: false,
		isReasoningOpen: false,
		popup: undefined,
		armedExit: undefined,
		isClosing: false,
		now: 0,
	};
}
