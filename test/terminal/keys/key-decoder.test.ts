import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {createKeyDecoder} from '../../../src/terminal/keys/key-decoder.ts';
import {chordOf, type KeyInput} from '../../../src/terminal/keys/key-input.ts';
import {expectLinearCost} from '../../helpers/cost.ts';
import {fuzzProperty} from '../../helpers/fuzz.ts';

const esc = '\u001b';
const encode = (text: string) => new TextEncoder().encode(text);

/** Keys as short words: `"text"`, `<chord>`, `{paste}`; neighbouring text is one. */
function describeKeys(inputs: readonly KeyInput[]): string {
	let words = '';
	for (const input of inputs) {
		if (input.type === 'text') words += `"${input.text}"`;
		else if (input.type === 'key') words += `<${chordOf(input)}>`;
		else words += `{${input.text}}`;
	}
	return words.replaceAll('""', '');
}

function decode(chunks: readonly Uint8Array[]): string {
	const decoder = createKeyDecoder();
	const inputs = chunks.flatMap((chunk) => decoder.push(chunk));
	return describeKeys([...inputs, ...decoder.flush()]);
}

const table: ReadonlyArray<readonly [input: string, keys: string]> = [
	['hello\r', '"hello"<enter>'],
	[
		'\u0000\t\n\r\u001c\u001d\u001e\u001f\u007f\b',
		'<ctrl+space><tab><ctrl+j><enter><ctrl+\\><ctrl+]><ctrl+^><ctrl+_><backspace><ctrl+h>',
	],
	[`${esc}`, '<escape>'],
	[`${esc}${esc}`, '<escape><escape>'],
	[`${esc}b${esc}F${esc}é${esc} ${esc}_`, '<alt+b><alt+shift+f><alt+é><alt+space><alt+_>'],
	[`${esc}_${esc}_${esc}]${esc}bx`, '<alt+_><alt+_><alt+]><alt+b>"x"'],
	[`${esc}\r${esc}\u007f${esc}\n`, '<alt+enter><alt+backspace><ctrl+alt+j>'],
	[`${esc}[A${esc}[B${esc}OC${esc}OD${esc}[H${esc}OF`, '<up><down><right><left><home><end>'],
	[
		`${esc}[1~${esc}[2~${esc}[3~${esc}[4~${esc}[5~${esc}[6~`,
		'<home><insert><delete><end><page-up><page-down>',
	],
	// Function keys have no meaning, and leave nothing.
	[`a${esc}OP${esc}OS${esc}[12~${esc}[15~${esc}[24~${esc}[[C${esc}[1;2S${esc}[57376ub`, '"ab"'],
	[
		`${esc}[1;5D${esc}[1;3C${esc}[1;2A${esc}[3;5~${esc}[1;9D`,
		'<ctrl+left><alt+right><shift+up><ctrl+delete><alt+left>',
	],
	[`${esc}${esc}[D${esc}${esc}OC${esc}[c${esc}[3^`, '<alt+left><alt+right>'],
	[
		`${esc}[13;2u${esc}[27;2;13~${esc}[13;5u${esc}[27;5;13~${esc}[13;3u`,
		'<shift+enter><shift+enter><ctrl+enter><ctrl+enter><alt+enter>',
	],
	[
		`${esc}[27u${esc}[127;3u${esc}[9;2u${esc}[32;5u`,
		'<escape><alt+backspace><shift+tab><ctrl+space>',
	],
	[`${esc}[99;5u${esc}[27;5;99~${esc}[27;6;65~`, '<ctrl+c><ctrl+c><ctrl+shift+a>'],
	// Ctrl-C, Alt-B and Ctrl-Shift-C on a Cyrillic layout; on Dvorak the letter itself counts.
	[
		`${esc}[1089::99;5u${esc}[1080::98;3u${esc}[1089:1057:99;6u${esc}[99::105;5u`,
		'<ctrl+c><alt+b><ctrl+shift+c><ctrl+c>',
	],
	[`${esc}[45:95;6u${esc}[47;5u${esc}[45:95;4u`, '<ctrl+_><ctrl+/><alt+_>'],
	// Terminals without Shift forms name the character that Shift gives.
	[`${esc}[27;6;95~${esc}[95;4u${esc}[27;2;32~${esc}[27;2;65~`, '<ctrl+_><alt+_>" A"'],
	[`${esc}[97u${esc}[97:65;2u${esc}[97;2u${esc}[1092u`, '"aAAф"'],
	[`${esc}[57400u${esc}[57414u${esc}[57417;5u${esc}[57358u`, '"1"<enter><ctrl+left>'],
	[`${esc}[97;9u${esc}[55296u${esc}[1114112;5u${esc}[3;5u${esc}[99999999999999999999u`, ''],
	// Answers of a terminal.
	[`a${esc}]11;rgb:1111/2222/3333${esc}\\b`, '"ab"'],
	[
		`a${esc}P>|XTerm(390)${esc}\\${esc}_Gi=1;OK${esc}\\${esc}^pm${esc}\\${esc}Xsos${esc}\\b`,
		'"ab"',
	],
	[`a${esc}[12;40R${esc}[?62;22c${esc}[>0;1;2c${esc}[I${esc}[O${esc}[?5u${esc}[?2026;2$yb`, '"ab"'],
	[`a${esc}[?997;1n${esc}[>4;1m${esc}[0n${esc}[1;1;24;80;1&wb`, '"ab"'],
	// The mouse of X10: three characters after its sequence.
	[`a${esc}[M !!b${esc}[M#yyc${esc}[M\u007fé\u0000d`, '"abcd"'],
	[`${esc}${esc}[M !!b${esc}[M y\u0003`, '<escape>"b"<ctrl+c>'],
	// Sequences and strings that start with a control of 8 bits.
	[`a\u009b12;40R\u009bI\u009b?2026;2$y\u008fP\u0090>|XTerm\u009cb`, '"ab"'],
	[`a\u009d11;rgb:1111/2222/3333\u009c\u009fGi=1;OK${esc}\\\u0098y\u009c\u009ey\u0007b`, '"ab"'],
	['\u009bA\u009b1;5C\u008fB\u009b99;5u', '<up><ctrl+right><down><ctrl+c>'],
	['a\u009b12\u0003\u009d11;y\u0003\u008f\u0003\u009c\u009b', '"a"<ctrl+c><ctrl+c><ctrl+c>'],
	// Releases of keys; a key that repeats is pressed again.
	[`${esc}[121;1:3u${esc}[13;1:3u${esc}[121;2:3u${esc}[1;1:3A${esc}[3;1:3~${esc}[1;5:3D`, ''],
	[`${esc}[121;1:1u${esc}[121;1:2u${esc}[1;1:2A`, '"yy"<up>'],
	// Broken off by a key: the key is heard.
	[`${esc}]11;rgb${esc}[A`, '<up>'],
	[`${esc}[12;\u0003${esc}[${esc}OA${esc}O日`, '<ctrl+c><alt+[><up><alt+shift+o>"日"'],
	// Pastes.
	[`a${esc}[200~one\r\ntwo\rthree\n\tend${esc}[201~b`, '"a"{one\ntwo\nthree\n\tend}"b"'],
	[`${esc}[200~${esc}[31mred${esc}]0;x\u0007\u0000\u009bx${esc}[201~\r`, '{redx}<enter>'],
	[`${esc}[200~日本👍${esc}[201~${esc}[200~${esc}[201~`, '{日本👍}{}'],
	['\u009b200~one\rtwo\u009b201~b', '{one\ntwo}"b"'],
	[`a${esc}[201~b\u0085c`, '"abc"'],
];

describe('decoded bytes', () => {
	test.each(table)(
		'%j, whole and cut in three, with a short piece in the middle',
		(input, keys) => {
			const bytes = encode(input);
			for (let first = 0; first <= bytes.length; first += 1) {
				for (const second of [first, first + 1, first + 2, first + 5]) {
					const chunks = [
						bytes.subarray(0, first),
						bytes.subarray(first, second),
						bytes.subarray(second),
					];
					expect(decode(chunks)).toBe(keys);
				}
			}
		},
	);

	test('a control of 8 bits may be one byte', () => {
		const report = Uint8Array.of(0x61, 0x9b, 0x79, 0xc3, 0xa9, 0x9d, 0x79, 0x9c, 0xe6, 0x97, 0xa5);
		for (let cut = 0; cut <= report.length; cut += 1) {
			expect(decode([report.subarray(0, cut), report.subarray(cut)])).toBe('"aé日"');
		}
	});

	test('invalid UTF-8 becomes replacement characters, wherever it is cut', () => {
		const bytes = Uint8Array.of(0x61, 0xff, 0xe3, 0x81, 0x62, 0xf0, 0x9f, 0x98, 0x0d);
		for (let cut = 0; cut <= bytes.length; cut += 1) {
			expect(decode([bytes.subarray(0, cut), bytes.subarray(cut)])).toBe(
				'"a\ufffd\ufffdb\ufffd"<enter>',
			);
		}
	});
});

describe('pending input', () => {
	const delays: ReadonlyArray<readonly [input: string, delayMs: number | undefined]> = [
		[esc, 50],
		[`${esc}_`, 50],
		[`${esc}[`, 1000],
		[`${esc}]11;${esc}`, 1000],
		[`${esc}[200~x`, 1000],
		[`${esc}[200~x${esc}[201~`, undefined],
	];

	test.each(delays)('%j is flushed after %j ms', (input, delayMs) => {
		const decoder = createKeyDecoder();
		decoder.push(encode(input));
		expect(decoder.flushDelayMs).toBe(delayMs);
		decoder.flush();
		expect(decoder.flushDelayMs).toBe(undefined);
	});

	test('gives up an unterminated string after 4,096 characters, between characters', () => {
		const decoder = createKeyDecoder();
		const keys = decoder.push(encode(`${esc}]${'x'.repeat(4_095)}👍typed\r`));
		expect(describeKeys(keys)).toBe('"typed"<enter>');
	});
});

test.each([
	['x\u001b[31mz', 'xz'],
	['a\u001b]8;;https://a.example\u001b\\b\u001b]0;t\u0007c', 'abc'],
])('a paste of %j is the text %j', (text, clean) => {
	const [paste] = createKeyDecoder().push(encode(`${esc}[200~${text}${esc}[201~`));
	expect(paste).toMatchObject({type: 'paste', text: clean});
});

describe('a paste that does not end', () => {
	test('ends with a lone Ctrl-C, which is delivered', () => {
		const decoder = createKeyDecoder();
		decoder.push(encode(`${esc}[200~half a pa`));
		expect(describeKeys(decoder.push(Uint8Array.of(3)))).toBe('{half a pa}<ctrl+c>');
		expect(describeKeys(decoder.push(encode('x')))).toBe('"x"');
	});

	test('a flush delivers it with the incomplete character at its end', () => {
		const decoder = createKeyDecoder();
		decoder.push(encode(`${esc}[200~ab${esc}[20`));
		decoder.push(Uint8Array.of(0xe3, 0x81));
		expect(describeKeys(decoder.flush())).toBe('{ab\ufffd}');
	});

	test('reads its late rest as a paste too, so that no line end is Enter', () => {
		const decoder = createKeyDecoder();
		decoder.push(encode(`${esc}[200~one\r`));
		decoder.flush();
		expect(describeKeys(decoder.push(encode('two\rthree')))).toBe('');
		expect(describeKeys(decoder.push(encode(`four\r${esc}[201~\r`)))).toBe(
			'{two\nthreefour\n}<enter>',
		);
	});

	test('of any length takes linear time', {tags: ['cost']}, () => {
		const chunk = encode('0123456789 lorem ipsum dolor sit amet\r'.repeat(27));
		expectLinearCost((size) => {
			const decoder = createKeyDecoder();
			decoder.push(encode(`${esc}[200~`));
			for (let sent = 0; sent < size; sent += chunk.length) decoder.push(chunk);
			const [paste] = decoder.push(encode(`${esc}[201~`));
			expect(paste?.type === 'paste' && paste.text.length).toBeGreaterThanOrEqual(size);
		}, 2 ** 16);
	});
});

test.each([
	['7', encode(`${esc}[12;5R`)],
	['8', Buffer.from('\x9b12;5R', 'latin1')],
])(
	'the position of the cursor in %s bits is reported, and is not a key, wherever it is cut',
	(_, report) => {
		for (let cut = 0; cut <= report.length; cut += 1) {
			const positions: unknown[] = [];
			const decoder = createKeyDecoder({onPosition: (position) => positions.push(position)});
			const keys = [report.subarray(0, cut), report.subarray(cut)].flatMap(decoder.push);
			expect({keys, positions}).toEqual({keys: [], positions: [{x: 4, y: 11}]});
		}
	},
);

describe('any bytes at all', () => {
	const pieces = [
		...['[', ']', 'P', 'O', '_', '200~', '201~', '27;5;', 'u', '~', 'M', '<', '?'],
		...['\\', ':', ';', '1', '日', '\r', '\u0007', '\u009b', 'ab'],
	];
	const garbage = fc
		.array(
			fc.oneof(
				fc.constant(Uint8Array.of(0x1b)),
				fc.constantFrom(...pieces).map(encode),
				fc.uint8Array({maxLength: 4}),
			),
			{maxLength: 40},
		)
		.map((arrays) => arrays.map((array) => array.filter((byte) => byte !== 3)));

	fuzzProperty(
		'delivers Ctrl-C after garbage without a flush',
		100,
		fc.property(garbage, (chunks) => {
			const decoder = createKeyDecoder();
			for (const chunk of chunks) decoder.push(chunk);
			expect(describeKeys(decoder.push(Uint8Array.of(3)))).toMatch(/<ctrl\+c>$/);
		}),
	);

	fuzzProperty(
		'gives the same keys however the bytes are cut',
		100,
		fc.property(garbage, (chunks) => {
			const whole = Uint8Array.from(chunks.flatMap((chunk) => [...chunk]));
			expect(decode(chunks)).toBe(decode([whole]));
		}),
	);
});
