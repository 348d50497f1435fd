/**
 * Counts lines, words and characters of what is attached, quoted, or named in the prompt.
 */
import type {Prompt} from './prompt.ts';
import type {Answer} from './rule.ts';
import {countLines, countWords, findQuoted, joinWords, plural, quote} from './text.ts';

type Unit = {
	readonly name: string;
	readonly pattern: RegExp;
	readonly count: (text: string) => number;
};

const units: readonly Unit[] = [
	{name: 'line', pattern: /\blines?\b/i, count: countLines},
	{name: 'word', pattern: /\bwords?\b/i, count: countWords},
	{name: 'character', pattern: /\bchar(?:acter)?s?\b/i, count: (text) => [...text].length},
	{name: 'letter', pattern: /\bletters?\b/i, count: (text) => countMatches(text, /\p{L}/gu)},
	{name: 'byte', pattern: /\bbytes?\b/i, count: (text) => Buffer.byteLength(text)},
	{
		name: 'sentence',
		pattern: /\bsentences?\b/i,
		count: (text) => text.split(/[.!?…]+/).filter((sentence) => /\p{L}/u.test(sentence)).length,
	},
	{
		name: 'paragraph',
		pattern: /\bparagraphs?\b/i,
		count: (text) => text.split(/\n\s*\n/).filter((paragraph) => paragraph.trim() !== '').length,
	},
];

const questionPattern = /\b(?:count|how many|number of)\b([^\n]*)/i;
const lettersPattern =
	/\bhow many (?:times does )?(?:the )?(?:letter )?["'“]?(\p{L})["'”]?(?:['’]?s)?\b[^\n]*?\b(?:in|appear in)\s+(?:the word )?["'“]?([\p{L}-]+)/iu;
const subjectPattern =
	/\b(?:in|of)\s+(?:the |this )?(?:word|sentence|phrase|text|string)?\s*:?\s*(\S[\s\S]*?)[?.!]*$/i;
const referencePattern = /^(?:this|that|it|the|these|my|here)\b/i;

export function countText(prompt: Prompt): Answer | undefined {
	const counted = questionPattern.exec(prompt.question)?.[1];
	if (counted === undefined) return undefined;
	const letters = lettersPattern.exec(prompt.question);
	if (letters !== null) return countLetter(letters[1] ?? '', letters[2] ?? '');
	const sources = findSources(prompt);
	const wanted = units.filter(({pattern}) => pattern.test(counted));
	if (sources.length === 0 || wanted.length === 0) return undefined;
	const lines = sources.map(({label, text}) => {
		const counts = wanted.map(({name, count}) => plural(count(text), name));
		return `${label} has ${joinWords(counts)}.`;
	});
	const total = countTotal(sources, wanted[0]);
	if (sources.length > 1) {
		const totals = wanted.map((unit) => plural(countTotal(sources, unit), unit.name));
		lines.push(`Together: ${joinWords(totals)}.`);
	}
	return {
		text: lines.join('\n'),
		essence: total,
		reasons: [
			`The prompt asks for a count of ${joinWords(wanted.map(({name}) => `${name}s`))}.`,
			`It is about ${joinWords(sources.map(({label}) => label.toLowerCase()))}.`,
		],
	};
}

type Source = {readonly label: string; readonly text: string};

function findSources({attached, files, question}: Prompt): readonly Source[] {
	const sources: Source[] = files.map(({name, text}) => ({label: `\`${name}\``, text}));
	if (attached !== '') sources.push({label: 'The text', text: attached});
	if (sources.length > 0) return sources;
	const quoted = findQuoted(question);
	if (quoted !== undefined) return [{label: quote(quoted, 60), text: quoted}];
	const after = /:\s*(\S[\s\S]*)$/.exec(question)?.[1];
	const subject = after ?? subjectPattern.exec(question)?.[1];
	if (subject === undefined || referencePattern.test(subject)) return [];
	return [{label: quote(subject, 60), text: subject}];
}

function countTotal(sources: readonly Source[], unit: Unit | undefined): number {
	let total = 0;
	for (const {text} of sources) total += unit?.count(text) ?? 0;
	return total;
}

function countLetter(letter: string, word: string): Answer {
	const count = word.toLowerCase().split(letter.toLowerCase()).length - 1;
	return {
		text: `There ${count === 1 ? 'is' : 'are'} ${plural(count, `“${letter}”`).replace(/”s$/, '”')} in “${word}”.`,
		essence: count,
		reasons: [`The prompt asks how often “${letter}” stands in “${word}”.`],
	};
}

function countMatches(text: string, pattern: RegExp): number {
	let count = 0;
	for (const _ of text.matchAll(pattern)) count += 1;
	return count;
}
