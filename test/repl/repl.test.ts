/** A session: how often its state changes, what each end of a turn leaves, and that no timer stays. */
import {beforeEach, describe, expect, onTestFinished, test, vi} from 'vitest';
import {reasoningOf} from '../../src/chat/conversation.ts';
import {ChatError} from '../../src/errors.ts';
import type {Action} from '../../src/repl/action.ts';
import {createKey} from '../../src/terminal/keys/key-input.ts';
import {createRequest} from '../helpers/approval-request.ts';
import {reasoningDelta, textDelta} from '../helpers/events.ts';
import {
	begin,
	draftOf,
	entriesOf,
	failure,
	messagesOf,
	play,
	saidBy,
	stepEnd,
	stepStart,
} from './play.ts';
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
});

describe('time', () => {
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
		play('<ctrl+c>');
		void repl.close();
		expect(vi.getTimerCount()).toBe(0);
	});

	test('advances each second while the service is silent', () => {
		vi.useFakeTimers({toFake: ['setInterval', 'clearInterval']});
		onTestFinished(() => void vi.useRealTimers());
		const {play, actions} = openScripted([['silence']]);
		play('go⏎');
		vi.advanceTimersByTime(999);
		expect(actions.at(-1)?.type).toBe('keys');
		vi.advanceTimersByTime(1);
		expect(actions.at(-1)?.type).toBe('tick');
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

describe('closing', () => {
	test('during an answer keeps, marks and reports its text, and sends no queued prompt', async () => {
		const {play, until, repl, effects, requests} = openScripted([answering, whole]);
		play('go⏎', 'two⏎');
		await until(({turn}) => turn?.phase === 'answering');
		await repl.close();
		expect(messagesOf(repl.getState())).toEqual(['user: go', 'assistant: partly [interrupted]']);
		expect(entriesOf(effects)).toContainEqual({type: 'truncation', reason: 'interrupted'});
		expect(requests).toHaveLength(1);
		const change = expect.objectContaining({type: 'turn-ended'});
		expect(effects).toContainEqual({type: 'conversation-changed', change});
		expect(countTimers()).toBeLessThanOrEqual(timersBefore);
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

	test('before an answer restores the prompt, and does not mention the editor', async () => {
		const {play, repl, effects} = openScripted([['silence']]);
		play('go⏎');
		await repl.close();
		expect(draftOf(repl.getState())).toBe('go');
		expect(repl.getState().turn).toBeUndefined();
		expect(saidBy(effects)).toBe('interrupted');
	});
});

const thinking: readonly Beat[] = [[stepStart], [reasoningDelta('hm')]];
const halfway: readonly Beat[] = [...thinking, [textDelta('half '), textDelta('of it')]];
const ended: readonly Beat[] = [...halfway, [stepEnd()]];
const refusal: Beat = [stepStart, {type: 'refusal-delta', text: 'I cannot.'}, stepEnd()];
const cut = new ChatError('incomplete', 'the stream was cut');
const half = 'assistant: <reasoning> half of it';

/** The script, the phase in which Ctrl-C stops it, what stays, and the last entry. */
type End = readonly [
	...[name: string, script: readonly Beat[], phase: string | undefined],
	...[kept: string | undefined, mark: string],
];

test.each<End>([
	['is complete', ended, undefined, half, 'prompt'],
	['is stopped after its end', [...ended, 'silence'], 'ended', half, 'truncation'],
	['is a refusal', [refusal], undefined, 'assistant: <refusal>', 'truncation'],
	['is stopped', [...halfway, 'silence'], 'answering', `${half} [interrupted]`, 'truncation'],
	['fails', [...halfway, cut], undefined, `${half} [incomplete]`, 'error'],
	['is stopped before any event', ['silence'], 'waiting', undefined, 'notice'],
	['is stopped while it thinks', [...thinking, 'silence'], 'reasoning', undefined, 'notice'],
])('a turn that %s leaves its answer, or nothing but its prompt in the editor', async (...end) => {
	const [, script, phase, kept, mark] = end;
	const {play, idle, until, effects, requests} = openScripted([whole, script, whole]);
	play('/system Be brief.⏎', 'zero⏎');
	await idle();
	play('one⏎');
	if (phase !== undefined) {
		await until(({turn, conversation}) =>
			phase === 'ended' ? conversation.open?.messages.length === 1 : turn?.phase === phase,
		);
		play('<ctrl+c>');
	}
	const state = await idle();
	const before = ['system: Be brief.', 'user: zero', 'assistant: fine'];
	const messages = kept === undefined ? before : [...before, 'user: one', kept];
	expect(messagesOf(state)).toEqual(messages);
	expect(state.conversation.open).toBeUndefined();
	expect(draftOf(state)).toBe(kept === undefined ? 'one' : '');
	const printed = entriesOf(effects).map(({type}) => type);
	expect(printed.filter((type) => type !== 'reasoning-summary').at(-1)).toBe(mark);
	play('!⏎');
	await idle();
	const next = kept === undefined ? 'user: one!' : 'user: !';
	expect(requests.at(-1)).toEqual([...messages, next]);
});

test('any number of events and keys can arrive at once', {tags: ['cost']}, () => {
	const events = Array.from({length: 150_000}, () => textDelta('a'));
	const grown = play(begin(), 'one⏎', '<< …', {type: 'events', events, now: 0}).state;
	expect(grown.turn?.answerLength).toBe(events.length);
	const keys = Array.from({length: 150_000}, () => createKey('left'));
	expect(draftOf(play(grown, 'b', {type: 'keys', keys, now: 0}).state)).toBe('b');
});
