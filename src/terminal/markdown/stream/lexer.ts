/**
 * The `marked` lexer at a bounded cost: blocks first, inline text on demand, and text that would
 * make its expressions backtrack for long stays plain.
 */
import {Lexer, type Links, type Token, Tokenizer, type Tokens} from 'marked';
import {asBlocks, asInlines, type BlockToken, type InlineToken} from './tokens.ts';

/** Link reference targets, by label. */
export type Definitions = Links;

export type Lexed = {
	readonly blocks: readonly BlockToken[];
	/** Returns a block's inline tokens. */
	inline(block: Token[]): readonly InlineToken[];
};

/** Ignores blocks whose inline text has been lexed. */
export const alreadyLexed: Lexed = {blocks: [], inline: asInlines};

export function createDefinitions(inherited: Definitions | null = null): Definitions {
	return Object.create(inherited);
}

/** Uses the link definitions, adding the source's own. */
export function lexBlocks(source: string, definitions: Definitions): Lexed {
	const lexer = createLexer(definitions);
	const blocks = lexSource(lexer, source);
	const texts = new Map(lexer.inlineQueue.map((entry) => [entry.tokens, entry.src]));
	return {
		blocks: asBlocks(blocks),
		inline(block) {
			const text = texts.get(block);
			texts.delete(block);
			return asInlines(text === undefined ? block : lexTextInto(block, text, lexer));
		},
	};
}

/** Lexes text inside a paragraph. */
export function lexInline(text: string, definitions: Definitions): readonly InlineToken[] {
	return asInlines(lexTextInto([], text, createLexer(definitions)));
}

/** Lists and quotes nested deeper are text: each level lexes its whole source again. */
const maxNesting = 16;
/** A table with more columns is text: each row has all of them. */
const tooManyColumns = /^[^\n]*\n(?:[^|\n]*\|){32}/;

/** Longest run of asterisks between two letters left as written. */
const maxMarks = 8;

class BlockTokenizer extends Tokenizer {
	#depth = 0;

	override list(source: string): Tokens.List | undefined {
		return this.#nest(() => super.list(source));
	}

	override blockquote(source: string): Tokens.Blockquote | undefined {
		return this.#nest(() => super.blockquote(source));
	}

	override table(source: string): Tokens.Table | undefined {
		return tooManyColumns.test(source) ? undefined : super.table(source);
	}

	#nest<Found>(read: () => Found): Found | undefined {
		if (this.#depth === maxNesting) return undefined;
		this.#depth += 1;
		try {
			return read();
		} finally {
			this.#depth -= 1;
		}
	}

	/** A line break is the only tag with a meaning here. */
	override tag(source: string): Tokens.Tag | undefined {
		if (!source.startsWith('<')) return undefined;
		const tag = super.tag(source);
		const isBreak = tag !== undefined && /^<br ?\/?>$/i.test(tag.raw);
		return isBreak ? Object.assign(tag, {type: 'br'}) : tag;
	}

	/**
	 * Leaves marks between letters or digits alone, and names such as `__init__`: a programmer's
	 * screen has more products, powers and identifiers than emphasis inside a word.
	 */
	override emStrong(
		source: string,
		masked: string,
		before = '',
	): Tokens.Em | Tokens.Strong | undefined {
		const place = masked.length - source.length;
		const isInWord =
			/^\*+[\p{Lu}\p{Ll}\p{Nd}]/u.test(source) &&
			/[\p{Lu}\p{Ll}\p{Nd}]\**$/u.test(masked.slice(Math.max(0, place - maxMarks), place));
		const isInName = source.startsWith('_') && masked[place - 1] === '_';
		const isName = /^__[A-Za-z0-9]\w{0,60}?__(?!\w)/.test(source);
		if (isInWord || isInName || isName) return undefined;
		return super.emStrong(source, masked, before);
	}

	/** Footnotes (`[^1]: text`) are shown as text; `marked` would read link definitions. */
	override def(source: string): Tokens.Def | undefined {
		return /^ {0,3}\[\^/.test(source) ? undefined : super.def(source);
	}
}

function createLexer(definitions: Definitions): Lexer {
	const lexer = new Lexer({
		gfm: true,
		tokenizer: new BlockTokenizer(),
		extensions: {
			renderers: {},
			childTokens: {},
			block: [readMathBlock],
			startBlock: [findMathBlock],
			inline: [readMath],
			startInline: [findMathStart],
		},
	});
	lexer.tokens.links = definitions;
	return lexer;
}

function lexSource(lexer: Lexer, source: string): readonly Token[] {
	try {
		return lexer.blockTokens(source, lexer.tokens);
	} catch {
		// Blocks nested too deep for the stack, which no person writes.
		lexer.inlineQueue = [];
		return [{type: 'paragraph', raw: source, text: source, tokens: [literal(source)]}];
	}
}

function lexTextInto(tokens: Token[], text: string, lexer: Lexer): readonly Token[] {
	for (const part of partsOf(text)) lexPartInto(tokens, part, lexer);
	return tokens;
}

/** A longer block is cut and goes on as a new one. */
export const maxBlockLength = 16_384;

/** Cuts a text exceeding a screen block, at a space if there is one. */
function partsOf(text: string): readonly string[] {
	const parts: string[] = [];
	let rest = text;
	while (rest.length > maxBlockLength) {
		const space = rest.lastIndexOf(' ', maxBlockLength);
		const end = space > 0 ? space : maxBlockLength;
		parts.push(rest.slice(0, end));
		rest = rest.slice(end);
	}
	return [...parts, rest];
}

function lexPartInto(tokens: Token[], text: string, lexer: Lexer): readonly Token[] {
	lexer.state.inRawBlock = false;
	lexer.state.inLink = false;
	const lengthBefore = tokens.length;
	if (!isCostly(text)) {
		try {
			return lexer.inlineTokens(text, tokens);
		} catch {
			tokens.length = lengthBefore;
		}
	}
	tokens.push(literal(text));
	return tokens;
}

function literal(text: string): Tokens.Text {
	return {type: 'text', raw: text, text, escaped: false};
}

// Each of these characters may make the lexer scan all the text after it once. The limits count
// characters scanned, a few milliseconds each; a text of 4,000 characters may have 30 links.
const stepLimits: ReadonlyArray<readonly [characters: RegExp, steps: number]> = [
	[/[[<]/g, 120_000],
	[/[*_~`]/g, 2_000_000],
];
const alwaysCheap = 500;

function isCostly(text: string): boolean {
	if (text.length < alwaysCheap) return false;
	return stepLimits.some(([characters, steps]) => {
		const found = text.match(characters)?.length ?? 0;
		return found * text.length > steps;
	});
}

/** A longer `$…$` is ordinary text, which bounds how far the lexer looks ahead. */
export const maxFormulaLength = 300;

/**
 * TeX, which Markdown leaves alone. `$…$` is a formula only if it can be neither prices nor shell
 * variables.
 */
const formula =
	/^(?:\$\$[^$]{1,996}\$\$|\$(?![\s${])[^$\n]{0,297}(?<![\s\\$])\$(?!(?!(?:th|s)\b)[\w$({])|\\\((?:[^\\]|\\(?!\))){1,996}\\\)|\\\[(?:[^\\]|\\(?!\])){1,996}\\\])/;

/** Longer ones are text, too. */
export const maxMathBlock = 1_000;

/** A formula on lines of its own, possibly starting with a list mark. It has no empty line. */
const mathBlock =
	/^ {0,3}(?:\$\$(?:(?!\n[ \t]*\n)[^$]){1,996}\$\$|\\\[(?:(?!\n[ \t]*\n|\\\]).){1,996}\\\])[ \t]*(?=\n|$)/s;
function readMathBlock(source: string): Tokens.Generic | undefined {
	const raw = mathBlock.exec(source)?.[0];
	return raw === undefined ? undefined : {type: 'math', raw, text: raw.trim()};
}

/** Returns where a formula may end the paragraph above. */
function findMathBlock(source: string): number | undefined {
	const [paragraph = ''] = source.split(/\n[ \t]*\n/, 1);
	const start = paragraph.search(/\n {0,3}(?:\$\$|\\\[)/);
	return start < 0 ? undefined : start + 1;
}

function readMath(source: string): Tokens.Generic | undefined {
	const raw = formula.exec(source)?.[0];
	return raw === undefined ? undefined : {type: 'math', raw, text: raw};
}

/** Returns a formula's possible start, where the lexer ends plain text. */
function findMathStart(source: string): number {
	return source.search(/\$|\\[([]/);
}
