/** Finds the quotations in a Markdown text. */
import {closesFence, type Fence, readFence} from '../terminal/markdown/stream/fence.ts';

export type Quotation = {
	readonly text: string;
	/** The file that follows it in brackets or after a dash. */
	readonly named: string | undefined;
};

/** Shorter quoted texts are names, or words kept at a distance. */
const minLength = 12;

/** The marks that end each opening mark. */
const ends: Readonly<Record<string, string>> = {
	'"': '"',
	'“': '”',
	'„': '“”',
	'«': '»',
	'»': '«',
	'「': '」',
	'『': '』',
};

const anyMark = /["“”„«»「」『』]/g;

/** In UTF-16 units of a paragraph. */
type Span = {readonly from: number; readonly to: number};

/**
 * Returns quotations of at least 12 characters in order; of nested ones the outer one. A paragraph of
 * a block quote is one, unless it begins with a quotation mark.
 *
 * @param names of the given files
 */
export function findQuotations(markdown: string, names: readonly string[]): readonly Quotation[] {
	return splitParagraphs(markdown).flatMap(({text, isBlockQuote}) => {
		const masked = maskCode(text);
		const isQuoteWhole = isBlockQuote && !(text.trimStart().charAt(0) in ends);
		const spans = isQuoteWhole ? [findBlock(masked)] : findSpans(masked);
		return spans.flatMap(({from, to}) => {
			const quoted = text.slice(from, to).trim();
			if (Array.from(quoted).length < minLength) return [];
			return [{text: quoted, named: findName(text.slice(to), names)}];
		});
	});
}

type Paragraph = {text: string; readonly isBlockQuote: boolean};

const quoteMarks = /^ {0,3}>[ >]*/;

/** Splits at empty lines and at the edges of block quotes; leaves their marks and code blocks out. */
function splitParagraphs(markdown: string): readonly Paragraph[] {
	const paragraphs: Paragraph[] = [];
	let fence: Fence | undefined;
	let open: Paragraph | undefined;
	for (const line of markdown.split(/\r?\n/)) {
		const bare = line.replace(quoteMarks, '');
		const isBlockQuote = bare !== line;
		const opened = fence === undefined ? readFence(bare) : undefined;
		if (fence !== undefined && closesFence(bare, fence)) {
			fence = undefined;
			open = undefined;
		} else if (fence !== undefined || opened !== undefined || bare.trim() === '') {
			fence ??= opened;
			open = undefined;
		} else if (open?.isBlockQuote === isBlockQuote) {
			open.text += `\n${bare}`;
		} else {
			open = {text: bare, isBlockQuote};
			paragraphs.push(open);
		}
	}
	return paragraphs;
}

/** Replaces code spans, keeping every place where it was. */
function maskCode(text: string): string {
	return text.replace(/(?<!`)(`+)(?!`)[^`]+\1(?!`)/g, (code) => '`'.repeat(code.length));
}

function findSpans(text: string): readonly Span[] {
	const spans: Span[] = [];
	let end = -1;
	for (const [from, to] of matchMarks(text)) {
		if (from <= end || !opensAt(text, from)) continue;
		spans.push({from: from + 1, to});
		end = to;
	}
	return spans;
}

const wordUnit = /[\p{L}\p{N}]/u;

function opensAt(text: string, index: number): boolean {
	const mark = text.charAt(index);
	const isAmbiguous = mark === '"' || mark === '»';
	const isFree = !wordUnit.test(text.charAt(index - 1)) && /\S/.test(text.charAt(index + 1));
	return !isAmbiguous || isFree;
}

/** Pairs each mark that may open with the one that ends it, in order. */
function matchMarks(text: string): ReadonlyArray<readonly [from: number, to: number]> {
	const pairs: Array<[number, number]> = [];
	/** Places whose end is still to come, by mark. */
	const open = new Map(Object.keys(ends).map((mark): [string, number[]] => [mark, []]));
	for (const {0: unit, index} of text.matchAll(anyMark)) {
		for (const [mark, waiting] of open) {
			if (!ends[mark]?.includes(unit) || !closesAt(text, index)) continue;
			// Marks that end themselves do not nest.
			const count = mark === unit ? waiting.length : 1;
			for (const from of waiting.splice(-count)) pairs.push([from, index]);
		}
		open.get(unit)?.push(index);
	}
	return pairs.toSorted(([one], [other]) => one - other);
}

/** A straight mark after a blank opens, and one between letters is an inch or a mistake. */
function closesAt(text: string, index: number): boolean {
	if (text.charAt(index) !== '"') return true;
	return /\S/.test(text.charAt(index - 1)) && !wordUnit.test(text.charAt(index + 1));
}

/** The origin at the end of a block quote: a last line after a dash, or brackets. */
const blockOrigin = /(?:\n\s*(?:[–—]|--?)[^\n]+|[([][^()[\]\n]+[)\]])$/;

function findBlock(text: string): Span {
	return {from: 0, to: blockOrigin.exec(text.trimEnd())?.index ?? text.length};
}

/** The text that may stand between a quotation and the brackets or the dash before its file. */
const origin = /^[^\p{L}\p{N}([（【–—-]{0,8}[([（【–—-]+\s*([^()[\]（）【】\n]{1,200})/u;

const fileName = /[\p{L}\p{N}_.~/\\-]+\.[a-z]\w{0,7}(?![\p{L}\p{N}])/iu;

function findName(rest: string, names: readonly string[]): string | undefined {
	const [, written] = origin.exec(rest) ?? [];
	if (written === undefined) return undefined;
	const folded = written.toLowerCase();
	const isNamed = (name: string) => name !== '' && folded.includes(name.toLowerCase());
	const whole = names.filter(isNamed);
	const known = whole.length > 0 ? whole : names.filter((name) => isNamed(baseOf(name)));
	const [longest] = known.toSorted((one, other) => other.length - one.length);
	return longest ?? fileName.exec(written)?.[0];
}

function baseOf(path: string): string {
	return path.split(/[\\/]/).at(-1) ?? path;
}
