/** Which text `/copy` takes; the clipboard itself is tested in a terminal. */
import {describe, expect, test} from 'vitest';
import {textOutput} from '../../src/chat/tool-output.ts';
import {
	answer,
	begin,
	callsOf,
	enter,
	events,
	failure,
	play,
	popupOf,
	press,
	reasoningDelta,
	stepEnd,
	stepStart,
	textDelta,
	turnEnd,
} from './play.ts';

const block = (code: string) => `\`\`\`js\n${code}\n\`\`\``;
const call = {callId: 'a', name: 'look', arguments: '{}', isRunnable: true} as const;

const withTool = play(
	begin(),
	enter('How?'),
	events(
		stepStart,
		textDelta(`I look.\n\n${block('first')}`),
		{type: 'tool-call-start', callId: 'a', name: 'look'},
		{type: 'tool-call', call},
		stepEnd(),
		{type: 'tool-result', callId: 'a', ...textOutput('seen', false)},
		stepStart,
		textDelta(`Done.\n\n${block('second')}`),
		stepEnd(),
		turnEnd,
	),
).state;

const copied = (text: string) => [['copy', text, false]];

describe('/copy', () => {
	test('counts the blocks of all steps, as the screen does', () => {
		expect(callsOf(play(withTool, enter('/copy 1')).effects)).toEqual(copied('first'));
		expect(callsOf(play(withTool, enter('/copy 2')).effects)).toEqual(copied('second'));
		expect(callsOf(play(withTool, enter('/copy js')).effects)).toEqual(copied('second'));
		const whole = `I look.\n\n${block('first')}\n\nDone.\n\n${block('second')}`;
		expect(callsOf(play(withTool, enter('/copy')).effects)).toEqual(copied(whole));
	});

	test('takes the last answer with text, whole or not', () => {
		const thought = events(stepStart, reasoningDelta('in vain'), failure('interrupted'));
		const later = play(withTool, enter('And?'), thought, press('ctrl+u')).state;
		expect(callsOf(play(later, enter('/copy 2')).effects)).toEqual(copied('second'));
		expect(callsOf(play(later, enter('/copy reasoning')).effects)).toEqual(copied('in vain'));
		const cut = events(stepStart, textDelta('```\nopen'), failure('incomplete'));
		const broken = play(withTool, enter('And?'), cut).state;
		expect(callsOf(play(broken, enter('/copy')).effects)).toEqual(copied('```\nopen'));
		expect(callsOf(play(broken, enter('/copy 3')).effects)).toEqual(copied('open'));
	});

	test('takes the block beside which its number stands, whatever has become of its turn', () => {
		const next = play(withTool, enter('And?'), answer(block('third')), enter('/copy 3'));
		expect(callsOf(next.effects).slice(-1)).toEqual(copied('third'));
		for (const command of ['/undo', '/new', '/retry']) {
			const {state, effects} = play(next.state, enter(command), press('ctrl+u'), enter('/copy 3'));
			expect(callsOf(effects).slice(-1)).toEqual(copied('third'));
			const later = play(state, enter('More?'), answer(block('fourth')), enter('/copy 4'));
			expect(callsOf(later.effects).slice(-1)).toEqual(copied('fourth'));
		}
	});

	test('takes the newest block in a language, of any answer', () => {
		const plain = play(withTool, enter('And?'), answer('No code.'), enter('/copy js'));
		expect(callsOf(plain.effects).slice(-1)).toEqual(copied('second'));
	});

	test('takes a refusal as an answer', () => {
		const refused = events(stepStart, {type: 'refusal-delta', text: 'No.'}, stepEnd(), turnEnd);
		const {effects} = play(begin(), enter('How?'), refused, enter('/copy'));
		expect(callsOf(effects).slice(-1)).toEqual(copied('No.'));
	});

	test('says what is missing', () => {
		const plain = play(begin(), enter('How?'), answer('So.')).state;
		expect(popupOf(play(begin(), enter('/copy')).state)).toBe('there is no answer to copy yet');
		expect(popupOf(play(plain, enter('/copy 1')).state)).toBe('there is no code block yet');
		expect(popupOf(play(plain, enter('/copy js')).state)).toBe('there is no code block yet');
		expect(popupOf(play(withTool, enter('/copy 3')).state)).toBe(
			'there are only 2 code blocks yet',
		);
		expect(popupOf(play(withTool, enter('/copy go')).state)).toBe('there is no code block in go');
		expect(popupOf(play(plain, enter('/copy reasoning')).state)).toBe(
			'there is no reasoning to copy yet',
		);
	});
});
