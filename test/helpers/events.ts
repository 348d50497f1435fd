/** Events of turns, written as words: `start think:Hm. text:Hi end done`. */
import type {ChatEvent} from '../../src/chat/event.ts';
import {ChatError, type ErrorKind} from '../../src/errors.ts';
import type {FinishReason} from '../../src/finish-reason.ts';

export const stepStart: ChatEvent & {readonly type: 'step-start'} = {
	type: 'step-start',
	model: 'm-long-name',
	requestedModel: 'm',
	id: 'c',
	created: 1,
	attempts: 1,
};

export const textDelta = (text: string): ChatEvent => ({type: 'text-delta', text});
export const reasoningDelta = (text: string): ChatEvent => ({type: 'reasoning-delta', text});

export function stepEnd(kind: FinishReason['kind'] = 'stop'): ChatEvent & {type: 'step-end'} {
	return {type: 'step-end', finishReason: {kind, raw: kind}, usage: undefined};
}

export const turnEnd: ChatEvent = {type: 'turn-end'};

export const failure = (kind: ErrorKind): ChatEvent => {
	return {type: 'error', error: new ChatError(kind, 'it failed')};
};

export const retryNotice: ChatEvent = {type: 'notice', notice: {code: 'retry', message: 'again'}};

/** Events by their words. A call is written as `1` or `1/name`. */
const makers: Readonly<Record<string, (text: string) => ChatEvent>> = {
	start: () => stepStart,
	think: reasoningDelta,
	thought: (key) => ({type: 'reasoning-end', providerData: {key}}),
	text: textDelta,
	call(text) {
		const {callId, name} = readCall(text);
		return {type: 'tool-call-start', callId, name};
	},
	args(text) {
		const {callId, rest} = readCall(text);
		return {type: 'tool-call-delta', callId, text: rest};
	},
	called(text) {
		const {callId, name, rest} = readCall(text);
		const call = {callId, name, arguments: rest || '{}', isRunnable: name !== ''};
		return {type: 'tool-call', call};
	},
	end: (kind) => stepEnd((kind || 'stop') as FinishReason['kind']),
	done: () => turnEnd,
	error: (kind) => failure(kind as ErrorKind),
	notice: () => retryNotice,
};

function readCall(text: string) {
	const [, callId = '', name = 'f', rest = ''] =
		/^([^/:]*)(?:\/([^:]*))?(?::(.*))?$/.exec(text) ?? [];
	return {callId, name, rest};
}

export function eventsOf(words: string): readonly ChatEvent[] {
	return words.split(' ').map((word) => {
		const [, name = '', text = ''] = /^(\w+)(?::(.*))?$/s.exec(word) ?? [];
		const make = makers[name];
		if (make === undefined) throw new Error(`unknown event ${word}`);
		return make(text);
	});
}
