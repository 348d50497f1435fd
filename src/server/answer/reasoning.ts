/**
 * The reasoning of `sol`: how the reply came about, truthfully. Longer for prompts that ask for it.
 */
import type {Prompt} from '../prompt/prompt.ts';
import {hashText, joinWords, plural, quote} from '../prompt/text.ts';
import type {Answer} from './rule.ts';
import {rules} from './rules.ts';
import {writeWords} from './write-words.ts';

const maxWords = 50_000;

export function explainAnswer(
	prompt: Prompt,
	{rule, reason}: Answer & {readonly rule: string},
): string {
	const tried = rules
		.slice(
			0,
			rules.findIndex(({name}) => name === rule),
		)
		.map(({name}) => name);
	const end = `${reason} The rule “${rule}” answers that.`;
	return explain(prompt, end, tried);
}

export function explainCalls(prompt: Prompt, calls: readonly {readonly name: string}[]): string {
	const names = calls.map(({name}) => `“${name}”`);
	return explain(prompt, `Before I answer, I call ${joinWords(names)}.`, []);
}

function explain(prompt: Prompt, end: string, tried: readonly string[]): string {
	const {instruction, earlier, files, attachments, request, thinking} = prompt;
	const facts = [
		plural(earlier.length, 'earlier message'),
		plural(files.length + attachments.length, 'attachment'),
		plural(request.tools.length, 'tool'),
	];
	const start = `The user wrote ${quote(instruction, 120)}, with ${joinWords(facts)}.`;
	const steps = tried.map((name, index) => `Step ${index + 1}: the rule “${name}” does not fit.`);
	if (thinking === undefined) return `${start} ${end}`;
	if (thinking === 'hard') return [start, ...steps, end].join('\n\n');
	const words = writeWords(Math.min(thinking, maxWords), hashText(instruction));
	return [start, words, end].join('\n\n');
}
