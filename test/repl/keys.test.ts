/** The effect of each key. */
import {describe, expect, test} from 'vitest';
import {type BoundCommand, keyBindings} from '../../src/repl/keys/key-bindings.ts';
import type {ReplState} from '../../src/repl/state.ts';
import {
	begin,
	draftEdited,
	expectRows,
	paste,
	play,
	type Seen,
	type Step,
	withDraft,
} from './play.ts';

const streaming = play(begin(), 'question⏎', '<< (hm) partly…').state;
const idle = play(begin(), 'one⏎', '<< 1', 'two⏎', '<< 2').state;
const reasoned = play(begin(), 'q⏎', '<< (because) a').state;
const noFold = 'no reasoning or tool call to show';
const drafted = withDraft(idle, 'dra|ft');
const newDraft = withDraft(idle, 'new|');
const queued = play(streaming, 'one⏎', 'two⏎', 'draft').state;

/** Before, with the cursor at the `|`; the steps, `*` for the key; what is seen after them. */
type Check = readonly [from: ReplState | string, steps: readonly Step[], seen: Seen];

/** The key changes the draft, and does nothing else. */
function edits(before: string, after: string): readonly [Check] {
	return [[before, ['*'], {marked: after, does: []}]];
}

/** Checks for every command of the key table. */
const checks: Readonly<Record<BoundCommand, readonly Check[]>> = {
	submit: [['one|\ntwo', ['*'], {does: ['print', 'start-turn'], prompt: 'one\ntwo', draft: ''}]],
	complete: [['/mod|', ['*'], {marked: '/model |'}]],
	'search-history': [
		[drafted, ['*', 'O'], {marked: 'dra|ft'}],
		[drafted, ['*', 'O', '⏎'], {draft: 'two'}],
	],
	'insert-newline': edits('ab|c', 'ab\n|c'),
	interrupt: [
		[streaming, ['*'], {does: ['stop-turn']}],
		['draft|', ['*'], {draft: ''}],
		['draft|', ['*', '<up>'], {draft: 'draft'}],
		['|', ['*', '*'], {does: ['arm-key', 'exit']}],
	],
	cancel: [[streaming, ['*'], {does: ['stop-turn']}]],
	'delete-right-or-exit': [...edits('a|bc', 'a|c'), ['|', ['*'], {does: ['exit']}]],
	'open-fold': [
		[streaming, ['*'], {pane: 'open'}],
		[streaming, ['*', '*'], {pane: 'closed'}],
		[reasoned, ['*'], {fold: 0, does: []}],
		[reasoned, ['*', '*'], {fold: undefined}],
		[reasoned, ['*', 'next⏎'], {fold: undefined}],
		[reasoned, ['*', '/undo⏎', '*'], {fold: undefined, popup: noFold}],
		[idle, ['*'], {fold: undefined, popup: noFold}],
		['|', ['*'], {popup: noFold}],
	],
	'paste-clipboard': [[drafted, ['*'], {calls: [['loadClipboard']], marked: 'dra|ft'}]],
	'copy-answer': [[drafted, ['*'], {calls: [['copy', '2', false]], marked: 'dra|ft'}]],
	suspend: [[drafted, ['*'], {does: ['suspend'], marked: 'dra|ft'}]],
	'edit-draft': [
		[drafted, ['*'], {does: expect.arrayContaining(['edit-draft'])}],
		[drafted, ['*', draftEdited('new\ndraft')], {marked: 'new\ndraft|'}],
		[drafted, ['*', draftEdited('new\ndraft'), '<ctrl+_>'], {marked: 'dra|ft'}],
	],
	redraw: [[drafted, ['*'], {does: ['redraw'], marked: 'dra|ft'}]],
	'move-up': [...edits('one\ntwo|', 'one|\ntwo'), [idle, ['*'], {draft: 'two'}]],
	'move-down': [...edits('o|ne\ntwo', 'one\nt|wo'), [newDraft, ['<up>', '*'], {draft: 'new'}]],
	'edit-queued': [
		[queued, ['*'], {marked: 'two\ndraft|', queue: ['one']}],
		[queued, ['*', '*', '*'], {draft: 'one\ntwo\ndraft'}],
	],
	'history-older': [
		[withDraft(idle, 'a\nb|'), ['*'], {draft: 'two'}],
		[idle, ['*', '*', '*'], {draft: 'one'}],
	],
	'history-newer': [
		[newDraft, ['<ctrl+p ctrl+p>', '*'], {draft: 'two'}],
		[newDraft, ['<ctrl+p ctrl+p>', '*', '*'], {draft: 'new'}],
	],
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
	yank: [['one two|', ['<ctrl+w ctrl+a>', '*'], {marked: 'two|one '}]],
	'yank-older': [
		['one two|', ['<ctrl+w left ctrl+u>', '<ctrl+y>'], {marked: 'one| '}],
		['one two|', ['<ctrl+w left ctrl+u>', '<ctrl+y>', '*'], {marked: 'two| '}],
	],
	undo: [['|', ['one two', '*'], {marked: 'one |'}]],
	redo: [['|', ['one two', '<ctrl+_ ctrl+_>', '*', '*'], {marked: 'one two|'}]],
};

describe('the table of keys', () => {
	const rows = keyBindings.flatMap(({chords, command, summary}) =>
		chords.map((chord) => ({chord, command, summary})),
	);

	test.each(rows)('$chord: $summary', ({chord, command}) => {
		for (const [from, steps, seen] of checks[command]) {
			const all = steps.map((step) => (step === '*' ? `<${chord}>` : step));
			const before = typeof from === 'string' ? withDraft(begin(), from) : from;
			expectRows(before, [all, seen]);
		}
	});

	test('gives each chord to one command, and has a key for every command', () => {
		const chords = rows.map(({chord}) => chord);
		expect(new Set(chords).size).toBe(chords.length);
		const commands: readonly string[] = keyBindings.map(({command}) => command);
		expect([...commands].sort()).toEqual(Object.keys(checks).sort());
	});
});

describe('Ctrl-C', () => {
	test('stops an answer once and keeps the draft; clears a draft before it exits', () => {
		const stopped = {does: ['stop-turn'], phase: 'stopping', armed: undefined};
		expectRows(
			withDraft(streaming, 'next que|'),
			['<ctrl+c>', {...stopped, marked: 'next que|'}],
			['<ctrl+c ctrl+c ctrl+c>', stopped],
		);
		expectRows(
			begin(),
			[['draft', '<ctrl+c ctrl+c ctrl+c>'], {does: ['arm-key', 'exit']}],
			[['  ', '<ctrl+c>', '<up>'], {draft: ''}],
		);
	});

	test.each<Step>([
		{type: 'key-disarmed'},
		paste('x'),
		...['x', '<f5>', '<escape>', '<ctrl+l>', '<ctrl+o>', '<up>', '?', '⏎'],
	])('is disarmed by %j', (step) => {
		expectRows(begin(), ['<ctrl+c>', {armed: 'Ctrl-C'}], [['<ctrl+c>', step], {armed: undefined}]);
	});
});

test('Esc is armed for a second one, but not by one that stops an answer, and clears no draft', () => {
	const armed = {armed: 'Esc', draft: '', does: expect.arrayContaining(['arm-key'])};
	expectRows(
		idle,
		['<escape>', armed],
		['<escape escape>', {armed: undefined, draft: 'two'}],
		[['<escape>', '<ctrl+l>', '<escape>'], armed],
		[['<escape>', '<ctrl+c>', '<escape>'], armed],
		[['<escape>', {type: 'key-disarmed'}, '<escape>'], armed],
		[['/resume k3f9⏎', '<escape escape>'], {armed: undefined, draft: ''}],
	);
	expectRows(
		begin(),
		['<escape escape>', {does: [], armed: undefined}],
		[['draft', '<escape escape escape>'], {draft: 'draft', does: []}],
	);
	expectRows(
		streaming,
		[['draft', '<escape escape>'], {draft: 'draft'}],
		[['<escape>', '<< !interrupted', '<escape>'], {draft: ''}],
	);
});

test('Ctrl-D exits only from an empty draft, and during an answer only when pressed twice', () => {
	expectRows(begin(), [['draft', '<ctrl+d>'], {draft: 'draft', does: []}]);
	expectRows(
		streaming,
		['<ctrl+d>', {does: ['arm-key']}],
		[['<ctrl+d>', '<ctrl+d>'], {does: ['arm-key', 'exit']}],
		[['<ctrl+d>', 'x', '<backspace ctrl+d>'], {does: ['arm-key', 'arm-key']}],
		[['<ctrl+d>', '<ctrl+c>'], {does: ['arm-key', 'stop-turn']}],
	);
});

describe('Enter', () => {
	test('replaces a backslash before the cursor by a new line, and sends no blank text', () => {
		const nothing = {does: [], prompt: undefined};
		expectRows(
			begin(),
			[['one\\', '⏎', 'two'], {draft: 'one\ntwo', does: []}],
			[['one\\', '<left>⏎'], {prompt: 'one\\'}],
			['⏎', nothing],
			[[' ', '⏎'], nothing],
			[[paste(' \n\t '), '⏎'], nothing],
		);
	});
});
