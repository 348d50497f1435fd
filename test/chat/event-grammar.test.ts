/** The checker that other tests rely on refuses what breaks a rule. */
import {expect, it} from 'vitest';
import {checkEventBatches, checkEventGrammar} from '../helpers/event-grammar.ts';
import {eventsOf, stepEnd, stepStart, turnEnd} from '../helpers/events.ts';

const [high, low] = '😀'.split('');

it.each([
	['start text:a end', 'event 3 (missing): a turn ends'],
	['start text:a done', 'event 2 (turn-end): the step is not over'],
	['text:a', 'event 0 (text-delta): it belongs into a step'],
	['done notice', 'event 1 (notice): nothing follows'],
	['start text:', 'event 1 (text-delta): a delta is never empty'],
	[`start think:${high} text:a notice think:${low}`, 'the reasoning is not cut inside'],
	[`start call:1 args:1:${high} args:1:${low}`, 'the call 1 is not cut inside'],
	['start call:', 'event 1 (tool-call-start): a tool call has an id'],
	['start call:1 call:1', 'event 2 (tool-call-start): the id 1 is unique'],
	['start args:1:{', 'event 1 (tool-call-delta): a tool-call-start of 1 comes first'],
	['start call:1 called:1 end start called:1', 'a tool-call-start of 1 comes first'],
	['start call:1 called:1 called:1', 'event 3 (tool-call): 1 is repeated once'],
	['start call:1 end', 'event 2 (step-end): a tool-call of 1 comes before'],
	['start call:1 called:1/g:{}', 'event 2 (tool-call): 1 keeps its name'],
	['start call:1 args:1:{ called:1', 'event 3 (tool-call): 1 keeps its arguments'],
	['start call:1 called:1 text:a', 'event 3 (text-delta): behind the first tool-call'],
])('the grammar of events refuses %s', (events, message) => {
	expect(() => checkEventGrammar(eventsOf(events))).toThrow(message);
});

it('the grammar of events refuses a step of no attempts, and empty batches', () => {
	const events = [{...stepStart, attempts: 0}, stepEnd(), turnEnd];
	expect(() => checkEventGrammar(events)).toThrow('event 0 (step-start): a step takes');
	expect(() => checkEventBatches([eventsOf('start text:a'), [], eventsOf('end done')])).toThrow(
		'batch 1: a batch is never empty',
	);
});
