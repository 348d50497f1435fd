/** `/continue`: the last answer, which was cut, goes on in its own turn. */
import {expect, test} from 'vitest';
import type {ChatEvent} from '../../src/chat/event.ts';
import {textDelta, turnEnd} from '../helpers/events.ts';
import {
	answer,
	begin,
	enter,
	entriesOf,
	events,
	failure,
	play,
	popupOf,
	stepEnd,
	stepStart,
} from './play.ts';

const asked: ChatEvent = {
	type: 'continuation',
	continuation: {state: 'asked', cause: 'incomplete', usage: undefined, count: 1, limit: 1},
};
const joined: ChatEvent = {
	type: 'continuation',
	continuation: {state: 'joined', id: 'c1', created: 0, model: 'm', attempts: 1},
};
const rejected: ChatEvent = {
	type: 'continuation',
	continuation: {state: 'rejected', text: 'Something else.', usage: undefined, attempts: 1},
};

const cut = play(
	begin(),
	...[enter('first'), answer('```\na\n```\n')],
	...[enter('second'), events(stepStart, textDelta('```\nb\n```\nhalf'), failure('incomplete'))],
).state;

test('the last answer goes on in its turn, and keeps its numbers', () => {
	const started = play(cut, enter('/continue'));
	const [start] = started.effects.filter((effect) => effect.type === 'start-turn');
	expect(start?.conversation).toMatchObject({turns: [{}], open: {prompt: {text: 'second'}}});
	expect(entriesOf(started.effects).map(({type}) => type)).toEqual(['command', 'notice']);
	const rest = [asked, joined, textDelta(' and half'), stepEnd(), turnEnd];
	const {conversation, shown} = play(started.state, events(...rest)).state;
	expect(conversation.turns).toHaveLength(2);
	expect(conversation.turns[1]).toMatchObject({
		status: 'complete',
		messages: [{parts: [{text: '```\nb\n```\nhalf and half'}]}],
	});
	expect(shown.map(({turn, codeBlocks}) => [turn.prompt.text, codeBlocks.length])).toEqual([
		['first', 1],
		['second', 1],
	]);
});

test('a rest that could not be joined is shown apart, and is not kept', () => {
	const {effects, state} = play(
		cut,
		enter('/continue'),
		events(asked, rejected, failure('incomplete')),
	);
	expect(entriesOf(effects)).toContainEqual({type: 'text', text: 'Something else.'});
	expect(state.conversation).toEqual({...cut.conversation, turns: expect.anything()});
	expect(state.conversation.turns[1]?.messages).toEqual(cut.conversation.turns[1]?.messages);
});

test('a whole answer has nothing to add', () => {
	const {state} = play(begin(), enter('first'), answer('whole'), enter('/continue'));
	expect(popupOf(state)).toBe('no cut answer to continue');
	expect(state.turn).toBeUndefined();
});
