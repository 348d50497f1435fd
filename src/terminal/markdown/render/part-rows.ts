/** Renders streaming Markdown parts as final rows, and text still changing as a preview. */
import type {Tokens} from 'marked';
import type {Lexed} from '../stream/lexer.ts';
import type {Part} from '../stream/parts.ts';
import type {Preview} from '../stream/preview.ts';
import {
	type BlockOptions,
	belowBlock,
	type Position,
	placeBlock,
	placeGap,
	placeItems,
	placeRows,
	readTable,
	topPosition,
} from './blocks.ts';
import {openHighlighter, renderClosing, renderOpening, showCodeLine} from './code.ts';
import type {LineHighlighter} from './highlight.ts';
import {renderInline} from './inline.ts';
import {plain, type Row} from './span.ts';
import {createTablePreview} from './table.ts';
import {layCode, layOpenProse, layProse} from './wrap.ts';

export interface PartRenderer {
	/** Returns the rows the part makes final. */
	add(part: Part, options: BlockOptions): readonly Row[];
	/** Returns at least the rest's last rows, as if the source ended here. */
	preview(preview: Preview, options: BlockOptions, maxRows: number): readonly Row[];
}

/** Where the next part goes. */
type State = Position & {
	/** A long paragraph's last row, not yet full. */
	readonly openRow?: Row | undefined;
	readonly code?: OpenCode | undefined;
};

type OpenCode = {
	readonly highlighter: LineHighlighter | undefined;
	/** Whether the next part belongs to the line above, which was too long. */
	readonly isContinued: boolean;
};

type Rendered = {readonly rows: readonly Row[]; readonly position: State};

export function createPartRenderer(): PartRenderer {
	let state: State = topPosition;
	let previewTable = createTablePreview();
	return {
		add(part, options) {
			if (part.type === 'block') previewTable = createTablePreview();
			const rendered = renderPart(part, state, options, 'next');
			state = rendered.position;
			return rendered.rows;
		},
		preview({parts, hiddenLines}, finalOptions, maxRows) {
			const notes = finalOptions.notes.preview();
			const options = {...finalOptions, notes, hasLongRows: false};
			/** The last table is not finished. */
			const previewLast = (table: Tokens.Table, lexed: Lexed, position: State) => {
				const room = maxRows - placeGap(position).rows.length;
				const place = {rowsAbove: hiddenLines, width: options.width, maxRows: room};
				const rows = previewTable(readTable(table, lexed, options), place);
				return placeRows(rows, position);
			};
			const rows: Row[] = [];
			let open = state;
			for (const part of parts) {
				const rendered =
					part.type === 'block' && part.block.type === 'table' && part === parts.at(-1)
						? previewLast(part.block, part.lexed, open)
						: renderPart(part, open, options, 'peek');
				rows.push(...rendered.rows);
				open = rendered.position;
			}
			return rows;
		},
	};
}

/** @param color `peek` for a code line still growing */
function renderPart(
	part: Part,
	state: State,
	options: BlockOptions,
	color: 'next' | 'peek',
): Rendered {
	switch (part.type) {
		case 'block':
			return placeBlock(part.block, part.lexed, state, options);
		case 'items': {
			const place = part.isFirst ? {...state, isLoose: undefined} : state;
			return placeItems(part.list, part.lexed, place, options);
		}
		case 'text':
			return renderText(part, state, options);
		case 'open-code': {
			const {rows, position} = placeRows(renderOpening(part.fence, options), state);
			const highlighter = openHighlighter(part.fence, options.highlight);
			return {rows, position: {...position, code: {highlighter, isContinued: false}}};
		}
		case 'code': {
			const {code} = state;
			const text = code?.isContinued ? part.text : showCodeLine(part.text);
			const spans = code?.isContinued ? undefined : code?.highlighter?.[color](text);
			const rows = layCode(spans ?? [plain(text)], options);
			return {rows, position: {...state, code: code && {...code, isContinued: !part.isLineEnd}}};
		}
		case 'close-code':
			return {rows: renderClosing(options.width), position: belowBlock};
		default:
			return part satisfies never;
	}
}

/** Returns the rows the text fills; the last one stays open unless the paragraph ends. */
function renderText(
	{tokens, isEnd}: Part & {type: 'text'},
	state: State,
	options: BlockOptions,
): Rendered {
	const {openRow} = state;
	const rowsAbove = openRow === undefined ? placeGap(state).rows : [];
	const spans = [...(openRow ?? []), ...renderInline(tokens, options)];
	if (isEnd) return {rows: [...rowsAbove, ...layProse(spans, options)], position: belowBlock};
	const {rows, open} = layOpenProse(spans, options);
	return {rows: [...rowsAbove, ...rows], position: {...belowBlock, openRow: open}};
}
