/**
 * Checks a scenario file as a whole and its rules one by one.
 */
import {isJsonObject, type JsonValue} from '../../json.ts';
import {type Check, checkArray, checkBoolean, checkInteger} from '../request/checks.ts';
import {invalidRequest} from '../service-error.ts';
import {checkConditions} from './check-conditions.ts';
import {checkFault} from './check-fault.ts';
import {checkScriptedReply} from './check-scripted-reply.ts';
import {checkFields, checkText} from './checks.ts';
import type {Scenario, ScenarioRule} from './scenario.ts';

const readRule = checkFields({
	name: checkText,
	when: checkConditions,
	times: checkInteger(1),
	reply: checkScriptedReply,
	fault: checkFault,
});

const checkRule: Check<ScenarioRule> = (value, path) => {
	const {
		name = path,
		when = {},
		times = Number.POSITIVE_INFINITY,
		reply,
		fault,
	} = readRule(value, path);
	if (reply === undefined && fault === undefined) {
		throw invalidRequest(path, `${path} needs a reply, a fault or both`);
	}
	if (reply !== undefined && (fault?.status ?? fault?.closeBeforeHead) !== undefined) {
		const key = fault?.status === undefined ? 'close_before_head' : 'status';
		throw invalidRequest(
			`${path}.reply`,
			`${path}.reply would never be sent, because of ${path}.fault.${key}`,
		);
	}
	return {name, when, times, reply, fault: fault ?? {}};
};

const readTop = checkFields({strict: checkBoolean, replies: checkArray(checkRule)});

/** @throws {ServiceError} that names the value at fault, and says what it should be. */
export function checkScenario(value: JsonValue): Scenario {
	if (!isJsonObject(value)) {
		throw invalidRequest(null, 'a scenario is an object with the key replies, a list of rules');
	}
	const {strict = false, replies = []} = readTop(value, '');
	if (replies.length === 0) throw invalidRequest('replies', 'replies must have at least one rule');
	return {isStrict: strict, rules: replies};
}
