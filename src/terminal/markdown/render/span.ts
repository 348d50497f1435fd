/**
 * Styled text as plain characters with their styles. Escape sequences are added only by
 * `createRowWriter`, which sanitises each piece as the last step.
 */
import {joinSafe, type SafeText, safe, stripUnsafe} from '../../safe-text.ts';
import {createStyler} from '../../style.ts';
import type {Style} from '../../theme.ts';
import {textWidth} from '../../width.ts';

export type Span = {
	readonly text: string;
	readonly styles: readonly Style[];
	/** A click's target, allowed by `describeLink`. */
	readonly link?: string | undefined;
	/** Starts a row without indentation from the items around it. */
	readonly isFlush?: boolean;
};

/** A screen row without its line break. */
export type Row = readonly Span[];

export const noStyles: readonly Style[] = [];

export function plain(text: string): Span {
	return {text, styles: noStyles};
}

export function quiet(text: string): Span {
	return {text, styles: ['quiet']};
}

export function textOf(spans: readonly Span[]): string {
	return spans.map((span) => span.text).join('');
}

export function rowWidth(row: Row): number {
	return row.reduce((width, span) => width + textWidth(span.text), 0);
}

export type RowOptions = {
	readonly hasColor: boolean;
	/** A whole document's styles, such as dim reasoning. */
	readonly styles?: readonly Style[] | undefined;
};

/** Writes rows as text: no trailing spaces, every style and link closed where its row ends. */
export function createRowWriter({hasColor, styles = noStyles}: RowOptions): (row: Row) => SafeText {
	const style = createStyler({hasColor});
	return (row) => {
		const parts = trimEnd(row).map((span) => {
			const text = style(stripUnsafe(span.text), ...styles, ...span.styles);
			if (span.link === undefined) return text;
			return safe`\x1b]8;;${stripUnsafe(span.link)}\x07${text}\x1b]8;;\x07`;
		});
		return joinSafe(...parts);
	};
}

function trimEnd(row: Row): Row {
	const spans = [...row];
	for (let last = spans.pop(); last !== undefined; last = spans.pop()) {
		const text = last.text.trimEnd();
		if (text !== '') return [...spans, {...last, text}];
	}
	return spans;
}
