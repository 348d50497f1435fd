/**
 * Splits Markdown into blocks while it arrives. A block is final when another block follows, or a
 * blank line ending its kind; a list item when another item follows; a line of fenced code at once.
 * The parts depend on the source alone, not on network chunks. A block is the same whenever it is
 * split off, so the unfinished source is lexed again only as often as the budget allows.
 */
import type {Tokens} from 'marked';
import {createStreamSanitizer} from '../../safe-text.ts';
import {dropData} from './data-address.ts';
import {closesFence, dropIndent, type Fence, readFence} from './fence.ts';
import {
	createDefinitions,
	type Lexed,
	lexBlocks,
	lexInline,
	maxBlockLength,
	maxMathBlock,
} from './lexer.ts';
import {leadWord, type Part, partOf, textPart} from './parts.ts';
import {type Preview, previewRest} from './preview.ts';
import {findStablePrefix} from './stable-prefix.ts';
import type {BlockToken} from './tokens.ts';

export interface BlockSplitter<Made> {
	/** Adds source and returns the results for the parts it completes. */
	push(source: string): readonly Made[];
	/** Ends the source; another one may follow. */
	end(): readonly Made[];
	/** Returns text that may still change, for code the open line. */
	preview(): Preview;
}

/** Longest piece. The source alone decides where to cut, so parts do not depend on the network. */
const pieceLength = 256;
/** A longer line is read as several lines, except in code and paragraphs. */
const maxLineLength = 4_096;
/** A longer code line comes in pieces. */
const maxCodeLine = 16_384;
/** A longer paragraph is split off as it arrives. */
const longParagraph = 640;

/** Blocks always ended by a blank line. */
const endsAtBlankLine: ReadonlySet<string> = new Set([
	'paragraph',
	'heading',
	'hr',
	'table',
	'blockquote',
]);

/** @param make called with each part at once, before a later link definition applies */
export function createBlockSplitter<Made>(
	make: (part: Part) => readonly Made[],
): BlockSplitter<Made> {
	const sanitizer = createStreamSanitizer();
	const definitions = createDefinitions();
	const budget = createLexingBudget();
	/** The source after the last whole piece. */
	let partial = '';
	/**
	 * The unfinished source in whole pieces, and where its last line starts; in code, the open
	 * line.
	 */
	let pending = '';
	let lineStart = 0;
	/** The word in front of `pending`, inside a long paragraph. */
	let lead = '';
	/** The next item's number; undefined outside lists. */
	let nextItem: number | undefined;
	let fence: Fence | undefined;
	/** Whether a piece of the open code line has been emitted. */
	let isLineCut = false;
	/** An open formula on lines of its own, which may look like other blocks. */
	let formula: {readonly from: number; readonly close: string} | undefined;
	/** Whether the last lexing found nothing final. */
	let isStuck = false;
	/** The results not returned yet. */
	let made: Made[] = [];

	const emit = (part: Part) => {
		made.push(...make(part));
	};
	const takeMade = (): readonly Made[] => {
		const taken = made;
		made = [];
		return taken;
	};
	const lexPending = (links = definitions): Lexed => {
		budget.spend(pending.length);
		return lexBlocks(lead + pending, links);
	};
	const drop = (length: number) => {
		pending = pending.slice(length);
		lineStart = Math.max(0, lineStart - length);
		if (formula !== undefined) formula = {...formula, from: formula.from - length};
	};

	/** Splits off an open paragraph's stable part. */
	const takeStable = (raw: string) => {
		const text = raw.slice(lead.length, withoutHeader(raw));
		budget.spend(text.length);
		const stable = findStablePrefix(lexInline(text, definitions), text);
		if (stable === 0) return;
		emit(textPart(text.slice(0, stable), false, definitions));
		drop(stable);
		lead = leadWord;
	};
	/** Splits off all but an open list's last item. */
	const takeItems = (list: Tokens.List, lexed: Lexed) => {
		const items = list.items.slice(0, -1);
		if (items.length === 0) return;
		const start = nextItem ?? Number(list.start);
		takeBlock({...list, items, raw: items.map(({raw}) => raw).join('')}, lexed);
		nextItem = start + items.length;
	};
	const takeBlock = (block: BlockToken, lexed: Lexed) => {
		const part = partOf(block, lexed, place(), definitions);
		drop(block.raw.length - lead.length);
		lead = '';
		nextItem = undefined;
		if (part !== undefined) emit(part);
	};
	const place = () => ({isText: lead !== '', nextItem});
	const takeBlocks = (blocks: readonly BlockToken[], lexed: Lexed) => {
		for (const block of blocks) takeBlock(block, lexed);
	};

	/** Splits off the final blocks; one growing without end is followed as it grows. */
	const takeFinal = (lexed: Lexed) => {
		const {blocks} = lexed;
		const lengthBefore = pending.length;
		const lastIndex = blocks.findLastIndex((block) => block.type !== 'space');
		const last = blocks[lastIndex];
		const isClosed = lastIndex < blocks.length - 1 && endsAtBlankLine.has(last?.type ?? '');
		if (last === undefined || isClosed) return takeBlocks(blocks, lexed);
		takeBlocks(blocks.slice(0, lastIndex), lexed);
		if (last.type === 'list') takeItems(last, lexed);
		else if (isLong(last)) takeStable(last.raw);
		isStuck = pending.length === lengthBefore;
		const opened = last.type === 'code' ? readFence(last.raw) : undefined;
		if (opened !== undefined) openCode(opened);
	};
	const openCode = (opened: Fence) => {
		const code = pending.slice(pending.indexOf('\n') + 1);
		drop(pending.length);
		emit({type: 'open-code', fence: opened});
		fence = opened;
		feed(code);
	};
	const isLong = (block: BlockToken | undefined) =>
		block?.type === 'paragraph' && (lead !== '' || block.raw.length >= longParagraph);

	/** Ends a block at its maximum length. */
	const breakOff = () => {
		const header = /^[^\n]*\n[^\n]*\n/.exec(pending)?.[0] ?? '';
		const lexed = lexPending();
		const isTable = lexed.blocks.length === 1 && lexed.blocks[0]?.type === 'table';
		takeBlocks(lexed.blocks, lexed);
		pending = isTable ? header : '';
		lineStart = pending.length;
	};

	const followFormula = (line: string) => {
		if (formula === undefined) {
			const [, open, rest = ''] = /^ {0,3}(\$\$|\\\[)(.*)/.exec(line) ?? [];
			const close = open === '$$' ? '$$' : '\\]';
			if (open !== undefined && !rest.includes(close)) formula = {from: lineStart, close};
		} else if (line.trim() === '' || line.includes(formula.close)) formula = undefined;
		else if (pending.length - formula.from > maxMathBlock) formula = undefined;
	};

	const endLine = () => {
		const above = pending.slice(0, lineStart);
		const line = pending.slice(lineStart);
		// After a blank line, text without a mark or indentation ends any block above.
		const endsAbove = /\n[ \t]*\n$/.test(above) && /^[^\s>|*+\-\d]/.test(line);
		followFormula(line);
		// A long paragraph does not become a heading.
		const isUnderline = lead !== '' && /^ {0,3}(?:-+|=+)[ \t]*\n$/.test(line);
		pending = above + (isUnderline ? `\n${line}` : line);
		lineStart = pending.length;
		if (pending.length > maxBlockLength) breakOff();
		else if (formula === undefined) {
			const mayLex = budget.covers(pending.length) || (endsAbove && !isStuck);
			if (mayLex) takeFinal(lexPending());
		}
	};

	/** Splits off a long line's start early if it is a paragraph. */
	const readLongLine = () => {
		const mayBeLong = lead !== '' || pending.length >= longParagraph;
		if (!mayBeLong || !budget.covers(pending.length)) return;
		if (lead !== '' && lineStart === 0) return takeStable(lead + pending);
		const links = createDefinitions(definitions);
		const lexed = lexPending(links);
		if (!isLong(lexed.blocks.at(-1))) return;
		Object.assign(definitions, links);
		takeFinal(lexed);
	};

	const addText = (piece: string) => {
		pending += piece;
		budget.earn(piece.length);
		if (piece.endsWith('\n')) return endLine();
		pending = dropData(pending);
		if (pending.length - lineStart < maxLineLength) return readLongLine();
		pending += '\n';
		return endLine();
	};
	const addCode = (piece: string, open: Fence) => {
		pending += piece;
		const isLineEnd = piece.endsWith('\n');
		if (!isLineEnd && pending.length < maxCodeLine) return;
		const text = isLineEnd ? pending.slice(0, -1) : pending.replace(/[\ud800-\udbff]$/, '');
		pending = isLineEnd ? '' : pending.slice(text.length);
		if (isLineEnd && !isLineCut && closesFence(text, open)) {
			emit({type: 'close-code', isComplete: true});
			fence = undefined;
		} else {
			emit({type: 'code', text: isLineCut ? text : dropIndent(text, open.indent), isLineEnd});
		}
		isLineCut = !isLineEnd;
	};

	function feed(text: string): void {
		for (let start = 0; start < text.length; ) {
			const limit = start + pieceLength - partial.length;
			const newline = text.indexOf('\n', start);
			const end = newline >= 0 && newline < limit ? newline + 1 : Math.min(limit, text.length);
			const isWhole = end === limit || newline === end - 1;
			partial += text.slice(start, end);
			start = end;
			if (!isWhole) break;
			const piece = partial;
			partial = '';
			if (fence === undefined) addText(piece);
			else addCode(piece, fence);
		}
	}
	return {
		push(source) {
			feed(sanitizer.push(source));
			return takeMade();
		},
		end() {
			feed(sanitizer.end());
			if (partial !== '' || (fence !== undefined && pending !== '')) feed('\n');
			if (fence === undefined) {
				const lexed = lexPending();
				takeBlocks(lexed.blocks, lexed);
			} else emit({type: 'close-code', isComplete: false});
			fence = undefined;
			pending = '';
			lineStart = 0;
			formula = undefined;
			return takeMade();
		},
		preview() {
			const rest = {...place(), source: pending + partial, formulaFrom: formula?.from, fence};
			return previewRest(rest, definitions);
		},
	};
}

/** Characters that may be lexed for each one received. */
const lexingRate = 8;
/** Characters that may be lexed in advance. */
const advance = 4_000;

function createLexingBudget() {
	let balance = advance;
	return {
		earn(characters: number) {
			balance += characters * lexingRate;
		},
		covers: (characters: number) => balance >= characters,
		/** May overdraw the budget. */
		spend(characters: number) {
			balance -= characters;
		},
	};
}

/** Longest line with a `|` held back as a possible table header. */
const maxHeaderLength = 400;

/** Returns the length without a last line that may become a table header. */
function withoutHeader(source: string): number {
	const start = source.lastIndexOf('\n', source.length - 2) + 1;
	const line = source.slice(start);
	return line.includes('|') && line.length <= maxHeaderLength ? start : source.length;
}
