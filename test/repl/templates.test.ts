/** Templates as slash commands. */
import {describe, expect, test} from 'vitest';
import type {Attachment} from '../../src/chat/prompt.ts';
import {ChatError} from '../../src/errors.ts';
import type {Update} from '../../src/repl/action.ts';
import {displayPrompt} from '../../src/repl/turn/prompts.ts';
import {
	actionOf,
	begin,
	entriesOf,
	expandedTo,
	expectRows,
	expectSeen,
	failedCall,
	play,
	refused,
	saidBy,
	typedOf,
} from './play.ts';
import {openScripted, reply} from './scripted-repl.ts';

const rules: Attachment = {type: 'file', name: 'rules.md', text: 'Be kind.'};
const review = 'Review this. Focus: security';
const made = expandedTo(review);
const call = {name: 'review', argument: 'security'};
const called = play(begin(), '/review security⏎');
const sent = play(called.state, made);
const busy = play(begin(), 'one⏎', '<< a…').state;
const back = {draft: '/review security', files: []};

function startOf({effects}: Update) {
	return effects.find((effect) => effect.type === 'start-turn');
}

describe('the call of a template', () => {
	test('waits for the template, and is shown as it was typed', () => {
		expectSeen(called, {calls: [['expandTemplate', call, []]], call});
		expectSeen(sent, {prompt: review});
		const prompt = entriesOf(sent.effects).find(({type}) => type === 'prompt');
		expect(prompt?.type === 'prompt' && displayPrompt(prompt.prompt)).toBe('/review security');
		expect(typedOf(sent.effects)).toEqual({text: '/review security', folds: [], signs: [0]});
		expectRows(sent.state, ['<up>', {draft: '/review security'}]);
		const answered = play(sent.state, '<< 1').state;
		expect([answered, play(answered, '/new⏎').state].map(({origins}) => origins.size)).toEqual([
			1, 0,
		]);
	});

	test('keeps its place among the prompts that wait, unless it has left them', () => {
		expectRows(
			busy,
			[['/review⏎', 'three⏎', made], {queue: [review, 'three']}],
			[['/review⏎', 'three⏎', made, '<< 1'], {prompt: review}],
		);
		const late = () => actionOf(called.state, made);
		expectRows(called.state, [['<alt+up>', late], {...back, prompt: undefined}]);
	});
});

describe('the settings of a template', () => {
	const options = {model: 'terra', temperature: 0, extraFields: {top_k: 1}};
	const own = {system: 'Be brief.', options: {model: 'sol', extraFields: {top_a: 2}}};
	const initial = begin({
		options: {model: 'sol', isStreaming: true, seed: 7, extraFields: {top_a: 2}},
		conversation: {system: 'Be brief.', turns: [], otherTurns: []},
	});
	const settings = {options, system: 'You review.'};
	const turn = play(initial, '/review⏎', expandedTo(review, {settings}));

	test('count for its turn alone, and again for /retry', () => {
		const all = {model: 'terra', temperature: 0, seed: 7, extraFields: {top_a: 2, top_k: 1}};
		const ofTemplate = {conversation: {system: 'You review.'}, options: all};
		const again = play(turn.state, '<< Fine.', '/retry⏎');
		expect([startOf(turn), startOf(again)]).toMatchObject([ofTemplate, ofTemplate]);
		const next = play(turn.state, '<< Fine.', 'next⏎');
		expect(startOf(next)).toMatchObject({conversation: {system: own.system}, options: own.options});
		expect(next.state.conversation.turns[0]?.model).toBe('terra');
	});

	test('stay, if it is a role without a prompt', () => {
		const role = {prompt: undefined, settings: {options, system: 'You are a pirate.'}};
		const played = play(initial, '/pirate⏎', expandedTo('', role));
		const said = 'system message set, model changed to terra, settings changed';
		expectSeen(played, {prompt: undefined, said});
		const start = startOf(play(played.state, 'hello⏎'));
		expect(start).toMatchObject({
			conversation: {system: 'You are a pirate.'},
			options: {model: 'terra', seed: 7},
		});
	});
});

describe('what was typed returns to the editor', () => {
	test('after a failure, for /undo and for /edit', () => {
		expectRows(
			sent.state,
			[['<< …', '<< !unavailable'], back],
			[['<< Fine.', '/undo⏎'], back],
			[['<< Fine.', '/edit⏎'], back],
		);
	});

	test('with what is missing or the next step, or a suggestion, holding only prompts after it', () => {
		const error = new ChatError('usage', 'the template review needs language: /review language=…');
		const hinted = new ChatError('usage', 'it names ../secret.txt', {hint: 'To allow it: …'});
		expectRows(
			called.state,
			[failedCall(error), {...back, popup: error.message, queue: []}],
			[failedCall(hinted), {...back, prints: [{type: 'error', error: hinted}]}],
		);
		const popup =
			'unknown command /reviwe; did you mean /review? (to send it as a prompt, start with a space)';
		expectRows(begin(), [['/reviwe x⏎', refused('review')], {popup, draft: '/reviwe x'}]);
		expectRows(
			busy,
			[['two⏎', '/nope⏎', refused()], {isHeld: false}],
			[['two⏎', '/nope⏎', 'three⏎', refused()], {isHeld: true}],
		);
	});
});

test('a session reads the files that a call mentions, and expands the template with them', async () => {
	const given: Array<readonly unknown[]> = [];
	const scripted = openScripted([reply('Fine.')], {
		loadMentions: async (mentions) =>
			mentions.map((mention) => ({mention, attachments: [rules], notices: ['large']})),
		async expandTemplate(...all) {
			given.push(all);
			const prompt = {text: 'Review this.', attachments: all[1]};
			return {prompt, settings: {options: {}, system: 'You review.'}, notices: []};
		},
	});
	scripted.play('/review @rules.md⏎');
	await scripted.until(({conversation}) => conversation.turns.length === 1);
	expect(given).toEqual([[{name: 'review', argument: '@rules.md'}, [rules]]]);
	expect(scripted.requests).toEqual([
		['system: You review.', expect.stringMatching(/^user: <file.*Be kind.*Review this\.$/s)],
	]);
	expect(saidBy(scripted.effects)).toBe('large');
});
