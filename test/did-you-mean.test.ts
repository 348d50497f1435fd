import {expect, test} from 'vitest';
import {findClosest} from '../src/did-you-mean.ts';
import {configKeys} from '../src/settings/options/settings.ts';

test.each([
	['max-token', 'max-tokens'],
	['maxTokens', 'max-tokens'],
	['max_tokens', 'max-tokens'],
	['CHAT_MAX_TOKENS', 'max-tokens'],
	['--max-tokens', 'max-tokens'],
	['modle', 'model'],
	['Model', 'model'],
	['baseurl', 'base-url'],
	['base_URL', 'base-url'],
	['baseURL', 'base-url'],
	['temprature', 'temperature'],
	['temper', 'temperature'],
	['--temper', 'temperature'],
	['max', undefined],
	['url', undefined],
	['colour', 'color'],
	['flavour', undefined],
	['', undefined],
	['x'.repeat(100), undefined],
])('%j was probably meant as %s', (text, word) => {
	expect(findClosest(text, [...configKeys.keys()])).toBe(word);
});

test('words may contain underscores', () => {
	expect(findClosest('after_event', ['after_bytes', 'after_events'])).toBe('after_events');
	expect(findClosest('retryAftr', ['retry_after', 'status'])).toBe('retry_after');
});
