/**
 * Renders the unfinished blocks as they look now, at a bounded cost: of long ones only the end is
 * lexed, after the line that defines their kind.
 */
import {readFence} from '../stream/fence.ts';
import {createDefinitions, type Definitions, lexBlocks, lexInline} from '../stream/lexer.ts';
import {limitNesting} from '../stream/limit-input.ts';
import {leadWord, type Rest} from '../stream/split-blocks.ts';
import type {BlockToken} from '../stream/tokens.ts';
import {
	type BlockOptions,
	belowBlock,
	type Placed,
	type Position,
	placeBlock,
	placeBlocks,
	placeGap,
	placeRows,
	readTable,
} from './blocks.ts';
import {renderOpening} from './code.ts';
import {renderInline} from './inline.ts';
import {plain, type Row} from './span.ts';
import type {createTablePreview} from './table.ts';
import {wrap} from './wrap.ts';

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
	/** The last row of the paragraph in which the rest begins. */
	readonly openRow: Row;
	readonly previewTable: ReturnType<typeof createTablePreview>;
	readonly maxRows: number;
	readonly definitions: Definitions;
	/** The options for text that is not final. */
	readonly options: BlockOptions;
};

export function previewBlocks(rest: Rest, preview: PreviewOptions): readonly Row[] {
	const {source, formulaFrom} = rest;
	if (formulaFrom === undefined) return previewWhole(rest, preview);
	const above = previewWhole({...rest, source: source.slice(0, formulaFrom)}, preview);
	// A formula is shown as typed until it ends.
	const formula = wrap([plain(source.slice(formulaFrom).trim())], preview.options.width);
	const place = above.length === 0 ? preview.position : belowBlock;
	return [...above, ...placeRows(formula, place).rows].slice(-preview.maxRows);
}

function previewWhole(
	{source, isText, nextItem}: Rest,
	{position, openRow, previewTable, maxRows, definitions, options}: PreviewOptions,
): readonly Row[] {
	const shown = abridge(source.replace(undecidedLine, '$1'));
	const previewText = (text: string) => {
		const spans = renderInline(lexInline(text.trimEnd(), definitions), options);
		return wrap([...openRow, ...spans], options.width);
	};
	if (isText && !shown.includes('\n')) return previewText(shown).slice(-maxRows);
	const lexed = lexBlocks((isText ? leadWord : '') + shown, createDefinitions(definitions));
	const blocks = lexed.blocks.filter(({type}) => type !== 'space');
	const text = isText ? blocks.shift()?.raw.slice(leadWord.length) : undefined;
	const textRows = text === undefined ? [] : previewText(text);
	const last = continueList(blocks.pop(), blocks.length === 0 ? nextItem : undefined);
	if (last === undefined) return textRows.slice(-maxRows);
	const above = placeBlocks(blocks, lexed, isText ? belowBlock : position, options);
	const placeLast = (): Placed => {
		const fence = last.type === 'code' ? readFence(last.raw) : undefined;
		// The line of an opening fence is not complete yet.
		if (fence !== undefined && !last.raw.includes('\n')) {
			return placeRows(renderOpening(fence, options), above.position);
		}
		if (last.type !== 'table') return placeBlock(last, lexed, above.position, options);
		const rowsAbove = countLines(source) - countLines(shown);
		const room = maxRows - placeGap(above.position).rows.length;
		const rows = previewTable(readTable(last, lexed, options), {
			rowsAbove,
			width: options.width,
			maxRows: room,
		});
		return placeRows(rows, above.position);
	};
	return [...textRows, ...above.rows, ...placeLast().rows].slice(-maxRows);
}

function continueList(block: BlockToken | undefined, nextItem = 0): BlockToken | undefined {
	return block?.type === 'list' && nextItem > 0 ? {...block, start: nextItem} : block;
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
	const kept = limitNesting(source.slice(start).replace(/^[\udc00-\udfff]/, ''));
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
