/** A turn that calls tools: every call gets one result, in order, and nothing runs without approval. */
import {describe, expect, it, vi} from 'vitest';
import type {Verdict} from '../../src/chat/check-answer.ts';
import {messagesOf} from '../../src/chat/conversation.ts';
import type {ChatEvent} from '../../src/chat/event.ts';
import type {ToolCall} from '../../src/chat/message.ts';
import type {StepRequest, StreamChat} from '../../src/chat/stream-chat.ts';
import type {
	Approval,
	ApprovalRequest,
	Approve,
	OfferedTool,
	Tool,
	ToolOutput,
	ToolSource,
} from '../../src/chat/tool.ts';
import {outputText, textOutput} from '../../src/chat/tool-output.ts';
import {createFixedSource} from '../../src/chat/tool-sources.ts';
import {runTurn, type TurnRequest} from '../../src/chat/turn.ts';
import {ChatError} from '../../src/errors.ts';
import type {FinishReason} from '../../src/finish-reason.ts';
import {collectTurn} from '../helpers/collect-turn.ts';
import {openConversation, reduceAll} from '../helpers/conversation.ts';
import {stepEnd, stepStart, textDelta} from '../helpers/events.ts';

const prompt = openConversation('Go.');
const options = {model: 'm', isStreaming: true};

function call(callId: string, name: string, args = '{}', isRunnable = true): ToolCall {
	return {callId, name, arguments: args, isRunnable};
}

function step(
	content: string | readonly ToolCall[],
	finish: FinishReason['kind'] = 'stop',
): readonly ChatEvent[] {
	const calls = typeof content === 'string' ? [] : content;
	return [
		stepStart,
		...(typeof content === 'string' ? [textDelta(content)] : []),
		...calls.flatMap((one): ChatEvent[] => [
			{type: 'tool-call-start', callId: one.callId, name: one.name},
			{type: 'tool-call-delta', callId: one.callId, text: one.arguments},
		]),
		...calls.map((one): ChatEvent => ({type: 'tool-call', call: one})),
		stepEnd(finish),
	];
}

/** Plays one step for each request, the last one again and again, and keeps the requests. */
function play(...steps: ReadonlyArray<readonly ChatEvent[]>) {
	const requests: StepRequest[] = [];
	const streamChat: StreamChat = async function* (request) {
		const events = steps[Math.min(requests.push(request), steps.length) - 1];
		if (events !== undefined) yield events;
	};
	return {streamChat, requests};
}

type Run = (values: object, signal: AbortSignal) => Promise<ToolOutput>;

function tool(name: string, run?: Run, check?: (values: object) => string | undefined) {
	const ran: object[] = [];
	const made: Tool = {
		definition: {name},
		origin: 'test',
		check: async (values) => check?.(values),
		describe: async () => [],
		run: (values, signal) => {
			ran.push(values);
			return run?.(values, signal) ?? Promise.resolve(textOutput(`${name} ran`, false));
		},
	};
	return {...made, ran};
}

const allow: Approve = async () => ({type: 'run', decision: 'once'});

type TestTurn = Partial<Omit<TurnRequest, 'tools'>> &
	Pick<TurnRequest, 'streamChat'> & {
		readonly tools?: readonly OfferedTool[];
		readonly source?: ToolSource;
	};

async function run({tools, source = tools && createFixedSource(tools), ...turn}: TestTurn) {
	const {signal} = new AbortController();
	const turns = {conversation: prompt, options, approve: allow, signal, ...turn, tools: source};
	const collected = await collectTurn(runTurn(turns));
	const conversation = reduceAll(prompt, collected.events);
	return {...collected, messages: messagesOf(conversation)};
}

/** A turn with one call of the tool `one`. */
async function callOne({one = tool('one'), args, ...turn}: Partial<TestTurn> & CallOptions = {}) {
	const {streamChat, requests} = play(step([call('a', 'one', args)]), step('Done.'));
	const ended = await run({tools: [one], streamChat, ...turn});
	return {...ended, requests, ran: one.ran, results: resultsOf(ended.events)};
}

type CallOptions = {readonly one?: ReturnType<typeof tool>; readonly args?: string};

const resultsOf = (events: readonly ChatEvent[]) =>
	events.flatMap((event) =>
		event.type === 'tool-result' ? [`${event.callId}: ${outputText(event)}`] : [],
	);

const rolesOf = ({messages}: Pick<StepRequest, 'messages'>) => messages.map(({role}) => role);

describe('a turn with tools', () => {
	it('is call, result, second call, answer; each request has everything before it', async () => {
		const {streamChat, requests} = play(
			step([call('a', 'one')], 'tool-calls'),
			step([call('b', 'two')], 'tool-calls'),
			step('Done.'),
		);
		const turn = await run({streamChat, tools: [tool('one'), tool('two')]});
		expect(turn.content).toBe('Done.');
		expect(resultsOf(turn.events)).toEqual(['a: one ran', 'b: two ran']);
		expect(requests.map(rolesOf)).toEqual([
			['user'],
			['user', 'assistant', 'tool'],
			['user', 'assistant', 'tool', 'assistant', 'tool'],
		]);
		expect(rolesOf(turn).at(-1)).toBe('assistant');
	});

	it('decides on all calls of a step, runs them side by side, and keeps their order', async () => {
		const {streamChat} = play(step([call('a', 'slow'), call('b', 'fast')]), step('Done.'));
		let release = () => {};
		const isFastDone = new Promise<void>((resolve) => {
			release = resolve;
		});
		const slow = tool('slow', async () => {
			await isFastDone;
			return textOutput('at last', false);
		});
		const fast = tool('fast', async () => {
			release();
			return textOutput('at once', true);
		});
		const {events} = await run({streamChat, tools: [slow, fast]});
		expect(resultsOf(events)).toEqual(['a: at last', 'b: at once']);
		const reported = events.filter(({type}) => /^tool-(?:decision|result)$/.test(type));
		const [decision, result] = ['tool-decision', 'tool-result'];
		expect(reported.map(({type}) => type)).toEqual([decision, decision, result, result]);
	});

	it('runs calls with any finish reason, except in a cut or failed step', async () => {
		for (const reason of ['stop', 'tool-calls', 'length', 'filter'] as const) {
			const one = tool('one');
			const {streamChat} = play(step([call('a', 'one')], reason), step('x'));
			await run({streamChat, tools: [one]});
			expect(one.ran, reason).toHaveLength(reason === 'stop' || reason === 'tool-calls' ? 1 : 0);
		}
		const whole = step([call('a', 'one')]);
		for (let length = 0; length < whole.length; length += 1) {
			const one = tool('one');
			const streamChat: StreamChat = async function* () {
				if (length > 0) yield whole.slice(0, length);
				throw new ChatError('incomplete', 'cut');
			};
			const {error} = await run({streamChat, tools: [one]});
			expect(one.ran).toEqual([]);
			expect(error?.kind).toBe('incomplete');
		}
	});

	it('answers calls that cannot run, without a question', async () => {
		const approve = vi.fn(allow);
		const one = tool('one', undefined, () => 'city is missing');
		const {streamChat} = play(
			step([call('a', 'none'), call('b', 'one', '[1', false), call('c', 'one', '{"x":1}')]),
			step('Done.'),
		);
		const turn = await run({streamChat, tools: [one], approve});
		expect(resultsOf(turn.events)).toEqual([
			'a: Unknown tool: none. The tools are: one.',
			'b: The arguments are not a JSON object.',
			'c: The arguments do not fit: city is missing.',
		]);
		expect(approve).not.toHaveBeenCalled();
		expect(turn.isComplete).toBe(true);
	});

	it('names few of many tools to the model, and limits what a tool returns', async () => {
		const many = Array.from({length: 1000}, (_, index) => tool(`t${index}`));
		const {results} = await callOne({tools: many});
		expect(results[0]).toMatch(/^a: Unknown tool: one\. The tools are: t0, .*, t19, 980 more\.$/);
		const flood = tool('one', async () => textOutput('x'.repeat(1_000_000), false));
		expect((await callOne({one: flood})).results.join().length).toBeLessThan(80_000);
	});

	it('leaves the calls to the caller if one tool is not run here', async () => {
		const one = tool('one');
		const {streamChat, requests} = play(step([call('a', 'one'), call('b', 'theirs')]));
		const turn = await run({streamChat, tools: [one, {definition: {name: 'theirs'}}]});
		expect(one.ran).toEqual([]);
		expect(requests).toHaveLength(1);
		expect(turn.isComplete).toBe(true);
	});

	it('forces a call only once', async () => {
		const {requests} = await callOne({options: {...options, toolChoice: 'required'}});
		expect(requests.map((request) => request.options.toolChoice)).toEqual(['required', undefined]);
	});
});

describe('a source that changes', () => {
	/** Replaces the tool of a call while the question about it is open. */
	const change = async (next: readonly OfferedTool[]) => {
		const one = tool('one');
		const source = {...createFixedSource([one]), tools: [one] as readonly OfferedTool[]};
		const approve: Approve = async () => {
			source.tools = next;
			return {type: 'run', decision: 'once'};
		};
		return await callOne({one, approve, source});
	};

	it('does not run a tool that is no longer the one that was approved', async () => {
		const other = {...tool('one'), origin: 'elsewhere'};
		for (const next of [[other], [], [{definition: {name: 'one'}}]]) {
			const {ran, results} = await change(next);
			expect(ran).toEqual([]);
			expect(results).toEqual(['a: This call was not run: the tool has changed since.']);
		}
		expect(other.ran).toEqual([]);
	});

	/** Its tool makes itself another one when it is prepared: each time until the last one. */
	const prepare = async (versions: ReadonlyArray<Partial<Tool>>) => {
		const asked: ApprovalRequest[] = [];
		let version = 0;
		const createVersion = (): Tool => ({
			...tool('one'),
			origin: version,
			async prepare() {
				version = Math.min(version + 1, versions.length);
			},
			run: async () => textOutput(`version ${version} ran`, false),
			...versions[version - 1],
		});
		const source = {
			...createFixedSource([]),
			get tools() {
				return [createVersion()];
			},
		};
		const approve: Approve = async (request) => {
			asked.push(request);
			return {type: 'run', decision: 'once'};
		};
		const {events, results} = await callOne({approve, source});
		const decisions = events.filter(({type}) => type === 'tool-decision');
		return {asked, decisions, results};
	};

	it('asks again about a tool that differs once it is ready, and decides once', async () => {
		const {asked, decisions, results} = await prepare([{}]);
		expect(asked.map(({tool: {origin}, problem}) => [origin, problem])).toEqual([
			[0, undefined],
			[1, 'the tool has changed since it was approved'],
		]);
		expect(decisions).toHaveLength(1);
		expect(results).toEqual(['a: version 1 ran']);
		const unfit = await prepare([{check: async () => 'x is missing'}]);
		expect(unfit.results).toEqual(['a: The arguments do not fit: x is missing.']);
	});

	it('ends the turn if a tool cannot be made ready, or goes on with the reason', async () => {
		const prepared = (prepare: () => Promise<string>) => callOne({one: {...tool('one'), prepare}});
		const {error} = await prepared(async () => {
			throw new ChatError('unavailable', 'the server cannot be started');
		});
		expect(error).toMatchObject({kind: 'unavailable'});
		const {results, content, ran} = await prepared(async () => 'The server failed: no licence');
		expect(results).toEqual(['a: The server failed: no licence']);
		expect(content).toBe('Done.');
		expect(ran).toEqual([]);
	});

	it('runs an equal tool, and offers the new list in the next step', async () => {
		const again = tool('one');
		const {results, requests} = await change([again, tool('two')]);
		expect(results).toEqual(['a: one ran']);
		expect(again.ran).toEqual([{}]);
		expect(requests.map((request) => request.options.tools)).toEqual([
			[{name: 'one'}],
			[{name: 'one'}, {name: 'two'}],
		]);
	});
});

describe('limits', () => {
	it('end a turn whose model repeats itself, with a result for every call', async () => {
		const one = tool('one');
		const {streamChat, requests} = play(step([call('a', 'one', '{"x": 1}')]));
		const turn = await run({streamChat, tools: [one]});
		expect(one.ran).toHaveLength(3);
		expect(requests).toHaveLength(4);
		expect(turn.notices.map(({code}) => code)).toEqual(['tool-limit']);
		expect(rolesOf(turn).at(-1)).toBe('tool');
	});

	it('allow 25 calls, and none of a step that would make more', async () => {
		const one = tool('one');
		let number = 0;
		const streamChat: StreamChat = async function* () {
			number += 1;
			yield step([call('a', 'one', `{"x":${number}}`)]);
		};
		const turn = await run({streamChat, tools: [one]});
		expect(one.ran).toHaveLength(25);
		expect(turn.notices[0]?.message).toContain('more than 25 calls');
	});
});

describe('approval', () => {
	const ask = async (
		approvals: readonly Approval[],
		check?: (values: object) => string | undefined,
	) => {
		const asked: ApprovalRequest[] = [];
		const approve: Approve = async (request) =>
			approvals[asked.push(request) - 1] ?? {type: 'deny'};
		const one = tool('one', undefined, check);
		return {...(await callOne({one, args: '{"x":1}', approve})), asked};
	};

	it('that is denied runs nothing, and the model gets the reason', async () => {
		const {results, ran} = await ask([{type: 'deny', reason: 'too dear'}]);
		expect(ran).toEqual([]);
		expect(results).toEqual(['a: The user denied this call. The reason: too dear']);
	});

	it('is denied with a notice if nobody can be asked', async () => {
		const turn = await callOne({approve: undefined});
		expect(turn.ran).toEqual([]);
		expect(turn.notices.map(({code}) => code)).toEqual(['tool-denied']);
		expect(turn.content).toBe('Done.');
	});

	it('of edited arguments needs another question, and only the approved call runs', async () => {
		const edit: Approval = {type: 'edit', arguments: '{"x":2}'};
		const turn = await ask([edit, {type: 'run', decision: 'once'}]);
		expect(turn.asked.map((request) => request.call.arguments)).toEqual(['{"x":1}', '{"x":2}']);
		expect(turn.ran).toEqual([{x: 2}]);
		expect(turn.results[0]).toContain('The user changed the arguments to {"x":2}');
	});

	it('of edited arguments that do not fit reports it and keeps the old ones', async () => {
		const wrong: Approval = {type: 'edit', arguments: '{"y":2}'};
		const check = (values: object) => ('x' in values ? undefined : 'x is missing');
		const turn = await ask([wrong, {type: 'run', decision: 'once'}], check);
		expect(turn.asked[1]).toMatchObject({
			call: {arguments: '{"x":1}'},
			problem: 'The arguments do not fit: x is missing.',
		});
		expect(turn.ran).toEqual([{x: 1}]);
	});
});

describe('an interrupt', () => {
	const stop = new ChatError('interrupted', 'stop', {signal: 'SIGINT'});

	it('during a question runs nothing and leaves a sendable conversation', async () => {
		const interrupt = new AbortController();
		const approve: Approve = () => {
			interrupt.abort(stop);
			return new Promise(() => {});
		};
		const turn = await callOne({approve, signal: interrupt.signal});
		expect(turn.error).toBe(stop);
		expect(turn.ran).toEqual([]);
		expect(rolesOf(turn)).toEqual(['user', 'assistant', 'tool']);
	});

	it('while tools run waits for their end, and keeps earlier results', async () => {
		const interrupt = new AbortController();
		let isEnded = false;
		const slow = tool('slow', async (_, signal) => {
			interrupt.abort(stop);
			expect(signal.aborted).toBe(true);
			await new Promise<void>((resolve) => setImmediate(resolve));
			isEnded = true;
			return textOutput('stopped', true);
		});
		const {streamChat} = play(step([call('a', 'fast'), call('b', 'slow')]));
		const {signal} = interrupt;
		const turn = await run({streamChat, tools: [tool('fast'), slow], signal});
		expect(isEnded).toBe(true);
		expect(turn.error).toBe(stop);
		expect(turn.messages.filter(({role}) => role === 'tool')).toHaveLength(2);
	});

	it('of the loop over a turn ends the tools too', async () => {
		let isStopped = false;
		const slow = tool('slow', (_, signal) => {
			return new Promise((resolve) => {
				signal.addEventListener('abort', () => {
					isStopped = true;
					resolve(textOutput('', true));
				});
			});
		});
		const {streamChat} = play(step([call('a', 'fast'), call('b', 'slow')]));
		const {signal} = new AbortController();
		const tools = createFixedSource([tool('fast'), slow]);
		const turn = {conversation: prompt, options, streamChat, tools, approve: allow, signal};
		const stream = runTurn(turn);
		for await (const batch of stream) {
			if (batch.some(({type}) => type === 'tool-result')) break;
		}
		expect(isStopped).toBe(true);
	});
});

describe('an answer that must have a form', () => {
	const check = (text: string): Verdict =>
		text === '{}' ? {type: 'fits'} : {type: 'wrong', problem: 'is not valid JSON'};

	it('is requested again unless it was cut off, and only the last one is kept', async () => {
		const {streamChat} = play(step('no'), step('{}'));
		const turn = await run({streamChat, answerCheck: {check, maxRepairs: 1}});
		expect(turn.events.filter(({type}) => type === 'answer-rejected')).toHaveLength(1);
		expect(rolesOf(turn)).toEqual(['user', 'assistant']);
		expect(JSON.stringify(turn.messages)).toContain('{}');
		const cut = play(step('no', 'length'));
		await run({streamChat: cut.streamChat, answerCheck: {check, maxRepairs: 1}});
		expect(cut.requests).toHaveLength(1);
	});
});
