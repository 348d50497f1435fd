/**
 * Brings texts into the form in which a quotation is compared with its source: NFKC, lower case,
 * without quotation marks and Markdown, with one kind of dash and single blanks, and with words
 * joined that a line end divides.
 */

/** The kinds of UTF-16 units in folded text. */
const kinds = {
	unknown: 0,
	letter: 1,
	digit: 2,
	/** Chinese and Japanese, written without blanks. */
	ideograph: 3,
	symbol: 4,
	/** Typography puts blanks before it in some languages. */
	closing: 5,
	opening: 6,
	blank: 7,
	lineEnd: 8,
	hyphen: 9,
	dash: 10,
	apostrophe: 11,
	softHyphen: 12,
	/** Marks a quote or a heading at the start of a line. */
	lineMark: 13,
	dropped: 14,
} as const;

const patterns: ReadonlyArray<readonly [kind: number, pattern: RegExp]> = [
	[kinds.softHyphen, /\u00ad/],
	[kinds.lineEnd, /[\n\r\u2028\u2029]/],
	[kinds.blank, /[\s|]/],
	[kinds.hyphen, /[-\u2010]/],
	[kinds.dash, /[\u2012-\u2015\u2212]/],
	[kinds.apostrophe, /['\u2018\u2019\u02bc]/],
	[kinds.lineMark, /[#>]/],
	[kinds.dropped, /["\u201a-\u201f\u2039\u203a«»「」『』*_`\\[\]\p{Cf}\p{Cc}]/u],
	[kinds.closing, /[;:!?,.)%]/],
	[kinds.opening, /\(/],
	[kinds.ideograph, /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]/u],
	[kinds.digit, /\p{N}/u],
	// A lone half is of a rare letter or an emoji.
	[kinds.letter, /[\p{L}\p{M}\p{Cs}]/u],
];

function findKind(code: number): number {
	const text = String.fromCharCode(code);
	return patterns.find(([, pattern]) => pattern.test(text))?.[0] ?? kinds.symbol;
}

const known = new Uint8Array(65_536);

/** Looks each unit up once. */
function kindOf(code: number): number {
	const kind = known[code];
	if (kind !== undefined && kind !== kinds.unknown) return kind;
	const found = findKind(code);
	known[code] = found;
	if (found < kinds.blank) keptUnits[code] = lowerCase(code);
	wordUnits[code] = isWordKind(found) ? 1 : 0;
	return found;
}

/**
 * Maps units of folded text to lower case if every normal form keeps them, else to 0: blanks, dashes,
 * apostrophes.
 */
export const keptUnits = new Uint16Array(65_536);
/** Has 1 for units of words and numbers, which blanks delimit. */
export const wordUnits = new Uint8Array(65_536);

for (let code = 0; code < 128; code++) kindOf(code);

function lowerCase(code: number): number {
	return code >= 0x41 && code <= 0x5a ? code | 0x20 : code;
}

function isWordKind(kind: number): boolean {
	return kind === kinds.letter || kind === kinds.digit;
}

export function isDigit(code: number): boolean {
	return kindOf(code) === kinds.digit;
}

const blankCode = 0x20;
const dashCode = 0x2d;
const apostropheCode = 0x27;

/** Returns the normal form of folded text. */
export function normalizeUnits(units: Uint16Array): Uint16Array {
	const codes = new Uint16Array(units.length);
	let length = 0;
	let lastKind: number = kinds.unknown;
	/** A hyphen or dash that waits for the next unit, and the blanks around it. */
	let joint: 'none' | 'hyphen' | 'dash' = 'none';
	let isJointSpaced = false;
	let hasBlank = true;
	let isLineStart = true;
	let isSoft = false;
	let hasApostrophe = false;

	const put = (code: number, kind: number) => {
		codes[length++] = code;
		lastKind = kind;
	};

	const takeJoint = (kind: number) => {
		const isHyphen = kind === kinds.hyphen && joint === 'none' && !hasBlank;
		isJointSpaced ||= hasBlank;
		joint = isHyphen ? 'hyphen' : 'dash';
		hasBlank = false;
		isLineStart = false;
	};

	const takeBlank = (isLineEnd: boolean) => {
		// A hyphen before a blank is a dash; at a line end it divides a word.
		if (joint === 'hyphen' && !hasBlank && !isLineEnd) joint = 'dash';
		if (!isLineEnd) isSoft &&= isLineStart;
		hasBlank = true;
		isLineStart ||= isLineEnd;
	};

	/** Writes what has waited for a unit of this kind. */
	const settle = (kind: number) => {
		const isBetweenLetters = kind === kinds.letter && lastKind === kinds.letter;
		if (joint !== 'none') {
			settleJoint(kind, isBetweenLetters);
		} else if (hasBlank) {
			if (!isSoft && !isTight(kind)) put(blankCode, kinds.blank);
		} else if (hasApostrophe && isBetweenLetters) {
			put(apostropheCode, kinds.symbol);
		}
		joint = 'none';
		isJointSpaced = false;
		hasBlank = false;
		isLineStart = false;
		isSoft = false;
		hasApostrophe = false;
	};

	/** Keeps the minus of a number and the dash of a range; other dashes are like blanks. */
	const settleJoint = (kind: number, isBetweenLetters: boolean) => {
		const isRange = kind === kinds.digit && lastKind === kinds.digit;
		const isMinus = kind === kinds.digit && !hasBlank;
		if (joint === 'hyphen' && isBetweenLetters) return;
		if (!isRange && (isJointSpaced || !isMinus) && !isTight(kind)) put(blankCode, kinds.blank);
		if (isRange || isMinus) put(dashCode, kinds.symbol);
	};

	/** Whether no blank counts here, or typography decides about it. */
	const isTight = (kind: number) =>
		lastKind === kinds.unknown ||
		kind === kinds.closing ||
		lastKind === kinds.opening ||
		(kind === kinds.ideograph && lastKind === kinds.ideograph);

	const take = (code: number) => {
		const kind = kindOf(code);
		switch (kind) {
			case kinds.dropped:
				return;
			case kinds.lineEnd:
			case kinds.blank:
				takeBlank(kind === kinds.lineEnd);
				return;
			case kinds.hyphen:
			case kinds.dash:
				takeJoint(kind);
				return;
			case kinds.softHyphen:
				isSoft = true;
				return;
			case kinds.apostrophe:
				hasApostrophe = true;
				return;
			case kinds.lineMark:
				if (isLineStart) return;
		}
		settle(kind);
		put(lowerCase(code), kind);
	};

	for (const code of units) take(code);
	return codes.subarray(0, length);
}

/** The longest text to fold at once. */
const maxPieceLength = 2048;
/** NFKC makes up to 18 units of one. */
export const maxFoldedLength = maxPieceLength * 18;

/** Folds a text of any length, piece by piece, each at most `maxFoldedLength` long. */
export function* foldPieces(text: string): Generator<string, void, undefined> {
	for (let start = 0; start < text.length; ) {
		let end = Math.min(start + maxPieceLength, text.length);
		if (end < text.length) end = findBlank(text, start, end) ?? end;
		yield fold(text.slice(start, end));
		start = end;
	}
}

function findBlank(text: string, start: number, end: number): number | undefined {
	for (let index = end; index > start; index--) {
		if (text.charCodeAt(index) <= blankCode) return index;
	}
	return undefined;
}

/** Leaves the case of ASCII, which costs less later. */
function fold(text: string): string {
	if (Buffer.byteLength(text) === text.length) return text;
	const folded = text.normalize('NFKC').toLowerCase().replaceAll('ς', 'σ');
	for (let index = 0; index < folded.length; index++) {
		const code = folded.charCodeAt(index);
		if (code > 127) kindOf(code);
	}
	return folded;
}

/** Returns a short text in its normal form. */
export function normalize(text: string): string {
	return fromUnits(normalizeUnits(toUnits([...foldPieces(text)].join(''))));
}

export function toUnits(text: string): Uint16Array {
	const units = new Uint16Array(text.length);
	Buffer.from(units.buffer).write(text, 'utf16le');
	return units;
}

function fromUnits({buffer, byteOffset, byteLength}: Uint16Array): string {
	return Buffer.from(buffer, byteOffset, byteLength).toString('utf16le');
}
