/** The approval dialog accepts only keys that are meant for it. */
import {describe, expect, test} from 'vitest';
import type {Approval} from '../../src/chat/tool.ts';
import {ChatError} from '../../src/errors.ts';
import {type Action, type DialogAction, type Effect, sequence} from '../../src/repl/action.ts';
import {canAgree, contentOf} from '../../src/repl/dialog/dialog.ts';
import {isWhole} from '../../src/repl/dialog/layout.ts';
import {type AnswerAction, reduceAnswer} from '../../src/repl/reduce-answer.ts';
import type {AnswerState, ReplState} from '../../src/repl/state.ts';
import {createRequest} from '../helpers/approval-request.ts';
import {
	begin,
	draftOf,
	enter,
	entriesOf,
	events,
	lineOf,
	paste,
	play,
	press,
	stepStart,
	type,
	typesOf,
} from './play.ts';
import {openScripted} from './scripted-session.ts';

const asked = (of = createRequest()): DialogAction => ({type: 'approval-asked', request: of});
const armed: DialogAction = {type: 'dialog-armed'};
const answersOf = (effects: readonly Effect[]): readonly Approval[] =>
	effects.flatMap((effect) => (effect.type === 'answer-approval' ? [effect.approval] : []));

/** Opens the dialog during a turn. */
function open(...actions: readonly Action[]): ReplState {
	return play(begin(), enter('go'), events(stepStart), ...actions).state;
}

describe('an armed dialog', () => {
	test.each<readonly [key: string, approval: Approval]>([
		['y', {type: 'run', decision: 'once'}],
		['s', {type: 'run', decision: 'session'}],
		['n', {type: 'deny'}],
	])('is answered by %s', (key, approval) => {
		const {state, effects} = play(open(asked(), armed), type(key));
		expect(answersOf(effects)).toEqual([approval]);
		expect(state.dialog).toBeUndefined();
		expect(draftOf(state)).toBe('');
	});

	test('yanks what was killed in its text, and undoes changes', () => {
		const writing = play(open(asked(), armed), type('d'), type('not now'), press('ctrl+u')).state;
		const yanked = play(writing, press('ctrl+y', 'ctrl+y', 'enter'));
		expect(answersOf(yanked.effects)).toEqual([{type: 'deny', reason: 'not nownot now'}]);
		const undone = play(writing, press('ctrl+_', 'enter'));
		expect(answersOf(undone.effects)).toEqual([{type: 'deny', reason: 'not now'}]);
	});

	test('is denied by Escape, which does not stop the turn', () => {
		const {effects} = play(open(asked(), armed), press('escape'));
		expect(answersOf(effects)).toEqual([{type: 'deny'}]);
		expect(typesOf(effects)).not.toContain('stop-turn');
	});

	test('is denied with a reason', () => {
		const {effects} = play(
			open(asked(), armed),
			type('d'),
			type('not n'),
			type('ow'),
			press('enter'),
		);
		expect(answersOf(effects)).toEqual([{type: 'deny', reason: 'not now'}]);
	});

	test('accepts edited arguments that are an object', () => {
		const editing = play(open(asked(), armed), type('e'));
		expect(editing.state.dialog).toMatchObject({mode: 'edit'});
		const wrong = play(editing.state, press('ctrl+u'), enter('[1]'));
		expect(answersOf(wrong.effects)).toEqual([]);
		expect(wrong.state.dialog?.problem).toBe('That is not a JSON object.');
		const right = play(wrong.state, press('ctrl+u'), enter('{"city":"Rome"}'));
		expect(answersOf(right.effects)).toEqual([{type: 'edit', arguments: '{"city":"Rome"}'}]);
	});

	test('is not armed after editing', () => {
		const {state} = play(open(asked(), armed), type('e'), type('y'), press('escape'));
		expect(state.dialog).toMatchObject({mode: 'ask', isArmed: false});
	});

	test('is closed with the turn by Ctrl-C', () => {
		const {effects} = play(open(asked(), armed), press('ctrl+c'));
		expect(typesOf(effects)).toContain('stop-turn');
		expect(answersOf(effects)).toEqual([]);
	});

	test.each<readonly [name: string, action: Action]>([
		['Enter', press('enter')],
		['a paste of y', paste('y')],
		['a word that starts with y', type('yes')],
		['y with Enter in one go', enter('y')],
		['Ctrl-Y', press('ctrl+y')],
		['a space', type(' ')],
	])('is not answered by %s, and waits again', (_, action) => {
		const {state, effects} = play(open(asked(), armed), action);
		expect(answersOf(effects)).toEqual([]);
		expect(state.dialog?.isArmed).toBe(false);
		expect(typesOf(effects)).toContain('arm-dialog');
	});
});

describe('a dialog that is not armed yet', () => {
	test.each(['y', 's', 'n', 'd', 'e', 'v'])('types %s into the draft', (key) => {
		const {state, effects} = play(open(type('ma'), asked()), type(key));
		expect(answersOf(effects)).toEqual([]);
		expect(draftOf(state)).toBe(`ma${key}`);
		expect(state.dialog).toMatchObject({isArmed: false, mode: 'ask'});
		expect(typesOf(effects)).toContain('arm-dialog');
	});
});

describe('an answer in words', () => {
	const given: DialogAction = {
		type: 'approval-given',
		approval: {type: 'run', decision: 'once'},
	};

	test('counts only while the dialog is armed', () => {
		expect(answersOf(play(open(asked()), given).effects)).toEqual([]);
		expect(answersOf(play(open(asked(), armed), given).effects)).toEqual([given.approval]);
	});

	test('does not count after a line that was entered meanwhile', () => {
		const {state, effects} = play(open(asked(), armed), lineOf('another prompt'), given);
		expect(answersOf(effects)).toEqual([]);
		expect(state.queue).toMatchObject([{text: 'another prompt'}]);
	});
});

describe('the dialog of a single answer', () => {
	const single: AnswerState = begin();
	const playSingle = (state: AnswerState, ...actions: readonly AnswerAction[]) =>
		sequence(state, ...actions.map((action) => (now: AnswerState) => reduceAnswer(now, action)));

	test('ignores keys before it is armed, and waits again', () => {
		const {state, effects} = playSingle(single, asked(), type('y'), press('enter'));
		expect(state.dialog).toMatchObject({isArmed: false});
		expect(answersOf(effects)).toEqual([]);
		expect(typesOf(effects)).toContain('arm-dialog');
	});

	test('is answered by a key alone, not by a key among others', () => {
		const among = playSingle(single, asked(), armed, enter('y'));
		expect(answersOf(among.effects)).toEqual([]);
		const {state, effects} = playSingle(single, asked(), armed, type('y'));
		expect(answersOf(effects)).toEqual([{type: 'run', decision: 'once'}]);
		expect(state.dialog).toBeUndefined();
	});

	test('stops the answer at Ctrl-C, and reads no keys when closed', () => {
		expect(typesOf(playSingle(single, asked(), press('ctrl+c')).effects)).toContain('stop-turn');
		expect(playSingle(single, press('ctrl+c'), type('y'))).toEqual({state: single, effects: []});
	});
});

describe('a dialog too long for the window', () => {
	const hostile: ReadonlyArray<readonly [name: string, text: string]> = [
		['5,000 spaces', `a${' '.repeat(5000)}; rm -rf /`],
		['many lines', 'a\n'.repeat(50)],
		['100 KB', 'x'.repeat(100_000)],
		['many unusual characters', '\u202e\u200b'.repeat(200)],
	];

	test.each(hostile)('with %s can be denied, but not approved before it is viewed', (_, city) => {
		const long = open(asked(createRequest({city})), armed);
		for (const key of ['y', 's']) {
			expect(answersOf(play(long, type(key)).effects)).toEqual([]);
		}
		expect(answersOf(play(long, type('n')).effects)).toEqual([{type: 'deny'}]);
		const viewed = play(long, type('v'));
		expect(entriesOf(viewed.effects)).toMatchObject([{type: 'dialog', title: 'weather:'}]);
		const approved = play(viewed.state, type('y'));
		expect(answersOf(approved.effects)).toEqual([{type: 'run', decision: 'once'}]);
	});

	test('cannot be approved after the window shrinks', () => {
		const {dialog} = open(asked());
		if (dialog === undefined) throw new Error('there is no question');
		expect(isWhole(contentOf(dialog), {columns: 80, rows: 24})).toBe(true);
		expect(canAgree(dialog, {columns: 80, rows: 8})).toBe(false);
	});
});

describe('a session', () => {
	test('arms the dialog after 600 ms without a key', async () => {
		const {session, until, ask} = openScripted([['silence']]);
		session.dispatch(enter('go'));
		const answered = ask(createRequest(), new AbortController().signal);
		const openedAt = performance.now();
		const timer = setInterval(() => session.dispatch(type('y')), 100);
		const typing = new Promise((resolve) => setTimeout(resolve, 900));
		await typing;
		clearInterval(timer);
		const stoppedAt = performance.now();
		expect(session.getState().dialog?.isArmed).toBe(false);
		await until(({dialog}) => dialog?.isArmed === true);
		expect(performance.now() - stoppedAt).toBeGreaterThan(450);
		expect(stoppedAt - openedAt).toBeGreaterThan(800);
		session.dispatch(type('y'));
		expect(await answered).toEqual({type: 'run', decision: 'once'});
		expect(draftOf(session.getState())).toMatch(/^y+$/);
	});

	test('closes the dialog of a turn that is stopped', async () => {
		const {session, ask} = openScripted([['silence']]);
		const interrupt = new AbortController();
		session.dispatch(enter('go'));
		const answered = ask(createRequest(), interrupt.signal);
		const stop = new ChatError('interrupted', 'stop');
		interrupt.abort(stop);
		await expect(answered).rejects.toBe(stop);
		expect(session.getState().dialog).toBeUndefined();
	});
});

test('a dialog leaves the description out if the lines of the call say it', () => {
	const request = createRequest();
	const definition = {name: 'weather', description: 'Reports the weather\nof a city'};
	const described = {...request, tool: {...request.tool, definition}};
	expect(open(asked(described)).dialog).toMatchObject({about: 'Reports the weather'});
	const lines = [...request.lines, {label: 'says', text: 'Reports the weather'}];
	expect(open(asked({...described, lines})).dialog).toMatchObject({about: ''});
});
