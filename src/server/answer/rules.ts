/** The rules, in the order in which they are tried. The last one knows every prompt. */
import type {Prompt} from '../prompt/prompt.ts';
import {describeAttachments} from './attachments.ts';
import {countUp} from './count-up.ts';
import {describeAbilities, describePrompt} from './describe-prompt.ts';
import {showMarkdown} from './markdown.ts';
import {describeParameters} from './parameters.ts';
import {recall} from './recall.ts';
import {repeat} from './repeat.ts';
import type {Answer, Rule} from './rule.ts';
import {useToolResults} from './tool-results.ts';
import {writeText} from './write-words.ts';

export const rules: readonly Rule[] = [
	{name: 'tool results', answer: useToolResults},
	{name: 'recall', answer: recall},
	{name: 'repeat', answer: repeat},
	{name: 'parameters', answer: describeParameters},
	{name: 'abilities', answer: describeAbilities},
	{name: 'count', answer: countUp},
	{name: 'words', answer: writeText},
	{name: 'Markdown', answer: showMarkdown},
	{name: 'attachments', answer: describeAttachments},
	{name: 'fallback', answer: describePrompt},
];

/** The first rule that knows the prompt answers it. */
export function findAnswer(prompt: Prompt): Answer & {readonly rule: string} {
	for (const {name, answer} of rules) {
		const found = answer(prompt);
		if (found !== undefined) return {...found, rule: name};
	}
	return {...describePrompt(prompt), rule: 'fallback'};
}
