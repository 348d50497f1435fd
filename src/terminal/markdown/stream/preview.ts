/**
 * Renders the unfinished blocks as they look now, at a bounded cost: of long ones only the end is
 * lexed, after the line that defines their kind.
 */

import {
	belowBlock,
	type Placed,
	type Position,
	placeBlocks,
	placeGap,
	placeRows,
	readTable,
} from '../render/blocks.ts';
import {readFence, renderOpening} from '../render/code.ts';
import {plain, type Row} from '../render/span.ts';
import type {createTablePreview} from '../render/table.ts';
import {wrap} from '../render/wrap.ts';
import {previewOptions, type Stream} from './block-parser.ts';
import {createDefinitions, lexBlocks} from './lexer.ts';
import {limitNesting} from './limit-input.ts';

/** Longest source that is lexed whole. */
const maxSourceLength = 2_400;
/** The length lexed of a longer one. */
const keptLength = 1_600;
const maxHeadLength = 200;

/** A line start that may still become any block; showing it now would flicker. */
const undecidedLine = /(^|\n) {0,3}(?:[-=]{1,2}|[*+>#`~|]{1,2})$/;

const containerStart = /^ {0,3}(?:>|[-*+][ \t]|\d{1,9}[.)][ \t])/;
const fenceLine = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(?:`{3,}|~{3,}).*$/gm;

type PreviewOptions = {
	/** The place below the final rows. */
	readonly position: Position;
	readonly previewTable: ReturnType<typeof createTablePreview>;
	readonly maxRows: number;
};

/** @param formulaFrom the start of a formula that is shown as typed until it ends */
export function previewBlocks(
	source: string,
	stream: Stream,
	{formulaFrom, ...rest}: PreviewOptions & {readonly formulaFrom: number | undefined},
): readonly Row[] {
	const above = previewWhole(source.slice(0, formulaFrom), stream, rest);
	if (formulaFrom === undefined) return above;
	const formula = wrap([plain(source.slice(formulaFrom).trim())], stream.options.width);
	const place = above.length === 0 ? rest.position : belowBlock;
	return [...above, ...placeRows(formula, place).rows].slice(-rest.maxRows);
}

function previewWhole(
	source: string,
	stream: Stream,
	{position, previewTable, maxRows}: PreviewOptions,
): readonly Row[] {
	const shown = abridge(source.replace(undecidedLine, '$1'));
	const lexed = lexBlocks(shown, createDefinitions(stream.definitions));
	const options = previewOptions(stream);
	const lastIndex = lexed.blocks.findLastIndex((block) => block.type !== 'space');
	const last = lexed.blocks[lastIndex];
	if (last === undefined) return [];
	const above = placeBlocks(lexed.blocks.slice(0, lastIndex), lexed, position, options);
	const placeLast = (): Placed => {
		const fence = last.type === 'code' ? readFence(last.raw) : undefined;
		// The line of an opening fence is not complete yet.
		if (fence !== undefined && !last.raw.includes('\n')) {
			return placeRows(renderOpening(fence, options), above.position);
		}
		if (last.type !== 'table') return placeBlocks([last], lexed, above.position, options);
		const rowsAbove = countLines(source) - countLines(shown);
		const room = maxRows - placeGap(above.position).rows.length;
		const rows = previewTable(readTable(last, lexed, options), {
			rowsAbove,
			width: options.width,
			maxRows: room,
		});
		return placeRows(rows, above.position);
	};
	return [...above.rows, ...placeLast().rows].slice(-maxRows);
}

function countLines(text: string): number {
	return text.split('\n').length;
}

/** Returns the end of a long source, with a first line that keeps the kind of block. */
function abridge(source: string): string {
	if (source.length <= maxSourceLength) return source;
	const cut = source.length - keptLength;
	const nextLine = source.indexOf('\n', cut) + 1;
	const start = nextLine === 0 || nextLine > source.length - keptLength / 2 ? cut : nextLine;
	const kept = limitNesting(keepEnd(source, source.length - start));
	const head = readHead(source, start);
	return head === undefined ? kept : `${head}\n${kept}`;
}

function readHead(source: string, end: number): string | undefined {
	const lines = source.slice(0, maxHeadLength).split('\n', 2);
	const [first = '', second = ''] = lines;
	if (/^[\s|:-]*-[\s|:-]*$/.test(second) && second.includes('|')) return lines.join('\n');
	if (!containerStart.test(first)) return undefined;
	const fences = source.slice(first.length, end).match(fenceLine) ?? [];
	if (fences.length % 2 === 0) return first;
	return `${first}\n${fences.at(-1)?.slice(0, maxHeadLength)}`;
}

/** Returns a text, or only its end if it is too long to be lexed whole. */
export function abridgeText(text: string): string {
	return text.length <= maxSourceLength ? text : keepEnd(text, keptLength);
}

function keepEnd(text: string, length: number): string {
	return text.slice(-length).replace(/^[\udc00-\udfff]/, '');
}
