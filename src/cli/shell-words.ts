/** The words of a command as a user writes it into a variable. Nothing is expanded or run. */

export class UnclosedQuoteError extends Error {
	override readonly name = 'UnclosedQuoteError';
}

/** One piece of a word: plain, in single or in double quotes, or behind a backslash. */
const pieces = /[^\s'"\\]+|'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|(\s+)/y;

/** The same where a backslash is part of a path. */
const windowsPieces = /[^\s"]+|"([^"]*)"|(\s+)/y;

/**
 * @param platform on `win32` a backslash is a character as any other, and a single quote too
 * @throws {UnclosedQuoteError} when a quote does not end
 */
export function splitShellWords(text: string, platform: string): readonly string[] {
	return platform === 'win32' ? splitWords(text, readWindowsPiece) : splitWords(text, readPiece);
}

type Piece = {
	readonly length: number /** Undefined: a space between words. */;
	readonly text: string | undefined;
};

type ReadPiece = (text: string, place: number) => Piece | undefined;

function splitWords(text: string, read: ReadPiece): readonly string[] {
	const words: string[] = [];
	let word: string | undefined;
	let place = 0;
	while (place < text.length) {
		const piece = read(text, place);
		if (piece === undefined) throw new UnclosedQuoteError('a quote is not closed');
		place += piece.length;
		if (piece.text === undefined) {
			if (word !== undefined) words.push(word);
			word = undefined;
		} else {
			word = (word ?? '') + piece.text;
		}
	}
	return word === undefined ? words : [...words, word];
}

const readPiece: ReadPiece = (text, place) => {
	pieces.lastIndex = place;
	const match = pieces.exec(text);
	if (match === null) return undefined;
	const [whole, single, double, escaped, space] = match;
	const inside = single ?? double?.replace(/\\([$`"\\\n])/g, '$1') ?? escaped;
	return {length: whole.length, text: space === undefined ? (inside ?? whole) : undefined};
};

const readWindowsPiece: ReadPiece = (text, place) => {
	windowsPieces.lastIndex = place;
	const match = windowsPieces.exec(text);
	if (match === null) return undefined;
	const [whole, quoted, space] = match;
	return {length: whole.length, text: space === undefined ? (quoted ?? whole) : undefined};
};
