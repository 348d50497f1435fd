/** Says what it is told to say, to the letter. */
import type {Prompt} from './prompt.ts';
import type {Answer} from './rule.ts';
import {countPattern, quote, readCount, unquote} from './text.ts';

const maxTimes = 10_000;
const maxLength = 1_000_000;
const maxOrderLength = 300;

const verbs =
	'say|echo|repeat after me|repeat|reply|respond|answer|output|print|return|type|just say';
const fillers =
	'exactly|only|just|simply|back|out loud|with|the following(?: text| words?| sentence)?|this|(?:the |a )?(?:single |one )?(?:word|phrase|text|sentence)|after me|verbatim';

const orderPattern = new RegExp(
	`^(?:please |now |ok,? |can you |could you )*(${verbs})\\b((?:[ \\t:,]+(?:${fillers})(?![\\p{L}\\d]))*)[ \\t]*([:,]?)\\s*`,
	'iu',
);
const timesPattern = new RegExp(`^([\\s\\S]+?)[,\\s]+(${countPattern}) times[.!]?$`, 'i');
const onlyPattern = /[,\s]+(?:and )?(?:nothing else|nothing more|only|exactly)[.!]?$/i;

/** Without a payload mark, these words begin questions and other orders. */
const plainVerbs = new Set(['say', 'just say', 'echo', 'repeat', 'repeat after me', 'print']);

export function repeat({instruction, attached}: Prompt): Answer | undefined {
	const order = orderPattern.exec(instruction.slice(0, maxOrderLength));
	if (order === null) return undefined;
	const [head, verb = '', filler = '', mark = ''] = order;
	const rest = instruction.slice(head.length);
	if (rest.trim() === '') return attached === '' ? undefined : makeAnswer(attached);
	const isMarked = mark !== '' || filler !== '' || unquote(rest) !== rest;
	if (!isMarked && !plainVerbs.has(verb.toLowerCase())) return undefined;
	if (/^(?:it|that|this|me|in|your|what|something|anything)\b/i.test(rest) && mark === '') {
		return undefined;
	}
	const isShort = rest.length <= maxOrderLength;
	const payload = isShort ? rest.replace(onlyPattern, '') : rest;
	const isWord = /\bword\b/i.test(filler);
	const times = isShort ? timesPattern.exec(payload) : null;
	const text = unquote((times?.[1] ?? payload).trim());
	const said = isWord ? text.replace(/[.!]$/, '') : text;
	return makeAnswer(repeatTimes(said, readCount(times?.[2]) ?? 1));
}

function repeatTimes(text: string, times: number): string {
	const fitting = Math.floor(maxLength / (text.length + 1));
	const count = Math.max(1, Math.min(times, maxTimes, fitting));
	return Array.from({length: count}, () => text).join(' ');
}

function makeAnswer(text: string): Answer {
	const reasons = [`The prompt wants these words back: ${quote(text, 120)}.`];
	return {text, essence: text, reasons};
}
