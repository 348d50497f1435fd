/** Appends lines from the REPL or a single answer to the terminal: nothing is redrawn. */
import type {Prompt} from '../../chat/prompt.ts';
import type {Terminal} from '../../environment.ts';
import type {Action} from '../../repl/action.ts';
import {
	type AnswerState,
	isReplState,
	type ReplState,
	type TranscriptEntry,
} from '../../repl/state.ts';
import {numbersOf, resumedText} from '../../repl/turn/shown-turns.ts';
import type {Display} from '../run.ts';
import {createLineWriter, type LineWriter} from './line-writer.ts';
import {leaveOutTyped, narrate} from './narrator.ts';
import {speakQuestion} from './question.ts';
import {createSilence} from './silence.ts';
import {isSpokenReason, type SpeechOptions, speakEntry} from './speak-entry.ts';
import {createSpokenTurn, type SpokenTurn} from './speak-turn.ts';

export type SpokenState = {
	readonly getState: () => AnswerState;
	readonly terminal: Terminal;
	readonly options: SpeechOptions;
	readonly now: () => number;
};

export interface LineDisplay extends Required<Display> {
	readonly writer: LineWriter;
	note(text: string): void;
	/** Writes the answer's unfinished rest. */
	end(): void;
}

export function createLineDisplay({getState, terminal, options, now}: SpokenState): LineDisplay {
	const writer = createLineWriter(terminal);
	let turn: SpokenTurn | undefined;
	/** The state after the last action. */
	let before: AnswerState | undefined;
	/** The last line entered. */
	let typed = '';
	/** A draft written by somebody else. */
	let made: Prompt | undefined;
	const silence = createSilence({
		say: (line) => writer.write([line]),
		running: () => getState().turn?.running ?? [],
		now,
	});
	const say = (entries: readonly TranscriptEntry[]) =>
		writer.write(entries.flatMap((entry) => speakEntry(entry, options)));
	/** Restarts the count on each arrival; a question to the user stops it. */
	const followSilence = (state: AnswerState, cause: Action | undefined) => {
		const {turn: live, question} = state;
		if (live === undefined || question !== undefined) return silence.stop();
		const wasWaiting = before?.turn !== undefined && before.question === undefined;
		if (cause?.type !== 'events' && wasWaiting) return;
		silence.restart(live.retry === undefined ? 0 : live.retry.until - now());
	};
	const hearLine = (cause: Action | undefined) => {
		if (cause?.type === 'text-entered') typed = cause.text;
	};
	const narrateSince = (state: ReplState, cause: Action | undefined) => {
		const old = before !== undefined && isReplState(before) ? before : state;
		const draft = made;
		made = undefined;
		return narrate(old, state, cause, draft);
	};
	const end = () => writer.write(turn?.end(now()) ?? []);
	return {
		writer,
		note: (text) => say([{type: 'notice', text}]),
		begin() {
			const state = getState();
			turn = createSpokenTurn({
				reasoningMode: () => getState().reasoningMode,
				numbers: isReplState(state) ? numbersOf(state.shown) : undefined,
				options,
			});
			// The whole blocks of a resumed answer have been spoken.
			const text = resumedText(state.conversation);
			if (text !== '') turn.push([{type: 'text-delta', text}], now());
		},
		push(events, time) {
			writer.write(turn?.push(events, time) ?? []);
			if (getState().turn === undefined) turn = undefined;
		},
		print(entry, cause) {
			if (cause?.type === 'events' && isSpoken(entry)) return;
			const state = getState();
			hearLine(cause);
			say(isReplState(state) ? leaveOutTyped(entry, state, cause, typed) : [entry]);
		},
		perform(effect) {
			if (effect.type === 'draft-made') made = effect.prompt;
		},
		live(cause) {
			const state = getState();
			hearLine(cause);
			const {question} = state;
			const isNew = question !== undefined && question.request !== before?.question?.request;
			// The text before a question stays above it.
			if (isNew) end();
			if (isReplState(state)) say(narrateSince(state, cause));
			followSilence(state, cause);
			if (isNew) writer.write(speakQuestion(question));
			before = state;
		},
		end() {
			silence.stop();
			end();
			writer.end();
		},
	};
}

/** Whether the spoken turn has it. */
function isSpoken(entry: TranscriptEntry): boolean {
	if (entry.type === 'truncation') return isSpokenReason(entry.reason);
	return entry.type === 'reasoning-summary' || entry.type === 'reasoning';
}
