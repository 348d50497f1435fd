/** Splits an unfinished command line as its shell would. Nothing in it is ever expanded or run. */
import type {shells} from '../../command-line/resolve-command.ts';

export type Shell = (typeof shells)[number];

type Dialect = {
	readonly escape: string;
	/** The characters it may stand before within single and within double quotes; undefined for anything. */
	readonly escapable: Readonly<Record<"'" | '"', string | undefined>>;
	/** Whether a command may stand in backticks. */
	readonly hasBackticks: boolean;
	/** The characters that mean a straight quote. */
	readonly quotes: Readonly<Record<"'" | '"', string>>;
	/** Whether two quotes within quotes mean one. */
	readonly doublesQuotes: boolean;
};

const posix: Dialect = {
	escape: '\\',
	escapable: {"'": '', '"': '$`"\\\n'},
	hasBackticks: true,
	quotes: {"'": "'", '"': '"'},
	doublesQuotes: false,
};

const dialects: Readonly<Record<Shell, Dialect>> = {
	bash: posix,
	zsh: posix,
	fish: {...posix, escapable: {"'": "\\'", '"': '$"\\\n'}, hasBackticks: false},
	powershell: {
		escape: '`',
		escapable: {"'": '', '"': undefined},
		hasBackticks: false,
		quotes: {"'": "'‘’‚‛", '"': '"“”„'},
		doublesQuotes: true,
	},
};

/** `$'` is the quote with escapes of bash and zsh; `escape` one character that is not there yet. */
export type Quote = '' | "'" | '"' | "$'" | 'escape';

export type LastWord = {
	/** Without its quotes. */
	readonly text: string;
	/** As typed. */
	readonly raw: string;
	/** The quote that is still open. */
	readonly quote: Quote;
	/** Whether it is a file that input or output is redirected to. */
	readonly isRedirection: boolean;
};

export type SplitLine = {
	/** The words before the last one, without their quotes. */
	readonly words: readonly string[];
	readonly last: LastWord;
};

/** @param line up to the cursor. What counts is its last command, which may be within another one. */
export function splitLine(line: string, shell: Shell): SplitLine {
	let command = createCommand(undefined, 0, '');
	for (let place = 0; place < line.length; ) {
		const token = readToken(line.slice(place), command, dialects[shell]);
		command = takeToken(token, command, line, place);
		place += token.raw.length;
	}
	const {words, text, start, quote, isRedirection} = command;
	return {
		words,
		last: {text, raw: line.slice(start ?? line.length), quote, isRedirection},
	};
}

type Command = {
	words: string[];
	/** The last word. */
	text: string;
	/** Where the last word starts; undefined between two words. */
	start: number | undefined;
	quote: Quote;
	isRedirection: boolean;
	/** The command that it is part of, where it starts there, and what ends it. */
	readonly outer: Command | undefined;
	readonly opening: number;
	readonly end: string;
};

function createCommand(outer: Command | undefined, opening: number, end: string): Command {
	const empty = {text: '', start: undefined, quote: '', isRedirection: false} as const;
	return {...empty, words: [], outer, opening, end};
}

type Token = {readonly raw: string} & (
	| {readonly type: 'text'; readonly text: string}
	| {readonly type: 'quote'; readonly quote: Quote}
	| {readonly type: 'open'; readonly end: string}
	| {readonly type: 'close' | 'separator' | 'redirection' | 'blank'}
);

function readToken(rest: string, {quote, end}: Command, dialect: Dialect): Token {
	const [first = '', second = ''] = rest;
	if (first === dialect.escape && canEscape(second, quote, dialect)) {
		return second === ''
			? {type: 'quote', raw: first, quote: 'escape'}
			: textOf(first + second, second === '\n' ? '' : second);
	}
	const isSame = quote !== '' && readQuote(first, dialect) === quote;
	if (dialect.doublesQuotes && isSame && readQuote(second, dialect) === quote) {
		return textOf(first + second, second);
	}
	const isSingle = quote === "'" || quote === "$'";
	const opened = isSingle ? undefined : readCommand(rest, end, dialect);
	if (opened !== undefined) return opened;
	if (quote === '') return readUnquoted(rest, end, dialect);
	const closing = isSingle ? "'" : quote;
	const isClosing = readQuote(first, dialect) === closing;
	return isClosing ? {type: 'quote', raw: first, quote: ''} : textOf(first);
}

/** Returns the straight quote that a character means. */
function readQuote(character: string, {quotes}: Dialect): "'" | '"' | undefined {
	if (character === '') return undefined;
	if (quotes["'"].includes(character)) return "'";
	return quotes['"'].includes(character) ? '"' : undefined;
}

function textOf(raw: string, text = raw): Token {
	return {type: 'text', raw, text};
}

/** Reads the start of a command in a word, or the end of one in backticks. */
function readCommand(rest: string, end: string, {hasBackticks}: Dialect): Token | undefined {
	if (rest.startsWith('$(')) return {type: 'open', raw: '$(', end: ')'};
	if (!rest.startsWith('`') || !hasBackticks) return undefined;
	return end === '`' ? {type: 'close', raw: end} : {type: 'open', raw: '`', end: '`'};
}

function canEscape(next: string, quote: Quote, {escapable}: Dialect): boolean {
	if (quote !== "'" && quote !== '"') return true;
	const allowed = escapable[quote];
	if (allowed === undefined) return true;
	return next === '' ? allowed !== '' : allowed.includes(next);
}

function readUnquoted(rest: string, end: string, dialect: Dialect): Token {
	const [raw = ''] = rest;
	if (rest.startsWith("$'") && dialect.hasBackticks) return {type: 'quote', raw: "$'", quote: "$'"};
	const quote = readQuote(raw, dialect);
	if (quote !== undefined) return {type: 'quote', raw, quote};
	if (raw === '(') return {type: 'open', raw, end: ')'};
	if (raw === end) return {type: 'close', raw};
	const redirection = /^&?[<>]+[&|]?/.exec(rest)?.[0];
	if (redirection !== undefined) return {type: 'redirection', raw: redirection};
	if (/[|&;)\n]/.test(raw)) return {type: 'separator', raw};
	return /\s/.test(raw) ? {type: 'blank', raw} : textOf(raw);
}

/** Returns the command that the next token belongs to. */
function takeToken(token: Token, command: Command, line: string, place: number): Command {
	const {type, raw} = token;
	switch (type) {
		case 'text':
			command.start ??= place;
			command.text += token.text;
			return command;
		case 'quote':
			command.start ??= place;
			command.quote = token.quote;
			return command;
		case 'open':
			command.start ??= place;
			return createCommand(command, place, token.end);
		case 'close': {
			const {outer = command, opening} = command;
			outer.text += line.slice(opening, place + raw.length);
			return outer;
		}
		case 'separator':
			return createCommand(command.outer, command.opening, command.end);
		case 'redirection':
			// The 2 of `2>` is not a word.
			if (/^\d$/.test(command.text)) command.start = undefined;
			endWord(command);
			command.isRedirection = true;
			return command;
		case 'blank':
			endWord(command);
			return command;
		default:
			return type satisfies never;
	}
}

function endWord(command: Command): void {
	const {start, text, isRedirection} = command;
	if (start !== undefined && !isRedirection) command.words.push(text);
	if (start !== undefined) command.isRedirection = false;
	command.start = undefined;
	command.text = '';
}
