import {expect, test} from 'vitest';
import {expandModelName, isTierWithoutImages} from '../../../src/settings/service/model-name.ts';

test.each([
	['sol', 'MODEL-5.6-sol', false],
	['terra', 'MODEL-5.6-terra', true],
	['luna', 'MODEL-5.6-luna', true],
	['Sol', 'Sol', false],
	['gpt-x', 'gpt-x', false],
	['constructor', 'constructor', false],
])('%j is sent as %j, which takes no images: %s', (name, sent, isWithoutImages) => {
	expect(expandModelName(name, 'MODEL')).toBe(sent);
	expect(expandModelName(name, 'acme')).toBe(sent.replace('MODEL', 'acme'));
	expect(isTierWithoutImages(sent)).toBe(isWithoutImages);
	expect(isTierWithoutImages(name)).toBe(false);
});
