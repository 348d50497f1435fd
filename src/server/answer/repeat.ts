/** Repeats words exactly. */
import type {Prompt} from './prompt.ts';
import {countPattern, readCount, unquote} from './text.ts';

const maxTimes = 10_000;
const maxLength = 1_000_000;
const maxOrderLength = 300;

const orderPattern =
	/^(?:please )?(?:(?:say|echo|repeat)(?: after me| exactly| this(?=:)| the following(?: text)?)?|(?:reply|respond|answer)(?: only)? with (?:exactly|only|the (?:single )?word))(?:[ \t]*:\s*|[ \t]+|$)/i;
const timesPattern = new RegExp(`^([\\s\\S]+?),? (${countPattern}) times[.!]?$`, 'i');

/** No rule knows what these refer to. */
const referencePattern = /^(?:it|that|this|your|what|something|anything)\b/i;

export function repeat({instruction, attached}: Prompt): string | undefined {
	const [head] = orderPattern.exec(instruction.slice(0, maxOrderLength)) ?? [];
	if (head === undefined) return undefined;
	const rest = instruction.slice(head.length).trim();
	if (rest === '') return attached || undefined;
	if (!head.includes(':') && referencePattern.test(rest)) return undefined;
	const times = rest.length <= maxOrderLength ? timesPattern.exec(rest) : null;
	return repeatTimes(unquote(times?.[1] ?? rest), readCount(times?.[2]) ?? 1);
}

function repeatTimes(text: string, times: number): string {
	const fitting = Math.floor(maxLength / (text.length + 1));
	const count = Math.max(1, Math.min(times, maxTimes, fitting));
	return Array.from({length: count}, () => text).join(' ');
}
