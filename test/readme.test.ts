/**
 * The documents say what the program says. `UPDATE_README=1 npx vitest run test/readme.test.ts`
 * writes the generated blocks of the README anew.
 */
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {beforeAll, describe, expect, it} from 'vitest';
import {createAuthProgram} from '../src/cli/auth-command.ts';
import {createChatProgram} from '../src/cli/chat-program.ts';
import {createConfigProgram} from '../src/cli/config/config-command.ts';
import {readConfigKey, readConfigValue} from '../src/cli/config/config-keys.ts';
import {parseCommand, readFlags, takesValue} from '../src/cli/option-flags.ts';
import {authVerbs, configVerbs, resolveCommand} from '../src/cli/resolve-command.ts';
import {ChatError, type ErrorKind, exitCodeOf, exitCodeRows} from '../src/errors.ts';
import {mergeSettings} from '../src/settings/options/merge.ts';
import {printBlocks, readBlocks, readExamples, replaceBlocks} from './helpers/readme-blocks.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

function read(name: string): string {
	return readFileSync(`${root}${name}`, 'utf8');
}

const blocks = await printBlocks();

beforeAll(() => {
	if (process.env['UPDATE_README'] !== '1') return;
	writeFileSync(`${root}README.md`, replaceBlocks(read('README.md'), blocks));
});

describe('a generated block of the README', () => {
	it.each([...blocks])('is what the program prints: %s', (name, text) => {
		expect(readBlocks(read('README.md')).get(name)).toBe(text);
	});

	it('is known by its name', () => {
		expect([...readBlocks(read('README.md')).keys()].sort()).toEqual([...blocks.keys()].sort());
	});
});

/** Every kind, because the compiler asks for it. */
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
		expect(new Set(listed)).toEqual(new Set(['0', '129', '143', ...codes]));
	});

	it('is in order and says each code once', () => {
		const codes = exitCodeRows.map(({code}) => Number.parseInt(code, 10));
		expect(codes).toEqual([...new Set(codes)].sort((a, b) => a - b));
	});
});

it('the schema of the JSON output names every kind of error', () => {
	const schema = JSON.parse(read('src/output/schemas/result.schema.json'));
	expect(schema.$defs.error.properties.kind.enum).toEqual(errorKinds);
});

describe('an example of the README', () => {
	const examples = readExamples(read('README.md')).map((argv) => ({
		name: argv.join(' '),
		...resolveCommand(argv, takesValue),
	}));

	it('is found', () => {
		expect(examples.length).toBeGreaterThan(20);
	});

	it.each(examples.filter(({command}) => command === 'chat'))(
		'has flags that exist, with values that are accepted: chat $name',
		({argv}) => {
			const parsed = parseCommand(createChatProgram(), argv);
			if (parsed.type === 'run') mergeSettings(readFlags(parsed.command), {});
		},
	);

	it.each(examples.filter(({command}) => command === 'config'))(
		'has a key that exists, with a value that is accepted: chat $name',
		({argv}) => {
			const program = createConfigProgram();
			parseCommand(program, argv);
			const [verb = 'list', key, text] = program.args;
			expect(configVerbs).toContain(verb);
			const setting = key === undefined ? undefined : readConfigKey(key);
			if (setting !== undefined && text !== undefined)
				readConfigValue(key ?? '', setting, text, '/');
		},
	);

	it.each(examples.filter(({command}) => command === 'auth'))(
		'has a verb that exists, and no key: chat $name',
		({argv}) => {
			const program = createAuthProgram();
			parseCommand(program, argv);
			const [verb = 'status', ...more] = program.args;
			expect(authVerbs).toContain(verb);
			expect(more).toEqual([]);
		},
	);

	it.each(examples.filter(({command}) => command === 'serve'))(
		'has flags that exist: chat $name',
		({argv}) => {
			const known = blocks.get('serve-help')?.match(/(?<=\s)--?[a-z-]+/g);
			expect(known).toEqual(expect.arrayContaining(argv.filter((word) => word.startsWith('-'))));
		},
	);
});

describe.each(['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md'])(
	'%s',
	(document) => {
		const text = read(document);

		it('names only files that exist', () => {
			const paths = [...text.matchAll(/`((?:[\w.-]+\/)+[\w.-]*\.(?:ts|js|json|md)|[\w-]+\.md)`/g)];
			const named = paths.map(([, path = '']) => path).filter((path) => !path.startsWith('dist/'));
			const missing = named.filter(
				(path) => !existsSync(root + path) && !existsSync(`${root}src/${path}`),
			);
			expect(missing).toEqual([]);
		});

		it('links only to headings and files that exist', () => {
			const links = [...text.matchAll(/\]\((?!https?:)([^)]*)\)/g)].map(([, link = '']) => link);
			const dead = links.filter((link) => {
				const [path = '', anchor] = link.split('#');
				const target = path === '' ? document : path;
				if (!existsSync(root + target)) return true;
				return anchor !== undefined && !anchorsOf(read(target)).includes(anchor);
			});
			expect(dead).toEqual([]);
		});
	},
);

/** The anchors of all headings, as the usual hosts of Markdown make them. */
function anchorsOf(markdown: string): readonly string[] {
	return [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
		heading
			.toLowerCase()
			.replace(/[^\p{L}\p{N} _-]/gu, '')
			.replaceAll(' ', '-'),
	);
}
