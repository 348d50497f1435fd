/** Counts to a number, up or down. */
import type {Prompt} from './prompt.ts';
import {countPattern, readCount} from './text.ts';

const maxNumbers = 100_000;

const pattern = new RegExp(
	`\\bcount (?:up |down )?(?:from (${countPattern}) )?to (${countPattern})\\b`,
	'i',
);

export function countUp({question}: Prompt): string | undefined {
	const range = pattern.exec(question);
	if (range === null) return undefined;
	const first = readCount(range[1]) ?? 1;
	const last = readCount(range[2]) ?? 1;
	const length = Math.abs(last - first) + 1;
	if (length > maxNumbers) return `That is too far: I count ${maxNumbers} numbers at most.`;
	const step = last < first ? -1 : 1;
	return Array.from({length}, (_, index) => first + index * step).join(', ');
}
