/** `chat sessions export`: a saved conversation in full, for people and other programs. */
import {readFileSync, writeFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {openStage, saveOne} from '../helpers/sessions-stage.ts';

const thoughtful = [{reasoning: 'A short name.'}, 'Gulliver is **bold** <b>'];

describe('chat sessions export', () => {
	test('keeps prompts that the conversation left without an answer, also through an import', async () => {
		const stage = await openStage();
		const id = await saveOne(stage, 'first');
		const lost = {CHAT_BASE_URL: 'http://127.0.0.1:1', CHAT_MODEL: 'm', CHAT_MAX_RETRIES: '0'};
		await stage.chat(`-r ${id} nobody was there`, {variables: lost});
		await stage.chat(`-r ${id} the answer is damaged`);
		const text = readFileSync(stage.fileOf(id), 'utf8').trimEnd();
		writeFileSync(stage.fileOf(id), `${text.slice(0, text.lastIndexOf('\n') + 41)}\n`);
		await stage.chat(`-r ${id} last`);
		const show = async (word: string) =>
			(await stage.chat(`sessions show ${word} --all-branches`)).stdout;
		const shown = await show(id);
		expect(shown.match(/^(?:first|nobody.*|the answer.*|last|an answer)$/gm)).toEqual([
			...['first', 'an answer', 'last', 'an answer'],
			...['nobody was there', 'the answer is damaged'],
		]);
		const {stdout: stdin} = await stage.chat(`sessions export ${id} --format json`);
		const again = await stage.chat('sessions import -', {stdin});
		expect(again.stderr).toContain('already there');
		await stage.chat(`sessions delete ${id}`);
		await stage.chat('sessions import -', {stdin});
		expect(await show(stage.ids()[0] ?? '')).toBe(shown);
	});

	test('prints the messages of a request, with the parts of attachments', async () => {
		const stage = await openStage();
		const image = ['--image', 'https://example.com/a.png'];
		const id = await saveOne(stage, 'hello', '-s', 'Be kind.', ...image);
		await stage.chat(`-r ${id} again`);
		const {stdout} = await stage.chat(`sessions export ${id} --format openai`);
		const sent = stage.service.bodies().at(-1)?.messages ?? [];
		expect(JSON.parse(stdout)).toEqual([...sent, {role: 'assistant', content: 'an answer'}]);
		expect(sent).toHaveLength(4);
	});

	test('leaves the reasoning out of every format, and control characters out of a terminal', async () => {
		const stage = await openStage([[...thoughtful, ' \u009b31mred']]);
		const id = await saveOne(stage, 'Name a bird');
		for (const format of ['md', 'json', 'html', 'openai']) {
			const line = `sessions export ${id} --format ${format} --no-reasoning`;
			const {stdout} = await stage.chat(line, {terminals: ['stdout']});
			expect(stdout).toContain(
				format === 'html'
					? 'Gulliver is <strong>bold</strong> &#60;b&#62;'
					: 'Gulliver is **bold** <b>',
			);
			expect(stdout).not.toContain('A short name.');
			expect(stdout).not.toContain('\u009b');
		}
		const {stdout} = await stage.chat(['sessions', 'export', 'Name a bird']);
		expect(stdout).toContain('<summary>Reasoning</summary>\n\nA short name.');
		const messages = await stage.chat(`sessions export ${id} --format openai`);
		expect(messages.stdout).toContain('\u009b');
	});
});
