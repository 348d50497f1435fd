import {readdirSync, readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {describe, expect, test} from 'vitest';
import {maskSource} from './scan-source.ts';

/**
 * Phrases that a reader has to read twice, and the words to use in their place. Only patterns that
 * are wrong nearly everywhere: a ban that needs many exceptions teaches people to work around it.
 */

type Phrase = {
	/** A space also matches the end of a line of a comment. */
	readonly pattern: string;
	readonly instead: string;
	/** Search names in the code too, not only comments and strings. */
	readonly isName?: boolean;
	/** Folders with their slash in which the word means something else. */
	readonly allowedIn?: readonly string[];
};

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
	{pattern: String.raw`(?:\/\*\*|\/\/) What\b`, instead: 'the noun, or a verb'},
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

/** Finds banned phrases in one file; each result names the line and what to write instead. */
function findPhrases(file: string, source: string): readonly string[] {
	const prose = /\.(?:tsx?|js)$/.test(file) ? keepProse(source) : source;
	return phrases
		.filter(({allowedIn = []}) => !allowedIn.some((place) => file.startsWith(place)))
		.flatMap(({pattern, instead, isName}) => {
			const withGaps = new RegExp(pattern.replaceAll(' ', String.raw`\s+(?:(?:\*|\/\/|#) )?`), 'g');
			const exact = new RegExp(pattern, 'g');
			return [...(isName ? source : prose).matchAll(isName ? exact : withGaps)].map((match) => {
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

describe('plain English', () => {
	test('in every comment, string and document', () => {
		expect(files.length).toBeGreaterThan(100);
		expect(files.flatMap((file) => findPhrases(file, readFileSync(root + file, 'utf8')))).toEqual(
			[],
		);
	});

	test.each([
		['a comment', 'a(); // this is no key', 'is no k'],
		['a phrase on two lines', '/**\n * This is\n * no key.\n */', 'is'],
		['a string', "throw new Error('that was no key');", 'was no k'],
		['a comment that opens with What', '/** What is sent. */', '/** What'],
		['a name', 'const rehearsalService = 1;', 'rehearsal'],
	])('is checked in %s', (_, source, quoted) => {
		expect(findPhrases('src/a.ts', source)).toEqual([expect.stringContaining(`"${quoted}`)]);
	});

	test.each([
		['there is no key', '// There is no key.'],
		['is no longer', '// It is no longer used.'],
		['code', 'const is = no;'],
		['so be it', "say('so be it');"],
	])('lets through: %s', (_, source) => {
		expect(findPhrases('src/a.ts', source)).toEqual([]);
	});
});
