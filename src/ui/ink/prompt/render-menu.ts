/** Renders the menu below the prompt: names with their matched letters, and what they mean. */

import {menuRows} from '../../../repl/geometry.ts';
import {windowOf} from '../../../repl/list/list.ts';
import {labelOf} from '../../../repl/list/menu.ts';
import {openMenuOf} from '../../../repl/list/reduce-menu.ts';
import type {ReplState} from '../../../repl/state.ts';
import {joinSafe, type SafeText, stripUnsafe} from '../../../terminal/safe-text.ts';
import type {Styler} from '../../../terminal/style.ts';
import {textWidth, truncateToWidth} from '../../../terminal/width.ts';
import type {Rows} from '../live/frame-input.ts';
import {fitCells, fitLine} from '../wrap-text.ts';

/** Returns at most `room` rows around the selected one. */
export function renderMenu(state: ReplState, style: Styler, room: number): Rows {
	const menu = openMenuOf(state);
	if (menu === undefined || room < 1) return [];
	const shown = windowOf(menu, Math.min(menuRows(state), room));
	const hasMeanings = shown.some(({item: {item}}) => (item.meaning ?? '') !== '');
	const width = state.columns - 1;
	const widest = Math.max(...shown.map(({item: {item}}) => textWidth(oneLine(labelOf(item)))));
	const nameWidth = Math.min(widest, hasMeanings ? Math.floor(width * 0.6) : width - 2);
	const left = width - nameWidth - 4;
	return shown.map(({item: {item, places}, mark, isSelected}) => {
		const label = truncateToWidth(oneLine(labelOf(item)), nameWidth);
		const name = underline(label, places, style);
		const row = joinSafe(stripUnsafe(mark), isSelected ? style(name, 'bold') : name);
		if (left < leastMeaning) return row;
		const gap = stripUnsafe(' '.repeat(Math.max(0, nameWidth - textWidth(label)) + 2));
		return joinSafe(row, gap, style(fitLine(item.meaning ?? '', left), 'hint'));
	});
}

/** The fewest cells for a meaning beside its name. */
const leastMeaning = 8;

/** Underlines the matched letters. */
function underline(label: string, places: readonly number[], style: Styler): SafeText {
	const pieces: SafeText[] = [];
	let end = 0;
	for (const place of places.filter((found) => found < label.length)) {
		pieces.push(
			fitCells(label.slice(end, place)),
			style(fitCells(label.charAt(place)), 'underline'),
		);
		end = place + 1;
	}
	return joinSafe(...pieces, fitCells(label.slice(end)));
}

/** Keeps the length. */
function oneLine(text: string): string {
	return text.replace(/\s/g, ' ');
}
