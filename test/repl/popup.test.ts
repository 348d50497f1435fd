/** The popup below the prompt, which never reaches the scrollback. */
import {describe, expect, test} from 'vitest';
import {textDelta} from '../helpers/events.ts';
import {begin, enter, events, expectRows, paste, play} from './play.ts';

const idle = play(begin(), 'first⏎', '<< (because) 1').state;
const thinking = play(idle, 'second⏎', '<< (hm)…').state;
const streaming = play(thinking, '<< partly…').state;
const sent = ['user: first', 'assistant: <reasoning> 1'];
const shown = (text: string) => expect.stringContaining(text);

describe('a question mark on the empty prompt', () => {
	test('shows the basic keys, and is inserted before text', () => {
		const basic = 'Ctrl-O, Alt-T  open the reasoning, then the tool calls';
		const keys = expect.stringMatching(new RegExp(`${basic}(?!.*Ctrl-W).*/help keys`, 's'));
		expectRows(
			begin(),
			['?', {popup: keys, draft: '', does: []}],
			['/help keys⏎', {reply: shown('Ctrl-W')}],
			[['?', 'a'], {draft: '?a', popup: ''}],
			[['?', paste('what')], {draft: '?what', popup: ''}],
			[['?', '/mo'], {draft: '/mo'}],
			[['what', '?'], {draft: 'what?'}],
			[paste('?'), {draft: '?'}],
		);
	});

	test('stays open for keys that scroll it, and is dropped after others', () => {
		const scrolled = {popup: shown('/help keys'), does: ['scroll']};
		expectRows(idle, [['?', '<page-down>'], scrolled], [['?', '<up>', 'a'], {draft: '?a'}]);
		for (const key of ['<backspace>', '⏎', '<escape>']) {
			expectRows(begin(), [['?', key], {draft: '', popup: '', does: []}]);
		}
	});
});

describe('a typing mistake', () => {
	test.each([
		['/model a b', shown('cannot contain spaces')],
		['/system @style.txt', shown('-s @file')],
		['/detach', 'nothing is attached'],
		['/reasoning never', '/reasoning needs a turn number, or one of auto, show, hide'],
	])('%s prints nothing', (text, popup) => {
		expectRows(idle, [enter(text), {popup, does: [], messages: sent}]);
	});

	test('is told until the next key, however often Enter is pressed', () => {
		const notice = {type: 'notice-given', text: 'could not copy', isBrief: true} as const;
		expectRows(
			idle,
			[['/new it⏎', '⏎', '⏎'], {popup: shown('takes no argument'), draft: '/new it', does: []}],
			[['<ctrl+r>', notice], {popup: 'could not copy'}],
			[['<ctrl+r>', notice, 'f'], {popup: ''}],
			[['/tree⏎', notice, '<up>'], {popup: ''}],
		);
		expectRows(streaming, [['<ctrl+o>', '/mo⏎', '<escape>'], {phase: 'stopping'}]);
	});
});

describe('during an answer', () => {
	test.each(['/help', '/usage'])('%s prints nothing', (text) => {
		const tick = {type: 'tick', now: 9000} as const;
		const some = {popup: expect.stringMatching(/./), prints: []};
		expectRows(
			streaming,
			[enter(text), some],
			[[enter(text), tick, events(textDelta('more'))], some],
		);
	});

	test('Esc closes the popup, then stops the answer', () => {
		expectRows(
			streaming,
			[['/help⏎', '<escape>'], {popup: '', does: []}],
			[['/help⏎', '<escape>', '<escape>'], {does: ['stop-turn']}],
		);
	});

	test('/usage includes the turn under way, and /reasoning follows after its text', () => {
		const usage = [{type: 'tick', now: 2500} as const, {...enter('/usage', 2500)}];
		expectRows(thinking, [usage, {popup: expect.stringMatching(/turn 2 +– +– +2\.5 s/)}]);
		expectRows(thinking, ['/reasoning⏎', {popup: shown('still thinking'), does: []}]);
		const prints = [
			{type: 'command', text: '/reasoning'},
			{type: 'reasoning', text: 'hm'},
			{type: 'command', text: '/reasoning 1'},
			{type: 'reasoning', text: 'because'},
		];
		const popup = 'the reasoning follows after the answer';
		expectRows(streaming, [['/reasoning⏎', '/reasoning 1⏎'], {popup, prints}]);
	});
});
