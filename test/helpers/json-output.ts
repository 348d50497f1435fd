/** Checks the output of `--output json` and `jsonl` against the published schemas and promises. */
import {readFileSync} from 'node:fs';
import {Ajv2020, type ValidateFunction} from 'ajv/dist/2020.js';
import type {ChatEvent, NoticeCode, ToolDecision} from '../../src/chat/event.ts';
import {textOutput} from '../../src/chat/tool-output.ts';
import {ChatError, type ErrorKind} from '../../src/errors.ts';
import {checkEventGrammar} from './event-grammar.ts';

export type JsonCall = {
	readonly id: string;
	readonly name: string;
	readonly arguments: string;
	readonly runnable: boolean;
	readonly result?: {readonly output: string; readonly is_error: boolean};
};

export type JsonError = {
	readonly kind: ErrorKind;
	readonly message: string;
	readonly status: number | null;
	readonly code: string | null;
	readonly request_id: string | null;
	readonly hint: string | null;
	readonly retryable: boolean;
};

export type JsonResult = {
	readonly id: string;
	readonly model: string | null;
	readonly created: number | null;
	readonly content: string;
	readonly refusal: string | null;
	readonly reasoning: string;
	readonly tool_calls: readonly JsonCall[];
	readonly finish_reason: string | null;
	readonly usage: Readonly<Record<string, unknown>> | null;
	readonly total_usage: Readonly<Record<string, unknown>> | null;
	readonly cost: {readonly usd: number; readonly prices_of: string} | null;
	readonly complete: boolean;
	readonly error: JsonError | null;
	readonly notices: ReadonlyArray<{readonly code: NoticeCode; readonly message: string}>;
	readonly quotes: ReadonlyArray<{readonly text: string; readonly found: string}> | null;
	readonly sources: ReadonlyArray<{
		readonly url: string;
		readonly title: string | null;
		readonly start: number | null;
		readonly end: number | null;
	}>;
	readonly seams: ReadonlyArray<{
		readonly at: number;
		readonly cause: string;
		readonly model: string;
	}>;
	readonly extra: Readonly<Record<string, unknown>> | null;
	readonly steps: number;
	readonly attempts: number;
	readonly timing: {readonly first_token_ms: number | null; readonly total_ms: number};
	readonly service: string | null;
	readonly wire: 'chat' | 'responses' | 'messages' | null;
	readonly session: string | null;
};

/** The schema checks the fields; those of a type are the ones that tests read. */
export type JsonLine =
	| {readonly type: 'step-start'; id: string; model: string; created: number; attempts: number}
	| {readonly type: 'reasoning-delta' | 'text-delta' | 'refusal-delta'; readonly text: string}
	| {readonly type: 'continuation'; readonly state: 'asked' | 'joined' | 'rejected'}
	| ({readonly type: 'tool-call-start'; readonly name: string} & OfCall)
	| ({readonly type: 'tool-call-delta'; readonly text: string} & OfCall)
	| ({readonly type: 'tool-call'} & JsonCall)
	| {readonly type: 'step-end'; readonly finish_reason: string | null}
	| ({readonly type: 'tool-decision'; decision: ToolDecision; arguments?: string} & OfCall)
	| ({readonly type: 'tool-result'; output: string; is_error: boolean} & OfCall)
	| {readonly type: 'answer-unwrapped'; readonly text: string}
	| {readonly type: 'answer-rejected'; readonly problem: string; readonly final: boolean}
	| {readonly type: 'notice'; readonly code: NoticeCode; readonly message: string}
	| {readonly type: 'turn-end'}
	| {readonly type: 'error'; readonly error: JsonError}
	| ({readonly type: 'result'} & JsonResult);

type OfCall = {readonly call_id: string};

const schemas = new URL('../../src/output/schemas/', import.meta.url);
const ajv = new Ajv2020({strict: true, allowUnionTypes: true, allErrors: true});
const resultSchema = readSchema('result.schema.json');
const eventSchema = readSchema('event.schema.json');
ajv.addSchema(resultSchema);
const validateResult = ajv.compile(resultSchema);
const validateLine = ajv.compile(eventSchema);

function readSchema(name: string): object {
	return JSON.parse(readFileSync(new URL(name, schemas), 'utf8'));
}

/** @throws {Error} if the text is not a single result that matches the schema. */
export function parseResult(stdout: string): JsonResult {
	const result: unknown = parseLine(stdout);
	validate(validateResult, result);
	return result as JsonResult;
}

/** @throws {Error} if a line breaks the schema or the grammar, or the result differs from the sum. */
export function parseLines(stdout: string): readonly JsonLine[] {
	const lines = stdout.split(/(?<=\n)/).map((text) => {
		const line: unknown = parseLine(text);
		validate(validateLine, line);
		return line as JsonLine;
	});
	checkEventGrammar(lines.flatMap(toEvent));
	const last = lines.at(-1);
	if (last?.type !== 'result') throw new Error('the last line is not a result');
	checkSum(lines, last);
	return lines;
}

function parseLine(text: string): unknown {
	if (!/^[^\n]+\n$/.test(text)) throw new Error(`not one line: ${JSON.stringify(text)}`);
	return JSON.parse(text);
}

function validate(check: ValidateFunction, value: unknown): void {
	if (check(value)) return;
	const problems = ajv.errorsText(check.errors, {separator: '\n'});
	throw new Error(`${JSON.stringify(value)} breaks its schema:\n${problems}`);
}

function checkSum(lines: readonly JsonLine[], result: JsonResult): void {
	const rejected = lines.findLastIndex((line) => line.type === 'answer-rejected' && !line.final);
	// Steps are joined with a newline unless one ends with it.
	const sumOf = (type: JsonLine['type'], counted = lines) =>
		counted.reduce((sum, line) => {
			if (line.type === type && 'text' in line) return sum + line.text;
			return line.type === 'step-start' ? sum.replace(/[^\n]$/, '$&\n') : sum;
		}, '');
	const unwrapped = lines.find((line) => line.type === 'answer-unwrapped')?.text;
	if ((unwrapped ?? sumOf('text-delta', lines.slice(rejected + 1))) !== result.content)
		throw new Error('the deltas differ from the content');
	if (sumOf('reasoning-delta') !== result.reasoning) {
		throw new Error('the deltas differ from the reasoning');
	}
	const refusal = lines.slice(lines.findLastIndex(({type}) => type === 'step-start'));
	if (sumOf('refusal-delta', refusal) !== (result.refusal ?? '')) {
		throw new Error('the deltas differ from the refusal');
	}
	const steps = lines.filter(({type}) => type === 'step-start').length;
	if (steps !== result.steps) throw new Error('the result has another number of steps');
	const isEnded = lines.some((line) =>
		line.type === 'answer-rejected' ? line.final : line.type === 'turn-end',
	);
	if (isEnded !== result.complete) throw new Error('complete contradicts the events');
	const notices = lines.filter(({type}) => type === 'notice').length;
	if (notices !== result.notices.length) throw new Error('the result has other notices');
}

function toEvent(line: JsonLine): readonly ChatEvent[] {
	switch (line.type) {
		case 'step-start':
			return [{...line, requestedModel: ''}];
		case 'tool-call-start':
		case 'tool-call-delta':
		case 'tool-decision':
			return [{...line, callId: line.call_id}];
		case 'tool-call': {
			const {id, name, arguments: text, runnable} = line;
			const call = {callId: id, name, arguments: text, isRunnable: runnable};
			return [{type: 'tool-call', call}];
		}
		case 'tool-result':
			return [{type: line.type, callId: line.call_id, ...textOutput(line.output, line.is_error)}];
		case 'step-end': {
			const finishReason = {kind: 'unknown', raw: line.finish_reason} as const;
			return [{type: 'step-end', finishReason, usage: undefined}];
		}
		case 'continuation': {
			const noReply = {id: '', created: undefined, model: '', text: '', usage: undefined};
			const counts = {cause: 'length', count: 1, limit: 1, attempts: 1} as const;
			return [{type: 'continuation', continuation: {...line, ...noReply, ...counts}}];
		}
		case 'notice':
			return [{type: 'notice', notice: line}];
		case 'error':
			return [{type: 'error', error: new ChatError(line.error.kind, line.error.message)}];
		case 'answer-rejected':
			return [{...line, isFinal: line.final}];
		case 'result':
			return [];
		default:
			return [line];
	}
}
