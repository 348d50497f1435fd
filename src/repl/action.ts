/** The actions that change a session, and the effects they ask for. */
import type {Conversation, ConversationChange, OpenConversation} from '../chat/conversation.ts';
import type {ElicitAnswer, Elicitation} from '../chat/elicitation.ts';
import type {ChatEvent} from '../chat/event.ts';
import type {ChatOptions} from '../chat/message.ts';
import type {KnownModel} from '../chat/model.ts';
import type {Attachment, Draft, Prompt} from '../chat/prompt.ts';
import type {Approval, ApprovalRequest} from '../chat/tool.ts';
import type {ChatError} from '../errors.ts';
import type {KeyInput} from '../terminal/keys/key-input.ts';
import type {ServerVerb, ServerView} from './commands/server-view.ts';
import type {MenuValue, ValueSource} from './list/menu.ts';
import type {
	PlainEntry,
	QueuedPrompt,
	ReplState,
	TableGroup,
	TranscriptEntry,
	TurnSettings,
} from './state.ts';

/** `now` is the time of the action, in milliseconds. */
export type Action =
	| {readonly type: 'keys'; readonly keys: readonly KeyInput[]; readonly now: number}
	/** A line from a terminal that edits lines. It replaces the draft; an empty one sends the draft. */
	| {readonly type: 'text-entered'; readonly text: string; readonly now: number}
	/** The answer to `/tree`: the id of a turn; undefined closes it. */
	| {readonly type: 'turn-chosen'; readonly id: string | undefined}
	| TurnAction
	/** A prompt from the command line. */
	| {readonly type: 'prompt-given'; readonly prompt: Prompt; readonly now: number}
	| ({readonly type: 'attached'} & Loaded)
	| {readonly type: 'attach-failed'; readonly error: ChatError}
	/** A paste names these files, and nothing else. */
	| ({readonly type: 'dropped'; readonly text: string} & Loaded)
	| DialogAction
	| OpeningAction
	| MentionAction
	| TemplateAction
	| {
			readonly type: 'values-listed';
			readonly source: ValueSource;
			readonly values: readonly MenuValue[];
	  }
	/** A server has changed; these are all. */
	| {readonly type: 'servers-changed'; readonly servers: readonly ServerView[]}
	/** The answer to `/mcp`. */
	| {readonly type: 'server-reported'; readonly entry: PlainEntry}
	/** The draft as it came from the editor; unchanged after an error. */
	| {readonly type: 'draft-edited'; readonly draft: Draft; readonly error?: ChatError}
	/** A line from outside the session. A brief one is shown only until the next key. */
	| {readonly type: 'notice-given'; readonly text: string; readonly isBrief?: boolean}
	/** The prompts of earlier sessions, oldest first. */
	| {readonly type: 'history-loaded'; readonly prompts: readonly Draft[]}
	| {readonly type: 'key-disarmed'}
	| {readonly type: 'model-known'; readonly name: string; readonly model: KnownModel}
	/** The session ends, and stops its turn. */
	| {readonly type: 'closed'}
	| {readonly type: 'resize'; readonly columns: number; readonly rows: number}
	/** The terminal was lent to another program, and is back. */
	| {readonly type: 'terminal-taken'};

export type TurnAction =
	/** The events of the turn since the previous action of this type. */
	| {readonly type: 'events'; readonly events: readonly ChatEvent[]; readonly now: number}
	| {readonly type: 'tick'; readonly now: number};

export type Loaded = {
	readonly attachments: readonly Attachment[];
	readonly notices: readonly string[];
};

export type LoadedMention = Loaded & {readonly mention: string};

/** The files that a queued prompt mentions. */
export type MentionAction =
	| {
			readonly type: 'mentions-read';
			readonly prompt: QueuedPrompt;
			readonly loaded: readonly LoadedMention[];
	  }
	| {
			readonly type: 'mentions-failed';
			readonly prompt: QueuedPrompt;
			readonly error: ChatError;
	  };

/** The template that a queued prompt names, or that the help is asked about. */
export type TemplateAction =
	| {
			readonly type: 'template-expanded';
			readonly prompt: QueuedPrompt;
			readonly expanded: ExpandedTemplate;
	  }
	| {
			readonly type: 'template-failed';
			readonly prompt: QueuedPrompt;
			readonly error: ChatError;
	  }
	| {
			readonly type: 'template-explained';
			readonly name: string;
			readonly rows: TableGroup['rows'];
	  }
	| {
			readonly type: 'template-unknown';
			readonly name: string;
			readonly error: ChatError;
	  };

export type ExpandedTemplate = {
	/** Undefined for a role without a prompt: its settings count from here on. */
	readonly prompt: Pick<Prompt, 'text' | 'attachments'> | undefined;
	readonly settings: TurnSettings;
	readonly notices: readonly string[];
	/** Set for a prompt that the user has to read before it is sent. */
	readonly isDraft?: true;
};

export type OpeningAction =
	| {readonly type: 'session-opened'; readonly session: OpenedSession}
	| {readonly type: 'session-not-opened'; readonly error: ChatError}
	/** The user has chosen one, by its id. */
	| {readonly type: 'session-picked'; readonly id: string};

/** A saved conversation, ready to go on. */
export type OpenedSession = {
	readonly conversation: Conversation;
	/** Those of the next request. */
	readonly options: ChatOptions;
	/** A prompt that got no answer. */
	readonly draft: Prompt | undefined;
	/** Printed above its last turns. */
	readonly notices: readonly string[];
};

export type DialogAction =
	/** The user has to decide whether a call runs. */
	| {readonly type: 'approval-asked'; readonly request: ApprovalRequest}
	/** A server asks the user during a call. */
	| {readonly type: 'elicitation-asked'; readonly request: Elicitation}
	/** No key was pressed for a while, so keys count as answers from now on. */
	| {readonly type: 'dialog-armed'}
	/** The user has seen all of it, and answers in words. */
	| {readonly type: 'approval-given'; readonly approval: Approval}
	| {readonly type: 'elicitation-given'; readonly answer: ElicitAnswer}
	/** The page of a question was opened in a browser; not `isOpen`: there is none. */
	| {readonly type: 'page-opened'; readonly isOpen: boolean}
	/** The answer is no longer needed. */
	| {readonly type: 'dialog-withdrawn'};

export type Effect =
	| {
			readonly type: 'start-turn';
			readonly conversation: OpenConversation;
			readonly options: ChatOptions;
	  }
	/** Nothing to perform: those who listen see each change of the conversation, in order. */
	| {readonly type: 'conversation-changed'; readonly change: ConversationChange}
	/** Nothing to perform: prompts, and drafts that were cleared, for later sessions. */
	| {readonly type: 'history-added'; readonly prompts: readonly Draft[]}
	| {readonly type: 'stop-turn'}
	/** `isAbove`: before the text of the events that it comes with. */
	| {readonly type: 'print'; readonly entry: TranscriptEntry; readonly isAbove?: true}
	| {readonly type: 'attach'; readonly kind: 'file' | 'image'; readonly source: string}
	/** Send `dropped` if the text is the paths of files. */
	| {readonly type: 'read-dropped'; readonly text: string}
	/** Read the files that it mentions, and send `mentions-read`. */
	| {readonly type: 'read-mentions'; readonly prompt: QueuedPrompt}
	/** Make a prompt of the template that it names, and send `template-expanded`. */
	| {readonly type: 'expand-template'; readonly prompt: QueuedPrompt}
	/** Describe a template, and send `template-explained`. */
	| {readonly type: 'explain-template'; readonly name: string}
	/** Do what `/mcp` asks for, and send `server-reported`. */
	| {readonly type: 'ask-server'; readonly verb: ServerVerb; readonly name: string}
	/** Find the values for a menu, and send `values-listed`; a failure is not reported. */
	| {readonly type: 'list-values'; readonly source: ValueSource}
	/** Read another saved conversation, by its id or title, and send `session-opened`. */
	| {readonly type: 'open-session'; readonly word: string}
	/** Let the user choose a session, and send `session-picked`. */
	| {readonly type: 'pick-session'}
	/** Nothing to perform: a title for the running conversation; empty to show it. */
	| {readonly type: 'name-given'; readonly title: string}
	/** Let the user change the draft in an editor, and send `draft-edited`. */
	| {readonly type: 'edit-draft'; readonly draft: Draft}
	/** Write the conversation to a file; without a path, to one named after its title. */
	| {readonly type: 'export'; readonly path: string}
	/** Copy a text to the clipboard; `isPartial`: more of it may follow. */
	| {readonly type: 'copy'; readonly text: string; readonly isPartial: boolean}
	| {readonly type: 'copy-conversation'}
	/** Write a text to a new file; `part` is the number of its block, or empty. */
	| {readonly type: 'save'; readonly text: string; readonly part: string; readonly path: string}
	/** Nothing to perform: what follows is not saved, or saved again. */
	| {readonly type: 'privacy-changed'; readonly isPrivate: boolean}
	| DialogEffect
	/** Send `key-disarmed` after two seconds. */
	| {readonly type: 'arm-key'}
	/** Move through the reasoning that is open between two turns. */
	| {readonly type: 'scroll-reasoning'; readonly step: ScrollStep}
	| {readonly type: 'redraw'}
	/** Stop the process, as Ctrl-Z does. */
	| {readonly type: 'suspend'}
	| {readonly type: 'exit'};

export type ScrollStep = 'up' | 'down' | 'page-up' | 'page-down';

export type DialogEffect =
	| {readonly type: 'answer-approval'; readonly approval: Approval}
	| {readonly type: 'answer-elicitation'; readonly answer: ElicitAnswer}
	/** Open a page in the browser, and send `page-opened`. */
	| {readonly type: 'open-page'; readonly url: URL}
	/** Send `dialog-armed` when no key was pressed for a while. */
	| {readonly type: 'arm-dialog'};

/** A state and the effects of entering it. */
export type Update<State = ReplState, AnyEffect = Effect> = {
	readonly state: State;
	readonly effects: readonly AnyEffect[];
};

export function update<State, AnyEffect = never>(
	state: State,
	...effects: readonly AnyEffect[]
): Update<State, AnyEffect> {
	return {state, effects};
}

/** Runs the steps in order, each on the state that the previous one returned. */
export function sequence<State>(
	state: State,
	...steps: ReadonlyArray<(state: State) => Update<State>>
): Update<State> {
	return sequenceEach(state, steps, (current, step) => step(current));
}

/** Runs a step for each item, in order. */
export function sequenceEach<State, Item, AnyEffect>(
	state: State,
	items: readonly Item[],
	step: (state: State, item: Item) => Update<State, AnyEffect>,
): Update<State, AnyEffect> {
	const effects: AnyEffect[] = [];
	let current = state;
	for (const item of items) {
		const next = step(current, item);
		current = next.state;
		for (const effect of next.effects) effects.push(effect);
	}
	return {state: current, effects};
}

export function print(entry: TranscriptEntry): Effect {
	return {type: 'print', entry};
}

export function printNotice(text: string): Effect {
	return print({type: 'notice', text});
}

export function printAbove(entry: TranscriptEntry): Effect {
	return {type: 'print', entry, isAbove: true};
}
