/** `/copy` and `/save`: which part of an answer they take. */
import {expect, test} from 'vitest';
import {begin, events, expectRows, play, settle, stepStart} from './play.ts';

const python = 'def f():\n\treturn 1';
const shell = 'ls -l | wc';
const text = `First *this*:\n\n\`\`\`python\n${python}\n\`\`\`\n\nThen:\n\n\`\`\`sh\n${shell}\n\`\`\`\n`;
const answered = play(begin(), 'How?⏎', `<< (Hmm.\nWell.) ${text}`).state;
const copies = (part: string, isPartial = false) => ({calls: [['copy', part, isPartial]]});
const saves = (...given: readonly string[]) => ({calls: [['save', ...given]]});

test('/copy takes the answer, a code block by number or language, or the reasoning', async () => {
	expectRows(
		answered,
		['/copy⏎', copies(text)],
		['/copy 1⏎', copies(python)],
		['/copy Bash⏎', copies(shell)],
		['/copy py⏎', copies(python)],
		['/copy reasoning⏎', copies('Hmm.\nWell.')],
		['/copy rust⏎', {popup: 'there is no code block in rust'}],
		['/copy 3⏎', {popup: 'there are only 2 code blocks yet'}],
	);
	expectRows(begin(), ['/copy⏎', {popup: 'there is no answer to copy yet'}]);
	const refusal = events(stepStart, {type: 'refusal-delta', text: 'No.'});
	expectRows(begin(), [['How?⏎', refusal, '<<', '/copy⏎'], copies('No.')]);
	expectRows(
		play(begin(), 'How?⏎', '<< So.').state,
		['/copy 1⏎', {popup: 'there is no code block yet'}],
		['/copy reasoning⏎', {popup: 'there is no reasoning to copy yet'}],
	);
	const copied: string[] = [];
	const copy = async (whole: string) => `copied ${copied.push(whole)}`;
	await settle(play(answered, '/copy all⏎'), {printConversation: async () => 'all of it', copy});
	expect(copied).toEqual(['all of it']);
});

test('during an answer, /copy takes the finished blocks and the text so far', () => {
	const written = '```js\nlet a;\n```\n\n```js\nlet b;\n';
	const {state} = play(begin(), 'Both⏎', `<< ${written}…`);
	expectRows(
		state,
		['/copy js⏎', {popup: 'that code block is not finished yet'}],
		['/copy 1⏎', copies('let a;')],
		['<alt+c>', copies(written, true)],
		[['<< ```\n', '/copy js⏎'], copies('let b;')],
	);
});

test('/save takes the same parts, and a file name', () => {
	expectRows(
		answered,
		['/save answer.md⏎', saves(text, '', 'answer.md')],
		['/save 2 list.sh⏎', saves(shell, '2', 'list.sh')],
		['/save "my list"⏎', saves(text, '', '"my list"')],
		['/save 2⏎', {popup: '/save needs a file name: /save 2 main.py'}],
	);
});
