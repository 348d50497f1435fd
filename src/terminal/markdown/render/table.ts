/**
 * Fits tables to the width: the widest column shrinks first, and cells wrap. A table leaving fewer
 * than four cells per column is shown as `Header: value` lines. An unfinished one keeps its header
 * and its last rows in sight.
 */
import {plural} from '../../../wording.ts';
import type {Row, Span} from './span.ts';
import {quiet, rowWidth} from './span.ts';
import {wrap} from './wrap.ts';

type Alignment = 'left' | 'right' | 'center' | null;

export type TableContent = {
	readonly header: readonly Cell[];
	readonly rows: ReadonlyArray<readonly Cell[]>;
	readonly alignments: readonly Alignment[];
};

/**
 * Styled text; a `
 * ` in it is a line break.
 */
type Cell = readonly Span[];

const minColumnWidth = 4;
const separator = quiet(' │ ');
const separatorWidth = 3;

export function renderTable(table: TableContent, width: number): readonly Row[] {
	const widths = fitColumns(naturalWidths(table), width);
	if (widths === undefined) return renderRecords(table, width);
	return [...renderHead(table, widths), ...renderBodies(table, widths).flat()];
}

type TablePreview = {
	/** The table's rows above those given. */
	readonly rowsAbove: number;
	readonly width: number;
	readonly maxRows: number;
};

/** Returns a renderer for one unfinished table, whose columns never get narrower. */
export function createTablePreview() {
	let widest: readonly number[] = [];
	return (table: TableContent, {rowsAbove, width, maxRows}: TablePreview): readonly Row[] => {
		const natural = naturalWidths(table);
		widest = natural.map((cells, column) => Math.max(cells, widest[column] ?? 0));
		const widths = fitColumns(widest, width);
		if (widths === undefined) return renderRecords(table, width).slice(-maxRows);
		const head = renderHead(table, widths);
		const bodies = renderBodies(table, widths);
		const room = maxRows - head.length - 1;
		const last = bodies.at(-1) ?? [];
		if (room < last.length) return [...head, ...last].slice(-maxRows);
		const first = findFirstShown(bodies, room);
		const hidden = rowsAbove + first;
		const count = wrap(
			[{text: `… ${plural(hidden, 'row')} above`, styles: ['italic']}],
			width,
		).slice(0, 1);
		return [...head, ...(hidden === 0 ? [] : count), ...bodies.slice(first).flat()];
	};
}

/** Returns the first body fitting the room together with the following ones. */
function findFirstShown(bodies: ReadonlyArray<readonly Row[]>, room: number): number {
	let first = bodies.length;
	let left = room;
	for (const rows of bodies.toReversed()) {
		left -= rows.length;
		if (left < 0) break;
		first -= 1;
	}
	return first;
}

/** Returns the column widths, undefined if they would be too narrow. */
function fitColumns(natural: readonly number[], width: number): readonly number[] | undefined {
	const columns = natural.length;
	const available = width - separatorWidth * (columns - 1);
	const total = natural.reduce((sum, cells) => sum + cells, 0);
	const fits = total <= available || available >= columns * minColumnWidth;
	return fits ? shrink(natural, available) : undefined;
}

function naturalWidths({header, rows}: TableContent): readonly number[] {
	const widths = header.map(() => 1);
	for (const cells of [header, ...rows]) {
		for (const [index, cell] of cells.entries()) {
			for (const line of wrap(cell, Number.POSITIVE_INFINITY)) {
				widths[index] = Math.max(widths[index] ?? 1, rowWidth(line));
			}
		}
	}
	return widths;
}

/** Shrinks the widest columns until all fit, none below the minimum. */
function shrink(natural: readonly number[], available: number): readonly number[] {
	const widths = [...natural];
	let excess = widths.reduce((sum, cells) => sum + cells, 0) - available;
	while (excess > 0) {
		const widest = Math.max(...widths);
		const next = Math.max(minColumnWidth, ...widths.filter((cells) => cells < widest));
		const sharing = widths.flatMap((cells, index) => (cells === widest ? [index] : []));
		const each = Math.max(1, Math.min(widest - next, Math.ceil(excess / sharing.length)));
		for (const index of sharing) {
			const cut = Math.min(each, excess);
			widths[index] = widest - cut;
			excess -= cut;
		}
	}
	return widths;
}

function renderHead(table: TableContent, widths: readonly number[]): readonly Row[] {
	const header = table.header.map(embolden);
	return [...renderCells(header, widths, table.alignments), renderTableRule(widths)];
}

function renderBodies(
	table: TableContent,
	widths: readonly number[],
): ReadonlyArray<readonly Row[]> {
	const bodies = table.rows.map((cells) => renderCells(cells, widths, table.alignments));
	// Otherwise rows with several lines would run into each other.
	const isTall = bodies.some((rows) => rows.length > 1);
	const rule = renderTableRule(widths);
	return bodies.map((rows, index) => (isTall && index > 0 ? [rule, ...rows] : rows));
}

function renderTableRule(widths: readonly number[]): Row {
	return [quiet(widths.map((cells) => '─'.repeat(cells)).join('─┼─'))];
}

function renderCells(
	cells: readonly Cell[],
	widths: readonly number[],
	alignments: readonly Alignment[],
): readonly Row[] {
	const columns = widths.map((width, index) => wrap(cells[index] ?? [], width));
	const height = Math.max(1, ...columns.map((rows) => rows.length));
	return Array.from({length: height}, (_, line) =>
		columns.flatMap((rows, index) => {
			const cell = align(rows[line] ?? [], widths[index] ?? 0, alignments[index] ?? null);
			return index === 0 ? cell : [separator, ...cell];
		}),
	);
}

function align(row: Row, width: number, alignment: Alignment): Row {
	const gap = Math.max(0, width - rowWidth(row));
	const shares = {left: 0, center: Math.floor(gap / 2), right: gap};
	const before = shares[alignment ?? 'left'];
	return [space(before), ...row, space(gap - before)];
}

function space(cells: number): Span {
	return {text: ' '.repeat(cells), styles: []};
}

function embolden(cell: Cell): Cell {
	return cell.map((span) => ({...span, styles: [...span.styles, 'bold']}));
}

function renderRecords({header, rows}: TableContent, width: number): readonly Row[] {
	if (rows.length === 0) return header.flatMap((cell) => wrap(embolden(cell), width));
	return rows.flatMap((cells, index) => {
		const lines = header.flatMap((name, column) => {
			const value = cells[column] ?? [];
			return wrap([...embolden(name), {text: ': ', styles: ['bold']}, ...value], width);
		});
		return index === 0 ? lines : [[], ...lines];
	});
}
