/**
 * Block tokens to rows. A row never exceeds the width; answer text has no indentation, padding or
 * border of ours but the marks of lists and quotes.
 */
import type {Token, Tokens} from 'marked';
import {stripUnsafe} from '../safe-text.ts';
import type {Style} from '../style.ts';
import {textWidth} from '../width.ts';
import {fenceAround, readFence, renderCode, showCodeLine} from './code.ts';
import type {Highlight} from './highlight.ts';
import {type InlineOptions, renderInline, showText} from './inline.ts';
import type {Lexed} from './lexer.ts';
import {dim, plain, type Row, type Span} from './span.ts';
import {renderTable} from './table.ts';
import {asBlocks, type BlockToken} from './tokens.ts';
import {wrap, wrapCode} from './wrap.ts';

export type BlockOptions = InlineOptions & {
	/** Cells of a row. */
	readonly width: number;
	readonly highlight?: Highlight | undefined;
};

/** Wider rules touch the edge and leave traces when a terminal is made narrower. */
const maxRuleWidth = 40;
/** Containers stop being marked when less than this would be left for their text. */
const minInnerWidth = 10;

const bar = dim('│ ');

/** The rows of a block; none for what is not shown, such as a link definition. */
export function renderBlock(
	token: BlockToken,
	lexed: Lexed,
	options: BlockOptions,
): readonly Row[] {
	const {width} = options;
	const inline = (tokens: Token[], ...styles: readonly Style[]) =>
		renderInline(lexed.inline(tokens), options, styles);
	switch (token.type) {
		case 'space':
		case 'def':
			return [];
		case 'heading': {
			const styles: readonly Style[] = ['bold', 'magenta'];
			const marks = {text: `${'#'.repeat(token.depth)} `, styles};
			return wrap([marks, ...inline(token.tokens, ...styles)], width);
		}
		case 'code':
			return renderCode(token.text, readFence(token.raw) ?? fenceAround(token.text), options);
		case 'hr':
			return renderRule(width);
		case 'blockquote':
			return indent(bar, bar, width, (inner) =>
				renderBlocks(asBlocks(token.tokens), lexed, {...options, width: inner}),
			);
		case 'list':
			return renderList(token, lexed, options);
		case 'table':
			return renderTable(
				{
					header: token.header.map((cell) => inline(cell.tokens)),
					rows: token.rows.map((cells) => cells.map((cell) => inline(cell.tokens))),
					alignments: token.align,
				},
				width,
			);
		case 'html':
			return token.text
				.trimEnd()
				.split('\n')
				.flatMap((line) => wrapCode([dim(showCodeLine(line, 0))], width));
		case 'checkbox':
			return [[plain(token.checked ? '[x]' : '[ ]')]];
		case 'paragraph':
		case 'text':
			if (token.tokens === undefined) return wrap([plain(showText(token.text))], width);
			return wrap(inline(token.tokens), width);
		default:
			return renderUnknown(token, width);
	}
}

function renderUnknown(token: never, width: number): readonly Row[] {
	return wrap([plain(stripUnsafe((token as Token).raw))], width);
}

export function renderRule(width: number): readonly Row[] {
	return [[dim('─'.repeat(Math.min(width, maxRuleWidth)))]];
}

/** Blocks one below the other, an empty row between each two. */
export function renderBlocks(
	tokens: readonly BlockToken[],
	lexed: Lexed,
	options: BlockOptions,
): readonly Row[] {
	const rows: Row[] = [];
	for (const token of tokens) {
		const block = renderBlock(token, lexed, options);
		if (block.length > 0 && rows.length > 0) rows.push([]);
		rows.push(...block);
	}
	return rows;
}

function renderList(list: Tokens.List, lexed: Lexed, options: BlockOptions): readonly Row[] {
	const first = firstNumber(list);
	return list.items.flatMap((item, index) => {
		const rows = renderItem(item, first === undefined ? undefined : first + index, lexed, options);
		const previous = list.items[index - 1];
		return previous !== undefined && endsLoose(previous) ? [[], ...rows] : rows;
	});
}

/** The number of the first item; `undefined` for a list with bullets. */
export function firstNumber(list: Tokens.List): number | undefined {
	return list.ordered ? Number(list.start) : undefined;
}

/** Whether the author left a blank line behind an item that others follow. */
export function endsLoose(item: Tokens.ListItem): boolean {
	return /\n[ \t]*\n[ \t]*$/.test(item.raw);
}

export function renderItem(
	item: Tokens.ListItem,
	number: number | undefined,
	lexed: Lexed,
	options: BlockOptions,
): readonly Row[] {
	const marker = number === undefined ? '- ' : `${number}. `;
	return indent(plain(marker), plain(' '.repeat(marker.length)), options.width, (width) => {
		const rows = renderItemBlocks(asBlocks(item.tokens), lexed, {...options, width});
		return rows.length === 0 ? [[]] : rows;
	});
}

/** Blocks of an item stand close together unless the author left a blank line. */
function renderItemBlocks(
	tokens: readonly BlockToken[],
	lexed: Lexed,
	options: BlockOptions,
): readonly Row[] {
	return tokens.flatMap((token, index) => {
		const previous = tokens[index - 1];
		if (token.type === 'checkbox') return [];
		if (token.type === 'text' && previous?.type === 'checkbox') {
			const text = renderInline([previous, ...lexed.inline(token.tokens ?? [])], options);
			return wrap(text, options.width);
		}
		const rows = renderBlock(token, lexed, options);
		const isLoose = previous?.type === 'space' && index > 1 && rows.length > 0;
		return isLoose ? [[], ...rows] : rows;
	});
}

/** Puts a mark before the first row and another before the others, if there is room for it. */
function indent(
	first: Span,
	others: Span,
	width: number,
	render: (innerWidth: number) => readonly Row[],
): readonly Row[] {
	const innerWidth = width - textWidth(first.text);
	if (innerWidth >= minInnerWidth) {
		return render(innerWidth).map((row, index) => [index === 0 ? first : others, ...row]);
	}
	return first === others ? render(width) : [...wrap([first], width), ...render(width)];
}
