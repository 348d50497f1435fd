import {readdirSync, readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {describe, expect, test} from 'vitest';
import {maskSource} from './scan-source.ts';

/**
 * Patterns of translated prose, and what to write instead: phrases, openings of comments, and words
 * per thousand. Only patterns wrong nearly everywhere: a ban with many exceptions teaches people to
 * work around it.
 */

type Phrase = {
	/** A space also matches the end of a line of a comment. */
	readonly pattern: string;
	readonly instead: string;
	/** Search names in the code too, not only comments and strings. */
	readonly isName?: boolean;
	/** Folders with their slash in which the word means something else. */
	readonly allowedIn?: readonly string[];
	/** Folders with their slash; everywhere by default. */
	readonly foundIn?: readonly string[];
};

const sources = ['src/', 'bin/', 'scripts/'];

const phrases: readonly Phrase[] = [
	{
		pattern: String.raw`(?<!\b(?:[tT]here|[tT]here's) )\b(?:is|are|was|were) no (?!longer|more|less|one|such)[a-z]`,
		instead: '"is not a …"',
	},
	{pattern: String.raw`\bthat (?:is|are) none\b`, instead: '"that is not one"'},
	{pattern: String.raw`\b[wW]hoever\b`, instead: 'the noun: "the caller", "the user"'},
	{pattern: String.raw`\banew\b`, instead: '"again", or a verb with re-'},
	{pattern: String.raw`\bfor ever\b`, instead: '"forever", "without limit"'},
	{pattern: String.raw`(?<!\bso )\bbe it\b`, instead: '"even if it is"'},
	{pattern: String.raw`\bmend(?:s|ed|ing)?\b`, instead: '"fix"'},
	{
		pattern: String.raw`(?:\/\*\*|(?<!\/\/[^\n]*\n\s*)\/\/) (?:Those|That|Of|As|With|By|At|For|From|To|Until|This|These|Its?|Them|They|One|Only|Also|Not|Such|So|What|Who|Whoever|Nobody)\b`,
		instead: 'the noun that the comment is about, or a verb',
		foundIn: sources,
	},
	{
		pattern: String.raw`\bof (?:the |an? |its |their )?\w+ of\b`,
		instead: 'a compound noun, a genitive or a gerund',
		foundIn: sources,
	},
	{
		pattern: `[bB]orders?(?![a-z])`,
		instead: '"boundary"',
		isName: true,
		allowedIn: [
			'src/sessions/export/page-style.ts',
			...['src/terminal/markdown/', 'src/ui/', 'test/terminal/markdown/', 'test/ui/'],
		],
	},
	{
		pattern: `[rR]ehears(?:al|e)|[eE]mbedded[ -]?[sS]ervice`,
		instead: '"the built-in service"',
		isName: true,
	},
];

const root = fileURLToPath(new URL('../../', import.meta.url));
const files = [
	...listDocuments('.'),
	...['docs', 'src', 'bin', 'scripts', 'test'].flatMap(listFiles),
];

function listDocuments(folder: string): readonly string[] {
	return readdirSync(root + folder).filter((name) => name.endsWith('.md'));
}

function listFiles(folder: string): readonly string[] {
	return readdirSync(root + folder, {recursive: true, encoding: 'utf8'})
		.map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
		.filter(
			(path) =>
				/\.(?:tsx?|js|md|yaml)$/.test(path) && path !== 'test/architecture/language.test.ts',
		);
}

/** A blank of a phrase may be a line end within a comment. */
const withGaps = (pattern: string) =>
	pattern.replaceAll(' ', String.raw`(?: |\n\s*(?:\*|\/\/|#) )`);

/** One search for all phrases is enough for most files. */
const anyPhrase = new RegExp(
	phrases.map(({pattern, isName}) => (isName ? pattern : withGaps(pattern))).join('|'),
);

/** Finds banned phrases in one file; each result names the line and what to write instead. */
function findPhrases(file: string, source: string): readonly string[] {
	if (!anyPhrase.test(source)) return [];
	const prose = /\.(?:tsx?|js)$/.test(file) ? keepProse(source) : source;
	return phrases
		.filter(({allowedIn = []}) => !allowedIn.some((place) => file.startsWith(place)))
		.filter(({foundIn = ['']}) => foundIn.some((place) => file.startsWith(place)))
		.flatMap(({pattern, instead, isName}) => {
			const sought = new RegExp(isName ? pattern : withGaps(pattern), 'g');
			return [...(isName ? source : prose).matchAll(sought)].map((match) => {
				const line = source.slice(0, match.index).split('\n').length;
				return `${file}:${line}: "${match[0].trim()}": write ${instead}`;
			});
		});
}

/** Keeps comments and the insides of strings; everything else becomes blanks. */
function keepProse(source: string): string {
	const {code} = maskSource(source);
	return source.replace(/\S/g, (character, index) => (code[index] === ' ' ? character : ' '));
}

type Rates = {readonly of: number; readonly that: number; readonly ing: number};

/** Words per thousand. Comments of native codebases have 8 to 17, 6 to 10 and 19 to 28. */
function measure(prose: string): Rates {
	const words = prose.match(/[A-Za-z']+/g) ?? [];
	const rate = (pattern: RegExp) =>
		(words.filter((word) => pattern.test(word)).length * 1000) / words.length;
	return {of: rate(/^of$/i), that: rate(/^that$/i), ing: rate(/^[a-z]{3,}ing$/)};
}

const textOf = (file: string) => readFileSync(root + file, 'utf8');
const isSource = (file: string) => /^(?:src|bin|scripts)\/.*\.(?:tsx?|js)$/.test(file);

/** Comments alone: blank in the code and in the texts. */
function commentsOf(source: string): string {
	const {code, texts} = maskSource(source);
	return source.replace(/\S/g, (character, index) =>
		code[index] === ' ' && texts[index] === ' ' ? character : ' ',
	);
}

/** Strings of at least four words: errors, notices, hints, help, results of tools. */
function messagesOf(source: string): string {
	return maskSource(source)
		.strings.map(({value}) => value)
		.filter((value) => (value.match(/\b[a-z]{2,}\b/gi) ?? []).length >= 4)
		.join('\n');
}

function proseOf(document: string): string {
	return document.replace(
		/<!-- generated[\s\S]*?<!-- end of generated -->|```[\s\S]*?```|`[^`]*`|\|.*\|/g,
		' ',
	);
}

describe('words per thousand', () => {
	const inSources = files.filter(isSource).map(textOf);
	const documents = files.filter((file) => file.endsWith('.md') && !file.startsWith('test/'));

	test.each([
		['comments', inSources.map(commentsOf), {of: 18, that: 11, ing: 16}],
		['messages', inSources.map(messagesOf), {of: 20, that: 9, ing: 8}],
		['documents', documents.map((file) => proseOf(textOf(file))), {of: 18, that: 12, ing: 10}],
	])('in %s are those of native prose', (_, texts, limits) => {
		const rates = measure(texts.join('\n'));
		expect(rates.of).toBeLessThan(limits.of);
		expect(rates.that).toBeLessThan(limits.that);
		expect(rates.ing).toBeGreaterThan(limits.ing);
	});
});

describe('plain English', () => {
	test('in every comment, string and document', () => {
		expect(files.length).toBeGreaterThan(100);
		expect(files.flatMap((file) => findPhrases(file, readFileSync(root + file, 'utf8')))).toEqual(
			[],
		);
	});

	test.each([
		['a phrase on two lines', '/**\n * The word is\n * no key.\n */', ['is']],
		['a string', "throw new Error('that was no key');", ['was no k']],
		['a comment that opens with a preposition', 'a(); // By name.', ['// By']],
		['a name', 'const rehearsalService = 1;', ['rehearsal']],
		['nothing in plain words', '// There is no key.\n// The name counts,\n// not is = no.', []],
		['nothing in code', 'const is = no;', []],
	])('is checked: %s', (_, source, quoted) => {
		const found = findPhrases('src/a.ts', source);
		expect(found).toEqual(quoted.map((words) => expect.stringContaining(`"${words}`)));
	});
});
