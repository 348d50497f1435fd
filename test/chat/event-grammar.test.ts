import {describe, expect, it} from 'vitest';
import type {ChatEvent} from '../../src/chat/event.ts';
import {ChatError} from '../../src/errors.ts';
import {checkEventBatches, checkEventGrammar} from '../helpers/event-grammar.ts';

const start: ChatEvent = {
	type: 'step-start',
	model: 'm',
	requestedModel: 'm',
	id: '',
	created: undefined,
	attempts: 1,
};
const stepEnd: ChatEvent = {
	type: 'step-end',
	finishReason: {kind: 'stop', raw: 'stop'},
	usage: undefined,
};
const turnEnd: ChatEvent = {type: 'turn-end'};
const error: ChatEvent = {type: 'error', error: new ChatError('incomplete', 'cut')};
const notice: ChatEvent = {type: 'notice', notice: {code: 'retry', message: 'again'}};
const text = (value: string): ChatEvent => ({type: 'text-delta', text: value});
const reasoningEnd: ChatEvent = {type: 'reasoning-end', providerData: {key: 'a'}};
const reasoning = (value: string): ChatEvent => ({type: 'reasoning-delta', text: value});
const callStart = (callId: string, name = 'f'): ChatEvent => ({
	type: 'tool-call-start',
	callId,
	name,
});
const callDelta = (callId: string, value: string): ChatEvent => ({
	type: 'tool-call-delta',
	callId,
	text: value,
});
const call = (callId: string, value = '{}', name = 'f'): ChatEvent => ({
	type: 'tool-call',
	call: {callId, name, arguments: value, isRunnable: true},
});

const [high = '', low = ''] = '😀'.split('');

const valid: ReadonlyArray<readonly [name: string, events: readonly ChatEvent[]]> = [
	['a plain answer', [start, text('a'), text('b'), stepEnd, turnEnd]],
	[
		'reasoning with data of the service, shown or not',
		[start, reasoning('r'), reasoningEnd, reasoningEnd, text('a'), stepEnd, turnEnd],
	],
	[
		'reasoning before, between and after text',
		[start, reasoning('r'), text('a'), reasoning('s'), stepEnd, turnEnd],
	],
	['a turn without a step', [turnEnd]],
	['a failure before any step', [notice, error]],
	['a failure in a step', [start, text('a'), error]],
	['a failure behind tool calls', [start, callStart('1'), call('1'), error]],
	['a failure between steps', [start, stepEnd, error]],
	[
		'notices everywhere but behind calls',
		[notice, start, notice, text('a'), notice, stepEnd, notice, turnEnd],
	],
	[
		'two steps that use the same call id',
		[start, callStart('1'), call('1'), stepEnd, start, callStart('1'), call('1'), stepEnd, turnEnd],
	],
	[
		'calls that grow side by side',
		[
			start,
			callStart('1'),
			callStart('2', 'g'),
			callDelta('1', '{"a"'),
			callDelta('2', '[]'),
			callDelta('1', ':1}'),
			call('1', '{"a":1}'),
			call('2', '[]', 'g'),
			stepEnd,
			turnEnd,
		],
	],
	[
		'a call whose arguments are white space and come as an object',
		[start, callStart('1'), callDelta('1', ' '), call('1', '{}'), stepEnd, turnEnd],
	],
	['a call that is announced and cut', [start, callStart('1'), callDelta('1', '{'), error]],
	['characters of two code units', [start, text('a😀'), text('😀b'), stepEnd, turnEnd]],
	[
		'a lone surrogate that nothing joins',
		[start, text(high), text('b'), text(low), stepEnd, turnEnd],
	],
	[
		'halves of a character in different texts',
		[start, text(high), reasoning(low), stepEnd, turnEnd],
	],
	[
		'halves of a character in different parts of the reasoning',
		[start, reasoning(high), reasoningEnd, reasoning(low), stepEnd, turnEnd],
	],
	[
		'halves of a character in different steps',
		[start, text(high), stepEnd, start, text(low), stepEnd, turnEnd],
	],
	['three attempts', [{...start, attempts: 3}, stepEnd, turnEnd]],
];

const invalid: ReadonlyArray<
	readonly [name: string, events: readonly ChatEvent[], message: string]
> = [
	['no event at all', [], 'event 0 (missing): a turn ends'],
	['no end', [start, text('a'), stepEnd], 'event 3 (missing): a turn ends'],
	[
		'an open step and no error',
		[start, text('a'), turnEnd],
		'event 2 (turn-end): the step is not over',
	],
	['a step inside a step', [start, start], 'event 1 (step-start): the step is not over'],
	['text outside a step', [text('a')], 'event 0 (text-delta): it belongs into a step'],
	[
		'text behind a step',
		[start, stepEnd, text('a')],
		'event 2 (text-delta): it belongs into a step',
	],
	['an end without a step', [stepEnd], 'event 0 (step-end): it belongs into a step'],
	['two ends', [turnEnd, turnEnd], 'event 1 (turn-end): nothing follows'],
	['a notice behind the end', [turnEnd, notice], 'event 1 (notice): nothing follows'],
	['an end behind an error', [start, error, stepEnd], 'event 2 (step-end): nothing follows'],
	['a step of no attempts', [{...start, attempts: 0}], 'event 0 (step-start): a step takes'],
	['empty text', [start, text('')], 'event 1 (text-delta): a delta is never empty'],
	[
		'the end of reasoning without a step',
		[reasoningEnd],
		'event 0 (reasoning-end): it belongs into',
	],
	['empty reasoning', [start, reasoning('')], 'event 1 (reasoning-delta): a delta is never empty'],
	[
		'empty arguments',
		[start, callStart('1'), callDelta('1', '')],
		'event 2 (tool-call-delta): a delta is never empty',
	],
	[
		'a character in two texts',
		[start, text(`a${high}`), text(`${low}b`)],
		'event 2 (text-delta): the text is not cut inside',
	],
	[
		'a character in two texts around others',
		[start, reasoning(high), text('a'), notice, reasoning(low)],
		'event 4 (reasoning-delta): the reasoning is not cut inside',
	],
	[
		'a character in two arguments',
		[start, callStart('1'), callDelta('1', high), callDelta('1', low)],
		'event 3 (tool-call-delta): the call 1 is not cut inside',
	],
	[
		'a call without an id',
		[start, callStart('')],
		'event 1 (tool-call-start): a tool call has an id',
	],
	[
		'the same id twice',
		[start, callStart('1'), callStart('1')],
		'event 2 (tool-call-start): the id 1 is unique',
	],
	[
		'arguments of no call',
		[start, callDelta('1', '{')],
		'event 1 (tool-call-delta): a tool-call-start of 1 comes first',
	],
	[
		'a call never announced',
		[start, call('1')],
		'event 1 (tool-call): a tool-call-start of 1 comes first',
	],
	[
		'a call announced in the step before',
		[start, callStart('1'), call('1'), stepEnd, start, call('1')],
		'event 5 (tool-call): a tool-call-start of 1 comes first',
	],
	[
		'a call repeated twice',
		[start, callStart('1'), call('1'), call('1')],
		'event 3 (tool-call): 1 is repeated once',
	],
	[
		'a call never repeated',
		[start, callStart('1'), stepEnd],
		'event 2 (step-end): a tool-call of 1 comes before',
	],
	[
		'a call that changes its name',
		[start, callStart('1'), call('1', '{}', 'g')],
		'event 2 (tool-call): 1 keeps its name',
	],
	[
		'a call that changes its arguments',
		[start, callStart('1'), callDelta('1', '{'), call('1')],
		'event 3 (tool-call): 1 keeps its arguments',
	],
	[
		'text behind a call',
		[start, callStart('1'), call('1'), text('a')],
		'event 3 (text-delta): behind the first tool-call',
	],
	[
		'a notice behind a call',
		[start, callStart('1'), call('1'), notice],
		'event 3 (notice): behind the first tool-call',
	],
	[
		'a turn that ends behind a call',
		[start, callStart('1'), call('1'), turnEnd],
		'event 3 (turn-end): behind the first tool-call',
	],
];

describe('the grammar of events', () => {
	it.each(valid)('allows %s', (_, events) => {
		expect(() => checkEventGrammar(events)).not.toThrow();
	});

	it.each(invalid)('refuses %s', (_, events, message) => {
		expect(() => checkEventGrammar(events)).toThrow(message);
	});

	it('holds across batches', () => {
		expect(() =>
			checkEventBatches([
				[start, text('a')],
				[stepEnd, turnEnd],
			]),
		).not.toThrow();
		expect(() => checkEventBatches([[start, text(high)], [text(low)]])).toThrow('event 2');
	});

	it('has no empty batches', () => {
		expect(() => checkEventBatches([[start, text('a')], [], [stepEnd, turnEnd]])).toThrow(
			'batch 1: a batch is never empty',
		);
	});
});
