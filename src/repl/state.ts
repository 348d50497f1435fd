/** The state behind a screen: the REPL's, or a single answer's. */
import type {CheckedQuotation} from '../chat/checked-quotation.ts';
import {type Conversation, createConversation} from '../chat/conversation.ts';
import type {Continuation, Retry} from '../chat/event.ts';
import type {ChatOptions, ToolCall} from '../chat/message.ts';
import type {KnownModel} from '../chat/model.ts';
import type {Attachment, Prompt} from '../chat/prompt.ts';
import type {ApprovalLine, ToolOutput} from '../chat/tool.ts';
import type {CompactionPlan} from '../context/plan-compaction.ts';
import type {ChatError} from '../errors.ts';
import type {ServerView} from './commands/server-view.ts';
import {type Editor, emptyEditor, viStart} from './editor/history.ts';
import type {HistorySearch} from './editor/search.ts';
import type {List} from './list/list.ts';
import type {Menu} from './list/menu.ts';
import type {TreeRow} from './list/tree-rows.ts';
import type {Question} from './question/question.ts';
import {pastTurns, type ShownTurn, showTurns} from './turn/shown-turns.ts';

export type ReasoningMode = 'auto' | 'show' | 'hide';

/** How the turn under way is shown, besides the conversation. */
export type LiveTurn = {
	/** `waiting`: no text yet. `stopping`: the user has stopped the turn. */
	readonly phase: 'waiting' | 'reasoning' | 'answering' | 'stopping';
	/** The next attempt, while the turn waits for it. */
	readonly retry: (Retry & {readonly until: number}) | undefined;
	/** Whether the service searches the web, as far as known. */
	readonly isSearching: boolean;
	/** The calls with running tools. */
	readonly running: readonly ToolCall[];
	/** The time of the last event. */
	readonly lastEventAt: number;
	/** The time of the first text. */
	readonly answerFrom: number | undefined;
	/** Answer text so far, in UTF-16 units, for estimating the live rate. */
	readonly answerLength: number;
	/** The reasoning since the last text. */
	readonly thoughts: string;
	/** The answer's requested limit. */
	readonly maxTokens: number | undefined;
	/** Set while the rest of a cut answer is awaited. */
	readonly continuing: Extract<Continuation, {state: 'asked'}> | undefined;
	/** The rest that could not be joined, for the end of the turn. */
	readonly apart: string;
	/** Marks for the end of the turn. */
	readonly reported: readonly Truncation[];
	/** Set when the user opens or closes the reasoning pane; `more` counts until the answer begins. */
	readonly paneChoice: 'open' | 'more' | 'closed' | undefined;
};

/** The current answer, and its window. */
export type AnswerState = {
	readonly conversation: Conversation;
	/** Set during a turn. */
	readonly turn: LiveTurn | undefined;
	/** The open question. */
	readonly question: Question | undefined;
	readonly reasoningMode: ReasoningMode;
	readonly now: number;
	readonly columns: number;
	readonly rows: number;
};

export type ReplState = AnswerState & {
	/** The turns in the scrollback. */
	readonly shown: readonly ShownTurn[];
	/** The next request's options. */
	readonly options: ChatOptions;
	/** Public data about models at this service, by name. */
	readonly knownModels: ReadonlyMap<string, KnownModel>;
	/** The model family for `sol`, `terra` and `luna`. */
	readonly family: string;
	readonly editor: Editor;
	/** Set while an earlier prompt is shown in place of the draft. */
	readonly editing: PromptEdit | undefined;
	/** The index of the prompt a second Esc shows. */
	readonly nextEdit: number;
	/** When Esc last stopped an answer. */
	readonly escapedAt: number | undefined;
	/** Set while a turn replaces others: the first one, and the previous head. */
	readonly replaced: {readonly first: string; readonly head: string} | undefined;
	/** Set while the user searches earlier prompts. */
	readonly search: HistorySearch | undefined;
	/** Set while the word before the cursor can be completed. */
	readonly menu: Menu | undefined;
	/** Set while the user chooses a turn from any branch. */
	readonly tree: List<TreeRow> | undefined;
	readonly attachments: readonly Attachment[];
	/** The conversations on the first screen: `/resume 1` goes on with the first one. */
	readonly earlier: readonly EarlierSession[];
	/** The running tasks' names. */
	readonly tasks: readonly string[];
	/** A prompt resembling a command, such as `exit`: an Enter right after this one sends it. */
	readonly doubted: string | undefined;
	/** Prompts entered during an answer. */
	readonly queue: readonly QueuedPrompt[];
	/** The template calls behind prompts, by turn id. */
	readonly origins: ReadonlyMap<string, PromptOrigin>;
	/** Whether the queue waits for Enter, after an interrupt or a failure. */
	readonly isQueueHeld: boolean;
	/** Whether to ask about requests exceeding the context window. */
	readonly compact: 'ask' | 'off';
	/** Whether the user was asked about a context that is nearly full. */
	readonly isFullAsked: boolean;
	/** Whether this run saves its conversations. */
	readonly isSaved: boolean;
	/** Set while the conversation is private: its previous form. */
	readonly privateFrom: Conversation | undefined;
	/** The index of the last turn's fold open above the prompt. */
	readonly openFold: number | undefined;
	readonly popup: Popup | undefined;
	/** The run's MCP servers. */
	readonly servers: readonly ServerView[];
	/** The servers failing before they were listed; each is reported once. */
	readonly unreadable: ReadonlySet<string>;
	/** Whether a notice about missing server tools was shown. */
	readonly isUnreadReported: boolean;
	/** The key acting when pressed again, or changing the next one's meaning. */
	readonly armedKey: ArmedKey | undefined;
	/** Whether the REPL is closing: only the end of the turn still counts. */
	readonly isClosing: boolean;
} & Stamp;

/** Whether this is a REPL's state, not a single answer's. */
export function isReplState(state: AnswerState): state is ReplState {
	return 'editor' in state;
}

/** A saved conversation from this folder. */
export type EarlierSession = {
	readonly id: string;
	readonly title: string;
	/** `6 turns`; undefined if the file is too large to count them. */
	readonly turns: string | undefined;
	/** `2 h ago` */
	readonly age: string;
};

export type QueuedPrompt = Prompt & {
	/** Set while its mentioned files are being read: the prompt waits for them. */
	readonly mentions?: readonly string[];
	/** Set while its template is being read: the prompt waits for it. */
	readonly call?: TemplateCall;
	/** Set for a prompt made by a template. */
	readonly origin?: PromptOrigin;
	/** Set while the prompt waits for its size to be checked, and after. */
	readonly size?: 'asked' | 'accepted';
	/** The id of the turn it replaces, along with all later turns. */
	readonly replaces?: string | undefined;
};

/**
 * The edit of an earlier prompt, or of a summary; meanwhile the history has the conversation's
 * prompts, or none.
 */
export type PromptEdit = {
	/** Set for a summary. */
	readonly summary?: SummaryDraft;
	/** The turns of these prompts. */
	readonly turnIds: readonly string[];
	/** The draft, which comes back when the user leaves. */
	readonly editor: Editor;
	readonly attachments: readonly Attachment[];
};

/** A summary that counts once the user has applied it. */
export type SummaryDraft = CompactionPlan & {
	/** The wall clock when it opened, in milliseconds since 1970. */
	readonly openedAt: number;
};

/** `/review security` */
export type TemplateCall = {readonly name: string; readonly argument: string};

/** How a template has made a prompt. */
export type PromptOrigin = {
	/** The prompt typed by the user. */
	readonly typed: Prompt;
	/** Settings for this prompt alone. */
	readonly settings: TurnSettings;
};

export type TurnSettings = {
	/** The options differing from the REPL's. */
	readonly options: Partial<ChatOptions>;
	/** Undefined if the system message stays. */
	readonly system: string | undefined;
};

/** Ctrl-C and Ctrl-D exit; Esc goes back to the last prompt; Ctrl-X begins a two-key chord. */
export type ArmedKey = 'Ctrl-C' | 'Ctrl-D' | 'Esc' | 'Ctrl-X';

/** The clock and an id, which accompany every action. */
export type Stamp = {
	/** The wall clock, in milliseconds since 1970. */
	readonly date: number;
	/** The id for a turn started by the action. */
	readonly nextTurnId: string;
};

/** A transcript entry. The current answer has its own view. */
export type TranscriptEntry =
	/** A past answer, as Markdown. */
	| {
			readonly type: 'answer';
			readonly text: string;
			/** The number of code blocks above it in the scrollback; its own numbers follow. */
			readonly codeBlocksAbove: number;
	  }
	/** A past turn's reasoning, as Markdown. */
	| {readonly type: 'reasoning'; readonly text: string}
	| PlainEntry;

export type Truncation = {
	readonly type: 'truncation';
	/** `reported`: the detail says it. */
	readonly reason: 'interrupted' | 'incomplete' | 'refused' | 'length' | 'filter' | 'reported';
	/** The token limit, or the service's words. */
	readonly detail?: string | undefined;
	readonly next?: string | undefined;
};

export type PlainEntry =
	| {readonly type: 'prompt'; readonly prompt: Prompt}
	| {
			readonly type: 'notice';
			readonly text: string;
			/** A helpful key; line-editing terminals do not pass it on. */
			readonly key?: string | undefined;
	  }
	| {
			readonly type: 'error';
			readonly error: ChatError;
			/** The next step, for an error without its own. */
			readonly next?: string | undefined;
	  }
	/** A summary line replacing a turn's reasoning, above its answer. */
	| {
			readonly type: 'reasoning-summary';
			readonly reasoningMs: number;
			readonly tokens: number | undefined;
			/** The turn's number, for `/reasoning`; undefined for a single answer. */
			readonly number: number | undefined;
			/** Whether the reasoning follows. */
			readonly isOpen: boolean;
	  }
	/** The pages cited in the answer above, a line each. */
	| {readonly type: 'sources'; readonly lines: readonly string[]}
	/** The checked quotations of the answer above. */
	| {readonly type: 'quotations'; readonly quotations: readonly CheckedQuotation[]}
	/** Why the answer above is not complete. */
	| Truncation
	/** A tool call and its result; undefined if nothing here runs the call. */
	| {
			readonly type: 'tool';
			readonly name: string;
			readonly arguments: string;
			readonly result: ToolOutput | undefined;
			/** The call's number, for `/tool`; undefined in a single answer. */
			readonly number: number | undefined;
			/** Whether arguments and result are shown whole. */
			readonly isWhole?: true;
	  }
	/** Everything the question covers. */
	| {
			readonly type: 'question';
			readonly title: string;
			readonly lines: readonly ApprovalLine[];
			/** Kept on one row, to be copied whole. */
			readonly address?: string;
	  }
	/** How the user has answered a server. */
	| {readonly type: 'answered'; readonly text: string}
	| {readonly type: 'text'; readonly text: string}
	/** The session header: the program, its service, and the folder. */
	| {
			readonly type: 'header';
			readonly version: string;
			readonly model: string;
			readonly service: string;
			readonly folder: string;
	  }
	/** The folder's last conversations; their numbers are for `/resume`. */
	| {readonly type: 'earlier'; readonly sessions: readonly EarlierSession[]}
	/** A slash command, above its output. */
	| {readonly type: 'command'; readonly text: string}
	| {readonly type: 'table'; readonly groups: readonly TableGroup[]}
	/** Numbers below their column names; the first column has the row names. */
	| {
			readonly type: 'numbers';
			readonly columns: readonly string[];
			readonly rows: ReadonlyArray<readonly [name: string, ...numbers: readonly string[]]>;
			readonly note: string | undefined;
	  };

/** An unknown number. */
export const noNumber = '–';

/** Names and their meanings, below a heading. */
export type TableGroup = {
	readonly title?: string;
	/** Keys equivalent to commands; line-editing terminals do not pass them on. */
	readonly rows: ReadonlyArray<readonly [name: string, meaning: string, key?: string | undefined]>;
};

export function tableOf(rows: TableGroup['rows']): PlainEntry {
	return {type: 'table', groups: [{rows}]};
}

/** An entry shown below the prompt until the next key. */
export type Popup = {
	readonly entry: PlainEntry;
	/** Text to insert before the next letter: the `?` that opened the key list. */
	readonly typed: string;
};

export type ReplSettings = Pick<
	ReplState,
	'options' | 'family' | 'reasoningMode' | 'columns' | 'rows'
> &
	Partial<Pick<ReplState, 'conversation' | 'attachments' | 'isSaved' | 'earlier' | 'compact'>> & {
		readonly editing?: 'emacs' | 'vi';
	};

export function createReplState({editing, ...settings}: ReplSettings): ReplState {
	const {conversation = createConversation()} = settings;
	return {
		conversation,
		shown: showTurns([], pastTurns(conversation)),
		attachments: [],
		isSaved: true,
		earlier: [],
		compact: 'off',
		...settings,
		knownModels: new Map(),
		turn: undefined,
		question: undefined,
		editor: editing === 'vi' ? {...emptyEditor, vi: viStart} : emptyEditor,
		editing: undefined,
		nextEdit: 0,
		escapedAt: undefined,
		replaced: undefined,
		search: undefined,
		menu: undefined,
		tree: undefined,
		tasks: [],
		doubted: undefined,
		queue: [],
		origins: new Map(),
		isQueueHeld: false,
		isFullAsked: false,
		privateFrom: undefined,
		openFold: undefined,
		popup: undefined,
		servers: [],
		unreadable: new Set(),
		isUnreadReported: false,
		armedKey: undefined,
		isClosing: false,
		now: 0,
		date: 0,
		nextTurnId: '',
	};
}
