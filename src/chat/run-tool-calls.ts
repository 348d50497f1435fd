/**
 * The calls of one step, answered: each is checked, decided on and run, and gets exactly one result.
 *
 * Invariant: results come in the order of the calls, and nothing runs any more when the generator
 * has ended, whatever ended it.
 */

import {untilAborted} from '../abort.ts';
import type {JsonObject} from '../json.ts';
import type {ChatEvent, ChatEventBatch} from './event.ts';
import type {ToolCall} from './message.ts';
import {parseArguments} from './parse-arguments.ts';
import type {Approve, RunnableTool, ToolDecision, ToolOutput} from './tool.ts';

export type CallAnswerer = {
	readonly tools: readonly RunnableTool[];
	readonly approve: Approve;
	readonly signal: AbortSignal;
};

/** Decides on all calls before the first one runs; then they run side by side. */
export async function* answerCalls(
	calls: readonly ToolCall[],
	answerer: CallAnswerer,
): AsyncGenerator<ChatEventBatch, void, undefined> {
	const {signal} = answerer;
	const decided: Array<readonly [callId: string, Answer]> = [];
	for (const call of calls) {
		const answer = await decide(call, answerer);
		signal.throwIfAborted();
		if (answer.events.length > 0) yield answer.events;
		decided.push([call.callId, answer]);
	}
	yield* runAll(decided, signal);
}

type Answer = {
	/** What is told before the call runs. */
	readonly events: readonly ChatEvent[];
	readonly run: (signal: AbortSignal) => Promise<ToolOutput>;
};

async function* runAll(
	answers: ReadonlyArray<readonly [callId: string, Answer]>,
	signal: AbortSignal,
): AsyncGenerator<ChatEventBatch, void, undefined> {
	const leaving = new AbortController();
	const either = AbortSignal.any([signal, leaving.signal]);
	const running = answers.map(([callId, {run}]) => ({callId, output: run(either)}));
	const ended = Promise.allSettled(running.map(({output}) => output));
	try {
		for (const {callId, output} of running) {
			const result = await output;
			signal.throwIfAborted();
			yield [{type: 'tool-result', callId, ...result}];
		}
	} finally {
		leaving.abort();
		await ended;
	}
}

async function decide(call: ToolCall, answerer: CallAnswerer): Promise<Answer> {
	const tool = answerer.tools.find(({definition}) => definition.name === call.name);
	if (tool === undefined) return fail(describeUnknown(call, answerer.tools));
	const checked = check(call, tool);
	return 'problem' in checked ? fail(checked.problem) : await ask(call, tool, answerer);
}

type Checked = {readonly values: JsonObject} | {readonly problem: string};

function check(call: ToolCall, tool: RunnableTool): Checked {
	const values = call.isRunnable ? parseArguments(call.arguments) : undefined;
	if (values === undefined) return {problem: 'The arguments are not a JSON object.'};
	const problem = tool.check(values);
	return problem === undefined ? {values} : {problem: `The arguments do not fit: ${problem}.`};
}

/** Asks until the answer is no edit; what is approved is what runs. */
async function ask(
	original: ToolCall,
	tool: RunnableTool,
	{approve, signal}: CallAnswerer,
): Promise<Answer> {
	let call = original;
	let problem: string | undefined;
	for (;;) {
		const request = {call, tool: tool.definition, problem};
		const approval = await untilAborted(() => approve(request, signal), signal);
		switch (approval.type) {
			case 'run':
				return approved(call, original, tool, approval.decision);
			case 'deny':
				return denied(original, 'denied', approval.reason);
			case 'unasked':
				return denied(original, 'unasked');
			case 'edit': {
				const edited = {...call, arguments: approval.arguments, isRunnable: true};
				const checked = check(edited, tool);
				problem = 'problem' in checked ? checked.problem : undefined;
				if (problem === undefined) call = edited;
				break;
			}
			default:
				approval satisfies never;
		}
	}
}

function approved(
	call: ToolCall,
	{callId, arguments: original}: ToolCall,
	tool: RunnableTool,
	decision: ToolDecision,
): Answer {
	const isEdited = call.arguments !== original;
	const edit = isEdited ? {arguments: call.arguments} : {};
	return {
		events: [{type: 'tool-decision', callId, decision, ...edit}],
		async run(signal) {
			const {output, isError} = await tool.run(parseArguments(call.arguments) ?? {}, signal);
			const told = isEdited ? `The user changed the arguments to ${call.arguments}\n\n` : '';
			return {output: `${told}${output}`, isError};
		},
	};
}

function denied(
	{callId, name}: ToolCall,
	decision: 'denied' | 'unasked',
	reason?: string | undefined,
): Answer {
	const why = reason === undefined ? {} : {reason};
	const event: ChatEvent = {type: 'tool-decision', callId, decision, ...why};
	if (decision === 'unasked') {
		const message = `${name} was not run: nobody was there to approve it; --allow-tool ${name} allows it`;
		const notice: ChatEvent = {type: 'notice', notice: {code: 'tool-denied', message}};
		const told = 'This call was denied: nobody was there to approve it. Answer without it.';
		return {...fail(told), events: [event, notice]};
	}
	const told = reason === undefined ? '' : ` The reason: ${reason}`;
	return {...fail(`The user denied this call.${told}`), events: [event]};
}

function fail(output: string): Answer {
	return {events: [], run: async () => ({output, isError: true})};
}

function describeUnknown({name}: ToolCall, tools: readonly RunnableTool[]): string {
	const known = tools.map(({definition}) => definition.name).join(', ');
	return `There is no tool ${name}. There are: ${known}.`;
}
