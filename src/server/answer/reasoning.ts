/**
 * The reasoning of `sol`: how the reply came about, told truthfully. Longer for prompts that ask
 * to think hard.
 */

import {ruleNames} from './find-answer.ts';
import {writeWords} from './long.ts';
import type {Prompt} from './prompt.ts';
import type {Answer} from './rule.ts';
import {countPattern, countWords, hashText, joinWords, plural, quote, readCount} from './text.ts';

const hardPattern =
	/\bthink (?:very |really |extra )?(?:hard|harder|deeply|carefully|long|longer|step by step)\b|\bstep by step\b|\breason (?:carefully|step by step)\b|\btake your time\b/i;
const lengthPattern = new RegExp(`\\bthink (?:for |in )?(${countPattern}) words\\b`, 'i');
const maxWords = 50_000;

export function explainAnswer(prompt: Prompt, rule: string, answer: Answer): string {
	const paragraphs = [
		`${describeRequest(prompt)} ${answer.reasons.join(' ')} The rule “${rule}” answers that.`,
		...thinkHard(prompt, rule),
	];
	return paragraphs.join('\n\n');
}

export function explainCalls(
	prompt: Prompt,
	calls: ReadonlyArray<{readonly name: string; readonly arguments: string}>,
): string {
	const names = calls.map(({name}) => `“${name}”`);
	const reason =
		prompt.request.toolChoice === 'auto'
			? `The prompt fits ${joinWords(names)}`
			: `The request wants a call, and ${joinWords(names)} fits best`;
	const told = calls.map(({name, arguments: text}) => `${name} gets ${quote(text, 200)}.`);
	const first = `${describeRequest(prompt)} ${reason}, so I call before I answer. ${told.join(' ')}`;
	return [first, ...thinkHard(prompt, 'tools')].join('\n\n');
}

function describeRequest({
	instruction,
	earlier,
	files,
	attachments,
	attached,
	request,
}: Prompt): string {
	const facts = [plural(earlier.length, 'earlier message')];
	if (files.length > 0) facts.push(plural(files.length, 'file'));
	if (attachments.length > 0) facts.push(plural(attachments.length, 'attachment'));
	if (attached !== '') facts.push('attached text');
	if (request.tools.length > 0) facts.push(plural(request.tools.length, 'tool'));
	return `The user writes ${quote(instruction, 120)}, with ${joinWords(facts)}.`;
}

function thinkHard(prompt: Prompt, rule: string): readonly string[] {
	const {question} = prompt;
	const words = readCount(lengthPattern.exec(question)?.[1]);
	if (words !== undefined) return [writeWords(Math.min(words, maxWords), hashText(question))];
	if (!hardPattern.test(question)) return [];
	const tried = ruleNames.slice(0, Math.max(ruleNames.indexOf(rule), 0));
	const steps = [
		`Let me go slowly. The prompt has ${plural(countWords(question), 'word')} and ${plural(question.length, 'character')}.`,
		tried.length === 0
			? 'No other rule comes before this one.'
			: `Before this rule I tried ${joinWords(tried)}; none of them knows the prompt.`,
		prompt.system === ''
			? 'There is no system message to obey.'
			: `The system message says ${quote(prompt.system, 120)}, which I obey where I can.`,
		`The conversation so far has ${plural(prompt.earlier.length, 'message')} that could change the answer.`,
		'The rules are tried in a fixed order, so the same request always ends here.',
		'I check the result once more: it follows from the request alone.',
	];
	return steps.map((step, index) => `Step ${index + 1}: ${step}`);
}
