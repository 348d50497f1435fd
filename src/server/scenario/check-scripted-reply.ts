/** Checks the reply of a rule: texts, or the deltas of a stream as they are to be sent. */
import {isJsonObject, type JsonObject} from '../../json.ts';
import {
	type Check,
	checkArray,
	checkInteger,
	checkObject,
	checkString,
	readField,
	wrong,
} from '../request/checks.ts';
import {invalidRequest} from '../service-error.ts';
import {checkFields, checkText} from './checks.ts';
import {joinDeltas} from './join-deltas.ts';
import type {ScriptedCall, ScriptedReply} from './scenario.ts';

const checkArguments: Check<string> = (value, path) => {
	if (typeof value === 'string') return value;
	if (isJsonObject(value)) return JSON.stringify(value);
	throw wrong(value, path, 'an object, or a text that is sent as it is');
};

const readCall = checkFields({id: checkText, name: checkText, arguments: checkArguments});

const checkCall: Check<ScriptedCall> = (value, path) => {
	const call = readCall(value, path);
	if (call.name === undefined) throw invalidRequest(path, `${path}.name is missing`);
	return {id: call.id, name: call.name, arguments: call.arguments ?? '{}'};
};

const checkDelta: Check<JsonObject> = (value, path) => {
	if (typeof value === 'string') return {content: value};
	if (isJsonObject(value)) return value;
	throw wrong(value, path, 'a text or a delta, which is an object');
};

/** Counts must be numbers; other fields are sent as they are. */
const checkUsage: Check<JsonObject> = (value, path) => {
	const usage = checkObject(value, path);
	for (const name of ['prompt_tokens', 'completion_tokens', 'total_tokens']) {
		readField(usage, name, path, checkInteger(0));
	}
	return usage;
};

const readReply = checkFields({
	text: checkString,
	reasoning: checkString,
	tool_calls: checkArray(checkCall),
	chunks: checkArray(checkDelta),
	usage: checkUsage,
	finish_reason: checkText,
});

/** A text alone is the answer. */
export const checkScriptedReply: Check<ScriptedReply> = (value, path) => {
	if (typeof value !== 'string' && !isJsonObject(value)) {
		throw wrong(value, path, 'a text, or an object with text, reasoning, tool_calls or chunks');
	}
	const read = readReply(typeof value === 'string' ? {text: value} : value, path);
	const {text = '', reasoning = '', tool_calls: toolCalls = [], chunks, usage} = read;
	const common = {usage, finishReason: read.finish_reason};
	if (chunks === undefined) return {text, reasoning, toolCalls, deltas: undefined, ...common};
	const doubled = (['text', 'reasoning', 'tool_calls'] as const).find(
		(key) => read[key] !== undefined,
	);
	if (doubled !== undefined) {
		const at = `${path}.${doubled}`;
		throw invalidRequest(at, `${at} does not go with ${path}.chunks, which hold the whole reply`);
	}
	return {...joinDeltas(chunks), deltas: chunks, ...common};
};
