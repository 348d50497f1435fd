import {expect, test} from 'vitest';
import {findClosest} from '../src/did-you-mean.ts';

const words = ['max-tokens', 'max-retries', 'model', 'models', 'base-url', 'temperature', 'color'];

test.each([
	['max-token', 'max-tokens'],
	['maxTokens', 'max-tokens'],
	['CHAT_MAX_TOKENS', 'max-tokens'],
	['--max-tokens', 'max-tokens'],
	['modle', 'model'],
	['baseURL', 'base-url'],
	['temp', 'temperature'],
	['max', undefined],
	['te', undefined],
	['colour', 'color'],
	['flavour', undefined],
	['', undefined],
	['x'.repeat(100), undefined],
])('%j was probably meant as %s', (text, word) => {
	expect(findClosest(text, words)).toBe(word);
});

test('words may contain underscores', () => {
	expect(findClosest('after_event', ['after_bytes', 'after_events'])).toBe('after_events');
});
