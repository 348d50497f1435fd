/** The menu below the prompt: commands, arguments, files. */
import {describe, expect, test} from 'vitest';
import {ChatError} from '../../../src/errors.ts';
import type {ReplState} from '../../../src/repl/state.ts';
import {
	attached,
	begin,
	enter,
	expectRows,
	expectSeen,
	letters,
	listed,
	mentionsRead,
	paste,
	play,
	popupOf,
	refused,
	replyOf,
	rowsOf,
	type Step,
	settle,
	valuesListed,
} from '../play.ts';

const typed = (text: string, ...more: readonly Step[]): ReplState =>
	play(begin(), ...letters(text), ...more).state;
const some = (text: string) => expect.stringContaining(text);
const asks = (source: object) => ({calls: [['listValues', source]]});

test('a list that cannot be read says so only if the program is incomplete', async () => {
	const missing = Object.assign(new Error('no chunk'), {code: 'ERR_MODULE_NOT_FOUND'});
	const offline = new ChatError('unavailable', 'no connection');
	const said = async (text: string, error: Error) => {
		const listValues = () => Promise.reject(error);
		const failed = await settle(play(begin(), ...letters(text)), {listValues});
		expectSeen(failed, {draft: text});
		return replyOf(failed);
	};
	for (const text of ['see @', '/model ']) {
		expect(await said(text, missing)).toMatch(/^a program file is missing/);
		expect(await said(text, offline)).toBe('');
	}
	expect(await said('/', missing)).toBe('');
});

describe('a slash at the start of the prompt', () => {
	test('opens the list of the commands, with the first one selected', () => {
		const [first, ...others] = rowsOf(typed('/'));
		expect(first).toMatch(/^> \//);
		expect(others).toContain('/model');
		const none = {rows: []};
		const opened = {rows: expect.arrayContaining(['/model']), draft: '/', does: ['list-values']};
		expectRows(
			begin(),
			[letters('a/'), none],
			[paste('/mo'), none],
			// An Enter on it opens it, too.
			[[paste('/ '), '⏎'], opened],
		);
	});

	test('is filtered by letters: the starts of names first, then letters in order', () => {
		expect(rowsOf(typed('/mo'))[0]).toBe('> /model');
		expect(rowsOf(typed('/mdl'))).toEqual(['> /model']);
		expect(rowsOf(typed('/xyz'))).toEqual([]);
		expect(rowsOf(typed('/re', '<down>'))[1]).toMatch(/^> /);
		const selected = (...keys: readonly string[]) =>
			rowsOf(typed('/re', ...keys)).findIndex((row) => row.startsWith('>'));
		expect(selected('<up>')).toBe(rowsOf(typed('/re')).length - 1);
		expect(selected('<ctrl+p>', '<ctrl+n>')).toBe(0);
	});

	test('is completed by Tab, run by Enter as it is written, and closed by Esc for this word', () => {
		const models = expect.arrayContaining([['listValues', {type: 'models'}]]);
		expectRows(
			begin(),
			[[...letters('/mo'), '<tab>'], {draft: '/model ', calls: models}],
			[[...letters('/quit'), '⏎'], {does: ['list-values', 'exit']}],
			[[...letters('/undo'), '⏎'], {popup: 'nothing to undo'}],
			[[...letters('/mo'), '<escape>', 'd'], {rows: [], draft: '/mod'}],
			[[...letters('/mo'), '<escape>', '<tab>'], {draft: '/model '}],
			// A line that was typed ahead runs as it is.
			[['/mod⏎', refused()], {popup: some('did you mean /model?')}],
		);
		expectRows(
			play(begin(), 'q⏎', '<< a…', '/').state,
			['<escape>', {does: []}],
			[['<escape>', '<escape>'], {does: ['stop-turn']}],
		);
	});
});

describe('templates in the list of commands', () => {
	const values = [
		{text: 'review', meaning: '[focus]: Reviews a diff', isPartial: true},
		{text: 'git:commit'},
		{text: 'model', meaning: 'Designs a model'},
		{text: 'über'},
	];
	const found = valuesListed({type: 'templates'}, values);

	test('are asked for once, follow our commands, and leave the selected one where it is', () => {
		expectRows(
			begin(),
			['a', {calls: []}],
			[['/', found, 'r', 'e'], asks({type: 'templates'})],
			[[...letters('/mod'), found], {rows: ['> /model', '/t:model']}],
		);
		const rows = rowsOf(typed('/', found));
		expect(rows.slice(-4)).toEqual(['/review', '/git:commit', '/t:model', '/t:über']);
		const moved = typed('/re', '<down>');
		expect(rowsOf(play(moved, found).state).slice(0, -1)).toEqual(rowsOf(moved));
	});

	test('are found by their letters, taken by Tab, and called by Enter without arguments', () => {
		expectRows(
			begin(),
			[['/', found, ...letters('gco')], {rows: ['> /git:commit']}],
			[[...letters('/t:model'), found, '⏎'], {call: {name: 'model', argument: ''}}],
			[[...letters('/rev'), found, '⏎'], {draft: '/review ', call: undefined}],
		);
	});
});

describe('an argument', () => {
	const asked = typed('/model ');
	const models = listed({type: 'models'}, 'MODEL-5.6-sol', 'small', 'large');

	test('of /model may be one that the service lists; the current one is marked', () => {
		const first = {rows: ['> MODEL-5.6-sol', 'small', 'large']};
		expectRows(
			asked,
			[models, first],
			[[models, '<down>', '⏎'], {reply: 'model changed to small'}],
			// The list may come after the word has gone.
			[['<ctrl+u>', models], {rows: []}],
		);
		expect(play(asked, models).state.menu?.all[0]?.meaning).toBe('current');
		const calls = expect.arrayContaining([['listValues', {type: 'models'}]]);
		expectRows(
			begin(),
			[letters('/model '), {calls}],
			[['/model⏎', models], first],
			[[...letters('/mo'), '⏎', models], {...first, calls}],
		);
	});

	test('of /model without a list: a notice says how to name one', async () => {
		const next = 'the model is MODEL-5.6-sol; another one: /model NAME';
		const said = async (listValues: () => Promise<readonly never[]>) =>
			popupOf((await settle(play(begin(), '/model⏎'), {listValues})).state);
		expect(await said(async () => [])).toBe(`the service lists no models; ${next}`);
		const failure = new ChatError('unavailable', 'cannot connect');
		expect(await said(() => Promise.reject(failure))).toBe(`cannot connect; ${next}`);
	});

	test('is the first one that matches, or the whole one, and may be one that is not listed', () => {
		const set = (name: string) => ({reply: `model changed to ${name}`});
		const longer = listed({type: 'models'}, 'small-2', 'small', 'xsmall');
		expectRows(
			play(asked, models).state,
			['s', {rows: ['> small', 'MODEL-5.6-sol', 's']}],
			[['s', '⏎'], set('small')],
			[['s', '<tab>'], {draft: '/model small'}],
			['large', {rows: []}],
			[['s', 'm', '<up>', '⏎'], set('sm')],
			[['s', 'm', '<escape>', '⏎'], set('sm')],
			// The first Enter asks about a name that is not listed.
			[['smx', '⏎'], {rows: ['> smx'], does: []}],
			[['smx', '⏎', '⏎'], set('smx')],
		);
		expectRows(
			typed('/model small', longer),
			['⏎', set('small')],
			[['<down>', '⏎'], set('small-2')],
		);
	});

	test('that may be any text is taken as it is typed, unless a row was chosen', () => {
		const exported = (name: string) => [['exportConversation', name, expect.anything()]];
		expectRows(
			typed('/export not', listed({type: 'folder', path: ''}, 'notes.md', 'note')),
			[[], {rows: ['note', 'notes.md']}],
			['⏎', {calls: exported('not')}],
			[['<down>', '⏎'], {calls: exported('note')}],
		);
	});

	test('of /set is a setting, and then its value; of /help a command', () => {
		const values = ['minimal', 'low', 'medium', 'high'];
		expectRows(
			typed('/set rea'),
			['<tab>', {draft: '/set reasoning_effort ', rows: values}],
			[['<tab>', '<down>', '<down>', '⏎'], {reply: 'reasoning_effort: low'}],
		);
		expect(rowsOf(typed('/help mod'))).toContain('> model');
	});

	test('of /file is a path, folder by folder', () => {
		const inside = listed({type: 'folder', path: 'src/'}, 'my notes.md');
		expectRows(
			typed('/file ', listed({type: 'folder', path: ''}, 'src/', 'a.txt')),
			[[], {rows: ['src/', 'a.txt']}],
			['<tab>', {draft: '/file src/', ...asks({type: 'folder', path: 'src/'})}],
		);
		const folder = typed('/file ', listed({type: 'folder', path: ''}, 'src/', 'a.txt'), '<tab>');
		const calls = [['load', 'file', 'src/my notes.md']];
		expectRows(folder, [[inside, '<down>', '⏎'], {calls}]);
	});
});

test('an at sign after a blank lists the files, and a folder is entered with Tab', () => {
	const files = listed({type: 'files'}, 'src/main.ts', 'my notes.md', 'src/');
	expectRows(
		typed('see '),
		['@', {...asks({type: 'files'})}],
		[['@', files], {rows: ['src/main.ts', 'my notes.md', 'src/']}],
		[['@', files, 'mai', '⏎'], {marked: 'see @src/main.ts |', rows: []}],
		[['@', files, 'note', '⏎'], {marked: 'see @"my notes.md" |', prompt: undefined}],
		[['@', files, '<up>', '<tab>'], {marked: 'see @src/|'}],
		[['@', files, '<up>', '⏎'], {marked: 'see @src/ |'}],
	);
	const first = {rows: expect.arrayContaining(['> src/main.ts'])};
	const none = {rows: []};
	expectRows(
		begin(),
		[[...letters('/review @mai'), files], first],
		[[...letters('/model @mai'), files], none],
		[[...letters('me@'), files], none],
		[[...letters('\\@'), files], none],
	);
});

describe('a prompt that mentions files', () => {
	const file = {type: 'file', name: 'a.ts', text: 'let a;'} as const;
	const text = 'compare @a.ts with @"b c.ts":';
	const mentions = ['a.ts', 'b c.ts'];
	const sent = play(begin(), enter(text));
	const read = mentionsRead({mention: 'a.ts', attachments: [file], notices: []});
	const back = {draft: text, queue: ['then this'], prompt: undefined};

	test('waits in its place until they are read, and is sent with them', () => {
		expectSeen(sent, {calls: [['loadMentions', mentions]], mentions, prompt: undefined});
		expectRows(
			sent.state,
			[read, {prompt: text, sent: ['a.ts'], queue: []}],
			[['then this⏎', read], {prompt: text, queue: ['then this']}],
			// It comes back with what was read, as chips.
			[[read, '<< …', '<< !unavailable'], {draft: text, files: []}],
		);
		// A file that is attached already is attached once.
		const attaching = ['/file a.ts⏎', attached([file]), 'see @a.ts⏎', read];
		expectRows(begin(), [attaching, {sent: ['a.ts']}]);
		for (const other of ['write to \\@ann', '@ home', 'ann@example.com']) {
			expectRows(begin(), [enter(other), {prompt: other.replace('\\', '')}]);
		}
	});

	test('returns to the editor if one cannot be sent, or if it is taken back', async () => {
		expectRows(
			sent.state,
			[['then this⏎', '<escape>'], back],
			[['<up>', read], {...back, queue: []}],
		);
		const error = new ChatError('data', 'a.ts is too large');
		const {state} = play(sent.state, 'then this⏎');
		const loadMentions = () => Promise.reject(error);
		const failed = await settle({...sent, state}, {loadMentions});
		expectSeen(failed, {...back, isHeld: true, prints: [{type: 'error', error}]});
	});
});
