/** `--save-template`. */
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {type RunOptions, runChat} from '../helpers/run-chat.ts';
import {createHome, modeOf} from '../helpers/settings-home.ts';
import {createDirectory} from '../input/input-helpers.ts';

function openHome() {
	const {source, directory} = createHome();
	const folder = join(directory, 'templates');
	const cwd = createDirectory({'rules.md': 'Rules.', 'tools.json': '[]', 'o.json': '[1]'});
	const variables = {CHAT_BASE_URL: 'http://127.0.0.1:9'};
	return {
		folder,
		directory,
		cwd,
		chat: (argv: readonly string[], options: RunOptions = {}) =>
			runChat(argv, {...source, cwd, variables, ...options}),
		read: (name: string) => readFileSync(join(folder, name), 'utf8'),
	};
}

describe('--save-template', () => {
	test('writes the prompt and its flags, which the template then has', async () => {
		const {chat, cwd, folder, read, directory} = openHome();
		const flags = [
			...['-m', 'terra', '-s', 'Be: brief, "$tone".', '--temperature', '0.5', '--stop', 'END'],
			...['-O', 'top_k=40', '-O', 'bias=@o.json', '-f', 'rules.md', '-x', '-p', 'tone=kind'],
		];
		const saved = await chat([...flags, '--save-template', 'dev:review', 'Review $1:\n$INPUT']);
		expect(saved).toEqual({
			stdout: '',
			stderr: `chat: saved ${folder}/dev/review.md; to use it: chat -t dev:review\n`,
			exitCode: 0,
		});
		expect(read('dev/review.md')).toBe(
			`---
# Saved by chat --save-template in ${cwd}
model: terra
system: Be: brief, "$tone".
temperature: 0.5
stop: END
extract: true
options:
  top_k: 40
  bias:
    - 1
params:
  tone: kind
files:
  - ${cwd}/rules.md
---
Review $1:
$INPUT
`.replace('Be: brief, "$tone".', `'Be: brief, "$tone".'`),
		);
		expect(modeOf(join(folder, 'dev/review.md'))).toBe('600');
		const argv = ['--dry-run', '-t', 'dev:review', 'it'];
		const {stdout, stderr} = await chat(argv, {stdin: 'text'});
		expect(stderr).toBe('');
		expect(JSON.parse(stdout).body).toMatchObject({
			model: 'MODEL-5.6-terra',
			temperature: 0.5,
			stop: ['END'],
			top_k: 40,
			bias: [1],
			messages: [
				{role: 'system', content: 'Be: brief, "kind".'},
				{role: 'user', content: '<file name="rules.md">\nRules.\n</file>\n\nReview it:\ntext'},
			],
		});
		expect(existsSync(join(directory, 'config.json'))).toBe(false);
		const elsewhere = await chat(argv, {cwd: createDirectory({}), stdin: 'text'});
		expect(elsewhere.stdout).toContain('<file name=\\"rules.md\\">');
	});

	test('says which flags a template cannot have, and keeps no header', async () => {
		const {chat, read} = openHome();
		const flags = ['--header', 'X-Token: s3cret', '--base-url', 'http://x.test', '-c', '-v'];
		const {stderr} = await chat([...flags, '--save-template', 'x', 'hello']);
		expect(stderr).toContain('chat: not in the template: --continue, --base-url, --header\n');
		expect(read('x.md')).not.toMatch(/s3cret|x\.test/);
	});

	test('says that piped text is not in the template', async () => {
		const {chat, read, folder} = openHome();
		const saved = await chat(['--save-template', 'x', 'Sum up'], {stdin: 'text'});
		expect(saved.stderr).toContain('chat: not in the template: the piped text\n');
		expect(read('x.md')).not.toContain('text');
		const nothing = await chat(['--save-template', 'y'], {stdin: 'text'});
		expect(nothing.stderr).toContain('To save a piped text: chat templates import - y\n');
		expect(existsSync(join(folder, 'y.md'))).toBe(false);
	});

	test('declares the parameters of the prompt and the system message', async () => {
		const {chat, read} = openHome();
		const flags = ['-s', 'Be $tone.', '-p', 'tone=kind'];
		const prompt = 'Say $$no in $lang, not $PATH or $2.50: $INPUT';
		const saved = await chat([...flags, '--save-template', 'tr', prompt]);
		expect(saved.stderr).toContain('; to use it: chat -t tr -p lang=…\n');
		expect(read('tr.md')).toContain('params:\n  lang: null\n  tone: kind\n');
		const use = ['-t', 'tr', '--dry-run'];
		const missing = await chat(use, {stdin: 'hallo'});
		expect(missing.stderr).toContain('the template tr needs lang: chat -t tr -p lang=…\n');
		const used = await chat([...use, '-p', 'lang=English'], {stdin: 'hallo'});
		expect(used.stdout).toContain('"Say $no in English, not $PATH or $2.50: hallo"');
	});

	test('overwrites nothing without a question', async () => {
		const {chat, read} = openHome();
		await chat(['--save-template', 'x', 'one']);
		const kept = await chat(['--save-template', 'x', 'two']);
		expect(kept).toEqual({
			stdout: '',
			stderr: `chat: --save-template needs a terminal to confirm: The template x exists. Replace it?\n      To change it: chat templates edit x\n`,
			exitCode: 64,
		});
		expect(read('x.md')).toContain('one');
		const asked = await chat(['--save-template', 'x', 'two'], {
			stdin: {typed: 'yes\r'},
			terminals: ['stderr'],
			variables: {CHAT_PLAIN: 'true'},
		});
		expect(asked.stderr).not.toContain('\u001b');
		expect(read('x.md')).toContain('two');
	});

	test('prints the template with --dry-run, and writes nothing', async () => {
		const {chat, cwd, folder} = openHome();
		const run = await chat(['--dry-run', '-m', 'luna', '--save-template', 'x']);
		expect(run.stdout).toBe(`---\n# Saved by chat --save-template in ${cwd}\nmodel: luna\n---\n`);
		expect(existsSync(folder)).toBe(false);
	});

	test.each([
		[['--save-template', '../x', 'p'], '"../x" is not a valid name for a template'],
		[['--save-template', 'a/b', 'p'], '"a/b" is not a valid name for a template'],
		[['--save-template', 'x'], 'there is nothing to save: give a prompt, or flags'],
		[['--save-template', 'x', '-t', 'y', 'p'], '--save-template cannot be used with -t'],
		[['--save-template', 'x', '-p', 'y', 'p'], '-p is "y", but it must be name=value'],
		[['--save-template', 'x', '--temperature', '5', 'p'], '--temperature is "5"'],
	])('refuses %j', async (argv, message) => {
		const {chat, folder} = openHome();
		const run = await chat(argv);
		expect(run).toMatchObject({stdout: '', exitCode: 64});
		expect(run.stderr).toContain(message);
		expect(existsSync(folder)).toBe(false);
	});
});
