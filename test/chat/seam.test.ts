import {readdirSync, readFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {createSeamFinder, findAnchor} from '../../src/chat/seam.ts';
import {fuzz} from '../helpers/fuzz.ts';
import {createSeededRandom, type DrawInteger} from '../helpers/seeded-random.ts';

/** Pushes the continuation in pieces; returns the joined text, or undefined. */
function join(answer: string, continuation: string, piece = 7): string | undefined {
	const anchor = findAnchor(answer);
	if (anchor === undefined) return undefined;
	const finder = createSeamFinder(answer, anchor);
	for (let at = 0; at < continuation.length; at += piece) {
		const seam = finder.push(continuation.slice(at, at + piece));
		if (seam.type === 'unproved') return undefined;
		if (seam.type === 'joined') return answer + seam.text + continuation.slice(at + piece);
	}
	const seam = finder.end();
	return seam.type === 'joined' ? answer + seam.text : undefined;
}

const numbers = Array.from({length: 120}, (_, index) => `item ${index}`).join(', ');
const anchorOfNumbers = findAnchor(numbers) ?? '';

describe('the anchor', () => {
	it('is the shortest unique end from 128 units, starting with a word', () => {
		expect(anchorOfNumbers.length).toBeGreaterThanOrEqual(128);
		expect(anchorOfNumbers.length).toBeLessThan(140);
		expect(anchorOfNumbers).toMatch(/^(?:item|\d)/);
		const twice = `${anchorOfNumbers}, and again: ${anchorOfNumbers}`;
		expect(findAnchor(twice)?.length).toBeGreaterThan(anchorOfNumbers.length);
	});

	it('is a short answer itself, and never half a character', () => {
		expect(findAnchor('\n\nHello, ')).toBe('Hello, ');
		expect(findAnchor(' \n')).toBeUndefined();
		const smileys = Array.from({length: 99}, (_, index) => String.fromCodePoint(0x1f600 + index));
		expect(findAnchor(`x${smileys.join('')}`)).not.toMatch(/^[\udc00-\udfff]/);
	});
});

const rest = ' and then the rest';
const inCode = `Here it is:\n\n\`\`\`javascript\n${numbers}`;

describe('a continuation', () => {
	it.each([
		['a short answer, whole', 'Once upon', 'Once upon'],
		['a short answer below white space', 'Once upon', '\nOnce upon'],
		['the open fence again', inCode, `\`\`\`javascript\n${findAnchor(inCode)}`],
	])('is joined if it repeats %s', (_name, answer, repeated) => {
		for (const piece of [1, 7, 5000])
			expect(join(answer, repeated + rest, piece)).toBe(answer + rest);
		expect(join(answer, repeated)).toBe(answer);
	});

	it.each([
		['repeats it twice', numbers, `${anchorOfNumbers}\n${anchorOfNumbers}${rest}`],
		['puts it in a code block', numbers, `\`\`\`\n${anchorOfNumbers}\n\`\`\`\n${rest}`],
		['says much first', numbers, `${'I will go on. '.repeat(20)}${anchorOfNumbers}${rest}`],
		['repeats a short answer below words', 'Once upon', `Sure: Once upon${rest}`],
		['is empty', numbers, ''],
	])('is not joined if it %s', (_name, answer, continuation) => {
		expect(join(answer, continuation)).toBeUndefined();
	});
});

const source = readdirSync('docs')
	.filter((name) => name.endsWith('.md'))
	.map((name) => readFileSync(`docs/${name}`, 'utf8'))
	.join('\n\n');

type Cut = {
	readonly part: string;
	readonly anchor: string;
	readonly rest: string;
	readonly draw: DrawInteger;
};

/** A place in the text changed in one character. */
function misspell(text: string, draw: DrawInteger): string {
	const at = draw(0, text.length - 1);
	return `${text.slice(0, at)}${text.charAt(at) === 'e' ? 'a' : 'e'}${text.slice(at + 1)}`;
}

const cooperative: ReadonlyArray<(cut: Cut) => string> = [
	({anchor, rest}) => anchor + rest,
	({part, rest, draw}) => part.slice(-draw(481, 900)) + rest,
	({anchor, rest}) => `Sure, continuing:\n\n${anchor}${rest}`,
	({part, rest}) => part + rest,
];

const hostile: ReadonlyArray<(cut: Cut) => string> = [
	({rest}) => rest,
	({part, rest, draw}) => part.slice(-draw(1, 127)) + rest,
	({anchor, rest, draw}) => misspell(anchor, draw) + rest,
	({part, rest, draw}) => misspell(part.slice(0, -draw(1, 100)), draw) + rest,
	({anchor, rest, draw}) => anchor.slice(draw(1, 100)) + rest,
	({anchor, rest}) => anchor.replace(/\s+/g, '  ') + rest,
	({anchor, rest}) => `>>> ${anchor}\n\n${rest}`,
	({anchor, rest}) => `You wrote "${anchor}". It goes on:\n${rest}`,
	({anchor, rest, draw}) => anchor.slice(0, draw(1, 120)) + rest,
	({part, rest, draw}) => part.slice(0, draw(100, 500)) + rest,
	({draw}) => source.slice(draw(0, 9000), draw(9001, 20_000)),
];

/** Returns a text cut at a random place, by a generator of random numbers. */
function cutText(draw: DrawInteger): Cut & {readonly full: string} {
	const start = draw(0, source.length - 6000);
	const full = source.slice(start, start + 4000);
	const at = draw(600, 3400);
	const [part, rest] = [full.slice(0, at), full.slice(at)];
	return {full, part, rest, anchor: findAnchor(part) ?? '', draw};
}

fuzz(
	'no hostile continuation is joined wrongly, and each one repeating the anchor is joined',
	(seed) => {
		const draw = createSeededRandom(seed);
		for (let count = 0; count < 200; count += 1) {
			const cut = cutText(draw);
			if (cut.anchor === '') continue;
			const piece = draw(1, 900);
			for (const make of cooperative) {
				expect(join(cut.part, make(cut), piece)).toBe(cut.full);
			}
			for (let each = 0; each < 5; each += 1) {
				const make = hostile[draw(0, hostile.length - 1)];
				const joined = join(cut.part, make?.(cut) ?? '', piece);
				const isRight = joined === undefined || source.includes(joined);
				expect(isRight, String(make)).toBe(true);
			}
		}
	},
);
