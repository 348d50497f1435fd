/**
 * Finds the imports of a TypeScript source, types included, which compiled code no longer has. A
 * tokenizer for comments, strings, templates and regular expressions is enough for that.
 */

export type ModuleImport = {
	readonly specifier: string;
	/** From 1. */
	readonly line: number;
	/** `types`: gone at run time; `lazy`: loaded by `import()` or `require()`. */
	readonly form: 'static' | 'lazy' | 'types';
};

export type ScannedSource = {
	/** As long as the source, with blanks for comments and the contents of strings. */
	readonly code: string;
	/** As long as the source, with blanks for everything but the contents of strings. */
	readonly texts: string;
	/** The same without the strings of hints: what is called `hint`, or `…Hint`. */
	readonly textsBesideHints: string;
	readonly imports: readonly ModuleImport[];
	/** Lines with an `import()` of anything but a plain string. */
	readonly computedImports: readonly number[];
};

type StringLiteral = {readonly start: number; readonly end: number; readonly value: string};

const templateText = String.raw`(?:\\[\s\S]|\$(?!\{)|[^\\$${'`'}])*(?:${'`'}|\$\{)`;

const tokens = {
	comment: /\/\/[^\n]*|\/\*[\s\S]*?\*\//y,
	string: /'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*"/y,
	template: new RegExp(`\`${templateText}`, 'y'),
	templateRest: new RegExp(`\\}${templateText}`, 'y'),
	regex: /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/y,
	word: /[\w$]+|\s+/y,
} as const satisfies Record<string, RegExp>;

/** After these a slash starts a regular expression; elsewhere it divides, or closes a tag. */
const beforeRegex =
	/(?:^|[(,=:[!&|?{;+\-*%~^]|=>|\b(?:return|typeof|case|of|in|await|yield|else|do|void|delete))\s*$/;

/** Several tests scan each source. */
const scannedSources = new Map<string, ScannedSource>();

export function scanSource(source: string): ScannedSource {
	const scanned = scannedSources.get(source) ?? scanAnew(source);
	scannedSources.set(source, scanned);
	return scanned;
}

function scanAnew(source: string): ScannedSource {
	const {code, texts, strings} = maskSource(source);
	const lineAt = (index: number) => code.slice(0, index).split('\n').length;
	const imports: ModuleImport[] = [];
	for (const [index, {start, end, value}] of strings.entries()) {
		const form = importForm(code.slice(strings[index - 1]?.end ?? 0, start), code.slice(end));
		if (form !== undefined) imports.push({specifier: value, line: lineAt(start), form});
	}
	const computed = [...code.matchAll(/(?<![.\w$])import\s*\(\s*(?![\s'"`])/g)];
	const templates = [...code.matchAll(/(?<![.\w$])import\s*\(\s*`[^`]*\$\{/g)];
	const computedImports = [...computed, ...templates].map((match) => lineAt(match.index));
	return {code, texts, textsBesideHints: blankHints(code, texts), imports, computedImports};
}

/** A property, a variable or a function that is called a hint. */
const hintName = /(?<![.\w$])(?:hint|\w+Hint)\s*[:=(]/g;

function blankHints(code: string, texts: string): string {
	let rest = texts;
	for (const {index, 0: name} of code.matchAll(hintName)) {
		const start = index + name.length - 1;
		const end = endOfHint(code, start);
		rest = rest.slice(0, start) + blank(rest.slice(start, end)) + rest.slice(end);
	}
	return rest;
}

/** Finds the end of a value, or of the body of a function. */
function endOfHint(code: string, start: number): number {
	const isFunction = code.charAt(start) === '(';
	let depth = 0;
	for (let index = start; index < code.length; index++) {
		const character = code.charAt(index);
		if ('([{'.includes(character)) depth += 1;
		if (')]}'.includes(character)) depth -= 1;
		const isBody = isFunction && character === '}';
		if (depth < 0 || (depth === 0 && (isBody || ',;'.includes(character)))) return index;
	}
	return code.length;
}

/** Decides how a string is imported, from the code since the previous string and after it. */
function importForm(before: string, after: string): ModuleImport['form'] | undefined {
	if (/(?<![.\w$])import\s*\(\s*$/.test(before)) {
		const isType =
			/\btypeof\s+import\s*\(\s*$/.test(before) ||
			/^\s*\)\s*\.\s*(?!then\b|catch\b|finally\b)[\w$]/.test(after);
		return isType ? 'types' : 'lazy';
	}
	if (/(?<![.\w$])require\s*\(\s*$/.test(before)) return 'lazy';
	if (/(?<![.\w$])import\s*$/.test(before)) return 'static';
	if (!/\bfrom\s*$/.test(before)) return undefined;
	const statement = before.match(/(?<![.\w$])(?:import|export)\b(?![\s\S]*\b(?:import|export)\b)/);
	if (statement === null) return undefined;
	const clause = before.slice(statement.index);
	return /^\w+\s+type\b(?!\s*(?:,|from\b\s*$))/.test(clause) ? 'types' : 'static';
}

/** Blanks comments and literals; returns the contents and the string literals too, in order. */
export function maskSource(source: string): {
	readonly code: string;
	readonly texts: string;
	readonly strings: readonly StringLiteral[];
} {
	const strings: StringLiteral[] = [];
	const openBraces: Array<'block' | 'template'> = [];
	let code = '';
	let texts = '';
	const read = (token: RegExp): string | undefined => {
		token.lastIndex = code.length;
		return token.exec(source)?.[0];
	};
	const takeLiteral = (text: string) => {
		const start = code.length;
		const isWhole = text.length > 1 && text.at(0) === text.at(-1);
		if (isWhole) strings.push({start, end: start + text.length, value: text.slice(1, -1)});
		if (text.endsWith('${')) openBraces.push('template');
		const kept = text.endsWith('${') ? 2 : 1;
		texts += ` ${text.slice(1, -kept)}${' '.repeat(kept)}`;
		code += text[0] + blank(text.slice(1, -kept)) + text.slice(-kept);
	};
	const takeBrace = (brace: string) => {
		if (brace === '{') openBraces.push('block');
		const rest = brace === '}' && openBraces.pop() === 'template' ? read(tokens.templateRest) : '';
		if (rest) takeLiteral(rest);
		else code += brace;
	};
	while (code.length < source.length) {
		const comment = read(tokens.comment);
		const literal = comment ?? read(tokens.string) ?? read(tokens.template);
		const character = source.charAt(code.length);
		if (comment !== undefined) code += blank(comment);
		else if (literal !== undefined) takeLiteral(literal);
		else if (character === '/' && beforeRegex.test(code.slice(-40))) {
			code += blank(read(tokens.regex) ?? '/');
		} else if (character === '{' || character === '}') takeBrace(character);
		else code += read(tokens.word) ?? character;
		texts += blank(source.slice(texts.length, code.length));
	}
	return {code, texts, strings};
}

function blank(text: string): string {
	return text.replace(/[^\n]/g, ' ');
}
