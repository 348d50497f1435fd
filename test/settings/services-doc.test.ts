/** The examples of `docs/services.md`. */
import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {checkConfig} from '../../src/settings/options/load-settings.ts';
import {readCommand} from '../../src/settings/options/parsers.ts';
import {createHome} from '../helpers/settings-home.ts';

const text = readFileSync(new URL('../../docs/services.md', import.meta.url), 'utf8');

const configs = [...text.matchAll(/^```json\n(.*?)^```$/gms)].map(([, json = '']) => json);

test.each(configs)('a config file of the documents has no mistake: %s', (config) => {
	const {configPath} = createHome({config});
	expect(checkConfig(configPath, 'linux')).toEqual([]);
});

test('the command of each password manager is valid', () => {
	const commands = [...text.matchAll(/^\| .* \| `(\[.*\])` \|$/gm)].map(([, json = '']) => json);
	expect(commands).toHaveLength(6);
	for (const command of commands)
		expect(readCommand(JSON.parse(command)).length).toBeGreaterThan(2);
});
