/** The search in earlier prompts. */
import {expect, test} from 'vitest';
import {expand} from '../../src/repl/editor/buffer.ts';
import {previewOf} from '../../src/repl/editor/search.ts';
import {createApproval} from '../../src/repl/question/approval.ts';
import {createRequest} from '../helpers/approval-request.ts';
import {begin, expectRows, paste, play, type Step, withDraft} from './play.ts';

const prompts = ['alpha one', 'Beta (two)', 'alpha three'];
const idle = withDraft(
	play(begin(), ...prompts.flatMap((text) => [`${text}⏎`, '<< ok'])).state,
	'dra|ft',
);
const find = (query: string) => [`<ctrl+r>`, query];

test.each<readonly [steps: readonly Step[], shown: string]>([
	[['<ctrl+r>'], 'draft'],
	[find('alp'), 'alpha three'],
	[find('one'), 'alpha one'],
	// Case does not count, and every character is literal.
	[find('BETA (TWO)'), 'Beta (two)'],
	[find('onex'), 'draft'],
	[[...find('onex'), '<backspace>'], 'alpha one'],
	[[...find('onex'), '<ctrl+w>', 'Be'], 'Beta (two)'],
	...['<ctrl+r>|<ctrl+s>', '<up>|<down>', '<ctrl+p>|<ctrl+n>'].flatMap((keys) => {
		const [older = '', newer = ''] = keys.split('|');
		return [
			[[...find('alpha'), older], 'alpha one'],
			[[...find('alpha'), older, older], 'alpha one'],
			[[...find('alpha'), older, newer], 'alpha three'],
			[[...find('alpha'), older, newer, newer], 'alpha three'],
		] as const;
	}),
	[['<ctrl+c>', paste('x\ny'), '<ctrl+c ctrl+r>', paste('X\nY')], 'x\ny'],
])('a search shows the draft, then the newest match of its query: %j', (steps, shown) => {
	const {search, editor} = play(idle, ...steps).state;
	expect(search && expand(previewOf(search, editor))).toBe(shown);
});

test('a search ends with its match or with the draft, and sends nothing', () => {
	for (const key of ['⏎', '<tab>']) {
		expectRows(
			idle,
			[[...find('one'), key], {marked: 'alpha one|', does: []}],
			[[...find('one'), key, '<down>'], {draft: 'Beta (two)'}],
		);
	}
	for (const key of ['<escape>', '<ctrl+c>', '<ctrl+g>']) {
		expectRows(idle, [[...find('one'), key], {marked: 'dra|ft', does: []}]);
	}
	expectRows(
		idle,
		[[...find('one'), '<ctrl+a>', '>'], {marked: '>|alpha one'}],
		[[...find('zzz'), '⏎'], {marked: 'dra|ft', does: []}],
	);
});

test('during an answer the first Ctrl-C ends the search, and a question does', () => {
	const searching = play(begin(), 'one⏎', '<< partly…', ...find('o')).state;
	expectRows(searching, ['<ctrl+c>', {does: []}], ['<ctrl+c ctrl+c>', {does: ['stop-turn']}]);
	const question = createApproval(createRequest());
	const asked = play(searching, {type: 'question-asked', question}).state;
	expect(asked.search).toBeUndefined();
	expect(play(asked, '<ctrl+r>').state.search).toBeUndefined();
});

test('the prompts of earlier sessions may come during a search', () => {
	const loaded = {
		type: 'history-loaded',
		prompts: [{text: 'an old one', attachments: []}],
	} as const;
	expectRows(begin(), [[...find('old'), loaded, '⏎'], {draft: 'an old one'}]);
});
