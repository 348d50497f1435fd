/**
 * A long paragraph while it comes in: full rows whose text is settled are final, only the rest is
 * lexed again.
 *
 * Differences to a paragraph that is read whole, all of them only in the looks of long ones:
 * a mark that finds no partner within 1,200 characters is text; a line of `===` or `---` below
 * does not make it a heading (`---` is a rule); the header of a table below it has 400 at most.
 */

import type {BlockParser, ParseStep, Stream} from './block-parser.ts';
import {renderRule} from './blocks.ts';
import {createLexingBudget} from './budget.ts';
import {renderInline} from './inline.ts';
import {createDefinitions, lexBlocks, lexInline} from './lexer.ts';
import {abridgeText} from './preview.ts';
import type {Row} from './span.ts';
import {findStablePrefix} from './stable-prefix.ts';
import type {InlineToken} from './tokens.ts';
import {createWrapper} from './wrap.ts';

/** Source behind a `|` is kept back this long: its line may be the header of a table. */
const maxHeaderLength = 400;

export function createOpenParagraph(stream: Stream): BlockParser {
	let width = stream.options.width;
	let wrapper = createWrapper(width);
	/** What the wrapper did not get, and the character before it. */
	let rest = '';
	let before = '';
	const budget = createLexingBudget();

	/** The inline tokens of `text`, which follows `before`. */
	const lexHere = (text: string): readonly InlineToken[] => {
		// Behind a blank, marks mean what they mean at the beginning.
		const lead = before.trim();
		const tokens = lexInline(lead + text, stream.definitions);
		return lead === '' ? tokens : withoutLead(tokens, lead);
	};
	const look = (text: string) => renderInline(lexHere(text), stream.options);

	const fitWidth = (): readonly Row[] => {
		if (width === stream.options.width) return [];
		const held = wrapper.held();
		width = stream.options.width;
		wrapper = createWrapper(width);
		return wrapper.add(held);
	};

	/** Gives the wrapper what is settled of the first `length` characters. */
	const settle = (length: number): readonly Row[] => {
		const text = rest.slice(0, length);
		const settled = findStablePrefix(lexHere(text), text);
		if (settled === 0) return [];
		const rows = wrapper.add(look(text.slice(0, settled)));
		before = text.charAt(settled - 1);
		rest = rest.slice(settled);
		return rows;
	};

	const finish = ({length, underline}: Extent): readonly Row[] => {
		const source = rest.slice(0, length).trimEnd();
		const text = underline === undefined ? source : source.slice(0, source.lastIndexOf('\n') + 1);
		const rows = [...wrapper.add(look(text.trimEnd())), ...wrapper.end()];
		return underline === '-' ? [...rows, [], ...renderRule(width)] : rows;
	};

	const end = (extent: Extent): ParseStep => {
		const rows = [...fitWidth(), ...finish(extent)];
		return {rows, rest: rest.slice(extent.length)};
	};

	return {
		add(piece) {
			rest += piece;
			budget.earn(piece.length);
			// The end is looked for, and what is settled is lexed twice.
			const cost = 3 * rest.length;
			if (!budget.covers(cost)) return {rows: []};
			budget.spend(cost);
			const extent = measure(rest, before, stream);
			if (!extent.isOpen) return end(extent);
			return {rows: [...fitWidth(), ...settle(withoutHeader(rest))]};
		},
		end: () => end(measure(rest, before, stream)),
		preview(partial) {
			const copy = createWrapper(stream.options.width);
			const above = copy.add(wrapper.held());
			const text = abridgeText(rest + partial).trimEnd();
			return [...above, ...copy.add(look(text)), ...copy.end()];
		},
	};
}

type Extent = {
	/** How much of the source belongs to the paragraph. */
	readonly length: number;
	/** The mark of a line below that would have made it a heading. */
	readonly underline: string | undefined;
	/** Whether more of the source may belong to it. */
	readonly isOpen: boolean;
};

/** Lets the block lexer say where the paragraph ends; a word in front keeps it a paragraph. */
function measure(source: string, before: string, stream: Stream): Extent {
	const length = source.length;
	if (!source.includes('\n') && before !== '\n')
		return {length, underline: undefined, isOpen: true};
	const lead = leadBehind(before);
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

function leadBehind(before: string): string {
	if (before === '') return '';
	return before === '\n' ? 'x\n' : 'x ';
}

/** The length without a last line that may turn out to be the header of a table. */
function withoutHeader(source: string): number {
	const start = source.lastIndexOf('\n', source.length - 2) + 1;
	const line = source.slice(start);
	return line.includes('|') && line.length <= maxHeaderLength ? start : source.length;
}

/** Takes a character that was put in front out of the tokens again. */
function withoutLead(tokens: readonly InlineToken[], lead: string): readonly InlineToken[] {
	const [first, ...others] = tokens;
	if (first?.type !== 'text' || !first.raw.startsWith(lead)) return tokens;
	const raw = first.raw.slice(lead.length);
	return raw === '' ? others : [{...first, raw, text: raw}, ...others];
}
