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

/** All kinds; the compiler rejects a missing one. */
const errorKinds = Object.keys({
	bug: true,
	usage: true,
	data: true,
	input: true,
	unavailable: true,
	rejected: true,
	create: true,
	output: true,
	busy: true,
	timeout: true,
	protocol: true,
	auth: true,
	quota: true,
	config: true,
	incomplete: true,
	interrupted: true,
	closed: true,
} satisfies Record<ErrorKind, true>) as readonly ErrorKind[];

describe('the table of exit codes', () => {
	const listed = exitCodeRows.flatMap(({code}) => code.split(', '));

	it('has the codes that a run can end with, and no others', () => {
		const codes = errorKinds.map((kind) => String(exitCodeOf(new ChatError(kind, 'any'))));
		expect(new Set(listed)).toEqual(new Set(['0', '80', '129', '143', ...codes]));
	});

	it('is in order and has each code once', () => {
		const codes = exitCodeRows.map(({code}) => Number.parseInt(code, 10));
		expect(codes).toEqual([...new Set(codes)].sort((a, b) => a - b));
	});
});

it('the schema of the JSON output names every kind of error', () => {
	const schema = JSON.parse(read('src/output/schemas/result.schema.json'));
	expect(schema.$defs.error.properties.kind.enum).toEqual(errorKinds);
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
	it.each(examples)('is accepted: chat $name', ({failure}) => {
		expect([undefined, 'needs more arguments']).toContain(
			failure?.message.replace(/^[a-z ]+ (?=needs more)/, ''),
		);
	});

	it('is found', () => {
		expect(examples.length).toBeGreaterThan(20);
	});

	it.each(examples.filter(({command}) => command === 'chat'))(
		'has valid values: chat $name',
		({flags}) => {
			mergeSettings(flags, {});
		},
	);

	it.each(
		examples.filter(({command, verb}) => command === 'config' && verb !== config.verbs['rename']),
	)('has a known key and a valid value: chat $name', ({words: [key, text]}) => {
		const setting = key === undefined ? undefined : readConfigKey(key);
		if (setting !== undefined && text !== undefined) readConfigValue(key ?? '', setting, text, '/');
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
