/** The titles of sessions. */
import {expect, test} from 'vitest';
import {titleOfPrompt} from '../../src/sessions/session-title.ts';

const text = 'You review.\nReview this.';

test.each([
	['the first line of the prompt', {text, attachments: []}, 'You review.'],
	['the name of a file without a text', {text: '', attachments: [{name: 'a.png'}]}, 'a.png'],
	[
		'the command of a template that made the prompt',
		{text, attachments: [], folds: [{to: text.length, label: '/review security'}]},
		'/review security',
	],
	[
		'the text of a paste, not its label',
		{text, attachments: [], folds: [{to: text.length, label: '[Pasted 2 lines #1]'}]},
		'You review.',
	],
])('a title is %s', (_, prompt, title) => {
	expect(titleOfPrompt(prompt)).toBe(title);
});
