/** Repeats and counts words from the prompt or earlier messages. */
import {shorten} from '../../wording.ts';
import type {Prompt} from './prompt.ts';
import {countPattern, readCount, unquote} from './text.ts';

const maxTimes = 10_000;
const maxLength = 1_000_000;
const maxOrderLength = 300;
const maxNumbers = 100_000;

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
	const text = unquote(times?.[1] ?? rest);
	const fitting = Math.min(maxTimes, Math.floor(maxLength / (text.length + 1)));
	const count = Math.max(1, Math.min(readCount(times?.[2]) ?? 1, fitting));
	return Array.from({length: count}, () => text).join(' ');
}

const saidPattern = /\bwhat (?:did|have) i (?:say|said|ask|asked|write|written)\b([^?\n]{0,40})/i;
const answerPattern =
	/\b(?:repeat|show me|say again) (?:that|your (?:last |previous )?(?:answer|reply|message))\b|\bwhat did you (?:just )?(?:say|answer)\b/i;

export function recall({question, earlier}: Prompt): string | undefined {
	const said = saidPattern.exec(question);
	if (said === null) {
		if (!answerPattern.test(question)) return undefined;
		const given = earlier.findLast(({role, text}) => role === 'assistant' && text !== '');
		return given?.text ?? 'I have not said anything yet.';
	}
	const isFirst = /\bfirst\b/i.test(said[1] ?? '');
	const message = earlier.filter(({role}) => role === 'user').at(isFirst ? 0 : -1);
	if (message === undefined) return 'This is the first message of the conversation.';
	return `${isFirst ? 'First' : 'Before this'} you said: “${shorten(message.text, 2_000)}”`;
}

const countUpPattern = new RegExp(
	`\\bcount (?:up |down )?(?:from (${countPattern}) )?to (${countPattern})\\b`,
	'i',
);

export function countUp({question}: Prompt): string | undefined {
	const range = countUpPattern.exec(question);
	if (range === null) return undefined;
	const first = readCount(range[1]) ?? 1;
	const last = readCount(range[2]) ?? 1;
	const length = Math.abs(last - first) + 1;
	if (length > maxNumbers) return `That is too far: I count ${maxNumbers} numbers at most.`;
	const step = last < first ? -1 : 1;
	return Array.from({length}, (_, index) => first + index * step).join(', ');
}
