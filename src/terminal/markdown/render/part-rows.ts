/** Renders the parts of streaming Markdown as final rows, and what may still change as a preview. */
import {closesFence, type Fence} from '../stream/fence.ts';
import type {Definitions} from '../stream/lexer.ts';
import type {Part, Rest} from '../stream/split-blocks.ts';
import {
	type BlockOptions,
	type Placed,
	placeBlock,
	placeGap,
	placeItems,
	placeRows,
	topPosition,
} from './blocks.ts';
import {openHighlighter, renderClosing, renderOpening, showCodeLine} from './code.ts';
import type {LineHighlighter} from './highlight.ts';
import {renderInline} from './inline.ts';
import {previewBlocks} from './preview.ts';
import {plain, type Row} from './span.ts';
import {createTablePreview} from './table.ts';
import {layCode, wrap, wrapOpen} from './wrap.ts';

export interface PartRenderer {
	/** Returns the rows that the part makes final. */
	add(part: Part, options: BlockOptions): readonly Row[];
	/** Returns at least the last rows of the rest, as if the source ended here. */
	preview(rest: Rest, options: BlockOptions, maxRows: number): readonly Row[];
}

type OpenCode = {
	readonly fence: Fence;
	readonly highlighter: LineHighlighter | undefined;
	/** Whether the next part belongs to the line above, which was too long. */
	isContinued: boolean;
};

/** UTF-16 units of a line of code that a preview shows; more than a window has. */
const previewLength = 4_096;

export function createPartRenderer(definitions: Definitions): PartRenderer {
	let position = topPosition;
	let previewTable = createTablePreview();
	/** The last row of a long paragraph, which is not full. */
	let openRow: Row | undefined;
	let code: OpenCode | undefined;

	const take = (placed: Placed): readonly Row[] => {
		position = placed.position;
		return placed.rows;
	};
	const addText = ({tokens, isEnd}: Part & {type: 'text'}, options: BlockOptions) => {
		const gap = openRow === undefined ? take(placeGap(position)) : [];
		const spans = [...(openRow ?? []), ...renderInline(tokens, options)];
		const {rows, open} = wrapOpen(spans, options.width);
		openRow = isEnd ? undefined : open;
		return [...gap, ...(isEnd ? wrap(spans, options.width) : rows)];
	};
	const renderCodeLine = (
		{fence, highlighter, isContinued}: OpenCode,
		line: string,
		color: 'next' | 'peek',
		options: BlockOptions,
	) => {
		const text = isContinued ? line : showCodeLine(line, fence.indent);
		const spans = isContinued ? undefined : highlighter?.[color](text);
		return layCode(spans ?? [plain(text)], options);
	};
	return {
		add(part, options) {
			switch (part.type) {
				case 'block':
					previewTable = createTablePreview();
					return take(placeBlock(part.block, part.lexed, position, options));
				case 'items':
					if (part.isFirst) position = {...position, isLoose: undefined};
					return take(placeItems(part.list, part.lexed, position, options));
				case 'text':
					return addText(part, options);
				case 'open-code': {
					const highlighter = openHighlighter(part.fence, options.highlight);
					code = {fence: part.fence, highlighter, isContinued: false};
					return take(placeRows(renderOpening(part.fence, options), position));
				}
				case 'code': {
					if (code === undefined) return [];
					const rows = renderCodeLine(code, part.text, 'next', options);
					code.isContinued = !part.isLineEnd;
					return rows;
				}
				case 'close-code':
					code = undefined;
					return renderClosing(options.width);
				default:
					return part satisfies never;
			}
		},
		preview(rest, finalOptions, maxRows) {
			const notes = finalOptions.notes.preview();
			const options = {...finalOptions, notes, hasLongRows: false};
			if (code === undefined) {
				const place = {position, openRow: openRow ?? [], previewTable, maxRows};
				return previewBlocks(rest, {...place, definitions, options});
			}
			const {source} = rest;
			if (source === '') return [];
			if (closesFence(source, code.fence)) return renderClosing(options.width);
			return renderCodeLine(code, source.slice(-previewLength), 'peek', options);
		},
	};
}
