/** The questions of a server: each field is written, all of it is seen, and one key sends it. */
import {describe, expect, test} from 'vitest';
import type {ElicitAnswer, Elicitation, ElicitedField} from '../../src/chat/elicitation.ts';
import {ChatError} from '../../src/errors.ts';
import type {Action, Effect, QuestionAction} from '../../src/repl/action.ts';
import {createElicitation} from '../../src/repl/question/elicitation.ts';
import {textOfField} from '../../src/repl/question/field.ts';
import {openField, type Question} from '../../src/repl/question/question.ts';
import type {ReplState} from '../../src/repl/state.ts';
import {reduceAnswer} from '../../src/repl/turn/reduce-answer.ts';
import {createRequest} from '../helpers/approval-request.ts';
import {
	colours,
	fieldOf,
	formOf,
	kinds,
	pageOf,
	required,
	suggested,
} from '../helpers/elicitations.ts';
import {
	begin,
	draftOf,
	enter,
	entriesOf,
	events,
	paste,
	play,
	press,
	stepStart,
	type,
	typesOf,
} from './play.ts';
import {openScripted} from './scripted-repl.ts';

const asked = (request: Elicitation): QuestionAction => ({
	type: 'question-asked',
	question: createElicitation(request),
});
const armed: QuestionAction = {type: 'question-armed'};
const answersOf = (effects: readonly Effect[]): readonly unknown[] =>
	effects.flatMap((effect) => (effect.type === 'answer-question' ? [effect.answer] : []));
const open = (request: Elicitation, ...actions: readonly Action[]): ReplState =>
	play(begin(), enter('go'), events(stepStart), asked(request), ...actions).state;
const form = (...fields: readonly ElicitedField[]) => open(formOf(...fields), armed);

function questionOf({question}: ReplState): Question {
	if (question === undefined) throw new Error('no question is open');
	return question;
}
const problemOf = (state: ReplState) => questionOf(state).problem;
const textIn = (state: ReplState) => {
	const field = openField(questionOf(state));
	return field && textOfField(field);
};
/** Sends what is shown, once it counts. */
const send = [armed, type('y')];

describe('the fields', () => {
	test('are written one by one, and sent as one answer', () => {
		const all = form(
			required('name'),
			fieldOf('age', kinds.number),
			fieldOf('sure', kinds.boolean),
			fieldOf('colour', kinds.choice),
			fieldOf('colours', colours),
		);
		const {state, effects} = play(
			all,
			enter('Ada'),
			enter('36'),
			enter('y'),
			enter('2'),
			enter('1 3'),
			...send,
		);
		const values = {name: 'Ada', age: 36, sure: true, colour: 'green', colours: ['red', 'blue']};
		expect(answersOf(effects)).toEqual([{type: 'accept', values}]);
		expect(entriesOf(effects)).toEqual([{type: 'answered', text: 'answered github: 5 fields'}]);
		expect(state.question).toBeUndefined();
		expect(draftOf(state)).toBe('');
		expect(state.editor.history).toEqual(play(begin(), enter('go')).state.editor.history);
	});

	test('keep their suggestion, or are left out', () => {
		const all = form(suggested('city', kinds.text, 'Oslo'), fieldOf('zip'));
		expect(textIn(all)).toBe('Oslo');
		const {effects} = play(all, press('enter'), press('enter'), ...send);
		expect(answersOf(effects)).toEqual([{type: 'accept', values: {city: 'Oslo'}}]);
		const cleared = play(all, press('ctrl+u'), press('enter'), press('enter'), ...send);
		expect(answersOf(cleared.effects)).toEqual([{type: 'accept', values: {}}]);
	});

	test('ignore a suggestion that does not fit', () => {
		expect(textIn(form(suggested('age', kinds.number, 'old')))).toBe('');
		expect(textIn(form(suggested('name', kinds.text, {of: 'Ada'})))).toBe('');
		expect(textIn(form(suggested('sure', kinds.boolean, 'yes')))).toBe('');
		expect(textIn(form(suggested('colour', kinds.choice, 'pink')))).toBe('');
	});

	test('stay while the answer does not fit, and say why', () => {
		const wrong = play(form(required('age', kinds.number)), enter('old')).state;
		expect(problemOf(wrong)).toBe('Expected a number.');
		expect(textIn(wrong)).toBe('old');
		expect(problemOf(play(wrong, type('e')).state)).toBeUndefined();
		const empty = play(wrong, press('ctrl+u'), press('enter')).state;
		expect(problemOf(empty)).toBe('This field must not be left out.');
		expect(questionOf(empty).open).toBe(0);
	});

	test('take no choice at all, where that fits', () => {
		const none = play(form(required('colours', colours)), press('enter'), ...send);
		expect(answersOf(none.effects)).toEqual([{type: 'accept', values: {colours: []}}]);
		const check = (value: unknown) => (Array.isArray(value) && value[0] ? undefined : 'Too few.');
		const least = play(
			form(fieldOf('colours', colours, {isRequired: true, check})),
			press('enter'),
		).state;
		expect(problemOf(least)).toBe('This field must not be left out.');
	});

	test('may have any name', () => {
		const {effects} = play(form(required('__proto__')), enter('x'), ...send);
		const [answer] = answersOf(effects);
		expect(JSON.stringify(answer)).toBe('{"type":"accept","values":{"__proto__":"x"}}');
	});

	test('are edited like a draft, and take several lines and pastes', () => {
		const written = play(form(fieldOf('text')), type('ab cd'), press('ctrl+w'), press('ctrl+y'));
		expect(textIn(written.state)).toBe('ab cd');
		const lines = play(written.state, press('ctrl+j'), paste('x\ny')).state;
		expect(textIn(lines)).toBe('ab cd\nx\ny');
	});

	test('keep their text when the user goes back', () => {
		const second = play(form(fieldOf('a'), fieldOf('b')), enter('one'), type('two')).state;
		const first = play(second, press('shift+tab')).state;
		expect(textIn(first)).toBe('one');
		const back = play(first, press('enter')).state;
		expect(textIn(back)).toBe('two');
		const {effects} = play(back, press('enter'), armed, type('b'), enter('!'), ...send);
		expect(answersOf(effects)).toEqual([{type: 'accept', values: {a: 'one', b: 'two!'}}]);
	});
});

describe('choices', () => {
	test('are taken with the arrows, which stay in the list', () => {
		const one = form(fieldOf('colour', kinds.choice));
		expect(textIn(play(one, press('down')).state)).toBe('1');
		expect(textIn(play(one, press('up')).state)).toBe('3');
		const down = Array.from({length: 5}, () => press('down'));
		expect(textIn(play(one, ...down).state)).toBe('3');
		expect(textIn(play(one, type('2'), press('up')).state)).toBe('1');
	});

	test('are toggled with Space, if there may be several', () => {
		const several = form(fieldOf('colours', colours));
		const moved = play(several, press('down'), press('down')).state;
		expect(textIn(moved)).toBe('');
		const both = play(moved, type(' '), press('up'), type(' ')).state;
		expect(textIn(both)).toBe('1, 2');
		expect(textIn(play(both, type(' ')).state)).toBe('2');
		expect(textIn(play(several, type('1'), type(' '), type('3')).state)).toBe('1 3');
	});
});

describe('nothing is sent', () => {
	const written = () => play(form(fieldOf('name')), enter('Ada')).state;

	test.each<readonly [name: string, actions: readonly Action[]]>([
		['right after the last field', [type('y')]],
		['by Enter right after the last field', [press('enter')]],
		['by a word that is typed on', [type('A'), armed, type('y'), armed, type('y')]],
		['by a paste', [armed, paste('y')]],
		['by a key among others', [armed, enter('y')]],
	])('%s', (_, actions) => {
		const {state, effects} = play(written(), ...actions);
		expect(answersOf(effects)).toEqual([]);
		expect(questionOf(state).isArmed).toBe(false);
		expect(typesOf(effects)).toContain('arm-question');
		expect(draftOf(state)).toBe('');
	});

	test('before all of it was shown', () => {
		const long = play(form(fieldOf('name')), paste('x '.repeat(5000)), press('enter'), armed).state;
		const refused = play(long, type('y'));
		expect(answersOf(refused.effects)).toEqual([]);
		expect(problemOf(refused.state)).toBe('Press v first, to see all of it.');
		const viewed = play(refused.state, type('v'));
		expect(entriesOf(viewed.effects)).toMatchObject([{type: 'question'}]);
		expect(answersOf(play(viewed.state, type('y')).effects)).toHaveLength(1);
		const again = play(viewed.state, type('b'), enter('!'), armed, type('y'));
		expect(answersOf(again.effects)).toEqual([]);
	});

	test('by Enter once more, which goes back without losing a field', () => {
		const {state, effects} = play(written(), armed, press('enter'));
		expect(answersOf(effects)).toEqual([]);
		expect(textIn(state)).toBe('Ada');
		const sent = play(state, press('enter'), armed, press('up'), press('up'), press('enter'));
		expect(answersOf(sent.effects)).toEqual([{type: 'accept', values: {name: 'Ada'}}]);
	});

	test('when Esc declines, at a field or at the end', () => {
		for (const state of [form(fieldOf('name')), play(written(), armed).state]) {
			const {state: after, effects} = play(state, press('escape'));
			expect(answersOf(effects)).toEqual([{type: 'decline'}]);
			expect(typesOf(effects)).not.toContain('stop-turn');
			expect(entriesOf(effects)).toEqual([
				{type: 'answered', text: 'declined what github asked for'},
			]);
			expect(after.question).toBeUndefined();
		}
	});

	test('when Ctrl-C stops the turn', () => {
		const {effects} = play(form(fieldOf('name')), press('ctrl+c'));
		expect(typesOf(effects)).toContain('stop-turn');
		expect(answersOf(effects)).toEqual([]);
	});
});

describe('a question that is not armed yet', () => {
	test('ignores what is typed, and waits again', () => {
		const {state, effects} = play(open(formOf(fieldOf('name'))), type('a'), enter('b'));
		expect(draftOf(state)).toBe('');
		expect(state.queue).toEqual([]);
		expect(typesOf(effects)).toContain('arm-question');
		expect(textIn(state)).toBe('');
	});

	test('asks for a key even without fields', () => {
		expect(answersOf(play(open(formOf()), type('y')).effects)).toEqual([]);
		expect(answersOf(play(open(formOf(), armed), type('y')).effects)).toEqual([
			{type: 'accept', values: {}},
		]);
	});

	test('ignores the keys of a single answer', () => {
		const before = reduceAnswer(begin(), asked(formOf(fieldOf('a'))));
		const typed = reduceAnswer(before.state, type('x'));
		expect(typesOf(typed.effects)).toEqual(['arm-question']);
		const begun = reduceAnswer(reduceAnswer(typed.state, armed).state, type('x'));
		expect(begun.state.question).toMatchObject({fields: [{text: {buffer: {lines: ['x']}}}]});
	});
});

describe('a page', () => {
	const page = pageOf('https://login.example.com/a?b=c');

	test('is agreed to with o alone', () => {
		for (const key of ['y', '0', 'oo']) {
			expect(answersOf(play(open(page, armed), type(key)).effects)).toEqual([]);
		}
		const {effects} = play(open(page, armed), type('o'));
		expect(answersOf(effects)).toEqual([{type: 'accept', values: {}}]);
	});

	test.each([
		[true, 'opened in your browser:'],
		[false, 'open this address in a browser:'],
	])('leaves its address in the scrollback: opened %s', (isOpen, title) => {
		const url = new URL('https://login.example.com/a?b=c');
		const {effects} = play(begin(), {type: 'page-opened', url, isOpen});
		expect(entriesOf(effects)).toMatchObject([{title, address: url.href}]);
	});

	test('is not agreed to before its whole address was shown', () => {
		const long = pageOf(`https://example.com/${'a'.repeat(5000)}`);
		const {state, effects} = play(open(long, armed), type('o'));
		expect(answersOf(effects)).toEqual([]);
		expect(answersOf(play(state, type('v'), type('o')).effects)).toHaveLength(1);
	});

	test('is not agreed to by a word that is typed on, or by Enter alone', () => {
		const isAgreed = (...keys: readonly Action[]) => {
			const {state, effects} = play(open(page, armed), ...keys);
			expect(draftOf(state)).toBe('');
			return answersOf(effects).some((answer) => (answer as ElicitAnswer).type === 'accept');
		};
		expect(isAgreed(type('h'), armed, type('o'))).toBe(false);
		expect(isAgreed(press('enter'))).toBe(false);
		expect(isAgreed(press('up', 'enter'))).toBe(false);
		expect(isAgreed(press('up'), press('up'), press('enter'))).toBe(true);
	});
});

describe('a session', () => {
	test('asks with the keyboard, and returns the answer', async () => {
		const {repl, until, elicit} = openScripted([['silence']]);
		repl.dispatch(enter('go'));
		const answered = elicit(formOf(fieldOf('name')), new AbortController().signal);
		await until(({question}) => question?.isArmed === true);
		repl.dispatch(enter('Ada'));
		await until(({question}) => question?.isArmed === true);
		repl.dispatch(type('y'));
		expect(await answered).toEqual({type: 'accept', values: {name: 'Ada'}});
	});

	test('withdraws the question of a call that is aborted', async () => {
		const {repl, elicit, ask} = openScripted([['silence']]);
		const interrupt = new AbortController();
		repl.dispatch(enter('go'));
		const answered = elicit(formOf(fieldOf('name')), interrupt.signal);
		const stop = new ChatError('interrupted', 'stop');
		interrupt.abort(stop);
		await expect(answered).rejects.toBe(stop);
		expect(repl.getState().question).toBeUndefined();
		void ask(createRequest(), new AbortController().signal);
		expect(repl.getState().question?.title).toBe('Run weather?');
	});

	test('opens a page', async () => {
		const opened: string[] = [];
		const openPage = async ({href}: URL) => opened.push(href) > 0;
		const {repl, until, elicit} = openScripted([['silence']], {openPage});
		repl.dispatch(enter('go'));
		const answered = elicit(pageOf('https://example.com'), new AbortController().signal);
		await until(({question}) => question?.isArmed === true);
		repl.dispatch(type('o'));
		expect(await answered).toEqual({type: 'accept', values: {}});
		expect(opened).toEqual(['https://example.com/']);
	});

	test('reports no page when the call ends while it is being opened', async () => {
		let finish = (_isOpen: boolean) => {};
		const opening = new Promise<boolean>((resolve) => {
			finish = resolve;
		});
		const interrupt = new AbortController();
		const {repl, until, elicit} = openScripted([['silence']], {openPage: () => opening});
		repl.dispatch(enter('go'));
		const answered = elicit(pageOf('https://example.com'), interrupt.signal);
		await until(({question}) => question?.isArmed === true);
		const reported: string[] = [];
		repl.subscribe(({type: name}) => reported.push(name));
		repl.dispatch(type('o'));
		const stop = new ChatError('interrupted', 'stop');
		interrupt.abort(stop);
		finish(true);
		await expect(answered).rejects.toBe(stop);
		expect(reported).not.toContain('page-opened');
	});
});
