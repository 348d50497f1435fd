/**
 * Parses the blocks of an answer while it arrives. A block is final when another block follows, or
 * a blank line that ends its kind; a list item when another item follows.
 *
 * A block looks the same whenever it is emitted, so the unfinished source is lexed again only as
 * often as the budget allows.
 */

import {
	type Placed,
	type Position,
	placeBlocks,
	placeGap,
	placeItems,
	placeRows,
	topPosition,
} from '../render/blocks.ts';
import {type Fence, readFence, renderOpening} from '../render/code.ts';
import type {Row} from '../render/span.ts';
import {createTablePreview} from '../render/table.ts';
import type {BlockParser, ParseStep, Stream} from './block-parser.ts';
import {createDefinitions, type Lexed, lexBlocks, maxMathBlock} from './lexer.ts';
import {createLexingBudget, limitColumns, limitNesting, maxBlockLength} from './limit-input.ts';
import {createOpenCode} from './open-code.ts';
import {createOpenParagraph} from './open-paragraph.ts';
import {previewBlocks} from './preview.ts';
import {type BlockToken, sourceLength} from './tokens.ts';

/** A longer line is read as several lines, except in code and paragraphs. */
const maxLineLength = 4_096;
/** A paragraph of more rows is emitted row by row. */
const maxHeldRows = 8;

/** Blocks that a blank line always ends. */
const endsAtBlankLine: ReadonlySet<string> = new Set([
	'paragraph',
	'heading',
	'hr',
	'table',
	'blockquote',
	'math',
]);

export function createOpenBlocks(stream: Stream): BlockParser {
	/** The unfinished source, and the start of its last line. */
	let pending = '';
	let lineStart = 0;
	let position: Position = topPosition;
	let previewTable = createTablePreview();
	const budget = createLexingBudget();
	/** An open formula in lines of its own, which may look like other blocks. */
	let formula: {readonly from: number; readonly close: string} | undefined;
	/** Whether the last lexing found nothing final. */
	let isStuck = false;

	const lexPending = (): Lexed => {
		budget.spend(pending.length);
		return lexBlocks(pending, stream.definitions);
	};
	const take = (placed: Placed, length: number): readonly Row[] => {
		position = placed.position;
		if (length > 0) previewTable = createTablePreview();
		pending = pending.slice(length);
		lineStart = Math.max(0, lineStart - length);
		if (formula !== undefined) formula = {...formula, from: formula.from - length};
		return placed.rows;
	};
	const takeBlocks = (blocks: readonly BlockToken[], lexed: Lexed): readonly Row[] =>
		take(placeBlocks(blocks, lexed, position, stream.options), sourceLength(blocks));
	const takeItems = (last: BlockToken, lexed: Lexed): readonly Row[] => {
		if (last.type !== 'list') return [];
		const list = {...last, items: last.items.slice(0, -1)};
		return take(placeItems(list, lexed, position, stream.options), sourceLength(list.items));
	};

	const isLong = (block: BlockToken | undefined) =>
		block?.type === 'paragraph' && block.raw.length >= maxHeldRows * stream.options.width;

	const openParagraph = (rows: readonly Row[]): ParseStep => {
		const rest = pending;
		const gap = take(placeGap(position), pending.length);
		return {rows: [...rows, ...gap], opened: createOpenParagraph(stream), rest};
	};
	const openCode = (fence: Fence, rows: readonly Row[]): ParseStep => {
		const rest = pending.slice(pending.indexOf('\n') + 1);
		const opening = placeRows(renderOpening(fence, stream.options), position);
		const taken = take(opening, pending.length);
		return {rows: [...rows, ...taken], opened: createOpenCode(fence, stream), rest};
	};

	/** Emits the final blocks; one that may grow without end gets a parser of its own. */
	const emitFinal = (lexed: Lexed): ParseStep => {
		const {blocks} = lexed;
		const lengthBefore = pending.length;
		const lastIndex = blocks.findLastIndex((block) => block.type !== 'space');
		const last = blocks[lastIndex];
		const isClosed = lastIndex < blocks.length - 1 && endsAtBlankLine.has(last?.type ?? '');
		if (last === undefined || isClosed) return {rows: takeBlocks(blocks, lexed)};
		const rows = [...takeBlocks(blocks.slice(0, lastIndex), lexed), ...takeItems(last, lexed)];
		isStuck = pending.length === lengthBefore;
		if (isLong(last)) return openParagraph(rows);
		const fence = last.type === 'code' ? readFence(last.raw) : undefined;
		return fence === undefined ? {rows} : openCode(fence, rows);
	};

	/** Ends a block that has reached its maximum length. */
	const breakOff = (): ParseStep => {
		const header = /^[^\n]*\n[^\n]*\n/.exec(pending)?.[0] ?? '';
		const lexed = lexPending();
		const rows = takeBlocks(lexed.blocks, lexed);
		const isTable = lexed.blocks.length === 1 && lexed.blocks[0]?.type === 'table';
		pending = isTable ? header : '';
		lineStart = pending.length;
		return {rows};
	};

	const followFormula = (line: string) => {
		if (formula === undefined) {
			const [, open, rest = ''] = /^ {0,3}(\$\$|\\\[)(.*)/.exec(line) ?? [];
			const close = open === '$$' ? '$$' : '\\]';
			if (open !== undefined && !rest.includes(close)) formula = {from: lineStart, close};
		} else if (line.trim() === '' || line.includes(formula.close)) formula = undefined;
		else if (pending.length - formula.from > maxMathBlock) formula = undefined;
	};

	const endLine = (): ParseStep => {
		const above = pending.slice(0, lineStart);
		const line = pending.slice(lineStart);
		// After a blank line, text without a mark or indentation ends any block above.
		const endsAbove = /\n[ \t]*\n$/.test(above) && /^[^\s>|*+\-\d]/.test(line);
		followFormula(line);
		pending = above + limitColumns(line);
		lineStart = pending.length;
		if (pending.length > maxBlockLength) return breakOff();
		if (formula !== undefined) return {rows: []};
		const mayLex = budget.covers(pending.length) || (endsAbove && !isStuck);
		return mayLex ? emitFinal(lexPending()) : {rows: []};
	};

	/** Emits a long line early if it is a paragraph. */
	const readLongLine = (): ParseStep => {
		const mayBeLong = pending.length >= maxHeldRows * stream.options.width;
		if (!mayBeLong || !budget.covers(pending.length)) return {rows: []};
		budget.spend(pending.length);
		const definitions = createDefinitions(stream.definitions);
		const lexed = lexBlocks(pending, definitions);
		if (!isLong(lexed.blocks.at(-1))) return {rows: []};
		Object.assign(stream.definitions, definitions);
		return emitFinal(lexed);
	};

	return {
		add(piece) {
			pending = pending.slice(0, lineStart) + limitNesting(pending.slice(lineStart) + piece);
			budget.earn(piece.length);
			if (piece.endsWith('\n')) return endLine();
			if (pending.length - lineStart < maxLineLength) return readLongLine();
			pending += '\n';
			return endLine();
		},
		end() {
			const lexed = lexPending();
			return {rows: takeBlocks(lexed.blocks, lexed)};
		},
		preview(partial, maxRows) {
			const line = limitNesting(pending.slice(lineStart) + partial);
			const source = pending.slice(0, lineStart) + line;
			const formulaFrom = formula?.from;
			return previewBlocks(source, stream, {position, previewTable, formulaFrom, maxRows});
		},
	};
}
