import {expect, test} from 'vitest';
import {wordsOf} from '../../src/cli/hints/hint-words.ts';
import {joinHints} from '../../src/hint.ts';

test('several hints are one line', () => {
	expect(joinHints('Did you mean a?', 'To fix it: chat config edit', 'Or not.')).toBe(
		'Did you mean a? To fix it: chat config edit. Or not.',
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

test('a port of this machine names the program that it usually belongs to', () => {
	const question = 'Is the service running, and are host and port right?';
	expect(wordsOf({code: 'start-service', port: 11_434})).toBe(
		`${question} To start Ollama: ollama serve`,
	);
	expect(wordsOf({code: 'start-service', port: 9})).toBe(question);
	expect(wordsOf({code: 'start-service'})).toBe(question);
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
	const origin = 'https://api.example.com';
	const again = wordsOf({code: 'set-key', isKeyReadAgain: true, origin});
	expect(again).toContain('next prompt');
});

test.each([
	['https://openrouter.ai', 'openrouter:'],
	['https://api.example.com', 'https://api.example.com'],
	['http://127.0.0.1:8000', 'http://127.0.0.1:8000'],
	['http://192.0.2.1', 'http://192.0.2.1 --insecure-http'],
])('a key for %s is stored by a command that works anywhere', (origin, words) => {
	const hint = {code: 'set-key', isKeyReadAgain: false, origin} as const;
	expect(wordsOf(hint)).toBe(
		`No API key was sent. To store one: chat auth set --base-url ${words}`,
	);
});
