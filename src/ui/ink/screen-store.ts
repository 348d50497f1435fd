/**
 * Turns the actions and effects of a session into the rows of the scrollback and the frame below
 * them, outside of React.
 */
import type {Redact} from '../../redact.ts';
import type {Action, Effect} from '../../repl/action.ts';
import {answerWidth} from '../../repl/geometry.ts';
import {type Block, blockOf} from '../../repl/rhythm.ts';
import type {ReplState, TranscriptEntry} from '../../repl/state.ts';
import type {FailureOptions} from '../../repl/turn/describe-failure.ts';
import {numbersOf} from '../../repl/turn/shown-turns.ts';
import {createNotes} from '../../terminal/markdown/stream/notes.ts';
import type {MarkdownOptions} from '../../terminal/markdown/stream/streamer.ts';
import type {SafeText} from '../../terminal/safe-text.ts';
import {createStyler} from '../../terminal/style.ts';
import {composeFrame} from './frame.ts';
import type {Frame} from './frame-input.ts';
import {openPager, type ReasoningPager, scrollPager} from './reasoning-pager.ts';
import {renderEntry} from './render-entry.ts';
import {reasoningWidth} from './render-turn.ts';
import {createRowStore, type ScreenSource} from './row-store.ts';
import {createTurnView, isOfDialog, printsAbove, type TurnView} from './turn-view.ts';

export type ScreenOptions = FailureOptions & {
	readonly hasColor: boolean;
	/** Whether links are written as OSC 8. */
	readonly hasLinks: boolean;
	/** Redacts everything except answers. */
	readonly redact: Redact;
};

export interface ScreenStore extends ScreenSource {
	/** Handles one action of the session. */
	apply(action: Action, state: ReplState, effects: readonly Effect[]): void;
	/** Prints an entry to the scrollback. */
	print(entry: TranscriptEntry): void;
	/** Sets the colours of later code blocks. */
	setHighlight(highlight: MarkdownOptions['highlight']): void;
}

/** Opens and closes the reasoning. */
const reasoningKey = 'Ctrl-O';

/** The number of held notices shown above the prompt. */
const shownNotices = 2;

/** The command that copies a code block by its number. */
const codeLabel = '/copy ';

export function createScreenStore(initial: ReplState, options: ScreenOptions): ScreenStore {
	const style = createStyler(options);
	let state = initial;
	let view: TurnView | undefined;
	let pager: ReasoningPager | undefined;
	let highlight: MarkdownOptions['highlight'];
	/** Those of the past turn that is being printed. */
	let notes = createNotes();
	/** Entries that wait for the end of the answer, so as not to interrupt it. */
	let held: readonly TranscriptEntry[] = [];
	const store = createRowStore(compose(undefined));
	const {commit} = store;
	const draw = () => store.draw(compose(store.lastBlock()));

	function compose(lastBlock: Block | undefined): Frame {
		const {redact, serviceUrl} = options;
		pager = keepPager();
		const heldNotices = held.filter(isNotice).slice(-shownNotices).flatMap(render);
		const shown = {style, redact, serviceUrl, reasoningKey, lastBlock};
		return composeFrame({state, view, pager, heldNotices, ...shown});
	}

	function render(entry: TranscriptEntry): readonly SafeText[] {
		if (entry.type === 'prompt') notes = createNotes();
		if (entry.type === 'answer') notes.startCode(entry.codeBlocksAbove);
		const width = answerWidth(state);
		const shown = {...options, reasoningKey, style, highlight, notes, codeLabel, width};
		return renderEntry(entry, shown);
	}

	/** Returns the reasoning of the last turn while it is open, rendered for this window. */
	function keepPager(): ReasoningPager | undefined {
		const turn = state.conversation.turns.at(-1);
		if (!state.isReasoningOpen || state.turn !== undefined || turn === undefined) return undefined;
		const width = reasoningWidth(state);
		if (pager?.turn === turn && pager.width === width) return pager;
		return openPager(turn, {...options, width});
	}

	const printHeld = () => {
		for (const entry of held) commit(blockOf(entry), render(entry));
		held = [];
	};
	/** @param isOfTurn whether an event of the turn prints it */
	const printEntry = (entry: TranscriptEntry, isOfTurn: boolean) => {
		if (view !== undefined && isHeld(entry, isOfTurn)) {
			held = [...held, entry];
			return;
		}
		if (isOfDialog(entry)) commit('answer', view?.end() ?? []);
		if (entry.type === 'prompt') printHeld();
		commit(blockOf(entry), render(entry));
	};
	const isHeld = (entry: TranscriptEntry, isOfTurn: boolean) =>
		isOfTurn ? hasBegun(state) && isNotice(entry) : !isOfDialog(entry);
	const openView = () => {
		view = createTurnView({
			codeBlocksAbove: numbersOf(state.shown).codeBlocksAbove,
			width: answerWidth(state),
			hasColor: options.hasColor,
			hasLinks: options.hasLinks,
			codeLabel,
			highlight,
		});
	};

	const takeEvents = (action: Extract<Action, {type: 'events'}>) => {
		if (view === undefined) return;
		commit('answer', view.push(action.events));
		if (action.events.some(({type}) => type === 'turn-end' || type === 'error')) view = undefined;
	};

	const perform = (effect: Effect, isOfTurn: boolean) => {
		if (effect.type === 'print') printEntry(effect.entry, isOfTurn);
		else if (effect.type === 'start-turn') openView();
		else if (effect.type === 'scroll-reasoning' && pager !== undefined) {
			const shown = store.getSnapshot().frame.turn.pane?.rows.length ?? 1;
			pager = scrollPager(pager, effect.step, shown);
		}
	};

	return {
		...store,
		apply(action, next, effects) {
			state = next;
			const isOfTurn = action.type === 'events';
			view?.setWidth(answerWidth(state));
			for (const effect of effects.filter(printsAbove)) perform(effect, isOfTurn);
			if (isOfTurn) takeEvents(action);
			for (const effect of effects) if (!printsAbove(effect)) perform(effect, isOfTurn);
			if (view === undefined) printHeld();
			draw();
		},
		print(entry) {
			printEntry(entry, false);
			draw();
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
