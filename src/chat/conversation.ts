/**
 * A conversation and the one function that builds its messages from events.
 *
 * Invariant: between turns a conversation can be sent as it is. It never ends in a tool call
 * without a result, nor in a user message that got no answer.
 */
import type {ChatError} from '../errors.ts';
import type {ChatEvent} from './event.ts';
import {isCutReason} from './finish-reason.ts';
import type {AssistantMessage, Message, ToolCall, UserMessage} from './message.ts';

export type Conversation = {
	readonly messages: readonly Message[];
	/** The assistant message that is being received; undefined between steps. */
	readonly open: OpenMessage | undefined;
};

type OpenMessage = {
	readonly model: string;
	readonly reasoning: string;
	readonly text: string;
	readonly refusal: string;
	/** The last one first: a list that grows at the same cost however long it is. */
	readonly calls: CallList;
};

type CallList = {readonly call: ToolCall; readonly before: CallList} | undefined;

export const emptyConversation: Conversation = {messages: [], open: undefined};

/** Sets, replaces or (with an empty text) removes the system message, which always comes first. */
export function withSystem(conversation: Conversation, text: string): Conversation {
	const rest = conversation.messages.filter((message) => message.role !== 'system');
	if (text === '') return {...conversation, messages: rest};
	return {...conversation, messages: [{role: 'system', parts: [{type: 'text', text}]}, ...rest]};
}

/** Adds what the user says next. */
export function addPrompt(conversation: Conversation, message: UserMessage): Conversation {
	return {...conversation, messages: [...conversation.messages, message]};
}

/**
 * The conversation after one more event of the turn that answers it.
 *
 * A turn that fails keeps its user message only if some answer text or a finished step came; the
 * partial answer is then marked. Otherwise the user message leaves the conversation. So it does when
 * the answer is empty: many services take no such message back.
 */
export function reduceConversation(conversation: Conversation, event: ChatEvent): Conversation {
	const {messages, open} = conversation;
	switch (event.type) {
		case 'step-start':
			return {messages, open: openMessage(event.requestedModel)};
		case 'reasoning-delta':
			return growOpen(conversation, (message) => ({
				...message,
				reasoning: message.reasoning + event.text,
			}));
		case 'text-delta':
			return growOpen(conversation, (message) => ({...message, text: message.text + event.text}));
		case 'refusal-delta':
			return growOpen(conversation, (message) => ({
				...message,
				refusal: message.refusal + event.text,
			}));
		case 'tool-call':
			return growOpen(conversation, (message) => ({
				...message,
				calls: {call: event.call, before: message.calls},
			}));
		case 'step-end': {
			if (open === undefined) return conversation;
			const calls = isCutReason(event.finishReason) ? [] : listCalls(open.calls);
			const message = closeMessage(open, calls, 'complete', event.reasoningField);
			return {messages: [...messages, message], open: undefined};
		}
		case 'tool-result': {
			const {callId, output, isError} = event;
			return {messages: [...messages, {role: 'tool', callId, output, isError}], open};
		}
		case 'answer-rejected':
			return {messages: dropAnswer(messages), open};
		case 'turn-end':
			return {messages: settleCalls(dropEmptyAnswer(messages)), open: undefined};
		case 'error':
			return {
				messages: settleCalls(dropUnanswered(keepPartial(conversation, event.error))),
				open: undefined,
			};
		case 'tool-call-start':
		case 'tool-call-delta':
		case 'tool-decision':
		case 'notice':
		case 'trace':
			return conversation;
		default:
			return event satisfies never;
	}
}

function growOpen(
	conversation: Conversation,
	grow: (message: OpenMessage) => OpenMessage,
): Conversation {
	const {messages, open} = conversation;
	return open === undefined ? conversation : {messages, open: grow(open)};
}

function openMessage(model: string): OpenMessage {
	return {model, reasoning: '', text: '', refusal: '', calls: undefined};
}

/** In their order; a call without a name cannot be answered. */
function listCalls(list: CallList): readonly ToolCall[] {
	const calls: ToolCall[] = [];
	for (let rest = list; rest !== undefined; rest = rest.before) {
		if (rest.call.name !== '') calls.push(rest.call);
	}
	return calls.reverse();
}

function closeMessage(
	open: OpenMessage,
	calls: readonly ToolCall[],
	status: AssistantMessage['status'],
	field?: string,
): AssistantMessage {
	const parts: Array<AssistantMessage['parts'][number]> = [];
	if (open.reasoning !== '') parts.push({type: 'reasoning', text: open.reasoning, field});
	if (open.text !== '') parts.push({type: 'text', text: open.text});
	if (open.refusal !== '') parts.push({type: 'refusal', text: open.refusal});
	for (const call of calls) parts.push({type: 'tool-call', call});
	return {role: 'assistant', parts, status, model: open.model};
}

/** Calls of a step that did not end are dropped; its text is kept. */
function keepPartial({messages, open}: Conversation, error: ChatError): readonly Message[] {
	if (open === undefined || open.text + open.refusal === '') return messages;
	const status = error.kind === 'interrupted' ? 'interrupted' : 'incomplete';
	return [...messages, closeMessage(open, [], status)];
}

function dropUnanswered(messages: readonly Message[]): readonly Message[] {
	return messages.at(-1)?.role === 'user' ? messages.slice(0, -1) : messages;
}

function dropEmptyAnswer(messages: readonly Message[]): readonly Message[] {
	const last = messages.at(-1);
	const isEmpty = last?.role === 'assistant' && last.parts.every(({type}) => type === 'reasoning');
	return isEmpty ? dropUnanswered(messages.slice(0, -1)) : messages;
}

function dropAnswer(messages: readonly Message[]): readonly Message[] {
	return messages.at(-1)?.role === 'assistant' ? messages.slice(0, -1) : messages;
}

/** Gives every call that has no result one that says it was cancelled. */
function settleCalls(messages: readonly Message[]): readonly Message[] {
	const last = messages.findLastIndex((message) => message.role === 'assistant');
	const message = messages[last];
	if (message?.role !== 'assistant') return messages;
	const answered = new Set<string>();
	for (const later of messages.slice(last + 1)) {
		if (later.role === 'tool') answered.add(later.callId);
	}
	const missing: Message[] = [];
	for (const part of message.parts) {
		if (part.type !== 'tool-call' || answered.has(part.call.callId)) continue;
		missing.push({role: 'tool', callId: part.call.callId, output: 'cancelled', isError: true});
	}
	return missing.length === 0 ? messages : [...messages, ...missing];
}
