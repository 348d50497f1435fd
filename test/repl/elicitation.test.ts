/** The questions of a server: each field is written, all of it is seen, and one key sends it. */
import {describe, expect, onTestFinished, test, vi} from 'vitest';
import type {Elicitation, ElicitedField} from '../../src/chat/elicitation.ts';
import {ChatError} from '../../src/errors.ts';
import type {QuestionAction} from '../../src/repl/action.ts';
import {createElicitation} from '../../src/repl/question/elicitation.ts';
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
	expectRows,
	expectSeen,
	paste,
	play,
	type Row,
	type Seen,
	type Step,
} from './play.ts';
import {openScripted} from './scripted-repl.ts';

const asked = (request: Elicitation): QuestionAction => ({
	...{type: 'question-asked', question: createElicitation(request)},
});
const armed: QuestionAction = {type: 'question-armed'};
const open = (request: Elicitation, ...steps: readonly Step[]) =>
	play(begin(), 'go⏎', '<< …', asked(request), ...steps).state;
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

describe('a session', () => {
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
