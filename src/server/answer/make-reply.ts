/** The rule-based reply: tool calls first, otherwise an answer; reasoning for `sol`. */
import {readContinuationRequest} from '../../continuation-request.ts';
import {plural, shorten} from '../../wording.ts';
import {cutAtStop, makeCallId, type Reply} from '../reply/reply.ts';
import type {ChatRequest} from '../request/request.ts';
import {chooseCalls} from './choose-calls.ts';
import {makeValue} from './make-value.ts';
import {type Prompt, readPrompt} from './prompt.ts';
import {type Answer, findAnswer} from './rules.ts';
import {hashText, joinWords, quote} from './text.ts';
import {writeWords} from './write.ts';

const maxReasoningWords = 50_000;

/** The same request gets the same reply, except for call ids. */
export function makeReply(request: ChatRequest): Reply {
	const rest = continueReply(request);
	if (rest !== undefined) return rest;
	const prompt = readPrompt(request);
	const reason = (end: string) => (request.isReasoning ? writeReasoning(prompt, end) : '');
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

/** Goes on with a cut answer of ours, after the requested anchor. */
function continueReply(request: ChatRequest): Reply | undefined {
	const {messages} = request;
	const [cut, order] = messages.slice(-2);
	const anchor = readContinuationRequest(order?.text ?? '');
	if (order?.role !== 'user' || cut?.role !== 'assistant' || anchor === undefined) return undefined;
	const whole = makeReply({...request, messages: messages.slice(0, -2)});
	if (!whole.content.startsWith(cut.text) || !cut.text.endsWith(anchor)) return undefined;
	return {...whole, content: anchor + whole.content.slice(cut.text.length)};
}

/** JSON on request: matching the request's schema, or with our own fields. */
function formatAnswer(prompt: Prompt, {text, rule}: Answer): string {
	const {responseFormat, responseSchema} = prompt.request;
	if (responseFormat === 'text') return text;
	return JSON.stringify(
		responseSchema === undefined
			? {answer: text, rule, prompt: shorten(prompt.instruction, 500)}
			: makeValue(responseSchema, prompt.instruction),
	);
}

/**
 * How the reply was made, truthfully; longer for prompts that ask for it.
 *
 * @param end the last sentence, which says where the reply comes from
 */
function writeReasoning(prompt: Prompt, end: string): string {
	const {instruction, earlier, files, attachments, request, thinkingWords} = prompt;
	const facts = [
		plural(earlier.length, 'earlier message'),
		plural(files.length + attachments.length, 'attachment'),
		plural(request.tools.length, 'tool'),
	];
	const start = `The user wrote ${quote(instruction, 120)}, with ${joinWords(facts)}.`;
	if (thinkingWords === undefined) return `${start} ${end}`;
	const words = writeWords(Math.min(thinkingWords, maxReasoningWords), hashText(instruction));
	return [start, words, end].join('\n\n');
}
