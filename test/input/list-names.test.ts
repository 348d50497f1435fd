import {chmodSync} from 'node:fs';
import {symlink} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {listFolder, listTree} from '../../src/input/list-names.ts';
import {createDirectory, createRepository, gitWith} from './input-helpers.ts';

test('a tree is its files and folders, without those that Git ignores, hidden ones and packages', async () => {
	const folder = createDirectory({
		'.git/config': '',
		'.gitignore': 'dist/\n*.log\n',
		'.env': '',
		'a.log': '',
		'dist/a.js': '',
		'node_modules/b/index.js': '',
		'src/deep/b.ts': '',
		'src/a.ts': '',
	});
	expect(await listTree({...gitWith(), cwd: folder, now: () => 0})).toEqual([
		'src/a.ts',
		'src/deep/b.ts',
		'src/',
		'src/deep/',
	]);
});

test('a tree is read for 300 ms', async () => {
	const files = Array.from({length: 20}, (_, index) => [`${index}.txt`, ''] as const);
	const folder = createDirectory(Object.fromEntries(files));
	let now = 0;
	const names = await listTree({
		...gitWith(),
		cwd: folder,
		now() {
			now += 100;
			return now;
		},
	});
	expect(names).toHaveLength(4);
});

test('a tree without an answer of Git in 300 ms is read by its .gitignore files', async () => {
	const folder = createRepository({'.gitignore': '*.log', 'a.log': '', 'a.txt': ''});
	const bin = createDirectory({git: '#!/bin/sh\nexec sleep 60\n'});
	chmodSync(join(bin, 'git'), 0o700);
	const git = gitWith({PATH: `${bin}:${process.env['PATH']}`});
	expect(await listTree({...git, cwd: folder, now: () => 0})).toEqual(['a.txt']);
});

test('a folder lists hidden names last, and marks folders and links to them', async () => {
	const folder = createDirectory({'.hidden': '', 'b.txt': '', 'a/c.txt': ''});
	await symlink('a', join(folder, 'link'));
	await symlink('nowhere', join(folder, 'broken'));
	expect(await listFolder(folder)).toEqual(['a/', 'b.txt', 'broken', 'link/', '.hidden']);
	await expect(listFolder(join(folder, 'missing'))).rejects.toThrow('ENOENT');
});
