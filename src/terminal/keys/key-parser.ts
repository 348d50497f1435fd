/**
 * Parses terminal input into keys: a state machine whose result does not depend on the cuts.
 * A control character, its end, or `flush` leaves every state, so that no input blocks the keys.
 */
import {findControl, isControl, isControlKey, keyOfControl} from './character-keys.ts';
import {decodeCsi, decodeSs3} from './decode-sequence.ts';
import type {KeyInput} from './key-input.ts';
import {
	abandonSequence,
	abandonString,
	altKey,
	type Emit,
	escapeKey,
	flushDelayOf,
	flushState,
	type SequenceState,
	type State,
	type StringState,
} from './parser-state.ts';
import {createPasteCollector, pasteStart} from './paste-collector.ts';

/** The next state and position; at least one of them changes in each step. */
type Progress = {readonly state: State; readonly position: number};

export interface KeyParser {
	readonly isPasting: boolean;
	/**
	 * Milliseconds without input after which `flush` is due: short if a key may be complete, long
	 * if only the rest of a sequence can follow, `undefined` if nothing is pending.
	 */
	readonly flushDelayMs: number | undefined;
	read(text: string, emit: Emit): void;
	/** Delivers or drops pending input. */
	flush(emit: Emit): void;
	/** Reads the following input as a paste, as after its start marker. */
	beginPaste(): void;
}

const escapeCode = 0x1b;
const bell = '\u0007';
const maximumSequence = 256;
const maximumString = 65_536;
const stringIntroducers = ']PX^_';

const ground: State = {name: 'ground'};
const interruptKey = 0x03;

export function createKeyParser(): KeyParser {
	let state: State = ground;
	return {
		get isPasting() {
			return state.name === 'paste';
		},
		get flushDelayMs() {
			return flushDelayOf(state);
		},
		read(text, emit) {
			let position = 0;
			while (position < text.length) {
				({state, position} = advance(state, text, position, emit));
			}
		},
		flush(emit) {
			flushState(state, emit);
			state = ground;
		},
		beginPaste() {
			state = {name: 'paste', paste: createPasteCollector()};
		},
	};
}

function advance(state: State, text: string, position: number, emit: Emit): Progress {
	switch (state.name) {
		case 'ground':
			return readGround(text, position, emit);
		case 'escape':
			return readEscape(state, text, position, emit);
		case 'sequence':
			return readSequence(state, text, position, emit);
		case 'string':
			return readString(state, text, position, emit);
		case 'paste':
			return readPaste(state, text, position, emit);
		default:
			return state satisfies never;
	}
}

function readGround(text: string, position: number, emit: Emit): Progress {
	const end = findControl(text, position);
	if (end > position) {
		emit({type: 'text', text: text.slice(position, end)});
		return {state: ground, position: end};
	}
	const code = text.charCodeAt(position);
	if (code === escapeCode) {
		return {state: {name: 'escape', isDoubled: false}, position: position + 1};
	}
	if (isControlKey(code)) emit(keyOfControl(code));
	return {state: ground, position: position + 1};
}

function readEscape(
	{isDoubled, string}: Extract<State, {name: 'escape'}>,
	text: string,
	position: number,
	emit: Emit,
): Progress {
	const character = characterAt(text, position);
	const next = position + character.length;
	if (string !== undefined) {
		if (character === '\\') return {state: ground, position: next};
		abandonString(string, emit);
	}
	if (character === '[' || character === 'O') {
		const state = {name: 'sequence', introducer: character, isDoubled, body: ''} as const;
		return {state, position: next};
	}
	if (isDoubled) emit(escapeKey);
	const code = character.charCodeAt(0);
	if (code === escapeCode) return {state: {name: 'escape', isDoubled: true}, position: next};
	if (stringIntroducers.includes(character)) {
		return {state: {name: 'string', introducer: character, length: 0}, position: next};
	}
	// Ctrl-C is Ctrl-C after any key.
	if (code === interruptKey || (isControl(code) && !isControlKey(code))) {
		emit(escapeKey);
		return {state: ground, position};
	}
	emit(altKey(character));
	return {state: ground, position: next};
}

function readSequence(state: SequenceState, text: string, position: number, emit: Emit): Progress {
	const code = text.charCodeAt(position);
	// The three characters after the `CSI M` of a mouse can be anything.
	const isMouse = state.body.startsWith('M');
	const isPart = isMouse ? !isControlKey(code) : code >= 0x20 && code <= 0x7e;
	if (!isPart || state.body.length >= maximumSequence) {
		abandonSequence(state, emit);
		return {state: ground, position};
	}
	const character = characterAt(text, position);
	const body = state.body + character;
	const next = position + character.length;
	if (!isComplete(state.introducer, body)) return {state: {...state, body}, position: next};
	if (state.introducer === 'O') {
		const input = decodeSs3(body);
		if (input !== undefined) emitSequence(input, state.isDoubled, emit);
		else abandonSequence(state, emit);
		return {state: ground, position: input === undefined ? position : next};
	}
	if (body === pasteStart) {
		if (state.isDoubled) emit(escapeKey);
		return {state: {name: 'paste', paste: createPasteCollector()}, position: next};
	}
	emitSequence(decodeCsi(body), state.isDoubled, emit);
	return {state: ground, position: next};
}

function readString(state: StringState, text: string, position: number, emit: Emit): Progress {
	const control = findControl(text, position, isControlKey);
	const room = maximumString - state.length;
	if (control - position >= room) {
		const isInPair = /[\udc00-\udfff]/.test(text.charAt(position + room));
		return {state: ground, position: position + room + (isInPair ? 1 : 0)};
	}
	const string = {...state, length: state.length + control - position};
	if (control === text.length) return {state: string, position: control};
	const code = text.charCodeAt(control);
	if (code === escapeCode) {
		return {state: {name: 'escape', isDoubled: false, string}, position: control + 1};
	}
	if (text.charAt(control) === bell) return {state: ground, position: control + 1};
	abandonString(string, emit);
	return {state: ground, position: control};
}

function readPaste(
	state: Extract<State, {name: 'paste'}>,
	text: string,
	position: number,
	emit: Emit,
): Progress {
	const resume = state.paste.add(text.slice(position));
	if (resume === undefined) return {state, position: text.length};
	emit(state.paste.finish());
	return {state: ground, position: position + resume};
}

/** Whether a sequence is complete. `CSI [` (Linux console) and `CSI M` (mouse) go on. */
function isComplete(introducer: '[' | 'O', body: string): boolean {
	if (introducer === 'O') return /[^\d;]$/.test(body);
	if (body.startsWith('M')) return [...body].length === 4;
	return body !== '[' && /[@-~]$/.test(body);
}

function emitSequence(input: KeyInput | undefined, isDoubled: boolean, emit: Emit): void {
	const isBareKey = input?.type === 'key' && !(input.ctrl || input.alt || input.shift);
	// rxvt and Terminal.app encode Alt as ESC before the sequence of a key.
	if (isDoubled && !isBareKey) emit(escapeKey);
	if (input !== undefined) emit(isDoubled && isBareKey ? {...input, alt: true} : input);
}

function characterAt(text: string, position: number): string {
	return String.fromCodePoint(text.codePointAt(position) ?? 0);
}
