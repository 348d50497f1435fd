/** Writes Markdown and code on request: one construct, several, or all there are. */
import type {Prompt} from './prompt.ts';
import {codeSamples, markdownSamples} from './samples.ts';
import {countPattern, joinWords, readCount} from './text.ts';

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
