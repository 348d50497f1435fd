/** The reply by rule: calls of tools first, else an answer; reasoning for `sol`. */
import {shorten} from '../../wording.ts';
import {cutAtStop, makeCallId, type Reply} from '../reply/reply.ts';
import type {ChatRequest} from '../request/request.ts';
import {chooseCalls} from './choose-calls.ts';
import {makeValue} from './make-value.ts';
import {type Prompt, readPrompt} from './prompt.ts';
import {writeReasoning} from './reasoning.ts';
import {type Answer, findAnswer} from './rules.ts';
import {joinWords} from './text.ts';

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

/** JSON where the request asks for it: of its schema, or with fields of its own. */
function formatAnswer(prompt: Prompt, {text, rule}: Answer): string {
	const {responseFormat, responseSchema} = prompt.request;
	if (responseFormat === 'text') return text;
	return JSON.stringify(
		responseSchema === undefined
			? {answer: text, rule, prompt: shorten(prompt.instruction, 500)}
			: makeValue(responseSchema, prompt.instruction),
	);
}
