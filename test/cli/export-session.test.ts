/** `chat sessions export`: a saved conversation in full, for people and other programs. */
import {readFileSync, writeFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import type {ReplyDelta} from '../helpers/replies.ts';
import {openStage, saveOne} from '../helpers/sessions-stage.ts';
import {readExport} from '../sessions/read-export.ts';

const thoughtful: ReadonlyArray<ReplyDelta | string> = [
	{reasoning: 'A short name.'},
	'Gul',
	'liver',
];

describe('chat sessions export', () => {
	test('prints Markdown, and an imported copy is the same', async () => {
		const stage = await openStage([thoughtful]);
		const id = await saveOne(stage, 'Name a bird', '-s', 'Be brief.');
		const {stdout, stderr, exitCode} = await stage.chat(['sessions', 'export', id]);
		expect({stderr, exitCode}).toEqual({stderr: '', exitCode: 0});
		expect(stdout.split('\n')).toEqual(
			expect.arrayContaining([
				'title: "Name a bird"',
				`session: "${id}"`,
				...['## System', '## User', 'Name a bird', '## Assistant', 'Gulliver'],
				...['<details><summary>Reasoning</summary>', 'A short name.', '</details>'],
			]),
		);
		const {stdout: json} = await stage.chat(['sessions', 'export', id, '--format', 'json']);
		expect(readExport(stdout)).toEqual(readExport(json));
		expect(readExport(json).conversation).toMatchObject({
			system: 'Be brief.',
			turns: [{prompt: {text: 'Name a bird'}}],
		});
	});

	test('has the prompt that a crash left without an answer, and an import gives it back', async () => {
		const stage = await openStage();
		const id = await saveOne(stage, 'Name a bird');
		await stage.chat(['-r', id, 'and a fish']);
		const path = stage.fileOf(id);
		const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
		writeFileSync(path, `${lines.slice(0, -1).join('\n')}\n`);
		const {stdout} = await stage.chat(['sessions', 'export', id]);
		expect(stdout).toMatch(/an answer\n\n## User\n\n<!-- chat turn .*\n\nand a fish\n$/);
		await stage.chat(['sessions', 'delete', id]);
		await stage.chat(['sessions', 'import', '-'], {stdin: stdout});
		const [copy = ''] = stage.ids();
		const again = await stage.chat(['sessions', 'export', copy]);
		expect(again.stdout).toMatch(/\n\nand a fish\n$/);
	});

	test('keeps prompts that the conversation left without an answer, also through an import', async () => {
		const stage = await openStage();
		const id = await saveOne(stage, 'first');
		const variables = {
			CHAT_BASE_URL: 'http://127.0.0.1:1/v1',
			CHAT_MODEL: 'm',
			CHAT_MAX_RETRIES: '0',
		};
		await stage.chat(['-r', id, 'nobody was there'], {variables});
		await stage.chat(['-r', id, 'the answer is damaged']);
		const path = stage.fileOf(id);
		const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
		writeFileSync(path, `${lines.slice(0, -1).join('\n')}\n${lines.at(-1)?.slice(0, 40)}\n`);
		await stage.chat(['-r', id, 'last']);
		const show = async (word: string) =>
			(await stage.chat(['sessions', 'show', word, '--all-branches'])).stdout;
		const shown = await show(id);
		expect(shown.match(/^(?:first|nobody.*|the answer.*|last|an answer)$/gm)).toEqual([
			...['first', 'an answer', 'last', 'an answer'],
			...['nobody was there', 'the answer is damaged'],
		]);
		const exported = await stage.chat(['sessions', 'export', id, '--format', 'json']);
		const again = await stage.chat(['sessions', 'import', '-'], {stdin: exported.stdout});
		expect(again.stderr).toContain('already there');
		await stage.chat(['sessions', 'delete', id]);
		await stage.chat(['sessions', 'import', '-'], {stdin: exported.stdout});
		const [copy = ''] = stage.ids();
		expect(await show(copy)).toBe(shown);
		const {stderr} = await stage.chat(['-r', copy, 'more']);
		expect(stderr).toContain('2 turns');
	});

	test('finds it by its title', async () => {
		const stage = await openStage();
		await saveOne(stage, 'Name a bird');
		const {stdout} = await stage.chat(['sessions', 'export', 'Name a bird']);
		expect(stdout).toContain('\nan answer\n');
	});

	test('prints the messages of a request, with the parts of attachments', async () => {
		const stage = await openStage();
		const id = await saveOne(
			stage,
			'hello',
			'-s',
			'Be kind.',
			'--image',
			'https://example.com/a.png',
		);
		await stage.chat(['-r', id, 'again']);
		const {stdout} = await stage.chat(['sessions', 'export', id, '--format', 'openai']);
		const [sent] = stage.service.bodies().slice(-1);
		expect(JSON.parse(stdout)).toEqual([
			...(sent?.messages ?? []),
			{role: 'assistant', content: 'an answer'},
		]);
		expect(JSON.parse(stdout)).toHaveLength(5);
	});

	test('prints a page that shows the answer', async () => {
		const stage = await openStage([['a **bold** answer <script>']]);
		const id = await saveOne(stage, 'Name a bird');
		const {stdout} = await stage.chat(['sessions', 'export', id, '--format', 'html']);
		expect(stdout).toMatch(/^<!doctype html>\n/);
		expect(stdout).toContain('<title>Name a bird</title>');
		expect(stdout).toContain('a <strong>bold</strong> answer &#60;script&#62;');
	});

	test.each(['md', 'json', 'html', 'openai'])('leaves the reasoning out of %s', async (format) => {
		const stage = await openStage([thoughtful]);
		const id = await saveOne(stage, 'Name a bird');
		const argv = ['sessions', 'export', id, '--format', format, '--no-reasoning'];
		const {stdout} = await stage.chat(argv);
		expect(stdout).toContain('Gulliver');
		expect(stdout).not.toContain('A short name.');
	});

	test.each([
		[['sessions', 'export', 'nothing'], 66, 'no conversation has the id or title "nothing"'],
		[['sessions', 'export'], 64, 'sessions export needs more arguments'],
		[
			['sessions', 'export', 'a', '--format', 'pdf'],
			64,
			'--format is "pdf", but it must be one of',
		],
		[['sessions', 'list', '--no-reasoning'], 64, 'sessions list does not have --no-reasoning'],
	])('refuses %j', async (argv, code, message) => {
		const stage = await openStage();
		const {stderr, exitCode, stdout} = await stage.chat(argv);
		expect({exitCode, stdout}).toEqual({exitCode: code, stdout: ''});
		expect(stderr).toContain(message);
	});

	test('sends no control characters to a terminal', async () => {
		const stage = await openStage([['red \u009b31mtext']]);
		const id = await saveOne(stage, 'hello');
		const argv = ['sessions', 'export', id, '--format', 'openai'];
		expect((await stage.chat(argv)).stdout).toContain('\u009b');
		const {stdout} = await stage.chat(argv, {terminals: ['stdout']});
		expect(stdout).toContain('red');
		expect(stdout).not.toContain('\u009b');
	});
});
