/** Holds the reasoning of a past turn as a list of rows, of which the first one shown is selected. */
import {reasoningOf, type Turn} from '../../../chat/conversation.ts';
import type {ListCommand} from '../../../repl/keys/key-bindings.ts';
import {type List, moveIn, windowFrom} from '../../../repl/list/list.ts';
import {type MarkdownOptions, renderMarkdown} from '../../../terminal/markdown/stream/streamer.ts';
import type {SafeText} from '../../../terminal/safe-text.ts';

export type ReasoningPager = List<SafeText> & {
	readonly turn: Turn;
	readonly width: number;
};

export function openPager(turn: Turn, options: MarkdownOptions): ReasoningPager {
	const items = renderMarkdown(reasoningOf(turn).trim(), {...options, styles: ['quiet']});
	return {turn, width: options.width, items, selected: 0};
}

/** @param shown the rows that fit */
export function scrollPager(
	pager: ReasoningPager,
	command: ListCommand,
	shown: number,
): ReasoningPager {
	const {selected = 0} = moveIn(pager, command, {pageRows: Math.max(1, shown - 1)});
	return {...pager, selected: windowFrom(selected, pager.items.length, shown).start};
}
