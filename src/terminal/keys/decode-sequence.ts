/**
 * Decodes one complete escape sequence. Answers of the terminal, mouse reports, key releases and
 * lone modifiers give `undefined`.
 */
import {decodeCodePoint} from './decode-code-point.ts';
import {createKey, type KeyPress, type TextInput} from './key-input.ts';
import {letterKeys, ss3Keys, tildeKeys} from './sequence-keys.ts';
import {decodeModifiers, withModifiers} from './sequence-modifiers.ts';

/** Decodes the text after `ESC [`, including the final byte. */
export function decodeCsi(body: string): KeyPress | TextInput | undefined {
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
	if (final !== '~') return withModifiers(letterKeys[final], modifiers);
	const name = tildeKeys[number];
	return withModifiers(name === undefined ? undefined : createKey(name), modifiers);
}

/** Decodes the text after `ESC O`, including the final byte. */
export function decodeSs3(body: string): KeyPress | TextInput | undefined {
	const final = body.at(-1) ?? '';
	const fields = parseFields(body.slice(0, -1)) ?? [];
	// A keypad in application mode: `X` is `=`, the others are 64 places before their letters.
	if (final === 'X') return {type: 'text', text: '='};
	if (/[j-y]/.test(final)) {
		return {type: 'text', text: String.fromCharCode(final.charCodeAt(0) - 64)};
	}
	return withModifiers(ss3Keys[final], decodeModifiers(fields.at(-1)));
}

/** Parses `1:2;3` as `[[1, 2], [3]]`; an empty number is 0. No key has other characters. */
function parseFields(parameters: string): readonly (readonly number[])[] | undefined {
	if (/[^\d:;]/.test(parameters)) return undefined;
	return parameters.split(';').map((field) => field.split(':').map(Number));
}
