/** Writes text of a given length, the same words each time. */
import {plural} from '../../wording.ts';
import type {Prompt} from './prompt.ts';
import {countPattern, hashText, readCount} from './text.ts';

const maxWords = 200_000;
const wordsPerSentence = 12;
const wordsPerParagraph = 6 * wordsPerSentence;

const vocabulary =
	'amber anchor apple autumn bridge bright brook calm candle careful cedar circle clear cloud copper corner crisp curious dawn distant eager early echo ember even evening fern field final gentle glass golden grain green harbor hidden hollow honest island kettle lantern leaf level light linen little lucky maple meadow mellow middle mirror morning narrow nimble north ocean open orange paper patient pebble plain quick quiet rain ribbon river round saddle salt sandy shadow silver simple slow small soft song spring steady stone story summer sunlit thread timber tower valley velvet wander warm water willow wind window winter wooden yellow'.split(
		' ',
	);

const amountPattern = new RegExp(
	`(?:\\b(?:write|generate|lorem|give|print|tell|make)\\b.*?|^)\\b(${countPattern})[ -](word|paragraph)s?\\b`,
	'is',
);

export function writeText({question}: Prompt): string | undefined {
	const [, amount, unit = ''] = amountPattern.exec(question) ?? [];
	const count = readCount(amount);
	if (count === undefined) return undefined;
	const words = unit.toLowerCase() === 'word' ? count : count * wordsPerParagraph;
	if (words > maxWords) return `That is too long: I write ${plural(maxWords, 'word')} at most.`;
	return writeWords(words, hashText(question));
}

/**
 * Exactly `count` words, in sentences and paragraphs. The walk through the vocabulary is a linear
 * congruential generator, so the same seed gives the same text.
 */
export function writeWords(count: number, seed: number): string {
	let state = seed;
	let text = '';
	for (let index = 0; index < count; index += 1) {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		const word = vocabulary[(state >>> 12) % vocabulary.length] ?? '';
		const inSentence = index % wordsPerSentence;
		text += inSentence === 0 ? word.charAt(0).toUpperCase() + word.slice(1) : word;
		if (index + 1 === count) text += '.';
		else if (inSentence + 1 < wordsPerSentence) text += ' ';
		else text += (index + 1) % wordsPerParagraph === 0 ? '.\n\n' : '. ';
	}
	return text;
}
