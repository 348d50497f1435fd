/**
 * Gives an answer the form that was asked for: JSON by `response_format`, else the few styles of a
 * system message that rules can keep.
 */
import {answerInJson} from './json-answer.ts';
import type {Prompt} from './prompt.ts';
import type {Answer} from './rule.ts';

type Style = {
	readonly pattern: RegExp;
	/** `words` are the quoted words of the system message's order. */
	readonly apply: (text: string, answer: Answer, words: string) => string;
};

const quotedWords = `["“'\`]([^"”'\`\\n]{1,200})["”'\`]`;

const styles: readonly Style[] = [
	{
		pattern: new RegExp(
			`\\b(?:always|only|just) (?:answer|reply|respond|say)[^"“'\`\\n]{0,40}${quotedWords}`,
			'i',
		),
		apply: (_text, _answer, words) => words,
	},
	{
		pattern: /\b(?:in|with|use) (?:exactly |only )?(?:one|a single) word\b|\bone-word\b/i,
		apply: (text, answer) => firstWord(String(answer.essence ?? text)),
	},
	{
		pattern: /\b(?:in|with|use) (?:exactly |only |at most )?(?:one|a single) sentence\b/i,
		apply: (text) => /^[\s\S]*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text,
	},
	{
		pattern: /\b(?:all caps|capital letters|in capitals|upper ?case)\b/i,
		apply: (text) => text.toUpperCase(),
	},
	{pattern: /\blower ?case\b/i, apply: (text) => text.toLowerCase()},
	{
		pattern: new RegExp(`\\b(?:begin|start|prefix)\\b[^"“'\`\\n]{0,60}${quotedWords}`, 'i'),
		apply: (text, _answer, words) => `${words} ${text}`,
	},
	{
		pattern: new RegExp(`\\b(?:end|finish)\\b[^"“'\`\\n]{0,60}${quotedWords}`, 'i'),
		apply: (text, _answer, words) => `${text} ${words}`,
	},
];

const maxSystemLength = 10_000;

/** How far into an answer its first word is looked for. */
const maxWordDistance = 2_000;

export function applyStyle(prompt: Prompt, rule: string, answer: Answer): string {
	if (prompt.request.responseFormat !== 'text') return answerInJson(prompt, rule, answer);
	const system = prompt.system.slice(0, maxSystemLength);
	let {text} = answer;
	for (const {pattern, apply} of styles) {
		const order = pattern.exec(system);
		if (order !== null) text = apply(text, answer, order[1] ?? '');
	}
	return text;
}

function firstWord(text: string): string {
	return /[\p{L}\p{N}#.+'’-]*[\p{L}\p{N}]/u.exec(text.slice(0, maxWordDistance))?.[0] ?? text;
}
