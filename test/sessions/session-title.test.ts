/** The titles of sessions. */
import {expect, test} from 'vitest';
import {titleOfPrompt} from '../../src/sessions/session-title.ts';
import {expectLinearCost} from '../helpers/cost.ts';

const text = 'You review.\nReview this.';

test.each([
	['the name of a file without a text', {text: '', attachments: [{name: 'a.png'}]}, 'a.png'],
	[
		'the command of a template that made the prompt',
		{text, attachments: [], folds: [{from: 0, to: text.length, label: '/review security'}]},
		'/review security',
	],
	[
		'the text of a paste, not its label',
		{text, attachments: [], folds: [{from: 0, to: text.length, label: '[Pasted 2 lines #1]'}]},
		'You review.',
	],
	[
		'what was written after a long paste or piped text',
		{text, attachments: [], folds: [{from: 0, to: 11, label: '[Piped 1 line]'}]},
		'Review this.',
	],
])('a title is %s', (_, prompt, title) => {
	expect(titleOfPrompt(prompt)).toBe(title);
});

test.each([
	['blanks', (size: number) => `a${' '.repeat(size)}b`],
	['lines', (size: number) => 'a line\n'.repeat(size)],
])(
	'the cost of a title grows with the text, and not faster: %s',
	{tags: ['cost']},
	(_, makeText) => {
		expectLinearCost((size) => titleOfPrompt({text: makeText(size), attachments: []}), 20_000);
	},
);
