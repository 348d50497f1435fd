/**
 * Makes parts from the unfinished source as if it ended here, at a bounded cost: for long blocks
 * only the end is lexed, after the line defining their kind.
 */
import type {Token} from 'marked';
import {closeMarks} from './close-marks.ts';
import {closesFence, dropIndent, type Fence, readFence} from './fence.ts';
import {alreadyLexed, createDefinitions, type Definitions, lexBlocks} from './lexer.ts';
import {leadWord, type Part, partOf, type StartBlock, textPart} from './parts.ts';
import type {BlockToken} from './tokens.ts';

/** The source after the last part. */
type Rest = StartBlock & {
	readonly source: string;
	/** The start of a formula whose end has not come. */
	readonly formulaFrom: number | undefined;
	/** The fence opening its code. */
	readonly fence: Fence | undefined;
};

export type Preview = {
	readonly parts: readonly Part[];
	/** Source lines left out. */
	readonly hiddenLines: number;
};

/** Longest source lexed whole. */
const maxSourceLength = 2_400;
/** The length lexed in a longer one. */
const keptLength = 1_600;
const maxHeadLength = 200;
/** UTF-16 units per code line; more than a window has. */
const maxCodeLength = 4_096;

/** A line start that may still become any block; showing it now would flicker. */
const undecidedLine = /(^|\n) {0,3}(?:[-=]{1,2}|[*+>#`~|]{1,2})$/;

const containerStart = /^ {0,3}(?:>|[-*+][ \t]|\d{1,9}[.)][ \t])/;
const fenceLine = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(?:`{3,}|~{3,}).*$/gm;

/** Makes parts from text that may still change. */
export function previewRest(rest: Rest, definitions: Definitions): Preview {
	const {source, formulaFrom, fence} = rest;
	if (fence !== undefined) return {parts: previewCode(source, fence), hiddenLines: 0};
	if (formulaFrom === undefined) return previewBlocks(rest, definitions);
	const above = previewBlocks({...rest, source: source.slice(0, formulaFrom)}, definitions);
	// A formula is shown as typed until it ends.
	const text = source.slice(formulaFrom).trim();
	const tokens: Token[] = [{type: 'escape', raw: text, text}];
	const block: BlockToken = {type: 'paragraph', raw: text, text, tokens};
	return {...above, parts: [...above.parts, {type: 'block', block, lexed: alreadyLexed}]};
}

function previewCode(line: string, fence: Fence): readonly Part[] {
	if (line === '') return [];
	if (closesFence(line, fence)) return [{type: 'close-code', isComplete: true}];
	const text = dropIndent(line, fence.indent).slice(-maxCodeLength);
	return [{type: 'code', text, isLineEnd: false}];
}

function previewBlocks({source, isText, nextItem}: Rest, definitions: Definitions): Preview {
	const shown = closeMarks(abridge(source.replace(undecidedLine, '$1')));
	const hiddenLines = countLines(source) - countLines(shown);
	if (isText && !shown.includes('\n')) {
		return {parts: [textPart(shown, true, definitions)], hiddenLines};
	}
	const lexed = lexBlocks((isText ? leadWord : '') + shown, createDefinitions(definitions));
	const parts = lexed.blocks.flatMap((block, index) => {
		const fence = block.type === 'code' ? readFence(block.raw) : undefined;
		// An opening fence's line is not complete yet.
		if (fence !== undefined && !block.raw.includes('\n'))
			return {type: 'open-code', fence} as const;
		const place = index === 0 ? {isText, nextItem} : {isText: false, nextItem: undefined};
		return partOf(block, lexed, place, definitions) ?? [];
	});
	return {parts, hiddenLines};
}

function countLines(text: string): number {
	return text.split('\n').length;
}

/** Returns a long source's end, with a first line preserving the block kind. */
function abridge(source: string): string {
	if (source.length <= maxSourceLength) return source;
	const cut = source.length - keptLength;
	const nextLine = source.indexOf('\n', cut) + 1;
	const start = nextLine === 0 || nextLine > source.length - keptLength / 2 ? cut : nextLine;
	const kept = source.slice(start).replace(/^[\udc00-\udfff]/, '');
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
