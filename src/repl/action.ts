/** What can happen to a session, and what it asks others to do about it. */
import type {Conversation} from '../chat/conversation.ts';
import type {ChatEvent} from '../chat/event.ts';
import type {ChatOptions} from '../chat/message.ts';
import type {Approval, ApprovalRequest} from '../chat/tool.ts';
import type {ChatError} from '../errors.ts';
import type {KeyInput} from '../terminal/keys/key-input.ts';
import type {Attachment, ReplState, SessionPrompt, TranscriptEntry} from './state.ts';

/** `now` is the time of the action in milliseconds. */
export type Action =
	| {readonly type: 'keys'; readonly keys: readonly KeyInput[]; readonly now: number}
	| TurnAction
	/** A prompt that did not come from the editor. */
	| {readonly type: 'prompt-given'; readonly prompt: SessionPrompt; readonly now: number}
	| {
			readonly type: 'attached';
			readonly attachment: Attachment;
			readonly notices: readonly string[];
	  }
	| {readonly type: 'attach-failed'; readonly error: ChatError}
	| ApprovalAction
	| {readonly type: 'exit-disarmed'}
	/** The session ends; what is under way is stopped. */
	| {readonly type: 'closed'}
	| {readonly type: 'resize'; readonly columns: number; readonly rows: number};

export type TurnAction =
	/** The events of the turn since the last of these. */
	| {readonly type: 'events'; readonly events: readonly ChatEvent[]; readonly now: number}
	| {readonly type: 'tick'; readonly now: number};

export type ApprovalAction =
	/** Somebody has to decide whether a call runs. */
	| {readonly type: 'approval-asked'; readonly request: ApprovalRequest}
	/** The question has been open for a while without a key. */
	| {readonly type: 'approval-armed'}
	/** The answer is no longer needed. */
	| {readonly type: 'approval-withdrawn'};

export type Effect =
	| {
			readonly type: 'start-turn';
			/** Ends with the prompt. */
			readonly conversation: Conversation;
			readonly options: ChatOptions;
	  }
	| {readonly type: 'stop-turn'}
	| {readonly type: 'print'; readonly entry: TranscriptEntry}
	| {readonly type: 'attach'; readonly kind: 'file' | 'image'; readonly source: string}
	| ApprovalEffect
	/** Let the second press count for two seconds. */
	| {readonly type: 'arm-exit'}
	| {readonly type: 'redraw'}
	| {readonly type: 'exit'};

export type ApprovalEffect =
	| {readonly type: 'answer-approval'; readonly approval: Approval}
	/** Arm the question when no key was pressed for a while. */
	| {readonly type: 'arm-approval'};

/** A state and the effects of entering it. */
export type Update<State = ReplState> = {
	readonly state: State;
	readonly effects: readonly Effect[];
};

export function update<State>(state: State, ...effects: readonly Effect[]): Update<State> {
	return {state, effects};
}

/** Runs the steps in order, each on the state that the one before left. */
export function sequence<State>(
	state: State,
	...steps: ReadonlyArray<(state: State) => Update<State>>
): Update<State> {
	return sequenceEach(state, steps, (current, step) => step(current));
}

/** Runs a step for each item, however many there are. */
export function sequenceEach<State, Item>(
	state: State,
	items: readonly Item[],
	step: (state: State, item: Item) => Update<State>,
): Update<State> {
	const effects: Effect[] = [];
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
