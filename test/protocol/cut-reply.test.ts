/**
 * A reply with reasoning, text and two parallel tool calls, cut after every byte: what arrived is
 * kept, nothing that is not whole may be run, and a cut answer is never a success.
 */
import {describe, expect, it} from 'vitest';
import type {ChatEvent} from '../../src/chat/event.ts';
import type {StreamChat} from '../../src/chat/stream-chat.ts';
import type {Tool} from '../../src/chat/tool.ts';
import {textOutput} from '../../src/chat/tool-output.ts';
import {createFixedSource} from '../../src/chat/tool-sources.ts';
import {runTurn} from '../../src/chat/turn.ts';
import {ChatError} from '../../src/errors.ts';
import type {BodyEnd} from '../../src/protocol/decode/body-decoder.ts';
import {collectTurn} from '../helpers/collect-turn.ts';
import {openConversation} from '../helpers/conversation.ts';
import {
	callsOf,
	closedEnd,
	decodeBytes,
	errorOf,
	textOf,
	toChunk,
	wholeEnd,
} from './decode-bytes.ts';

const deltas: ReadonlyArray<readonly [delta: object, finishReason?: string]> = [
	[{role: 'assistant', content: ''}],
	[{reasoning_content: 'Ich überlege'}],
	[{reasoning_content: ' 🤔.'}],
	[{content: 'Ich sehe nach'}],
	[{content: ': 🗂️'}],
	[{tool_calls: [{index: 0, id: 'call_a', function: {name: 'read', arguments: ''}}]}],
	[{tool_calls: [{index: 1, id: 'call_b', function: {name: 'list', arguments: '{'}}]}],
	[{tool_calls: [{index: 0, function: {arguments: '{"path":"ä'}}]}],
	[{tool_calls: [{index: 1, function: {arguments: '}'}}]}],
	[{tool_calls: [{index: 0, function: {arguments: '.txt"}'}}]}],
	[{}, 'tool_calls'],
];
const payloads = deltas.map(([delta, reason]) => JSON.stringify(toChunk(delta, reason ?? null)));
const body = Buffer.from(`${payloads.map((json) => `data: ${json}\n\n`).join('')}data: [DONE]\n\n`);

/** Where each payload is over: from there on it counts, as the last of a cut stream too. */
const payloadEnds = payloads.map((json) => body.indexOf(json) + Buffer.byteLength(json));
const finishEnd = payloadEnds.at(-1) ?? Number.NaN;

const everywhere = Array.from({length: body.length + 1}, (_, cut) => cut);

/** In the middle of each payload, and around its end: where a cut can mean something else. */
const decisive = [
	0,
	...payloadEnds.flatMap((end, i) => [
		Math.floor((end + (payloadEnds[i - 1] ?? 0)) / 2),
		...[end - 1, end, end + 1, end + 2],
	]),
	...[body.length - 1, body.length],
];

/** Returns the text of this field of the deltas that the first bytes hold. */
function arrived(field: 'content' | 'reasoning_content', cut: number): string {
	return deltas
		.filter((_, i) => (payloadEnds[i] ?? 0) <= cut)
		.map(([delta]) => (delta as Record<string, string>)[field] ?? '')
		.join('');
}

const runnableCalls = [
	{callId: 'call_a', name: 'read', arguments: '{"path":"ä.txt"}', isRunnable: true},
	{callId: 'call_b', name: 'list', arguments: '{}', isRunnable: true},
];

/** Says what is wrong with what came of the first bytes. */
function checkCut(events: readonly ChatEvent[], cut: number): void {
	expect(textOf(events, 'reasoning-delta'), `cut at ${cut}`).toBe(
		arrived('reasoning_content', cut),
	);
	expect(textOf(events, 'text-delta'), `cut at ${cut}`).toBe(arrived('content', cut));
	const error = errorOf(events);
	if (cut >= finishEnd) {
		expect(error, `cut at ${cut}`).toBeUndefined();
		expect(callsOf(events), `cut at ${cut}`).toEqual(runnableCalls);
		return;
	}
	expect(error, `cut at ${cut}`).toBeInstanceOf(ChatError);
	expect(error?.kind, `cut at ${cut}`).not.toBe('bug');
	const isShown = events.some(({type}) => type === 'step-start');
	if (isShown) expect(error?.kind, `cut at ${cut}`).toBe('incomplete');
	expect(callsOf(events), `cut at ${cut}`).toEqual([]);
	expect(events.map(({type}) => type)).not.toContain('step-end');
}

const broken = new ChatError('unavailable', 'the connection broke', {code: 'ECONNRESET'});

describe('a streamed reply that is cut off', () => {
	it.each([
		['at any byte, and the connection was closed in order', everywhere, closedEnd],
		['and the connection broke', decisive, {isBodyComplete: false, failure: broken}],
		['and the transport thinks that it is whole', decisive, wholeEnd],
	] as ReadonlyArray<[string, readonly number[], BodyEnd]>)('%s', (_, cuts, end) => {
		for (const cut of cuts) checkCut(decodeBytes([body.subarray(0, cut)], end), cut);
	});
});

describe('a turn with tools that are run', () => {
	it('runs no tool for a reply that is cut off within its calls', async () => {
		for (const cut of decisive) {
			const ran: string[] = [];
			const tools = ['read', 'list'].map(
				(name): Tool => ({
					definition: {name},
					origin: 'test',
					check: async () => undefined,
					describe: async () => [],
					async run() {
						ran.push(name);
						return textOutput('x', false);
					},
				}),
			);
			let requests = 0;
			const streamChat: StreamChat = async function* () {
				requests += 1;
				const whole = requests === 1 ? body.subarray(0, cut) : Buffer.from('data: [DONE]\n\n');
				const events = decodeBytes([whole], closedEnd);
				const last = events.pop();
				if (events.length > 0) yield events;
				if (last?.type === 'error') throw last.error;
			};
			const turn = runTurn({
				conversation: openConversation('Go.'),
				options: {model: 'm', isStreaming: true},
				streamChat,
				tools: createFixedSource(tools),
				approve: async () => ({type: 'run', decision: 'once'}),
				signal: new AbortController().signal,
			});
			await collectTurn(turn);
			expect(ran, `cut at ${cut}`).toEqual(cut >= finishEnd ? ['read', 'list'] : []);
		}
	});
});
