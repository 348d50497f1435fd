/** Finished rows in React. */
import {isDeepStrictEqual} from 'node:util';
import {Text} from 'ink';
import {memo} from 'react';
import type {Rows} from './live/frame-input.ts';

/** Shows rows, one below another, as a single text: a component per row would cost more. */
export const Lines = memo(function Lines({rows}: {readonly rows: Rows}) {
	return rows.length === 0 ? null : <Text wrap="truncate">{textOfRows(rows)}</Text>;
}, isDeepStrictEqual);

/** The role `quiet`, for box borders. */
export const quietBorder = {borderDimColor: true} as const;

/** Ink gives an empty text no row. */
export function textOfRows(rows: Rows): string {
	return rows.join('\n') || ' ';
}
