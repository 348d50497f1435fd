/**
 * Colours code line by line. A line's colours depend on the lines before it only, so shown lines
 * never change. The work is bounded by the characters received; past the bound a line is plain.
 */
import type {HighlightResult, HLJSApi, Mode} from 'highlight.js';
import type {Style} from '../../theme.ts';
import {decodeEntities} from '../stream/entities.ts';
import {noStyles, plain, type Span} from './span.ts';

/** Returns a block's highlighter; `undefined` for an unknown language. */
export type Highlight = (language: string) => LineHighlighter | undefined;

export interface LineHighlighter {
	/** Colours the block's next line. */
	next(line: string): readonly Span[];
	/** Colours an unfinished line. */
	peek(line: string): readonly Span[];
}

/** Longer lines are data, not code. */
const maxLineLength = 1_000;
/** Longest source highlighted at once: a line, and the lines opening its constructs. */
const maxWorkLength = 2_000;
/** Characters highlighted at most for each one received; ordinary code takes 1 to 2. */
const workRate = 4;
/** Characters that may be highlighted in advance. */
const workAdvance = 32_000;

// No scope is quiet: dim code is hard to read on some backgrounds, such as Solarized.
const styleOfScope: Readonly<Record<string, readonly Style[]>> = {
	keyword: ['keyword'],
	built_in: ['identifier'],
	type: ['identifier'],
	literal: ['literal'],
	number: ['literal'],
	symbol: ['literal'],
	bullet: ['literal'],
	string: ['string'],
	char: ['string'],
	regexp: ['string'],
	addition: ['success'],
	deletion: ['error'],
	comment: ['italic'],
	quote: ['italic'],
	doctag: ['italic', 'bold'],
	meta: ['keyword'],
	title: ['identifier'],
	section: ['identifier'],
	name: ['identifier'],
	tag: ['identifier'],
	attr: ['identifier'],
	attribute: ['identifier'],
	property: ['identifier'],
	variable: ['identifier'],
	subst: noStyles,
	link: ['underline'],
	emphasis: ['italic'],
	strong: ['bold'],
	'selector-tag': ['keyword'],
	'selector-class': ['identifier'],
	'selector-id': ['identifier'],
};

/** Loads highlight.js with its common languages, taking some 60 ms the first time. */
export async function loadHighlighter(): Promise<Highlight> {
	const {default: library} = await import('highlight.js/lib/common');
	return (language) =>
		library.getLanguage(language) === undefined
			? undefined
			: createLineHighlighter(library, language);
}

function createLineHighlighter(library: HLJSApi, language: string): LineHighlighter {
	// The lines opening the constructs open now.
	let context = '';
	let open: readonly Mode[] = [];
	let budget = workAdvance;

	const color = (line: string) => {
		const {value, _top: top} = library.highlight(context + line, {language, ignoreIllegals: true});
		return {spans: readLastLine(value), open: openModes(top)};
	};
	const isAffordable = (line: string) =>
		line.length <= maxLineLength && context.length + line.length <= Math.min(maxWorkLength, budget);
	const forget = () => {
		context = '';
		open = [];
	};
	return {
		next(line) {
			budget = Math.min(workAdvance, budget + workRate * (line.length + 1));
			if (!isAffordable(line)) {
				forget();
				return [plain(line)];
			}
			budget -= context.length + line.length;
			const colored = color(line);
			if (colored.open.length === 0) forget();
			else if (!isSameState(open, colored.open)) context += `${line}\n`;
			open = colored.open;
			return colored.spans;
		},
		peek: (line) => (isAffordable(line) ? color(line).spans : [plain(line)]),
	};
}

/** Returns the open constructs, innermost first, each as the library defines it. */
function openModes(top: HighlightResult['_top']): readonly Mode[] {
	const modes: Mode[] = [];
	let mode: Mode | undefined = top;
	for (; mode?.parent !== undefined; mode = mode.parent) {
		// The library derives an open construct from its definition.
		modes.push(Object.getPrototypeOf(mode));
	}
	return modes;
}

/** Whether a line left the same constructs open and may be forgotten. */
function isSameState(before: readonly Mode[], after: readonly Mode[]): boolean {
	// The state inside an embedded language is known only from its text.
	if (after.some(({subLanguage}) => subLanguage !== undefined)) return false;
	return after.length === before.length && after.every((mode, index) => mode === before[index]);
}

const markup = /<span class="([^"]*)">|(<\/span>)|([^<\n]+)|\n/g;

/** Reads highlight.js's HTML: spans with a class, and text with five entities. */
function readLastLine(html: string): readonly Span[] {
	const open: Array<readonly Style[]> = [];
	let spans: Span[] = [];
	for (const [whole, scope, close, text] of html.matchAll(markup)) {
		if (scope !== undefined) open.push(stylesOf(scope) ?? open.at(-1) ?? noStyles);
		else if (close !== undefined) open.pop();
		else if (text !== undefined) {
			spans.push({text: decodeEntities(text), styles: open.at(-1) ?? noStyles});
		} else if (whole === '\n') spans = [];
	}
	return spans;
}

function stylesOf(scope: string): readonly Style[] | undefined {
	const [first = ''] = scope.split(' ');
	return styleOfScope[first.replace(/^hljs-/, '')];
}
