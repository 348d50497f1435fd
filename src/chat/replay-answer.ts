/** A kept answer as the events that make it again, for an output that begins with it. */
import type {OpenTurn} from './conversation.ts';
import type {ChatEvent, ChatEventBatch} from './event.ts';
import type {AssistantMessage, AssistantPart} from './message.ts';

/** Returns no requests and no usage. The last message is left open. */
export function replayAnswer({messages}: Pick<OpenTurn, 'messages'>): ChatEventBatch {
	return messages.flatMap((message, index): ChatEventBatch => {
		if (message.role === 'tool') {
			const {callId, parts, isError} = message;
			return [{type: 'tool-result', callId, parts, isError}];
		}
		return index + 1 === messages.length ? beginMessage(message) : [...beginMessage(message), end];
	});
}

const end: ChatEvent = {
	type: 'step-end',
	finishReason: {kind: 'unknown', raw: null},
	usage: undefined,
};

function beginMessage({model, parts}: AssistantMessage): ChatEventBatch {
	const names = {model, requestedModel: model};
	return [
		{type: 'step-start', ...names, id: '', created: undefined, attempts: 0},
		...parts.flatMap(eventsOfPart),
		...parts.flatMap((part) => (part.type === 'tool-call' ? [part] : [])),
	];
}

function eventsOfPart(part: AssistantPart): ChatEventBatch {
	switch (part.type) {
		case 'text':
			return [{type: 'text-delta', text: part.text}];
		case 'reasoning':
			return part.text === '' ? [] : [{type: 'reasoning-delta', text: part.text}];
		case 'refusal':
			return [{type: 'refusal-delta', text: part.text}];
		case 'tool-call': {
			const {callId, name, arguments: text} = part.call;
			const start: ChatEvent = {type: 'tool-call-start', callId, name};
			return text === '' ? [start] : [start, {type: 'tool-call-delta', callId, text}];
		}
		default:
			return part satisfies never;
	}
}
