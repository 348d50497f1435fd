/**
 * What the screen shows, outside of React: the rows that are in the scrollback, and the frame below
 * them. Fed with what happens in a session.
 */
import type {Redact} from '../../redact.ts';
import type {Action, Effect} from '../../repl/action.ts';
import {answerWidth} from '../../repl/geometry.ts';
import type {ReplState, TranscriptEntry, TurnRecord} from '../../repl/state.ts';
import type {MarkdownOptions} from '../../terminal/markdown/streamer.ts';
import type {SafeText} from '../../terminal/safe-text.ts';
import {createStyler} from '../../terminal/style.ts';
import {composeFrame} from './frame.ts';
import type {Frame} from './frame-input.ts';
import {renderEntry} from './render-entry.ts';
import {currentAnswerWidth} from './render-turn.ts';
import {createRowStore, type ScreenSource} from './row-store.ts';
import {createTailBuffer, type TailBuffer} from './tail-buffer.ts';
import {createTurnView, type TurnView} from './turn-view.ts';

export type ScreenOptions = {
	readonly hasColor: boolean;
	/** OSC 8. */
	readonly hasLinks: boolean;
	/** For everything except answers, which are shown as they are. */
	readonly redact: Redact;
};

export interface ScreenStore extends ScreenSource {
	/** Takes over what a session tells its listeners. */
	apply(action: Action, state: ReplState, effects: readonly Effect[]): void;
	/** Puts an entry into the scrollback. */
	print(entry: TranscriptEntry): void;
	/** Colours the code blocks to come. */
	setHighlight(highlight: MarkdownOptions['highlight']): void;
}

/** How many notices are shown above the prompt while they wait for the end of an answer. */
const shownNotices = 2;

export function createScreenStore(initial: ReplState, options: ScreenOptions): ScreenStore {
	const style = createStyler(options);
	let state = initial;
	let view: TurnView | undefined;
	let recalled: {readonly turn: TurnRecord; readonly reasoning: TailBuffer} | undefined;
	let highlight: MarkdownOptions['highlight'];
	/** Waits for the end of the answer, which it must not stand in the middle of. */
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
		return renderEntry(entry, {style, redact: options.redact, width: answerWidth(state, false)});
	}

	function recallReasoning(): TailBuffer | undefined {
		const turn = state.turns.at(-1);
		if (!state.isReasoningOpen || turn === undefined || turn.reasoning === '') return undefined;
		if (recalled?.turn !== turn) {
			recalled = {turn, reasoning: createTailBuffer()};
			recalled.reasoning.push(turn.reasoning);
		}
		return recalled.reasoning;
	}

	const printHeld = () => {
		for (const entry of held) commit(render(entry));
		held = [];
	};
	/** @param isOfTurn whether it stands where the turn says it */
	const printEntry = (entry: TranscriptEntry, isOfTurn: boolean) => {
		if (view !== undefined && isHeld(entry, isOfTurn)) {
			held = [...held, entry];
			return;
		}
		// What is asked about stands below what was said before.
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
		// The pane is gone by then, but the last rows belong to those above them.
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
