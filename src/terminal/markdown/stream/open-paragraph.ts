/**
 * Parses a long paragraph while it arrives, so that its first rows reach the scrollback before they
 * leave the window: full rows of stable text are final, only the rest is lexed again.
 *
 * A long paragraph differs from one read whole in three ways: a mark without a partner within 1,200
 * characters is text; a line of `===` or `---` below does not make it a heading (`---` is a rule);
 * the header of a table below has at most 400 characters.
 */

import {type BlockOptions, renderRule} from '../render/blocks.ts';
import {renderInline} from '../render/inline.ts';
import type {Row} from '../render/span.ts';
import {wrap, wrapOpen} from '../render/wrap.ts';
import {type BlockParser, type ParseStep, previewOptions, type Stream} from './block-parser.ts';
import {createDefinitions, lexBlocks, lexInline} from './lexer.ts';
import {createLexingBudget} from './limit-input.ts';
import {abridgeText} from './preview.ts';
import {findStablePrefix} from './stable-prefix.ts';
import type {InlineToken} from './tokens.ts';

/** Longest line with a `|` that is held back, because it may be the header of a table. */
const maxHeaderLength = 400;

export function createOpenParagraph(stream: Stream): BlockParser {
	/** The last row, which is not full. */
	let open: Row = [];
	/** The source after the open row, and the character before it. */
	let rest = '';
	let before = '';
	const budget = createLexingBudget();

	/** Lexes text that follows `before`. */
	const lexHere = (text: string): readonly InlineToken[] => {
		// After a space, marks mean the same as at the start.
		const lead = before.trim();
		const tokens = lexInline(lead + text, stream.definitions);
		return lead === '' ? tokens : withoutLead(tokens, lead);
	};
	const look = (text: string, options: BlockOptions) => renderInline(lexHere(text), options);

	/** Returns the rows that the stable part of the first `length` characters fills. */
	const emitStable = (length: number): readonly Row[] => {
		const text = rest.slice(0, length);
		const stable = findStablePrefix(lexHere(text), text);
		if (stable === 0) return [];
		const wrapped = wrapOpen(
			[...open, ...look(text.slice(0, stable), stream.options)],
			stream.options.width,
		);
		open = wrapped.open;
		before = text.charAt(stable - 1);
		rest = rest.slice(stable);
		return wrapped.rows;
	};

	const end = ({length, underline}: Extent): ParseStep => {
		const source = rest.slice(0, length).trimEnd();
		const text = underline === undefined ? source : source.slice(0, source.lastIndexOf('\n') + 1);
		const {width} = stream.options;
		const rows = wrap([...open, ...look(text.trimEnd(), stream.options)], width);
		const rule = underline === '-' ? [[], ...renderRule(width)] : [];
		return {rows: [...rows, ...rule], rest: rest.slice(length)};
	};

	return {
		add(piece) {
			rest += piece;
			budget.earn(piece.length);
			// One lexing finds the end, and stable text is lexed twice.
			const cost = 3 * rest.length;
			if (!budget.covers(cost)) return {rows: []};
			budget.spend(cost);
			const extent = measure(rest, before, stream);
			if (!extent.isOpen) return end(extent);
			return {rows: emitStable(withoutHeader(rest))};
		},
		end: () => end(measure(rest, before, stream)),
		preview(partial) {
			const text = abridgeText(rest + partial).trimEnd();
			return wrap([...open, ...look(text, previewOptions(stream))], stream.options.width);
		},
	};
}

type Extent = {
	/** The length of the source that belongs to the paragraph. */
	readonly length: number;
	/** The mark of a line below that would make a short paragraph a heading. */
	readonly underline: string | undefined;
	/** Whether more of the source may belong to it. */
	readonly isOpen: boolean;
};

/** Finds the end of the paragraph with the block lexer; a word in front keeps it a paragraph. */
function measure(source: string, before: string, stream: Stream): Extent {
	const length = source.length;
	if (!source.includes('\n') && before !== '\n')
		return {length, underline: undefined, isOpen: true};
	const lead = before === '' ? '' : `x${before === '\n' ? before : ' '}`;
	const definitions = createDefinitions(stream.definitions);
	const {blocks} = lexBlocks(lead + source, definitions);
	const [first] = blocks;
	if (first === undefined) return {length, underline: undefined, isOpen: false};
	const underline = /\n {0,3}([=-])[=-]*[ \t]*\n*$/.exec(first.raw)?.[1];
	return {
		length: Math.max(0, first.raw.length - lead.length),
		underline: first.type === 'heading' ? underline : undefined,
		isOpen: blocks.length === 1 && first.type === 'paragraph',
	};
}

/** Returns the length without a last line that may become the header of a table. */
function withoutHeader(source: string): number {
	const start = source.lastIndexOf('\n', source.length - 2) + 1;
	const line = source.slice(start);
	return line.includes('|') && line.length <= maxHeaderLength ? start : source.length;
}

/** Removes the character in front from the tokens. */
function withoutLead(tokens: readonly InlineToken[], lead: string): readonly InlineToken[] {
	const [first, ...others] = tokens;
	if (first?.type !== 'text' || !first.raw.startsWith(lead)) return tokens;
	const raw = first.raw.slice(lead.length);
	return raw === '' ? others : [{...first, raw, text: raw}, ...others];
}
