/** Writes on request: text at a given length, code, and every kind of Markdown. */
import {plural} from '../../wording.ts';
import type {Prompt} from './prompt.ts';
import {codeSamples, markdownSamples} from './samples.ts';
import {countPattern, hashText, joinWords, readCount} from './text.ts';

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

const maxItems = 10_000;
const maxBlocks = 100;

const orderPattern = /\b(?:write|show|give|make|print|draw|use|want|example|sample)\b|^an? /i;
const everythingPattern =
	/\b(?:every|all|each)\b[^\n]*\bmarkdown\b|^(?:show me )?markdown[?.! ]*$/i;
const codePattern = /\b(?:code|function|program|script|snippets?)\b/i;
const blocksPattern = new RegExp(`\\b(${countPattern}) (?:code )?(?:blocks|snippets)\\b`, 'i');
const listPattern = new RegExp(`\\blist (?:of|with) (${countPattern})\\b`, 'i');
const rowsPattern = new RegExp(`\\btable\\b[^\\n]*\\b(${countPattern}) rows?\\b`, 'i');

export function showMarkdown({question}: Prompt): string | undefined {
	return everythingPattern.test(question) ? showAll() : showSome(question);
}

function showAll(): string {
	const sections = Object.entries(markdownSamples).map(
		([name, sample]) => `## ${name.charAt(0).toUpperCase()}${name.slice(1)}\n\n${sample}`,
	);
	return `# Every Markdown construct\n\n${sections.join('\n\n')}\n`;
}

function showSome(question: string): string | undefined {
	if (!orderPattern.test(question)) return undefined;
	const items = readCount(listPattern.exec(question)?.[1]);
	if (items !== undefined) return repeat(items, maxItems, (n) => `- Item ${n}`).join('\n');
	const rows = readCount(rowsPattern.exec(question)?.[1]);
	if (rows !== undefined) {
		const lines = repeat(rows, maxItems, (n) => `| ${n} | Row ${n} | ${n * n} |`);
		return ['| # | Name | Square |', '| ---: | :--- | ---: |', ...lines].join('\n');
	}
	return showCode(question) ?? showNamed(question);
}

/** The named languages; with a count, so many blocks, going round. */
function showCode(question: string): string | undefined {
	if (!codePattern.test(question)) return undefined;
	const words: readonly string[] = question.toLowerCase().match(/[a-z]+/g) ?? [];
	const named = Object.keys(codeSamples).filter((language) => words.includes(language));
	const pool = named.length > 0 ? named : Object.keys(codeSamples);
	const count = readCount(blocksPattern.exec(question)?.[1]) ?? Math.max(named.length, 1);
	const languages = repeat(count, maxBlocks, (n) => pool[(n - 1) % pool.length] ?? '');
	const blocks = languages.map((name) => `\`\`\`${name}\n${codeSamples[name] ?? ''}\n\`\`\``);
	return `Here is code in ${joinWords([...new Set(languages)])}:\n\n${blocks.join('\n\n')}`;
}

function showNamed(question: string): string | undefined {
	const lower = question.toLowerCase();
	const named = Object.entries(markdownSamples).filter(([name]) => lower.includes(name));
	return named.length === 0 ? undefined : named.map(([, sample]) => sample).join('\n\n');
}

function repeat(count: number, limit: number, make: (n: number) => string): readonly string[] {
	return Array.from({length: Math.min(count, limit)}, (_, index) => make(index + 1));
}
