/**
 * Finds the answer: the first rule that knows the prompt gives it. The fallback knows every prompt.
 */
import {describeAttachments} from './attachments.ts';
import {calculate} from './calculate.ts';
import {countText} from './count.ts';
import {countUp} from './count-up.ts';
import {answerUnknown} from './fallback.ts';
import {describeFiles} from './files.ts';
import {greet} from './greet.ts';
import {introduceItself} from './identity.ts';
import {writeLong} from './long.ts';
import {showMarkdown} from './markdown.ts';
import {describeParameters} from './parameters.ts';
import type {Prompt} from './prompt.ts';
import {recallFact} from './recall-fact.ts';
import {recallTurn} from './recall-turn.ts';
import {noteFact} from './remember.ts';
import {repeat} from './repeat.ts';
import type {Answer, Rule} from './rule.ts';
import {useToolResults} from './tool-results.ts';

const fallback: Rule = {name: 'fallback', answer: answerUnknown};

const rules: readonly Rule[] = [
	{name: 'tool-results', answer: useToolResults},
	{name: 'recall-turn', answer: recallTurn},
	{name: 'recall-fact', answer: recallFact},
	{name: 'repeat', answer: repeat},
	{name: 'parameters', answer: describeParameters},
	{name: 'greet', answer: greet},
	{name: 'identity', answer: introduceItself},
	{name: 'count-up', answer: countUp},
	{name: 'count', answer: countText},
	{name: 'long', answer: writeLong},
	{name: 'markdown', answer: showMarkdown},
	{name: 'calculate', answer: calculate},
	{name: 'remember', answer: noteFact},
	{name: 'attachments', answer: describeAttachments},
	{name: 'files', answer: describeFiles},
];

/** The names of the rules, in the order they are tried. */
export const ruleNames: readonly string[] = [...rules, fallback].map(({name}) => name);

export function findAnswer(prompt: Prompt): {readonly rule: string; readonly answer: Answer} {
	for (const rule of rules) {
		const answer = rule.answer(prompt);
		if (answer !== undefined) return {rule: rule.name, answer};
	}
	return {rule: fallback.name, answer: answerUnknown(prompt)};
}
