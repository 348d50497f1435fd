/**
 * Checks the documents against the program. `UPDATE_DOCS=1 npx vitest run test/documents.test.ts`
 * regenerates their blocks.
 */
import {existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {beforeAll, describe, expect, it} from 'vitest';
import {exitCodeRows} from '../src/cli/command-line/exit-code-rows.ts';
import {config} from '../src/cli/commands/config/config.ts';
import {readLine} from '../src/cli/commands.ts';
import {ChatError, type ErrorKind, exitCodeOf} from '../src/errors.ts';
import {readConfigKey, readConfigValue} from '../src/settings/options/config-values.ts';
import {mergeSettings} from '../src/settings/options/merge.ts';
import {printBlocks, readBlocks, readExamples, replaceBlocks} from './helpers/document-blocks.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

function read(name: string): string {
	return readFileSync(`${root}${name}`, 'utf8');
}

/** For users; those for developers have no commands of `chat`. */
const documents = [
	'README.md',
	...readdirSync(`${root}docs`)
		.filter((name) => name.endsWith('.md'))
		.map((name) => `docs/${name}`),
];

const blocks = await printBlocks();

beforeAll(() => {
	if (process.env['UPDATE_DOCS'] !== '1') return;
	for (const name of documents) writeFileSync(root + name, replaceBlocks(read(name), blocks));
});

describe('a generated block of the documents', () => {
	const readAll = () => documents.flatMap((name) => [...readBlocks(read(name))]);

	it.each([...blocks])('matches the program: %s', (name, text) => {
		expect(new Map(readAll()).get(name)).toBe(text);
	});

	it('has a known name, and one place', () => {
		expect(
			readAll()
				.map(([name]) => name)
				.sort(),
		).toEqual([...blocks.keys()].sort());
	});
});

const {enum: errorKinds}: {readonly enum: readonly ErrorKind[]} = JSON.parse(
	read('src/output/schemas/result.schema.json'),
).$defs.error.properties.kind;

/** The compiler rejects a missing kind. */
const allKinds = {
	...{bug: 1, usage: 1, data: 1, input: 1, unavailable: 1, rejected: 1, create: 1, output: 1},
	...{busy: 1, timeout: 1, protocol: 1, auth: 1, quota: 1, config: 1, incomplete: 1},
	...{interrupted: 1, closed: 1},
} satisfies Record<ErrorKind, 1>;

it('the schema of the JSON output and the table of exit codes have every kind of error, in order', () => {
	expect(errorKinds).toEqual(Object.keys(allKinds));
	const codes = errorKinds.map((kind) => exitCodeOf(new ChatError(kind, 'any')));
	const known = [...new Set<number>([0, 80, 129, 143, ...codes])].sort((a, b) => a - b);
	const listed = exitCodeRows.flatMap(({code}) => code.split(', ').map(Number));
	expect(listed.sort((a, b) => a - b)).toEqual(known);
	const firsts = exitCodeRows.map(({code}) => Number.parseInt(code, 10));
	expect(firsts).toEqual([...firsts].sort((a, b) => a - b));
});

describe('an example of the documents', async () => {
	const examples = await Promise.all(
		documents
			.flatMap((name) => readExamples(read(name)))
			.map(async (argv) => {
				const {command, verb, flags, words, failure} = await readLine(argv);
				const texts = words.map(({text}) => text);
				return {name: argv.join(' '), command: command.name, verb, flags, words: texts, failure};
			}),
	);

	// A sentence may name a command without its arguments.
	it.each(examples)('is accepted: chat $name', ({command, verb, flags, words, failure}) => {
		expect([undefined, 'needs more arguments']).toContain(
			failure?.message.replace(/^[a-z ]+ (?=needs more)/, ''),
		);
		if (command === 'chat') mergeSettings(flags, {});
		const [key, text] = words;
		if (command !== 'config' || verb === config.verbs['rename'] || key === undefined) return;
		const setting = readConfigKey(key);
		if (setting !== undefined && text !== undefined) readConfigValue(key, setting, text, '/');
	});

	it('is found', () => {
		expect(examples.length).toBeGreaterThan(20);
	});
});

const ownFiles = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md'];

it.each(ownFiles)('%s mentions only files that exist', (document) => {
	const paths = read(document).matchAll(/`((?:[\w.-]+\/)+[\w.-]*\.(?:ts|js|json|md)|[\w-]+\.md)`/g);
	const named = [...paths].map(([, path = '']) => path).filter((path) => !path.startsWith('dist/'));
	const missing = named.filter(
		(path) => !existsSync(root + path) && !existsSync(`${root}src/${path}`),
	);
	expect(missing).toEqual([]);
});

it.each([...new Set([...documents, ...ownFiles])])(
	'%s links only to existing headings and files',
	(document) => {
		const text = read(document);
		const links = [...text.matchAll(/\]\((?!https?:)([^)]*)\)/g)].map(([, link = '']) => link);
		const dead = links.filter((link) => {
			const [path = '', anchor] = link.split('#');
			const target = path === '' ? document : join(dirname(document), path);
			if (!existsSync(root + target)) return true;
			return anchor !== undefined && !anchorsOf(read(target)).includes(anchor);
		});
		expect(dead).toEqual([]);
	},
);

/** Returns the anchors of all headings, as Markdown hosts generate them. */
function anchorsOf(markdown: string): readonly string[] {
	return [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
		heading
			.toLowerCase()
			.replace(/[^\p{L}\p{N} _-]/gu, '')
			.replaceAll(' ', '-'),
	);
}
