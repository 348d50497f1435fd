/** Renders the parts of streaming Markdown as final rows, and what may still change as a preview. */
import type {Tokens} from 'marked';
import type {Fence} from '../stream/fence.ts';
import type {Lexed} from '../stream/lexer.ts';
import type {Part} from '../stream/parts.ts';
import type {Preview} from '../stream/preview.ts';
import {
	type BlockOptions,
	type Placed,
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
import {layCode, wrap, wrapOpen} from './wrap.ts';

export interface PartRenderer {
	/** Returns the rows that the part makes final. */
	add(part: Part, options: BlockOptions): readonly Row[];
	/** Returns at least the last rows of the rest, as if the source ended here. */
	preview(preview: Preview, options: BlockOptions, maxRows: number): readonly Row[];
}

/** Where the next part goes. */
type State = {
	readonly position: Position;
	/** The last row of a long paragraph, which is not full. */
	readonly openRow?: Row | undefined;
	readonly code?: OpenCode | undefined;
};

type OpenCode = {
	readonly fence: Fence;
	readonly highlighter: LineHighlighter | undefined;
	/** Whether the next part belongs to the line above, which was too long. */
	readonly isContinued: boolean;
};

type Rendered = {readonly rows: readonly Row[]; readonly state: State};

export function createPartRenderer(): PartRenderer {
	let state: State = {position: topPosition};
	let previewTable = createTablePreview();
	return {
		add(part, options) {
			if (part.type === 'block') previewTable = createTablePreview();
			const rendered = renderPart(part, state, options, 'next');
			state = rendered.state;
			return rendered.rows;
		},
		preview({parts, hiddenLines}, finalOptions, maxRows) {
			const notes = finalOptions.notes.preview();
			const options = {...finalOptions, notes, hasLongRows: false};
			/** The last table is not finished. */
			const previewLast = (table: Tokens.Table, lexed: Lexed, {position}: State) => {
				const room = maxRows - placeGap(position).rows.length;
				const place = {rowsAbove: hiddenLines, width: options.width, maxRows: room};
				const rows = previewTable(readTable(table, lexed, options), place);
				return toRendered(placeRows(rows, position));
			};
			const rows: Row[] = [];
			let open = state;
			for (const part of parts) {
				const rendered =
					part.type === 'block' && part.block.type === 'table' && part === parts.at(-1)
						? previewLast(part.block, part.lexed, open)
						: renderPart(part, open, options, 'peek');
				rows.push(...rendered.rows);
				open = rendered.state;
			}
			return rows;
		},
	};
}

/** @param color `peek` for a line of code that is not final */
function renderPart(
	part: Part,
	state: State,
	options: BlockOptions,
	color: 'next' | 'peek',
): Rendered {
	const {position, code} = state;
	switch (part.type) {
		case 'block':
			return toRendered(placeBlock(part.block, part.lexed, position, options));
		case 'items': {
			const place = part.isFirst ? {...position, isLoose: undefined} : position;
			return toRendered(placeItems(part.list, part.lexed, place, options));
		}
		case 'text':
			return renderText(part, state, options);
		case 'open-code': {
			const {rows, position: below} = placeRows(renderOpening(part.fence, options), position);
			const highlighter = openHighlighter(part.fence, options.highlight);
			return {
				rows,
				state: {position: below, code: {fence: part.fence, highlighter, isContinued: false}},
			};
		}
		case 'code': {
			if (code === undefined) return {rows: [], state};
			const text = code.isContinued ? part.text : showCodeLine(part.text, code.fence.indent);
			const spans = code.isContinued ? undefined : code.highlighter?.[color](text);
			const rows = layCode(spans ?? [plain(text)], options);
			return {rows, state: {position, code: {...code, isContinued: !part.isLineEnd}}};
		}
		case 'close-code':
			return {rows: renderClosing(options.width), state: {position}};
		default:
			return part satisfies never;
	}
}

function toRendered({rows, position}: Placed): Rendered {
	return {rows, state: {position}};
}

/** Returns the rows that the text fills; the last one stays open unless the paragraph ends. */
function renderText(
	{tokens, isEnd}: Part & {type: 'text'},
	{position, openRow}: State,
	options: BlockOptions,
): Rendered {
	const gap = placeGap(position);
	const rowsAbove = openRow === undefined ? gap.rows : [];
	const spans = [...(openRow ?? []), ...renderInline(tokens, options)];
	if (isEnd) {
		const rows = [...rowsAbove, ...wrap(spans, options.width)];
		return toRendered({rows, position: gap.position});
	}
	const {rows, open} = wrapOpen(spans, options.width);
	return {rows: [...rowsAbove, ...rows], state: {position: gap.position, openRow: open}};
}
