/** Writes Markdown on request: one construct, several, or all there are. */

import type {Prompt} from '../prompt/prompt.ts';
import {countPattern, joinWords, readCount} from '../prompt/text.ts';
import {type CodeSample, codeSamples, fence} from './code-samples.ts';
import {markdownSamples} from './markdown-samples.ts';
import type {Answer} from './rule.ts';

const maxItems = 10_000;
const maxBlocks = 100;

const orderPattern =
	/\b(?:write|show|give|make|create|print|draw|draft|demo|demonstrate|produce|generate|output|use|include|need|want|example|sample|with|answer|reply|render)\b|^an? |^hello,? world /i;
const everythingPattern =
	/\b(?:every|all(?: the| of the)?|each|kitchen sink)\b[^\n]*\bmarkdown\b|\bmarkdown\b[^\n]*\b(?:every|all|each|kitchen sink|demo|showcase|test)\b|^(?:show me |write |give me )?(?:some )?markdown[?.! ]*$/i;
const codePattern =
	/\b(?:code|function|program|script|snippets?|hello,? world|class|implementation|code ?blocks?)\b/i;
const blocksPattern = new RegExp(`\\b(${countPattern}) (?:fenced |code )*(?:blocks|snippets)`, 'i');
const listPattern = new RegExp(
	`\\b(?:list|bullets?)(?: (?:of|with))? (${countPattern})\\b|\\b(${countPattern})(?:[ -]item)? (?:bullet(?: point)?s?|list|items)\\b`,
	'i',
);
const tablePattern = new RegExp(`\\b(${countPattern})[ -]rows?\\b`, 'i');

export function showMarkdown({question}: Prompt): Answer | undefined {
	if (everythingPattern.test(question)) return showAll();
	if (!orderPattern.test(question)) return undefined;
	return showCode(question) ?? showList(question) ?? showRows(question) ?? showNamed(question);
}

function showAll(): Answer {
	const sections = markdownSamples.map(({name, sample}) => `## ${name}\n\n${sample}`);
	return {
		text: `# Every Markdown construct\n\n${sections.join('\n\n')}\n`,
		reason: `The prompt wants all of Markdown; I know ${markdownSamples.length} constructs.`,
	};
}

function showCode(question: string): Answer | undefined {
	const named = codeSamples.filter(({pattern}) => pattern.test(question));
	const isCode = codePattern.test(question) || /\bin (?!json\b)\w+/i.test(question);
	if (!isCode || (named.length === 0 && !/\bcode\b|\bsnippets?\b/i.test(question))) {
		return undefined;
	}
	const samples = pickSamples(named, readCount(blocksPattern.exec(question)?.[1]));
	const languages = joinWords([...new Set(samples.map(({language}) => language))]);
	return {
		text: `Here is code in ${languages}:\n\n${samples.map(fence).join('\n\n')}`,
		reason: `The prompt wants code, and I have a sample in ${languages}.`,
	};
}

/** The named languages; with a count, so many blocks, going round. */
function pickSamples(
	named: readonly CodeSample[],
	count: number | undefined,
): readonly CodeSample[] {
	const pool = named.length > 0 ? named : codeSamples;
	const length = Math.min(Math.max(count ?? Math.max(named.length, 1), 1), maxBlocks);
	return Array.from({length}, (_, index) => pool[index % pool.length]).filter(
		(sample) => sample !== undefined,
	);
}

function showList(question: string): Answer | undefined {
	const match = listPattern.exec(question);
	const count = readCount(match?.[1] ?? match?.[2]);
	if (count === undefined) return undefined;
	const length = Math.min(count, maxItems);
	const isNumbered = /\b(?:numbered|ordered)\b/i.test(question);
	const lines = Array.from({length}, (_, index) => {
		const mark = isNumbered ? `${index + 1}.` : '-';
		return `${mark} Item ${index + 1}`;
	});
	return {
		text: lines.join('\n'),
		reason: `The prompt wants a list of ${length} items.`,
	};
}

function showRows(question: string): Answer | undefined {
	const count = readCount(tablePattern.exec(question)?.[1]);
	if (count === undefined || !/\btable\b/i.test(question)) return undefined;
	const length = Math.min(count, maxItems);
	const rows = Array.from({length}, (_, index) => {
		const n = index + 1;
		return `| ${n} | Row ${n} | ${n * n} |`;
	});
	return {
		text: ['| # | Name | Square |', '| ---: | :--- | ---: |', ...rows].join('\n'),
		reason: `The prompt wants a table of ${length} rows.`,
	};
}

function showNamed(question: string): Answer | undefined {
	const named = markdownSamples.filter(({pattern}) => pattern.test(question));
	if (named.length === 0) return undefined;
	const names = joinWords(named.map(({name}) => name.toLowerCase()));
	return {
		text: named.map(({sample}) => sample).join('\n\n'),
		reason: `The prompt names a construct of Markdown: ${names}.`,
	};
}
