/**
 * Renders block tokens as rows, one below another as they become final: each step takes a position
 * and returns the next. Rows never exceed the width. Answer text gets no indentation, padding or
 * frame, only list and quote marks; code in a list gets not even these, for clean copying.
 */
import type {Token, Tokens} from 'marked';
import {stripUnsafe} from '../../safe-text.ts';
import type {Style} from '../../theme.ts';
import {textWidth} from '../../width.ts';
import {showData} from '../stream/data-address.ts';
import {readFence} from '../stream/fence.ts';
import type {Lexed} from '../stream/lexer.ts';
import {asBlocks, type BlockToken} from '../stream/tokens.ts';
import {type CodeOptions, renderCode, showCodeLine} from './code.ts';
import {type InlineOptions, renderInline} from './inline.ts';
import {plain, quiet, type Row, type Span} from './span.ts';
import {renderTable, type TableContent} from './table.ts';
import {layProse, wrap, wrapCode} from './wrap.ts';

export type BlockOptions = InlineOptions &
	CodeOptions & {
		/** Inside a list item, the cells in a row outside all items. */
		readonly outerWidth?: number | undefined;
	};

/** Wider rules touch the edge and leave traces when the terminal gets narrower. */
const maxRuleWidth = 40;
/** A container leaving fewer cells for its text goes unmarked. */
const minInnerWidth = 10;

const bar = quiet('│ ');

/** Weights tell headings apart, because colours belong to code. */
const headingStyles: ReadonlyArray<readonly Style[]> = [['bold', 'underline'], ['bold']];
const deepStyles: readonly Style[] = ['bold', 'italic'];

export type Position = {
	readonly isTop: boolean;
	/** In a list, whether a blank line follows the item above. */
	readonly isLoose: boolean | undefined;
	/** Whether a link definition is above; others follow it without a gap. */
	readonly isBelowDefinition?: boolean;
};

export type Placed = {readonly rows: readonly Row[]; readonly position: Position};

export const topPosition: Position = {isTop: true, isLoose: undefined};
export const belowBlock: Position = {isTop: false, isLoose: undefined};

/** Places the gap above a block whose rows follow later. */
export function placeGap({isTop}: Position): Placed {
	return {rows: isTop ? [] : [[]], position: belowBlock};
}

/** Places a whole block's rows, if any. */
export function placeRows(rows: readonly Row[], position: Position): Placed {
	if (rows.length === 0) return {rows, position};
	return {rows: [...placeGap(position).rows, ...rows], position: belowBlock};
}

/** Places items from a list that may go on. */
export function placeItems(
	list: Tokens.List,
	lexed: Lexed,
	position: Position,
	options: BlockOptions,
): Placed {
	let {isTop, isLoose} = position;
	const rows = list.items.flatMap((item, index) => {
		const number = list.ordered ? Number(list.start) + index : undefined;
		const hasGap = isLoose ?? !isTop;
		isTop = false;
		isLoose = endsLoose(item);
		const itemRows = renderItem(item, number, lexed, options);
		return hasGap ? [[], ...itemRows] : itemRows;
	});
	return {rows, position: {isTop, isLoose}};
}

/** Places whole blocks. */
export function placeBlocks(
	blocks: readonly BlockToken[],
	lexed: Lexed,
	position: Position,
	options: BlockOptions,
): Placed {
	let next = position;
	const rows = blocks.flatMap((block) => {
		const placed = placeBlock(block, lexed, next, options);
		next = placed.position;
		return placed.rows;
	});
	return {rows, position: next};
}

export function placeBlock(
	block: BlockToken,
	lexed: Lexed,
	position: Position,
	options: BlockOptions,
): Placed {
	if (block.type === 'def') {
		const rows = renderBlock(block, lexed, options);
		if (rows.length === 0) return {rows, position};
		const placed = position.isBelowDefinition ? {rows} : placeRows(rows, position);
		return {rows: placed.rows, position: {...belowBlock, isBelowDefinition: true}};
	}
	if (block.type !== 'list') return placeRows(renderBlock(block, lexed, options), position);
	return {...placeItems(block, lexed, position, options), position: belowBlock};
}

/** Returns a block's rows; none for a hidden one, such as a definition whose links follow it. */
function renderBlock(token: BlockToken, lexed: Lexed, options: BlockOptions): readonly Row[] {
	const {width} = options;
	const inline = (tokens: Token[], ...styles: readonly Style[]) =>
		renderInline(lexed.inline(tokens), options, styles);
	switch (token.type) {
		case 'space':
		case 'checkbox':
			return [];
		case 'def':
			return options.notes.hasBrackets(token.tag)
				? layProse([plain(stripUnsafe(showData(token.raw.trim())))], options)
				: [];
		case 'heading':
			return layProse(
				inline(token.tokens, ...(headingStyles[token.depth - 1] ?? deepStyles)),
				options,
			);
		case 'code':
			return renderCode(token.text, readFence(token.raw), options);
		case 'hr':
			return [[quiet('─'.repeat(Math.min(width, maxRuleWidth)))]];
		case 'blockquote':
			return indent(bar, bar, width, (inner) => {
				const cut = {width: inner, outerWidth: undefined, hasLongRows: false};
				const innerOptions = {...options, ...cut};
				return placeBlocks(asBlocks(token.tokens), lexed, topPosition, innerOptions).rows;
			});
		case 'list':
			return placeItems(token, lexed, topPosition, options).rows;
		case 'table':
			return renderTable(readTable(token, lexed, options), width);
		case 'html':
			return showData(token.text)
				.trimEnd()
				.split('\n')
				.flatMap((line) => wrapCode([quiet(showCodeLine(line))], width));
		case 'paragraph':
		case 'text':
			return layProse(inline(token.tokens), options);
		default:
			return renderUnknown(token, width);
	}
}

function renderUnknown(token: never, width: number): readonly Row[] {
	return wrap([plain(stripUnsafe((token as Token).raw))], width);
}

/** Returns a table's styled cells. */
export function readTable(
	{header, rows, align}: Tokens.Table,
	lexed: Lexed,
	options: InlineOptions,
): TableContent {
	const read = ({tokens}: Tokens.TableCell) => renderInline(lexed.inline(tokens), options);
	return {
		header: header.map(read),
		rows: rows.map((cells) => cells.map(read)),
		alignments: align,
	};
}

/** Whether a blank line follows an item other than the last. */
function endsLoose(item: Tokens.ListItem): boolean {
	return /\n[ \t]*\n[ \t]*$/.test(item.raw);
}

function renderItem(
	item: Tokens.ListItem,
	number: number | undefined,
	lexed: Lexed,
	options: BlockOptions,
): readonly Row[] {
	const box = item.task ? `${showBox(item.checked)} ` : '';
	const bullet = options.outerWidth === undefined ? '• ' : '◦ ';
	const marker = number === undefined ? box || bullet : `${number}. ${box}`;
	const indentation = plain(' '.repeat(textWidth(marker)));
	return indent(plain(marker), indentation, options.width, (width) => {
		const outerWidth = options.outerWidth ?? options.width;
		const rows = renderItemBlocks(asBlocks(item.tokens), lexed, {...options, width, outerWidth});
		return rows[0] === undefined || isFlush(rows[0]) ? [[], ...rows] : rows;
	});
}

function showBox(isChecked = false): string {
	return isChecked ? '☑' : '☐';
}

function renderItemBlocks(
	tokens: readonly BlockToken[],
	lexed: Lexed,
	options: BlockOptions,
): readonly Row[] {
	return tokens.flatMap((token, index) => {
		const {outerWidth: width = options.width} = options;
		const rows =
			token.type === 'code'
				? renderBlock(token, lexed, {...options, width}).map(makeFlush)
				: renderBlock(token, lexed, options);
		const isLoose = tokens[index - 1]?.type === 'space' && index > 1 && rows.length > 0;
		return isLoose ? [[], ...rows] : rows;
	});
}

/** Puts one mark before the first row and another before the rest, if there is room. */
function indent(
	first: Span,
	others: Span,
	width: number,
	render: (innerWidth: number) => readonly Row[],
): readonly Row[] {
	const innerWidth = width - textWidth(first.text);
	if (innerWidth >= minInnerWidth) {
		return render(innerWidth).map((row, index) => {
			if (isFlush(row) && first !== others) return row;
			return [index === 0 ? first : others, ...row];
		});
	}
	return first === others ? render(width) : [...wrap([first], width), ...render(width)];
}

function makeFlush(row: Row): Row {
	return row.map((span) => ({...span, isFlush: true}));
}

function isFlush(row: Row): boolean {
	return row[0]?.isFlush === true;
}
