/** Writes roff with the macros of man(7), as groff and mandoc read it. */

const escapes: Readonly<Record<string, string>> = {
	'\\': '\\(rs',
	// A bare one may become a hyphen that cannot be pasted into a shell.
	'-': '\\-',
	// Bare ones may become typographic quotes and accents.
	"'": '\\(aq',
	'`': '\\(ga',
	'^': '\\(ha',
	'~': '\\(ti',
	'"': '\\(dq',
};

function escapeRoff(text: string): string {
	return text.replace(/[\\\-'`^~"]|[^\x20-\x7e]/gu, (found) => escapes[found] ?? escapeCode(found));
}

function escapeCode(character: string): string {
	const code = character.codePointAt(0) ?? 0;
	return `\\[u${code.toString(16).toUpperCase().padStart(4, '0')}]`;
}

/** A line that begins with a period would be a request; a quote is escaped anyway. */
function protectLine(line: string): string {
	return line.startsWith('.') ? `\\&${line}` : line;
}

/** Returns a line of text, in which backquotes mark code. */
function textLine(text: string): string {
	const parts = text.replaceAll(/\s+/g, ' ').split('`');
	const printed = parts.map((part, index) =>
		index % 2 === 0 ? escapeRoff(part) : `\\fB${escapeRoff(part)}\\fR`,
	);
	return protectLine(printed.join(''));
}

/** Returns words as they are typed, in bold; `<name>` stands for a value, in italics. */
function typedLine(text: string): string {
	const parts = text.split(/<([^<>]+)>/).map((part, index) => {
		if (part === '') return '';
		return index % 2 === 0 ? `\\fB${escapeRoff(part)}\\fR` : `\\fI${escapeRoff(part)}\\fR`;
	});
	return protectLine(parts.join(''));
}

export type PageTitle = {
	readonly name: string;
	/** As in 2026-11-22. */
	readonly date: string;
	readonly version: string;
};

/** Returns the first lines of a page of section 1. */
export function title({name, date, version}: PageTitle): string {
	const release = escapeRoff(`${name} ${version}`);
	// Without hyphens and wide spaces, what a shell reads stays as it is.
	return `.TH ${name.toUpperCase()} 1 ${date} "${release}" "User Commands"\n.nh\n.ad l\n`;
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

/** Returns a term, as it is typed, and below it what it means. */
export function entry(term: string, meaning: string): string {
	return `.TP\n${typedLine(term)}\n${textLine(meaning)}\n`;
}

const shortTermWidth = 26;

/** Returns entries without empty lines between them, a short term beside its meaning. */
export function table(entries: ReadonlyArray<readonly [term: string, meaning: string]>): string {
	const rows = entries.map(
		([term, meaning]) => `.TP ${shortTermWidth}\n${typedLine(term)}\n${textLine(meaning)}\n`,
	);
	return `.PD 0\n${rows.join('')}.PD\n`;
}

/** Returns lines as they are. */
export function example(lines: readonly string[]): string {
	const printed = lines.map((line) => protectLine(escapeRoff(line)));
	return `.PP\n.RS 4\n.nf\n${printed.join('\n')}\n.fi\n.RE\n`;
}
