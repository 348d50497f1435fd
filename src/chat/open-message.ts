/** The assistant message being received, and how events make it grow. */
import type {ChatEvent} from './event.ts';
import type {AssistantMessage, AssistantPart, ProviderData} from './message.ts';

export type OpenMessage = {
	readonly model: string;
	readonly parts: PartList;
	/** The pages cited so far, in a message opened again. */
	readonly sources?: AssistantMessage['sources'];
};

/** Last part first, so that a delta costs the same at any length. */
type PartList = {readonly part: OpenPart; readonly before: PartList} | undefined;

/** A call takes its place in the message where it starts, and is complete at the end of its step. */
type OpenPart = AssistantPart | {readonly type: 'tool-call-start'; readonly callId: string};

/** Whether the message contains any answer. */
export function hasText({parts}: OpenMessage): boolean {
	for (let rest = parts; rest !== undefined; rest = rest.before) {
		const {type} = rest.part;
		if (type === 'text' || type === 'refusal') return true;
	}
	return false;
}

/** Events that build a message. */
export type MessageEvent = Extract<
	ChatEvent,
	{
		readonly type:
			| 'reasoning-delta'
			| 'reasoning-end'
			| 'text-delta'
			| 'refusal-delta'
			| 'tool-call-start'
			| 'tool-call';
	}
>;

export function growMessage(message: OpenMessage, event: MessageEvent): OpenMessage {
	switch (event.type) {
		case 'reasoning-delta':
			return growPart(message, 'reasoning', event.text);
		case 'reasoning-end':
			return endReasoning(message, event.providerData);
		case 'text-delta':
			return growPart(message, 'text', event.text);
		case 'refusal-delta':
			return growPart(message, 'refusal', event.text);
		case 'tool-call-start':
		case 'tool-call':
			return addPart(message, event);
		default:
			return event satisfies never;
	}
}

/** Opens a message without calls again, to grow. */
export function reopenMessage({model, parts, sources}: AssistantMessage): OpenMessage {
	const list = parts.reduce<PartList>((before, part) => ({part, before}), undefined);
	return {model, parts: list, sources};
}

/** @param hasCalls false: the calls are left out, as they may be cut off */
export function closeMessage(
	{model, parts}: OpenMessage,
	status: AssistantMessage['status'],
	hasCalls: boolean,
): AssistantMessage {
	const listed = listParts(parts);
	const kept = hasCalls ? listed : listed.filter(({type}) => type !== 'tool-call');
	return {role: 'assistant', parts: kept, status, model};
}

function addPart(message: OpenMessage, part: OpenPart): OpenMessage {
	return {...message, parts: {part, before: message.parts}};
}

/** Appends to the last part if it is open and has this type, otherwise starts a new part. */
function growPart(
	message: OpenMessage,
	type: 'reasoning' | 'text' | 'refusal',
	text: string,
): OpenMessage {
	const last = message.parts;
	if (last?.part.type !== type || 'providerData' in last.part) {
		return addPart(message, {type, text});
	}
	const part = {...last.part, text: last.part.text + text};
	return {...message, parts: {part, before: last.before}};
}

function endReasoning(message: OpenMessage, providerData: ProviderData): OpenMessage {
	const grown = growPart(message, 'reasoning', '');
	if (grown.parts?.part.type !== 'reasoning') return message;
	const {part, before} = grown.parts;
	return {...message, parts: {part: {...part, providerData}, before}};
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
