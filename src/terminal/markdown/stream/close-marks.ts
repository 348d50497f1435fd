/**
 * Completes the last line of unfinished Markdown, so that marks without their partner do not flash
 * while the text between them arrives.
 */
import {dropData} from './data-address.ts';

/** Far more than a line whose marks still matter. */
const maxLength = 500;

const fenceStart = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(?:`{3}|~{3})/;

export function closeMarks(unfinished: string): string {
	const source = dropData(unfinished);
	const start = Math.max(source.lastIndexOf('\n') + 1, source.length - maxLength);
	const line = source.slice(start);
	return /[*_~`[\\]/.test(line) && !fenceStart.test(line)
		? source.slice(0, start) + closeLine(line)
		: source;
}

function closeLine(line: string): string {
	const formula = /\\(?:\[(?!.*\\\])|\((?!.*\\\))|$)/.exec(maskCode(line));
	const whole = formula === null ? line : line.slice(0, formula.index);
	return closeEmphasis(closeCode(showLabel(whole)));
}

/** Shows the label alone of a link or an image whose address is not complete. */
function showLabel(line: string): string {
	return line
		.replace(/!?\[([^[\]]*)\]\([^()]*(?:\([^()]*\)[^()]*)*(?:\([^()]*)?$/, '$1')
		.replace(/!(?:\[([^[\]]*)\]?)?$/, '$1');
}

const codeSpan = /(?<!`)(`+)(?!`)(?:.*?[^`])\1(?!`)/g;

/** Replaces code spans by as many letters, to hide the marks in them. */
function maskCode(line: string): string {
	return line.replace(codeSpan, (span) => 'x'.repeat(span.length));
}

function closeCode(line: string): string {
	const [, marks = '', rest = ''] = /(?<!`)(`+)(?!`)([^`]*)$/.exec(maskCode(line)) ?? [];
	if (marks === '') return line;
	return rest.trim() === '' ? line.slice(0, -(marks + rest).length) : line + marks;
}

/** Appends the marks of open emphasis, the inner ones first, and drops marks with nothing after them. */
function closeEmphasis(line: string): string {
	const text = line.replace(/(?<![*_~\\])(?:\*{1,3}|_{1,3}|~~?)$/, '');
	const masked = maskCode(text).replace(/\\./g, 'xx');
	const open: string[] = [];
	for (const {0: mark, index} of masked.matchAll(/\*\*|__|~~|[*_]/g)) {
		const before = masked[index - 1] ?? ' ';
		const after = masked[index + mark.length] ?? ' ';
		const place = open.lastIndexOf(mark);
		if (place !== -1 && before !== ' ') open.length = place;
		else if (after !== ' ' && !/[\p{L}\p{N}]/u.test(before)) open.push(mark);
	}
	if (open.length === 0) return text;
	const end = text.trimEnd();
	return end + open.reverse().join('') + text.slice(end.length);
}
