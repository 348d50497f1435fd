/** The conversation after each way a turn can end: it can always be sent. */
import {expect, test} from 'vitest';
import {ChatError} from '../../src/errors.ts';
import {createKey} from '../../src/terminal/keys/key-input.ts';
import {reasoningDelta, textDelta} from '../helpers/events.ts';
import {begin, draftOf, entriesOf, messagesOf, play, stepEnd, stepStart} from './play.ts';
import {type Beat, openScripted, reply} from './scripted-repl.ts';

const whole = reply('fine');
const begun: readonly Beat[] = [[stepStart]];
const thinking: readonly Beat[] = [...begun, [reasoningDelta('hm')]];
const answering: readonly Beat[] = [...thinking, [textDelta('half '), textDelta('of it')]];
const ended: readonly Beat[] = [...answering, [stepEnd()]];
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
	['is stopped', [...answering, 'silence'], 'answering', `${half} [interrupted]`, 'truncation'],
	['fails', [...answering, cut], undefined, `${half} [incomplete]`, 'error'],
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
