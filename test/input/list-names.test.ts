import {mkdir, mkdtemp, rm, symlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {listFolder, listTree} from '../../src/input/list-names.ts';

async function makeFolder(files: Readonly<Record<string, string>>): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), 'chat-names-'));
	onTestFinished(() => rm(folder, {recursive: true}));
	for (const [path, text] of Object.entries(files)) {
		await mkdir(dirname(join(folder, path)), {recursive: true});
		await writeFile(join(folder, path), text);
	}
	return folder;
}

test('a tree is its files and folders, without those that Git ignores, hidden ones and packages', async () => {
	const folder = await makeFolder({
		'.git/config': '',
		'.gitignore': 'dist/\n*.log\n',
		'.env': '',
		'a.log': '',
		'dist/a.js': '',
		'node_modules/b/index.js': '',
		'src/deep/b.ts': '',
		'src/a.ts': '',
	});
	expect(await listTree(folder, () => 0)).toEqual([
		'src/a.ts',
		'src/deep/b.ts',
		'src/',
		'src/deep/',
	]);
});

test('a tree is read for 300 ms', async () => {
	const files = Array.from({length: 20}, (_, index) => [`${index}.txt`, ''] as const);
	const folder = await makeFolder(Object.fromEntries(files));
	let now = 0;
	const names = await listTree(folder, () => {
		now += 100;
		return now;
	});
	expect(names).toHaveLength(4);
});

test('a folder lists hidden names last, and marks folders and links to them', async () => {
	const folder = await makeFolder({'.hidden': '', 'b.txt': '', 'a/c.txt': ''});
	await symlink('a', join(folder, 'link'));
	await symlink('nowhere', join(folder, 'broken'));
	expect(await listFolder(folder)).toEqual(['a/', 'b.txt', 'broken', 'link/', '.hidden']);
	await expect(listFolder(join(folder, 'missing'))).rejects.toThrow('ENOENT');
});
