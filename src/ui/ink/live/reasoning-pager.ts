/** Holds the reasoning of a past turn as rows, and the place to which it is scrolled. */
import {reasoningOf, type Turn} from '../../../chat/conversation.ts';
import type {ScrollStep} from '../../../repl/action.ts';
import {windowFrom} from '../../../repl/list/list.ts';
import {type MarkdownOptions, renderMarkdown} from '../../../terminal/markdown/stream/streamer.ts';
import type {SafeText} from '../../../terminal/safe-text.ts';

export type ReasoningPager = {
	readonly turn: Turn;
	readonly width: number;
	readonly rows: readonly SafeText[];
	/** The first row to show, if as many rows fit below it. */
	readonly top: number;
};

export function openPager(turn: Turn, options: MarkdownOptions): ReasoningPager {
	const rows = renderMarkdown(reasoningOf(turn).trim(), {...options, styles: ['quiet']});
	return {turn, width: options.width, rows, top: 0};
}

/** @param shown the rows that fit */
export function scrollPager(
	pager: ReasoningPager,
	step: ScrollStep,
	shown: number,
): ReasoningPager {
	const moves: Readonly<Record<ScrollStep, number>> = {
		up: -1,
		down: 1,
		'page-up': -Math.max(1, shown - 1),
		'page-down': Math.max(1, shown - 1),
	};
	return {...pager, top: windowFrom(pager.top + moves[step], pager.rows.length, shown).start};
}
