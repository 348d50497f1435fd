/**
 * Fits tables to the width: the widest column shrinks first, and cells are wrapped. A table that
 * would leave fewer than four cells for a column is shown as `Header: value` lines.
 */
import type {Row, Span} from './span.ts';
import {dim, rowWidth} from './span.ts';
import {wrap} from './wrap.ts';

type Alignment = 'left' | 'right' | 'center' | null;

type TableContent = {
	readonly header: readonly Cell[];
	readonly rows: ReadonlyArray<readonly Cell[]>;
	readonly alignments: readonly Alignment[];
};

/** Styled text; a `\n` in it is a line break. */
type Cell = readonly Span[];

const minColumnWidth = 4;
const separator = dim(' │ ');
const separatorWidth = 3;

export function renderTable(table: TableContent, width: number): readonly Row[] {
	const columns = table.header.length;
	const available = width - separatorWidth * (columns - 1);
	const natural = naturalWidths(table);
	const total = natural.reduce((sum, cells) => sum + cells, 0);
	if (total > available && available < columns * minColumnWidth) return renderRecords(table, width);
	return renderGrid(table, shrink(natural, available));
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

function renderGrid(table: TableContent, widths: readonly number[]): readonly Row[] {
	const header = table.header.map(embolden);
	const bodies = table.rows.map((cells) => renderCells(cells, widths, table.alignments));
	// Otherwise rows of several lines would run into each other.
	const isTall = bodies.some((rows) => rows.length > 1);
	const rule = [dim(widths.map((cells) => '─'.repeat(cells)).join('─┼─'))];
	return [
		...renderCells(header, widths, table.alignments),
		rule,
		...bodies.flatMap((rows, index) => (isTall && index > 0 ? [rule, ...rows] : rows)),
	];
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
