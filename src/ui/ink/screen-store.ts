/**
 * What the screen shows, outside of React: the rows that are in the scrollback, and the frame below
 * them. Fed with what happens in a session.
 */
import type {Redact} from '../../redact.ts';
import type {Action, Effect} from '../../repl/action.ts';
import {answerWidth} from '../../repl/geometry.ts';
import type {Entry, ReplState, TurnRecord} from '../../repl/state.ts';
import type {MarkdownOptions} from '../../terminal/markdown/streamer.ts';
import type {SafeText} from '../../terminal/safe-text.ts';
import {createStyler} from '../../terminal/style.ts';
import {renderEntry} from './entry-rows.ts';
import {composeFrame, type Frame} from './frame.ts';
import {createTailText, type TailText} from './tail-text.ts';
import {currentAnswerWidth} from './turn-part.ts';
import {createTurnView, type TurnView} from './turn-view.ts';

/** Rows that are written once and never drawn again. */
export type StaticItem = {readonly id: number; readonly rows: readonly SafeText[]};

export type ScreenSnapshot = {readonly items: readonly StaticItem[]; readonly frame: Frame};

export type ScreenOptions = {
	readonly hasColor: boolean;
	/** OSC 8. */
	readonly hasLinks: boolean;
	/** For what is told of a turn; answers are shown as they are. */
	readonly redact: Redact;
	/** Whether there is a prompt; a single answer has none, and what is said of it goes to stderr. */
	readonly hasPrompt: boolean;
};

export interface ScreenStore {
	subscribe(listener: () => void): () => void;
	getSnapshot(): ScreenSnapshot;
	/** Takes over what a session tells its listeners. */
	apply(action: Action, state: ReplState, effects: readonly Effect[]): void;
	/** Puts an entry into the scrollback. */
	print(entry: Entry): void;
	/** Colours the code blocks to come. */
	setHighlight(highlight: MarkdownOptions['highlight']): void;
}

/** How many notices are shown above the prompt while they wait for the end of an answer. */
const shownRemarks = 2;

/** What the screen of a single answer leaves out. */
const toldElsewhere: ReadonlySet<Entry['type']> = new Set(['prompt', 'notice', 'error']);

export function createScreenStore(initial: ReplState, options: ScreenOptions): ScreenStore {
	const style = createStyler(options);
	const listeners = new Set<() => void>();
	let state = initial;
	let view: TurnView | undefined;
	let recalled: {readonly turn: TurnRecord; readonly reasoning: TailText} | undefined;
	let highlight: MarkdownOptions['highlight'];
	let items: readonly StaticItem[] = [];
	/** Waits for the end of the answer, which it must not stand in the middle of. */
	let held: readonly Entry[] = [];
	let snapshot = compose();

	function compose(): ScreenSnapshot {
		const {hasPrompt, redact} = options;
		const lastReasoning = recallReasoning();
		const remarks = held.filter(isRemark).slice(-shownRemarks).flatMap(render);
		const input = {state, view, lastReasoning, remarks, hasPrompt, style, redact};
		return {items, frame: composeFrame(input)};
	}

	function render(entry: Entry): readonly SafeText[] {
		return renderEntry(entry, {style, redact: options.redact, width: answerWidth(state, false)});
	}

	function recallReasoning(): TailText | undefined {
		const turn = state.turns.at(-1);
		if (!state.isReasoningOpen || turn === undefined || turn.reasoning === '') return undefined;
		if (recalled?.turn !== turn) {
			recalled = {turn, reasoning: createTailText()};
			recalled.reasoning.push(turn.reasoning);
		}
		return recalled.reasoning;
	}

	const commit = (rows: readonly SafeText[]) => {
		if (rows.length > 0) items = [...items, {id: items.length, rows}];
	};
	const notify = () => {
		snapshot = compose();
		for (const listener of listeners) listener();
	};
	const printHeld = () => {
		for (const entry of held) commit(render(entry));
		held = [];
	};
	/** @param isOfTurn whether it stands where the turn says it */
	const printEntry = (entry: Entry, isOfTurn: boolean) => {
		if (view !== undefined && isHeld(entry, isOfTurn)) {
			held = [...held, entry];
			return;
		}
		// What is asked about stands below what was said before.
		if (entry.type === 'approval') commit(view?.end() ?? []);
		if (entry.type === 'prompt') printHeld();
		commit(render(entry));
	};
	const isHeld = (entry: Entry, isOfTurn: boolean) =>
		isOfTurn ? hasBegun(state) && isRemark(entry) : entry.type !== 'approval';
	const endView = () => {
		commit(view?.end() ?? []);
		view = undefined;
	};

	const isWanted = ({type}: Entry) => options.hasPrompt || !toldElsewhere.has(type);

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
		if (action.events.some(({type}) => type === 'tool-result')) commit(view.end());
		if (isOver) endView();
	};

	const perform = (effect: Effect, isOfTurn: boolean) => {
		if (effect.type === 'print' && isWanted(effect.entry)) printEntry(effect.entry, isOfTurn);
		else if (effect.type === 'start-turn') openView();
	};

	return {
		subscribe(listener) {
			listeners.add(listener);
			return () => {
				listeners.delete(listener);
			};
		},
		getSnapshot: () => snapshot,
		apply(action, next, effects) {
			state = next;
			if (action.type === 'events') takeEvents(action);
			else view?.setWidth(currentAnswerWidth(state));
			for (const effect of effects) perform(effect, action.type === 'events');
			if (view === undefined) printHeld();
			notify();
		},
		print(entry) {
			printEntry(entry, false);
			notify();
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

function isRemark({type}: Entry): boolean {
	return type === 'notice' || type === 'error';
}
