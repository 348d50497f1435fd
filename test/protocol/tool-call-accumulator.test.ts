import {describe, expect, it} from 'vitest';
import type {ChatEvent} from '../../src/chat/event.ts';
import type {ToolCall} from '../../src/chat/message.ts';
import type {JsonValue} from '../../src/json.ts';
import {createToolCallAccumulator} from '../../src/protocol/chat-completions/tool-call-accumulator.ts';
import {createEventBatch} from '../../src/protocol/decode/event-batch.ts';
import {expectLinearCost} from '../helpers/cost.ts';
import {checkEventGrammar} from '../helpers/event-grammar.ts';
import {stepStart} from '../helpers/events.ts';
import {callsOf} from './decode-bytes.ts';

/** All events of a step whose deltas had these `tool_calls`. Made-up ids are `n1`, `n2`. */
function accumulate(deltas: ReadonlyArray<JsonValue | undefined>): readonly ChatEvent[] {
	let made = 0;
	const batch = createEventBatch(() => stepStart);
	const accumulator = createToolCallAccumulator(batch, () => `n${++made}`);
	const events = deltas.flatMap((delta) => {
		accumulator.add(delta);
		return batch.take();
	});
	accumulator.finish(false);
	batch.add({type: 'step-end', finishReason: {kind: 'unknown', raw: null}, usage: undefined});
	events.push(...batch.take());
	checkEventGrammar([...events, {type: 'turn-end'}]);
	return events.slice(1, -1);
}

/** A call as `id name arguments`, with an exclamation mark if it may be run. */
const show = ({callId, name, arguments: text, isRunnable}: ToolCall) =>
	`${callId} ${name} ${text}${isRunnable ? ' !' : ''}`;

const call = (fields: JsonValue, name?: JsonValue, text?: JsonValue): JsonValue => ({
	...(fields as object),
	function: {
		...(name === undefined ? {} : {name}),
		...(text === undefined ? {} : {arguments: text}),
	},
});

/** Pieces like `0 #a f ={}` have ` + ` between them in one delta, and ` / ` in two. */
type Row = readonly [
	name: string,
	deltas: ReadonlyArray<JsonValue | undefined> | string,
	calls: string,
];

function parseDeltas(text: string): JsonValue[] {
	return text.split(' / ').map((delta) => delta.split(' + ').map(parsePiece));
}

function parsePiece(text: string): JsonValue {
	const parts = /^(?<index>-?\d+)? ?(?:#(?<id>\S*))? ?(?<name>[^=\s]+)? ?(?:=(?<text>.*))?$/.exec(
		text,
	);
	const {index, id, name, text: argumentText} = parts?.groups ?? {};
	const ids = {index: index && Number(index), id};
	return call(JSON.parse(JSON.stringify(ids)), name, argumentText);
}

const identities: readonly Row[] = [
	['distinct ids at an index, one unfinished', '0 #a f ={ / 0 #b f ={}', 'a f { / b f {} !'],
	['a function twice without ids', 'f ={"x":1} / f ={"x":2}', 'n1 f {"x":1} ! / n2 f {"x":2} !'],
	['a name repeated with each piece', '0 f ={"x": / 0 f =1} / 0 f =', 'n1 f {"x":1} !'],
	['a repeated name, and braces in a string', 'f ={"x":"} / f ={} / f ={"}', 'n1 f {"x":"}{}{"} !'],
	['another name at a finished index', '0 f ={} / 0 g ={"y":1}', 'n1 f {} ! / n2 g {"y":1} !'],
	['a name that grows before an id comes', '0 get_ = / 0 get_time = / 0 #a ={}', 'a get_time {} !'],
	['a late name', '0 #a ={"x": / 0 =1} / 0 f', 'a f {"x":1} !'],
	[
		'a late name by its id alone',
		[[call({index: 0, id: 'a'}, '', '{}')], [call({id: 'a'}, 'f')]],
		'a f {} !',
	],
	['no name at all', '0 #a ={}', 'a  {}'],
	['a late index', '#a f = / 0 #a ={"x" / 0 =:1}', 'a f {"x":1} !'],
	[
		'an id at two indexes, growing',
		'0 #x f = + 1 #x f = / 1 #x ={"y": / 0 #x ={} + 1 =2}',
		'x f {} ! / n1 f {"y":2} !',
	],
	['an id at two indexes, then alone', '0 #x f ={ + 1 #x g ={} / #x =}', 'x f {} ! / n1 g {} !'],
	[
		'an id at two indexes, one of them late',
		'#x f = / 0 #x ={} / 1 #x g ={}',
		'x f {} ! / n1 g {} !',
	],
	['no id and no index: another name, early', 'f ={"x": / g ={}', 'n1 f {"x": / n2 g {} !'],
	['a known id with a wrong index', '0 #a f ={ / 1 #b g ={} / 1 #a =}', 'a f {} ! / b g {} !'],
	[
		'ids that every object has',
		'0 #__proto__ f ={} + 1 #constructor g ={}',
		'__proto__ f {} ! / constructor g {} !',
	],
	[
		'the old form',
		[{function: {name: 'f', arguments: '{"x":'}}, {function: {arguments: '1}'}}],
		'n1 f {"x":1} !',
	],
	['lists of something else', ['f', 7, [null, 'f', 7, []]], ''],
	[
		'calls that say nothing',
		[{}, {function: {name: '', arguments: ''}}, [{}, call({index: 0, id: ''}, '', null)]],
		'',
	],
	['an object that was whole before it was over', '0 #a f ={} / 0 ={"x":1}', 'a f {}{"x":1}'],
];

const argumentRows: ReadonlyArray<
	readonly [name: string, given: JsonValue | undefined, shown: string]
> = [
	['white space', ' \n', '{} !'],
	['nothing', undefined, '{} !'],
	['an object', {x: {y: [1]}}, '{"x":{"y":[1]}} !'],
	['the text of a list', '[1]', '[1]'],
];

describe('tool calls', () => {
	it.each(identities)('are separate: %s', (_, deltas, calls) => {
		const pieces = typeof deltas === 'string' ? parseDeltas(deltas) : deltas;
		expect(callsOf(accumulate(pieces)).map(show).join(' / ')).toBe(calls);
	});

	it.each(argumentRows)('have arguments from %s', (_, given, shown) => {
		expect(callsOf(accumulate([[call({id: 'a'}, 'f', given)]])).map(show)).toEqual([
			`a f ${shown}`,
		]);
	});

	it('keep extra fields for the service', () => {
		const extra = {google: {thought_signature: 'c2ln'}};
		const events = accumulate([
			[{index: 0, id: 'a', extra_content: extra, function: {name: 'f', arguments: '{'}}],
			[{index: 0, extra_content: null, function: {arguments: '}'}}],
		]);
		expect(callsOf(events)).toMatchObject([{providerData: {extra_content: extra}}]);
	});

	it('without ids get some of nine letters and digits', () => {
		const batch = createEventBatch(() => stepStart);
		const accumulator = createToolCallAccumulator(batch);
		accumulator.add(Array.from({length: 100}, (_, index) => call({index}, 'f', '{}')));
		accumulator.finish(false);
		const ids = callsOf(batch.take()).map(({callId}) => callId);
		expect(new Set(ids).size).toBe(100);
		for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9]{9}$/);
	});

	it('of many pieces with braces and repeated names cost linear time', {tags: ['cost']}, () => {
		const piece = [call({}, 'f', '{}')];
		expectLinearCost((pieces) => {
			const accumulator = createToolCallAccumulator(createEventBatch(() => stepStart));
			accumulator.add([call({}, 'f', '{"x":"{}')]);
			for (let i = 0; i < pieces; i++) accumulator.add(piece);
		}, 4000);
	});
});
