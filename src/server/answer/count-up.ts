/** Counts to a number, up or down. */
import type {Prompt} from '../prompt/prompt.ts';
import {countPattern, readCount} from '../prompt/text.ts';
import type {Answer} from './rule.ts';

const maxNumbers = 100_000;

const pattern = new RegExp(
	`\\bcount (?:up |down )?(?:from (${countPattern}) )?to (${countPattern})\\b`,
	'i',
);

export function countUp({question}: Prompt): Answer | undefined {
	const range = pattern.exec(question);
	if (range === null) return undefined;
	const first = readCount(range[1]) ?? 1;
	const last = readCount(range[2]) ?? 1;
	const length = Math.abs(last - first) + 1;
	const reason = `The prompt asks for the numbers from ${first} to ${last}.`;
	if (length > maxNumbers) {
		return {text: `That is too far: I count ${maxNumbers} numbers at most.`, reason};
	}
	const step = last < first ? -1 : 1;
	const numbers = Array.from({length}, (_, index) => first + index * step);
	return {text: numbers.join(', '), reason};
}
