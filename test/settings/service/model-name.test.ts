import {describe, expect, test} from 'vitest';
import {expandModelName, isTierWithoutImages} from '../../../src/settings/service/model-name.ts';

describe('a model name', () => {
	test.each([
		['sol', 'MODEL-5.6-sol'],
		['terra', 'MODEL-5.6-terra'],
		['luna', 'MODEL-5.6-luna'],
		['SOL', 'SOL'],
		['Sol', 'Sol'],
		[' sol', ' sol'],
		['gpt-x', 'gpt-x'],
		['MODEL-5.6-sol', 'MODEL-5.6-sol'],
		['constructor', 'constructor'],
	])('%j is sent as %j', (name, sent) => {
		expect(expandModelName(name, 'MODEL')).toBe(sent);
	});

	test('uses the configured family', () => {
		expect(expandModelName('luna', 'acme')).toBe('acme-5.6-luna');
	});
});

test.each([
	['MODEL-5.6-sol', false],
	['MODEL-5.6-terra', true],
	['acme-5.6-luna', true],
	['gpt-x', false],
	['terra', false],
])('%s is known not to accept images: %s', (model, isKnown) => {
	expect(isTierWithoutImages(model)).toBe(isKnown);
});
