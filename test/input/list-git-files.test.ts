/** Folders of real repositories: Git decides what is ignored, and runs nothing that they name. */
import {chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import type {GitEnvironment} from '../../src/input/list-git-files.ts';
import {loadFiles} from '../../src/input/load-files.ts';
import {createDirectory, createRepository, gitWith, runGit, writeTree} from './input-helpers.ts';

async function load(path: string, cwd: string, git: GitEnvironment = gitWith()) {
	const {attachments, notices} = await loadFiles(path, {cwd, git});
	return {names: attachments.map(({name}) => name), notices: notices.map(({message}) => message)};
}

async function namesOf(path: string, cwd: string, git?: GitEnvironment) {
	return (await load(path, cwd, git)).names;
}

/** A program named git that stands before the real one. */
function fakeGit(script: string): GitEnvironment {
	const bin = createDirectory({git: `#!/bin/sh\n${script}\n`});
	chmodSync(join(bin, 'git'), 0o700);
	return gitWith({PATH: `${bin}:${process.env['PATH']}`});
}

describe('a folder is sent without what is ignored by', () => {
	const files = {'a.txt': '', 'secret.txt': '', 'src/b.txt': '', 'src/secret.txt': ''};
	const sent = ['a.txt', 'src/b.txt'];

	test("the user's own file", async () => {
		const cwd = createRepository(files);
		const home = createDirectory({'.config/git/ignore': 'secret.txt\n'});
		const notices = ['.: 2 files; left out: 2 git-ignored'];
		expect(await load('.', cwd, gitWith({HOME: home}))).toEqual({names: sent, notices});
		expect(await namesOf('src', cwd, gitWith({HOME: home}))).toEqual(['src/b.txt']);
		expect(await namesOf('**/*.txt', cwd, gitWith({HOME: home}))).toEqual(sent);
	});

	test('.git/info/exclude, also in a worktree', async () => {
		const cwd = createRepository(files);
		writeTree(cwd, {'.git/info/exclude': 'secret.txt\n/src/local\n', 'src/local/c.txt': ''});
		expect(await namesOf('.', cwd)).toEqual(sent);
		const other = join(createDirectory(), 'other');
		runGit(cwd, 'commit', '--allow-empty', '-m', 'x');
		runGit(cwd, 'worktree', 'add', other);
		writeTree(other, files);
		expect(await namesOf('.', other)).toEqual(sent);
	});
});

describe('a folder of a repository', () => {
	test('is sent with tracked files that rules name, and without deleted ones', async () => {
		const cwd = createRepository({'a.log': '', 'b.log': '', 'gone.txt': '', '.gitignore': '*.log'});
		runGit(cwd, 'add', '--force', 'a.log', 'gone.txt');
		rmSync(join(cwd, 'gone.txt'));
		const notices = ['.: 1 file; left out: 1 git-ignored'];
		expect(await load('.', cwd)).toEqual({names: ['a.log'], notices});
	});

	test('counts an ignored folder once, and an empty one never', async () => {
		const cwd = createRepository({'a.txt': '', 'dist/a.js': '', 'dist/b.js': '', 'logs/a.log': ''});
		writeTree(cwd, {'.git/info/exclude': 'dist/\n*.log\n'});
		mkdirSync(join(cwd, 'empty'));
		expect((await load('.', cwd)).notices).toEqual(['.: 1 file; left out: 2 git-ignored']);
		await expect(load('logs', cwd)).rejects.toMatchObject({
			message: 'logs has no text files to send; left out: 1 git-ignored',
		});
	});

	test('is sent with submodules and other repositories in it, by their own rules', async () => {
		const part = createRepository({'part.txt': ''});
		runGit(part, 'add', '.');
		runGit(part, 'commit', '-m', 'x');
		const cwd = createRepository({'a.txt': '', 'inner/b.txt': '', 'inner/c.log': ''});
		runGit(cwd, '-c', 'protocol.file.allow=always', 'submodule', 'add', part, 'sub');
		writeTree(cwd, {'sub/.gitignore': '*.tmp', 'sub/d.tmp': '', 'inner/.gitignore': '*.log'});
		runGit(join(cwd, 'inner'), 'init');
		const names = ['a.txt', 'inner/b.txt', 'sub/part.txt'];
		expect(await namesOf('.', cwd)).toEqual(names);
		// Only the inner ones are left.
		rmSync(join(cwd, '.git'), {recursive: true});
		expect(await namesOf('inner', cwd)).toEqual(['inner/b.txt']);
		expect(await namesOf('*/*.txt', cwd)).toEqual(['inner/b.txt', 'sub/part.txt']);
	});

	test('is that of the folder, also when a hook of Git names another repository', async () => {
		const other = createRepository({});
		const cwd = createRepository({'a.txt': '', 'b.log': '', '.gitignore': '*.log'});
		const variables = {GIT_DIR: join(other, '.git'), GIT_WORK_TREE: other, GIT_INDEX_FILE: 'x'};
		expect(await namesOf('.', cwd, gitWith(variables))).toEqual(['a.txt']);
	});
});

describe('without an answer of Git, .gitignore files count, and one line says so', () => {
	const lost = 'rules of core.excludesFile and .git/info/exclude may be missing';
	test.each([
		['it is not installed', () => gitWith({PATH: '/nonexistent'}), 'git is not in PATH'],
		[
			'it refuses the repository',
			() => fakeGit("echo 'fatal: detected dubious ownership' >&2; exit 128"),
			'git: detected dubious ownership',
		],
		['it dies', () => fakeGit('kill -9 $$'), 'git failed'],
	])('because %s', async (_, git, reason) => {
		const cwd = createRepository({'src/a.txt': '', 'src/b.log': '', '.gitignore': '*.log'});
		const {names, notices} = await load('src', cwd, git());
		expect(names).toEqual(['src/a.txt']);
		expect(notices).toEqual([`src: ${lost} (${reason})`, 'src: 1 file; left out: 1 git-ignored']);
	});
});

test('Git gets no keys', async () => {
	const cwd = createRepository({'a.txt': ''});
	const {variables, processes} = fakeGit('env > env.txt; printf "a.txt\\0"');
	const git = {variables: {...variables, OPENAI_API_KEY: 'sk-secret', KEPT: '1'}, processes};
	await load('.', cwd, git);
	const env = readFileSync(join(cwd, 'env.txt'), 'utf8');
	expect(env).toContain('KEPT=1');
	expect(env).not.toContain('sk-secret');
});

describe('a hostile repository runs nothing', () => {
	/** With a program that leaves a mark. */
	function createTrap() {
		const cwd = createRepository({'a.txt': '', 'src/.gitignore': 'b.log', 'src/b.txt': ''});
		const mark = join(cwd, 'ran');
		const program = join(cwd, '.git/trap');
		writeFileSync(program, `#!/bin/sh\ntouch ${mark}\n`);
		chmodSync(program, 0o700);
		return {cwd, program, mark};
	}

	test('as its file system monitor', async () => {
		const {cwd, program, mark} = createTrap();
		runGit(cwd, 'config', 'core.fsmonitor', program);
		expect(await namesOf('.', cwd)).toEqual(['a.txt', 'src/b.txt']);
		expect(existsSync(mark)).toBe(false);
	});

	test('to fetch rules that are missing', async () => {
		const {cwd, program, mark} = createTrap();
		runGit(cwd, 'add', '.');
		runGit(cwd, 'commit', '-m', 'x');
		runGit(cwd, 'update-index', '--skip-worktree', 'src/.gitignore');
		rmSync(join(cwd, 'src/.gitignore'));
		rmSync(join(cwd, '.git/objects'), {recursive: true});
		mkdirSync(join(cwd, '.git/objects'));
		writeTree(cwd, {'src/new.txt': ''});
		for (const [key, value] of [
			['core.repositoryFormatVersion', '1'],
			['extensions.partialClone', 'origin'],
			['remote.origin.promisor', 'true'],
			['remote.origin.url', cwd],
			['remote.origin.uploadpack', program],
		] as const) {
			runGit(cwd, 'config', key, value);
		}
		expect(await namesOf('.', cwd)).toEqual(['a.txt', 'src/b.txt', 'src/new.txt']);
		expect(existsSync(mark)).toBe(false);
	});
});
