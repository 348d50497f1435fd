/** The reasoning of `sol`: how the reply came about, truthfully. Longer for prompts that ask for it. */
import {plural} from '../../wording.ts';
import type {Prompt} from './prompt.ts';
import {hashText, joinWords, quote} from './text.ts';
import {writeWords} from './write-words.ts';

const maxWords = 50_000;

/** @param end The last sentence, which says where the reply comes from. */
export function writeReasoning(prompt: Prompt, end: string): string {
	const {instruction, earlier, files, attachments, request, thinkingWords} = prompt;
	const facts = [
		plural(earlier.length, 'earlier message'),
		plural(files.length + attachments.length, 'attachment'),
		plural(request.tools.length, 'tool'),
	];
	const start = `The user wrote ${quote(instruction, 120)}, with ${joinWords(facts)}.`;
	if (thinkingWords === undefined) return `${start} ${end}`;
	const words = writeWords(Math.min(thinkingWords, maxWords), hashText(instruction));
	return [start, words, end].join('\n\n');
}
