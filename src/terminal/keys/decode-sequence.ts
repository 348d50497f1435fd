/**
 * One complete escape sequence to the key it stands for. A sequence that is no key press (an answer
 * of the terminal, a mouse report, a key release, a modifier alone) is `undefined`.
 */
import {decodeCodePoint} from './decode-code-point.ts';
import {createKey, type KeyPress, type TextInput} from './key-input.ts';
import {bareCsiKeys, keypadTexts, letterKeys, ss3Keys, tildeKeys} from './sequence-keys.ts';
import {decodeModifiers, type SequenceModifiers, withModifiers} from './sequence-modifiers.ts';

/** Decodes what follows `ESC [`, up to and with the final byte. */
export function decodeCsi(body: string): KeyPress | TextInput | undefined {
	const bare = bareCsiKeys[body];
	if (bare !== undefined) return bare;
	const final = body.at(-1) ?? '';
	const fields = parseFields(body.slice(0, -1));
	if (fields === undefined) return undefined;
	const modifiers = decodeModifiers(fields[1]);
	if (modifiers.isRelease) return undefined;
	const number = fields[0]?.[0] ?? 0;
	if (final === 'u') {
		return decodeCodePoint({codes: fields[0] ?? [], modifiers, texts: fields[2] ?? []});
	}
	if (final === '~' && number === 27) {
		return decodeCodePoint({codes: fields[2] ?? [], modifiers, texts: []});
	}
	if (final === '~') return createKeyIfKnown(tildeKeys[number], modifiers);
	if (final === '^') return createKeyIfKnown(tildeKeys[number], {...modifiers, ctrl: true});
	// `CSI row ; column R` is the answer to "where is the cursor"; only the bare one is F3.
	if (final === 'R' && body.length > 1) return undefined;
	return withModifiers(letterKeys[final], modifiers);
}

/** Decodes what follows `ESC O`, up to and with the final byte. */
export function decodeSs3(body: string): KeyPress | TextInput | undefined {
	const final = body.at(-1) ?? '';
	const fields = parseFields(body.slice(0, -1)) ?? [];
	const text = keypadTexts[final];
	if (text !== undefined) return {type: 'text', text};
	return withModifiers(ss3Keys[final], decodeModifiers(fields.at(-1)));
}

/** `1:2;3` as `[[1, 2], [3]]`; an empty number is 0. Anything else in it is no key. */
function parseFields(parameters: string): readonly (readonly number[])[] | undefined {
	if (/[^\d:;]/.test(parameters)) return undefined;
	return parameters.split(';').map((field) => field.split(':').map(Number));
}

function createKeyIfKnown(
	name: string | undefined,
	modifiers: SequenceModifiers,
): KeyPress | undefined {
	return withModifiers(name === undefined ? undefined : createKey(name), modifiers);
}
