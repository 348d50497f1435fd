import {
	existsSync,
	linkSync,
	lstatSync,
	readdirSync,
	readFileSync,
	statSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {describe, expect, test} from 'vitest';
import {readJsonFile} from '../../src/settings/json-file.ts';
import {rewriteFile} from '../../src/settings/rewrite-file.ts';
import {createSeededRandom} from '../helpers/seeded-random.ts';
import {modeOf} from '../helpers/settings-home.ts';
import {createDirectory} from '../input/input-helpers.ts';

function stage(next: string, path: string): void {
	writeFileSync(path, next, {flag: 'wx', mode: 0o600});
}

/** Adds a word to the file, if it is not there yet. */
function addWord(word: string) {
	return (text = ''): string | undefined =>
		text.split(' ').includes(word) ? undefined : `${text} ${word}`.trim();
}

describe('a rewritten file', () => {
	test('is made with its folders, for the user alone, and nothing else stays', async () => {
		const directory = join(createDirectory(), 'a', 'b');
		const path = join(directory, 'file');
		await rewriteFile(path, {change: addWord('one'), stage});
		await rewriteFile(path, {change: addWord('two'), stage});
		expect(readFileSync(path, 'utf8')).toBe('one two');
		expect(readdirSync(directory)).toEqual(['file']);
		expect([modeOf(path), modeOf(directory)]).toEqual(['600', '700']);
	});

	test('is left alone when there is nothing to change', async () => {
		const path = join(createDirectory({file: 'one'}), 'file');
		const before = statSync(path);
		await rewriteFile(path, {change: addWord('one'), stage});
		expect(statSync(path)).toMatchObject({ino: before.ino, mtimeMs: before.mtimeMs});
	});

	test('stays behind its link', async () => {
		const directory = createDirectory({target: 'one'});
		const path = join(directory, 'link');
		symlinkSync(join(directory, 'target'), path);
		await rewriteFile(path, {change: addWord('two'), stage});
		expect(lstatSync(path).isSymbolicLink()).toBe(true);
		expect(readFileSync(join(directory, 'target'), 'utf8')).toBe('one two');
	});

	test('is as it was, alone, when the change fails', async () => {
		const directory = createDirectory({file: 'one'});
		const path = join(directory, 'file');
		const failure = {
			change: addWord('two'),
			stage: (_: string, staged: string) => {
				writeFileSync(staged, 'half');
				throw new Error('ENOSPC: no space left');
			},
		};
		await expect(rewriteFile(path, failure)).rejects.toMatchObject({
			kind: 'create',
			message: `cannot write ${path}: ENOSPC: no space left`,
		});
		expect(readFileSync(path, 'utf8')).toBe('one');
		expect(readdirSync(directory)).toEqual(['file']);
	});

	test('in a place where no folder can be is a failure that names it', async () => {
		const path = join(createDirectory({file: ''}), 'file', 'below', 'config.json');
		await expect(rewriteFile(path, {change: addWord('one'), stage})).rejects.toMatchObject({
			kind: 'create',
			message: expect.stringContaining(path),
		});
	});
});

describe('many changes at once', () => {
	test.each([1, 2, 3])(
		'are all in the file, which is whole at every moment (seed %i)',
		async (seed) => {
			const draw = createSeededRandom(seed);
			const path = join(createDirectory(), 'file');
			const words = Array.from({length: 20}, (_, index) => `word${index}`);
			let isDone = false;
			const slowStage = async (next: string, staged: string) => {
				for (let turns = draw(0, 20); turns > 0; turns--) await nextTurn();
				stage(next, staged);
				for (let turns = draw(0, 5); turns > 0; turns--) await nextTurn();
			};
			const watch = async () => {
				const seen = new Set<string>();
				while (!isDone) {
					if (existsSync(path)) seen.add(readFileSync(path, 'utf8'));
					await nextTurn();
				}
				return [...seen];
			};
			const watched = watch();
			await Promise.all(
				words.map((word) => rewriteFile(path, {change: addWord(word), stage: slowStage})),
			);
			isDone = true;
			expect(new Set(readFileSync(path, 'utf8').split(' '))).toEqual(new Set(words));
			for (const text of await watched) expect(text).toMatch(/^word\d+( word\d+)*$/);
		},
	);

	test('wait for one that has claimed the file, and carry on when it is done', async () => {
		const directory = createDirectory({file: 'one', other: 'one other'});
		const path = join(directory, 'file');
		const claim = `${path}.${readJsonFile(path).version}.next`;
		linkSync(join(directory, 'other'), claim);
		let tries = 0;
		const change = (text = '') => {
			tries++;
			// The other run finishes while this one waits.
			if (tries === 3) writeFileSync(path, 'one other');
			return addWord('two')(text);
		};
		await rewriteFile(path, {change, stage});
		expect(readFileSync(path, 'utf8')).toBe('one other two');
		expect(tries).toBeGreaterThan(3);
	});

	test('finish for one that died between its claim and its move', async () => {
		const directory = createDirectory({file: 'one', dead: 'one dead'});
		const path = join(directory, 'file');
		const claim = `${path}.${readJsonFile(path).version}.next`;
		linkSync(join(directory, 'dead'), claim);
		utimesSync(claim, 1, 1);
		await rewriteFile(path, {change: addWord('two'), stage});
		expect(readFileSync(path, 'utf8')).toBe('one dead two');
		expect(existsSync(claim)).toBe(false);
	});

	test('clean up after those that died long ago, and touch nothing else', async () => {
		const rubbish = ['file.0a1b.new', 'file.0a1b.new.tmp-0a1b', 'file.x-y.next'];
		const files = [...rubbish, 'file.json', 'other.0a1b.new', 'file.0c.new'];
		const directory = createDirectory(Object.fromEntries(files.map((name) => [name, 'x'])));
		for (const name of files.slice(0, -1)) utimesSync(join(directory, name), 1, 1);
		await rewriteFile(join(directory, 'file'), {change: addWord('one'), stage});
		expect(readdirSync(directory).sort()).toEqual([
			'file',
			'file.0c.new',
			'file.json',
			'other.0a1b.new',
		]);
	});
});
