/** The request for a summary, and replies without one. */
import {describe, expect, test} from 'vitest';
import {messagesOf} from '../../src/chat/conversation.ts';
import type {ChatEvent} from '../../src/chat/event.ts';
import type {ChatOptions} from '../../src/chat/message.ts';
import type {StepRequest} from '../../src/chat/stream-chat.ts';
import type {OfferedTool} from '../../src/chat/tool.ts';
import {planSummary} from '../../src/context/plan-compaction.ts';
import {summarizeTurns} from '../../src/context/summarize.ts';
import {textDelta} from '../helpers/events.ts';
import {answer, begin, enter, play, stepEnd, stepStart} from '../repl/play.ts';

const {conversation} = play(begin(), enter('one'), answer('1'), enter('two'), answer('2')).state;
const tool: OfferedTool = {definition: {name: 'look'}};
const options: ChatOptions = {
	...{model: 'm', isStreaming: true, maxTokens: 50, temperature: 0},
	...{responseFormat: 'json_object', toolChoice: 'required'},
};

async function ask(events: readonly ChatEvent[], wish = '') {
	const plan = planSummary(conversation);
	if (plan === undefined) throw new Error('no plan');
	const requests: StepRequest[] = [];
	const {signal} = new AbortController();
	const summary = summarizeTurns(
		{conversation, plan, wish, options},
		async function* (request) {
			requests.push(request);
			yield events;
		},
		[tool],
		signal,
	);
	return {text: await summary, requests};
}

const end = (kind: 'stop' | 'length' | 'filter'): ChatEvent => {
	return {type: 'step-end', finishReason: {kind, raw: kind}, usage: undefined};
};

test('has the same messages and tools, and a prompt that names what to keep', async () => {
	const {text, requests} = await ask(
		[stepStart, textDelta(' It counts. \n'), stepEnd()],
		'numbers',
	);
	expect(text).toBe('It counts.');
	const [{messages, options: sent} = {messages: [], options}] = requests;
	expect(messages.slice(0, -1)).toEqual(messagesOf(conversation));
	expect(sent).toMatchObject({model: 'm', temperature: 0, tools: [{name: 'look'}]});
	expect(sent).toMatchObject({maxTokens: undefined, toolChoice: undefined});
	expect(sent.responseFormat).toBeUndefined();
	const [prompt] = messages.at(-1)?.parts ?? [];
	expect(prompt).toMatchObject({
		text: expect.stringMatching(/Leave out the last 1 prompt .*\n.*\nThis matters most: numbers\n/),
	});
});

describe('compacts nothing', () => {
	const call = {callId: 'c', name: 'look', arguments: '{}', isRunnable: true};
	test.each<readonly [reason: string, events: readonly ChatEvent[]]>([
		['the summary was cut off', [textDelta('It'), end('length')]],
		['the model refused it', [{type: 'refusal-delta', text: 'no'}, end('stop')]],
		['the model called a tool instead', [textDelta('It'), {type: 'tool-call', call}, end('stop')]],
		['the model wrote nothing', [textDelta(' \n'), end('stop')]],
	])('if %s', async (reason, events) => {
		await expect(ask([stepStart, ...events])).rejects.toThrow(`nothing was compacted: ${reason}`);
	});
});
