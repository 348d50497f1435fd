/**
 * Removes escape sequences and invisible characters from text that arrives in pieces.
 *
 * Each step depends on the state and one character, so the cost is linear and the result does not
 * depend on the cuts. The length of a sequence is bounded.
 */
/** The meaning of a character to a terminal. */
type CharacterKind =
	| 'printable'
	| 'tab'
	| 'newline'
	| 'return'
	/** U+2028 and U+2029. */
	| 'separator'
	/** BEL, CAN, SUB and ST as one C1 character: each ends a string. */
	| 'terminator'
	| 'escape'
	/** All other C0 and C1 controls, and DEL. */
	| 'control'
	/** The columns of ASCII that sequences consist of; plain text outside them. */
	| 'intermediate'
	| 'parameter'
	| 'final'
	| 'bracket'
	/** `P X ] ^ _`: after ESC they begin DCS, SOS, OSC, PM, APC. */
	| 'opener'
	/** CSI and the five strings as one C1 character. */
	| 'c1Sequence'
	| 'c1String'
	| 'loneSurrogate'
	| 'invisible';

/** Later rows win. */
const kindRanges: ReadonlyArray<readonly [first: number, last: number, kind: CharacterKind]> = [
	[0x00, 0x1f, 'control'],
	[0x07, 0x07, 'terminator'],
	[0x09, 0x09, 'tab'],
	[0x0a, 0x0a, 'newline'],
	[0x0d, 0x0d, 'return'],
	[0x18, 0x18, 'terminator'],
	[0x1a, 0x1a, 'terminator'],
	[0x1b, 0x1b, 'escape'],
	[0x20, 0x2f, 'intermediate'],
	[0x30, 0x3f, 'parameter'],
	[0x40, 0x7e, 'final'],
	[0x50, 0x50, 'opener'],
	[0x58, 0x58, 'opener'],
	[0x5b, 0x5b, 'bracket'],
	[0x5d, 0x5f, 'opener'],
	[0x7f, 0x9f, 'control'],
	[0x90, 0x90, 'c1String'],
	[0x98, 0x98, 'c1String'],
	[0x9b, 0x9b, 'c1Sequence'],
	[0x9c, 0x9c, 'terminator'],
	[0x9d, 0x9f, 'c1String'],
];

const kindOfCode: readonly CharacterKind[] = Array.from(
	{length: 0xa0},
	(_, code) =>
		kindRanges.findLast(([first, last]) => code >= first && code <= last)?.[2] ?? 'printable',
);

/**
 * Everything that is filtered or replaced: controls except tab and LF, line separators, lone
 * surrogates, and all characters without a shape (bidi controls, zero-width characters, fillers, tags,
 * variation selectors 17 to 256, annotation marks). ZWNJ, ZWJ and the first 16 variation selectors
 * stay: scripts and emoji need them.
 */
const special =
	/(?!\t|\n|\u200c|\u200d|[\ufe00-\ufe0f])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/u;

function kindOf(character: string): CharacterKind {
	const code = character.codePointAt(0) ?? 0;
	const kind = kindOfCode[code];
	if (kind !== undefined) return kind;
	if (code === 0x2028 || code === 0x2029) return 'separator';
	if (code >= 0xd800 && code <= 0xdfff) return 'loneSurrogate';
	return special.test(character) ? 'invisible' : 'printable';
}

/** Longest sequence; the characters after that are text again. */
const maxSequenceLength = 65_536;

/** In text, after a CR, or inside a sequence of ECMA-48. */
type State = 'text' | 'return' | 'escape' | 'intermediate' | 'sequence' | 'string';

type Move = {readonly to: State; readonly emit?: string};
type Moves = {readonly [kind in CharacterKind]?: Move};

const enterText: Move = {to: 'text'};
const enterEscape: Move = {to: 'escape'};
const enterIntermediate: Move = {to: 'intermediate'};
const enterSequence: Move = {to: 'sequence'};
const enterString: Move = {to: 'string'};

/**
 * A kind without a move ends the sequence and is handled as in text; without a move there, it is
 * kept. So ESC, a terminator or a line end closes anything, and a broken or unfinished sequence
 * hides no text after it.
 */
const movesOfState: {readonly [state in State]: Moves} = {
	text: {
		return: {to: 'return', emit: '\n'},
		separator: {to: 'text', emit: '\n'},
		loneSurrogate: {to: 'text', emit: '\ufffd'},
		escape: enterEscape,
		c1Sequence: enterSequence,
		c1String: enterString,
		terminator: enterText,
		control: enterText,
		invisible: enterText,
	},
	return: {newline: enterText},
	escape: {
		bracket: enterSequence,
		opener: enterString,
		intermediate: enterIntermediate,
		parameter: enterText,
		final: enterText,
	},
	intermediate: {
		intermediate: enterIntermediate,
		parameter: enterText,
		final: enterText,
		bracket: enterText,
		opener: enterText,
	},
	sequence: {
		intermediate: enterSequence,
		parameter: enterSequence,
		final: enterText,
		bracket: enterText,
		opener: enterText,
	},
	string: {
		printable: enterString,
		tab: enterString,
		control: enterString,
		intermediate: enterString,
		parameter: enterString,
		final: enterString,
		bracket: enterString,
		opener: enterString,
		loneSurrogate: enterString,
		invisible: enterString,
	},
};

export interface ControlFilter {
	push(text: string): string;
	/** Returns the text held back and resets the filter. */
	end(): string;
}

export function createControlFilter(): ControlFilter {
	const nextSpecial = new RegExp(special, 'gu');
	let state: State = 'text';
	let swallowed = 0;
	let heldSurrogate = '';

	const step = (character: string): string => {
		const kind = kindOf(character);
		let move = movesOfState[state][kind];
		if (move === undefined || swallowed === maxSequenceLength) {
			state = 'text';
			move = movesOfState.text[kind];
		}
		if (move === undefined) return character;
		swallowed = move.to === state ? swallowed + 1 : 0;
		state = move.to;
		return move.emit ?? '';
	};

	const filter = (text: string): string => {
		let output = '';
		let index = 0;
		while (index < text.length) {
			if (state === 'text') {
				nextSpecial.lastIndex = index;
				const end = nextSpecial.exec(text)?.index ?? text.length;
				output += text.slice(index, end);
				index = end;
				if (index === text.length) break;
			}
			const character = String.fromCodePoint(text.codePointAt(index) ?? 0);
			output += step(character);
			index += character.length;
		}
		return output;
	};

	return {
		push(text) {
			const whole = heldSurrogate + text;
			heldSurrogate = endsInHighSurrogate(whole) ? whole.slice(-1) : '';
			return filter(heldSurrogate === '' ? whole : whole.slice(0, -1));
		},
		end() {
			const rest = filter(heldSurrogate);
			heldSurrogate = '';
			state = 'text';
			return rest;
		},
	};
}

function endsInHighSurrogate(text: string): boolean {
	const last = text.charCodeAt(text.length - 1);
	return last >= 0xd800 && last <= 0xdbff;
}
