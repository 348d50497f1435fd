/** `--save-template`: a prompt and its flags become a template. */
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {openScene} from '../helpers/run-table.ts';
import {modeOf} from '../helpers/settings-home.ts';
import {createDirectory} from '../input/input-helpers.ts';

async function openHome() {
	const scene = await openScene({
		files: {'rules.md': 'Rules.', 'tools.json': '[]', 'o.json': '[1]'},
		replies: null,
		variables: {CHAT_BASE_URL: 'http://127.0.0.1:9'},
	});
	const folder = join(scene.directory, 'templates');
	return {...scene, folder, read: (name: string) => readFileSync(join(folder, name), 'utf8')};
}

describe('--save-template', () => {
	test('writes the prompt and its flags, which the template then has', async () => {
		const {run, cwd, folder, read, configPath} = await openHome();
		const flags = [
			...['-m', 'terra', '-s', 'Be: brief, "$tone".', '--temperature', '0.5', '--stop', 'END'],
			...['-O', 'top_k=40', '-O', 'bias=@o.json', '-f', 'rules.md', '-x', '-p', 'tone=kind'],
		];
		expect(await run([...flags, '--save-template', 'dev:review', 'Review $1:\n$INPUT'])).toEqual({
			stdout: '',
			stderr: `chat: saved ${folder}/dev/review.md; to use it: chat -t dev:review\n`,
			exitCode: 0,
		});
		expect(read('dev/review.md')).toBe(`---
# Saved by chat --save-template in ${cwd}
model: terra
system: 'Be: brief, "$tone".'
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
`);
		expect(modeOf(join(folder, 'dev/review.md'))).toBe('600');
		const elsewhere = {cwd: createDirectory({}), stdin: 'text'};
		const {stdout, stderr} = await run('--dry-run -t dev:review it', elsewhere);
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
		expect(existsSync(configPath)).toBe(false);
	});

	test('says what a template cannot have, and keeps no header', async () => {
		const {run, read, folder} = await openHome();
		const flags = ['--header', 'X-Token: s3cret', '--base-url', 'http://x.test', '-c', '-v'];
		const {stderr} = await run([...flags, '--save-template', 'x', 'hello'], {stdin: 'piped'});
		const rest = '--continue, --base-url, --header, the piped text';
		expect(stderr).toContain(`chat: not in the template: ${rest}\n`);
		expect(read('x.md')).not.toMatch(/s3cret|x\.test|piped/);
		const nothing = await run('--save-template y', {stdin: 'text'});
		expect(nothing.stderr).toContain('To save a piped text: chat templates import - y\n');
		expect(existsSync(join(folder, 'y.md'))).toBe(false);
	});

	test('declares the parameters of the prompt and the system message', async () => {
		const {run, read} = await openHome();
		const flags = ['-s', 'Be $tone.', '-p', 'tone=kind', '--save-template', 'tr'];
		const saved = await run([...flags, 'Say $$no in $lang, not $PATH or $2.50: $INPUT']);
		expect(saved.stderr).toContain('; to use it: chat -t tr -p lang=…\n');
		expect(read('tr.md')).toContain('params:\n  lang: null\n  tone: kind\n');
		const used = await run('-t tr --dry-run -p lang=English', {stdin: 'hallo'});
		expect(used.stdout).toContain('"Say $no in English, not $PATH or $2.50: hallo"');
	});

	test('overwrites nothing without a question', async () => {
		const {run, read} = await openHome();
		await run('--save-template x one');
		expect(await run('--save-template x two')).toEqual({
			stdout: '',
			stderr: `chat: --save-template needs a terminal to confirm: The template x exists. Replace it?\n      To change it: chat templates edit x\n`,
			exitCode: 64,
		});
		expect(read('x.md')).toContain('one');
		const stdin = {typed: 'yes\r'};
		await run('--save-template x two', {stdin, terminals: ['stderr']});
		expect(read('x.md')).toContain('two');
	});
});
