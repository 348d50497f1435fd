/** The reply by rule: calls of tools first, else an answer; reasoning for `sol`. */
import {randomBytes} from 'node:crypto';
import {shorten} from '../../wording.ts';
import {writeReasoning} from '../answer/reasoning.ts';
import {type Answer, findAnswer} from '../answer/rules.ts';
import {findHints} from '../prompt/hints.ts';
import {type Prompt, readPrompt} from '../prompt/prompt.ts';
import {joinWords} from '../prompt/text.ts';
import type {ChatRequest} from '../request/request.ts';
import {makeValue} from '../schema/make-value.ts';
import {chooseCalls} from '../tools/choose-calls.ts';
import {cutAtStop, type Reply} from './reply.ts';

/** The same request gets the same reply, except for the ids of its calls. */
export function makeReply(request: ChatRequest): Reply {
	const prompt = readPrompt(request);
	const reason = (end: string) => (request.tier === 'sol' ? writeReasoning(prompt, end) : '');
	const calls = chooseCalls(prompt);
	if (calls.length > 0) {
		const names = calls.map(({name}) => `“${name}”`);
		return {
			reasoning: reason(`Before I answer, I call ${joinWords(names)}.`),
			content: '',
			toolCalls: calls.map((call) => ({...call, id: makeCallId()})),
		};
	}
	const answer = findAnswer(prompt);
	return {
		reasoning: reason(`The rule “${answer.rule}” answers that.`),
		content: cutAtStop(formatAnswer(prompt, answer), request.stop),
		toolCalls: [],
	};
}

export function makeCallId(): string {
	return `call_${randomBytes(12).toString('hex')}`;
}

/** JSON where the request asks for it: of its schema, or with fields of its own. */
function formatAnswer(prompt: Prompt, {text, rule}: Answer): string {
	const {responseFormat, responseSchema} = prompt.request;
	if (responseFormat === 'text') return text;
	return JSON.stringify(
		responseSchema === undefined
			? {answer: text, rule, prompt: shorten(prompt.instruction, 500)}
			: makeValue(responseSchema, findHints(prompt)),
	);
}
