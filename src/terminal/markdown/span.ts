/**
 * Styled text on its way to the screen: plain characters and what they look like, apart. Escape
 * sequences exist only after `createRowWriter`, which sanitises each piece as the last step.
 */
import {joinSafe, type SafeText, safe, stripUnsafe} from '../safe-text.ts';
import {createStyler, type Style} from '../style.ts';
import {textWidth} from '../width.ts';

export type Span = {
	readonly text: string;
	readonly styles: readonly Style[];
	/** Where a click leads; only what `describeLink` allowed. */
	readonly link?: string | undefined;
};

/** One row of the screen, without its line break. */
export type Row = readonly Span[];

export const noStyles: readonly Style[] = [];

export function plain(text: string): Span {
	return {text, styles: noStyles};
}

export function dim(text: string): Span {
	return {text, styles: ['dim']};
}

export function textOf(spans: readonly Span[]): string {
	return spans.map((span) => span.text).join('');
}

export function rowWidth(row: Row): number {
	return row.reduce((width, span) => width + textWidth(span.text), 0);
}

/** Turns rows into text: no trailing spaces, every style and link closed where the row ends. */
export function createRowWriter(hasColor: boolean): (row: Row) => SafeText {
	const style = createStyler({hasColor});
	return (row) => {
		const parts = trimEnd(row).map((span) => {
			const text = style(stripUnsafe(span.text), ...span.styles);
			if (span.link === undefined) return text;
			return safe`\x1b]8;;${stripUnsafe(span.link)}\x07${text}\x1b]8;;\x07`;
		});
		return joinSafe(...parts);
	};
}

function trimEnd(row: Row): Row {
	const spans = mergeNeighbours(row);
	for (let last = spans.pop(); last !== undefined; last = spans.pop()) {
		const text = last.text.trimEnd();
		if (text !== '') return [...spans, {...last, text}];
	}
	return spans;
}

function mergeNeighbours(row: Row): Span[] {
	const merged: Span[] = [];
	for (const span of row) {
		const last = merged.at(-1);
		if (last !== undefined && looksSame(last, span)) {
			merged[merged.length - 1] = {...last, text: last.text + span.text};
		} else {
			merged.push(span);
		}
	}
	return merged;
}

function looksSame(one: Span, other: Span): boolean {
	if (one.link !== other.link) return false;
	if (one.styles === other.styles) return true;
	return one.styles.join() === other.styles.join();
}
