/**
 * Brings texts into the form in which a quotation is compared with its source: NFKC, lower case,
 * without marks of quotation and Markdown, with one kind of dash and single blanks, and with words
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
	flags[code] = findFlags(code, found);
	return found;
}

/** Flags let most units be copied without a branch, which real words would make unpredictable. */
const flags = new Uint8Array(65_536);
/** Stays as it is after a unit that was put. */
const plainFlag = 1;
const afterBlankFlag = 2;
const blankFlag = 4;
/** The bit by which letters differ in ASCII. */
const upperCaseFlag = 0x20;

const plainKinds = new Set<number>([kinds.letter, kinds.digit, kinds.symbol, kinds.lineMark]);

function findFlags(code: number, kind: number): number {
	if (code === blankCode) return blankFlag;
	if (kind === kinds.closing || kind === kinds.ideograph) return plainFlag;
	if (!plainKinds.has(kind)) return 0;
	return plainFlag | afterBlankFlag | (code >= 0x41 && code <= 0x5a ? upperCaseFlag : 0);
}

/** Whether a unit belongs to a word or a number that blanks delimit. */
export function isInWord(code: number): boolean {
	const kind = kindOf(code);
	return kind === kinds.letter || kind === kinds.digit;
}

export function isLetter(code: number): boolean {
	return kindOf(code) === kinds.letter;
}

export function isDigit(code: number): boolean {
	return kindOf(code) === kinds.digit;
}

const carriageReturn = 0x0d;
const blankCode = 0x20;
const dashCode = 0x2d;
const apostropheCode = 0x27;

/** A part of a normalized text; its arrays are reused for the next one. */
export type NormalizedPart = {
	/** UTF-16 units. */
	readonly codes: Uint16Array;
	readonly length: number;
	/** Where each line of the source begins that begins in this part. */
	readonly lineStarts: readonly number[];
};

export type Normalizer = {
	/** Takes the next text, a piece of `cutPieces`. */
	push(text: string): NormalizedPart;
};

const maxPieceLength = 8192;
/** NFKC makes up to 18 units of one. */
export const maxPartLength = maxPieceLength * 18;

/** The folded text of one push. */
const units = new Uint16Array(maxPartLength + 1);
const unitBytes = Buffer.from(units.buffer);

export function createNormalizer(): Normalizer {
	const codes = new Uint16Array(maxPartLength);
	const lineStarts: number[] = [];
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

	const take = (code: number, kind: number) => {
		switch (kind) {
			case kinds.dropped:
				return;
			case kinds.lineEnd:
				takeBlank(true);
				if (code !== carriageReturn) lineStarts.push(length);
				return;
			case kinds.blank:
				takeBlank(false);
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
		put(code, kind);
	};

	return {
		push(text) {
			length = 0;
			lineStarts.length = 0;
			const end = unitBytes.write(fold(text), 'utf16le') / 2;
			units[end] = 0;
			for (let index = 0; index < end; index++) {
				const before = length;
				const code = units[index] ?? 0;
				const kind = kindOf(code);
				take(code | ((flags[code] ?? 0) & upperCaseFlag), kind);
				if (length === before || kind === kinds.opening) continue;
				const copied = copyPlain(index + 1, end, codes, length);
				if (copied === 0) continue;
				length += copied;
				index += copied;
				lastKind = kindOf(units[index] ?? 0);
			}
			return {codes, length, lineStarts};
		},
	};
}

/** Copies plain units, and the single blanks between them; returns how many. */
function copyPlain(from: number, end: number, codes: Uint16Array, at: number): number {
	// Faster than names of the module.
	const known = flags;
	const folded = units;
	const shift = at - from;
	let index = from;
	let flagsHere = known[folded[index] ?? 0] ?? 0;
	for (; index < end; index++) {
		const flagsNext = known[folded[index + 1] ?? 0] ?? 0;
		const isSingleBlank = (flagsHere >> 2) & (flagsNext >> 1);
		if (((flagsHere | isSingleBlank) & plainFlag) === 0) break;
		codes[index + shift] = (folded[index] ?? 0) | (flagsHere & upperCaseFlag);
		flagsHere = flagsNext;
	}
	return index - from;
}

/** Leaves the case of ASCII, which costs less later. */
function fold(text: string): string {
	if (Buffer.byteLength(text) === text.length) return text;
	return text.normalize('NFKC').toLowerCase().replaceAll('ς', 'σ');
}

/** Returns a short text in its normal form. */
export function normalize(text: string): string {
	const normalizer = createNormalizer();
	let normal = '';
	for (const piece of cutPieces(text)) {
		const {codes, length} = normalizer.push(piece);
		normal += Buffer.from(codes.buffer, 0, length * 2).toString('utf16le');
	}
	return normal;
}

/** Cuts a text into pieces for a normalizer, at blanks if there are any. */
export function* cutPieces(text: string): Generator<string, void, undefined> {
	for (let start = 0; start < text.length; ) {
		let end = Math.min(start + maxPieceLength, text.length);
		if (end < text.length) end = findBlank(text, start, end) ?? end;
		yield text.slice(start, end);
		start = end;
	}
}

function findBlank(text: string, start: number, end: number): number | undefined {
	for (let index = end; index > start; index--) {
		if (text.charCodeAt(index) <= blankCode) return index;
	}
	return undefined;
}
