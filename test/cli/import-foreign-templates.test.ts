/** `chat templates import` of the formats of aichat and llm. */
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {type RunOptions, runChat} from '../helpers/run-chat.ts';
import {createHome} from '../helpers/settings-home.ts';
import {type Files, writeTree} from '../templates/template-files.ts';

/** A home folder with these files, where `chat templates import` runs. */
function homeWith(files: Files) {
	const {source, home, directory} = createHome();
	writeTree(home, files);
	const run = (argv: readonly string[], options: RunOptions = {}) =>
		runChat(argv, {...source, cwd: home, ...options});
	return {
		importFrom: (argv: readonly string[], options: RunOptions = {}) =>
			run(['templates', 'import', ...argv], options),
		/** Returns the body of the request that a run would send. */
		async bodyOf(argv: readonly string[], options: RunOptions = {}) {
			const variables = {CHAT_BASE_URL: 'http://127.0.0.1:9'};
			const {stdout, stderr} = await run(['--dry-run', ...argv], {...options, variables});
			expect(stdout, stderr).not.toBe('');
			return JSON.parse(stdout).body;
		},
		read: (name: string) => readFileSync(join(directory, 'templates', name), 'utf8'),
	};
}

test('a role of aichat is a prompt if it has a place for one, else a system message', async () => {
	const {importFrom, read, bodyOf} = homeWith({
		'roles/shell.md': `---
model: openai:gpt-4o
temperature: 0
top_p: 0
use_tools: fs,web_search
---
Give only a bash command for this, costs below $5: "__INPUT__"
`,
		'roles/ada.md': '---\ntemperature: 0.3\n---\nYou are Ada. You owe me $1.\n',
		'roles/plain.md': 'You are plain.\n',
	});
	const {stderr, exitCode} = await importFrom(['roles']);
	expect(exitCode).toBe(0);
	expect(stderr).toContain('shell.md: without effect: use_tools');
	expect(read('shell.md')).toBe(`---
# Imported from a role of aichat
model: gpt-4o
temperature: 0
top_p: 0
use_tools: fs,web_search
---
Give only a bash command for this, costs below $$5: "$ARGUMENTS$INPUT"
`);
	for (const body of [
		await bodyOf(['-t', 'shell', 'find it']),
		await bodyOf(['-t', 'shell'], {stdin: 'find it\n'}),
	]) {
		expect(body.messages).toEqual([
			{role: 'user', content: 'Give only a bash command for this, costs below $5: "find it"'},
		]);
	}
	expect(await bodyOf(['-t', 'ada', 'hello'])).toMatchObject({
		temperature: 0.3,
		messages: [
			{role: 'system', content: 'You are Ada. You owe me $1.'},
			{role: 'user', content: 'hello'},
		],
	});
	expect(await bodyOf(['-t', 'plain', 'hi'])).toMatchObject({
		messages: [{role: 'system', content: 'You are plain.'}, {content: 'hi'}],
	});
});

test('a template of llm keeps its variables as parameters, with their defaults', async () => {
	const {importFrom, bodyOf} = homeWith({
		'in/steampunk.yaml': `model: gpt-4o
system: You write in the style of \${voice}.
prompt: |
    Summarize this for $$2, $voice:

    $input

    Insert $mood items.
defaults:
  voice: GlaDOS
options:
  temperature: 0.5
`,
		'in/french.yaml': 'system: Speak in French\n',
		'in/shape.yml': 'prompt: "List: $input"\nschema_object: {type: object}\n',
	});
	expect((await importFrom(['in'])).exitCode).toBe(0);
	const argv = ['-t', 'steampunk', '-p', 'mood=grim'];
	expect(await bodyOf(argv, {stdin: 'A text.'})).toMatchObject({
		model: 'gpt-4o',
		temperature: 0.5,
		messages: [
			{role: 'system', content: 'You write in the style of GlaDOS.'},
			{content: 'Summarize this for $2, GlaDOS:\n\nA text.\n\nInsert grim items.'},
		],
	});
	expect(await bodyOf(['-t', 'french', 'hello'])).toMatchObject({
		messages: [{role: 'system', content: 'Speak in French'}, {content: 'hello'}],
	});
	expect(await bodyOf(['-t', 'shape', 'cats'])).toMatchObject({
		response_format: {type: 'json_schema', json_schema: {schema: {type: 'object'}}},
		messages: [{content: 'List: cats'}],
	});
});

test.each([
	['x.toml', 'prompt = "x"\n', 'x.toml is not in a format of templates that is known'],
	['x.yaml', 'prompt: "x\nsystem: [\n', /x\.yaml: line \d, column \d+: /],
	['x.yaml', `prompt: "\${a}b"\n`, `x.yaml: a letter follows \${a}`],
	['x.yaml', 'on: push\n', 'x.yaml is not in a format of templates that is known'],
])('a mistake in %s is reported: %j', async (name, text, message) => {
	const {stderr, exitCode} = await homeWith({[name]: text}).importFrom([name]);
	expect(exitCode).toBe(65);
	expect(stderr).toMatch(message);
});

test('the formats are known from stdin, too', async () => {
	const {importFrom, read} = homeWith({});
	const texts = {
		yaml: 'prompt: Say $input\n',
		role: 'Say __INPUT__\n',
		text: '---\nsystem: x\n---\nprompt: y\n',
	};
	for (const [name, stdin] of Object.entries(texts)) await importFrom(['-', name], {stdin});
	expect(read('yaml.md')).toContain('\nSay $ARGUMENTS$INPUT\n');
	expect(read('role.md')).toContain('\nSay $ARGUMENTS$INPUT\n');
	expect(read('text.md')).toBe(texts.text);
});
