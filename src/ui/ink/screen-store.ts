/**
 * Turns the actions and effects of a session into the rows of the scrollback and the frame below
 * them, outside of React.
 */
import {reasoningOf, type Turn} from '../../chat/conversation.ts';
import type {Redact} from '../../redact.ts';
import type {Action, Effect} from '../../repl/action.ts';
import {answerWidth} from '../../repl/geometry.ts';
import type {ReplState, TranscriptEntry} from '../../repl/state.ts';
import {createNotes} from '../../terminal/markdown/notes.ts';
import type {MarkdownOptions} from '../../terminal/markdown/streamer.ts';
import type {SafeText} from '../../terminal/safe-text.ts';
import {createStyler} from '../../terminal/style.ts';
import {composeFrame} from './frame.ts';
import type {Frame} from './frame-input.ts';
import {type DescribeHint, renderEntry} from './render-entry.ts';
import {currentAnswerWidth} from './render-turn.ts';
import {createRowStore, type ScreenSource} from './row-store.ts';
import {createTailBuffer, type TailBuffer} from './tail-buffer.ts';
import {createTurnView, type TurnView} from './turn-view.ts';

export type ScreenOptions = {
	readonly hasColor: boolean;
	/** Whether links are written as OSC 8. */
	readonly hasLinks: boolean;
	/** Redacts everything except answers. */
	readonly redact: Redact;
	/** Undefined if the screen shows no failures. */
	readonly describeHint?: DescribeHint | undefined;
};

export interface ScreenStore extends ScreenSource {
	/** Handles one action of the session. */
	apply(action: Action, state: ReplState, effects: readonly Effect[]): void;
	/** Prints an entry to the scrollback. */
	print(entry: TranscriptEntry): void;
	/** Sets the colours of later code blocks. */
	setHighlight(highlight: MarkdownOptions['highlight']): void;
}

/** The number of held notices shown above the prompt. */
const shownNotices = 2;

export function createScreenStore(initial: ReplState, options: ScreenOptions): ScreenStore {
	const style = createStyler(options);
	let state = initial;
	let view: TurnView | undefined;
	let recalled: {readonly turn: Turn; readonly reasoning: TailBuffer} | undefined;
	let highlight: MarkdownOptions['highlight'];
	/** Those of the past turn that is being printed. */
	let notes = createNotes();
	/** Entries that wait for the end of the answer, so as not to interrupt it. */
	let held: readonly TranscriptEntry[] = [];
	const store = createRowStore(compose());
	const {commit} = store;

	function compose(): Frame {
		const {redact} = options;
		const lastReasoning = recallReasoning();
		const heldNotices = held.filter(isNotice).slice(-shownNotices).flatMap(render);
		return composeFrame({state, view, lastReasoning, heldNotices, style, redact});
	}

	function render(entry: TranscriptEntry): readonly SafeText[] {
		if (entry.type === 'prompt') notes = createNotes();
		const width = answerWidth(state, false);
		return renderEntry(entry, {...options, style, highlight, notes, width});
	}

	function recallReasoning(): TailBuffer | undefined {
		const turn = state.conversation.turns.at(-1);
		if (!state.isReasoningOpen || turn === undefined) return undefined;
		if (recalled?.turn !== turn) {
			recalled = {turn, reasoning: createTailBuffer()};
			recalled.reasoning.push(reasoningOf(turn));
		}
		return recalled.reasoning;
	}

	const printHeld = () => {
		for (const entry of held) commit(render(entry));
		held = [];
	};
	/** @param isOfTurn whether an event of the turn prints it */
	const printEntry = (entry: TranscriptEntry, isOfTurn: boolean) => {
		if (view !== undefined && isHeld(entry, isOfTurn)) {
			held = [...held, entry];
			return;
		}
		// The text before a question stays above it.
		if (entry.type === 'approval') commit(view?.end() ?? []);
		if (entry.type === 'prompt') printHeld();
		commit(render(entry));
	};
	const isHeld = (entry: TranscriptEntry, isOfTurn: boolean) =>
		isOfTurn ? hasBegun(state) && isNotice(entry) : entry.type !== 'approval';
	const openView = () => {
		view = createTurnView({
			width: currentAnswerWidth(state),
			hasColor: options.hasColor,
			hasLinks: options.hasLinks,
			highlight,
		});
	};

	const takeEvents = (action: Extract<Action, {type: 'events'}>) => {
		if (view === undefined) return;
		const isOver = action.events.some(({type}) => type === 'turn-end' || type === 'error');
		// The last rows are as wide as those above them, although the pane is gone.
		if (!isOver) view.setWidth(currentAnswerWidth(state));
		commit(view.push(action.events));
		if (isOver) view = undefined;
	};

	const perform = (effect: Effect, isOfTurn: boolean) => {
		if (effect.type === 'print') printEntry(effect.entry, isOfTurn);
		else if (effect.type === 'start-turn') openView();
	};

	return {
		subscribe: store.subscribe,
		getSnapshot: store.getSnapshot,
		apply(action, next, effects) {
			state = next;
			if (action.type === 'events') takeEvents(action);
			else view?.setWidth(currentAnswerWidth(state));
			for (const effect of effects) perform(effect, action.type === 'events');
			if (view === undefined) printHeld();
			store.draw(compose());
		},
		print(entry) {
			printEntry(entry, false);
			store.draw(compose());
		},
		setHighlight(loaded) {
			highlight = loaded;
			view?.setHighlight(loaded);
		},
	};
}

function hasBegun({turn}: ReplState): boolean {
	return turn !== undefined && turn.answerLength > 0;
}

function isNotice({type}: TranscriptEntry): boolean {
	return type === 'notice' || type === 'error';
}
