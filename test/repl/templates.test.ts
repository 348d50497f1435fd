/** Templates as slash commands. */
import {describe, expect, test} from 'vitest';
import type {Attachment} from '../../src/chat/prompt.ts';
import {ChatError} from '../../src/errors.ts';
import type {Action, Effect} from '../../src/repl/action.ts';
import type {ExpandedTemplate} from '../../src/repl/services.ts';
import type {ReplState} from '../../src/repl/state.ts';
import {displayPrompt} from '../../src/repl/turn/prompts.ts';
import {
	answer,
	begin,
	callsOf,
	draftOf,
	enter,
	entriesOf,
	events,
	expandedTo,
	failedCall,
	failure,
	messagesOf,
	play,
	popupOf,
	press,
	refuse,
	saidBy,
	settle,
	stepEnd,
	stepStart,
	textDelta,
	turnEnd,
	typedOf,
	typesOf,
} from './play.ts';
import {openScripted} from './scripted-repl.ts';

const rules: Attachment = {type: 'file', name: 'rules.md', text: 'Be kind.'};

function expanded(
	state: ReplState,
	settings: Partial<ExpandedTemplate['settings']> = {},
	prompt: ExpandedTemplate['prompt'] = {text: 'Review this. Focus: security', attachments: [rules]},
): Action {
	const all = {options: {}, system: undefined, ...settings};
	return expandedTo(state, {prompt, settings: all, notices: []});
}

function startOf(effects: readonly Effect[]) {
	return effects.find((effect) => effect.type === 'start-turn');
}

const review = 'Review this. Focus: security';
const expandedReview: ExpandedTemplate = {
	prompt: {text: review, attachments: []},
	settings: {options: {}, system: undefined},
	notices: [],
};

const called = play(begin(), enter('/review security')).state;
const sent = play(called, expanded(called));

describe('the call of a template', () => {
	test('waits for the template, and then sends the prompt that it makes', () => {
		const {state, effects} = play(begin(), enter('/review security'));
		expect(callsOf(effects)).toEqual([
			['expandTemplate', {name: 'review', argument: 'security'}, []],
		]);
		expect(state.queue[0]?.call).toEqual({name: 'review', argument: 'security'});
		expect(messagesOf(sent.state).join()).toContain('Be kind.');
		expect(messagesOf(sent.state).join()).toContain('Review this. Focus: security');
	});

	test('is forgotten with its conversation', () => {
		const {state} = play(sent.state, answer('1'));
		expect(state.origins.size).toBe(1);
		expect(play(state, enter('/new')).state.origins.size).toBe(0);
	});

	test('is shown as it was typed, and in the history too', () => {
		const [prompt] = entriesOf(sent.effects).filter(({type}) => type === 'prompt');
		expect(prompt?.type === 'prompt' && displayPrompt(prompt.prompt)).toBe('/review security');
		expect(draftOf(play(sent.state, press('up')).state)).toBe('/review security');
		expect(typedOf(sent.effects)).toEqual({text: '/review security', folds: [], signs: [0]});
	});

	test.each([
		['/t:model x', {name: 'model', argument: 'x'}],
		['/git:commit', {name: 'git:commit', argument: ''}],
		['/t:über  two\nlines', {name: 'über', argument: 'two\nlines'}],
	])('%j names a template', (text, call) => {
		expect(play(begin(), enter(text)).state.queue[0]?.call).toEqual(call);
	});

	test('is not a command of ours, whatever its case', () => {
		expect(typesOf(play(begin(), enter('/MODEL x')).effects)).not.toContain('prepare-prompt');
	});

	test('keeps its place among the prompts that wait', () => {
		const busy = play(begin(), enter('one'), events(stepStart, textDelta('a'))).state;
		const queued = play(busy, enter('/review'), enter('three')).state;
		const ready = play(queued, expanded(queued)).state;
		expect(ready.queue.map(({text}) => text)).toEqual(['Review this. Focus: security', 'three']);
		const answered = play(ready, answer('1')).state;
		expect(answered.conversation.open?.prompt.text).toBe('Review this. Focus: security');
	});

	test('that is not expanded yet holds back what follows', () => {
		const {state} = play(called, enter('next'));
		expect(state.turn).toBeUndefined();
		expect(play(state, expanded(state)).state.conversation.open?.prompt.text).toContain('Review');
	});

	test('is dropped if it has left the queue meanwhile', () => {
		const {state} = play(called, press('alt+up'));
		expect(play(state, expanded(called)).state.turn).toBeUndefined();
	});
});

describe('the settings of a template', () => {
	const options = {model: 'terra', temperature: 0, extraFields: {top_k: 1}};
	const initial = begin({
		options: {model: 'sol', isStreaming: true, seed: 7, extraFields: {top_a: 2}},
		conversation: {system: 'Be brief.', turns: [], otherTurns: []},
	});
	const asked = play(initial, enter('/review')).state;
	const turn = play(asked, expanded(asked, {options, system: 'You review.'}));

	test('count for its turn alone', () => {
		expect(startOf(turn.effects)).toMatchObject({
			conversation: {system: 'You review.'},
			options: {model: 'terra', temperature: 0, seed: 7, extraFields: {top_a: 2, top_k: 1}},
		});
		const next = play(turn.state, answer('Fine.'), enter('next'));
		expect(startOf(next.effects)).toMatchObject({
			conversation: {system: 'Be brief.'},
			options: {model: 'sol', extraFields: {top_a: 2}},
		});
		expect(next.state.conversation.turns[0]?.model).toBe('terra');
	});

	test('count again for /retry', () => {
		const {effects} = play(turn.state, answer('Fine.'), enter('/retry'));
		expect(startOf(effects)).toMatchObject({
			conversation: {system: 'You review.'},
			options: {model: 'terra'},
		});
	});

	test('stay, if it is a role without a prompt', () => {
		const called = play(initial, enter('/pirate')).state;
		const role = expandedTo(called, {
			prompt: undefined,
			settings: {options, system: 'You are a pirate.'},
			notices: [],
		});
		const {state, effects} = play(called, role);
		expect(state.turn).toBeUndefined();
		expect(saidBy(effects)).toBe('system message set, model changed to terra, settings changed');
		expect(startOf(play(state, enter('hello')).effects)).toMatchObject({
			conversation: {system: 'You are a pirate.'},
			options: {model: 'terra', seed: 7},
		});
	});
});

test('a template called while an earlier prompt is edited replaces that prompt', () => {
	const asked = play(begin(), enter('one'), answer('1'), enter('two'), answer('2')).state;
	const edited = play(asked, enter('/edit 1'), press('ctrl+u'), enter('/review security'));
	const {state} = play(edited.state, expandedTo(edited.state, expandedReview), answer('Fine.'));
	expect(state.conversation.turns.map(({prompt}) => prompt.text)).toEqual([review]);
	const drafted = play(edited.state, expandedTo(edited.state, {...expandedReview, isDraft: true}));
	const sent = play(drafted.state, press('enter'), answer('Fine.')).state;
	expect(sent.conversation.turns.map(({prompt}) => prompt.text)).toEqual([review]);
});

describe('what was typed returns to the editor', () => {
	test.each([
		['without an answer', [events(failure('unavailable'))]],
		['for /undo', [answer('Fine.'), enter('/undo')]],
		['for /edit', [answer('Fine.'), enter('/edit')]],
	])('%s', (_, actions) => {
		const {state} = play(sent.state, ...actions);
		expect(draftOf(state)).toBe('/review security');
		expect(state.attachments).toEqual([]);
	});

	test('with what is missing', () => {
		const error = new ChatError('usage', 'the template review needs language: /review language=…');
		const {state} = play(called, failedCall(called, error));
		expect(draftOf(state)).toBe('/review security');
		expect(popupOf(state)).toBe(error.message);
		expect(state.queue).toEqual([]);
	});

	test('with the next step, if the error has one', () => {
		const hint = 'To allow it: …';
		const error = new ChatError('usage', 'it names ../secret.txt', {hint});
		const {effects} = play(called, failedCall(called, error));
		expect(entriesOf(effects)).toEqual([{type: 'error', error}]);
	});

	test('and holds only the prompts after it', () => {
		const busy = play(begin(), enter('one'), events(stepStart, textDelta('a')), enter('two')).state;
		const last = play(busy, enter('/nope')).state;
		expect(play(last, refuse(last)).state.isQueueHeld).toBe(false);
		const middle = play(last, enter('three')).state;
		expect(play(middle, refuse(middle)).state.isQueueHeld).toBe(true);
	});

	test('if nobody knows the command; a template may be meant', () => {
		const asked = play(begin(), enter('/reviwe x')).state;
		const {state} = play(asked, refuse(asked, ['review']));
		expect(popupOf(state)).toBe(
			'unknown command /reviwe; did you mean /review? (to send it as a prompt, start with a space)',
		);
		expect(draftOf(state)).toBe('/reviwe x');
	});
});

describe('a session', () => {
	test('reads the files that a call mentions, and expands the template with them', async () => {
		const given: Array<readonly unknown[]> = [];
		const scripted = openScripted([[[stepStart, textDelta('Fine.'), stepEnd(), turnEnd]]], {
			loadMentions: (mentions) =>
				Promise.resolve(
					mentions.map((mention) => ({mention, attachments: [rules], notices: ['large']})),
				),
			expandTemplate: (call, attachments) => {
				given.push([call, attachments]);
				return Promise.resolve({
					prompt: {text: 'Review this.', attachments},
					settings: {options: {}, system: 'You review.'},
					notices: [],
				});
			},
		});
		scripted.play(enter('/review @rules.md'));
		await scripted.until(({conversation}) => conversation.turns.length === 1);
		expect(given).toEqual([[{name: 'review', argument: '@rules.md'}, [rules]]]);
		expect(scripted.requests).toEqual([
			['system: You review.', expect.stringMatching(/^user: <file.*Be kind.*Review this\.$/s)],
		]);
		expect(saidBy(scripted.effects)).toBe('large');
	});

	test('returns the call and its files if one cannot be read', async () => {
		const scripted = openScripted([], {
			loadMentions: () => Promise.reject(new ChatError('data', 'rules.md is not text')),
		});
		scripted.play(enter('/review @rules.md'));
		const state = await scripted.until(({queue}) => queue.length === 0);
		expect(draftOf(state)).toBe('/review @rules.md');
		expect(entriesOf(scripted.effects).map(({type}) => type)).toEqual(['error']);
	});
});

test('/help explains a template', async () => {
	const {effects} = await settle(play(begin(), enter('/help t:review')), {
		explainTemplate: (name) => Promise.resolve([[`/${name} [focus]`, 'Reviews a diff']]),
	});
	expect(saidBy(effects)).toBe('/review [focus]  Reviews a diff');
});
