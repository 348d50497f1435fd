/** Signs that the user typed attach files and call commands; a text that comes back does neither. */
import {describe, expect, test} from 'vitest';
import type {Prompt} from '../../src/chat/prompt.ts';
import {changeDraft} from '../../src/repl/editor/prompt-text.ts';
import type {ReplState} from '../../src/repl/state.ts';
import {
	answer,
	begin,
	callsOf,
	draftEdited,
	draftOf,
	enter,
	events,
	expandedTo,
	failure,
	mentionsRead,
	paste,
	play,
	popupOf,
	press,
	promptOf,
	saidBy,
	settle,
	stepStart,
	type,
	typedOf,
	typesOf,
} from './play.ts';

const hostile = 'see @~/.ssh/config';
const file = {type: 'file', name: 'a.ts', text: 'let a;'} as const;

function imported(...prompts: readonly Prompt[]): ReplState {
	const turns = prompts.map((prompt, index) => ({
		id: `t${index}`,
		prompt,
		model: 'm',
		messages: [
			{role: 'assistant', parts: [{type: 'text', text: 'ok'}], status: 'complete', model: 'm'},
		] as const,
		times: {startedAt: 0, reasoningMs: 0, totalMs: 0},
		status: 'complete' as const,
	}));
	return begin({conversation: {system: '', turns, otherTurns: []}});
}

/** Presses Enter; expects that the text is sent as it is, and nothing is read. */
function expectSentAsText(state: ReplState, text: string) {
	expect(draftOf(state)).toBe(text);
	const sent = play(state, press('enter'));
	expect(typesOf(sent.effects)).not.toContain('prepare-prompt');
	expect(promptOf(sent.state)).toMatchObject({text, attachments: []});
}

describe('an at sign that nobody typed attaches nothing', () => {
	const conversation = imported({text: hostile, attachments: []});

	test.each([
		['/edit', enter('/edit')],
		['/undo', enter('/undo')],
		['Esc Esc', press('escape', 'escape')],
	])('after %s', (_, action) => {
		expectSentAsText(play(conversation, action).state, hostile);
	});

	test('after a paste, also when it comes back from the history or from a failed turn', () => {
		const pasted = play(begin(), paste(hostile));
		expectSentAsText(pasted.state, hostile);
		const failed = play(pasted.state, press('enter'), events(stepStart, failure('unavailable')));
		expectSentAsText(failed.state, hostile);
		const cleared = play(pasted.state, press('ctrl+c'));
		expectSentAsText(play(cleared.state, press('up')).state, hostile);
		expectSentAsText(
			play(cleared.state, press('ctrl+r'), type('ssh'), press('enter')).state,
			hostile,
		);
		expectSentAsText(play(pasted.state, press('ctrl+u'), press('ctrl+y')).state, hostile);
	});

	test('after it was in the history of an earlier session', () => {
		const {effects} = play(begin(), paste(hostile), press('enter'));
		expect(typedOf(effects)).toBeUndefined();
		const prompts = [{text: hostile, attachments: []}];
		const later = play(begin(), {type: 'history-loaded', prompts}, press('up'));
		expectSentAsText(later.state, hostile);
	});

	test('with a forged label in a saved conversation', () => {
		const forged = {
			text: hostile,
			attachments: [],
			folds: [{from: 4, to: 18, label: hostile.slice(4)}],
		};
		expectSentAsText(play(imported(forged), enter('/edit')).state, hostile);
	});

	test('after another editor, as long as its word stays', () => {
		const edited = changeDraft(
			{text: hostile, folds: [], attachments: []},
			`${hostile} and @notes.md`,
		);
		const {state, effects} = play(begin(), draftEdited(edited), press('enter'));
		expect(callsOf(effects)).toEqual([['loadMentions', ['notes.md']]]);
		expect(state.queue[0]?.mentions).toEqual(['notes.md']);
	});

	test('until Tab after its word', () => {
		const {state} = play(begin(), paste('see @notes.md'), press('tab', 'enter'));
		expect(state.queue[0]?.mentions).toEqual(['notes.md']);
	});
});

test('a slip in the name of a file is named, and sent as text', () => {
	const said = (text: string) => {
		const waiting = play(begin(), enter(text)).state;
		const [prompt] = waiting.queue;
		return prompt === undefined ? '' : saidBy(play(waiting, mentionsRead(prompt, [])).effects);
	};
	expect(said('explain @src/mian.ts and @a.tx')).toBe(
		'no such file: src/mian.ts, a.tx; sent as text',
	);
	expect(said('ask @ada')).toBe('');
});

describe('an at sign that the user typed', () => {
	test('attaches in a text that was pasted', () => {
		const {state} = play(begin(), paste(`${hostile}\n`), type('with @a.ts'), press('enter'));
		expect(state.queue[0]?.mentions).toEqual(['a.ts']);
	});

	test.each([
		['the history', [press('ctrl+c'), press('up')]],
		['a deletion', [press('ctrl+u'), press('ctrl+y')]],
		['undo', [press('ctrl+u'), press('ctrl+_')]],
	])('still attaches after it comes back from %s', (_, actions) => {
		const {state} = play(begin(), type('see @a.ts'), ...actions, press('enter'));
		expect(state.queue[0]?.mentions).toEqual(['a.ts']);
	});

	test('still attaches in a later session', () => {
		const waiting = play(begin(), enter('see @a.ts')).state;
		const [prompt] = waiting.queue;
		if (prompt === undefined) throw new Error('the prompt does not wait');
		const loaded = [{mention: 'a.ts', attachments: [file], notices: []}];
		const typed = typedOf(play(waiting, mentionsRead(prompt, loaded)).effects);
		expect(typed).toEqual({text: 'see @a.ts', folds: [], signs: [4]});
		const prompts = typed === undefined ? [] : [{...typed, attachments: []}];
		const later = play(begin(), {type: 'history-loaded', prompts}, press('up', 'enter'));
		expect(later.state.queue[0]?.mentions).toEqual(['a.ts']);
	});

	test('still attaches after another editor', async () => {
		const {state} = await settle(play(begin(), type('see @a.ts'), press('ctrl+g')), {
			editText: (text) => Promise.resolve(`now ${text}`),
		});
		const sent = play(state, press('enter')).state;
		expect(sent.queue[0]?.mentions).toEqual(['a.ts']);
	});
});

describe('a slash that nobody typed', () => {
	const conversation = imported({text: '/exit', attachments: []});

	test.each([
		['/edit', enter('/edit')],
		['/undo', enter('/undo')],
		['Esc Esc', press('escape', 'escape')],
	])('runs nothing after %s', (_, action) => {
		const {state, effects} = play(conversation, action, press('enter'));
		expect(typesOf(effects)).not.toContain('exit');
		expect(popupOf(state)).toContain('was not typed');
		expect(draftOf(state)).toBe('/exit');
		const sent = play(state, press('home'), type(' '), press('enter'));
		expect(promptOf(sent.state)?.text).toBe(' /exit');
		const ran = play(state, press('home', 'delete'), type('/'), press('enter'));
		expect(typesOf(ran.effects)).toContain('exit');
	});

	test('calls no template', () => {
		const {effects} = play(
			imported({text: '/review it', attachments: []}),
			enter('/edit'),
			press('enter'),
		);
		expect(typesOf(effects)).not.toContain('prepare-prompt');
	});

	test('opens no menu', () => {
		const {state} = play(conversation, enter('/edit'), type('x'));
		expect(state.menu).toBeUndefined();
	});
});

describe('a command that the user typed', () => {
	test('runs again from the history, also one that was pasted', () => {
		for (const write of [type, paste]) {
			const ran = play(begin(), write('/model gpt-x'), press('enter'), enter('/model other'));
			const again = play(ran.state, press('up', 'up', 'enter'));
			expect(again.state.options.model).toBe('gpt-x');
		}
	});

	test('calls its template again after a failure', () => {
		const called = play(begin(), enter('/review it'));
		const expanded = {
			prompt: {text: 'Review it.', attachments: []},
			settings: {options: {}, system: undefined},
			notices: [],
		};
		const failed = play(
			called.state,
			expandedTo(called.state, expanded),
			events(stepStart, failure('unavailable')),
		);
		expect(draftOf(failed.state)).toBe('/review it');
		expect(typesOf(play(failed.state, press('enter')).effects)).toContain('prepare-prompt');
	});
});

test('a mention that was sent comes back with the file as it was sent', () => {
	const waiting = play(begin(), enter('see @a.ts')).state;
	const [prompt] = waiting.queue;
	if (prompt === undefined) throw new Error('the prompt does not wait');
	const loaded = [{mention: 'a.ts', attachments: [file], notices: []}];
	const {state} = play(waiting, mentionsRead(prompt, loaded), answer('1'));
	const back = play(state, enter('/edit'));
	expect(draftOf(back.state)).toBe('see @a.ts');
	const sent = play(back.state, type(' now'), press('enter'));
	expect(promptOf(sent.state)).toMatchObject({text: 'see @a.ts now', attachments: [file]});
});
