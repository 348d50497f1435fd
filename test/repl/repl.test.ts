/** Timing of a session: how often its state changes, and that no timer is left. */
import {beforeEach, describe, expect, onTestFinished, test, vi} from 'vitest';
import {reasoningOf} from '../../src/chat/conversation.ts';
import type {Action} from '../../src/repl/action.ts';
import {createRequest} from '../helpers/approval-request.ts';
import {reasoningDelta, textDelta} from '../helpers/events.ts';
import {draftOf, entriesOf, failure, messagesOf, saidBy, stepEnd, stepStart} from './play.ts';
import {type Beat, openScripted, reply} from './scripted-repl.ts';

const answering: readonly Beat[] = [[stepStart], [textDelta('partly')], 'silence'];
const whole = reply('fine');

function eventActions(actions: readonly Action[]) {
	return actions.filter((action) => action.type === 'events');
}

function countTimers(): number {
	return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
}

/** Those of the test runner, and what earlier tests of the process left, which may end any time. */
let timersBefore = 0;
beforeEach(() => {
	timersBefore = countTimers();
});

describe('the events of a turn', () => {
	test('reach the state in order, at most once every 50 ms except for the last', async () => {
		const clock = {now: 0};
		const tick = () => {
			clock.now += 1;
		};
		const texts = Array.from({length: 1000}, (_, index) => `${index} `);
		const beats = texts.flatMap((text): Beat[] => [tick, [reasoningDelta(text), textDelta(text)]]);
		const scripts = [[[stepStart], ...beats, [stepEnd()]]];
		const {play, idle, actions} = openScripted(scripts, {now: () => clock.now});
		play('count⏎');
		const state = await idle();
		const parts = texts.map((text) => `<reasoning> ${text}`).join(' ');
		expect(messagesOf(state)).toEqual(['user: count', `assistant: ${parts}`]);
		expect(state.conversation.turns.map(reasoningOf)).toEqual([texts.join('')]);
		const times = eventActions(actions).map(({now}) => now);
		expect(times.length).toBeLessThanOrEqual(1000 / 50 + 2);
		expect(times.length).toBeGreaterThan(15);
		for (const [index, time] of times.slice(1, -1).entries()) {
			expect(time - (times[index] ?? 0)).toBeGreaterThanOrEqual(50);
		}
	});

	test('come in parts when they are long, and stop at a Ctrl-C between two parts', async () => {
		const word = 'word '.repeat(100);
		const {repl, play, idle, actions} = openScripted([
			[[stepStart, textDelta('x'), textDelta(word.repeat(100)), stepEnd()]],
		]);
		const stop = repl.subscribe((action) => {
			if (action.type !== 'events') return;
			stop();
			setImmediate(() => play('<ctrl+c>'));
		});
		play('go⏎');
		expect(messagesOf(await idle())).toEqual(['user: go', 'assistant: x [interrupted]']);
		expect(actions.map(({type}) => type)).toEqual(['keys', 'events', 'keys', 'events']);
		play('again⏎');
	});

	test('come at once when the turn ends, or before a silence', async () => {
		const short = openScripted([Array(50).fill([textDelta('x')])], {now: () => 0});
		short.play('short⏎');
		await short.idle();
		expect(eventActions(short.actions)).toHaveLength(2);
		const letters: Beat[] = [...'abc'].map((letter) => [textDelta(letter)]);
		const silent = openScripted([[[stepStart], ...letters, 'silence']]);
		silent.play('go⏎');
		const {turn} = await silent.until(({turn}) => turn?.answerLength === 3);
		expect(turn?.phase).toBe('answering');
	});
});

describe('time', () => {
	test('advances while the service is silent, and stops after the turn', async () => {
		const {play, until, idle, actions} = openScripted([['silence']]);
		const asked = performance.now();
		play('go⏎');
		const state = await until(({now}) => now > asked);
		expect(actions.at(-1)?.type).toBe('tick');
		expect(state.now - asked).toBeGreaterThan(900);
		play('<escape>');
		await idle();
		expect(countTimers()).toBeLessThanOrEqual(timersBefore);
	});

	test('disarms Ctrl-C after two seconds, and starts again after another key', () => {
		vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
		onTestFinished(() => void vi.useRealTimers());
		const {play, repl} = openScripted([]);
		const armed = () => repl.getState().armedKey;
		play('<ctrl+c>', 'x', '<ctrl+c>');
		expect(armed()).toBeUndefined();
		play('<ctrl+c>');
		expect(vi.getTimerCount()).toBe(1);
		vi.advanceTimersByTime(1999);
		expect(armed()).toBe('Ctrl-C');
		vi.advanceTimersByTime(1);
		expect(armed()).toBeUndefined();
	});
});

test('listeners hear of each action in order, with the state right after it, until they stop', async () => {
	const {repl, play, until} = openScripted([], {
		async *openTurn(_, __, signal, {approve}) {
			await approve(createRequest(), signal).catch(() => undefined);
			yield [failure('interrupted')];
		},
	});
	play('go⏎');
	await until(({question}) => question !== undefined);
	const heard: string[] = [];
	const stop = repl.subscribe(({type: name}, {turn, question}) => {
		heard.push(`${name}: ${turn?.phase}, ${question === undefined ? 'no question' : 'a question'}`);
	});
	// Stopping the turn withdraws the question while the key is still being reported.
	play('<ctrl+c>');
	const all = ['keys: stopping, a question', 'question-withdrawn: stopping, no question'];
	expect(heard).toEqual(all);
	stop();
	play('b');
	expect(heard).toEqual(all);
});

test('loading reports an unexpected failure, and counts several files at once', async () => {
	const {play, until, idle, effects, repl} = openScripted([whole]);
	play('/file notes.txt⏎');
	await until(({tasks}) => tasks.length === 0);
	expect(entriesOf(effects)).toEqual([
		{type: 'command', text: '/file notes.txt'},
		{type: 'error', error: expect.objectContaining({message: 'load fails here'})},
	]);
	play('go⏎');
	await idle();
	expect(repl.getState().conversation.turns).toHaveLength(1);
	const both = openScripted([], {
		load: async (_, name) => ({attachments: [{type: 'file', name, text: name}], notices: ['hm']}),
	});
	both.play('/file a⏎', '/file b⏎');
	const {attachments} = await both.until(({tasks}) => tasks.length === 0);
	expect(attachments.map(({name}) => name)).toEqual(['a', 'b']);
});

describe('closing', () => {
	test('during an answer keeps and marks its text, and sends no queued prompt', async () => {
		const {play, until, repl, effects, requests} = openScripted([answering, whole]);
		play('go⏎', 'two⏎');
		await until(({turn}) => turn?.phase === 'answering');
		await repl.close();
		expect(messagesOf(repl.getState())).toEqual(['user: go', 'assistant: partly [interrupted]']);
		expect(entriesOf(effects)).toContainEqual({type: 'truncation', reason: 'interrupted'});
		expect(requests).toHaveLength(1);
		expect(countTimers()).toBeLessThanOrEqual(timersBefore);
	});

	test('before an answer restores the prompt, and does not mention the editor', async () => {
		const {play, repl, effects} = openScripted([['silence']]);
		play('go⏎');
		await repl.close();
		expect(draftOf(repl.getState())).toBe('go');
		expect(repl.getState().turn).toBeUndefined();
		expect(saidBy(effects)).toBe('interrupted');
	});

	test('does not send queued prompts when the answer ends meanwhile, and takes no keys', async () => {
		const {play, repl, requests} = openScripted([whole, whole]);
		play('one⏎', 'two⏎');
		const closed = repl.close();
		play('<ctrl+c>', '<ctrl+c>', '/file notes.txt⏎', 'three⏎');
		await closed;
		await repl.close();
		play('<ctrl+c>', '<ctrl+c>', 'four⏎');
		expect(requests).toHaveLength(1);
		expect(messagesOf(repl.getState())).toEqual(['user: one', 'assistant: fine']);
		expect(countTimers()).toBeLessThanOrEqual(timersBefore);
	});

	test('clears the timer of an armed exit, and reports nothing afterwards', async () => {
		const {play, repl, effects} = openScripted([]);
		const unarmed = countTimers();
		play('<ctrl+c>');
		expect(countTimers()).toBe(unarmed + 1);
		await repl.close();
		expect(countTimers()).toBeLessThanOrEqual(unarmed);
		play('/help⏎');
		expect(saidBy(effects)).toBe('');
	});
});
