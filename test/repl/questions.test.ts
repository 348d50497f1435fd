/** Questions accept only keys that are meant for them: whether a call may run, and what a server asks. */
import {describe, expect, onTestFinished, test, vi} from 'vitest';
import type {Elicitation, ElicitedField} from '../../src/chat/elicitation.ts';
import {ChatError} from '../../src/errors.ts';
import {type Action, type QuestionAction, sequenceEach} from '../../src/repl/action.ts';
import {allBindings} from '../../src/repl/keys/key-bindings.ts';
import {createApproval} from '../../src/repl/question/approval.ts';
import {createElicitation} from '../../src/repl/question/elicitation.ts';
import {canAgree} from '../../src/repl/question/layout.ts';
import type {AnswerState, ReplState} from '../../src/repl/state.ts';
import {type AnswerAction, reduceAnswer} from '../../src/repl/turn/reduce-answer.ts';
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
import {createGate} from '../helpers/scripted-service.ts';
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
	type Seen,
	type Step,
	typesOf,
} from './play.ts';
import {openScripted} from './scripted-repl.ts';

const armed: QuestionAction = {type: 'question-armed'};
/** Plays during a turn. */
const during = (...steps: readonly Step[]): ReplState =>
	play(begin(), 'go⏎', '<< …', ...steps).state;

const approval = (of = createRequest()): QuestionAction => ({
	...{type: 'question-asked', question: createApproval(of)},
});
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
		expectRows(during(approval(), armed), ...rows);
	});

	test('accepts edited arguments that are an object, and is not armed after editing', () => {
		const wrong = ['e', '<ctrl+u>', '[1]⏎'];
		const edit = {type: 'edit', arguments: '{"city":"Rome"}'};
		expectRows(
			during(approval(), armed),
			['e', {field: 'arguments'}],
			[wrong, {answers: [], problem: 'That is not a JSON object.'}],
			[[...wrong, '<ctrl+u>', '{"city":"Rome"}⏎'], {answers: [edit]}],
			[['e', 'y', '<escape>'], {field: undefined, isArmed: false}],
		);
	});

	test('is not answered by other keys or a letter among others, and waits again', () => {
		const others = [paste('y'), 'yes', 'y⏎', '<ctrl+y>', ' ', '<backspace>'];
		const waiting = {...unanswered, isArmed: false};
		expectRows(during(approval(), armed), ...others.map((step): Row => [step, waiting]));
	});
});

test('a question that is not armed yet ignores keys, and waits again', () => {
	const keys = ['y', 'd', 'v', 'x', '⏎', '<escape>', '<up>', paste('y')];
	const seen = {answers: [], draft: 'ma', isArmed: false, field: undefined, selected: undefined};
	const rows = keys.map((key): Row => [key, {...seen, does: ['arm-question']}]);
	expectRows(during('ma', approval()), ...rows);
	// The same letter counts after the pause.
	expectRows(during(approval()), [['y', 'y', armed, 'y'], {answers: [once]}]);
});

test('the arrows choose from "no" on, up to the ends', () => {
	expectRows(
		during(approval(), armed),
		['⏎', {answers: [deny], draft: '', queue: []}],
		[['<up>', '<up>', '<up>', '⏎'], {answers: [session]}],
		[[...Array(6).fill('<up>'), '⏎'], {answers: [once]}],
		[['<ctrl+p>', '<ctrl+n>', '⏎'], {answers: [deny]}],
		[['<down>', '<down>', '<down>', '⏎'], {field: 'reason'}],
	);
	const long = during(approval(createRequest({city: 'x'.repeat(100_000)})), armed);
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
		expectRows(during(approval()), [steps, {...unanswered, field: undefined}]);
	});

	test('counts letters again after an arrow, begins at "no" again, and leaves the draft as it was', () => {
		const before = during('We ');
		const typing = play(before, approval(), armed, ...typeOn('should', true));
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
		const before = during('draft', approval());
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
		during(approval()),
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
	expect(playSingle(approval(), armed, 'y⏎')).toMatchObject({answers: [], isArmed: false});
	expect(playSingle(approval(), armed, 'y')).toMatchObject({answers: [once], isArmed: undefined});
	expect(playSingle(approval(), '<ctrl+c>').does).toContain('stop-turn');
	expect(playSingle('<ctrl+c>', 'y').does).toEqual(['stop-turn']);
});

describe('a question too long for the window', () => {
	test.each([
		['5,000 spaces', `a${' '.repeat(5000)}; rm -rf /`],
		['many unusual characters', '\u202e\u200b'.repeat(200)],
	])('with %s can be denied, but not approved before it is viewed', (_, city) => {
		const prints = [expect.objectContaining({type: 'question', title: 'weather:'})];
		expectRows(
			during(approval(createRequest({city})), armed),
			['y', {answers: []}],
			['s', {answers: []}],
			['n', {answers: [deny]}],
			['v', {answers: [], prints}],
			[['v', 'y'], {answers: [once]}],
		);
	});

	test('cannot be approved after the window shrinks', () => {
		const {question} = during(approval());
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
	const aboutOf = (action: Action) => during(action).question?.about;
	expect(aboutOf(approval(described))).toBe('Reports the weather');
	expect(aboutOf(approval({...described, lines}))).toBe('');
});

const asked = (request: Elicitation): QuestionAction => ({
	...{type: 'question-asked', question: createElicitation(request)},
});
const open = (request: Elicitation, ...steps: readonly Step[]) => during(asked(request), ...steps);
const form = (...fields: readonly ElicitedField[]) => open(formOf(...fields), armed);
/** Sends what is shown, once it counts. */
const send = [armed, 'y'];
const sends = (values: object): Seen => ({answers: [{type: 'accept', values}]});
const unseen = 'Press v first, to see all of it.';

describe('the fields', () => {
	test('are written one by one, and sent as one answer', () => {
		const numbers = [fieldOf('age', kinds.number), fieldOf('sure', kinds.boolean)];
		const choices = [fieldOf('colour', kinds.choice), fieldOf('colours', colours)];
		const all = form(required('name'), ...numbers, ...choices);
		const sent = play(all, 'Ada⏎', '36⏎', 'y⏎', '2⏎', '1 3⏎', ...send);
		const values = {name: 'Ada', age: 36, sure: true, colour: 'green', colours: ['red', 'blue']};
		const prints = [{type: 'answered', text: 'answered github: 5 fields'}];
		expectSeen(sent, {...sends(values), prints, draft: ''});
		expect(sent.state.question).toBeUndefined();
		expect(sent.state.editor.history).toEqual(play(begin(), 'go⏎').state.editor.history);
	});

	test('keep a suggestion that fits, or are left out', () => {
		expectRows(
			form(suggested('city', kinds.text, 'Oslo'), fieldOf('zip')),
			[[], {text: 'Oslo'}],
			[['⏎', '⏎', ...send], sends({city: 'Oslo'})],
			[['<ctrl+u>⏎', '⏎', ...send], sends({})],
		);
		expectRows(form(suggested('age', kinds.number, 'old')), [[], {text: ''}]);
		expectRows(form(suggested('colour', kinds.choice, 'pink')), [[], {text: ''}]);
	});

	test('stay while the answer does not fit, and say why', () => {
		const missing = 'This field must not be left out.';
		expectRows(
			form(required('age', kinds.number)),
			['old⏎', {problem: 'Expected a number.', text: 'old'}],
			[['old⏎', 'e'], {problem: undefined}],
			[['old⏎', '<ctrl+u>⏎'], {problem: missing, field: 'age'}],
		);
		expectRows(form(required('colours', colours)), [['⏎', ...send], sends({colours: []})]);
	});

	test('may have any name, are edited like a draft, and keep their text while the user goes back', () => {
		const {effects} = play(form(required('__proto__')), 'x⏎', ...send);
		const answer = effects.find(({type}) => type === 'answer-question');
		expect(JSON.stringify(answer)).toContain('{"type":"accept","values":{"__proto__":"x"}}');
		expectRows(form(fieldOf('text')), [['ab', '<ctrl+j>', paste('x\ny')], {text: 'ab\nx\ny'}]);
		const back = ['one⏎', 'two', '<shift+tab>'];
		expectRows(
			form(fieldOf('a'), fieldOf('b')),
			[back, {text: 'one'}],
			[[...back, '⏎'], {text: 'two'}],
			[[...back, '⏎', '⏎', armed, 'b', '!⏎', ...send], sends({a: 'one', b: 'two!'})],
		);
	});

	test('with choices take the arrows, which stay in the list, and Space for several', () => {
		expectRows(
			form(fieldOf('colour', kinds.choice)),
			['<down>', {text: '1'}],
			[Array(5).fill('<down>'), {text: '3'}],
			[['2', '<up>'], {text: '1'}],
		);
		const both = ['<down>', '<down>', ' ', '<up>', ' '];
		expectRows(
			form(fieldOf('colours', colours)),
			[both, {text: '1, 2'}],
			[[...both, ' '], {text: '2'}],
			[['1', ' ', '3'], {text: '1 3'}],
		);
	});
});

describe('nothing is sent', () => {
	const written = play(form(fieldOf('name')), 'Ada⏎').state;

	test('by keys right after the last field, by a word, a paste, or a key among others', () => {
		const arms = expect.arrayContaining(['arm-question']);
		const unsent = {answers: [], isArmed: false, does: arms, draft: ''};
		const early: ReadonlyArray<readonly Step[]> = [
			['y'],
			['⏎'],
			['A', armed, 'y', armed, 'y'],
			[armed, paste('y')],
			[armed, 'y⏎'],
		];
		expectRows(written, ...early.map((steps): Row => [steps, unsent]));
	});

	test('before all of it was shown, again after a change', () => {
		const prints = [expect.objectContaining({type: 'question'})];
		expectRows(
			play(form(fieldOf('name')), paste('x '.repeat(5000)), '⏎', armed).state,
			['y', {answers: [], problem: unseen}],
			[['y', 'v'], {prints}],
			[['y', 'v', 'y'], {answers: [expect.objectContaining({type: 'accept'})]}],
			[['y', 'v', 'b', '!⏎', armed, 'y'], {answers: []}],
		);
	});

	test('by Enter once more, which goes back without losing a field', () => {
		expectRows(
			written,
			[[armed, '⏎'], {answers: [], text: 'Ada'}],
			[[armed, '⏎', '⏎', armed, '<up>', '<up>', '⏎'], sends({name: 'Ada'})],
		);
	});

	test('when Esc declines, at a field or at the end, or Ctrl-C stops the turn', () => {
		const prints = [{type: 'answered', text: 'declined what github asked for'}];
		const declined = {answers: [{type: 'decline'}], prints, does: ['print', 'answer-question']};
		for (const state of [form(fieldOf('name')), play(written, armed).state]) {
			expectRows(
				state,
				['<escape>', declined],
				['<ctrl+c>', {answers: [], does: expect.arrayContaining(['stop-turn'])}],
			);
		}
	});

	test('before the question is armed, even without fields', () => {
		const waits = {draft: '', queue: [], text: '', does: expect.arrayContaining(['arm-question'])};
		expectRows(open(formOf(fieldOf('name'))), [['a', 'b⏎'], waits]);
		expectRows(open(formOf()), ['y', {answers: []}], [[armed, 'y'], sends({})]);
	});
});

describe('a page', () => {
	test('is agreed to with o alone, or with the arrows, once its whole address was shown', () => {
		const not = {answers: [], draft: ''};
		expectRows(
			open(pageOf('https://login.example.com/a?b=c'), armed),
			['o', sends({})],
			...['y', '0', 'oo'].map((key): Row => [key, not]),
			[['h', armed, 'o'], not],
			['⏎', {answers: [{type: 'decline'}], draft: ''}],
			['<up>⏎', not],
			[['<up>', '<up>', '⏎'], sends({})],
		);
		const long = pageOf(`https://example.com/${'a'.repeat(5000)}`);
		expectRows(open(long, armed), ['o', {answers: []}], [['o', 'v', 'o'], sends({})]);
	});

	test('leaves its address in the scrollback', () => {
		const url = new URL('https://login.example.com/a?b=c');
		const printed = (title: string) => [expect.objectContaining({title, address: url.href})];
		const opened = (isOpen: boolean): Step => ({type: 'page-opened', url, isOpen});
		expectRows(
			begin(),
			[opened(true), {prints: printed('opened in your browser:')}],
			[opened(false), {prints: printed('open this address in a browser:')}],
		);
	});
});

describe('a session with a server', () => {
	/** Asks during an answer, and lets time pass until keys count. */
	async function ask(request: Elicitation, openPage = async () => true) {
		vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
		onTestFinished(() => void vi.useRealTimers());
		const scripted = openScripted([['silence']], {openPage});
		const interrupt = new AbortController();
		const stop = new ChatError('interrupted', 'stop');
		scripted.play('go⏎');
		const answered = scripted.elicit(request, interrupt.signal);
		await vi.advanceTimersByTimeAsync(1000);
		return {...scripted, answered, stop, interrupt: () => interrupt.abort(stop)};
	}

	test('withdraws the question of a call that is aborted', async () => {
		const {repl, answered, stop, interrupt, ask: approve} = await ask(formOf(fieldOf('name')));
		interrupt();
		await expect(answered).rejects.toBe(stop);
		expect(repl.getState().question).toBeUndefined();
		void approve(createRequest(), new AbortController().signal);
		expect(repl.getState().question?.title).toBe('Run weather?');
	});

	test('opens a page, and reports none when the call ends while it is being opened', async () => {
		const opened = await ask(pageOf('https://example.com'));
		opened.play('o');
		expect(await opened.answered).toEqual({type: 'accept', values: {}});
		expect(opened.actions.at(-1)).toMatchObject({type: 'page-opened', isOpen: true});
		const opening = createGate();
		const openPage = vi.fn(async () => {
			await opening.opened;
			return true;
		});
		const stopped = await ask(pageOf('https://example.com'), openPage);
		stopped.play('o');
		await new Promise(setImmediate);
		expect(openPage).toHaveBeenCalled();
		stopped.interrupt();
		opening.open();
		await expect(stopped.answered).rejects.toBe(stopped.stop);
		await new Promise(setImmediate);
		expect(stopped.actions.map(({type}) => type)).not.toContain('page-opened');
	});
});
