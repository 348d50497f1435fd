/** Answers as lists of tokens, about 4.4 bytes each, the same in every run. */

/** The last token of every answer, which occurs nowhere else. */
export const lastToken = 'Finis';

const words =
	'the of a to in is that for on with as it by from at an this are be or which one all when some into time each than its also our code line page water light house small large part first then more over both state number value order world point hand turn place case week group fact long good last right early young public clear recent major simple whole common'.split(
		' ',
	);

/** Returns a function that takes words, always in the same order. */
function createWords() {
	let state = 42;
	const next = () => {
		state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
		return ` ${words[(state >>> 8) % words.length]}`;
	};
	return (count) => Array.from({length: count}, next);
}

const kinds = {
	*prose(take) {
		for (;;) {
			for (let sentence = 0; sentence < 6; sentence++) yield* [...take(13), '.'];
			yield '\n\n';
		}
	},
	*paragraph(take) {
		for (;;) yield* [...take(13), '.'];
	},
	*code(take) {
		yield* ['```', 'ts', '\n'];
		for (let line = 1; ; line++) {
			const [name, other, third] = take(3);
			yield* ['const', name, '_', `${line}`, ' =', other, '(', `${line}`, ',', third, ');', '\n'];
		}
	},
};

/**
 * @param kind `prose`, `paragraph` (a single one) or `code` (a single block)
 * @param count how many tokens, at least 1
 */
export function createAnswer(kind, count) {
	const tokens = [];
	for (const token of kinds[kind](createWords())) {
		if (tokens.length === count - 1) break;
		tokens.push(token);
	}
	return [...tokens, ` ${lastToken}`];
}
