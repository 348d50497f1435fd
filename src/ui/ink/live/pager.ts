/** Holds an open fold as rows, the first one shown being selected. */
import {reasoningOf} from '../../../chat/conversation.ts';
import type {ListCommand} from '../../../repl/keys/key-bindings.ts';
import {type List, moveIn, windowFrom} from '../../../repl/list/list.ts';
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

/**
 * Scrolls rows, the first one shown being selected.
 *
 * @param shown the rows that fit
 */
export function scrollPager<Rows extends List<unknown>>(
	rows: Rows,
	command: ListCommand,
	shown: number,
): Rows & {readonly selected: number} {
	const fit = Math.max(1, shown);
	const {selected = 0} = moveIn(rows, command, {pageRows: Math.max(1, fit - 1)});
	return {...rows, selected: windowFrom(selected, rows.items.length, fit).start};
}
