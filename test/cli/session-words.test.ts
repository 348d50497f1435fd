import {expect, test} from 'vitest';
import {sessionWordsOf} from '../../src/cli/hints/session-words.ts';
import type {Hint} from '../../src/hint.ts';

test.each<readonly [Hint, string]>([
	[{code: 'send-as-file'}, 'Attach a text file with /file.'],
	[{code: 'send-whole', path: 'a b.png'}, 'To attach the whole: /file a b.png'],
	[
		{code: 'widen-pattern', pattern: 'src/*.ts'},
		'To search the folders below too: /file src/**/*.ts',
	],
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
	[{code: 'unpack-archive'}, 'Send the text of its files.'],
])('a session words %j with its commands', (hint, words) => {
	expect(sessionWordsOf(hint)).toBe(words);
});
