/** Facts that a user states: takes note of them, and finds them again in earlier messages. */
import type {Prompt} from './prompt.ts';
import type {Answer} from './rule.ts';
import {clip} from './text.ts';

export type Fact = {
	/** What it is about, in lower case: `name`, `favourite colour`. */
	readonly subject: string;
	readonly value: string;
};

const factPattern =
	/\b(?:my|the) ([\p{L}][\p{L}\d'’ -]{0,40}?) (?:is|are|was) (?:called |named )?([^.!?\n;]{1,120})/giu;
const namePattern =
	/\b(?:i am called|call me|i['’]?m called|people call me|(?:^|[.!,] ?)i am|(?:^|[.!,] ?)i['’]m) (\p{Lu}[\p{L}'’-]{0,40})/giu;
const namedValuePattern =
	/\b(?:remember|memori[sz]e) (?:the |my |this )?((?:\p{L}+ )?(?:number|word|code|colou?r|date|password|phrase)):? (?!is\b)["“]?([^"”.!?\n]{1,100})/giu;
const orderPattern =
	/\b(?:remember|keep in mind|note|memori[sz]e)\b(?: that| this| the following)?:? +([^\n]{1,300})/i;

/** What a user message states, in order. */
export function findFacts(text: string): readonly Fact[] {
	const short = clip(text, 20_000);
	const pairs = [...short.matchAll(factPattern), ...short.matchAll(namedValuePattern)];
	const stated = pairs.map(([, subject = '', value = '']) => ({
		subject: subject.toLowerCase(),
		value: cleanValue(value),
	}));
	const names = [...short.matchAll(namePattern)].map(([, value = '']) => ({
		subject: 'name',
		value,
	}));
	return [...stated, ...names].filter(({value}) => value !== '');
}

/** What a user message asks to keep in mind. */
export function findKept(text: string): string | undefined {
	if (/\bdo you remember\b/i.test(text)) return undefined;
	return orderPattern.exec(clip(text, 20_000))?.[1]?.trim();
}

/** Confirms what the last message states, when it does no more than that. */
export function noteFact({question, attached, files, attachments}: Prompt): Answer | undefined {
	if (attached !== '' || files.length + attachments.length > 0) return undefined;
	if (question.length > 400 || question.includes('?')) return undefined;
	const kept = findKept(question);
	const facts = findFacts(question);
	const name = facts.find(({subject}) => subject === 'name')?.value;
	if (name !== undefined) {
		return {
			text: `Nice to meet you, ${name}. I will know your name as long as this conversation carries it.`,
			essence: name,
			reasons: [`The prompt says that the name is ${name}.`],
		};
	}
	const [fact] = facts;
	const isMine = /^(?:please )?(?:my|remember|note|the)\b/i.test(question);
	if (kept === undefined && (fact === undefined || !isMine)) return undefined;
	const noted = kept ?? `the ${fact?.subject} is ${fact?.value}`;
	return {
		text: `Noted: ${noted.replace(/[.!]+$/, '')}. I will know it as long as this conversation carries it.`,
		essence: 'noted',
		reasons: [`The prompt states something to remember: ${noted}`],
	};
}

function cleanValue(value: string): string {
	return value
		.replace(/,? (?:and|but|so) (?:my|the|i|what)\b.*$/i, '')
		.replace(/["“”]/g, '')
		.replace(/[,\s]+$/, '')
		.trim();
}
