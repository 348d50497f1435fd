import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {readOutputFile} from '../../src/batch/output-file.ts';
import {modeOf} from '../helpers/settings-home.ts';
import {createDirectory} from '../input/input-helpers.ts';

function createFile(text?: string): string {
	const folder = createDirectory(text === undefined ? {} : {'out.jsonl': text});
	return join(folder, 'out.jsonl');
}

function answer(id: string, exitCode = 0, content = 'ä'): string {
	return `${JSON.stringify({id, hash: `h${id}`, exit_code: exitCode, content})}\n`;
}

describe('the output of a stopped batch', () => {
	const whole = answer('a') + answer('b', 75);

	test('knows its answers wherever it was cut', () => {
		const bytes = Buffer.from(whole);
		const first = Buffer.byteLength(answer('a'));
		const places = [
			0,
			1,
			first - 4,
			first - 1,
			first,
			first + 1,
			bytes.length - 5,
			bytes.length - 1,
		];
		for (const length of [...places, bytes.length]) {
			const path = createFile();
			writeFileSync(path, bytes.subarray(0, length));
			const earlier = readOutputFile(path, 'out.jsonl');
			const isThere = [answer('a').length + 1, bytes.length].map((end) => length >= end);
			const found = [earlier.find('a', 'ha'), earlier.find('b', 'hb')];
			expect(found).toEqual([isThere[0] ? 0 : undefined, isThere[1] ? 75 : undefined]);
			expect(earlier.find('a', 'other')).toBeUndefined();
			const file = earlier.open();
			file.append(answer('c'));
			file.close();
			const kept = (isThere[0] ? answer('a') : '') + (isThere[1] ? answer('b', 75) : '');
			expect(readFileSync(path, 'utf8')).toBe(kept + answer('c'));
		}
	});

	test('loses failed answers that are asked again', () => {
		const path = createFile(answer('a') + answer('b', 75) + answer('c', 79) + answer('d'));
		const earlier = readOutputFile(path, 'out.jsonl', `${path}.draft`);
		expect([earlier.find('a', 'ha'), earlier.find('b', 'hb')]).toEqual([0, undefined]);
		const file = earlier.open();
		file.append(answer('b'));
		file.close();
		expect(readFileSync(path, 'utf8')).toBe(answer('a') + answer('d') + answer('b'));
		expect(modeOf(path)).toBe('600');
	});
});

test.each([
	['{"prompt": "a"}\n'],
	['notes\n'],
	['notes'],
	[`${answer('a')}\n`],
	[`x${answer('a')}`],
])('a file with other content is refused and kept: %j', (text) => {
	const path = createFile(text);
	const open = () => readOutputFile(path, 'out.jsonl', `${path}.draft`);
	expect(open).toThrow('out.jsonl has other lines than the answers of a batch');
	expect(readFileSync(path, 'utf8')).toBe(text);
});

test('a new file is for the user alone', () => {
	const path = createFile();
	readOutputFile(path, 'out.jsonl').open().close();
	expect(modeOf(path)).toBe('600');
});
