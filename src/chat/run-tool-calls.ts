/**
 * Runs one step's calls: each call is checked, decided and run, and gets exactly one result.
 *
 * Invariant: results come in call order, and nothing still runs once the generator has ended, for
 * whatever reason.
 */
import {untilAborted} from '../abort.ts';
import {type JsonObject, parseJsonObject} from '../json.ts';
import {isSameTool} from './approvals.ts';
import type {Elicit, Elicitation} from './elicitation.ts';
import type {ChatEvent, ChatEventBatch, ToolDecision} from './event.ts';
import type {ToolCall} from './message.ts';
import {oneAtATime} from './one-at-a-time.ts';
import type {ApprovalRequest, Approve, Tool, ToolOutput, ToolSource} from './tool.ts';
import {limitOutput, textOutput} from './tool-output.ts';
import {reportNotices, runnableTools} from './tool-sources.ts';

export type ToolCallContext = {
	/** The runnable tools offered in the step's request. */
	readonly tools: readonly Tool[];
	/** Where they come from. */
	readonly source: ToolSource;
	readonly approve: Approve;
	readonly elicit: Elicit;
	readonly signal: AbortSignal;
};

/** Decides on all calls before the first one runs; then they run side by side. */
export async function* runToolCalls(
	calls: readonly ToolCall[],
	context: ToolCallContext,
): AsyncGenerator<ChatEventBatch, void, undefined> {
	const {signal, source} = context;
	const unanswered: Elicitation[] = [];
	const elicit = oneAtATime(watchUnattended(context.elicit, unanswered));
	const planned: Array<readonly [callId: string, PlannedCall]> = [];
	for (const [index, call] of calls.entries()) {
		const place = {number: index + 1, of: calls.length};
		const plan = await decide(call, place, {...context, elicit});
		signal.throwIfAborted();
		yield* reportNotices(source);
		if (plan.events.length > 0) yield plan.events;
		planned.push([call.callId, plan]);
	}
	yield* runAll(planned, signal, unanswered);
	yield* reportNotices(source);
}

type PlannedCall = {
	/** Reported before the call runs. */
	readonly events: readonly ChatEvent[];
	readonly run: (signal: AbortSignal) => Promise<ToolOutput>;
};

async function* runAll(
	planned: ReadonlyArray<readonly [callId: string, PlannedCall]>,
	signal: AbortSignal,
	unanswered: Elicitation[],
): AsyncGenerator<ChatEventBatch, void, undefined> {
	const leaving = new AbortController();
	const either = AbortSignal.any([signal, leaving.signal]);
	const running = planned.map(([callId, {run}]) => ({callId, output: run(either)}));
	const ended = Promise.allSettled(running.map(({output}) => output));
	try {
		for (const {callId, output} of running) {
			const result = await output;
			signal.throwIfAborted();
			yield [{type: 'tool-result', callId, ...result}, ...unanswered.splice(0).map(noticeOf)];
		}
	} finally {
		leaving.abort();
		await ended;
	}
}

/** Records questions that had no one to answer them. */
function watchUnattended(elicit: Elicit, unanswered: Elicitation[]): Elicit {
	return async (request, signal) => {
		const answer = await elicit(request, signal);
		if (answer.type === 'decline' && answer.isUnattended) unanswered.push(request);
		return answer;
	};
}

function noticeOf(request: Elicitation): ChatEvent {
	const message = `server ${request.server} asked ${describeRequest(request)} and was declined: there was no one to ask`;
	return {type: 'notice', notice: {code: 'elicitation-declined', message}};
}

/** Maximum field names in a notice. */
const namedFields = 3;

function describeRequest(request: Elicitation): string {
	if (request.type === 'url') return `to open a page of ${request.url.host}`;
	const names = request.fields.slice(0, namedFields).map(({title}) => title.slice(0, 40));
	const left = request.fields.length - names.length;
	const all = left === 0 ? names : [...names, `${left} more`];
	return all.length === 0 ? 'for a confirmation' : `for ${all.join(', ')}`;
}

async function decide(
	call: ToolCall,
	place: ApprovalRequest['place'],
	context: ToolCallContext,
): Promise<PlannedCall> {
	const tool = findTool(context.tools, call.name);
	if (tool === undefined) return fail(describeUnknown(call, context.tools));
	const checked = await checkCall(call, tool);
	if ('problem' in checked) return fail(checked.problem);
	return await ask(checked, tool, place, context);
}

function findTool(tools: readonly Tool[], name: string): Tool | undefined {
	return tools.find(({definition}) => definition.name === name);
}

type CheckedCall = {
	readonly call: ToolCall;
	/** Parsed arguments, valid for the tool. */
	readonly values: JsonObject;
};

async function checkCall(
	call: ToolCall,
	tool: Tool,
): Promise<CheckedCall | {readonly problem: string}> {
	const values = call.isRunnable ? parseJsonObject(call.arguments) : undefined;
	if (values === undefined) return {problem: 'The arguments are not a JSON object.'};
	const problem = await tool.check(values);
	return problem === undefined
		? {call, values}
		: {problem: `The arguments do not fit: ${problem}.`};
}

/**
 * Asks until the answer is not an edit and the tool has not changed meanwhile. Exactly the approved
 * call runs.
 */
async function ask(
	original: CheckedCall,
	offered: Tool,
	place: ApprovalRequest['place'],
	context: ToolCallContext,
): Promise<PlannedCall> {
	const {approve, signal} = context;
	let checked = original;
	let tool = offered;
	let problem: string | undefined;
	for (;;) {
		const {call, values} = checked;
		const request = {call, tool, lines: await tool.describe(values), place, problem};
		const approval = await untilAborted(() => approve(request, signal), signal);
		switch (approval.type) {
			case 'run': {
				const {decision} = approval;
				const failure = await tool.prepare?.(signal);
				if (failure !== undefined) {
					return fail(failure, {type: 'tool-decision', callId: call.callId, decision});
				}
				const changed = findChanged(tool, context);
				if (changed === undefined) {
					return approved(checked, original.call, tool, decision, context);
				}
				const next = await checkCall(call, changed);
				if ('problem' in next) return fail(next.problem);
				tool = changed;
				problem = 'the tool has changed since it was approved';
				break;
			}
			case 'deny':
				return denied(original.call, approval.reason);
			case 'unattended':
				return unattended(original.call, tool, approval.isChanged ?? false);
			case 'edit': {
				const edited = {...call, arguments: approval.arguments, isRunnable: true};
				const next = await checkCall(edited, tool);
				({checked, problem} =
					'problem' in next ? {checked, ...next} : {checked: next, problem: undefined});
				break;
			}
			default:
				approval satisfies never;
		}
	}
}

/** Returns the tool's replacement in its source after `prepare`, if it was replaced. */
function findChanged(tool: Tool, {source}: ToolCallContext): Tool | undefined {
	if (tool.prepare === undefined) return undefined;
	const current = findTool(runnableTools(source.tools), tool.definition.name);
	return current === undefined || isSameTool(current, tool) ? undefined : current;
}

function approved(
	{call, values}: CheckedCall,
	{callId, arguments: original}: ToolCall,
	tool: Tool,
	decision: ToolDecision,
	{source, elicit}: ToolCallContext,
): PlannedCall {
	const isEdited = call.arguments !== original;
	const edit = isEdited ? {arguments: call.arguments} : {};
	return {
		events: [{type: 'tool-decision', callId, decision, ...edit}],
		async run(signal) {
			const current = findTool(runnableTools(source.tools), tool.definition.name);
			if (current === undefined || !isSameTool(current, tool)) {
				return textOutput('This call was not run: the tool has changed since.', true);
			}
			const {parts, isError} = limitOutput(await current.run(values, signal, elicit));
			const text = `The user changed the arguments to ${call.arguments}\n`;
			return {parts: isEdited ? [{type: 'text', text}, ...parts] : parts, isError};
		},
	};
}

function denied({callId}: ToolCall, reason: string | undefined): PlannedCall {
	const why = reason === undefined ? '' : ` The reason: ${reason}`;
	const message = `The user denied this call.${why}`;
	return fail(message, {type: 'tool-decision', callId, decision: 'denied', reason});
}

function unattended({callId, name}: ToolCall, {unapproved}: Tool, isChanged: boolean): PlannedCall {
	const {message, hint} =
		unapproved ??
		(isChanged
			? {message: 'the tool has changed since it was allowed', hint: undefined}
			: {message: 'there was no one to approve it', hint: `--allow-tool ${name} allows it`});
	const notice = {message: `${name} was not run: ${message}`, hint};
	return fail(
		'This call was denied: there was no one to approve it. Answer without it.',
		{type: 'tool-decision', callId, decision: 'unattended'},
		{type: 'notice', notice: {code: 'tool-denied', ...notice}},
	);
}

function fail(text: string, ...events: readonly ChatEvent[]): PlannedCall {
	return {events, run: async () => textOutput(text, true)};
}

/** Maximum tools listed in a reminder to the model; servers may have thousands. */
const namedTools = 20;

function describeUnknown({name}: ToolCall, tools: readonly Tool[]): string {
	const known = tools.slice(0, namedTools).map(({definition}) => definition.name);
	const left = tools.length - known.length;
	const all = left === 0 ? known : [...known, `${left} more`];
	return `Unknown tool: ${name}. The tools are: ${all.join(', ')}.`;
}
