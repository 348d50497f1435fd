import {execFile} from 'node:child_process';
import {mkdtemp, readdir, readFile, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {expect, onTestFinished, test} from 'vitest';

const run = promisify(execFile);

async function drawPictures(): Promise<ReadonlyMap<string, string>> {
	const folder = await mkdtemp(join(tmpdir(), 'chat-pictures-'));
	onTestFinished(() => rm(folder, {recursive: true}));
	await run(process.execPath, ['scripts/pictures.js', '--output', folder, 'session-80x24']);
	const names = await readdir(folder);
	return new Map(
		await Promise.all(
			names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const),
		),
	);
}

test('the pictures are the same each time, small, and their text can be searched', async () => {
	const [first, second] = [await drawPictures(), await drawPictures()];
	expect([...first.keys()]).toEqual(['session-80x24-dark.svg', 'session-80x24-light.svg']);
	expect(second).toEqual(first);
	for (const svg of first.values()) {
		expect(svg.length).toBeLessThan(60_000);
		expect(svg).toContain('partition_point');
	}
});
