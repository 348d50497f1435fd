import {readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {runChat} from '../../helpers/run-chat.ts';
import {createHome, modeOf} from '../../helpers/settings-home.ts';

/** Returns an editor command that writes this text to the file. */
function editorThatWrites(text: string): string {
	const script = `require('fs').writeFileSync(process.argv.at(-1), ${JSON.stringify(text)})`;
	return `"${process.execPath}" -e ${JSON.stringify(script).replaceAll('$', '\\$')} 'an argument'`;
}

describe('chat config edit', () => {
	test('opens the file in the editor, and creates it if there is none', async () => {
		const {source, config, configPath} = createHome();
		const variables = {VISUAL: editorThatWrites('{"model": "luna"}'), EDITOR: 'false'};
		const run = await runChat(['config', 'edit'], {...source, variables});
		expect(run).toEqual({stdout: '', stderr: '', exitCode: 0});
		expect(config()).toEqual({model: 'luna'});
		expect(modeOf(configPath)).toBe('600');
	});

	test('opens a broken file', async () => {
		const {source, config} = createHome({config: '{"model"'});
		const variables = {EDITOR: editorThatWrites('{"model": "luna"}')};
		const run = await runChat(['config', 'edit'], {...source, variables});
		expect(run.exitCode).toBe(0);
		expect(config()).toEqual({model: 'luna'});
	});

	test.each([
		['{"model": }', 'is not valid JSON: line 1, column 11: expected a value'],
		['{"max-tokens": 0}', 'max-tokens in '],
		['{"profiles": {"a": {}, "b": {"max-tokens": -1}}}', 'max-tokens of the profile b in '],
		['{"profiles": {"a": 5}}', 'the profile a in '],
	])('checks the file afterwards without changing it: %j', async (text, message) => {
		const {source, configPath} = createHome({config: {}});
		const variables = {EDITOR: editorThatWrites(text)};
		const run = await runChat(['config', 'edit'], {...source, variables});
		expect(run).toMatchObject({stdout: '', exitCode: 78});
		expect(run.stderr).toContain(message);
		expect(run.stderr).toContain(configPath);
		expect(readFileSync(configPath, 'utf8')).toBe(text);
	});

	test('reports unknown keys, also in profiles', async () => {
		const {source, configPath} = createHome();
		const text = '{"max_tokens": 5, "profiles": {"a": {"modle": "x"}, "b": {"later": 1}}}';
		const variables = {EDITOR: editorThatWrites(text)};
		const run = await runChat(['config', 'edit'], {...source, variables});
		expect(run).toEqual({
			stdout: '',
			stderr: [
				`chat: unknown key "max_tokens" in ${configPath}. Did you mean max-tokens?`,
				`chat: unknown key "modle" of the profile a in ${configPath}. Did you mean model?`,
				`chat: unknown key "later" of the profile b in ${configPath}`,
				'',
			].join('\n'),
			exitCode: 0,
		});
	});

	test('reports an editor that fails beside a file with a mistake', async () => {
		const {source} = createHome({config: '{"model"'});
		const run = await runChat(['config', 'edit'], {...source, variables: {EDITOR: 'false'}});
		expect(run).toMatchObject({stdout: '', exitCode: 78});
		expect(run.stderr).toContain('chat: the editor false failed (exit code 1)\n');
		expect(run.stderr).toContain('is not valid JSON');
	});

	test.each([
		['that does not exist', 'no-such-editor-anywhere', 'cannot start the editor no-such'],
		['that fails', `"${process.execPath}" -e 'process.exit(3)'`, 'failed (exit code 3)'],
		['that is not a valid command', "vi '", 'EDITOR is not a valid command: unclosed quote'],
	])('reports an editor %s', async (_, editor, message) => {
		const {source} = createHome();
		const variables = {EDITOR: editor};
		const run = await runChat(['config', 'edit'], {...source, variables});
		expect(run).toMatchObject({stdout: '', exitCode: 78});
		expect(run.stderr).toContain(message);
	});
});
