/** The question whether a call may run accepts only keys that are meant for it. */
import {describe, expect, onTestFinished, test, vi} from 'vitest';
import {type Action, type QuestionAction, sequenceEach} from '../../src/repl/action.ts';
import {allBindings} from '../../src/repl/keys/key-bindings.ts';
import {createApproval} from '../../src/repl/question/approval.ts';
import {canAgree} from '../../src/repl/question/layout.ts';
import type {AnswerState, ReplState} from '../../src/repl/state.ts';
import {type AnswerAction, reduceAnswer} from '../../src/repl/turn/reduce-answer.ts';
import {createRequest} from '../helpers/approval-request.ts';
import {
	begin,
	draftOf,
	expectRows,
	expectSeen,
	letters,
	lineOf,
	paste,
	play,
	press,
	pressed,
	type Row,
	type Step,
	typesOf,
} from './play.ts';
import {openScripted} from './scripted-repl.ts';

const asked = (of = createRequest()): QuestionAction => ({
	...{type: 'question-asked', question: createApproval(of)},
});
const armed: QuestionAction = {type: 'question-armed'};

/** Opens the question during a turn. */
const open = (...steps: readonly Step[]): ReplState => play(begin(), 'go⏎', '<< …', ...steps).state;

const once = {type: 'run', decision: 'once'} as const;
const session = {type: 'run', decision: 'session'} as const;
const deny = {type: 'deny'} as const;
const unanswered = {answers: [], draft: '', does: expect.arrayContaining(['arm-question'])};

describe('an armed question', () => {
	const answered = (...answers: readonly unknown[]) => ({answers, draft: '', field: undefined});

	test('is answered by a letter that names a choice, by Esc, and by a text', () => {
		const rows: readonly Row[] = [
			['y', answered(once)],
			['s', answered(session)],
			['n', answered(deny)],
			['<escape>', {...answered(deny), does: ['answer-question']}],
			['<ctrl+c>', {answers: [], does: expect.arrayContaining(['stop-turn'])}],
			[['d', 'not n', 'ow', '⏎'], answered({type: 'deny', reason: 'not now'})],
		];
		expectRows(open(asked(), armed), ...rows);
	});

	test('accepts edited arguments that are an object, and is not armed after editing', () => {
		const wrong = ['e', '<ctrl+u>', '[1]⏎'];
		const edit = {type: 'edit', arguments: '{"city":"Rome"}'};
		expectRows(
			open(asked(), armed),
			['e', {field: 'arguments'}],
			[wrong, {answers: [], problem: 'That is not a JSON object.'}],
			[[...wrong, '<ctrl+u>', '{"city":"Rome"}⏎'], {answers: [edit]}],
			[['e', 'y', '<escape>'], {field: undefined, isArmed: false}],
		);
	});

	test('is not answered by other keys or a letter among others, and waits again', () => {
		const others = [paste('y'), 'yes', 'y⏎', '<ctrl+y>', ' ', '<backspace>'];
		const waiting = {...unanswered, isArmed: false};
		expectRows(open(asked(), armed), ...others.map((step): Row => [step, waiting]));
	});
});

test('a question that is not armed yet ignores keys, and waits again', () => {
	const keys = ['y', 'd', 'v', 'x', '⏎', '<escape>', '<up>', paste('y')];
	const seen = {answers: [], draft: 'ma', isArmed: false, field: undefined, selected: undefined};
	const rows = keys.map((key): Row => [key, {...seen, does: ['arm-question']}]);
	expectRows(open('ma', asked()), ...rows);
	// The same letter counts after the pause.
	expectRows(open(asked()), [['y', 'y', armed, 'y'], {answers: [once]}]);
});

test('the arrows choose from "no" on, up to the ends', () => {
	expectRows(
		open(asked(), armed),
		['⏎', {answers: [deny], draft: '', queue: []}],
		[['<up>', '<up>', '<up>', '⏎'], {answers: [session]}],
		[[...Array(6).fill('<up>'), '⏎'], {answers: [once]}],
		[['<ctrl+p>', '<ctrl+n>', '⏎'], {answers: [deny]}],
		[['<down>', '<down>', '<down>', '⏎'], {field: 'reason'}],
	);
	const long = open(asked(createRequest({city: 'x'.repeat(100_000)})), armed);
	const problem = 'Press v first, to see all of it.';
	expectRows(long, [[...Array(4).fill('<up>'), '⏎'], {answers: [], problem}]);
});

describe('a question while a prompt is being written', () => {
	/** Types a text letter by letter, with a pause that arms the question after each of some. */
	const typeOn = (text: string, isSlow = false): readonly Step[] => [
		...letters(text).flatMap((key) => (isSlow ? [key, armed] : [key])),
		armed,
	];

	test.each<readonly [name: string, steps: readonly Step[]]>([
		['a word after a word', [...typeOn('We '), ...typeOn('should')]],
		['slowly', [...typeOn('We ', true), ...typeOn('should say yes', true)]],
		['with Enter', [...letters('We'), '⏎', ...typeOn('should', true)]],
		['after a paste', [paste('We'), armed, ...typeOn('should', true)]],
		['after Backspace', ['<backspace>', armed, ...typeOn('yes', true)]],
	])('is not answered by what is typed on: %s', (_, steps) => {
		expectRows(open(asked()), [steps, {...unanswered, field: undefined}]);
	});

	test('counts letters again after an arrow, begins at "no" again, and leaves the draft as it was', () => {
		const before = open('We ');
		const typing = play(before, asked(), armed, ...typeOn('should', true));
		expectSeen(typing, {answers: []});
		expectRows(
			typing.state,
			[['<up>', 'x', armed, 'y'], {answers: []}],
			[['<up>', 'x', armed, '⏎'], {answers: [deny]}],
			[['<up>', 'y'], {answers: [once]}],
			[['<up>', 'x', armed, '<down>', 'y'], {answers: [once]}],
		);
		expect(play(typing.state, '<up>', 'y').state.editor).toEqual(before.editor);
	});

	test('lets no key but Ctrl-C, Ctrl-Z, Ctrl-L and Ctrl-O do anything else', () => {
		const chords = allBindings.flatMap(({chords: all}) => all).filter((chord) => chord !== 'enter');
		const outside = new Set(['ctrl+c', 'ctrl+z', 'ctrl+l', 'ctrl+o', 'alt+t']);
		const before = open('draft', asked());
		for (const chord of chords.filter((one) => !outside.has(one))) {
			const {state, effects} = play(before, press(chord));
			expect({...state, question: undefined}).toEqual({...before, question: undefined});
			expect(typesOf(effects)).toEqual(['arm-question']);
		}
		expectRows(
			before,
			['<ctrl+l>', {does: ['arm-question', 'redraw']}],
			['<ctrl+o>', {pane: 'open'}],
		);
	});
});

test('an answer in words counts only while the question is armed, and after no other line', () => {
	const given: QuestionAction = {type: 'line-answered', line: '1'};
	expectRows(
		open(asked()),
		[given, {answers: []}],
		[[armed, given], {answers: [once]}],
		[[armed, lineOf('another prompt'), given], {answers: [], queue: ['another prompt']}],
	);
});

test('the question of a single answer has the same keys, and Ctrl-C', () => {
	const single: AnswerState = begin();
	const playSingle = (...steps: ReadonlyArray<AnswerAction | string>) => {
		const actions = steps.map((step) => (typeof step === 'string' ? pressed(step) : step));
		const {state, effects} = sequenceEach(single, actions, reduceAnswer);
		const answers = effects.flatMap((effect) => ('answer' in effect ? [effect.answer] : []));
		return {answers, isArmed: state.question?.isArmed, does: typesOf(effects)};
	};
	expect(playSingle(asked(), armed, 'y⏎')).toMatchObject({answers: [], isArmed: false});
	expect(playSingle(asked(), armed, 'y')).toMatchObject({answers: [once], isArmed: undefined});
	expect(playSingle(asked(), '<ctrl+c>').does).toContain('stop-turn');
	expect(playSingle('<ctrl+c>', 'y').does).toEqual(['stop-turn']);
});

describe('a question too long for the window', () => {
	test.each([
		['5,000 spaces', `a${' '.repeat(5000)}; rm -rf /`],
		['many unusual characters', '\u202e\u200b'.repeat(200)],
	])('with %s can be denied, but not approved before it is viewed', (_, city) => {
		const prints = [expect.objectContaining({type: 'question', title: 'weather:'})];
		expectRows(
			open(asked(createRequest({city})), armed),
			['y', {answers: []}],
			['s', {answers: []}],
			['n', {answers: [deny]}],
			['v', {answers: [], prints}],
			[['v', 'y'], {answers: [once]}],
		);
	});

	test('cannot be approved after the window shrinks', () => {
		const {question} = open(asked());
		if (question === undefined) throw new Error('there is no question');
		const sizes = [24, 8].map((rows) => canAgree(question, {columns: 80, rows}));
		expect(sizes).toEqual([true, false]);
	});
});

describe('a session', () => {
	test('arms the question after 600 ms without a key', async () => {
		vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
		onTestFinished(() => void vi.useRealTimers());
		const {repl, play, ask} = openScripted([['silence']]);
		play('go⏎');
		const answered = ask(createRequest(), new AbortController().signal);
		const isArmedAfter = async (ms: number) => {
			await vi.advanceTimersByTimeAsync(ms);
			return repl.getState().question?.isArmed;
		};
		for (let count = 0; count < 3; count += 1) {
			expect(await isArmedAfter(599)).toBe(false);
			play('y');
		}
		expect(await isArmedAfter(600)).toBe(true);
		play('y');
		expect(await answered).toEqual(once);
		expect(draftOf(repl.getState())).toBe('');
	});
});

test('a question leaves the description out if the lines of the call say it', () => {
	const request = createRequest();
	const definition = {name: 'weather', description: 'Reports the weather\nof a city'};
	const described = {...request, tool: {...request.tool, definition}};
	const lines = [...request.lines, {label: 'says', text: 'Reports the weather'}];
	const aboutOf = (action: Action) => open(action).question?.about;
	expect(aboutOf(asked(described))).toBe('Reports the weather');
	expect(aboutOf(asked({...described, lines}))).toBe('');
});
