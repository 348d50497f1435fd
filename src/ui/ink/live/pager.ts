/** Holds an open fold as a list of rows, of which the first one shown is selected. */
import {reasoningOf} from '../../../chat/conversation.ts';
import type {ListCommand} from '../../../repl/keys/key-bindings.ts';
import {moveIn, windowFrom} from '../../../repl/list/list.ts';
import type {FoldedPart} from '../../../repl/turn/reduce-folds.ts';
import {type MarkdownOptions, renderMarkdown} from '../../../terminal/markdown/stream/streamer.ts';
import {formatSpan} from '../../../wording.ts';
import {type EntryOptions, renderPlainEntry} from '../transcript/render-entry.ts';
import type {Pager} from './frame-input.ts';

export function openPager(
	fold: FoldedPart,
	hasNext: boolean,
	options: MarkdownOptions & EntryOptions,
): Pager {
	if (fold.type === 'tool') {
		const items = renderPlainEntry({...fold, isWhole: true}, options);
		return {title: `▾ /tool ${fold.number}`, hasNext, items, selected: 0};
	}
	const {turn} = fold;
	const items = renderMarkdown(reasoningOf(turn).trim(), {...options, styles: ['quiet']});
	const title = `▾ Thought for ${formatSpan(turn.times.reasoningMs)}`;
	return {title, hasNext, items, selected: 0};
}

/** @param shown the rows that fit */
export function scrollPager(pager: Pager, command: ListCommand, shown: number): Pager {
	const {selected = 0} = moveIn(pager, command, {pageRows: Math.max(1, shown - 1)});
	return {...pager, selected: windowFrom(selected, pager.items.length, shown).start};
}
