/** The effect of each key. */
import {describe, expect, test} from 'vitest';
import type {Action} from '../../src/repl/action.ts';
import {type BoundCommand, keyBindings} from '../../src/repl/keys/key-bindings.ts';
import {displayPrompt} from '../../src/repl/turn/prompts.ts';
import {
	answer,
	begin,
	callsOf,
	draftEdited,
	draftOf,
	enter,
	entriesOf,
	events,
	failure,
	markedDraft,
	messagesOf,
	paste,
	play,
	popupOf,
	press,
	reasoningDelta,
	stepStart,
	textDelta,
	type,
	typesOf,
	withDraft,
} from './play.ts';

/** Checks that a key changes the draft and does nothing else. */
function edits(before: string, after: string): (key: Action) => void {
	return (key) => {
		const {state, effects} = play(withDraft(begin(), before), key);
		expect(markedDraft(state)).toBe(after);
		expect(effects).toEqual([]);
	};
}

const streaming = play(
	begin(),
	enter('question'),
	events(stepStart, reasoningDelta('hm'), textDelta('partly')),
).state;

const withHistory = play(begin(), enter('one'), answer('1'), enter('two'), answer('2')).state;

/** A check for every command of the key table. */
const checks: Readonly<Record<BoundCommand, (key: Action) => void>> = {
	submit(key) {
		const {state, effects} = play(withDraft(begin(), 'one|\ntwo'), key);
		expect(typesOf(effects)).toEqual(['print', 'start-turn']);
		expect(state.conversation.open?.prompt.text).toBe('one\ntwo');
		expect(draftOf(state)).toBe('');
	},
	complete(key) {
		expect(markedDraft(play(withDraft(begin(), '/mod|'), key).state)).toBe('/model |');
	},
	'search-history'(key) {
		const searching = play(withDraft(withHistory, 'dra|ft'), key, type('O')).state;
		expect(markedDraft(searching)).toBe('dra|ft');
		expect(draftOf(play(searching, press('enter')).state)).toBe('two');
	},
	'insert-newline': edits('ab|c', 'ab\n|c'),
	interrupt(key) {
		expect(typesOf(play(streaming, key).effects)).toEqual(['stop-turn']);
		const cleared = play(withDraft(begin(), 'draft|'), key);
		expect(draftOf(cleared.state)).toBe('');
		expect(draftOf(play(cleared.state, press('up')).state)).toBe('draft');
		expect(typesOf(play(begin(), key, key).effects)).toEqual(['arm-key', 'exit']);
	},
	cancel(key) {
		expect(typesOf(play(streaming, key).effects)).toEqual(['stop-turn']);
	},
	'delete-right-or-exit'(key) {
		edits('a|bc', 'a|c')(key);
		expect(typesOf(play(begin(), key).effects)).toEqual(['exit']);
	},
	'open-fold'(key) {
		const shown = play(streaming, key).state;
		expect(shown.turn?.paneChoice).toBe('open');
		expect(play(shown, key).state.turn?.paneChoice).toBe('closed');
	},
	'paste-clipboard'(key) {
		const {state, effects} = play(withDraft(begin(), 'dra|ft'), key);
		expect(callsOf(effects)).toEqual([['loadClipboard']]);
		expect(markedDraft(state)).toBe('dra|ft');
	},
	'copy-answer'(key) {
		const {state, effects} = play(withDraft(withHistory, 'dra|ft'), key);
		expect(callsOf(effects)).toEqual([['copy', '2', false]]);
		expect(markedDraft(state)).toBe('dra|ft');
	},
	suspend(key) {
		const {state, effects} = play(withDraft(begin(), 'dra|ft'), key);
		expect(effects).toEqual([{type: 'suspend'}]);
		expect(markedDraft(state)).toBe('dra|ft');
	},
	'edit-draft'(key) {
		const {state, effects} = play(withDraft(begin(), 'dra|ft'), key);
		expect(typesOf(effects)).toContain('edit-draft');
		const draft = {text: 'new\ndraft', folds: [], attachments: []};
		const edited = play(state, draftEdited(draft)).state;
		expect(markedDraft(edited)).toBe('new\ndraft|');
		expect(markedDraft(play(edited, press('ctrl+_')).state)).toBe('dra|ft');
	},
	redraw(key) {
		const {state, effects} = play(withDraft(begin(), 'dra|ft'), key);
		expect(effects).toEqual([{type: 'redraw'}]);
		expect(markedDraft(state)).toBe('dra|ft');
	},
	'move-up'(key) {
		edits('one\ntwo|', 'one|\ntwo')(key);
		expect(draftOf(play(withHistory, key).state)).toBe('two');
	},
	'move-down'(key) {
		edits('o|ne\ntwo', 'one\nt|wo')(key);
		const recalled = play(withDraft(withHistory, 'new|'), press('up')).state;
		expect(draftOf(play(recalled, key).state)).toBe('new');
	},
	'edit-queued'(key) {
		const queued = play(streaming, enter('one'), enter('two'), type('draft')).state;
		const {state} = play(queued, key);
		expect(markedDraft(state)).toBe('two\ndraft|');
		expect(state.queue.map(({text}) => text)).toEqual(['one']);
		expect(draftOf(play(state, key, key).state)).toBe('one\ntwo\ndraft');
	},
	'history-older'(key) {
		expect(draftOf(play(withDraft(withHistory, 'a\nb|'), key).state)).toBe('two');
		expect(draftOf(play(withHistory, key, key, key).state)).toBe('one');
	},
	'history-newer'(key) {
		const recalled = play(withDraft(withHistory, 'new|'), press('ctrl+p', 'ctrl+p')).state;
		expect(draftOf(play(recalled, key).state)).toBe('two');
		expect(draftOf(play(recalled, key, key).state)).toBe('new');
	},
	'move-left': edits('ab|', 'a|b'),
	'move-right': edits('a|b', 'ab|'),
	'move-word-left': edits('one two|', 'one |two'),
	'move-word-right': edits('|one two', 'one| two'),
	'move-line-start': edits('one\ntwo|', 'one\n|two'),
	'move-line-end': edits('o|ne\ntwo', 'one|\ntwo'),
	'delete-left': edits('ab|c', 'a|c'),
	'delete-right': edits('a|bc', 'a|c'),
	'delete-whitespace-word-left': edits('a b-c|', 'a |'),
	'delete-word-left': edits('a b-c|', 'a b-|'),
	'delete-word-right': edits('|one two', '| two'),
	'delete-line-start': edits('one\ntwo|x', 'one\n|x'),
	'delete-line-end': edits('o|ne\ntwo', 'o|\ntwo'),
	yank(key) {
		const {state} = play(withDraft(begin(), 'one two|'), press('ctrl+w', 'ctrl+a'), key);
		expect(markedDraft(state)).toBe('two|one ');
	},
	'yank-older'(key) {
		const killed = play(withDraft(begin(), 'one two|'), press('ctrl+w', 'left', 'ctrl+u')).state;
		const yanked = play(killed, press('ctrl+y')).state;
		expect(markedDraft(yanked)).toBe('one| ');
		expect(markedDraft(play(yanked, key).state)).toBe('two| ');
	},
	undo(key) {
		const {state} = play(begin(), type('one two'), key);
		expect(markedDraft(state)).toBe('one |');
	},
	redo(key) {
		const {state} = play(begin(), type('one two'), press('ctrl+_', 'ctrl+_'), key, key);
		expect(markedDraft(state)).toBe('one two|');
	},
};

describe('the table of keys', () => {
	const rows = keyBindings.flatMap(({chords, command, summary}) =>
		chords.map((chord) => ({chord, command, summary})),
	);

	test.each(rows)('$chord: $summary', ({chord, command}) => {
		checks[command](press(...chord.split(' ')));
	});

	test('gives each chord to one command', () => {
		const chords = rows.map(({chord}) => chord);
		expect(new Set(chords).size).toBe(chords.length);
	});

	test('has a key for every command', () => {
		const commands: readonly string[] = keyBindings.map(({command}) => command);
		expect([...commands].sort()).toEqual(Object.keys(checks).sort());
	});
});

describe('Ctrl-C', () => {
	test('stops the answer, and keeps the draft', () => {
		const {state, effects} = play(withDraft(streaming, 'next que|'), press('ctrl+c'));
		expect(typesOf(effects)).toEqual(['stop-turn']);
		expect(markedDraft(state)).toBe('next que|');
		expect(state.turn?.phase).toBe('stopping');
	});

	test('stops an answer once, without arming the exit', () => {
		const {state, effects} = play(streaming, press('ctrl+c', 'ctrl+c', 'ctrl+c'));
		expect(typesOf(effects)).toEqual(['stop-turn']);
		expect(state.armedKey).toBeUndefined();
	});

	test('clears the draft before it exits', () => {
		const {effects} = play(withDraft(begin(), 'draft|'), press('ctrl+c', 'ctrl+c', 'ctrl+c'));
		expect(typesOf(effects)).toEqual(['arm-key', 'exit']);
	});

	test.each([
		['the end of two seconds', {type: 'key-disarmed'}],
		['a letter', type('x')],
		['a paste', paste('x')],
		['a key without a meaning', press('f5')],
		['Esc', press('escape')],
		['Ctrl-L', press('ctrl+l')],
		['Ctrl-O', press('ctrl+o')],
		['an arrow', press('up')],
		['the help', type('?')],
		['Enter', press('enter')],
	] satisfies [string, Action][])('is disarmed by %s', (_, action) => {
		const armed = play(begin(), press('ctrl+c')).state;
		expect(armed.armedKey).toBe('Ctrl-C');
		expect(play(armed, action).state.armedKey).toBeUndefined();
	});

	test('clears a blank draft without adding it to the history', () => {
		const {state} = play(withDraft(begin(), '  |'), press('ctrl+c'));
		expect(draftOf(state)).toBe('');
		expect(state.editor.history.entries).toEqual([]);
	});
});

describe('Esc', () => {
	const asked = play(begin(), enter('first'), answer('1'), enter('second'), answer('2')).state;

	test('shows the last prompt in an empty editor when it is pressed twice', () => {
		const once = play(asked, press('escape'));
		expect(once.state.armedKey).toBe('Esc');
		expect(typesOf(once.effects)).toEqual(['arm-key']);
		const {state} = play(once.state, press('escape'));
		expect(draftOf(state)).toBe('second');
		expect(state.conversation).toBe(asked.conversation);
		expect(state.armedKey).toBeUndefined();
	});

	test.each([
		['another key', press('ctrl+l')],
		['Ctrl-C', press('ctrl+c')],
		['two seconds', {type: 'key-disarmed'}],
	] satisfies [string, Action][])('counts from the start after %s', (_, action) => {
		const {state} = play(asked, press('escape'), action, press('escape'));
		expect(state.conversation).toBe(asked.conversation);
		expect(state.armedKey).toBe('Esc');
	});

	test('does nothing twice without a prompt to edit', () => {
		expect(play(begin(), press('escape', 'escape')).effects).toEqual([]);
	});

	test('waits for another conversation that is being read', () => {
		const {state} = play(asked, enter('/resume k3f9'), press('escape', 'escape'));
		expect(state.conversation).toBe(asked.conversation);
		expect(state.armedKey).toBeUndefined();
	});

	test('that stops an answer is not the first of two', () => {
		const stopped = play(streaming, press('escape'), events(failure('interrupted'))).state;
		expect(play(stopped, press('escape')).state.conversation).toBe(stopped.conversation);
	});

	test('never clears a draft', () => {
		const idle = play(withDraft(begin(), 'draft|'), press('escape', 'escape', 'escape'));
		expect(draftOf(idle.state)).toBe('draft');
		expect(idle.effects).toEqual([]);
		expect(draftOf(play(withDraft(streaming, 'draft|'), press('escape', 'escape')).state)).toBe(
			'draft',
		);
	});
});

describe('Ctrl-D', () => {
	test('does nothing at the end of a draft', () => {
		const {state, effects} = play(withDraft(begin(), 'draft|'), press('ctrl+d'));
		expect(draftOf(state)).toBe('draft');
		expect(effects).toEqual([]);
	});

	test('exits only when pressed twice during an answer', () => {
		const once = play(streaming, press('ctrl+d'));
		expect(typesOf(once.effects)).toEqual(['arm-key']);
		expect(typesOf(play(once.state, press('ctrl+d')).effects)).toEqual(['exit']);
		expect(typesOf(play(once.state, type('x'), press('backspace', 'ctrl+d')).effects)).toEqual([
			'arm-key',
		]);
		expect(typesOf(play(once.state, press('ctrl+c')).effects)).toEqual(['stop-turn']);
	});
});

describe('Enter', () => {
	test('replaces a backslash before the cursor by a new line', () => {
		const {state, effects} = play(begin(), type('one\\'), press('enter'), type('two'));
		expect(draftOf(state)).toBe('one\ntwo');
		expect(effects).toEqual([]);
	});

	test('sends a backslash that is not before the cursor', () => {
		expect(
			play(withDraft(begin(), 'on|e\\'), press('enter')).state.conversation.open?.prompt.text,
		).toBe('one\\');
	});

	test.each(['', ' ', ' \n\t '])('does nothing with %j', (text) => {
		const {state, effects} = play(withDraft(begin(), `${text}|`), press('enter'));
		expect(effects).toEqual([]);
		expect(state.turn).toBeUndefined();
	});

	test('shows the prompt, and sends the whole conversation', () => {
		const {state, effects} = play(withHistory, enter('three'));
		expect(effects.slice(1)).toEqual([
			{type: 'print', entry: {type: 'prompt', prompt: expect.objectContaining({text: 'three'})}},
			{type: 'start-turn', conversation: state.conversation, options: withHistory.options},
		]);
		expect(messagesOf(state)).toHaveLength(5);
	});

	test('sends a folded paste in full, and shows it folded', () => {
		const lines = Array.from({length: 50}, (_, index) => `line ${index}`).join('\n');
		const {state} = play(begin(), type('sum up: '), paste(lines), press('enter'));
		expect(state.conversation.open?.prompt.text).toBe(`sum up: ${lines}`);
		expect(state.conversation.open && displayPrompt(state.conversation.open.prompt)).toBe(
			'sum up: [Pasted 50 lines #1]',
		);
	});
});

describe('Ctrl-O', () => {
	const toggle = press('ctrl+o');

	test('when idle opens and closes the reasoning of the last turn', () => {
		const idle = play(begin(), enter('q'), answer('a', 'because')).state;
		const opened = play(idle, toggle);
		expect(opened.state.openFold).toBe(0);
		expect(opened.effects).toEqual([]);
		expect(play(opened.state, toggle).state.openFold).toBeUndefined();
		expect(play(opened.state, enter('next')).state.openFold).toBeUndefined();
	});

	test.each([
		['no turn', begin()],
		['a turn without reasoning', withHistory],
	])('when idle after %s reports that there is none', (_, state) => {
		const opened = play(state, toggle);
		expect(popupOf(opened.state)).toBe('no reasoning or tool call to show');
		expect(opened.state.openFold).toBeUndefined();
	});

	test('does not open the reasoning of an undone turn', () => {
		const idle = play(begin(), enter('q'), answer('a', 'because'), toggle, enter('/undo')).state;
		expect(idle.openFold).toBeUndefined();
		expect(popupOf(play(idle, toggle).state)).toBe('no reasoning or tool call to show');
	});
});

test('applies keys that arrive together in order', () => {
	const {state, effects} = play(begin(), {
		type: 'keys',
		keys: [
			{type: 'text', text: 'first'},
			...keysOf('enter'),
			{type: 'text', text: 'second'},
			...keysOf('enter', 'ctrl+c'),
		],
		now: 7,
	});
	expect(entriesOf(effects)).toHaveLength(1);
	expect(typesOf(effects)).toEqual(['print', 'start-turn', 'stop-turn']);
	expect(state.queue.map(({text}) => text)).toEqual(['second']);
	expect(state.conversation.open?.since).toBe(7);
});

function keysOf(...chords: readonly string[]) {
	const action = press(...chords);
	return action.type === 'keys' ? action.keys : [];
}
