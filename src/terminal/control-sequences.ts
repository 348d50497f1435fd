/**
 * Removes escape sequences and invisible characters from text that arrives in pieces.
 *
 * Each step depends on the state and one character, so the cost is linear and the result does not
 * depend on the cuts. The length of a sequence is bounded.
 */
import {type CharacterKind, kindOf, special} from './character-kind.ts';

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
