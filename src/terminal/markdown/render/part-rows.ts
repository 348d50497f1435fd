/** Renders the parts of streaming Markdown as final rows, and what may still change as a preview. */
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
import {renderClosing, renderOpening} from './code.ts';
import {type CodeLines, createCodeLines} from './code-lines.ts';
import {renderInline} from './inline.ts';
import {previewBlocks} from './preview.ts';
import type {Row} from './span.ts';
import {createTablePreview} from './table.ts';
import {wrap, wrapOpen} from './wrap.ts';

export interface PartRenderer {
	/** Returns the rows that the part makes final. */
	add(part: Part, options: BlockOptions): readonly Row[];
	/** Returns at least the last rows of the rest, as if the source ended here. */
	preview(rest: Rest, options: BlockOptions, maxRows: number): readonly Row[];
}

export function createPartRenderer(definitions: Definitions): PartRenderer {
	let position = topPosition;
	let previewTable = createTablePreview();
	/** The last row of a long paragraph, which is not full. */
	let openRow: Row | undefined;
	let code: CodeLines | undefined;

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
				case 'open-code':
					code = createCodeLines(part.fence, options);
					return take(placeRows(renderOpening(part.fence, options), position));
				case 'code':
					return code?.add(part.text, options) ?? [];
				case 'close-code': {
					const rows = code?.end(options) ?? [];
					code = undefined;
					return [...rows, ...renderClosing(options.width)];
				}
				default:
					return part satisfies never;
			}
		},
		preview(rest, finalOptions, maxRows) {
			const options = {
				...finalOptions,
				notes: finalOptions.notes.preview(),
				hasLongRows: false,
			};
			if (code !== undefined) return code.preview(rest.source, options);
			const place = {position, openRow: openRow ?? [], previewTable, maxRows};
			return previewBlocks(rest, {...place, definitions, options});
		},
	};
}
