/** The conversation after each way a turn can end: it can always be sent. */
import {describe, expect, test} from 'vitest';
import {hasAnswer} from '../../src/chat/conversation.ts';
import {ChatError} from '../../src/errors.ts';
import {createKey} from '../../src/terminal/keys/key-input.ts';
import {
	begin,
	draftOf,
	enter,
	entriesOf,
	events,
	messagesOf,
	play,
	press,
	reasoningDelta,
	stepEnd,
	stepStart,
	textDelta,
	type,
} from './play.ts';
import {type Beat, openScripted} from './scripted-repl.ts';

const whole: readonly Beat[] = [[stepStart, textDelta('fine')], [stepEnd()]];
const begun: readonly Beat[] = [[stepStart]];
const thinking: readonly Beat[] = [...begun, [reasoningDelta('hm')]];
const answering: readonly Beat[] = [...thinking, [textDelta('half '), textDelta('of it')]];
const cut = new ChatError('incomplete', 'the stream was cut');
const refused = new ChatError('rejected', 'no such model');

describe('a turn that is complete', () => {
	test('leaves its prompt and its answer, which the next request contains', async () => {
		const {play, idle, requests} = openScripted([[...answering, [stepEnd()]], whole]);
		play(enter('one'));
		const state = await idle();
		expect(messagesOf(state)).toEqual(['user: one', 'assistant: <reasoning> half of it']);
		expect(state.conversation.open).toBeUndefined();
		play(enter('two'));
		expect(messagesOf(await idle())).toHaveLength(4);
		expect(requests).toEqual([
			['user: one'],
			['user: one', 'assistant: <reasoning> half of it', 'user: two'],
		]);
	});
});

test('any number of events and keys can arrive at once', {tags: ['cost']}, () => {
	const pieces = Array.from({length: 150_000}, () => textDelta('a'));
	const state = play(begin(), enter('one'), events(stepStart)).state;
	const grown = play(state, {type: 'events', events: pieces, now: 0}).state;
	expect(grown.turn?.answerLength).toBe(pieces.length);
	const keys = Array.from({length: 150_000}, () => createKey('left'));
	expect(draftOf(play(grown, type('b'), {type: 'keys', keys, now: 0}).state)).toBe('b');
});

test('a refusal stays in the conversation, and is marked', async () => {
	const refusal: Beat = [stepStart, {type: 'refusal-delta', text: 'I cannot.'}, stepEnd()];
	const {play, idle, effects, requests} = openScripted([[refusal], whole]);
	play(enter('one'));
	expect(messagesOf(await idle())).toEqual(['user: one', 'assistant: <refusal>']);
	expect(entriesOf(effects).map(({type}) => type)).toEqual(['prompt', 'truncation']);
	play(enter('two'));
	await idle();
	expect(requests[1]).toEqual(['user: one', 'assistant: <refusal>', 'user: two']);
});

describe('a turn that ends early', () => {
	const stop = press('ctrl+c');

	test.each([
		['is interrupted', [...answering, 'silence'], 'interrupted'],
		['fails', [...answering, cut], 'incomplete'],
	] satisfies [string, Beat[], string][])(
		'and %s after some text keeps it, marked',
		async (_, script, status) => {
			const {play, idle, until, effects, requests} = openScripted([script, whole]);
			play(enter('one'));
			if (status === 'interrupted') {
				await until(({turn}) => turn?.phase === 'answering');
				play(stop);
			}
			const state = await idle();
			expect(messagesOf(state)).toEqual([
				'user: one',
				`assistant: <reasoning> half of it [${status}]`,
			]);
			expect(draftOf(state)).toBe('');
			expect(state.conversation.turns).toHaveLength(1);
			const mark = status === 'interrupted' ? 'truncation' : 'error';
			expect(entriesOf(effects).at(-1)?.type).toBe(mark);
			play(enter('two'));
			await idle();
			expect(requests[1]).toEqual([...messagesOf(state), 'user: two']);
		},
	);

	test.each([
		['is interrupted before any event', ['silence'], 'waiting'],
		['is interrupted before the first delta', [...begun, 'silence'], 'waiting'],
		['is interrupted while it thinks', [...thinking, 'silence'], 'reasoning'],
		['is refused', [refused], undefined],
		['is cut while it thinks', [...thinking, cut], undefined],
	] satisfies [string, Beat[], string | undefined][])(
		'and %s leaves nothing, and restores the prompt',
		async (_, script, phase) => {
			const {play, idle, until, effects, requests} = openScripted([whole, script, whole]);
			play(enter('zero'));
			await idle();
			play(enter('one'));
			if (phase !== undefined) {
				await until(({turn}) => turn?.phase === phase);
				play(stop);
			}
			const state = await idle();
			expect(messagesOf(state)).toEqual(['user: zero', 'assistant: fine']);
			expect(state.conversation.open).toBeUndefined();
			expect(draftOf(state)).toBe('one');
			expect(state.conversation.turns.filter(hasAnswer)).toHaveLength(1);
			const shown = entriesOf(effects).map((entry) => entry.type);
			expect(shown.filter((name) => name === 'truncation')).toEqual([]);
			expect(shown.includes('error')).toBe(phase === undefined);
			play(type('!'), press('enter'));
			await idle();
			expect(requests.at(-1)).toEqual(['user: zero', 'assistant: fine', 'user: one!']);
		},
	);

	test('keeps the system message', async () => {
		const {play, idle} = openScripted([[refused]]);
		play(enter('/system Be brief.'), enter('one'));
		expect(messagesOf(await idle())).toEqual(['system: Be brief.']);
	});

	test('after a complete answer keeps it, and does not restore the prompt', async () => {
		const {play, idle, until} = openScripted([[...answering, [stepEnd()], 'silence']]);
		play(enter('one'));
		await until(({conversation}) => conversation.open?.messages.length === 1);
		play(stop);
		const state = await idle();
		expect(messagesOf(state)).toEqual(['user: one', 'assistant: <reasoning> half of it']);
		expect(draftOf(state)).toBe('');
	});
});

describe('the queue', () => {
	test('is held by a failure, and continues after the restored prompt', async () => {
		const gate = openGate();
		const {play, idle, until, requests} = openScripted([[gate.opened, refused], whole, whole]);
		play(enter('one'), enter('two'));
		gate.open();
		const failed = await idle();
		expect(failed.isQueueHeld).toBe(true);
		expect(requests).toHaveLength(1);
		play(press('enter'));
		await until(({conversation}) => conversation.turns.length === 2);
		expect(requests.slice(1)).toEqual([
			['user: one'],
			['user: one', 'assistant: fine', 'user: two'],
		]);
	});
});

function openGate(): {readonly opened: Promise<void>; open(): void} {
	let open = () => {};
	const opened = new Promise<void>((resolve) => {
		open = resolve;
	});
	return {opened, open: () => open()};
}
