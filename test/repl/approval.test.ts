/** The question whether a call may run accepts only keys that are meant for it. */
import {describe, expect, test} from 'vitest';
import type {Approval} from '../../src/chat/tool.ts';
import {ChatError} from '../../src/errors.ts';
import {type Action, type Effect, type QuestionAction, sequence} from '../../src/repl/action.ts';
import {allBindings} from '../../src/repl/keys/key-bindings.ts';
import {createApproval} from '../../src/repl/question/approval.ts';
import {canAgree} from '../../src/repl/question/layout.ts';
import {openField} from '../../src/repl/question/question.ts';
import type {AnswerState, ReplState} from '../../src/repl/state.ts';
import {type AnswerAction, reduceAnswer} from '../../src/repl/turn/reduce-answer.ts';
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
import {openScripted} from './scripted-repl.ts';

const asked = (of = createRequest()): QuestionAction => ({
	type: 'question-asked',
	question: createApproval(of),
});
const armed: QuestionAction = {type: 'question-armed'};
const answersOf = (effects: readonly Effect[]): readonly unknown[] =>
	effects.flatMap((effect) => (effect.type === 'answer-question' ? [effect.answer] : []));
const fieldIn = ({question}: AnswerState) => question && openField(question)?.name;

/** Opens the question during a turn. */
function open(...actions: readonly Action[]): ReplState {
	return play(begin(), enter('go'), events(stepStart), ...actions).state;
}

describe('an armed question', () => {
	test.each<readonly [key: string, approval: Approval]>([
		['y', {type: 'run', decision: 'once'}],
		['s', {type: 'run', decision: 'session'}],
		['n', {type: 'deny'}],
		['Y', {type: 'run', decision: 'once'}],
		['N', {type: 'deny'}],
	])('is answered by %s', (key, approval) => {
		const {state, effects} = play(open(asked(), armed), type(key));
		expect(answersOf(effects)).toEqual([approval]);
		expect(state.question).toBeUndefined();
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
		expect(fieldIn(editing.state)).toBe('arguments');
		const wrong = play(editing.state, press('ctrl+u'), enter('[1]'));
		expect(answersOf(wrong.effects)).toEqual([]);
		expect(wrong.state.question?.problem).toBe('That is not a JSON object.');
		const right = play(wrong.state, press('ctrl+u'), enter('{"city":"Rome"}'));
		expect(answersOf(right.effects)).toEqual([{type: 'edit', arguments: '{"city":"Rome"}'}]);
	});

	test('is not armed after editing', () => {
		const {state} = play(open(asked(), armed), type('e'), type('y'), press('escape'));
		expect(state.question).toMatchObject({open: undefined, isArmed: false});
	});

	test('is closed with the turn by Ctrl-C', () => {
		const {effects} = play(open(asked(), armed), press('ctrl+c'));
		expect(typesOf(effects)).toContain('stop-turn');
		expect(answersOf(effects)).toEqual([]);
	});

	test.each<readonly [name: string, action: Action]>([
		['a paste of y', paste('y')],
		['a word that starts with y', type('yes')],
		['y with Enter in one go', enter('y')],
		['Ctrl-Y', press('ctrl+y')],
		['a space', type(' ')],
		['Backspace', press('backspace')],
	])('is not answered by %s, and waits again', (_, action) => {
		const {state, effects} = play(open(asked(), armed), action);
		expect(answersOf(effects)).toEqual([]);
		expect(state.question?.isArmed).toBe(false);
		expect(typesOf(effects)).toContain('arm-question');
	});
});

describe('a question that is not armed yet', () => {
	test.each([
		...['y', 's', 'n', 'd', 'e', 'v', 'x'].map(type),
		...['enter', 'escape', 'up', 'down'].map((chord) => press(chord)),
		paste('y'),
	])('ignores a key, and waits again: %j', (key) => {
		const {state, effects} = play(open(type('ma'), asked()), key);
		expect(answersOf(effects)).toEqual([]);
		expect(draftOf(state)).toBe('ma');
		expect(state.question).toMatchObject({isArmed: false, open: undefined, selected: undefined});
		expect(typesOf(effects)).toEqual(['arm-question']);
	});

	test('is answered after the pause by a letter that came too early before', () => {
		const {effects} = play(open(asked()), type('y'), type('y'), armed, type('y'));
		expect(answersOf(effects)).toEqual([{type: 'run', decision: 'once'}]);
	});
});

describe('the arrows', () => {
	const down = press('down');
	const up = press('up');

	test.each<readonly [name: string, keys: readonly Action[], approval: Approval]>([
		['Enter alone', [], {type: 'deny'}],
		['three times up', [up, up, up], {type: 'run', decision: 'session'}],
		['up, beyond the first choice', [up, up, up, up, up, up], {type: 'run', decision: 'once'}],
		['Ctrl-P and Ctrl-N', [press('ctrl+p'), press('ctrl+n')], {type: 'deny'}],
	])('choose, from "no" on: %s', (_, keys, approval) => {
		const {state, effects} = play(open(asked(), armed), ...keys, press('enter'));
		expect(answersOf(effects)).toEqual([approval]);
		expect(draftOf(state)).toBe('');
		expect(state.queue).toEqual([]);
	});

	test('stop at the last choice, a reason', () => {
		const {state} = play(open(asked(), armed), down, down, down, press('enter'));
		expect(fieldIn(state)).toBe('reason');
	});

	test('run nothing that was not shown whole', () => {
		const long = open(asked(createRequest({city: 'x'.repeat(100_000)})), armed);
		const {state, effects} = play(long, up, up, up, up, press('enter'));
		expect(answersOf(effects)).toEqual([]);
		expect(state.question?.problem).toBe('Press v first, to see all of it.');
	});
});

describe('a question while a prompt is being written', () => {
	/** Types a text letter by letter, with a pause that arms the question after each of some. */
	const typeOn = (text: string, isSlow = false): readonly Action[] => [
		...Array.from(text, type).flatMap((key) => (isSlow ? [key, armed] : [key])),
		armed,
	];

	test.each<readonly [name: string, actions: readonly Action[]]>([
		['a word after a word', [...typeOn('We '), ...typeOn('should')]],
		['a word after letters of choices', [...typeOn('send'), ...typeOn('yes')]],
		['slowly', [...typeOn('We ', true), ...typeOn('should say yes', true)]],
		['with Enter', [...Array.from('We', type), press('enter'), ...typeOn('should', true)]],
		['after a paste', [paste('We'), armed, ...typeOn('should', true)]],
		['after Backspace', [press('backspace'), armed, ...typeOn('yes', true)]],
	])('is not answered by what is typed on: %s', (_, actions) => {
		const {state, effects} = play(open(asked()), ...actions);
		expect(answersOf(effects)).toEqual([]);
		expect(fieldIn(state)).toBeUndefined();
		expect(draftOf(state)).toBe('');
	});

	test('is not answered by the rest of a word of the draft, which comes back as it was', () => {
		const before = open(type('We '));
		const {state, effects} = play(before, asked(), armed, ...typeOn('should', true));
		expect(answersOf(effects)).toEqual([]);
		const answered = play(state, press('up'), type('y'));
		expect(answersOf(answered.effects)).toEqual([{type: 'run', decision: 'once'}]);
		expect(answered.state.editor).toEqual(before.editor);
	});

	test('counts letters again after an arrow, and begins at "no" again', () => {
		const typing = play(open(asked(), armed), press('up'), type('x'), armed).state;
		expect(answersOf(play(typing, type('y')).effects)).toEqual([]);
		expect(answersOf(play(typing, press('enter')).effects)).toEqual([{type: 'deny'}]);
		const moved = play(typing, press('down'), type('y'));
		expect(answersOf(moved.effects)).toEqual([{type: 'run', decision: 'once'}]);
	});

	test('lets no key but Ctrl-C, Ctrl-Z, Ctrl-L and Ctrl-O do anything else', () => {
		const chords = allBindings.flatMap(({chords: all}) => all).filter((chord) => chord !== 'enter');
		const outside = new Set(['ctrl+c', 'ctrl+z', 'ctrl+l', 'ctrl+o', 'alt+t']);
		const before = open(type('draft'), asked());
		for (const chord of chords.filter((one) => !outside.has(one))) {
			const {state, effects} = play(before, press(chord));
			expect({...state, question: undefined}).toEqual({...before, question: undefined});
			expect(typesOf(effects)).toEqual(['arm-question']);
		}
		expect(typesOf(play(before, press('ctrl+l')).effects)).toEqual(['arm-question', 'redraw']);
		expect(play(before, press('ctrl+o')).state.turn?.paneChoice).toBeDefined();
	});
});

describe('an answer in words', () => {
	const given: QuestionAction = {type: 'line-answered', line: '1'};

	test('counts only while the question is armed', () => {
		expect(answersOf(play(open(asked()), given).effects)).toEqual([]);
		expect(answersOf(play(open(asked(), armed), given).effects)).toEqual([
			{type: 'run', decision: 'once'},
		]);
	});

	test('does not count after a line that was entered meanwhile', () => {
		const {state, effects} = play(open(asked(), armed), lineOf('another prompt'), given);
		expect(answersOf(effects)).toEqual([]);
		expect(state.queue).toMatchObject([{text: 'another prompt'}]);
	});
});

describe('the question of a single answer', () => {
	const single: AnswerState = begin();
	const playSingle = (state: AnswerState, ...actions: readonly AnswerAction[]) =>
		sequence(state, ...actions.map((action) => (now: AnswerState) => reduceAnswer(now, action)));

	test('ignores keys before it is armed, and waits again', () => {
		const {state, effects} = playSingle(single, asked(), type('y'), press('enter'));
		expect(state.question).toMatchObject({isArmed: false});
		expect(answersOf(effects)).toEqual([]);
		expect(typesOf(effects)).toContain('arm-question');
	});

	test('is answered by a key alone, not by a key among others', () => {
		const among = playSingle(single, asked(), armed, enter('y'));
		expect(answersOf(among.effects)).toEqual([]);
		const {state, effects} = playSingle(single, asked(), armed, type('y'));
		expect(answersOf(effects)).toEqual([{type: 'run', decision: 'once'}]);
		expect(state.question).toBeUndefined();
	});

	test('stops the answer at Ctrl-C, also after it is closed, when no other key counts', () => {
		expect(typesOf(playSingle(single, asked(), press('ctrl+c')).effects)).toContain('stop-turn');
		const {state, effects} = playSingle(single, press('ctrl+c'), type('y'));
		expect(state).toEqual(single);
		expect(typesOf(effects)).toEqual(['stop-turn']);
	});
});

describe('a question too long for the window', () => {
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
		expect(entriesOf(viewed.effects)).toMatchObject([{type: 'question', title: 'weather:'}]);
		const approved = play(viewed.state, type('y'));
		expect(answersOf(approved.effects)).toEqual([{type: 'run', decision: 'once'}]);
	});

	test('cannot be approved after the window shrinks', () => {
		const {question} = open(asked());
		if (question === undefined) throw new Error('there is no question');
		expect(canAgree(question, {columns: 80, rows: 24})).toBe(true);
		expect(canAgree(question, {columns: 80, rows: 8})).toBe(false);
	});
});

describe('a session', () => {
	test('arms the question after 600 ms without a key', async () => {
		const {repl, until, ask} = openScripted([['silence']]);
		repl.dispatch(enter('go'));
		const answered = ask(createRequest(), new AbortController().signal);
		const openedAt = performance.now();
		const timer = setInterval(() => repl.dispatch(type('y')), 100);
		const typing = new Promise((resolve) => setTimeout(resolve, 900));
		await typing;
		clearInterval(timer);
		const stoppedAt = performance.now();
		expect(repl.getState().question?.isArmed).toBe(false);
		await until(({question}) => question?.isArmed === true);
		expect(performance.now() - stoppedAt).toBeGreaterThan(450);
		expect(stoppedAt - openedAt).toBeGreaterThan(800);
		repl.dispatch(type('y'));
		expect(await answered).toEqual({type: 'run', decision: 'once'});
		expect(draftOf(repl.getState())).toBe('');
	});

	test('closes the question of a turn that is stopped', async () => {
		const {repl, ask} = openScripted([['silence']]);
		const interrupt = new AbortController();
		repl.dispatch(enter('go'));
		const answered = ask(createRequest(), interrupt.signal);
		const stop = new ChatError('interrupted', 'stop');
		interrupt.abort(stop);
		await expect(answered).rejects.toBe(stop);
		expect(repl.getState().question).toBeUndefined();
	});
});

test('a question leaves the description out if the lines of the call say it', () => {
	const request = createRequest();
	const definition = {name: 'weather', description: 'Reports the weather\nof a city'};
	const described = {...request, tool: {...request.tool, definition}};
	expect(open(asked(described)).question).toMatchObject({about: 'Reports the weather'});
	const lines = [...request.lines, {label: 'says', text: 'Reports the weather'}];
	expect(open(asked({...described, lines})).question).toMatchObject({about: ''});
});
