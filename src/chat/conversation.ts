/**
 * A conversation and the one function that builds its messages from events.
 *
 * Invariant: between turns, a conversation can be sent as it is. It never ends in a tool call without a
 * result, nor in a user message without an answer.
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
	/** The last one first, so that adding one costs the same however many there are. */
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

export function addPrompt(conversation: Conversation, message: UserMessage): Conversation {
	return {...conversation, messages: [...conversation.messages, message]};
}

/**
 * Returns the conversation after one more event of the turn that answers it.
 *
 * A failed turn keeps its user message only if some answer text or a finished step came; the partial
 * answer is then marked. Otherwise the user message is dropped. An empty answer is dropped with its
 * user message too: many services refuse such a message in the next request.
 */
export function reduceConversation(conversation: Conversation, event: ChatEvent): Conversation {
	const {messages, open} = conversation;
	switch (event.type) {
		case 'step-start':
			return {messages, open: {...emptyMessage, model: event.requestedModel}};
		case 'reasoning-delta':
			return updateOpen(conversation, ({reasoning}) => ({reasoning: reasoning + event.text}));
		case 'text-delta':
			return updateOpen(conversation, ({text}) => ({text: text + event.text}));
		case 'refusal-delta':
			return updateOpen(conversation, ({refusal}) => ({refusal: refusal + event.text}));
		case 'tool-call':
			return updateOpen(conversation, ({calls}) => ({calls: {call: event.call, before: calls}}));
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
			return {messages: cancelUnansweredCalls(dropEmptyAnswer(messages)), open: undefined};
		case 'error': {
			const kept = dropUnanswered(keepPartial(conversation, event.error));
			return {messages: cancelUnansweredCalls(kept), open: undefined};
		}
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

const emptyMessage = {reasoning: '', text: '', refusal: '', calls: undefined} as const;

function updateOpen(
	{messages, open}: Conversation,
	update: (message: OpenMessage) => Partial<OpenMessage>,
): Conversation {
	return {messages, open: open && {...open, ...update(open)}};
}

/** Returns the calls in their order; a call without a name cannot be answered. */
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

/** Drops the calls of a step that did not end, and keeps its text. */
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

function cancelUnansweredCalls(messages: readonly Message[]): readonly Message[] {
	const last = messages.findLastIndex((message) => message.role === 'assistant');
	const message = messages[last];
	if (message?.role !== 'assistant') return messages;
	const answered = new Set<string>();
	for (const later of messages.slice(last + 1)) {
		if (later.role === 'tool') answered.add(later.callId);
	}
	const cancelled = message.parts.flatMap((part): readonly Message[] => {
		if (part.type !== 'tool-call' || answered.has(part.call.callId)) return [];
		return [{role: 'tool', callId: part.call.callId, output: 'cancelled', isError: true}];
	});
	return cancelled.length === 0 ? messages : [...messages, ...cancelled];
}
