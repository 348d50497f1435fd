import {beforeEach, expect, test} from 'vitest';
import {createDirectory, writeTree} from '../input/input-helpers.ts';

type CollectLicenses = (root: string, metafile: unknown) => Promise<string>;

const script = new URL('../../scripts/third-party-licenses.js', import.meta.url).href;
const {collectLicenses} = (await import(script)) as {collectLicenses: CollectLicenses};

let root: string;

beforeEach(() => {
	root = createDirectory();
});

function write(path: string, text: string): void {
	writeTree(root, {[path]: text});
}

function writePackage(folder: string, license: unknown): void {
	const name = folder.replace(/^.*node_modules\//, '');
	write(`${folder}/package.json`, JSON.stringify({name, version: '1.2.3', license}));
}

function bundleOf(bytes: Readonly<Record<string, number>>): unknown {
	const inputs = Object.entries(bytes).map(([path, bytesInOutput]) => [path, {bytesInOutput}]);
	return {outputs: {'dist/main.js': {inputs: Object.fromEntries(inputs)}}};
}

test('every package in the bundle is listed once, with the text of all its licence files', async () => {
	writePackage('node_modules/b', 'MIT');
	write('node_modules/b/LICENSE', 'words of b\r\nand more\n');
	write('node_modules/b/NOTICE.md', 'notice of b');
	writePackage('node_modules/b/node_modules/@scope/a', 'ISC');
	write('node_modules/b/node_modules/@scope/a/licence.txt', 'words of a');
	writePackage('node_modules/unused', 'MIT');
	const text = await collectLicenses(
		root,
		bundleOf({
			'src/main.ts': 10,
			'node_modules/b/index.js': 10,
			'node_modules/b/lib/more.js': 10,
			'node_modules/b/node_modules/@scope/a/index.js': 10,
			'node_modules/unused/index.js': 0,
		}),
	);
	const [, ...packages] = text.split(/\n-+\n/);
	expect(packages).toEqual([
		'@scope/a 1.2.3 (ISC)\n\nwords of a\n',
		'b 1.2.3 (MIT)\n\nwords of b\nand more\n\nnotice of b\n',
	]);
});

test('the table of models is listed with the licence of its source', async () => {
	write('scripts/licenses/models.dev.txt', 'models.dev (MIT)\n\nits words\n');
	const text = await collectLicenses(root, bundleOf({'src/models/model-table.json': 10}));
	expect(text).toContain('models.dev (MIT)\n\nits words\n');
});

test.each(['GPL-3.0-only', undefined])('the licence %s stops the build', async (license) => {
	writePackage('node_modules/a', license);
	write('node_modules/a/LICENSE', 'words');
	const collected = collectLicenses(root, bundleOf({'node_modules/a/index.js': 1}));
	await expect(collected).rejects.toThrow(/^a@1\.2\.3 has the licence/);
});

test('a package without the text of its licence stops the build until it is provided', async () => {
	writePackage('node_modules/@scope/a', 'MIT');
	const bundle = bundleOf({'node_modules/@scope/a/index.js': 1});
	await expect(collectLicenses(root, bundle)).rejects.toThrow(/scripts\/licenses\/@scope\/a\.txt/);
	write('scripts/licenses/@scope/a.txt', 'words from its repository');
	expect(await collectLicenses(root, bundle)).toContain('words from its repository');
});
