/**
 * Colours for code, a line at a time: what a line looks like depends on the lines before it only,
 * so a line that is shown stays as it is, and the cost of a line does not grow with the block.
 */
import type {HLJSApi} from 'highlight.js';
import type {Style} from '../style.ts';
import {decodeEntities} from './entities.ts';
import {noStyles, plain, type Span} from './span.ts';

/** The highlighter of one block; `undefined` for a language that nobody knows. */
export type Highlight = (language: string) => LineHighlighter | undefined;

export interface LineHighlighter {
	/** Colours the next line of the block. */
	next(line: string): readonly Span[];
	/** Colours a line whose end is still to come. */
	peek(line: string): readonly Span[];
}

/** Longer lines are data rather than code. */
const maxLineLength = 1_000;
/** How far back a comment or string that is still open is looked at. */
const maxOpenLength = 2_000;

const styleOfScope: Readonly<Record<string, readonly Style[]>> = {
	keyword: ['magenta'],
	built_in: ['cyan'],
	type: ['cyan'],
	literal: ['yellow'],
	number: ['yellow'],
	symbol: ['yellow'],
	bullet: ['yellow'],
	string: ['green'],
	char: ['green'],
	regexp: ['green'],
	addition: ['green'],
	deletion: ['red'],
	comment: ['dim'],
	quote: ['dim'],
	doctag: ['dim', 'bold'],
	meta: ['dim'],
	title: ['blue'],
	section: ['blue', 'bold'],
	name: ['blue'],
	tag: ['blue'],
	attr: ['cyan'],
	attribute: ['cyan'],
	property: ['cyan'],
	variable: ['cyan'],
	subst: noStyles,
	link: ['underline'],
	emphasis: ['italic'],
	strong: ['bold'],
	'selector-tag': ['magenta'],
	'selector-class': ['blue'],
	'selector-id': ['blue'],
};

/** Loads the common languages of highlight.js; takes some 60 ms the first time. */
export async function loadHighlighter(): Promise<Highlight> {
	const {default: library} = await import('highlight.js/lib/common');
	return (language) =>
		library.getLanguage(language) === undefined
			? undefined
			: createLineHighlighter(library, language);
}

function createLineHighlighter(library: HLJSApi, language: string): LineHighlighter {
	// The lines back to the last place where nothing was open.
	let context = '';
	const color = (line: string) => {
		const {value, _top: top} = library.highlight(context + line, {language, ignoreIllegals: true});
		const isOpen = top !== undefined && 'parent' in top && top.parent !== undefined;
		return readLastLine(value, isOpen);
	};
	return {
		next(line) {
			if (line.length > maxLineLength) return [plain(line)];
			const {spans, isOpen} = color(line);
			context = isOpen ? `${context}${line}\n` : '';
			if (context.length > maxOpenLength) context = '';
			return spans;
		},
		peek: (line) => (line.length > maxLineLength ? [plain(line)] : color(line).spans),
	};
}

const markup = /<span class="([^"]*)">|(<\/span>)|([^<\n]+)|\n/g;

/** Reads the output of highlight.js: spans with a class, and text with five entities. */
function readLastLine(html: string, isOpen: boolean): {spans: readonly Span[]; isOpen: boolean} {
	const open: Array<readonly Style[]> = [];
	let spans: Span[] = [];
	for (const [whole, scope, close, text] of html.matchAll(markup)) {
		if (scope !== undefined) open.push(stylesOf(scope) ?? open.at(-1) ?? noStyles);
		else if (close !== undefined) open.pop();
		else if (text !== undefined) {
			spans.push({
				text: decodeEntities(text),
				styles: open.at(-1) ?? noStyles,
			});
		} else if (whole === '\n') spans = [];
	}
	return {spans, isOpen};
}

function stylesOf(scope: string): readonly Style[] | undefined {
	const [first = ''] = scope.split(' ');
	return styleOfScope[first.replace(/^hljs-/, '')];
}
