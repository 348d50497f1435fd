import stringWidth from 'string-width';
import {expect, test} from 'vitest';
import {measureGraphemes, textWidth} from '../../src/terminal/width.ts';

const samples = [
	'plain ASCII text',
	'Grüße, naïve café — “quoted” … ™',
	'Ελληνικά и кириллица',
	'日本語のテキスト、カタカナ。',
	'한국어 텍스트',
	'ＦＵＬＬ width',
	'e\u0301 combining, が decomposed',
	'🎉 👨‍👩‍👧 🇩🇪 👍🏽 ❤️ 1️⃣',
	'नमस्ते ไทย العربية',
	'arrows ← → box ─│┌',
];

test.each(samples)('%s takes as many cells as string-width says', (sample) => {
	expect(textWidth(sample)).toBe(stringWidth(sample));
});

test.each(samples)('the graphemes of "%s" are the whole text', (sample) => {
	const graphemes = measureGraphemes(sample);
	expect(graphemes.map((grapheme) => grapheme.text).join('')).toBe(sample);
	expect(graphemes.reduce((sum, grapheme) => sum + grapheme.width, 0)).toBe(textWidth(sample));
});

/** Chinese characters and Korean syllables, all as wide as each other. */
const isIdeograph = (code: number) =>
	(code >= 0x3400 && code < 0x9f00) || (code >= 0xac00 && code < 0xd700);

test('every character of the tables has the width that string-width gives it', () => {
	const wrong: string[] = [];
	for (let code = 0x20; code <= 0xffff; code += isIdeograph(code) ? 61 : 1) {
		if (code >= 0xd800 && code <= 0xdfff) continue;
		const character = String.fromCharCode(code);
		if (textWidth(character) !== stringWidth(character)) wrong.push(code.toString(16));
	}
	expect(wrong.filter((code) => code !== '7f' && !/^[89].$/.test(code))).toEqual([]);
});

test('an emoji sequence is one grapheme of two cells', () => {
	expect(measureGraphemes('👨‍👩‍👧')).toEqual([{text: '👨‍👩‍👧', width: 2}]);
});
