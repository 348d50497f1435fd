/** Finished rows in React. */
import {Text} from 'ink';
import {memo} from 'react';
import type {Rows} from './frame-input.ts';

/**
 * Shows rows, one below the other. All of them are one text: a component a row would cost a Yoga
 * node a row. Renders only if a row has changed, so that a delta renders the answer and no more.
 */
export const Lines = memo(function Lines({rows}: {readonly rows: Rows}) {
	return rows.length === 0 ? null : <Text wrap="truncate">{textOfRows(rows)}</Text>;
}, hasSameRows);

function hasSameRows(before: {readonly rows: Rows}, after: {readonly rows: Rows}): boolean {
	const {rows} = before;
	return rows.length === after.rows.length && rows.every((row, y) => row === after.rows[y]);
}

/** Ink gives an empty text no row. */
export function textOfRows(rows: Rows): string {
	return rows.join('\n') || ' ';
}
