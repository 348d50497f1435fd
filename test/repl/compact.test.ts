/** `/compact`, and the question about a request that is too large. */
import {describe, expect, test} from 'vitest';
import type {Conversation} from '../../src/chat/conversation.ts';
import {textOutput} from '../../src/chat/tool-output.ts';
import {ChatError} from '../../src/errors.ts';
import type {Action} from '../../src/repl/action.ts';
import {reduce} from '../../src/repl/reduce.ts';
import type {ReplServices} from '../../src/repl/services.ts';
import type {ReplState} from '../../src/repl/state.ts';
import {textDelta, turnEnd} from '../helpers/events.ts';
import {createGate} from '../helpers/scripted-service.ts';
import {
	answer,
	begin,
	draftOf,
	enter,
	events,
	lineOf,
	messagesOf,
	play,
	popupOf,
	press,
	replyOf,
	saidBy,
	stepEnd,
	stepStart,
	type,
} from './play.ts';
import {openScripted} from './scripted-repl.ts';

const words = (count: number) => 'word '.repeat(count).trim();

/** Returns a conversation with prompts of this many words. */
function talk(...counts: readonly number[]): Conversation {
	const actions = counts.flatMap((count, index) => [
		lineOf(`${index + 1} ${words(count)}`),
		answer(`answer ${index + 1}`),
	]);
	return play(begin(), ...actions).state.conversation;
}

const four = talk(1000, 1000, 1000, 100);

function shorten(messages: readonly string[]): readonly string[] {
	return messages.map((message) => message.replace(/( word)+/g, '').slice(0, 65));
}

const nextAnswer = [[stepStart, textDelta('next'), stepEnd()]];

type Opened = Partial<Pick<ReplServices, 'summarize' | 'findWindow'>> & {
	readonly conversation?: Conversation;
	readonly compact?: 'ask' | 'off';
};

/** Opens a session whose clock goes on by a second with each action. */
function open({conversation = four, compact = 'ask', ...services}: Opened = {}) {
	let date = 0;
	const wishes: string[] = [];
	const scripted = openScripted([nextAnswer, nextAnswer], {
		initial: begin({conversation, compact}),
		summarize: async ({wish, plan}) => {
			wishes.push(wish);
			return `summary of ${plan.first}–${plan.last}`;
		},
		findWindow: async () => ({window: undefined, tools: []}),
		date: () => {
			date += 1000;
			return date;
		},
		createId: () => `id-${date}`,
		...services,
	});
	const said = () => saidBy(scripted.effects);
	const state = () => scripted.repl.getState();
	/** Opens the summary that the command asks for. */
	const openSummary = async (command = '/compact') => {
		scripted.play(lineOf(command));
		await scripted.until(isOpen);
	};
	return {...scripted, act: scripted.play, wishes, said, state, openSummary};
}

const hasTurns =
	(count: number) =>
	({conversation}: ReplState) =>
		conversation.turns.length === count;
const isOpen = ({editing}: ReplState) => editing?.summary !== undefined;
const isAsked = ({question}: ReplState) => question !== undefined;
const armed: Action = {type: 'question-armed'};

describe('/compact', () => {
	test('opens a summary in the editor, which counts once Enter applies it', async () => {
		const {act, openSummary, until, state, wishes, requests, said} = open();
		act('my draft');
		await openSummary('/compact the figures');
		expect(wishes).toEqual(['the figures']);
		expect(draftOf(state())).toBe('summary of 1–3');
		expect(messagesOf(state())).toHaveLength(8);
		act(press('end'), type(', edited'), press('enter'));
		expect(said()).toContain('turns 1–3 are sent as this summary; /undo takes it back');
		expect(draftOf(state())).toBe('my draft');
		act(press('enter'));
		await until(hasTurns(5));
		expect(shorten(requests[0] ?? [])).toEqual([
			'user: Summary of the conversation so far:\n\nsummary of 1–3, edited',
			'assistant: answer 4',
			'user: my draft',
		]);
	});

	test('keeps a second summary after the first', async () => {
		const {act, openSummary, until, state, requests} = open();
		await openSummary();
		act(press('enter'), enter(words(2000)));
		await until(hasTurns(5));
		await openSummary();
		expect(draftOf(state())).toBe('summary of 4–4');
		act(press('enter'), enter('go on'));
		await until(hasTurns(6));
		expect(requests[1]?.[0]?.slice(0, 90)).toBe(
			'user: Summary of the conversation so far:\n\nsummary of 1–3\n\nsummary of 4–4\n\nword word word ',
		);
	});

	test.each(['<escape>', '<ctrl+c>'])(
		'drops the summary at %s, and the draft is back',
		async (key) => {
			const {act, openSummary, state} = open();
			act('my draft');
			await openSummary();
			act(key);
			expect(popupOf(state())).toBe('nothing was compacted');
			expect(draftOf(state())).toBe('my draft');
			expect(state().conversation).toBe(four);
		},
	);

	test('is taken back by /undo, which then undoes turns', async () => {
		const {act, openSummary, state, said} = open();
		await openSummary();
		act(press('enter'), lineOf('/undo'));
		expect(messagesOf(state())).toEqual(messagesOf(begin({conversation: four})));
		expect(said()).toContain('compaction undone: turns 1–3 are sent whole again');
		act(lineOf('/undo'));
		expect(state().conversation.turns).toHaveLength(3);
	});

	test('applies nothing typed before it could be read, and nothing empty', async () => {
		const {act, openSummary, state} = open();
		await openSummary();
		const early: Action = press('enter');
		const {openedAt = 0} = state().editing?.summary ?? {};
		const at = (later: number) => ({date: openedAt + later, nextTurnId: 'c'});
		expect(popupOf(reduce(state(), early, at(100)).state)).toMatch(/^a summary is open/);
		expect(reduce(state(), early, at(1000)).state.conversation.compactions).toHaveLength(1);
		act(press('ctrl+k'), press('enter'));
		expect(popupOf(state())).toMatch(/^an empty summary compacts nothing/);
		act(type('/undo'), press('enter'));
		expect(popupOf(state())).toMatch(/^a summary is open/);
	});

	test('can be stopped, and a failure says why; prompts wait meanwhile', async () => {
		const gate = createGate();
		const {act, until, state} = open({
			summarize: (_, signal) =>
				new Promise((_resolve, reject) => {
					signal.addEventListener('abort', () => reject(signal.reason));
					void gate.opened.then(() => reject(new ChatError('incomplete', 'cut off')));
				}),
		});
		act(lineOf('/compact'), enter('waits'), lineOf('/undo'));
		expect(popupOf(state())).toBe('a summary is being written; Esc stops it');
		expect(state().turn).toBeUndefined();
		act(press('escape'));
		await until(({tasks}) => tasks.length === 0);
		expect(popupOf(state())).toBe('nothing was compacted');
		expect(state().queue.map(({text}) => text)).toEqual(['waits']);
		act(lineOf('/compact'));
		gate.open();
		await until(({tasks}) => tasks.length === 0);
		expect(state().conversation).toBe(four);
	});

	test('needs two turns', () => {
		const {state, effects} = play(begin({conversation: talk(10)}), lineOf('/compact'));
		expect(replyOf({state, effects})).toMatch(/^nothing to compact/);
	});

	test('shows a long summary unfolded, from its beginning', async () => {
		const long = Array.from({length: 30}, (_, index) => `- fact ${index}`).join('\n');
		const {openSummary, state} = open({summarize: async () => long});
		await openSummary();
		const {editor} = state();
		expect(editor.buffer).toMatchObject({pastes: [], cursor: {line: 0, column: 0}});
		expect(editor.buffer.lines).toHaveLength(30);
	});

	test('names images of the compacted turns', async () => {
		const part = {type: 'image', url: 'data:image/png;base64,AA=='} as const;
		const [first, ...others] = four.turns;
		if (first === undefined) throw new Error('no turn');
		const attachments = [{type: 'image', name: 'cat.png', part} as const];
		const turns = [{...first, prompt: {...first.prompt, attachments}}, ...others];
		const {openSummary, state} = open({conversation: {...four, turns}});
		await openSummary();
		expect(draftOf(state())).toBe('summary of 1–3\n\nNo longer attached: [image cat.png]');
	});

	test('tools leaves out large results of older turns', () => {
		const call = {callId: 'c', name: 'get_log', arguments: '{}', isRunnable: true};
		const called = [
			enter('look'),
			events(
				stepStart,
				{type: 'tool-call-start', callId: 'c', name: 'get_log'},
				{type: 'tool-call', call},
				{type: 'step-end', finishReason: {kind: 'tool-calls', raw: null}, usage: undefined},
				{type: 'tool-result', callId: 'c', ...textOutput('x'.repeat(20_000), false)},
				stepStart,
				textDelta('seen'),
				stepEnd(),
				turnEnd,
			),
		];
		const later = [1, 2, 3, 4].flatMap((n) => [enter(`${n}`), answer('a')]);
		const fresh = play(begin(), ...called, ...later.slice(0, -2), lineOf('/compact tools'));
		expect(replyOf(fresh)).toBe('no tool result over 8 KiB is older than 4 turns');
		const {state, effects} = play(begin(), ...called, ...later, lineOf('/compact tools'));
		expect(replyOf({state, effects})).toBe(
			'1 tool result (20 KiB) left out of requests; /undo takes it back',
		);
		expect(messagesOf(state)[2]).toBe('tool: [output left out: 20 KiB, get_log]');
		expect(messagesOf(play(state, lineOf('/undo')).state)[2]).toHaveLength(20_006);
	});
});

describe('a prompt too large for the context window', () => {
	const small = {findWindow: async () => ({window: 3500, tools: []})};

	async function ask(key: string, more: Opened = {}) {
		const session = open({...small, ...more});
		session.play(enter('what now?'));
		await session.until(isAsked);
		const {question} = session.state();
		session.play(armed, type(key));
		return {...session, question};
	}

	test('is a question with the size, and goes back to the editor', async () => {
		const {question, state, until} = await ask('b');
		await until(({tasks}) => tasks.length === 0);
		expect(question?.lines).toEqual([
			{label: 'size', text: 'about 3,100 tokens and 875 for the answer, for a window of 3,500'},
			{label: 'largest', text: 'the conversation so far is 3,100 of them'},
		]);
		expect(question?.choices.map(({key}) => key).join('')).toBe('osb');
		expect(state().knownModels.get('MODEL-5.6-sol')?.context).toBe(3500);
		expect(draftOf(state())).toBe('what now?');
		expect(state().queue).toEqual([]);
	});

	test('is asked about when it is sent again with /retry', async () => {
		const {act, until, state} = open(small);
		act(lineOf('/retry'));
		await until(isAsked);
		expect(state().conversation.turns).toHaveLength(4);
		act(armed, type('s'));
		await until(({conversation: {turns}}) => turns[3] !== undefined && turns[3] !== four.turns[3]);
	});

	test('is sent without the oldest turns, which a line says', async () => {
		const {until, requests, said} = await ask('o');
		await until(hasTurns(5));
		expect(shorten(requests[0] ?? [])).toEqual([
			...['user: 3', 'assistant: answer 3', 'user: 4', 'assistant: answer 4', 'user: what now?'],
		]);
		expect(said()).toContain(
			'the oldest turns (turns 1–2, about 2,000 tokens) left out of requests; /undo takes it back',
		);
	});

	test('waits as the draft for a summary', async () => {
		const window = async () => ({window: 3600, tools: []});
		const {until, state, act, requests} = await ask('c', {findWindow: window});
		await until(isOpen);
		act(press('enter'));
		expect(draftOf(state())).toBe('what now?');
		act(press('enter'));
		await until(hasTurns(5));
		expect(requests[0]).toHaveLength(3);
	});

	test.each([
		['fits', {findWindow: async () => ({window: 9000, tools: []})}],
		['has an unknown window', {}],
		['must not be asked about', {...small, compact: 'off'}],
	] as const)('is sent at once if it %s', async (_, given) => {
		const {act, until, actions} = open(given);
		act(enter('what now?'));
		await until(hasTurns(5));
		expect(actions.some((action) => action.type === 'question-asked')).toBe(false);
	});

	test('is sent anyway, and asked about once, if it fills 85 % of the window', async () => {
		const conversation = talk(8000, 8000, 8000, 1000);
		const {act, until, question, actions, requests} = await ask('s', {
			conversation,
			findWindow: async () => ({window: 29_000, tools: []}),
		});
		expect(question?.title).toBe('The context is nearly full. What now?');
		await until(hasTurns(5));
		expect(requests[0]).toHaveLength(9);
		act(enter('more'));
		await until(hasTurns(6));
		expect(actions.filter(({type: name}) => name === 'question-asked')).toHaveLength(1);
	});

	test('is asked about when the service refuses it', async () => {
		const details = {isTooLong: true, status: 400};
		const refused = new ChatError('rejected', 'maximum context length', details);
		const {
			repl,
			play: act,
			until,
		} = openScripted([[refused]], {
			initial: begin({conversation: four, compact: 'ask'}),
			findWindow: async () => ({window: undefined, tools: []}),
		});
		act(enter('what now?'));
		const {question} = await until(isAsked);
		expect(question?.title).toMatch(/found the request too long/);
		expect(question?.choices.map(({key}) => key).join('')).toBe('cob');
		// The prompt in the editor could be typed on, so letters do not count.
		act(armed, press('up'), press('enter'));
		await until(({conversation}) => conversation.compactions?.length === 1);
		expect(draftOf(repl.getState())).toBe('what now?');
	});
});
