/** Holds the scrollback rows and the frame below them, outside React. */
import type {Turn} from '../../chat/conversation.ts';
import type {Redact} from '../../redact.ts';
import type {Action} from '../../repl/action.ts';
import {answerWidth} from '../../repl/geometry.ts';
import type {ListCommand} from '../../repl/keys/key-bindings.ts';
import {type Block, blockOf, isApart} from '../../repl/rhythm.ts';
import {
	type AnswerState,
	isReplState,
	type Popup,
	type ReplState,
	type TranscriptEntry,
} from '../../repl/state.ts';
import type {FailureOptions} from '../../repl/turn/describe-end.ts';
import {foldsOf} from '../../repl/turn/reduce-folds.ts';
import {numbersOf, resumedText} from '../../repl/turn/shown-turns.ts';
import {createNotes} from '../../terminal/markdown/stream/notes.ts';
import type {MarkdownOptions} from '../../terminal/markdown/stream/streamer.ts';
import {type SafeText, stripUnsafe} from '../../terminal/safe-text.ts';
import {createStyler} from '../../terminal/style.ts';
import type {Display} from '../run.ts';
import {composeFrame} from './live/frame.ts';
import type {Frame, Pager} from './live/frame-input.ts';
import {openPager, scrollPager} from './live/pager.ts';
import {rowsOfPopup} from './live/render-popup.ts';
import {reasoningWidth} from './live/render-turn.ts';
import {createRowQueue, textOfAnswer} from './row-queue.ts';
import {renderEntry} from './transcript/render-entry.ts';
import {createTurnView, type TurnView} from './transcript/turn-view.ts';

export type ScreenOptions = FailureOptions & {
	readonly hasColor: boolean;
	/** Whether links are written as OSC 8. */
	readonly hasLinks: boolean;
	/** Redacts everything except answers. */
	readonly redact: Redact;
};

/** Rows written once and never drawn again. */
export type StaticItem = {readonly id: number; readonly rows: readonly SafeText[]};

export type ScreenSnapshot = {
	/** The newest items: all those missing from the terminal, or else the last it got. */
	readonly items: readonly StaticItem[];
	readonly frame: Frame;
};

/** The store as React reads it. */
export interface ScreenSource {
	subscribe(listener: () => void): () => void;
	getSnapshot(): ScreenSnapshot;
	/** Forgets items, which the terminal has now. */
	releaseItems(written: readonly StaticItem[]): void;
	/** The first item missing from the terminal, by id. */
	firstWaiting(): number;
}

export interface ScreenStore extends ScreenSource, Required<Display> {
	/** Resolves when nothing waits to be shown. */
	settled(): Promise<void>;
}

/** The REPL has a key for opening the reasoning, and a command copying a code block. */
const replLabels = {reasoningKey: 'Ctrl-O', codeLabel: '/copy '};
const noLabels = {reasoningKey: undefined, codeLabel: undefined};

/** The number of held notices shown above the prompt. */
const shownNotices = 2;

/** Ink takes more time per character in longer texts. */
const partRows = 16;

export function createScreenStore(
	getState: () => AnswerState,
	options: ScreenOptions,
): ScreenStore {
	const style = createStyler(options);
	const labels = isReplState(getState()) ? replLabels : noLabels;
	const listeners = new Set<() => void>();
	/** Items missing from the terminal. */
	let waiting: StaticItem[] = [];
	/** A copy for React, made on demand. */
	let items: readonly StaticItem[] | undefined = [];
	let nextId = 0;
	let lastBlock: Block | undefined;
	let snapshot: ScreenSnapshot | undefined;
	let view: TurnView | undefined;
	/** Whether the view's next row is the first one after the text of an earlier turn. */
	let isResumed = false;
	let pager: (Pager & {readonly key: string; readonly turn: Turn}) | undefined;
	/** The last scrolled popup, and its first shown row. */
	let scrolled: {readonly popup: Popup | undefined; readonly top: number} | undefined;
	let highlight: MarkdownOptions['highlight'];
	/** The numbering of code blocks and links in the past turn being printed. */
	let notes = createNotes();
	/** Entries waiting for the answer's end rather than interrupting it. */
	let held: readonly TranscriptEntry[] = [];

	const commit = (block: Block, rows: readonly SafeText[]) => {
		if (rows.length === 0) return;
		const all = isApart(lastBlock, block) ? [stripUnsafe(''), ...rows] : rows;
		lastBlock = block;
		for (let from = 0; from < all.length; from += partRows) {
			waiting.push({id: nextId, rows: all.slice(from, from + partRows)});
			nextId += 1;
		}
		items = undefined;
	};
	const render = (entry: TranscriptEntry): readonly SafeText[] => {
		if (entry.type === 'prompt') notes = createNotes();
		if (entry.type === 'answer') notes.startCode(entry.codeBlocksAbove);
		const width = answerWidth(getState());
		return renderEntry(entry, {...options, ...labels, style, highlight, notes, width});
	};
	const printHeld = () => {
		for (const entry of held) commit(blockOf(entry), render(entry));
		held = [];
	};

	/** Returns the last turn's open fold, rendered for this window. */
	const keepPager = (state: ReplState): typeof pager => {
		const {openFold, conversation} = state;
		const turn = conversation.turns.at(-1);
		if (openFold === undefined || state.turn !== undefined || turn === undefined) return undefined;
		const width = reasoningWidth(state);
		const key = `${openFold} ${width}`;
		if (pager?.turn === turn && pager.key === key) return pager;
		const folds = foldsOf(state);
		const fold = folds[openFold];
		if (fold === undefined) return undefined;
		const hasNext = openFold + 1 < folds.length;
		return {...openPager(fold, hasNext, {...options, style, width}), key, turn};
	};
	const topOf = ({popup}: ReplState) => (scrolled?.popup === popup ? (scrolled?.top ?? 0) : 0);
	const scrollHelp = (state: ReplState, command: ListCommand) => {
		const items = rowsOfPopup(state, {style, redact: options.redact});
		const shown = frame.popup.length < items.length ? frame.popup.length - 1 : items.length;
		const {selected: top} = scrollPager({items, selected: topOf(state)}, command, shown);
		scrolled = {popup: state.popup, top};
	};
	const compose = (): Frame => {
		const state = getState();
		const {redact, serviceUrl} = options;
		const {reasoningKey} = labels;
		const shown = {view, style, redact, serviceUrl, reasoningKey, lastBlock};
		if (!isReplState(state)) return composeFrame({state, ...shown});
		pager = keepPager(state);
		const heldNotices = held.filter(isNotice).slice(-shownNotices).flatMap(render);
		return composeFrame({
			state,
			...shown,
			repl: {state, pager, helpTop: topOf(state), heldNotices},
		});
	};
	let frame = compose();
	const draw = () => {
		view?.setWidth(answerWidth(getState()));
		frame = compose();
		snapshot = undefined;
		for (const listener of listeners) listener();
	};
	const queue = createRowQueue({
		hasColor: options.hasColor,
		onLoaded(loaded) {
			highlight = loaded;
			view?.setHighlight(loaded);
		},
		onShown: draw,
	});

	return {
		subscribe(listener) {
			listeners.add(listener);
			return () => void listeners.delete(listener);
		},
		getSnapshot() {
			items ??= [...waiting];
			snapshot ??= {items, frame};
			return snapshot;
		},
		releaseItems(written) {
			const last = written.at(-1)?.id ?? -1;
			waiting = waiting.filter(({id}) => id > last);
		},
		firstWaiting: () => nextId - waiting.length,
		begin() {
			const state = getState();
			const {codeBlocksAbove} = numbersOf(isReplState(state) ? state.shown : []);
			const resumed = resumedText(state.conversation);
			if (resumed !== '') queue.expect(() => resumed);
			queue.add(() => {
				const {hasColor, hasLinks} = options;
				const {codeLabel} = labels;
				const width = answerWidth(getState());
				view = createTurnView({codeBlocksAbove, width, hasColor, hasLinks, codeLabel, highlight});
				// The scrollback has a resumed answer, which may have ended within a paragraph or a block.
				if (resumed !== '') view.push([{type: 'text-delta', text: resumed}]);
				isResumed = resumed !== '';
			});
		},
		print(entry, cause) {
			const state = getState();
			if (entry.type === 'answer') queue.expect(() => entry.text);
			queue.add(() => {
				if (view !== undefined && isHeld(entry, state, cause)) {
					held = [...held, entry];
					return;
				}
				if (belongsToQuestion(entry)) commit('answer', view?.end() ?? []);
				if (entry.type === 'prompt') printHeld();
				commit(blockOf(entry), render(entry));
			});
		},
		push(events) {
			queue.expect(() => textOfAnswer(events));
			queue.add(() => {
				const rows = view?.push(events) ?? [];
				// The gap below the paragraph above was written with that paragraph.
				const isGap = isResumed && rows[0] === '';
				if (rows.length > 0) isResumed = false;
				commit('answer', isGap ? rows.slice(1) : rows);
				if (events.some(({type}) => type === 'turn-end' || type === 'error')) view = undefined;
			});
		},
		live(cause) {
			queue.add(() => {
				if (view === undefined) printHeld();
			});
			// A frame without the waiting rows would show a turn answering without text.
			if (cause?.type !== 'events' || !queue.isWaiting()) draw();
		},
		perform(effect) {
			if (effect.type !== 'scroll') return;
			const state = getState();
			if (isReplState(state) && state.popup !== undefined) scrollHelp(state, effect.command);
			if (pager === undefined) return;
			const shown = frame.turn.pane?.rows.length ?? 1;
			pager = scrollPager(pager, effect.command, shown);
		},
		settled: queue.settled,
	};
}

/** Whether an entry waits for the answer's end. */
function isHeld(entry: TranscriptEntry, {turn}: AnswerState, cause: Action | undefined): boolean {
	if (cause?.type !== 'events') return !belongsToQuestion(entry);
	return turn !== undefined && turn.answerLength > 0 && isNotice(entry);
}

/** Whether an entry is about a question, keeping the text before it above it. */
function belongsToQuestion({type}: TranscriptEntry): boolean {
	return type === 'question' || type === 'answered';
}

function isNotice({type}: TranscriptEntry): boolean {
	return type === 'notice' || type === 'error';
}
