/**
 * Runs one turn: a prompt, its answer, and everything between. Each request is a step; tool results
 * and a rejected answer need another step.
 *
 * Invariant: below this function a failure is an exception; above it, the last event.
 */
import {ChatError, toChatError} from '../errors.ts';
import {isCutReason} from '../finish-reason.ts';
import {denyUnattended} from './approvals.ts';
import {createCallBudget} from './call-budget.ts';
import type {CheckAnswer, Verdict} from './check-answer.ts';
import {
	type AnswerMessage,
	type Conversation,
	messagesOf,
	type OpenConversation,
	reduceConversation,
} from './conversation.ts';
import {declineElicitation, type Elicit} from './elicitation.ts';
import type {ChatEvent, ChatEventBatch} from './event.ts';
import {
	type AssistantMessage,
	type ChatOptions,
	type Message,
	messageRefusal,
	messageText,
	type ToolCall,
} from './message.ts';
import {runToolCalls} from './run-tool-calls.ts';
import type {StepRequest, StreamChat} from './stream-chat.ts';
import type {Approve, OfferedTool, ToolSource} from './tool.ts';
import {textOutput} from './tool-output.ts';
import {createFixedSource, reportNotices, runnableTools} from './tool-sources.ts';

export type TurnRequest = {
	readonly conversation: OpenConversation;
	readonly options: ChatOptions;
	readonly streamChat: StreamChat;
	/** Tools the model may call. */
	readonly tools?: ToolSource | undefined;
	/** Nothing is approved without it. */
	readonly approve?: Approve | undefined;
	/** Every tool's question is declined without it. */
	readonly elicit?: Elicit | undefined;
	readonly answerCheck?: AnswerCheck | undefined;
	/** Abort reason: the `interrupted` `ChatError` ending the turn. */
	readonly signal: AbortSignal;
};

/** Required form for the answer. */
export type AnswerCheck = {
	readonly check: CheckAnswer;
	/**
	 * How often the model may try again before the turn fails with kind `data`. Undefined: a wrong
	 * answer is kept, and a notice reports the problem.
	 */
	readonly maxRepairs: number | undefined;
};

/** Yields the turn's events, following the `ChatEvent` grammar. Never throws. */
export async function* runTurn(turn: TurnRequest): AsyncGenerator<ChatEventBatch, void, undefined> {
	const {conversation, options, streamChat, tools, answerCheck, signal} = turn;
	try {
		if (tools === undefined && answerCheck === undefined) {
			yield* streamChat({messages: messagesOf(conversation), options}, signal);
		} else yield* runSteps(turn);
		yield [{type: 'turn-end'}];
	} catch (error) {
		yield [{type: 'error', error: toChatError(signal.aborted ? signal.reason : error)}];
	}
}

const noTools = createFixedSource([]);

/** Runs a turn that may take several steps, or whose answer is checked. */
async function* runSteps(turn: TurnRequest): AsyncGenerator<ChatEventBatch, void, undefined> {
	const {streamChat, signal, tools: source = noTools, answerCheck} = turn;
	const {approve = denyUnattended, elicit = declineElicitation} = turn;
	let {options} = turn;
	let conversation: Conversation = turn.conversation;
	const budget = createCallBudget();
	let messages = messagesOf(conversation);
	for (let repairs = 0; ; ) {
		const offered = source.tools;
		yield* reportNotices(source);
		const request = createStepRequest(messages, options, offered);
		const step = yield* accumulate(conversation, streamChat(request, signal));
		({conversation} = step);
		const calls = callsOf(lastAnswer(conversation));
		const isOutput = calls.some((call) => isLeftToCaller(call, offered));
		if (calls.length === 0 || isOutput) {
			const problem = yield* checkStep(step, answerCheck);
			if (problem === undefined) return;
			const isFinal = isOutput || repairs === answerCheck?.maxRepairs;
			const rejection: ChatEvent = {type: 'answer-rejected', problem, isFinal};
			yield [rejection];
			if (isFinal) throw new ChatError('data', `the answer ${problem}`);
			repairs += 1;
			// The model sees its own answer; the conversation keeps only the replacement.
			messages = [...messagesOf(conversation), createRepairPrompt(problem, options)];
			conversation = reduceConversation(conversation, rejection, anyTime);
			continue;
		}
		const limit = budget.take(calls);
		if (limit !== undefined) {
			yield refuseCalls(calls, limit);
			return;
		}
		const tools = runnableTools(offered);
		const results = runToolCalls(calls, {tools, source, approve, elicit, signal});
		({conversation} = yield* accumulate(conversation, results));
		messages = messagesOf(conversation);
		options = clearForcedToolChoice(options);
	}
}

/** Requests are the same at any time. */
const anyTime = 0;

type Step = {readonly conversation: Conversation; readonly isCut: boolean};

/** Passes the batches on, and returns the conversation after them. */
async function* accumulate(
	before: Conversation,
	batches: AsyncIterable<ChatEventBatch>,
): AsyncGenerator<ChatEventBatch, Step, undefined> {
	let conversation = before;
	let isCut = false;
	for await (const batch of batches) {
		for (const event of batch) {
			conversation = reduceConversation(conversation, event, anyTime);
			if (event.type === 'step-end') isCut = isCutReason(event.finishReason);
		}
		yield batch;
	}
	return {conversation, isCut};
}

function lastAnswer({open}: Conversation): AssistantMessage | undefined {
	const last: AnswerMessage | undefined = open?.messages.at(-1);
	return last?.role === 'assistant' ? last : undefined;
}

function callsOf(answer: AssistantMessage | undefined): readonly ToolCall[] {
	return answer?.parts.flatMap((part) => (part.type === 'tool-call' ? [part.call] : [])) ?? [];
}

/** Returns an error message for an answer that must not be kept. */
function* checkStep(
	step: Step,
	answerCheck: AnswerCheck | undefined,
): Generator<ChatEventBatch, string | undefined, undefined> {
	const verdict = judgeAnswer(step, answerCheck?.check);
	const isStrict = answerCheck?.maxRepairs !== undefined;
	if (verdict.type === 'wrong') {
		const {problem} = verdict;
		if (isStrict) return problem;
		yield [{type: 'notice', notice: {code: 'answer-form', message: `the answer ${problem}`}}];
	} else if (verdict.type === 'fenced' && isStrict) {
		const message = 'the code fence around the JSON was removed';
		yield [
			{type: 'notice', notice: {code: 'fence-removed', message}},
			{type: 'answer-unwrapped', text: verdict.json},
		];
	}
	return undefined;
}

/** Nothing to check in an answer that was cut off, refused, or only calls tools. */
function judgeAnswer({conversation, isCut}: Step, check: CheckAnswer | undefined): Verdict {
	const answer = lastAnswer(conversation);
	const text = answer === undefined ? '' : messageText(answer);
	const isRefused = answer !== undefined && messageRefusal(answer) !== '';
	const isOnlyCalls = text === '' && callsOf(answer).length > 0;
	if (check === undefined || isCut || isRefused || isOnlyCalls) return {type: 'fits'};
	return check(text);
}

/** Whether the tool is known, but not run here. */
function isLeftToCaller({name}: ToolCall, offered: readonly OfferedTool[]): boolean {
	const runnable = runnableTools(offered);
	const hasName = ({definition}: OfferedTool) => definition.name === name;
	return runnable.length === 0 || (offered.some(hasName) && !runnable.some(hasName));
}

/** Adds the tools, and drops a forced choice whose tool is gone: services would refuse it. */
export function createStepRequest(
	messages: readonly Message[],
	options: ChatOptions,
	offered: readonly OfferedTool[],
): StepRequest {
	const {toolChoice} = options;
	const tools = offered.map(({definition}) => definition);
	const isGone =
		typeof toolChoice === 'object'
			? !tools.some(({name}) => name === toolChoice.name)
			: toolChoice === 'required' && tools.length === 0;
	return {messages, options: {...options, tools, toolChoice: isGone ? undefined : toolChoice}};
}

function refuseCalls(calls: readonly ToolCall[], limit: string): ChatEventBatch {
	const output = textOutput(`This call was not run: ${limit}.`, true);
	return [
		...calls.map(({callId}): ChatEvent => ({type: 'tool-result', callId, ...output})),
		{type: 'notice', notice: {code: 'tool-limit', message: `the answer was cut off: ${limit}`}},
	];
}

/** A forced choice would force a call in every step. */
function clearForcedToolChoice(options: ChatOptions): ChatOptions {
	const {toolChoice} = options;
	const isForced = toolChoice === 'required' || typeof toolChoice === 'object';
	return isForced ? {...options, toolChoice: undefined} : options;
}

/** Repeats the schema: some services accept it without using it. */
function createRepairPrompt(problem: string, {responseFormat: format}: ChatOptions): Message {
	const form =
		typeof format === 'object'
			? `JSON that fits this JSON Schema:\n${JSON.stringify(format.schema)}`
			: 'the JSON.';
	const text = `Your answer ${problem}. Answer again, with nothing but ${form}`;
	return {role: 'user', parts: [{type: 'text', text}]};
}
