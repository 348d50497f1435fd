/** Writes roff with the macros of man(7), as groff and mandoc read it. */

/** Bare ones may become typographic hyphens, quotes and accents, which no shell understands. */
const escapes: Readonly<Record<string, string>> = {
	'\\': '\\(rs',
	'-': '\\-',
	"'": '\\(aq',
	'`': '\\(ga',
	'^': '\\(ha',
	'~': '\\(ti',
	'"': '\\(dq',
};

function escapeRoff(text: string): string {
	return text.replace(/[\\\-'`^~"]|[^\x20-\x7e]/gu, (found) => {
		const code = (found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
		return escapes[found] ?? `\\[u${code}]`;
	});
}

/** A line that begins with a period would be a request; a quote is escaped anyway. */
function protectLine(line: string): string {
	return line.startsWith('.') ? `\\&${line}` : line;
}

/** Prints the parts in the one font and in the other, in turn. */
function inFonts(parts: readonly string[], fonts: readonly [even: string, odd: string]): string {
	const printed = parts.map((part, index) => {
		const font = fonts[index % 2 === 0 ? 0 : 1];
		return part === '' || font === 'R' ? escapeRoff(part) : `\\f${font}${escapeRoff(part)}\\fR`;
	});
	return protectLine(printed.join(''));
}

/** Returns a line of text, in which backquotes mark code. */
function textLine(text: string): string {
	return inFonts(text.replaceAll(/\s+/g, ' ').split('`'), ['R', 'B']);
}

/** Returns words as they are typed, in bold; `<name>` stands for a value, in italics. */
function typedLine(text: string): string {
	return inFonts(text.split(/<([^<>]+)>/), ['B', 'I']);
}

/** The date as in 2026-11-22. */
export type PageTitle = {readonly date: string; readonly version: string};

/** Returns the first lines of the page. */
export function title({date, version}: PageTitle): string {
	// Without hyphens and wide spaces, what a shell reads stays as it is.
	return `.TH CHAT 1 ${date} "${escapeRoff(`chat ${version}`)}" "User Commands"\n.nh\n.ad l\n`;
}

export function section(heading: string, ...blocks: readonly string[]): string {
	return printSection('SH', heading.toUpperCase(), blocks);
}

export function subsection(heading: string, ...blocks: readonly string[]): string {
	return printSection('SS', heading, blocks);
}

function printSection(macro: string, heading: string, blocks: readonly string[]): string {
	// A heading begins a paragraph.
	return `.${macro} "${escapeRoff(heading)}"\n${blocks.join('').replace(/^\.PP\n/, '')}`;
}

export function paragraph(text: string): string {
	return `.PP\n${textLine(text)}\n`;
}

/** Returns commands, one below the other. */
export function synopsis(usages: readonly string[]): string {
	return usages.map(typedLine).join('\n.br\n').concat('\n');
}

type Item = readonly [term: string, meaning: string];

/** Returns terms, as they are typed, and below each what it means. */
export function entries(items: readonly Item[], indent = ''): string {
	return items
		.map(([term, meaning]) => `.TP${indent}\n${typedLine(term)}\n${textLine(meaning)}\n`)
		.join('');
}

/** Returns entries without empty lines between them, a short term beside its meaning. */
export function table(items: readonly Item[]): string {
	return `.PD 0\n${entries(items, ' 26')}.PD\n`;
}

/** Returns lines as they are. */
export function example(lines: readonly string[]): string {
	const printed = lines.map((line) => protectLine(escapeRoff(line)));
	return `.PP\n.RS 4\n.nf\n${printed.join('\n')}\n.fi\n.RE\n`;
}
