/**
 * The states of the key parser, and what becomes of one that ends before its time.
 */
import {isControlKey, keyOfCharacter, keyOfControl} from './character-keys.ts';
import {createKey, type KeyInput, type KeyPress} from './key-input.ts';
import type {PasteCollector} from './paste-collector.ts';

/** What the characters so far have begun. */
export type State =
	| {readonly name: 'ground'}
	/** Behind ESC, or ESC ESC; `string` is the one that this ESC may close. */
	| {readonly name: 'escape'; readonly isDoubled: boolean; readonly string?: StringState}
	/** Behind `ESC [` or `ESC O`. */
	| SequenceState
	/** In an answer of the terminal that is a string (OSC, DCS, APC, PM, SOS). */
	| StringState
	| {readonly name: 'paste'; readonly paste: PasteCollector};

export type SequenceState = {
	readonly name: 'sequence';
	readonly introducer: '[' | 'O';
	readonly isDoubled: boolean;
	readonly body: string;
};

export type StringState = {
	readonly name: 'string';
	readonly introducer: string;
	readonly length: number;
};

export type Emit = (input: KeyInput) => void;

export const escapeKey = createKey('escape');

const keyDelayMs = 50;
const sequenceDelayMs = 1000;

/** A sequence that does not go on: with nothing in it, it was Alt and its introducer. */
export function abandonSequence({introducer, isDoubled, body}: SequenceState, emit: Emit): void {
	if (isDoubled) emit(escapeKey);
	if (body === '') emit(altKey(introducer));
}

/** A string that breaks off: with nothing in it, it was Alt and its introducer. */
export function abandonString({introducer, length}: StringState, emit: Emit): void {
	if (length === 0) emit(altKey(introducer));
}

/** Delivers what a state has begun as the keys it may be; drops it if it can be none. */
export function flushState(state: State, emit: Emit): void {
	switch (state.name) {
		case 'escape':
			if (state.string !== undefined) abandonString(state.string, emit);
			if (state.isDoubled) emit(escapeKey);
			emit(escapeKey);
			break;
		case 'sequence':
			abandonSequence(state, emit);
			break;
		case 'string':
			abandonString(state, emit);
			break;
		case 'paste':
			emit(state.paste.finish());
			break;
		case 'ground':
			break;
		default:
			state satisfies never;
	}
}

/** Milliseconds without input after which a state is flushed; see `KeyParser.flushDelayMs`. */
export function flushDelayOf(state: State): number | undefined {
	if (state.name === 'ground') return undefined;
	if (state.name === 'escape' && state.string === undefined) return keyDelayMs;
	// Alt-_ is spelled as a string begins, and is a key of its own.
	if (state.name === 'string' && state.length === 0) return keyDelayMs;
	return sequenceDelayMs;
}

/** The key of a character behind ESC. */
export function altKey(character: string): KeyPress {
	const code = character.charCodeAt(0);
	if (isControlKey(code)) return {...keyOfControl(code), alt: true};
	return keyOfCharacter(character, {alt: true});
}
