/**
 * Renders the unfinished blocks as they look now, at a bounded cost: of long ones only the end is
 * lexed, after the line that defines their kind.
 */
import {plural} from '../../wording.ts';
import {previewOptions, type Stream} from './block-parser.ts';
import {type Placed, type Position, placeBlocks, placeRows} from './blocks.ts';
import {readFence, renderOpening} from './code.ts';
import {createDefinitions, type Lexed, lexBlocks} from './lexer.ts';
import {limitNesting} from './limit-input.ts';
import {dim, type Row} from './span.ts';
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

/** @param position the place below the final rows */
export function previewBlocks(
	source: string,
	position: Position,
	stream: Stream,
	maxRows: number,
): readonly Row[] {
	const shown = abridge(source.replace(undecidedLine, '$1'));
	const lexed = lexBlocks(shown, createDefinitions(stream.definitions));
	const last = lexed.blocks.findLast((block) => block.type !== 'space');
	if (last?.type === 'table' && (shown !== source || last.rows.length + 2 > maxRows)) {
		return tableNotice(source, position, stream);
	}
	const {rows} = placePreview(lexed, position, stream);
	return last?.type === 'table' && rows.length > maxRows
		? tableNotice(source, position, stream)
		: rows.slice(-maxRows);
}

function placePreview(lexed: Lexed, position: Position, stream: Stream): Placed {
	const options = previewOptions(stream);
	const last = lexed.blocks.at(-1);
	const fence = last?.type === 'code' ? readFence(last.raw) : undefined;
	if (last === undefined || fence === undefined || last.raw.includes('\n')) {
		return placeBlocks(lexed.blocks, lexed, position, options);
	}
	// The line of an opening fence is not complete yet.
	const above = placeBlocks(lexed.blocks.slice(0, -1), lexed, position, options);
	const opening = placeRows(renderOpening(fence, options), above.position);
	return {...opening, rows: [...above.rows, ...opening.rows]};
}

/** Replaces a table that does not fit, because its columns are known only at its end. */
function tableNotice(source: string, position: Position, {options}: Stream): readonly Row[] {
	const count = Math.max(0, source.trimEnd().split('\n').length - 2);
	const notice = dim(`table, ${plural(count, 'row')}…`);
	return placeRows(wrap([notice], options.width), position).rows;
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
