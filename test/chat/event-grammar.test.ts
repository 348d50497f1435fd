import {describe, expect, it} from 'vitest';
import type {ChatEvent} from '../../src/chat/event.ts';
import {checkEventBatches, checkEventGrammar} from '../helpers/event-grammar.ts';
import {eventsOf, stepEnd, stepStart, turnEnd} from '../helpers/events.ts';

const [high = '', low = ''] = '😀'.split('');

type Events = readonly ChatEvent[] | string;
const listOf = (events: Events) => (typeof events === 'string' ? eventsOf(events) : events);

const valid: ReadonlyArray<readonly [name: string, events: Events]> = [
	['a plain answer', 'start text:a text:b end done'],
	[
		'reasoning with data of the service, shown or not',
		'start think:r thought:a thought:a text:a end done',
	],
	['reasoning before, between and after text', 'start think:r text:a think:s end done'],
	['a turn without a step', 'done'],
	['a failure before any step', 'notice error:incomplete'],
	['a failure in a step', 'start text:a error:incomplete'],
	['a failure behind tool calls', 'start call:1 called:1 error:incomplete'],
	['a failure between steps', 'start end error:incomplete'],
	['notices everywhere but behind calls', 'notice start notice text:a notice end notice done'],
	[
		'two steps that use the same call id',
		'start call:1 called:1 end start call:1 called:1 end done',
	],
	[
		'calls that grow side by side',
		'start call:1 call:2/g args:1:{"a" args:2:[] args:1::1} called:1:{"a":1} called:2/g:[] end done',
	],
	[
		'a call whose arguments are white space and come as an object',
		[
			...eventsOf('start call:1'),
			{type: 'tool-call-delta', callId: '1', text: ' '},
			...eventsOf('called:1 end done'),
		],
	],
	['a call that is announced and cut', 'start call:1 args:1:{ error:incomplete'],
	['characters of two code units', 'start text:a😀 text:😀b end done'],
	['a lone surrogate that nothing joins', `start text:${high} text:b text:${low} end done`],
	['halves of a character in different texts', `start text:${high} think:${low} end done`],
	[
		'halves of a character in different parts of the reasoning',
		`start think:${high} thought:a think:${low} end done`,
	],
	['halves of a character in different steps', `start text:${high} end start text:${low} end done`],
	['three attempts', [{...stepStart, attempts: 3}, stepEnd(), turnEnd]],
];

const invalid: ReadonlyArray<readonly [name: string, events: Events, message: string]> = [
	['no event at all', [], 'event 0 (missing): a turn ends'],
	['no end', 'start text:a end', 'event 3 (missing): a turn ends'],
	['an open step and no error', 'start text:a done', 'event 2 (turn-end): the step is not over'],
	['a step inside a step', 'start start', 'event 1 (step-start): the step is not over'],
	['text outside a step', 'text:a', 'event 0 (text-delta): it belongs into a step'],
	['text behind a step', 'start end text:a', 'event 2 (text-delta): it belongs into a step'],
	['an end without a step', 'end', 'event 0 (step-end): it belongs into a step'],
	['two ends', 'done done', 'event 1 (turn-end): nothing follows'],
	['a notice behind the end', 'done notice', 'event 1 (notice): nothing follows'],
	['an end behind an error', 'start error:incomplete end', 'event 2 (step-end): nothing follows'],
	['a step of no attempts', [{...stepStart, attempts: 0}], 'event 0 (step-start): a step takes'],
	['empty text', 'start text:', 'event 1 (text-delta): a delta is never empty'],
	['the end of reasoning without a step', 'thought:a', 'event 0 (reasoning-end): it belongs into'],
	['empty reasoning', 'start think:', 'event 1 (reasoning-delta): a delta is never empty'],
	['empty arguments', 'start call:1 args:1:', 'event 2 (tool-call-delta): a delta is never empty'],
	[
		'a character in two texts',
		`start text:a${high} text:${low}b`,
		'event 2 (text-delta): the text is not cut inside',
	],
	[
		'a character in two texts around others',
		`start think:${high} text:a notice think:${low}`,
		'event 4 (reasoning-delta): the reasoning is not cut inside',
	],
	[
		'a character in two arguments',
		`start call:1 args:1:${high} args:1:${low}`,
		'event 3 (tool-call-delta): the call 1 is not cut inside',
	],
	['a call without an id', 'start call:', 'event 1 (tool-call-start): a tool call has an id'],
	['the same id twice', 'start call:1 call:1', 'event 2 (tool-call-start): the id 1 is unique'],
	[
		'arguments of no call',
		'start args:1:{',
		'event 1 (tool-call-delta): a tool-call-start of 1 comes first',
	],
	[
		'a call never announced',
		'start called:1',
		'event 1 (tool-call): a tool-call-start of 1 comes first',
	],
	[
		'a call announced in the step before',
		'start call:1 called:1 end start called:1',
		'event 5 (tool-call): a tool-call-start of 1 comes first',
	],
	[
		'a call repeated twice',
		'start call:1 called:1 called:1',
		'event 3 (tool-call): 1 is repeated once',
	],
	[
		'a call never repeated',
		'start call:1 end',
		'event 2 (step-end): a tool-call of 1 comes before',
	],
	[
		'a call that changes its name',
		'start call:1 called:1/g:{}',
		'event 2 (tool-call): 1 keeps its name',
	],
	[
		'a call that changes its arguments',
		'start call:1 args:1:{ called:1',
		'event 3 (tool-call): 1 keeps its arguments',
	],
	[
		'text behind a call',
		'start call:1 called:1 text:a',
		'event 3 (text-delta): behind the first tool-call',
	],
	[
		'a notice behind a call',
		'start call:1 called:1 notice',
		'event 3 (notice): behind the first tool-call',
	],
	[
		'a turn that ends behind a call',
		'start call:1 called:1 done',
		'event 3 (turn-end): behind the first tool-call',
	],
];

describe('the grammar of events', () => {
	it.each(valid)('allows %s', (_, events) => {
		expect(() => checkEventGrammar(listOf(events))).not.toThrow();
	});

	it.each(invalid)('refuses %s', (_, events, message) => {
		expect(() => checkEventGrammar(listOf(events))).toThrow(message);
	});

	it('holds across batches', () => {
		expect(() => checkEventBatches([eventsOf('start text:a'), eventsOf('end done')])).not.toThrow();
		expect(() =>
			checkEventBatches([eventsOf(`start text:${high}`), eventsOf(`text:${low}`)]),
		).toThrow('event 2');
	});

	it('has no empty batches', () => {
		expect(() => checkEventBatches([eventsOf('start text:a'), [], eventsOf('end done')])).toThrow(
			'batch 1: a batch is never empty',
		);
	});
});
