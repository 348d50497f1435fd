import {execFile} from 'node:child_process';
import {mkdtemp, readFile, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {expect, onTestFinished, test} from 'vitest';

const run = promisify(execFile);

const names = ['menu-80x24', 'reasoning-100x30'];
const files = names.flatMap((name) => [`${name}-dark.svg`, `${name}-light.svg`]);

test('pictures drawn again are those of the README, small, and their text can be searched', async () => {
	const folder = await mkdtemp(join(tmpdir(), 'chat-pictures-'));
	onTestFinished(() => rm(folder, {recursive: true}));
	await run(process.execPath, ['scripts/pictures.js', '--output', folder, ...names]);
	const read = (from: string) =>
		Promise.all(files.map((file) => readFile(join(from, file), 'utf8')));
	const drawn = await read(folder);
	expect(drawn, 'npm run pictures draws them again').toEqual(await read('docs/pictures'));
	expect(drawn.map((svg) => svg.length < 60_000)).not.toContain(false);
	expect(drawn.at(-1)).toContain('binary_search');
});
