/** Hashes telling whether something above an answer has changed. */
import {createHash} from 'node:crypto';
import type {AnswerMessage, Conversation, Turn} from '../chat/conversation.ts';
import {isJsonObject} from '../json.ts';

/**
 * Returns a hash for each turn: of everything above its answer. Times, usage and service data have no
 * part in it.
 *
 * @param settings the request's settings besides the system message, by name
 * @returns 16 hexadecimal digits each
 */
export function hashTurns(
	{system, turns, compactions = []}: Omit<Conversation, 'otherTurns'>,
	settings: object,
): readonly string[] {
	let above = digest({system, settings});
	return turns.map(({id, prompt: {text, attachments}, messages}) => {
		const hash = digest([above, text, attachments]);
		const below = compactions.filter(({parent}) => parent === id);
		const summaries = below.map(({kind, text: summary}) => [kind, summary]);
		above = digest([hash, messages.map(contentOf), summaries]);
		return hash.slice(0, 16);
	});
}

/** Returns the same text for turns with the same prompt and answer. */
export function hashTurn({prompt: {text, attachments}, messages}: Turn): string {
	return digest([text, attachments, messages.map(contentOf)]);
}

function contentOf(message: AnswerMessage): object {
	if (message.role === 'tool') return message;
	return message.parts.map((part) => {
		if (part.type !== 'tool-call') return {type: part.type, text: part.text};
		const {callId, name, arguments: text} = part.call;
		return {type: part.type, callId, name, text};
	});
}

function digest(value: object): string {
	return createHash('sha256').update(JSON.stringify(value, sortKeys)).digest('hex');
}

/** Makes equal values equal texts. */
function sortKeys(_key: string, value: unknown): unknown {
	if (!isJsonObject(value)) return value;
	return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
