/** The state of the REPL, or of a single answer, from which a screen is drawn. */
import {type Conversation, createConversation} from '../chat/conversation.ts';
import type {Retry} from '../chat/event.ts';
import type {ChatOptions, ToolCall} from '../chat/message.ts';
import type {KnownModel} from '../chat/model.ts';
import type {Attachment, Prompt} from '../chat/prompt.ts';
import type {ApprovalLine, ToolOutput} from '../chat/tool.ts';
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
	/** The calls whose tools are running. */
	readonly running: readonly ToolCall[];
	/** The time of the last event. */
	readonly lastEventAt: number;
	/** The time of the first text. */
	readonly answerFrom: number | undefined;
	/** UTF-16 units of answer text so far; the live rate is estimated from it. */
	readonly answerLength: number;
	/** The reasoning since the last text. */
	readonly thoughts: string;
	/** The requested limit of the answer. */
	readonly maxTokens: number | undefined;
	/** Marks for the end of the turn. */
	readonly reported: readonly Truncation[];
	/** Set when the user opens or closes the reasoning pane; `more` counts until the answer begins. */
	readonly paneChoice: 'open' | 'more' | 'closed' | undefined;
};

/** The answer under way, and the window it is drawn in. */
export type AnswerState = {
	readonly conversation: Conversation;
	/** Set while a turn of the conversation is under way. */
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
	/** The options of the next request. */
	readonly options: ChatOptions;
	/** Public data about models at this service, by name. */
	readonly knownModels: ReadonlyMap<string, KnownModel>;
	/** The model family of `sol`, `terra` and `luna`. */
	readonly family: string;
	readonly editor: Editor;
	/** Set while an earlier prompt is shown in place of the draft. */
	readonly editing: PromptEdit | undefined;
	/** The index of the prompt that a second Esc shows. */
	readonly nextEdit: number;
	/** When Esc last stopped an answer. */
	readonly escapedAt: number | undefined;
	/** Set while a turn runs in place of others: the first of them, and the head before it. */
	readonly replaced: {readonly first: string; readonly head: string} | undefined;
	/** Set while the user searches earlier prompts. */
	readonly search: HistorySearch | undefined;
	/** Set while the word before the cursor can be completed. */
	readonly menu: Menu | undefined;
	/** Set while the user chooses a turn of any branch. */
	readonly tree: List<TreeRow> | undefined;
	readonly attachments: readonly Attachment[];
	/** The conversations on the first screen: `/resume 1` goes on with the first one. */
	readonly earlier: readonly EarlierSession[];
	/** The names of the tasks under way. */
	readonly tasks: readonly string[];
	/** A prompt that looks like a command, such as `exit`: an Enter right after this one sends it. */
	readonly doubted: string | undefined;
	/** Prompts entered during an answer. */
	readonly queue: readonly QueuedPrompt[];
	/** The origins of prompts that templates have made, by the ids of their turns. */
	readonly origins: ReadonlyMap<string, PromptOrigin>;
	/** Whether the queue waits for Enter, after an interrupt or a failure. */
	readonly isQueueHeld: boolean;
	/** Whether this run saves its conversations. */
	readonly isSaved: boolean;
	/** Set while the conversation is private: as it was before that. */
	readonly privateFrom: Conversation | undefined;
	/** The index of the last turn's fold that is open above the prompt. */
	readonly openFold: number | undefined;
	readonly popup: Popup | undefined;
	/** The MCP servers of the run. */
	readonly servers: readonly ServerView[];
	/** The servers that failed before they were listed; each is reported once. */
	readonly unreadable: ReadonlySet<string>;
	/** Whether a notice has said that tools of servers are missing. */
	readonly isUnreadReported: boolean;
	/** The key that acts when pressed again, or gives the next one another meaning. */
	readonly armedKey: ArmedKey | undefined;
	/** Whether the REPL is closing: only the end of the turn still counts. */
	readonly isClosing: boolean;
} & Stamp;

/** Whether this is the state of the REPL, not of a single answer. */
export function isReplState(state: AnswerState): state is ReplState {
	return 'editor' in state;
}

/** A saved conversation of this folder. */
export type EarlierSession = {
	readonly id: string;
	readonly title: string;
	/** `6 turns`; undefined if the file is too large to count them. */
	readonly turns: string | undefined;
	/** `2 h ago` */
	readonly age: string;
};

export type QueuedPrompt = Prompt & {
	/** Set while the files that it mentions are being read: the prompt waits for them. */
	readonly mentions?: readonly string[];
	/** Set while the template that it names is being read: the prompt waits for it. */
	readonly call?: TemplateCall;
	/** Set for a prompt that a template has made. */
	readonly origin?: PromptOrigin;
	/** The id of the turn that it is sent in place of, with those after it. */
	readonly replaces?: string | undefined;
};

/** The change of an earlier prompt; the history has those of the conversation meanwhile. */
export type PromptEdit = {
	/** The turns of these prompts. */
	readonly turnIds: readonly string[];
	/** The draft, which comes back when the user leaves. */
	readonly editor: Editor;
	readonly attachments: readonly Attachment[];
};

/** `/review security` */
export type TemplateCall = {readonly name: string; readonly argument: string};

/** How a template has made a prompt. */
export type PromptOrigin = {
	/** The prompt that the user has typed. */
	readonly typed: Prompt;
	/** Settings for this prompt alone. */
	readonly settings: TurnSettings;
};

export type TurnSettings = {
	/** The options that differ from those of the REPL. */
	readonly options: Partial<ChatOptions>;
	/** Undefined if the system message stays. */
	readonly system: string | undefined;
};

/** Ctrl-C and Ctrl-D exit; Esc goes back to the last prompt; Ctrl-X is the first of two keys. */
export type ArmedKey = 'Ctrl-C' | 'Ctrl-D' | 'Esc' | 'Ctrl-X';

/** The clock and an id, which accompany every action. */
export type Stamp = {
	/** The wall clock, in milliseconds since 1970. */
	readonly date: number;
	/** The id of the turn that the action starts, if it starts one. */
	readonly nextTurnId: string;
};

/** An entry of the transcript. The answer under way has a view of its own. */
export type TranscriptEntry =
	/** A past answer, as Markdown. */
	| {
			readonly type: 'answer';
			readonly text: string;
			/** The code blocks in the scrollback above it, which its numbers follow. */
			readonly codeBlocksAbove: number;
	  }
	/** The reasoning of a past turn, as Markdown. */
	| {readonly type: 'reasoning'; readonly text: string}
	| PlainEntry;

export type Truncation = {
	readonly type: 'truncation';
	/** `reported`: the detail says it. */
	readonly reason: 'interrupted' | 'incomplete' | 'refused' | 'length' | 'filter' | 'reported';
	/** The token limit, or the words of the service. */
	readonly detail?: string | undefined;
	readonly next?: string | undefined;
};

export type PlainEntry =
	| {readonly type: 'prompt'; readonly prompt: Prompt}
	| {
			readonly type: 'notice';
			readonly text: string;
			/** A key that helps; a terminal that edits lines does not pass it on. */
			readonly key?: string | undefined;
	  }
	| {
			readonly type: 'error';
			readonly error: ChatError;
			/** The next step, for an error that has none of its own. */
			readonly next?: string | undefined;
	  }
	/** One line in place of the reasoning of a turn, above its answer. */
	| {
			readonly type: 'reasoning-summary';
			readonly reasoningMs: number;
			readonly tokens: number | undefined;
			/** The turn's number, for `/reasoning`; undefined for a single answer. */
			readonly number: number | undefined;
			/** Whether the reasoning follows. */
			readonly isOpen: boolean;
	  }
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
	/** Everything that a question is about. */
	| {
			readonly type: 'question';
			readonly title: string;
			readonly lines: readonly ApprovalLine[];
			/** To be copied whole. */
			readonly address?: string;
	  }
	/** How the user has answered a server. */
	| {readonly type: 'answered'; readonly text: string}
	| {readonly type: 'text'; readonly text: string}
	/** The top of the screen: the program, its service, and the folder. */
	| {
			readonly type: 'header';
			readonly version: string;
			readonly model: string;
			readonly service: string;
			readonly folder: string;
	  }
	/** The last conversations of the folder; their numbers are for `/resume`. */
	| {readonly type: 'earlier'; readonly sessions: readonly EarlierSession[]}
	/** A slash command, above what it prints. */
	| {readonly type: 'command'; readonly text: string}
	| {readonly type: 'table'; readonly groups: readonly TableGroup[]}
	/** Numbers below the names of their columns; the first column has the names of the rows. */
	| {
			readonly type: 'numbers';
			readonly columns: readonly string[];
			readonly rows: ReadonlyArray<readonly [name: string, ...numbers: readonly string[]]>;
			readonly note: string | undefined;
	  };

/** A number that is not known. */
export const noNumber = '–';

/** Names and their meanings, below a heading. */
export type TableGroup = {
	readonly title?: string;
	/** The key does what the name does; a terminal that edits lines does not pass it on. */
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
	Partial<Pick<ReplState, 'conversation' | 'attachments' | 'isSaved' | 'earlier'>> & {
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
