/** The file of earlier prompts. */
import {
	appendFileSync,
	existsSync,
	mkdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {dirname, join} from 'node:path';
import {setImmediate} from 'node:timers/promises';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {toJsonLine} from '../../src/json.ts';
import {
	appendHistory,
	compactHistory,
	type HistoryRecord,
	readHistory,
} from '../../src/sessions/prompt-history.ts';
import {fuzzProperty} from '../helpers/fuzz.ts';
import {modeOf} from '../helpers/settings-home.ts';
import {createFolder} from './session-files.ts';

const at = '2026-11-22T02:47:45.120Z';
const here = '/home/ada/here';

function recordOf(text: string, more: Partial<HistoryRecord> = {}): HistoryRecord {
	return {at, cwd: here, text, ...more};
}

/** Returns the path of a history with these lines; without lines, there is no file. */
function createHistory(...lines: readonly string[]): string {
	const path = join(createFolder(), 'history.jsonl');
	if (lines.length > 0) {
		mkdirSync(dirname(path), {recursive: true});
		writeFileSync(path, lines.join(''));
	}
	return path;
}

async function textsOf(path: string, cwd = here): Promise<readonly string[]> {
	return (await readHistory(path, cwd)).map(({text}) => text);
}

describe('a history', () => {
	test('returns what was added, the prompts of other folders first', async () => {
		const path = createHistory();
		const elsewhere = {cwd: '/elsewhere'};
		await appendHistory(path, recordOf('one'));
		await appendHistory(path, recordOf('two', elsewhere));
		await appendHistory(path, recordOf('{"at":"x"}\nlines\t…\u2028'));
		expect(await textsOf(path)).toEqual(['two', 'one', '{"at":"x"}\nlines\t…\u2028']);
		expect(await textsOf(path, '/elsewhere')).toEqual(['one', '{"at":"x"}\nlines\t…\u2028', 'two']);
	});

	test('can be read by its owner alone', async () => {
		const path = createHistory();
		await appendHistory(path, recordOf('one'));
		expect([modeOf(path), modeOf(dirname(path))]).toEqual(['600', '700']);
	});

	test('keeps the places of long pastes', async () => {
		const path = createHistory();
		const folds = [{from: 7, to: 11, label: '[Pasted]'}];
		await appendHistory(path, recordOf('sum up long', {folds}));
		expect(await readHistory(path, here)).toEqual([{text: 'sum up long', folds, attachments: []}]);
	});

	test('leaves out prompts that start with a space, and very long ones', async () => {
		const path = createHistory();
		await appendHistory(path, recordOf(' private'));
		await appendHistory(path, recordOf('x'.repeat(100_000)));
		expect(existsSync(path)).toBe(false);
	});

	test('starts a new line after one that another run could not finish', async () => {
		const path = createHistory(toJsonLine(recordOf('one')), '{"at":"2026');
		await appendHistory(path, recordOf('two'));
		expect(await textsOf(path)).toEqual(['one', 'two']);
	});
});

describe('damage', () => {
	const good = toJsonLine(recordOf('good'));

	test.each([
		['a line that is not JSON', 'not JSON\n'],
		['a record that was cut off', '{"at":"2026-11-22","text":"cut o'],
		['a block of zeros', '\0'.repeat(4096)],
		['a record without a text', '{"at":"x","cwd":"/","text":7}\n'],
		['a blank text', '{"at":"x","cwd":"/","text":" "}\n'],
		['other values', 'null\n[]\n"text"\n\n'],
		['an endless array', `${'['.repeat(10_000)}\n`],
	])('%s costs no other record', async (_, damage) => {
		const path = createHistory(good, damage, toJsonLine(recordOf('after')));
		expect(await textsOf(path)).toEqual(['good', 'after']);
	});

	test('two records on one line are both read', async () => {
		expect(await textsOf(createHistory(good.trimEnd(), toJsonLine(recordOf('b'))))).toEqual([
			'good',
			'b',
		]);
	});

	test.each([
		[[{from: 0, to: 99, label: ''}]],
		[[{from: 3, to: 2, label: ''}]],
		[
			[
				{from: 0, to: 3, label: ''},
				{from: 2, to: 4, label: ''},
			],
		],
		[[null]],
		['x'],
	])('folds %j are ignored', async (folds) => {
		const path = createHistory(toJsonLine({...recordOf('text'), folds}));
		expect(await readHistory(path, here)).toEqual([{text: 'text', attachments: []}]);
	});

	test('what is not a regular file has no prompts', async () => {
		const path = createHistory(good);
		const link = `${path}.link`;
		symlinkSync('/dev/zero', link);
		expect(await readHistory(link, here)).toEqual([]);
	});

	fuzzProperty(
		'anywhere in the file leaves the lines that it does not touch',
		80,
		fc.asyncProperty(
			fc.array(fc.string({unit: 'grapheme', minLength: 1}), {minLength: 2, maxLength: 8}),
			fc.nat(),
			fc.uint8Array({maxLength: 40}),
			async (texts, place, damage) => {
				const lines = texts.map((text) => toJsonLine(recordOf(`p${text}`)));
				const victim = place % lines.length;
				const bytes = Buffer.from(lines[victim] ?? '');
				const cut = bytes.subarray(0, place % bytes.length);
				const damaged = Buffer.concat([cut, Buffer.from(damage), Buffer.from('\n')]);
				const path = createHistory('x');
				const pieces = lines.map((line, index) => (index === victim ? damaged : Buffer.from(line)));
				writeFileSync(path, Buffer.concat(pieces));
				const read = await textsOf(path);
				const untouched = texts.filter((_, index) => index !== victim).map((text) => `p${text}`);
				expect(read.filter((text) => untouched.includes(text))).toEqual(untouched);
			},
		),
	);
});

describe('a large history', () => {
	const filler = 'x'.repeat(1000);
	const lines = Array.from({length: 5000}, (_, index) =>
		toJsonLine(recordOf(`${index} ${filler}`)),
	);

	test('keeps its newest prompts, each once, in a file as private as before', async () => {
		const repeated = Array.from({length: 3000}, () => lines.at(-1) ?? '');
		const path = createHistory(...lines, toJsonLine(recordOf('once')), ...repeated);
		await compactHistory(path);
		const texts = await textsOf(path);
		expect(texts.slice(-3)).toEqual([`4998 ${filler}`, 'once', `4999 ${filler}`]);
		expect(new Set(texts).size).toBe(texts.length);
		expect(texts.length).toBeGreaterThan(1000);
		expect(statSync(path).size).toBeLessThan(2_100_000);
		expect(modeOf(path)).toBe('600');
	});

	test('keeps at most ten thousand', async () => {
		const short = Array.from({length: 30_000}, (_, index) =>
			toJsonLine(recordOf(`${index} ${'y'.repeat(80)}`)),
		);
		const path = createHistory(...short);
		await compactHistory(path);
		expect((await textsOf(path)).length).toBe(10_000);
	});

	describe('that another session holds', () => {
		/** Lets another session hold the file while this one wants to change it. */
		async function meanwhile(path: string, work: Promise<void>, other: () => void): Promise<void> {
			let isDone = false;
			const done = work.then(() => {
				isDone = true;
			});
			other();
			await setImmediate();
			expect(isDone).toBe(false);
			rmSync(`${path}.lock`);
			await done;
		}

		test('gets a prompt when it has been made smaller', async () => {
			const path = createHistory(...lines);
			writeFileSync(`${path}.lock`, 'other');
			await meanwhile(path, appendHistory(path, recordOf('mine')), () => {
				writeFileSync(`${path}.new`, lines[0] ?? '');
				renameSync(`${path}.new`, path);
			});
			expect(await textsOf(path)).toEqual([`0 ${filler}`, 'mine']);
		});

		test('is made smaller with the prompt that was added to it', async () => {
			const path = createHistory(...lines);
			writeFileSync(`${path}.lock`, 'other');
			await meanwhile(path, compactHistory(path), () =>
				appendFileSync(path, toJsonLine(recordOf('theirs'))),
			);
			expect((await textsOf(path)).at(-1)).toBe('theirs');
		});
	});

	test('is whole after a run that ended while it made it smaller', async () => {
		const path = createHistory(...lines);
		writeFileSync(`${path}.new`, lines[0]?.slice(0, 100) ?? '');
		expect((await textsOf(path)).length).toBe(5000);
		await compactHistory(path);
		expect((await textsOf(path)).at(-1)).toBe(`4999 ${filler}`);
		expect(existsSync(`${path}.new`)).toBe(false);
	});

	test('stays where a link leads', async () => {
		const path = createHistory(...lines);
		const link = `${path}.link`;
		symlinkSync(path, link);
		await compactHistory(link);
		expect(readFileSync(path, 'utf8')).toBe(readFileSync(link, 'utf8'));
		expect(statSync(path).size).toBeLessThan(2_100_000);
	});

	test('is left alone below its limit', async () => {
		const path = createHistory(...lines.slice(0, 1000), ...lines.slice(0, 1000));
		const before = readFileSync(path, 'utf8');
		await compactHistory(path);
		expect(readFileSync(path, 'utf8')).toBe(before);
	});
});
