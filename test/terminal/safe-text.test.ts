import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {
	createStreamSanitizer,
	escapeInvisible,
	hasUnsafe,
	joinSafe,
	type SafeText,
	safe,
	stripToLine,
	stripUnsafe,
} from '../../src/terminal/safe-text.ts';
import {hostileFamilies, hostileTexts, ordinaryTexts} from '../fixtures/hostile-texts.ts';
import {expectLinearCost} from '../helpers/cost.ts';
import {fuzzProperty} from '../helpers/fuzz.ts';

function stripInPieces(pieces: readonly string[]): string {
	const sanitizer = createStreamSanitizer();
	return joinSafe(...pieces.map((piece) => sanitizer.push(piece)), sanitizer.end());
}

/** Written out, and by code, so that it does not share a mistake with the source. */
const forbiddenRanges: ReadonlyArray<readonly [first: number, last: number]> = [
	[0x00, 0x08],
	[0x0b, 0x1f],
	[0x7f, 0x9f],
	[0xad, 0xad],
	[0x34f, 0x34f],
	[0x61c, 0x61c],
	[0x115f, 0x1160],
	[0x17b4, 0x17b5],
	[0x180b, 0x180f],
	[0x200b, 0x200b],
	[0x200e, 0x200f],
	[0x2028, 0x202e],
	[0x2060, 0x206f],
	[0x3164, 0x3164],
	[0xd800, 0xdfff],
	[0xfeff, 0xfeff],
	[0xffa0, 0xffa0],
	[0xfff0, 0xfffb],
	[0x1bca0, 0x1bca3],
	[0x1d173, 0x1d17a],
	[0xe0000, 0xe0fff],
];

const isForbidden = (code: number) =>
	forbiddenRanges.some(([first, last]) => code >= first && code <= last);

function findForbidden(text: string): string | undefined {
	return Array.from(text).find((character) => isForbidden(character.codePointAt(0) ?? 0));
}

/** Characters that mean something to a terminal or to the filter, and a few that do not. */
const nastyText = fc
	.array(
		fc.oneof(
			fc.constantFrom(
				...['\x1b', '[', ']', 'P', '_', '^', 'X', '\\', '\x07', '\x18', '\x9b', '\x9c', '\x9d'],
				...['\r', '\n', '\t', '\0', '\x7f', '0', ';', '?', ' ', '#', 'm', 'a', 'é', '日'],
				...['\ud83d', '\ude00', '😀', '\u200d', '\ufe0f', '\u202e', '\u200b', '\u2028'],
				...['\udb40', '\udc41', '\u{e0041}', '\u3164', '\ufeff'],
			),
			fc.constantFrom(...hostileTexts.map(({text}) => text)),
		),
		{maxLength: 40},
	)
	.map((pieces) => pieces.join(''));

const nastyPieces = fc
	.tuple(nastyText, fc.array(fc.nat({max: 200}), {maxLength: 20}))
	.map(([text, cuts]) => {
		const boundaries = [0, ...cuts.filter((cut) => cut < text.length), text.length].sort(
			(a, b) => a - b,
		);
		return boundaries.slice(1).map((boundary, index) => text.slice(boundaries[index], boundary));
	});

test.each(hostileTexts)(
	'hostile text is shown without its hostile parts $name, cut at every boundary',
	({text, shown}) => {
		expect(stripUnsafe(text)).toBe(shown);
		for (let cut = 0; cut <= text.length; cut++) {
			expect(stripInPieces([text.slice(0, cut), text.slice(cut)])).toBe(shown);
		}
		expect(stripInPieces(text.split(''))).toBe(shown);
	},
);

test.each(ordinaryTexts)('ordinary text comes through unchanged $name', ({text}) => {
	expect(stripUnsafe(text)).toBe(text);
	expect(stripInPieces(text.split(''))).toBe(text);
});

describe('a stream', () => {
	fuzzProperty(
		'gives the same in any pieces as in one',
		60,
		fc.property(nastyPieces, (pieces) => {
			expect(stripInPieces(pieces)).toBe(stripUnsafe(pieces.join('')));
		}),
	);

	test.each(['\x1b]', '\x9d'])(
		'shows what follows 4,096 characters of a string without end: %j',
		(opener) => {
			const hidden = 'x'.repeat(4_096);
			expect(stripUnsafe(`${opener}${hidden}the answer`)).toBe('the answer');
			expect(stripInPieces([opener, hidden, 'the ', 'answer'])).toBe('the answer');
			expect(stripUnsafe(`${opener}${hidden.slice(1)}\x07the answer`)).toBe('the answer');
		},
	);

	test('passes text on at once, and holds back half a line end or surrogate pair at most', () => {
		const sanitizer = createStreamSanitizer();
		expect(sanitizer.push('one\r')).toBe('one');
		expect(sanitizer.push('\ntwo\ud83d')).toBe('\ntwo');
		expect(sanitizer.push('')).toBe('');
		expect(sanitizer.push('\ude00')).toBe('😀');
		expect(sanitizer.end()).toBe('');
	});
});

describe('any input', () => {
	fuzzProperty(
		'no control, bidi control, invisible character or half pair comes out',
		60,
		fc.property(fc.oneof(nastyText, fc.string({unit: 'binary', maxLength: 100})), (text) => {
			expect(findForbidden(stripUnsafe(text))).toBeUndefined();
		}),
	);

	test('of all characters but the controls, exactly the invisible ones are dropped', () => {
		let all = '';
		let kept = '';
		// The planes of rare characters and of private use have none.
		for (let code = 0xa0; code <= 0x10ffff; code += code > 0x20000 && code < 0xdff00 ? 97 : 1) {
			const isOther = (code >= 0xd800 && code <= 0xdfff) || code === 0x2028 || code === 0x2029;
			const character = isOther ? '' : String.fromCodePoint(code);
			all += character;
			if (!isForbidden(code)) kept += character;
		}
		expect(stripUnsafe(all) === kept).toBe(true);
	});
});

describe('each hostile family takes linear time', {tags: ['cost']}, () => {
	test.each(hostileFamilies)('$name', ({start, piece}) => {
		expectLinearCost((size) => {
			const text = start + piece.repeat(Math.ceil(size / piece.length));
			const sanitizer = createStreamSanitizer();
			let streamed = '';
			for (let index = 0; index < text.length; index += 100) {
				streamed += sanitizer.push(text.slice(index, index + 100));
			}
			streamed += sanitizer.end();
			expect(streamed === stripUnsafe(text)).toBe(true);
			expect(escapeInvisible(text).length).toBeGreaterThanOrEqual(text.length);
			expect(hasUnsafe(text)).toBe(hasUnsafe(start + piece + piece));
		}, 20_000);
	});
});

describe('revealing', () => {
	test.each([
		['tab and newline', 'a\tb\nc\r\n', 'a␉b␊c␍␊'],
		['ESC and other C0', '\x1b]52;c;eA==\x07\0', '␛]52;c;eA==␇␀'],
		['DEL and C1', '\x7f\x9b31m\x85', '␡⟨U+009B⟩31m⟨U+0085⟩'],
		['bidi controls', 'invoice\u202efdp.exe', 'invoice⟨U+202E⟩fdp.exe'],
		['odd spaces', 'a\u00a0b\u2003c\u3000d\u202fe', 'a⟨U+00A0⟩b⟨U+2003⟩c⟨U+3000⟩d⟨U+202F⟩e'],
		[
			'zero-width characters, joiners too',
			'a\u200bb\u200dc\ufeffd',
			'a⟨U+200B⟩b⟨U+200D⟩c⟨U+FEFF⟩d',
		],
		['variation selectors', 'a\u{e0100}b\ufe0fc', 'a⟨U+E0100⟩b⟨U+FE0F⟩c'],
		['lone surrogates', 'a\ud83db\ude00', 'a⟨U+D83D⟩b⟨U+DE00⟩'],
		['private and unassigned characters', 'a\ue0b0b\u0378', 'a⟨U+E0B0⟩b⟨U+0378⟩'],
		['marks that only look like revealed ones', '␛⟨U+202E⟩', '⟨U+241B⟩⟨U+27E8⟩U+202E⟩'],
		['nothing in plain text', '--flag=ä 日本 😀 e\u0301', '--flag=ä 日本 😀 e\u0301'],
	])('%s', (_name, text, revealed) => {
		expect(escapeInvisible(text)).toBe(revealed);
	});

	/** The inverse of `escapeInvisible`; that there is one means that nothing was lost. */
	function unreveal(text: string): string {
		return text.replace(/⟨U\+([0-9A-F]+)⟩|[\u2400-\u2421]/gu, (mark, hex: string | undefined) => {
			if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
			return mark === '␡' ? '\x7f' : String.fromCodePoint((mark.codePointAt(0) ?? 0) - 0x2400);
		});
	}

	const anything = fc.oneof(nastyText, fc.string({unit: 'binary'}), fc.constant('⟨U+202E⟩␊'));
	fuzzProperty(
		'loses nothing, and shows nothing that a terminal would act on',
		60,
		fc.property(anything, (text) => {
			const revealed = escapeInvisible(text);
			expect(unreveal(revealed)).toBe(text);
			expect(findForbidden(revealed)).toBeUndefined();
			expect(revealed).not.toMatch(/[\t\n]/);
		}),
	);
});

describe('finding control sequences', () => {
	test.each(['\x1b[31m', '\x9b31m', 'a\0', '\x7f', 'over\rwritten', '\r\r\n'])(
		'%j holds one',
		(text) => {
			expect(hasUnsafe(text)).toBe(true);
			expect(hasUnsafe(`${'text\n'.repeat(50)}${text}`)).toBe(true);
		},
	);

	test.each(['', 'plain\ttext\n', 'lines\r\nof\r\n', 'half of a line end\r', 'é 日本 😀 \u202e'])(
		'%j holds none',
		(text) => {
			expect(hasUnsafe(text)).toBe(false);
		},
	);
});

describe('safe text is put together only from safe text', () => {
	test('by a literal of ours', () => {
		const name = stripUnsafe('\x1b[31mmodel');
		expect(safe`\x1b[2m${name} took ${12} s\x1b[22m`).toBe('\x1b[2mmodel took 12 s\x1b[22m');
		expect(safe`nothing put in`).toBe('nothing put in');
	});

	test('and the compiler refuses anything else', () => {
		const untrusted: string = 'text of a server';
		// @ts-expect-error A plain string is not safe.
		const assigned: SafeText = untrusted;
		// @ts-expect-error Nor as a value of the tag.
		const tagged = safe`${untrusted}`;
		// @ts-expect-error Nor as a part.
		const joined = joinSafe(untrusted);
		// @ts-expect-error Nor after it was put together with a safe one.
		const added: SafeText = stripUnsafe('a') + untrusted;
		expect([assigned, tagged, joined, added]).toHaveLength(4);
	});
});

describe('a text as one line', () => {
	test.each([
		['  one  ', 'one'],
		['one\ntwo', 'one two'],
		['one \t\r\n\n \n  two\n', 'one two'],
		['one\u2028two', 'one two'],
	])('%j is %j', (text, line) => {
		expect(stripToLine(text)).toBe(line);
	});

	test.each([' ', ' \n '])(
		'takes linear time for %j again and again',
		{tags: ['cost']},
		(blank) => {
			expectLinearCost((size) => stripToLine(`a${blank.repeat(size)}b`), 4_000);
		},
	);
});
