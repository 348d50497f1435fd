/** The rules, in the order in which they are tried. Each answers the prompts it knows. */

import {describeAttachments} from './attachments.ts';
import {countUp} from './count-up.ts';
import {describeAbilities, describePrompt} from './describe-prompt.ts';
import {showMarkdown} from './markdown.ts';
import {describeParameters} from './parameters.ts';
import type {Prompt} from './prompt.ts';
import {recall} from './recall.ts';
import {repeat} from './repeat.ts';
import {useToolResults} from './tool-results.ts';
import {writeText} from './write-words.ts';

type Rule = {
	readonly name: string;
	readonly answer: (prompt: Prompt) => string | undefined;
};

const rules: readonly Rule[] = [
	{name: 'tool results', answer: useToolResults},
	{name: 'recall', answer: recall},
	{name: 'repeat', answer: repeat},
	{name: 'parameters', answer: describeParameters},
	{name: 'abilities', answer: describeAbilities},
	{name: 'count', answer: countUp},
	{name: 'words', answer: writeText},
	{name: 'Markdown', answer: showMarkdown},
	{name: 'attachments', answer: describeAttachments},
];

export type Answer = {readonly text: string; readonly rule: string};

export function findAnswer(prompt: Prompt): Answer {
	for (const {name, answer} of rules) {
		const text = answer(prompt);
		if (text !== undefined) return {text, rule: name};
	}
	return {text: describePrompt(prompt), rule: 'fallback'};
}
