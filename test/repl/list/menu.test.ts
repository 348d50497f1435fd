/** The menu below the prompt: commands, arguments, files. */
import {describe, expect, test} from 'vitest';
import {ChatError} from '../../../src/errors.ts';
import type {Action} from '../../../src/repl/action.ts';
import {labelOf, type ValueSource} from '../../../src/repl/list/menu.ts';
import {openMenuOf} from '../../../src/repl/list/reduce-menu.ts';
import type {ReplState} from '../../../src/repl/state.ts';
import {
	answer,
	attached,
	begin,
	callsOf,
	draftOf,
	enter,
	events,
	failure,
	markedDraft,
	mentionsRead,
	paste,
	play,
	popupOf,
	press,
	promptOf,
	refuse,
	replyOf,
	settle,
	sourcesOf,
	stepStart,
	textDelta,
	type,
	typesOf,
	valuesListed,
} from '../play.ts';

/** Returns the rows, with `>` before the selected one. */
function rowsOf(state: ReplState): readonly string[] {
	const menu = openMenuOf(state);
	return (menu?.items ?? []).map(({item}, index) =>
		index === menu?.selected ? `> ${labelOf(item)}` : labelOf(item),
	);
}

function typed(text: string): ReplState {
	return play(begin(), ...Array.from(text, type)).state;
}

function listed(source: ValueSource, ...names: readonly string[]): Action {
	const values = names.map((text) => ({text, isPartial: text.endsWith('/')}));
	return valuesListed(source, values);
}

describe('a list that cannot be read', () => {
	const missing = Object.assign(new Error('no chunk'), {code: 'ERR_MODULE_NOT_FOUND'});

	test.each(['see @', '/model '])('says after %j that the program is incomplete', async (text) => {
		const {state, effects} = play(begin(), ...Array.from(text, type));
		const failed = await settle({state, effects}, {listValues: () => Promise.reject(missing)});
		expect(replyOf(failed)).toMatch(/^a program file is missing/);
		expect(draftOf(failed.state)).toBe(text);
	});

	test('says nothing of a folder or a service', async () => {
		const typing = play(begin(), ...Array.from('/model ', type));
		const listValues = () => Promise.reject(new ChatError('unavailable', 'no connection'));
		expect(replyOf(await settle(typing, {listValues}))).toBe('');
	});

	test('says nothing while the commands are listed', async () => {
		const typing = play(begin(), type('/'));
		expect(replyOf(await settle(typing, {listValues: () => Promise.reject(missing)}))).toBe('');
	});
});

describe('a slash at the start of the prompt', () => {
	test('opens the list of the commands, with the first one selected', () => {
		const [first, ...others] = rowsOf(typed('/'));
		expect(first).toMatch(/^> \//);
		expect(others).toContain('/model');
	});

	test('is text after another letter, or in a second line', () => {
		expect(rowsOf(typed('a/'))).toEqual([]);
		expect(rowsOf(play(typed('a'), press('ctrl+j'), type('/')).state)).toEqual([]);
	});

	test('opens nothing inside a paste', () => {
		expect(rowsOf(play(begin(), paste('/mo')).state)).toEqual([]);
	});

	test('letters filter: the starts of names first, then letters in order', () => {
		expect(rowsOf(typed('/mo'))[0]).toBe('> /model');
		expect(rowsOf(typed('/mdl'))).toEqual(['> /model']);
		expect(rowsOf(typed('/xyz'))).toEqual([]);
	});

	test('Tab completes, and goes on to the argument', () => {
		const {state, effects} = play(typed('/mo'), press('tab'));
		expect(draftOf(state)).toBe('/model ');
		expect(sourcesOf(effects)).toEqual([{type: 'models'}]);
		expect(draftOf(play(typed('/exi'), press('tab')).state)).toBe('/exit');
	});

	test('Enter runs the selected command', () => {
		expect(replyOf(play(typed('/sys'), press('enter')))).toBe('no system message is set');
		const second = play(typed('/re'), press('down'));
		const name = rowsOf(second.state)[1];
		expect(name).toMatch(/^> /);
		expect(draftOf(play(second.state, press('tab')).state).trim()).toBe(name?.slice(2));
	});

	test('Enter runs an alias, or a whole name, as it is written', () => {
		expect(typesOf(play(typed('/quit'), press('enter')).effects)).toEqual(['exit']);
		expect(popupOf(play(typed('/undo'), press('enter')).state)).toBe('nothing to undo');
	});

	test('Up and Down go around, as Ctrl-P and Ctrl-N', () => {
		const rows = rowsOf(typed('/re')).length;
		const selected = (state: ReplState) => rowsOf(state).findIndex((row) => row.startsWith('>'));
		expect(selected(play(typed('/re'), press('up')).state)).toBe(rows - 1);
		expect(selected(play(typed('/re'), press('ctrl+p'), press('ctrl+n')).state)).toBe(0);
	});

	test('Esc closes it for this word, and leaves the text', () => {
		const closed = play(typed('/mo'), press('escape'));
		expect(rowsOf(play(closed.state, type('d')).state)).toEqual([]);
		expect(draftOf(closed.state)).toBe('/mo');
		expect(draftOf(play(closed.state, press('tab')).state)).toBe('/model ');
	});

	test('Esc during an answer closes it, and then stops the answer', () => {
		const streaming = play(begin(), enter('q'), events(stepStart, textDelta('a')), type('/')).state;
		const once = play(streaming, press('escape'));
		expect(once.effects).toEqual([]);
		expect(typesOf(play(once.state, press('escape')).effects)).toEqual(['stop-turn']);
	});

	test.each(['/', '/ ', '/?'])('%j and Enter open it, and are not sent', (text) => {
		const {state, effects} = play(begin(), paste(text), press('enter'));
		expect(rowsOf(state)).toContain('/model');
		expect(draftOf(state)).toBe('/');
		expect(typesOf(effects)).toEqual(['list-values']);
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

	test('are asked for when the list opens, once, and not before', () => {
		expect(sourcesOf(play(begin(), type('a')).effects)).toEqual([]);
		const opened = play(begin(), type('/'));
		expect(sourcesOf(opened.effects)).toEqual([{type: 'templates'}]);
		expect(sourcesOf(play(opened.state, found, type('r'), type('e')).effects)).toEqual([]);
	});

	test('follow our commands; one with the name of ours has a prefix', () => {
		const rows = rowsOf(play(typed('/'), found).state);
		expect(rows.slice(-4)).toEqual(['/review', '/git:commit', '/t:model', '/t:über']);
		expect(rowsOf(play(typed('/mod'), found).state)).toEqual(['> /model', '/t:model']);
	});

	test('leave the selected command where it is', () => {
		const moved = play(typed('/re'), press('down')).state;
		expect(rowsOf(play(moved, found).state).slice(0, -1)).toEqual(rowsOf(moved));
	});

	test('are found by their letters, taken by Tab, and sent as they are typed by Enter', () => {
		const {state} = play(typed('/'), found, ...Array.from('gco', type));
		expect(rowsOf(state)).toEqual(['> /git:commit']);
		expect(draftOf(play(state, press('tab')).state)).toBe('/git:commit ');
		const whole = play(typed('/t:model'), found, press('enter'));
		expect(whole.state.queue[0]?.call).toEqual({name: 'model', argument: ''});
	});

	test('wait for their arguments, if they have some', () => {
		expect(draftOf(play(typed('/rev'), found, press('enter')).state)).toBe('/review ');
		const sent = play(typed('/gitc'), found, press('enter')).state;
		expect(sent.queue[0]?.call).toEqual({name: 'git:commit', argument: ''});
	});
});

describe('a line that was typed ahead', () => {
	test('runs as it is typed, whatever the menu would select', () => {
		const {state, effects} = play(begin(), enter('/mod'));
		expect(typesOf(effects)).toEqual(['prepare-prompt']);
		expect(popupOf(play(state, refuse(state)).state)).toContain('did you mean /model?');
		expect(replyOf(play(begin(), enter('/model x')))).toBe('model changed to x');
	});
});

describe('an argument', () => {
	const asked = play(typed('/model'), type(' '));
	const models = listed({type: 'models'}, 'MODEL-5.6-sol', 'small', 'large');

	test('of /model may be one that the service lists; the current one is marked', () => {
		expect(sourcesOf(asked.effects)).toEqual([{type: 'models'}]);
		const {state} = play(asked.state, models);
		expect(rowsOf(state)).toEqual(['> MODEL-5.6-sol', 'small', 'large']);
		expect(state.menu?.all[0]?.meaning).toBe('current');
		expect(replyOf(play(state, press('down'), press('enter')))).toBe('model changed to small');
		expect(replyOf(play(state, press('enter')))).toBe('the model is MODEL-5.6-sol already');
	});

	test('of /model is listed by Enter too, during an answer as well', () => {
		for (const entered of [play(begin(), enter('/model')), play(typed('/mo'), press('enter'))]) {
			expect(draftOf(entered.state)).toBe('/model ');
			expect(sourcesOf(entered.effects)).toContainEqual({type: 'models'});
			expect(rowsOf(play(entered.state, models).state)[0]).toBe('> MODEL-5.6-sol');
		}
	});

	test('of /model without a list: a notice says how to name one', async () => {
		const asked = play(begin(), enter('/model'));
		const next = 'the model is MODEL-5.6-sol; another one: /model NAME';
		const none = await settle(asked, {listValues: () => Promise.resolve([])});
		expect(popupOf(none.state)).toBe(`the service lists no models; ${next}`);
		const failure = new ChatError('unavailable', 'cannot connect');
		const failed = await settle(asked, {listValues: () => Promise.reject(failure)});
		expect(popupOf(failed.state)).toBe(`cannot connect; ${next}`);
	});

	test('is the first one that matches, for Enter and Tab', () => {
		const {state} = play(asked.state, models, type('s'));
		expect(rowsOf(state)).toEqual(['> small', 'MODEL-5.6-sol', 's']);
		expect(replyOf(play(state, press('enter')))).toBe('model changed to small');
		expect(draftOf(play(state, press('tab')).state)).toBe('/model small');
		const only = play(asked.state, models, type('lar')).state;
		expect(rowsOf(only)).toEqual(['> large', 'lar']);
		expect(draftOf(play(only, press('tab')).state)).toBe('/model large');
	});

	test('may be a model that is not listed: the last row has it as it is typed', () => {
		const {state} = play(asked.state, models, type('s'), type('m'));
		expect(rowsOf(state)).toEqual(['> small', 'sm']);
		expect(state.menu?.items.at(-1)?.item.meaning).toBe('use this name unchanged');
		expect(replyOf(play(state, press('up'), press('enter')))).toBe('model changed to sm');
		expect(replyOf(play(state, press('escape'), press('enter')))).toBe('model changed to sm');
		const unknown = play(state, type('x')).state;
		expect(rowsOf(unknown)).toEqual(['smx']);
		const chosen = play(unknown, press('enter'));
		expect(chosen.effects).toEqual([]);
		expect(rowsOf(chosen.state)).toEqual(['> smx']);
		expect(replyOf(play(chosen.state, press('enter')))).toBe('model changed to smx');
	});

	test('that is whole is taken as it is, also before longer ones', () => {
		const longer = listed({type: 'models'}, 'small-2', 'small', 'xsmall');
		const {state} = play(typed('/model small'), longer);
		expect(rowsOf(state)[0]).toBe('> small');
		expect(replyOf(play(state, press('enter')))).toBe('model changed to small');
		expect(replyOf(play(state, press('down'), press('enter')))).toBe('model changed to small-2');
		expect(rowsOf(play(asked.state, models, type('large')).state)).toEqual([]);
	});

	test('that may be any text is taken as it is typed, unless a row was chosen', () => {
		const paths = listed({type: 'folder', path: ''}, 'notes.md', 'note');
		const {state} = play(typed('/export not'), paths);
		expect(rowsOf(state)).toEqual(['note', 'notes.md']);
		expect(callsOf(play(state, press('enter')).effects)).toEqual([
			['exportConversation', 'not', expect.anything()],
		]);
		const chosen = play(state, press('down'), press('enter'));
		expect(callsOf(chosen.effects)).toEqual([['exportConversation', 'note', expect.anything()]]);
	});

	test('shows no list that arrives after the word has gone', () => {
		const {state} = play(asked.state, press('ctrl+u'), models);
		expect(rowsOf(state)).toEqual([]);
	});

	test('of /set is a setting, and then its value', () => {
		const {state} = play(typed('/set rea'), press('tab'));
		expect(draftOf(state)).toBe('/set reasoning_effort ');
		expect(rowsOf(state)).toEqual(['minimal', 'low', 'medium', 'high']);
		expect(replyOf(play(state, press('down'), press('down'), press('enter')))).toBe(
			'reasoning_effort: low',
		);
	});

	test('Enter on a setting asks for its value, and resets nothing', () => {
		const {state, effects} = play(typed('/set tem'), press('enter'));
		expect(draftOf(state)).toBe('/set temperature ');
		expect(effects).toEqual([]);
	});

	test('of /file is a path, folder by folder', () => {
		const {state} = play(typed('/file '), listed({type: 'folder', path: ''}, 'src/', 'a.txt'));
		expect(rowsOf(state)).toEqual(['src/', 'a.txt']);
		const inside = play(state, press('tab'));
		expect(draftOf(inside.state)).toBe('/file src/');
		expect(sourcesOf(inside.effects)).toEqual([{type: 'folder', path: 'src/'}]);
		const chosen = play(inside.state, listed({type: 'folder', path: 'src/'}, 'my notes.md'));
		const sent = play(chosen.state, press('down'), press('enter'));
		expect(callsOf(sent.effects)).toEqual([['load', 'file', 'src/my notes.md']]);
	});

	test('of /resume is a session, found by its title', () => {
		const values = [{text: 'abcd2345', label: 'Trip to Rome'}];
		const found = valuesListed({type: 'sessions'}, values);
		const {state} = play(typed('/resume ro'), found);
		expect(rowsOf(state)).toEqual(['> Trip to Rome']);
		const {effects} = play(state, press('enter'));
		expect(callsOf(effects)).toEqual([['openSession', 'abcd2345']]);
		expect(draftOf(play(state, press('tab')).state)).toBe('/resume abcd2345');
	});

	test('of /help is a command', () => {
		expect(rowsOf(typed('/help mod'))).toContain('> model');
	});
});

describe('Tab', () => {
	test('completes the only path there is', () => {
		const asked = play(typed('see src/ma'), press('tab'));
		expect(sourcesOf(asked.effects)).toEqual([{type: 'folder', path: 'src/'}]);
		const found = listed({type: 'folder', path: 'src/'}, 'main.ts', 'json.ts');
		expect(markedDraft(play(asked.state, found).state)).toBe('see src/main.ts|');
	});

	test('lists the paths if there are several, and Enter inserts one', () => {
		const asked = play(typed('see s'), press('tab'));
		const {state} = play(asked.state, listed({type: 'folder', path: ''}, 'src/', 'sub/'));
		expect(rowsOf(state)).toEqual(['> src/', 'sub/']);
		expect(draftOf(play(state, press('down'), press('enter')).state)).toBe('see sub/');
	});
});

describe('an at sign', () => {
	const files = listed({type: 'files'}, 'src/main.ts', 'my notes.md', 'src/');
	const asked = play(typed('see @'), files);

	test('after a blank opens the list of the files, with none selected', () => {
		expect(sourcesOf(play(typed('see '), type('@')).effects)).toEqual([{type: 'files'}]);
		expect(rowsOf(asked.state)).toEqual(['src/main.ts', 'my notes.md', 'src/']);
	});

	test('completes files in the call of a template, and in a prompt that starts with a path', () => {
		for (const start of ['/review ', '/etc/hosts ']) {
			expect(rowsOf(play(typed(`${start}@mai`), files).state)[0]).toBe('> src/main.ts');
		}
		expect(rowsOf(play(typed('/model @mai'), files).state)).toEqual([]);
	});

	test('in a word, or after a backslash, is text', () => {
		expect(rowsOf(play(typed('me@'), files).state)).toEqual([]);
		expect(rowsOf(play(typed('\\@'), files).state)).toEqual([]);
	});

	test.each([
		['mai', 'see @src/main.ts |'],
		['note', 'see @"my notes.md" |'],
		['"my n', 'see @"my notes.md" |'],
	])('Enter puts the best match of %s into the text', (letters, draft) => {
		const {state, effects} = play(asked.state, ...Array.from(letters, type), press('enter'));
		expect(markedDraft(state)).toBe(draft);
		expect(effects).toEqual([]);
		expect(rowsOf(state)).toEqual([]);
	});

	test('Tab goes into a folder, Enter takes it', () => {
		const chosen = play(asked.state, press('up'));
		expect(rowsOf(chosen.state)).toContain('> src/');
		expect(markedDraft(play(chosen.state, press('tab')).state)).toBe('see @src/|');
		expect(markedDraft(play(chosen.state, press('enter')).state)).toBe('see @src/ |');
	});
});

describe('a prompt that mentions files', () => {
	const file = {type: 'file', name: 'a.ts', text: 'let a;'} as const;
	const sent = play(begin(), enter('compare @a.ts with @"b c.ts":'));
	const [prompt] = sent.state.queue;
	if (prompt === undefined) throw new Error('the prompt does not wait');
	const loaded = [{mention: 'a.ts', attachments: [file], notices: []}];
	const read = mentionsRead(prompt, loaded);

	test('waits until they are read, and is sent with them', () => {
		expect(callsOf(sent.effects)).toEqual([['loadMentions', prompt.mentions]]);
		expect(prompt.mentions).toEqual(['a.ts', 'b c.ts']);
		const {state, effects} = play(sent.state, read);
		expect(typesOf(effects)).toContain('start-turn');
		expect(promptOf(state)).toMatchObject({
			text: 'compare @a.ts with @"b c.ts":',
			attachments: [file],
		});
		expect(state.queue).toEqual([]);
	});

	test('comes back to the editor with the files that were read, as chips', () => {
		const {state} = play(sent.state, read, events(stepStart, failure('unavailable')));
		expect(draftOf(state)).toBe('compare @a.ts with @"b c.ts":');
		expect(state.attachments).toEqual([]);
		const again = play(state, press('enter'));
		expect(typesOf(again.effects)).not.toContain('prepare-prompt');
		expect(promptOf(again.state)?.attachments).toEqual([file]);
	});

	test('keeps its place before prompts that were typed after it', () => {
		const {state} = play(sent.state, enter('then this'), read);
		expect(promptOf(state)?.text).toMatch(/^compare/);
		expect(state.queue.map(({text}) => text)).toEqual(['then this']);
		expect(promptOf(play(state, answer('1')).state)?.text).toBe('then this');
	});

	test('returns to the editor if a file cannot be sent', async () => {
		const error = new ChatError('data', 'a.ts is too large');
		const next = play(sent.state, enter('next')).state;
		const loadMentions = () => Promise.reject(error);
		const {state, effects} = await settle({...sent, state: next}, {loadMentions});
		expect(draftOf(state)).toBe('compare @a.ts with @"b c.ts":');
		expect(state.queue.map(({text}) => text)).toEqual(['next']);
		expect(state.isQueueHeld).toBe(true);
		expect(effects).toContainEqual({type: 'print', entry: {type: 'error', error}});
	});

	test('is taken back by Esc, and no other one', () => {
		const {state} = play(sent.state, enter('then this'), press('escape'));
		expect(draftOf(state)).toMatch(/^compare/);
		expect(state.queue.map(({text}) => text)).toEqual(['then this']);
	});

	test('is not sent after Up took it back', () => {
		const {state} = play(sent.state, press('up'), read);
		expect(draftOf(state)).toMatch(/^compare/);
		expect(state.turn).toBeUndefined();
	});

	test('attaches a file once that is attached already', () => {
		const started = play(begin(), enter('/file a.ts'), attached([file]), enter('see @a.ts'));
		const [waiting] = started.state.queue;
		if (waiting === undefined) throw new Error('the prompt does not wait');
		const {state} = play(started.state, mentionsRead(waiting, loaded));
		expect(promptOf(state)?.attachments).toEqual([file]);
	});

	test.each(['write to \\@ann', '@ home', 'ann@example.com'])('does not include %j', (text) => {
		const {state} = play(begin(), enter(text));
		expect(promptOf(state)?.text).toBe(text.replace('\\', ''));
	});
});
