/** Describes files and attached text: names, sizes, first lines, frequent words. */
import type {Prompt} from './prompt.ts';
import type {Answer} from './rule.ts';
import {countLines, countWords, hashText, plural, quote} from './text.ts';

const filesPattern =
	/\b(?:what|which|list|describe|name|show)\b[^\n]*\b(?:files?|attachments?|attached|documents?)\b/i;
const summaryPattern =
	/\b(?:summari[sz]e|summary|tl;?dr|describe (?:this|the|it)|what(?:['’]s| is| does) (?:this|in (?:this|the|these)|it)\b|explain|outline|overview)/i;

export function describeFiles(prompt: Prompt): Answer | undefined {
	const {instruction, question, files, attached} = prompt;
	const hasText = files.length > 0 || attached !== '';
	if (!hasText) return denyFiles(question);
	if (instruction !== '' && !filesPattern.test(question) && !summaryPattern.test(question)) {
		return undefined;
	}
	const text = describeAttachments(prompt);
	const reasons = [
		`The message carries ${plural(files.length, 'file')} and ${plural(attached.length, 'character')} of attached text.`,
	];
	return {text, essence: files.map(({name}) => name).join(', ') || 'text', reasons};
}

/** One paragraph for each file and the attached text. */
export function describeAttachments({files, attached}: Prompt): string {
	const paragraphs = files.map(({name, text}) => `\`${name}\`: ${describeText(text)}`);
	if (attached !== '') paragraphs.push(`The attached text: ${describeText(attached)}`);
	return paragraphs.join('\n\n');
}

function denyFiles(question: string): Answer | undefined {
	if (!/\b(?:what|which) (?:files?|attachments?)\b/i.test(question)) return undefined;
	const text = 'There is no file in this message.';
	return {text, essence: 'none', reasons: ['The prompt asks for files, and there is none.']};
}

function describeText(text: string): string {
	const sizes = [
		plural(countLines(text), 'line'),
		plural(countWords(text), 'word'),
		plural(Buffer.byteLength(text), 'byte'),
	];
	const shown = text.trim();
	const first = /^[^\n\r]{0,500}/.exec(shown)?.[0] ?? '';
	const last =
		shown
			.slice(-500)
			.split(/[\n\r]/)
			.at(-1) ?? '';
	const ends = last === first ? '' : ` Its last: ${quote(last, 120)}.`;
	const frequent = findFrequentWords(text).map((word) => `“${word}”`);
	const words = frequent.length === 0 ? '' : ` Frequent words: ${frequent.join(', ')}.`;
	const mark = hashText(text).toString(16).padStart(8, '0');
	return `${sizes.join(', ')}, fingerprint ${mark}. Its first line: ${quote(first, 120)}.${ends}${words}`;
}

/** The five most frequent words of four letters or more; ties in order of appearance. */
function findFrequentWords(text: string): readonly string[] {
	const counts = new Map<string, number>();
	for (const [word] of text.slice(0, 1_000_000).matchAll(/\p{L}{4,40}/gu)) {
		const key = word.toLowerCase();
		counts.set(key, (counts.get(key) ?? 0) + 1);
	}
	const sorted = [...counts].sort(([, left], [, right]) => right - left);
	return sorted.slice(0, 5).map(([word]) => word);
}
