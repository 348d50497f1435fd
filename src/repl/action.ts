/** REPL actions, and the effects they ask for. */
import type {ConversationChange, OpenConversation} from '../chat/conversation.ts';
import type {ChatEvent} from '../chat/event.ts';
import type {ChatOptions} from '../chat/message.ts';
import type {KnownModel} from '../chat/model.ts';
import type {Prompt} from '../chat/prompt.ts';
import type {ChatError} from '../errors.ts';
import type {KeyInput} from '../terminal/keys/key-input.ts';
import type {ServerView} from './commands/server-view.ts';
import type {ListCommand} from './keys/key-bindings.ts';
import type {Question} from './question/question.ts';
import type {ReplServices} from './services.ts';
import type {ReplState, TranscriptEntry} from './state.ts';

/** `now` is the action's time, in milliseconds. */
export type Action =
	| {readonly type: 'keys'; readonly keys: readonly KeyInput[]; readonly now: number}
	/** A line from a line-editing terminal. It replaces the draft; an empty one sends the draft. */
	| {readonly type: 'text-entered'; readonly text: string; readonly now: number}
	/** The answer to `/tree`: a turn id; undefined closes it. */
	| {readonly type: 'turn-chosen'; readonly id: string | undefined}
	| TurnAction
	/** A prompt from the command line. */
	| {readonly type: 'prompt-given'; readonly prompt: Prompt; readonly now: number}
	| QuestionAction
	/** Work outside the state has ended. */
	| {readonly type: 'task-ended'; readonly name: string; readonly outcome: Outcome}
	/** The user has chosen a saved session, by its id. */
	| {readonly type: 'session-picked'; readonly id: string}
	/** A screen failed to do something. */
	| {readonly type: 'failed'; readonly error: ChatError}
	/** A server has changed; these are all. */
	| {readonly type: 'servers-changed'; readonly servers: readonly ServerView[]}
	/** A line from outside the state. A brief one is shown only until the next key. */
	| {readonly type: 'notice-given'; readonly text: string; readonly isBrief?: boolean}
	/** Prompts from earlier runs, oldest first. */
	| {readonly type: 'history-loaded'; readonly prompts: readonly Prompt[]}
	| {readonly type: 'key-disarmed'}
	| {readonly type: 'model-known'; readonly name: string; readonly model: KnownModel}
	/** The REPL closes, and stops its turn. */
	| {readonly type: 'closed'}
	| {readonly type: 'resize'; readonly columns: number; readonly rows: number}
	/** The terminal was lent to another program, and is back. */
	| {readonly type: 'terminal-taken'};

export type TurnAction =
	/** The turn's events since the previous action of this type. */
	| {readonly type: 'events'; readonly events: readonly ChatEvent[]; readonly now: number}
	| {readonly type: 'tick'; readonly now: number};

export type QuestionAction =
	/** The user has to decide something. */
	| {readonly type: 'question-asked'; readonly question: Question}
	/** No key was pressed for a while, so keys count as answers from now on. */
	| {readonly type: 'question-armed'}
	/** The answer typed on a line-based screen. */
	| {readonly type: 'line-answered'; readonly line: string}
	/** Reports whether a browser opened the page the user agreed to. */
	| {readonly type: 'page-opened'; readonly url: URL; readonly isOpen: boolean}
	/** The answer is no longer needed. */
	| {readonly type: 'question-withdrawn'};

export type Effect =
	| {
			readonly type: 'start-turn';
			readonly conversation: OpenConversation;
			readonly options: ChatOptions;
	  }
	/** Read by listeners, such as the recorder, which see every conversation change in order. */
	| {readonly type: 'conversation-changed'; readonly change: ConversationChange}
	/** Read by a screen without a cursor: a server has written the draft, which the user must see whole. */
	| {readonly type: 'draft-made'; readonly prompt: Prompt}
	| {readonly type: 'stop-turn'}
	| {readonly type: 'stop-task'; readonly name: string}
	/** `isAbove`: printed before this batch's text. */
	| {readonly type: 'print'; readonly entry: TranscriptEntry; readonly isAbove?: true}
	| Task
	/** Let the user choose a session, and send `session-picked`. */
	| {readonly type: 'pick-session'}
	/** Read by listeners: stop saving, or save again. */
	| {readonly type: 'privacy-changed'; readonly isPrivate: boolean}
	| QuestionEffect
	/** Send `key-disarmed` after two seconds. */
	| {readonly type: 'arm-key'}
	/** Move through the help, or else through the open fold. */
	| {readonly type: 'scroll'; readonly command: ListCommand}
	| {readonly type: 'redraw'}
	/** Stop the process, as Ctrl-Z does. */
	| {readonly type: 'suspend'}
	| {readonly type: 'exit'};

/** Work outside the state: reading files, asking servers, handing texts over. */
export type Task = {
	readonly type: 'task';
	/** The work in a word or two, such as `attach`. */
	readonly name: string;
	/** Set if its outcome is at most a notice until the next key. */
	readonly isBrief?: true;
	/** Set while the terminal is lent: closing waits for it. */
	readonly hasTerminal?: true;
	/** Never rejects: a failure is an outcome too. The signal aborts when the REPL closes, too. */
	run(services: ReplServices, state: ReplState, signal: AbortSignal): Promise<Action>;
};

/** The state change made by a finished task. */
export type Outcome = (state: ReplState) => Update;

export type QuestionEffect =
	| {readonly type: 'answer-question'; readonly answer: unknown}
	/** Send `question-armed` when no key was pressed for a while. */
	| {readonly type: 'arm-question'};

/** A state and its entry effects. */
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

/** Runs the steps in order, each on the previous one's state. */
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
