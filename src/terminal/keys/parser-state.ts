/** The states of the key parser, and the keys of a state that ends early. */
import {isControlKey, keyOfCharacter, keyOfControl} from './character-keys.ts';
import {createKey, type KeyInput, type KeyPress} from './key-input.ts';
import type {PasteCollector} from './paste-collector.ts';

export type State =
	| {readonly name: 'ground'}
	/** After ESC, or ESC ESC; `string` is the one that this ESC may close. */
	| {readonly name: 'escape'; readonly isDoubled: boolean; readonly string?: StringState}
	/** After `ESC [` or `ESC O`. */
	| SequenceState
	/** In a string that the terminal sends (OSC, DCS, APC, PM, SOS). */
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

/** Ends an unfinished sequence; an empty one was Alt with its introducer. */
export function abandonSequence({introducer, isDoubled, body}: SequenceState, emit: Emit): void {
	if (isDoubled) emit(escapeKey);
	if (body === '') emit(altKey(introducer));
}

/** Ends an unfinished string; an empty one was Alt with its introducer. */
export function abandonString({introducer, length}: StringState, emit: Emit): void {
	if (length === 0) emit(altKey(introducer));
}

/** Emits the keys that an unfinished state may be, if any. */
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

/** See `KeyParser.flushDelayMs`. */
export function flushDelayOf(state: State): number | undefined {
	if (state.name === 'ground') return undefined;
	if (state.name === 'escape' && state.string === undefined) return keyDelayMs;
	// Alt-_ is encoded like the start of a string.
	if (state.name === 'string' && state.length === 0) return keyDelayMs;
	return sequenceDelayMs;
}

/** Returns the key of a character after ESC. */
export function altKey(character: string): KeyPress {
	const code = character.charCodeAt(0);
	if (isControlKey(code)) return {...keyOfControl(code), alt: true};
	return keyOfCharacter(character, {alt: true});
}
