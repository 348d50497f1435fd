import {describe, expect, it} from 'vitest';
import type {ChatEvent} from '../../src/chat/event.ts';
import type {ToolCall} from '../../src/chat/message.ts';
import type {JsonValue} from '../../src/json.ts';
import {createToolCallAccumulator} from '../../src/protocol/chat-completions/tool-call-accumulator.ts';
import {createEventBatch} from '../../src/protocol/decode/event-batch.ts';
import {expectLinearCost} from '../helpers/cost.ts';
import {checkEventGrammar} from '../helpers/event-grammar.ts';

/** All events of a step whose deltas had these `tool_calls`. Made-up ids are `new-1`, `new-2`. */
function accumulate(
	deltas: ReadonlyArray<JsonValue | undefined>,
	isCut = false,
): readonly ChatEvent[] {
	let made = 0;
	const batch = createEventBatch(() => stepStart);
	const accumulator = createToolCallAccumulator(batch, () => `new-${++made}`);
	const events = deltas.flatMap((delta) => {
		accumulator.add(delta);
		return batch.take();
	});
	accumulator.finish(isCut);
	batch.add({type: 'step-end', finishReason: {kind: 'unknown', raw: null}, usage: undefined});
	events.push(...batch.take());
	checkEventGrammar([...events, {type: 'turn-end'}]);
	return events.slice(1, -1);
}

const stepStart: ChatEvent = {
	type: 'step-start',
	model: '',
	requestedModel: '',
	id: '',
	created: undefined,
	attempts: 1,
};

const callsOf = (events: readonly ChatEvent[]): readonly ToolCall[] =>
	events.flatMap((event) => (event.type === 'tool-call' ? [event.call] : []));

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

type Row = readonly [
	name: string,
	deltas: ReadonlyArray<JsonValue | undefined>,
	calls: readonly string[],
];

const identities: readonly Row[] = [
	[
		'that grows by index',
		[
			[call({index: 0, id: 'a'}, 'f', '')],
			[call({index: 0}, undefined, '{"x":')],
			[call({index: 0}, undefined, '1}')],
		],
		['a f {"x":1} !'],
	],
	[
		'two that grow side by side',
		[
			[call({index: 0, id: 'a'}, 'f', ''), call({index: 1, id: 'b'}, 'g', '')],
			[call({index: 1}, undefined, '{"y":')],
			[call({index: 0}, undefined, '{"x":1}'), call({index: 1}, undefined, '2}')],
		],
		['a f {"x":1} !', 'b g {"y":2} !'],
	],
	['that comes whole', [[call({index: 0, id: 'a'}, 'f', '{"x":1}')]], ['a f {"x":1} !']],
	['without index and type', [[call({id: 'a'}, 'f', '{}')]], ['a f {} !']],
	[
		'without index that grows by its id',
		[
			[call({id: 'a'}, 'f', '{')],
			[call({id: 'b'}, 'g', '{')],
			[call({id: 'a'}, undefined, '}')],
			[call({id: 'b'}, undefined, '}')],
		],
		['a f {} !', 'b g {} !'],
	],
	[
		'distinct ids at the same index',
		[[call({index: 0, id: 'a'}, 'f', '{"x":1}')], [call({index: 0, id: 'b'}, 'f', '{"x":2}')]],
		['a f {"x":1} !', 'b f {"x":2} !'],
	],
	[
		'distinct ids at the same index, the second growing',
		[
			[call({index: 0, id: 'a'}, 'f', '{}')],
			[call({index: 0, id: 'b'}, 'g', '')],
			[call({index: 0}, undefined, '{"y":1}')],
		],
		['a f {} !', 'b g {"y":1} !'],
	],
	[
		'no index: later pieces belong to the last one',
		[
			[call({id: 'a'}, 'f', '')],
			[call({}, undefined, '{"x"')],
			[call({id: 'b'}, 'g', '')],
			[call({}, undefined, '{}')],
		],
		['a f {"x"', 'b g {} !'],
	],
	[
		'no id and no index: another name is another call',
		[[call({}, 'f', '{"x":')], [call({}, undefined, '1}')], [call({}, 'g', '{}')]],
		['new-1 f {"x":1} !', 'new-2 g {} !'],
	],
	[
		'the same function twice without ids, one after the other',
		[[call({}, 'f', '{"x":1}')], [call({}, 'f', '{"x":2}')]],
		['new-1 f {"x":1} !', 'new-2 f {"x":2} !'],
	],
	[
		'the same function twice without ids in one delta',
		[[call({}, 'f', '{"x":1}'), call({}, 'f', '{"x":2}')]],
		['new-1 f {"x":1} !', 'new-2 f {"x":2} !'],
	],
	[
		'the same function twice at the same index',
		[[call({index: 0}, 'f', '{"x":1}')], [call({index: 0}, 'f', '{"x":2}')]],
		['new-1 f {"x":1} !', 'new-2 f {"x":2} !'],
	],
	[
		'a name repeated with each piece is still one call',
		[[call({index: 0}, 'f', '{"x":')], [call({index: 0}, 'f', '1}')], [call({index: 0}, 'f', '')]],
		['new-1 f {"x":1} !'],
	],
	[
		'a repeated name and braces in a string: the same call',
		[[call({}, 'f', '{"x":"}')], [call({}, 'f', '{}')], [call({}, 'f', '{"}')]],
		['new-1 f {"x":"}{}{"} !'],
	],
	[
		'another name at the index of a finished one',
		[[call({index: 0}, 'f', '{}')], [call({index: 0}, 'g', '{"y":1}')]],
		['new-1 f {} !', 'new-2 g {"y":1} !'],
	],
	[
		'an empty id later on',
		[[call({index: 0, id: 'a'}, 'f', '')], [call({index: 0, id: ''}, '', '{}')]],
		['a f {} !'],
	],
	[
		'nulls later on',
		[[call({index: 0, id: 'a'}, 'f', null)], [call({index: 0, id: null, type: null}, null, '{}')]],
		['a f {} !'],
	],
	[
		'id and name repeated with each piece',
		[[call({index: 0, id: 'a'}, 'f', '{"x":')], [call({index: 0, id: 'a'}, 'f', '1}')]],
		['a f {"x":1} !'],
	],
	[
		'a name that grows before there is an id',
		[
			[call({index: 0}, 'get_', '')],
			[call({index: 0}, 'get_time', '')],
			[call({index: 0, id: 'a'}, undefined, '{}')],
		],
		['a get_time {} !'],
	],
	[
		'a late id',
		[[call({index: 0}, 'f', '{"x":')], [call({index: 0, id: 'a'}, undefined, '1}')]],
		['a f {"x":1} !'],
	],
	[
		'a late name',
		[
			[call({index: 0, id: 'a'}, undefined, '{"x":')],
			[call({index: 0}, undefined, '1}')],
			[call({index: 0}, 'f')],
		],
		['a f {"x":1} !'],
	],
	[
		'a late name by its id alone',
		[[call({index: 0, id: 'a'}, '', '{}')], [call({id: 'a'}, 'f')]],
		['a f {} !'],
	],
	[
		'a late index',
		[
			[call({id: 'a'}, 'f', '')],
			[call({index: 0, id: 'a'}, undefined, '{"x"')],
			[call({index: 0}, undefined, ':1}')],
		],
		['a f {"x":1} !'],
	],
	['an index that starts at one', [[call({index: 1, id: 'a'}, 'f', '{}')]], ['a f {} !']],
	[
		'absurd indexes',
		[
			[call({index: 2 ** 53, id: 'a'}, 'f', '{')],
			[call({index: -1, id: 'b'}, 'g', '{}')],
			[call({index: 2 ** 53}, undefined, '}')],
		],
		['a f {} !', 'b g {} !'],
	],
	['an index that is not a number', [[call({index: 'x', id: 'a'}, 'f', '{}')]], ['a f {} !']],
	[
		'the same id at two indexes: the second gets one of its own',
		[[call({index: 0, id: 'x'}, 'f', '{"x":1}'), call({index: 1, id: 'x'}, 'g', '{"y":2}')]],
		['x f {"x":1} !', 'new-1 g {"y":2} !'],
	],
	[
		'the same id at two indexes, growing',
		[
			[call({index: 0, id: 'x'}, 'f', ''), call({index: 1, id: 'x'}, 'f', '')],
			[call({index: 1, id: 'x'}, undefined, '{"y":')],
			[call({index: 0, id: 'x'}, undefined, '{}'), call({index: 1}, undefined, '2}')],
		],
		['x f {} !', 'new-1 f {"y":2} !'],
	],
	[
		'the same id at two indexes, then the id alone',
		[
			[call({index: 0, id: 'x'}, 'f', '{'), call({index: 1, id: 'x'}, 'g', '{}')],
			[call({id: 'x'}, undefined, '}')],
		],
		['x f {} !', 'new-1 g {} !'],
	],
	[
		'the same id at two indexes, the first of which came late',
		[
			[call({id: 'x'}, 'f', '')],
			[call({index: 0, id: 'x'}, undefined, '{}')],
			[call({index: 1, id: 'x'}, 'g', '{}')],
		],
		['x f {} !', 'new-1 g {} !'],
	],
	[
		'no id and no index: another name is another call, finished or not',
		[[call({}, 'f', '{"x":')], [call({}, 'g', '{}')]],
		['new-1 f {"x":', 'new-2 g {} !'],
	],
	[
		'a new id at the index of a repeated one',
		[
			[call({index: 0, id: 'x'}, 'f', '{}'), call({index: 1, id: 'x'}, 'f', '{}')],
			[call({index: 1, id: 'y'}, 'g', '{}')],
		],
		['x f {} !', 'new-1 f {} !', 'y g {} !'],
	],
	[
		'a known id with a wrong index and no name stays with its id',
		[
			[call({index: 0, id: 'a'}, 'f', '{')],
			[call({index: 1, id: 'b'}, 'g', '{}')],
			[call({index: 1, id: 'a'}, undefined, '}')],
		],
		['a f {} !', 'b g {} !'],
	],
	[
		'no id at all',
		[[call({index: 0}, 'f', '{}'), call({index: 1, id: ''}, 'g', '{}')]],
		['new-1 f {} !', 'new-2 g {} !'],
	],
	[
		'ids that every object has',
		[
			[
				call({index: 0, id: '__proto__'}, 'f', '{}'),
				call({index: 1, id: 'constructor'}, 'g', '{}'),
			],
		],
		['__proto__ f {} !', 'constructor g {} !'],
	],
	['name and arguments beside the id', [[{id: 'a', name: 'f', arguments: '{}'}]], ['a f {} !']],
	['one object in place of a list', [call({id: 'a'}, 'f', '{}')], ['a f {} !']],
	[
		'the old form',
		[{function: {name: 'f', arguments: '{"x":'}}, {function: {arguments: '1}'}}],
		['new-1 f {"x":1} !'],
	],
	['an empty list', [[], [], undefined, null], []],
	['lists of something else', ['f', 7, [null, 'f', 7, []]], []],
	[
		'calls that say nothing',
		[{}, {function: {name: '', arguments: ''}}, [{}, call({index: 0, id: ''}, '', null)]],
		[],
	],
	[
		'another name and id at the index of a finished one without an id',
		[[call({index: 0}, 'f', '{}')], [call({index: 0, id: 'b'}, 'g', '{"y":1}')]],
		['new-1 f {} !', 'b g {"y":1} !'],
	],
];

const argumentRows: readonly Row[] = [
	['an empty text', [[call({id: 'a'}, 'f', '')]], ['a f {} !']],
	['white space', [[call({id: 'a'}, 'f', ' \n')]], ['a f {} !']],
	['nothing', [[call({id: 'a'}, 'f')]], ['a f {} !']],
	['null', [[call({id: 'a'}, 'f', null)]], ['a f {} !']],
	['an object', [[call({id: 'a'}, 'f', {x: {y: [1]}})]], ['a f {"x":{"y":[1]}} !']],
	['an empty object', [[call({id: 'a'}, 'f', {})]], ['a f {} !']],
	['a list', [[call({id: 'a'}, 'f', [1])]], ['a f [1]']],
	['a number', [[call({id: 'a'}, 'f', 7)]], ['a f 7']],
	['false', [[call({id: 'a'}, 'f', false)]], ['a f false']],
	['the text of a list', [[call({id: 'a'}, 'f', '[1]')]], ['a f [1]']],
	['the text of a string', [[call({id: 'a'}, 'f', '"x"')]], ['a f "x"']],
	['the text null', [[call({id: 'a'}, 'f', 'null')]], ['a f null']],
	['half an object', [[call({id: 'a'}, 'f', '{"x":')]], ['a f {"x":']],
	['an object and more', [[call({id: 'a'}, 'f', '{"x":1}{')]], ['a f {"x":1}{']],
	[
		'an object that was whole before it was over',
		[[call({index: 0, id: 'a'}, 'f', '{}')], [call({index: 0}, undefined, '{"x":1}')]],
		['a f {}{"x":1}'],
	],
];

describe('tool calls', () => {
	it.each(identities)('are separate: %s', (_, deltas, calls) => {
		expect(callsOf(accumulate(deltas)).map(show)).toEqual(calls);
	});

	it.each(argumentRows)('have arguments from %s', (_, deltas, calls) => {
		expect(callsOf(accumulate(deltas)).map(show)).toEqual(calls);
	});

	it('of an answer that was cut off are not runnable', () => {
		const events = accumulate([[call({id: 'a'}, 'f', '{}')]], true);
		expect(callsOf(events)).toMatchObject([{isRunnable: false}]);
	});

	it('without a name are not runnable', () => {
		expect(callsOf(accumulate([[call({id: 'a'}, '', '{}')]])).map(show)).toEqual(['a  {}']);
	});

	it('are announced with id and name, then grow', () => {
		const events = accumulate([
			[call({index: 0, id: 'a'}, undefined, '{"x"')],
			[call({index: 0}, 'f', ':')],
			[call({index: 0}, undefined, '1}')],
		]);
		expect(events).toEqual([
			{type: 'tool-call-start', callId: 'a', name: 'f'},
			{type: 'tool-call-delta', callId: 'a', text: '{"x":'},
			{type: 'tool-call-delta', callId: 'a', text: '1}'},
			{
				type: 'tool-call',
				call: {callId: 'a', name: 'f', arguments: '{"x":1}', isRunnable: true},
			},
		]);
	});

	it('never end in half a character', () => {
		const [high, low] = '😀'.split('');
		const events = accumulate([
			[call({index: 0, id: 'a'}, 'f', `{"x":"${high}`)],
			[call({index: 0}, undefined, `${low}"}`)],
			[call({index: 1, id: 'b'}, 'f', `{"y":"${high}`)],
		]);
		expect(events.filter(({type}) => type === 'tool-call-delta')).toEqual([
			{type: 'tool-call-delta', callId: 'a', text: '{"x":"'},
			{type: 'tool-call-delta', callId: 'a', text: '😀"}'},
			{type: 'tool-call-delta', callId: 'b', text: '{"y":"'},
			{type: 'tool-call-delta', callId: 'b', text: high},
		]);
	});

	it('keep extra fields for the service', () => {
		const extra = {google: {thought_signature: 'c2ln'}};
		const events = accumulate([
			[{index: 0, id: 'a', extra_content: extra, function: {name: 'f', arguments: '{'}}],
			[{index: 0, extra_content: null, function: {arguments: '}'}}],
		]);
		expect(callsOf(events)).toMatchObject([{providerData: {extra_content: extra}}]);
		expect(callsOf(accumulate([[call({id: 'a'}, 'f')]]))[0]).not.toHaveProperty('providerData');
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

	it('of many pieces with braces and repeated names cost linear time', () => {
		const piece = [call({}, 'f', '{}')];
		expectLinearCost((pieces) => {
			const accumulator = createToolCallAccumulator(createEventBatch(() => stepStart));
			accumulator.add([call({}, 'f', '{"x":"{}')]);
			for (let i = 0; i < pieces; i++) accumulator.add(piece);
		}, 4000);
	});

	it('are not empty as soon as one has begun', () => {
		const accumulator = createToolCallAccumulator(createEventBatch(() => stepStart));
		accumulator.add([]);
		expect(accumulator.isEmpty).toBe(true);
		accumulator.add([{index: 0, id: 'a'}]);
		expect(accumulator.isEmpty).toBe(false);
	});
});
