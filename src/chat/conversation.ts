/**
 * A conversation and the one function that builds its messages from events.
 *
 * Invariant: between turns, a conversation can be sent as it is. It never ends in a tool call without a
 * result, nor in a user message without an answer.
 */
import type {ChatError} from '../errors.ts';
import type {ChatEvent} from './event.ts';
import {isCutReason} from './finish-reason.ts';
import type {
	AssistantMessage,
	AssistantPart,
	Message,
	ProviderData,
	UserMessage,
} from './message.ts';
import {textOutput} from './tool-output.ts';

export type Conversation = {
	readonly messages: readonly Message[];
	/** The assistant message that is being received; undefined between steps. */
	readonly open: OpenMessage | undefined;
};

type OpenMessage = {
	readonly model: string;
	readonly parts: PartList;
};

/** The last part first, so that a delta costs the same however many there are. */
type PartList = {readonly part: OpenPart; readonly before: PartList} | undefined;

/** A call has its place in the message where it starts, and comes whole at the end of its step. */
type OpenPart = AssistantPart | {readonly type: 'tool-call-start'; readonly callId: string};

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
			return {messages, open: {model: event.requestedModel, parts: undefined}};
		case 'reasoning-delta':
			return growPart(conversation, 'reasoning', event.text);
		case 'reasoning-end':
			return endReasoning(conversation, event.providerData);
		case 'text-delta':
			return growPart(conversation, 'text', event.text);
		case 'refusal-delta':
			return growPart(conversation, 'refusal', event.text);
		case 'tool-call-start':
		case 'tool-call':
			return addPart(conversation, event);
		case 'step-end': {
			if (open === undefined) return conversation;
			const parts = listParts(open.parts);
			const kept = isCutReason(event.finishReason) ? withoutCalls(parts) : parts;
			return {messages: [...messages, closeMessage(open, kept, 'complete')], open: undefined};
		}
		case 'tool-result': {
			const {callId, parts, isError} = event;
			return {messages: [...messages, {role: 'tool', callId, parts, isError}], open};
		}
		case 'answer-rejected':
			return {messages: dropAnswer(messages), open};
		case 'turn-end':
			return {messages: cancelUnansweredCalls(dropEmptyAnswer(messages)), open: undefined};
		case 'error': {
			const kept = dropUnanswered(keepPartial(conversation, event.error));
			return {messages: cancelUnansweredCalls(kept), open: undefined};
		}
		case 'tool-call-delta':
		case 'tool-decision':
		case 'notice':
		case 'trace':
			return conversation;
		default:
			return event satisfies never;
	}
}

function addPart({messages, open}: Conversation, part: OpenPart): Conversation {
	return {messages, open: open && {...open, parts: {part, before: open.parts}}};
}

/** Adds to the last part if it is of this type and has not ended, else begins another one. */
function growPart(
	conversation: Conversation,
	type: 'reasoning' | 'text' | 'refusal',
	text: string,
): Conversation {
	const {messages, open} = conversation;
	const last = open?.parts;
	if (last?.part.type !== type || 'providerData' in last.part)
		return addPart(conversation, {type, text});
	const part = {...last.part, text: last.part.text + text};
	return {messages, open: open && {...open, parts: {part, before: last.before}}};
}

function endReasoning(conversation: Conversation, providerData: ProviderData): Conversation {
	const {messages, open} = growPart(conversation, 'reasoning', '');
	if (open?.parts?.part.type !== 'reasoning') return conversation;
	const {part, before} = open.parts;
	return {messages, open: {...open, parts: {part: {...part, providerData}, before}}};
}

/** Returns the parts in their order; a call without a name cannot be answered. */
function listParts(list: PartList): readonly AssistantPart[] {
	const parts: AssistantPart[] = [];
	const calls = new Map<string, AssistantPart>();
	for (let rest = list; rest !== undefined; rest = rest.before) {
		const {part} = rest;
		if (part.type === 'tool-call') {
			if (part.call.name !== '') calls.set(part.call.callId, part);
		} else if (part.type === 'tool-call-start') {
			const call = calls.get(part.callId);
			if (call !== undefined) parts.push(call);
		} else {
			parts.push(part);
		}
	}
	return parts.reverse();
}

function withoutCalls(parts: readonly AssistantPart[]): readonly AssistantPart[] {
	return parts.filter(({type}) => type !== 'tool-call');
}

function closeMessage(
	{model}: OpenMessage,
	parts: readonly AssistantPart[],
	status: AssistantMessage['status'],
): AssistantMessage {
	return {role: 'assistant', parts, status, model};
}

/** Drops the calls of a step that did not end, and keeps its text. */
function keepPartial({messages, open}: Conversation, error: ChatError): readonly Message[] {
	const parts = withoutCalls(listParts(open?.parts));
	if (open === undefined || parts.every(({type}) => type === 'reasoning')) return messages;
	const status = error.kind === 'interrupted' ? 'interrupted' : 'incomplete';
	return [...messages, closeMessage(open, parts, status)];
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
		return [{role: 'tool', callId: part.call.callId, ...textOutput('cancelled', true)}];
	});
	return cancelled.length === 0 ? messages : [...messages, ...cancelled];
}
