/** Tool calls while their arguments arrive. */
import type {ToolCall} from '../../chat/message.ts';
import {asObject, parseJson} from '../../json.ts';
import type {EventBatch, TextChannel} from './event-batch.ts';

/** A call whose id and name came before its arguments. */
export type OpenCall = Pick<ToolCall, 'callId' | 'name'> & {
	readonly channel: TextChannel;
	arguments: string;
};

export function openCall(events: EventBatch, callId: string, name: string): OpenCall {
	events.add({type: 'tool-call-start', callId, name});
	const channel = events.createChannel((text) => ({type: 'tool-call-delta', callId, text}));
	return {callId, name, arguments: '', channel};
}

export function growCall(call: OpenCall, piece: string): void {
	call.arguments += piece;
	call.channel.push(piece);
}

/**
 * Returns a finished call.
 *
 * @param isCut whether the answer was cut off, so that no call may run
 */
export function finishCall(
	{callId, name, arguments: given}: Pick<ToolCall, 'callId' | 'name' | 'arguments'>,
	isCut: boolean,
): ToolCall {
	const text = given.trim() === '' ? '{}' : given;
	const isObject = asObject(parseJson(text)) !== undefined;
	return {callId, name, arguments: text, isRunnable: !isCut && isObject && name !== ''};
}
