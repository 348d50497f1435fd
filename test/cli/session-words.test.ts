import {expect, test} from 'vitest';
import {sessionWordsOf} from '../../src/cli/hints/session-words.ts';
import type {Hint} from '../../src/hint.ts';

test.each<readonly [Hint, string]>([
	[{line: 'Use -f.', session: 'Use /file.'}, 'Use /file.'],
	[
		{code: 'refused-field', field: 'seed', source: '--seed'},
		'Leave out seed (set by --seed) with /set seed.',
	],
	[
		{code: 'refused-field', field: 'provider.sort', source: '/set'},
		String.raw`Leave out provider.sort with /set provider\.sort=null.`,
	],
	[
		{code: 'several', hints: [{code: 'choose-model'}, {code: 'no-streaming'}]},
		'Choose another model with /model. Use /set stream false.',
	],
	['Send the text of its files.', 'Send the text of its files.'],
])('a session words %j with its commands', (hint, words) => {
	expect(sessionWordsOf(hint)).toBe(words);
});
