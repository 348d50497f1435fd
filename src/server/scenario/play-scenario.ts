/**
 * Plays a scenario: finds the rule for each request, and keeps count of what came and of what was
 * used. Counts in the order in which requests have arrived as a whole.
 */
import {makeCallId, makeReply} from '../reply/make-reply.ts';
import {cutAtStop, type Reply} from '../reply/reply.ts';
import type {ReplyPlanner} from '../reply/reply-plan.ts';
import type {ChatRequest} from '../request/request.ts';
import {ServiceError} from '../service-error.ts';
import {
	countTurns,
	createMeetsConditions,
	isCounted,
	type MeetsConditions,
	readLastPrompt,
} from './meets-conditions.ts';
import type {ScriptedReply} from './reply-schema.ts';
import type {Scenario, ScenarioRule} from './scenario-schema.ts';

type RunningRule = {
	readonly rule: ScenarioRule;
	readonly isMet: MeetsConditions;
	/** Requests that met its conditions, whichever rule they went to. */
	met: number;
	used: number;
};

export function playScenario({rules, isStrict}: Scenario): ReplyPlanner {
	const running = rules.map((rule): RunningRule => {
		return {rule, isMet: createMeetsConditions(rule.when, rule.name), met: 0, used: 0};
	});
	return {
		plan(request) {
			const rule = chooseRule(running, request);
			if (rule === undefined) {
				if (isStrict) throw unmatched(request);
				return {reply: makeReply(request), fault: {}};
			}
			return {rule: rule.name, reply: makeReplyOf(rule, request), fault: rule.fault};
		},
		restart() {
			for (const one of running) Object.assign(one, {met: 0, used: 0});
		},
	};
}

/** Goes on after the rule that wins, so that the counts of later rules stay right. */
function chooseRule(
	running: readonly RunningRule[],
	request: ChatRequest,
): ScenarioRule | undefined {
	let chosen: ScenarioRule | undefined;
	for (const one of running) {
		const {when, times} = one.rule;
		const isNeeded = chosen === undefined || when.nth !== undefined;
		if (!isNeeded || !one.isMet(request)) continue;
		one.met += 1;
		const isTurn = when.nth === undefined || isCounted(one.met, when.nth);
		if (chosen !== undefined || !isTurn || one.used >= times) continue;
		one.used += 1;
		chosen = one.rule;
	}
	return chosen;
}

const noReply: Reply = {reasoning: '', content: '', toolCalls: []};

function makeReplyOf({reply, fault}: ScenarioRule, request: ChatRequest): Reply {
	if (reply !== undefined) return makeScripted(reply, request);
	const isSent = fault.status === undefined && fault.closeBeforeHead === undefined;
	return isSent ? makeReply(request) : noReply;
}

function makeScripted(scripted: ScriptedReply, {stop}: ChatRequest): Reply {
	const content = cutAtStop(scripted.text, stop);
	return {
		content,
		reasoning: scripted.reasoning,
		toolCalls: scripted.toolCalls.map(({id, ...call}) => ({...call, id: id ?? makeCallId()})),
		finishReason: scripted.finishReason,
		deltas: content === scripted.text ? scripted.deltas : undefined,
		usage: scripted.usage,
	};
}

function unmatched(request: ChatRequest): ServiceError {
	const facts = [
		`model ${request.model}`,
		`turn ${countTurns(request)}`,
		`prompt ${JSON.stringify(readLastPrompt(request).slice(0, 100))}`,
	];
	const message = `no rule of the scenario matches this request: ${facts.join(', ')}`;
	return new ServiceError(400, message, {code: 'no_matching_rule'});
}
