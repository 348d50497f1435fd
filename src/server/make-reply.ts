/**
 * The reply by rule: calls of tools first, else an answer; reasoning for `sol`.
 */
import {randomBytes} from 'node:crypto';
import {findAnswer} from './answer/find-answer.ts';
import {readPrompt} from './answer/prompt.ts';
import {explainAnswer, explainCalls} from './answer/reasoning.ts';
import {applyStyle} from './answer/style.ts';
import {cutAtStop, type Reply} from './reply.ts';
import type {ChatRequest} from './request/request.ts';
import {chooseCalls} from './tools/choose-calls.ts';

/** The same request gets the same reply, but for the ids of its calls. */
export function makeReply(request: ChatRequest): Reply {
	const prompt = readPrompt(request);
	const reasons = request.tier === 'sol';
	const calls = chooseCalls(prompt);
	if (calls.length > 0) {
		return {
			reasoning: reasons ? explainCalls(prompt, calls) : '',
			content: '',
			toolCalls: calls.map((call) => ({...call, id: `call_${randomBytes(12).toString('hex')}`})),
		};
	}
	const {rule, answer} = findAnswer(prompt);
	return {
		reasoning: reasons ? explainAnswer(prompt, rule, answer) : '',
		content: cutAtStop(applyStyle(prompt, rule, answer), request.stop),
		toolCalls: [],
	};
}
