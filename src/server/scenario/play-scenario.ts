/**
 * Plays a scenario: finds each request's rule, and counts requests and uses, in the order in which
 * requests have fully arrived.
 */
import {makeReply} from '../answer/make-reply.ts';
import {countPromptTokens, cutAtStop, makeCallId, type Reply} from '../reply/reply.ts';
import type {ReplyPlan} from '../reply/send-reply.ts';
import {attachmentsOf, type ChatRequest} from '../request/request.ts';
import {ServiceError} from '../service-error.ts';
import type {ScriptedReply} from './reply-schema.ts';
import type {Conditions, Counts, Scenario, ScenarioRule, TextMatch} from './scenario-schema.ts';

export interface ReplyPlanner {
	/**
	 * @throws {ServiceError} when a strict scenario has no rule for the request, or it exceeds the
	 * window
	 */
	plan(request: ChatRequest): ReplyPlan;
	/** The context window of all models, in tokens. */
	readonly window: number | undefined;
	/** Resets all counts. */
	restart(): void;
}

type RunningRule = {
	readonly rule: ScenarioRule;
	/** Requests matching its conditions, whichever rule answered them. */
	met: number;
	used: number;
};

export function playScenario({rules, isStrict, window}: Scenario): ReplyPlanner {
	const running = rules.map((rule): RunningRule => ({rule, met: 0, used: 0}));
	return {
		window,
		plan(request) {
			checkWindow(request, window);
			const rule = chooseRule(running, request);
			if (rule === undefined) {
				if (isStrict) throw unmatched(request);
				return {reply: makeReply(request), fault: {}};
			}
			const {name, reply, fault} = rule;
			const made = reply === undefined ? makeReply(request) : makeScripted(reply, request);
			return {rule: name, reply: made, fault};
		},
		restart() {
			for (const one of running) Object.assign(one, {met: 0, used: 0});
		},
	};
}

function checkWindow(request: ChatRequest, window = Number.POSITIVE_INFINITY): void {
	const count = countPromptTokens(request);
	if (count <= window) return;
	const message = `this model's maximum context length is ${window} tokens; the messages have ${count}`;
	throw new ServiceError(400, message, {param: 'messages', code: 'context_length_exceeded'});
}

/** Continues after the winning rule, so that later rules' counts stay right. */
function chooseRule(
	running: readonly RunningRule[],
	request: ChatRequest,
): ScenarioRule | undefined {
	let chosen: ScenarioRule | undefined;
	for (const one of running) {
		const {when, times} = one.rule;
		const isNeeded = chosen === undefined || when.nth !== undefined;
		if (!isNeeded || !meetsConditions(request, when)) continue;
		one.met += 1;
		const isTurn = when.nth === undefined || isCounted(one.met, when.nth);
		if (chosen !== undefined || !isTurn || one.used >= times) continue;
		one.used += 1;
		chosen = one.rule;
	}
	return chosen;
}

function makeScripted(scripted: ScriptedReply, {stop}: ChatRequest): Reply {
	const content = cutAtStop(scripted.content, stop);
	return {
		...scripted,
		content,
		toolCalls: scripted.toolCalls.map(({id, ...call}) => ({...call, id: id ?? makeCallId()})),
		deltas: content === scripted.content ? scripted.deltas : undefined,
	};
}

function unmatched(request: ChatRequest): ServiceError {
	const prompt = JSON.stringify(readLastPrompt(request).slice(0, 100));
	const facts = `model ${request.model}, turn ${countTurns(request)}, prompt ${prompt}`;
	const message = `no rule of the scenario matches this request: ${facts}`;
	return new ServiceError(400, message, {code: 'no_matching_rule'});
}

/** All conditions but `nth`, which takes a memory. */
function meetsConditions(request: ChatRequest, when: Conditions): boolean {
	const {prompt, model, turn, stream, has = []} = when;
	return (
		(model === undefined || model === request.model || model === request.tier) &&
		(stream === undefined || stream === request.isStreaming) &&
		(turn === undefined || isCounted(countTurns(request), turn)) &&
		has.every((feature) => features[feature](request)) &&
		(prompt === undefined || isMatch(readLastPrompt(request), prompt))
	);
}

function isCounted(count: number, counts: Counts): boolean {
	return counts.some(({from, to}) => count >= from && count <= to);
}

function countTurns({messages}: ChatRequest): number {
	return messages.filter(({role}) => role === 'user').length;
}

/** The last user message's text, empty without one. */
function readLastPrompt({messages}: ChatRequest): string {
	return messages.findLast(({role}) => role === 'user')?.text ?? '';
}

const features: Readonly<
	Record<NonNullable<Conditions['has']>[number], (request: ChatRequest) => boolean>
> = {
	image: ({messages}) => messages.flatMap(attachmentsOf).some(({kind}) => kind === 'image'),
	tools: ({tools}) => tools.length > 0,
	tool_result: ({messages}) => messages.at(-1)?.role === 'tool',
	system: ({messages}) => messages.some(({role}) => role === 'system'),
	json: ({responseFormat}) => responseFormat !== 'text',
};

function isMatch(text: string, {is, contains, matches}: TextMatch): boolean {
	return (
		(is === undefined || text.trim() === is) &&
		(contains === undefined || text.includes(contains)) &&
		(matches === undefined || matches.test(text))
	);
}
