import {describe, expect, test} from 'vitest';
import {createSecretLineReader, type SecretLine} from '../../src/input/secret-line.ts';

function type(...pieces: readonly string[]): SecretLine {
	const reader = createSecretLineReader();
	let line: SecretLine = {state: 'typing', text: ''};
	for (const piece of pieces) line = reader.push(piece);
	return line;
}

describe('a secret line', () => {
	test.each([
		['abc', 'typing', 'abc'],
		['abc\r', 'done', 'abc'],
		['abc\n', 'done', 'abc'],
		['abc\r\ndef', 'done', 'abc'],
		['abc\x04', 'done', 'abc'],
		['\r', 'done', ''],
		['abc\x03', 'cancelled', 'abc'],
		['abc\x7f\x7fx\r', 'done', 'ax'],
		['abc\bx\r', 'done', 'abx'],
		['\x7f\x7fx\r', 'done', 'x'],
		['a🙂\x7fb\r', 'done', 'ab'],
		['abc\x15x\r', 'done', 'x'],
		['abc\x17x\r', 'done', 'x'],
		['a\x1b[Ab\x1b[1;5Dc\x1bOHd\x1b[3~e\r', 'done', 'abcde'],
		['a\x00\x01\x1ab\tc\r', 'done', 'abc'],
		['\x1b[200~pasted\x1b[201~\r', 'done', 'pasted'],
		['x\x1b[200~one\rtwo\n\x1b[201~y\r', 'done', 'xone\rtwo\ny'],
		['\x1b[200~pas\x03ted', 'cancelled', 'pas'],
		['abc\x1b\x03', 'cancelled', 'abc'],
		['abc\x1b\r', 'done', 'abc'],
		['abc\x1b[\r', 'done', 'abc'],
	])('%j is %s with %j, however it is cut', (typed, state, text) => {
		expect(type(typed)).toEqual({state, text});
		expect(type(...typed)).toEqual({state, text});
	});
});
