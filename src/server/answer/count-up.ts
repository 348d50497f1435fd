/** Counts to a number, up or down. */
import type {Prompt} from './prompt.ts';
import type {Answer} from './rule.ts';
import {countPattern, readCount} from './text.ts';

const maxNumbers = 100_000;

const pattern = new RegExp(
	`\\bcount (?:up |down |backwards )?(?:from (-?\\d+|${countPattern}) )?(?:up |down )?to (-?\\d+|${countPattern})\\b`,
	'i',
);
const downPattern = /\bcount (?:down|backwards) from (\d[\d,]*)(?! ?(?:to|down))/i;

export function countUp({question}: Prompt): Answer | undefined {
	const down = downPattern.exec(question)?.[1];
	const range = pattern.exec(question);
	if (down === undefined && range === null) return undefined;
	const first = readNumber(range?.[1] ?? down) ?? 1;
	const last = readNumber(range?.[2]) ?? 1;
	const length = Math.abs(last - first) + 1;
	const reasons = [`The prompt wants the numbers from ${first} to ${last}.`];
	if (!(length <= maxNumbers)) {
		return {text: `That is too far: I count ${maxNumbers} numbers at most.`, reasons};
	}
	const step = last < first ? -1 : 1;
	const numbers = Array.from({length}, (_, index) => first + index * step);
	return {text: numbers.join(', '), essence: last, reasons};
}

function readNumber(text: string | undefined): number | undefined {
	if (text === undefined) return undefined;
	return /^-?\d+$/.test(text) ? Number(text) : readCount(text);
}
