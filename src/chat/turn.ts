/**
 * One turn: from a conversation that ends in a prompt to the end of its answer, with a step for
 * each request: results of tools and a rejected answer ask for another one.
 *
 * Invariant: below this function a failure is an exception, above it a failure is the last event.
 */
import {ChatError, toChatError} from '../errors.ts';
import {denyUnasked} from './approvals.ts';
import {createCallBudget} from './call-budget.ts';
import type {CheckAnswer} from './check-answer.ts';
import {type Conversation, reduceConversation} from './conversation.ts';
import type {ChatEvent, ChatEventBatch, StreamChat} from './event.ts';
import {isCutReason} from './finish-reason.ts';
import {type ChatOptions, type Message, refusalOf, type ToolCall, textOf} from './message.ts';
import {answerCalls} from './run-tool-calls.ts';
import type {Approve, RunnableTool} from './tool.ts';

export type Turn = {
	/** Ends with the user message to be answered. */
	readonly conversation: Conversation;
	readonly options: ChatOptions;
	readonly streamChat: StreamChat;
	/** The tools that are run here; calls of any other are the output of the turn. */
	readonly tools?: readonly RunnableTool[] | undefined;
	/** Without it nothing is approved. */
	readonly approve?: Approve | undefined;
	readonly answerCheck?: AnswerCheck | undefined;
	/** Its reason is the `ChatError` of kind `interrupted` that the turn then ends with. */
	readonly signal: AbortSignal;
};

/** A form that the answer must have. A turn whose answer has another one fails with kind `data`. */
export type AnswerCheck = {
	readonly check: CheckAnswer;
	/** How often the model may try again. */
	readonly maxRepairs: number;
};

/** Yields the events of the turn, by the grammar of `ChatEvent`. Never throws. */
export async function* runTurn(turn: Turn): AsyncGenerator<ChatEventBatch, void, undefined> {
	const {signal} = turn;
	try {
		yield* runSteps(turn);
		yield [{type: 'turn-end'}];
	} catch (error) {
		yield [{type: 'error', error: toChatError(signal.aborted ? signal.reason : error)}];
	}
}

async function* runSteps(turn: Turn): AsyncGenerator<ChatEventBatch, void, undefined> {
	const {streamChat, signal, tools = [], approve = denyUnasked, answerCheck} = turn;
	let {conversation, options} = turn;
	if (tools.length === 0 && answerCheck === undefined) {
		yield* streamChat({messages: conversation.messages, options}, signal);
		return;
	}
	const budget = createCallBudget();
	let {messages} = conversation;
	for (let repairs = 0; ; ) {
		const step = yield* follow(conversation, streamChat({messages, options}, signal));
		({conversation} = step);
		const calls = callsOf(conversation);
		const isOutput = calls.some((call) => isLeftToCaller(call, options, tools));
		if (calls.length === 0 || isOutput) {
			const problem = findProblem(step, calls, answerCheck);
			if (problem === undefined) return;
			const isFinal = isOutput || repairs === answerCheck?.maxRepairs;
			const rejection: ChatEvent = {type: 'answer-rejected', problem, isFinal};
			yield [rejection];
			if (isFinal) throw new ChatError('data', `the answer ${problem}`);
			repairs += 1;
			// The model sees what it wrote; the conversation keeps only what replaces it.
			messages = [...conversation.messages, complainAbout(problem)];
			conversation = reduceConversation(conversation, rejection);
			continue;
		}
		const limit = budget.take(calls);
		if (limit !== undefined) {
			yield refuseCalls(calls, limit);
			return;
		}
		const answers = answerCalls(calls, {tools, approve, signal});
		({conversation} = yield* follow(conversation, answers));
		({messages} = conversation);
		options = withoutForce(options);
	}
}

type Followed = {readonly conversation: Conversation; readonly finishReason: string | null};

/** Passes the batches on as they are, and gives back what has become of the conversation. */
async function* follow(
	before: Conversation,
	batches: AsyncIterable<ChatEventBatch>,
): AsyncGenerator<ChatEventBatch, Followed, undefined> {
	let conversation = before;
	let finishReason: string | null = null;
	for await (const batch of batches) {
		for (const event of batch) {
			conversation = reduceConversation(conversation, event);
			if (event.type === 'step-end') finishReason = event.finishReason;
		}
		yield batch;
	}
	return {conversation, finishReason};
}

/** Of the step that has just ended; none of one that was cut. */
function callsOf({messages}: Conversation): readonly ToolCall[] {
	const last = messages.at(-1);
	if (last?.role !== 'assistant') return [];
	return last.parts.flatMap((part) => (part.type === 'tool-call' ? [part.call] : []));
}

function answerOf({messages}: Conversation): string {
	const last = messages.at(-1);
	return last?.role === 'assistant' ? textOf(last) : '';
}

function isRefused({messages}: Conversation): boolean {
	const last = messages.at(-1);
	return last?.role === 'assistant' && refusalOf(last) !== '';
}

/** Checks the answer of a step, unless it was cut or refused, or there are only calls. */
function findProblem(
	{conversation, finishReason}: Followed,
	calls: readonly ToolCall[],
	answerCheck: AnswerCheck | undefined,
): string | undefined {
	if (isCutReason(finishReason) || isRefused(conversation)) return undefined;
	const answer = answerOf(conversation);
	return answer === '' && calls.length > 0 ? undefined : answerCheck?.check(answer);
}

/** A tool that is known, but not run here: whoever asked runs it. */
function isLeftToCaller(
	{name}: ToolCall,
	{tools: known = []}: ChatOptions,
	tools: readonly RunnableTool[],
): boolean {
	if (tools.length === 0) return true;
	const isKnown = known.some((tool) => tool.name === name);
	return isKnown && !tools.some(({definition}) => definition.name === name);
}

function refuseCalls(calls: readonly ToolCall[], limit: string): ChatEventBatch {
	const output = `This call was not run: ${limit}.`;
	return [
		...calls.map(({callId}): ChatEvent => ({type: 'tool-result', callId, output, isError: true})),
		{type: 'notice', notice: {code: 'tool-limit', message: `the answer was cut off: ${limit}`}},
	];
}

/** A call that was forced once would be forced for ever. */
function withoutForce(options: ChatOptions): ChatOptions {
	const {toolChoice} = options;
	const isForced = toolChoice === 'required' || typeof toolChoice === 'object';
	return isForced ? {...options, toolChoice: undefined} : options;
}

function complainAbout(problem: string): Message {
	const text = `Your answer ${problem}. Answer again, with nothing but the JSON.`;
	return {role: 'user', parts: [{type: 'text', text}]};
}
