import {readdirSync, readFileSync} from 'node:fs';
import {posix} from 'node:path';
import {fileURLToPath} from 'node:url';
import {build} from 'esbuild';
import {describe, expect, test} from 'vitest';
import {bans, boundaries, groundFileNames} from './boundaries.ts';
import {checkBoundaries, findCircles, listPermissions} from './check-boundaries.ts';
import {scanSource} from './scan-source.ts';

const sourceRoot = fileURLToPath(new URL('../../src/', import.meta.url));
const sources = readdirSync(sourceRoot, {recursive: true, encoding: 'utf8'})
	.map((path) => path.replaceAll('\\', '/'))
	.filter((path) => /\.tsx?$/.test(path));

function readSource(file: string): string {
	return readFileSync(`${sourceRoot}${file}`, 'utf8');
}

describe('the sources', () => {
	test('import each other in no circle, types and dynamic imports included', () => {
		expect(findCircles(sources, readSource)).toEqual([]);
		const looped: Readonly<Record<string, string>> = {
			'a.ts': "import type {B} from './b/b.ts';",
			'b/b.ts': "const {c} = await import('./c.ts');",
			'b/c.ts': "export type {A} from '../a.ts';",
			'd.ts': "import './a.ts';",
		};
		expect(findCircles(Object.keys(looped), (file) => looped[file] ?? '')).toEqual([
			'a.ts → b/b.ts → b/c.ts → a.ts',
		]);
	});

	test('name the fields of a convention only in the folder of its wire, comments included', () => {
		const field =
			/\b(?:max_tokens|temperature|top_p|reasoning_effort|stream_options|response_format|finish_reason|tool_calls|choices)\b/;
		const naming = sources
			.filter((file) => file.startsWith('protocol/') && field.test(readSource(file)))
			.filter((file) => !/^protocol\/(?:chat-completions|messages|responses)\//.test(file));
		expect(naming).toEqual([]);
	});

	test('have commands that know no other command, and a run that knows none', () => {
		const commandOf = (file: string) => /^cli\/commands\/[^/]+/.exec(file)?.[0];
		const crossing = sources
			.filter((file) => /^cli\/(?:commands|run|command-line)\//.test(file))
			.flatMap((file) =>
				scanSource(readSource(file))
					.imports.filter(({specifier}) => specifier.startsWith('.'))
					.map(({specifier}) => posix.join(posix.dirname(file), specifier))
					.filter((target) => ![undefined, commandOf(file)].includes(commandOf(target)))
					.map((target) => `${file} → ${target}`),
			);
		expect(crossing).toEqual([]);
	});

	test('export no name of the interactive mode, its screens and its sessions twice', () => {
		const files = new Map<string, readonly string[]>();
		const exported = /^export (?:async )?(?:function\*?|const|class|type|interface) (\w+)/gm;
		for (const file of sources) {
			for (const [, name = ''] of readSource(file).matchAll(exported)) {
				files.set(name, [...(files.get(name) ?? []), file]);
			}
		}
		const isHeld = (file: string) => /^(?:repl|sessions|terminal|ui)\//.test(file);
		const twice = [...files].filter(
			([, places]) => new Set(places).size > 1 && places.some(isHeld),
		);
		expect(files.size).toBeGreaterThan(1000);
		expect(twice).toEqual([]);
	});

	test('keep the boundaries', () => {
		expect(sources.flatMap((file) => checkBoundaries(file, readSource(file)))).toEqual([]);
	});
});

describe('the table of boundaries', () => {
	test('has one row per place', () => {
		const places = boundaries.map(({place}) => place);
		expect(new Set(places).size).toBe(places.length);
	});

	test('permits imports only from places with a row', () => {
		const places = boundaries.map(({place}) => place);
		const importable = boundaries.flatMap(({files}) => Object.keys(files));
		for (const target of importable) {
			expect(places.some((place) => place.startsWith(target) || target.startsWith(place))).toBe(
				true,
			);
		}
	});

	test('permits only imports that occur', () => {
		const used = new Set(sources.flatMap((file) => listPermissions(file, readSource(file))));
		const permitted = boundaries.flatMap(({place, files, packages}) =>
			[...Object.keys(files), ...Object.keys(packages)]
				.filter((target) => !groundFileNames.includes(place) && !groundFileNames.includes(target))
				.map((target) => `${place} → ${target}`),
		);
		expect(permitted.filter((permission) => !used.has(permission))).toEqual([]);
	});
});

test.each([
	['process', 'cli/a.ts', 'const a = process.env;'],
	['process.exit', 'process-environment.ts', "process['exit'](1);"],
	['a clock', 'repl/a.ts', 'const a = () => new Date();'],
	['a write', 'cli/a.ts', 'environment.stdout.write(text);'],
	['module level', 'chat/a.ts', 'const a = () => {};\nexport var b = 1;'],
	['module level', 'chat/a.ts', 'const seen = new Map<string, {a: 1}>();'],
	['a colour', 'ui/ink/a.tsx', 'a = <Text dimColor={b} />;'],
	['a colour', 'output/a.ts', 'safe`\\x1b[1;31m${text}`;'],
	['a command', 'settings/files/a.ts', "a('To fix it: chat config edit');"],
	['a slash command', 'input/a.ts', "a('Send it with /image.');"],
	['a variable', 'tools/a.ts', "a('set CHAT_API_KEY');"],
	['a flag', 'protocol/a.ts', "function aHint(a: string) { return a; }\nconst b = '-f';"],
	['repl/ may not import protocol/', 'repl/a.ts', "import {a} from '../protocol/retry.ts';"],
])('%s is found in %s: %s', (what, file, source) => {
	const [found, ...others] = checkBoundaries(file, source);
	expect(found).toContain(what);
	expect(others).toEqual([]);
});

test('what only looks like a ban is left alone', () => {
	const sources = [
		['cli/a.ts', "const a = {process: 1}; a.process; // process.env\nconst b = 'process';"],
		['chat/a.ts', 'function a() { let b = 1; for (let c of d) b += c; }'],
		['protocol/a.ts', "a({hint: b ? 'Use -f.' : c({line: '-s', repl: '/system'})});"],
		['input/a.ts', 'export function aHint({a}: B): Hint {\n\treturn `chat -f ${a}`;\n}'],
	] as const;
	expect(sources.flatMap(([file, source]) => checkBoundaries(file, source))).toEqual([]);
});

test('bans allow only places that exist, and those on words only places that use them', () => {
	const texts = sources.map(
		(file) => [file, scanSource(readSource(file)).textsBesideHints] as const,
	);
	for (const {allowedIn, pattern, isInText} of bans) {
		const users = isInText ? texts.filter(([, text]) => pattern.test(text)) : texts;
		const idle = allowedIn.filter((place) => !users.some(([file]) => file.startsWith(place)));
		expect(idle).toEqual([]);
	}
});

test('the scanner finds every import that the compiler finds', async () => {
	const missed: string[] = [];
	await build({
		absWorkingDir: sourceRoot,
		entryPoints: sources,
		outdir: 'dist',
		bundle: true,
		format: 'esm',
		// Otherwise every tag adds an import that no source names.
		jsx: 'preserve',
		write: false,
		plugins: [
			{
				name: 'compare',
				setup: ({onResolve}) =>
					onResolve({filter: /^/}, ({kind, path, importer}) => {
						if (kind === 'entry-point') return undefined;
						const {imports} = scanSource(readFileSync(importer, 'utf8'));
						if (!imports.some(({specifier}) => specifier === path)) {
							missed.push(`${importer} → ${path}`);
						}
						return {path, external: true};
					}),
			},
		],
	});
	expect(missed).toEqual([]);
});
