/** Answers as lists of tokens, about 4.4 bytes each, the same in every run. */

/** The last token of every answer, which occurs nowhere else. */
export const lastToken = 'Finis';

const words =
	'the of a to in is that for on with as it by from at an this are be or which one all when some into time each than its also our code line page water light house small large part first then more over both state number value order world point hand turn place case week group fact long good last right early young public clear recent major simple whole common'.split(
		' ',
	);

/** Returns a generator of numbers below 2^31, always in the same sequence. */
function createRandom(seed) {
	let state = seed;
	return () => {
		state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
		return state >>> 8;
	};
}

function createWords(seed) {
	const random = createRandom(seed);
	return (count) => Array.from({length: count}, () => ` ${words[random() % words.length]}`);
}

function* proseTokens(take) {
	for (;;) {
		for (let sentence = 0; sentence < 6; sentence++) yield* [...take(13), '.'];
		yield '\n\n';
	}
}

function* paragraphTokens(take) {
	for (;;) yield* [...take(13), '.'];
}

function* codeTokens(take) {
	yield* ['```', 'ts', '\n'];
	for (let line = 1; ; line++) {
		const [name, other, third] = take(3);
		yield* ['const', name, '_', `${line}`, ' =', other, '(', `${line}`, ',', third, ');', '\n'];
	}
}

function* markdownTokens(take) {
	for (let section = 1; ; section++) {
		yield* ['## ', `${section}.`, ...take(4), '\n\n', ...take(20), ' **', ...take(2), '**'];
		yield* [...take(12), ' `', 'value', '`', ...take(9), ' [', 'link', '](', 'https://', 'example'];
		yield* ['.org', ')', ...take(20), '.', '\n\n'];
		for (let item = 0; item < 4; item++) yield* ['- ', ...take(14), '\n'];
		yield* ['\n', '```', 'js', '\n'];
		for (let line = 0; line < 8; line++) {
			yield* ['const', ...take(1), ' =', ...take(1), '(', `${line}`, ');', '\n'];
		}
		yield* ['```', '\n\n', '| ', 'name', ' | ', 'value', ' |', '\n', '| --- ', '| --- |', '\n'];
		for (let row = 0; row < 4; row++) yield* ['| ', ...take(2), ' | ', ...take(3), ' |', '\n'];
		yield* ['\n', '> ', ...take(30), '\n\n'];
	}
}

const kinds = {
	prose: proseTokens,
	paragraph: paragraphTokens,
	code: codeTokens,
	markdown: markdownTokens,
};

/**
 * @param kind `prose`, `paragraph` (a single one), `code` (a single block) or `markdown`
 * @param count how many tokens, at least 1
 */
export function createAnswer(kind, count) {
	const tokens = [];
	for (const token of kinds[kind](createWords(42))) {
		if (tokens.length === count - 1) break;
		tokens.push(token);
	}
	return [...tokens, ` ${lastToken}`];
}
