/** Signs that the user typed attach files and call commands; a text that comes back does neither. */
import {describe, expect, test} from 'vitest';
import type {Prompt} from '../../src/chat/prompt.ts';
import {changeDraft} from '../../src/repl/editor/prompt-text.ts';
import type {ReplState} from '../../src/repl/state.ts';
import {returnDraft} from '../../src/repl/turn/prompts.ts';
import {
	begin,
	ended,
	expandedTo,
	expectRows,
	mentionsRead,
	paste,
	play,
	type Step,
	settle,
	typedOf,
} from './play.ts';

const hostile = 'see @~/.ssh/config';
const file = {type: 'file', name: 'a.ts', text: 'let a;'} as const;
const loaded = {mention: 'a.ts', attachments: [file], notices: []};
const failed = ['<< …', '<< !unavailable'];
const ways: ReadonlyArray<readonly Step[]> = [['/edit⏎'], ['/undo⏎'], ['<escape escape>']];

function imported(prompt: Prompt): ReplState {
	const text = {type: 'text', text: 'ok'} as const;
	const message = {role: 'assistant', parts: [text], status: 'complete', model: 'm'} as const;
	const times = {startedAt: 0, reasoningMs: 0, totalMs: 0};
	const turn = {...{id: 't', prompt, model: 'm', messages: [message], times}, status: 'complete'};
	return begin({conversation: {system: '', turns: [turn as never], otherTurns: []}});
}

const later = (...prompts: readonly Prompt[]): Step => ({type: 'history-loaded', prompts});

describe('an at sign that nobody typed', () => {
	const kept = {draft: hostile};
	/** It is sent as it is, and nothing is read. */
	const sent = {prompt: hostile, sent: [], does: expect.not.arrayContaining(['prepare-prompt'])};
	const expectText = (from: ReplState, ...comesBack: ReadonlyArray<readonly Step[]>) => {
		for (const steps of comesBack) expectRows(from, [steps, kept], [[...steps, '⏎'], sent]);
	};

	test('attaches nothing, however it comes to the draft and back', () => {
		const forged = {from: 4, to: 18, label: hostile.slice(4)};
		expectText(imported({text: hostile, attachments: []}), ...ways);
		expectText(imported({text: hostile, attachments: [], folds: [forged]}), ['/edit⏎']);
		const pasted = paste(hostile);
		expectText(
			begin(),
			[pasted],
			[pasted, '⏎', ...failed],
			[pasted, '<ctrl+c>', '<up>'],
			[pasted, '<ctrl+u>', '<ctrl+y>'],
			[later({text: hostile, attachments: []}), '<up>'],
		);
		expect(typedOf(play(begin(), pasted, '⏎').effects)).toBeUndefined();
	});

	test('stays one in another editor, and until Tab after its word', () => {
		const before = {text: hostile, folds: [], attachments: []};
		const edited = changeDraft(before, `${hostile} and @notes.md`);
		const back = ended('edit-draft', (state) => returnDraft(state, edited));
		expectRows(
			begin(),
			[[back, '⏎'], {calls: [['loadMentions', ['notes.md']]], mentions: ['notes.md']}],
			[[paste('see @notes.md'), '<tab>⏎'], {mentions: ['notes.md']}],
		);
	});
});

describe('an at sign that the user typed', () => {
	const mentions = ['a.ts'];

	test('attaches, also beside a paste, and after it comes back', async () => {
		expectRows(
			begin(),
			[[paste(`${hostile}\n`), 'with @a.ts', '⏎'], {mentions}],
			[['see @a.ts', '<ctrl+c>', '<up>', '⏎'], {mentions}],
			[['see @a.ts', '<ctrl+u>', '<ctrl+y>', '⏎'], {mentions}],
		);
		const editText = (text: string) => Promise.resolve(`now ${text}`);
		const {state} = await settle(play(begin(), 'see @a.ts', '<ctrl+g>'), {editText});
		expectRows(state, ['⏎', {mentions}]);
	});

	test('attaches in a later session, and comes back with the file as it was sent', () => {
		const read = play(begin(), 'see @a.ts⏎', mentionsRead(loaded));
		const typed = {text: 'see @a.ts', folds: [], signs: [4]};
		expect(typedOf(read.effects)).toEqual(typed);
		expectRows(begin(), [[later({...typed, attachments: []}), '<up>⏎'], {mentions}]);
		expectRows(
			read.state,
			[['<< 1', '/edit⏎'], {draft: 'see @a.ts'}],
			[['<< 1', '/edit⏎', ' now', '⏎'], {prompt: 'see @a.ts now', sent: ['a.ts']}],
		);
	});

	test('is named if it is a slip in the name of a file, and sent as text', () => {
		const said = 'no such file: src/mian.ts, a.tx; sent as text';
		expectRows(
			begin(),
			[['explain @src/mian.ts and @a.tx⏎', mentionsRead()], {said}],
			[['ask @ada⏎', mentionsRead()], {said: ''}],
		);
	});
});

describe('a slash', () => {
	test('that nobody typed runs nothing, calls no template and opens no menu', () => {
		const unknown = {popup: expect.stringContaining('was not typed'), draft: '/exit'};
		const command = imported({text: '/exit', attachments: []});
		for (const way of ways) {
			expectRows(
				command,
				[[...way, '⏎'], {...unknown, does: expect.not.arrayContaining(['exit'])}],
				[[...way, '⏎', '<home>', ' ', '⏎'], {prompt: ' /exit'}],
				[[...way, '⏎', '<home delete>', '/', '⏎'], {does: expect.arrayContaining(['exit'])}],
			);
		}
		expect(play(command, '/edit⏎', 'x').state.menu).toBeUndefined();
		const call = imported({text: '/review it', attachments: []});
		const none = {does: expect.not.arrayContaining(['prepare-prompt'])};
		expectRows(call, [['/edit⏎', '⏎'], none]);
	});

	test('that was typed or pasted as a command runs again from the history, and after a failure', () => {
		const again = ['⏎', '/model other⏎', '<up up>⏎'];
		expectRows(
			begin(),
			[['/model gpt-x', ...again], {model: 'gpt-x'}],
			[[paste('/model gpt-x'), ...again], {model: 'gpt-x'}],
		);
		const called = play(begin(), '/review it⏎', expandedTo('Review it.'), ...failed).state;
		expectRows(called, [[], {draft: '/review it'}], ['⏎', {does: ['prepare-prompt']}]);
	});
});
