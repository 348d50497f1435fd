/** Codex: a file for each conversation, called a rollout; what is undone stays in it. */
import * as v from 'valibot';
import {isJsonObject, type JsonObject, parseJsonObject} from '../../json.ts';
import {anything, dateTime, fieldsOf, listOf, objectsOf, plainText, text} from './fields.ts';
import {elements, sayPrompt} from './injected.ts';
import {type LogRecord, readLog, type Said} from './log-format.ts';

const payloadFields = v.object({
	...{type: text, id: text, timestamp: dateTime, cwd: text, model: text, role: text},
	...{content: listOf({text, image_url: text}), summary: anything, message: text},
	...{name: text, arguments: text, input: anything, action: anything, call_id: text},
	...{output: anything, num_turns: v.fallback(v.number(), 0), source: anything},
});
type Payload = v.InferOutput<typeof payloadFields>;

/** Since September 2025 there is an envelope. Before, items stood alone; earlier still, in one object. */
export const codexFormat = readLog({
	name: 'codex',
	detect: ({type, payload, id, timestamp, instructions, git, session, items}) =>
		(isJsonObject(payload) && typeof type === 'string') ||
		(typeof id === 'string' &&
			typeof timestamp === 'string' &&
			(instructions !== undefined || git !== undefined)) ||
		(isJsonObject(session) && Array.isArray(items)),
	split({session, items}) {
		return isJsonObject(session) ? [session, ...objectsOf(items)] : undefined;
	},
	read,
});

const envelope = v.object({type: text, timestamp: dateTime, payload: anything});

function read(value: JsonObject): LogRecord {
	const {type, timestamp: at, payload} = v.parse(envelope, value);
	const fields = v.parse(payloadFields, isJsonObject(payload) ? payload : value);
	const {id, timestamp, cwd, source, model} = fields;
	switch (isJsonObject(payload) ? type : 'alone') {
		case 'session_meta':
			return {about: {id, created: timestamp, cwd, isSubAgent: isSubAgent(source)}};
		case 'turn_context':
			return {model};
		case 'compacted':
			return {at, said: [{type: 'summary', text: fields.message}]};
		case 'response_item':
			return {at, said: sayItem(fields)};
		case 'event_msg': {
			const {num_turns: prompts} = fields;
			return fields.type === 'thread_rolled_back' ? {goBack: {prompts}} : {};
		}
		case 'alone':
			return type === '' ? {about: {id, created: at}} : {said: sayItem(fields)};
		default:
			return {};
	}
}

function isSubAgent(source: unknown): boolean {
	return isJsonObject(source) && source['subagent'] !== undefined;
}

const injected = [
	/^\s*# AGENTS\.md[\s\S]*?<\/INSTRUCTIONS>/,
	// Editors and the desktop program write the prompt below what they add.
	/^\s*# (?:Context from my IDE setup|Files mentioned by the user):[\s\S]*?## My request for Codex:/,
	elements(
		...['environment_context', 'INSTRUCTIONS', 'user_instructions', 'recommended_plugins'],
		...['turn_aborted', 'skill', 'subagent_notification', 'goal_context'],
		'codex_internal_context',
	),
];

function sayItem(item: Payload): readonly Said[] {
	const {type, role, content, call_id: id, name, action} = item;
	switch (type) {
		case '':
		case 'message': {
			if (role === 'assistant') return content.map(({text: one}) => ({type: 'text', text: one}));
			if (role !== 'user') return [{type: 'left-out', what: 'injected text'}];
			const images = content.map(({image_url}) => image_url).filter(Boolean);
			const typed = content.flatMap(({text: one}) => sayPrompt(one, injected));
			return images.length === 0 ? typed : [...typed, {type: 'prompt', text: '', images}];
		}
		case 'reasoning':
			return [{type: 'reasoning', text: plainText(item.summary)}];
		case 'function_call':
		case 'custom_tool_call': {
			return [{type: 'call', id, name, input: item.input ?? item.arguments}];
		}
		case 'local_shell_call':
			return [{type: 'call', id, name: 'shell', input: action}];
		case 'web_search_call':
			return [{type: 'call', id: '', name: 'web_search', input: action, result: nothing}];
		case 'function_call_output':
		case 'custom_tool_call_output':
		case 'local_shell_call_output':
			return [{type: 'result', id, ...readOutput(item.output)}];
		default:
			return [];
	}
}

const nothing = {text: '', isError: false};

const outputFields = v.object({
	output: anything,
	metadata: fieldsOf({exit_code: v.fallback(v.number(), 0)}),
	success: v.fallback(v.boolean(), true),
});

/** An output is a text, a list of texts, or an object, which may be written as a text. */
function readOutput(output: unknown): {readonly text: string; readonly isError: boolean} {
	const given = typeof output === 'string' ? parseJsonObject(output) : output;
	if (!isJsonObject(given)) return {text: plainText(output), isError: false};
	const {output: inner, metadata, success} = v.parse(outputFields, given);
	const shown = plainText(inner ?? output);
	return {text: shown, isError: !success || metadata.exit_code !== 0};
}
