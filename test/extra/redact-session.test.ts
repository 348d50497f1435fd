/** Masking beside another process, and its cost. */
import {spawn} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {buildSync} from 'esbuild';
import {expect, test} from 'vitest';
import {redactFile} from '../../src/sessions/redact-session.ts';
import {createTextMask} from '../../src/sessions/text-mask.ts';
import {expectLinearCost} from '../helpers/cost.ts';
import {createHome} from '../helpers/settings-home.ts';

/** Builds a program that appends records as a run does. */
function buildWriter(folder: string): string {
	const outfile = join(folder, 'writer.mjs');
	const contents = `
		import {openAppendFile} from './append-file.ts';
		import {existsSync} from 'node:fs';
		const [path, stop] = process.argv.slice(2);
		const file = openAppendFile(path);
		let number = 0;
		while (!existsSync(stop)) {
			file.append(JSON.stringify({type: 'title', text: 'swordfish ' + number++}) + '\\n');
			if (number % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
		}
		process.stdout.write(String(number));
	`;
	const resolveDir = join(import.meta.dirname, '../../src/sessions');
	const stdin = {contents, resolveDir};
	buildSync({stdin, outfile, bundle: true, platform: 'node', format: 'esm'});
	return outfile;
}

test('a conversation that is masked while another process adds to it loses nothing', async () => {
	const {home} = createHome({});
	const [path, stop] = [join(home, 'session.jsonl'), join(home, 'stop')];
	writeFileSync(path, '');
	const child = spawn(process.execPath, [buildWriter(home), path, stop], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const written = text(child.stdout);
	const mask = createTextMask('swordfish');
	for (let count = 0; count < 1000; count = mask.count()) await redactFile(path, mask);
	for (let times = 0; times < 5; times += 1) await redactFile(path, mask);
	writeFileSync(stop, '');
	const count = Number(await written);
	await redactFile(path, mask);
	expect(mask.count()).toBe(count);
	const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
	const numbers = lines.map((line) => Number(/^\*+ (\d+)$/.exec(JSON.parse(line).text)?.[1]));
	expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({length: count}, (_, n) => n));
});

test('the cost of masking grows with the text, and not faster', () => {
	const mask = createTextMask('pa"ss/wört\\1');
	expectLinearCost((size) => mask.apply('pa"ss/wor %22 &#34; '.repeat(size)), 2000);
});
