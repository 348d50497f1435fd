import {expect, test} from 'vitest';
import {wordsOf} from '../../src/cli/hints/hint-words.ts';

test('several hints are one line', () => {
	const hints = [{code: 'did-you-mean', name: 'base-url'}, {code: 'edit-config'}] as const;
	expect(wordsOf({code: 'several', hints})).toBe(
		'Did you mean base-url? To fix it: chat config edit',
	);
});

test('a list of models is cut after twenty', () => {
	const models = Array.from({length: 23}, (_, index) => `m-${index + 1}`);
	expect(wordsOf({code: 'offered-models', models})).toMatch(
		/^The service offers m-1, .*, m-20, and 3 more; chat models lists them\.$/,
	);
	expect(wordsOf({code: 'offered-models', models: ['a', 'b']})).toBe('The service offers a, b.');
	const long = wordsOf({code: 'offered-models', models: ['x'.repeat(5000), 'b']});
	expect(long).toMatch(/^The service offers x{100}…, b\.$/);
});

test('a wait has the unit that fits', () => {
	expect(wordsOf({code: 'wait', waitMs: 300})).toBe('The service asks to wait 0.3 s.');
	expect(wordsOf({code: 'wait', waitMs: 7_200_000})).toBe('The service asks to wait 2 h.');
	expect(wordsOf({code: 'wait', waitMs: undefined})).toBe('Try again later.');
});

test('a session uses a key that is stored meanwhile', () => {
	const key = {code: 'check-key', keySource: 'keys.json', isDenied: false} as const;
	expect(wordsOf({...key, isKeyReadAgain: true})).toMatch(/key from keys\.json.*next prompt/);
	expect(wordsOf({...key, isKeyReadAgain: false})).not.toContain('next prompt');
	expect(wordsOf({code: 'set-key', isKeyReadAgain: true})).toContain('next prompt');
	expect(wordsOf({code: 'set-key', isKeyReadAgain: false})).toContain('CHAT_API_KEY');
});
