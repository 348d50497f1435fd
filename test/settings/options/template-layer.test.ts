import {describe, expect, test} from 'vitest';
import {settingNames} from '../../../src/settings/options/settings.ts';
import {
	createTemplateLayer,
	findIgnoredKeys,
	isTemplateSetting,
} from '../../../src/settings/options/template-layer.ts';

const place = {location: 'in x.md', directory: '/x'};

describe('the settings of a template', () => {
	test('choose no service, key, header, approval or folder', () => {
		const names = settingNames.filter(isTemplateSetting);
		expect(names.filter((name) => /url|key|header|profile|allow|http|ca|dir/i.test(name))).toEqual(
			[],
		);
	});

	test('have any spelling, also inside of options, where fields of the request stay', () => {
		const front = {topP: 1, options: {max_tokens: 5, top_p: 0.5, top_k: 40}, model: null};
		expect(createTemplateLayer(front, place).values).toEqual({
			topP: {key: 'topP', json: 1},
			maxTokens: {key: 'max_tokens', json: 5},
			option: {key: 'options', json: {top_k: 40}},
		});
	});

	test.each([
		[{model: 'sonnet'}, ['model']],
		[{tools: 'Read, Grep'}, ['tools']],
		[{tools: './tools.json'}, []],
		[{'allowed-tools': 'x', hooks: {}, description: 'x', params: {}}, ['allowed-tools', 'hooks']],
	])('of other programs have no effect: %j', (front, ignored) => {
		expect(findIgnoredKeys(front)).toEqual(ignored);
	});
});
