/** `chat templates`: listed, shown, checked, imported, renamed, deleted and edited. */
import {existsSync, readFileSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {type Line, type RunOptions, wordsOf} from '../helpers/run-chat.ts';
import {openScene} from '../helpers/run-table.ts';
import {modeOf} from '../helpers/settings-home.ts';
import {writeTree} from '../input/input-helpers.ts';
import type {Files} from '../templates/template-files.ts';

/** Opens a home with these templates, and other files. */
async function openHome(own: Files, others: Files = {}, config: object = {}) {
	const scene = await openScene({config, replies: null});
	const folder = join(scene.directory, 'templates');
	writeTree(folder, own);
	writeTree(scene.home, others);
	return {
		...scene,
		folder,
		has: (name: string) => existsSync(join(folder, name)),
		read: (name: string) => readFileSync(join(folder, name), 'utf8'),
		templates: (line: Line, options: RunOptions = {}) =>
			scene.run(['templates', ...wordsOf(line)], {cwd: scene.home, ...options}),
		/** Returns the body of the request that a run would send. */
		async bodyOf(line: Line, options: RunOptions = {}) {
			const variables = {CHAT_BASE_URL: 'http://127.0.0.1:9'};
			const words = ['--dry-run', ...wordsOf(line)];
			return JSON.parse((await scene.run(words, {...options, variables})).stdout).body;
		},
	};
}

const own = {
	'review.md': '---\ndescription: Reviews a diff\nargument-hint: "[focus]"\n---\nReview $INPUT',
	'git/commit.md': 'Write a message for $INPUT',
};
const others = {
	'.agents/skills/pdf/SKILL.md': '---\nname: pdf\ndescription: Reads PDFs\n---\n# PDF',
	'.claude/commands/fix.md':
		'---\ndescription: Fixes: an issue\nallowed-tools: Bash\n---\nFix $1 with !`date`',
	'.claude/commands/git/commit.md': 'Write a commit message.',
	'.claude/commands/README.md': 'not one',
};

describe('chat templates list', () => {
	test('prints names, arguments and descriptions, also of template-paths', async () => {
		const paths = {'template-paths': ['../../.claude/commands']};
		const {templates, run, home, config} = await openHome(own, others, paths);
		expect((await templates('')).stdout).toBe(
			'git:commit      Write a message for $INPUT\n' +
				'review [focus]  Reviews a diff\n' +
				'pdf             Reads PDFs\n' +
				'fix             Fixes: an issue\n',
		);
		const listed = JSON.parse((await templates('list -o json')).stdout);
		expect(listed[3]).toEqual({
			name: 'fix',
			kind: 'prompt',
			description: 'Fixes: an issue',
			argument_hint: '',
			params: {},
			path: join(home, '.claude/commands/fix.md'),
		});
		expect((await run(['config', 'set', 'template-paths', home])).exitCode).toBe(0);
		expect(config()).toEqual({'template-paths': home});
	});
});

test('chat templates list shows no escape sequences, and counts what cannot be read', async () => {
	const description = '"a\\u001b[31mb\\u202ec"';
	const {templates} = await openHome({
		...{'b.md': `---\ndescription: ${description}\n---\n$1`, '校閲.md': '$1 three'},
		'bad.md': '---\na: "b\n---\n',
	});
	expect(await templates('list')).toMatchObject({
		stdout: 'b     abc\n校閲  $1 three\n',
		stderr: 'chat: 1 template cannot be read; chat templates check says why\n',
	});
});

test('chat templates check reports each mistake with its place, and what may surprise', async () => {
	const {templates, folder} = await openHome({
		...own,
		'bad.md': '---\na: 1\nb: "c\n---\n',
		'hot.md': '---\ntemperature: 5\n---\n$1',
		'list.md': '---\nfiles: [[a]]\n---\n$1',
		'nul.md': 'a\0b',
		'x.md': '---\nmodel: opus\nallowed-tools: Bash\n---\nSee @/etc/hosts !`date` $1 in $lang',
	});
	const {stderr, exitCode} = await templates('check');
	expect(exitCode).toBe(65);
	const lines = stderr.replaceAll(`${folder}/`, '');
	expect(lines).toMatch(/^chat: bad\.md: line 3, column 6: /m);
	expect(lines).toMatch(/^chat: temperature in hot\.md is "5"/m);
	expect(lines).toMatch(/^chat: list\.md: files has to be/m);
	expect(lines).toMatch(/^chat: nul\.md is binary/m);
	expect(lines.match(/^chat: x\.md: .*$/gm)).toEqual([
		'chat: x.md: without effect: model, allowed-tools',
		'chat: x.md: $lang stays text; declare it in params: [lang]',
		'chat: x.md: names /etc/hosts, outside of its folder',
		'chat: x.md: contains a shell command, which chat does not run',
	]);
	const stdout = '2 templates checked, no mistakes\n';
	expect(await templates('check review git:commit')).toEqual({stdout, stderr: '', exitCode: 0});
});

describe('chat templates import', () => {
	test('copies the commands of a folder, for their owner alone', async () => {
		const {folder, templates, read} = await openHome({}, others);
		const run = await templates('import .claude/commands');
		expect(run.stdout).toBe(`fix  ${folder}/fix.md\ngit:commit  ${folder}/git/commit.md\n`);
		expect(run.stderr.replaceAll(`${folder}/`, '')).toBe(
			'chat: fix.md: without effect: allowed-tools\n' +
				'chat: fix.md: contains a shell command, which chat does not run\n' +
				'chat: imported 2 of 2 templates\n',
		);
		expect(read('fix.md')).toBe(others['.claude/commands/fix.md']);
		// Without front matter it would be a system message.
		expect(read('git/commit.md')).toBe('---\n---\nWrite a commit message.');
		expect([modeOf(join(folder, 'fix.md')), modeOf(folder)]).toEqual(['600', '700']);
	});

	test('copies skills and patterns with their files, but no links and nothing hidden', async () => {
		const {home, folder, templates, read, has} = await openHome(
			{},
			{
				'in/pdf/SKILL.md': '---\nname: pdf\n---\nRead.',
				'in/pdf/docs/forms.md': 'Forms.',
				'in/pdf/.git/config': 'x',
				'in/wisdom/system.md': '# IDENTITY',
				'in/wisdom/user.md': 'CONTENT:',
				'in/wisdom/README.md': 'x',
				'in/trap/.keep': '',
				'secret.md': 'SECRET',
			},
		);
		for (const link of ['in/link.md', 'in/pdf/link.md', 'in/trap/SKILL.md']) {
			symlinkSync(join(home, 'secret.md'), join(home, link));
		}
		symlinkSync(home, join(home, 'in/loop'));
		const run = await templates('import in');
		expect(run.stdout).toBe(`pdf  ${folder}/pdf/SKILL.md\nwisdom  ${folder}/wisdom/system.md\n`);
		expect([read('pdf/docs/forms.md'), read('wisdom/user.md')]).toEqual(['Forms.', 'CONTENT:']);
		const rest = ['link.md', 'pdf/link.md', 'pdf/.git', 'wisdom/README.md', 'trap'];
		expect(rest.filter(has)).toEqual([]);
	});

	test('copies one file or stdin, under another name, and asks before it overwrites', async () => {
		const {templates, read} = await openHome({'fix.md': 'mine $1'}, others);
		const file = '.claude/commands/fix.md';
		await templates(`import ${file} dev:repair`);
		expect(read('dev/repair.md')).toContain('Fix $1');
		await templates('import - joke', {stdin: 'Tell $1 a joke'});
		expect(read('joke.md')).toBe('Tell $1 a joke');
		expect(await templates(`import ${file}`)).toEqual({
			stdout: '',
			stderr:
				'chat: chat templates import needs a terminal to confirm (or --yes): The template fix exists. Replace it?\n',
			exitCode: 64,
		});
		const all = await templates('import .claude/commands');
		expect(all.exitCode).toBe(64);
		expect(all.stderr).toContain('chat: imported 1 of 2 templates\n');
		expect(read('fix.md')).toBe('mine $1');
		await templates(`import ${file}`, {stdin: {typed: 'yes\r'}, terminals: ['stderr']});
		expect(read('fix.md')).toContain('Fix $1');
	});

	test('refuses a file without a template or a valid name, and one that would replace a folder', async () => {
		const files = {
			...{'a.md': '$1', 'a.txt': '$1', 'empty/x.txt': '', 'pdf/SKILL.md': 'x'},
			'x.yaml': 'prompt: "x\nsystem: [\n',
		};
		const {templates, has} = await openHome({'both.md': '$1'}, files);
		for (const [words, code, message] of [
			['a.md ../x', 64, '"../x" is not a valid name for a template'],
			['empty', 66, 'there are no templates in empty'],
			['a.txt', 65, 'a.txt is not in a format of templates that is known'],
			['x.yaml', 65, 'x.yaml: line 3, column 1: '],
			['pdf both', 64, 'which is in the way'],
		] as const) {
			const {stdout, stderr, exitCode} = await templates(`import ${words}`);
			expect([words, stdout, exitCode]).toEqual([words, '', code]);
			expect(stderr).toContain(message);
		}
		expect(has('../x.md')).toBe(false);
	});

	test('makes a prompt of a role of aichat with a place for one, else a system message', async () => {
		const front = 'model: openai:gpt-4o\ntemperature: 0\nuse_tools: fs';
		const {templates, read, bodyOf} = await openHome(
			{},
			{
				'roles/shell.md': `---\n${front}\n---\nOnly a command, costs below $5: "__INPUT__"\n`,
				'roles/ada.md': '---\ntemperature: 0.3\n---\nYou are Ada. You owe me $1.\n',
			},
		);
		const {stderr, exitCode} = await templates('import roles');
		expect(exitCode).toBe(0);
		expect(stderr).toContain('shell.md: without effect: use_tools');
		expect(read('shell.md')).toBe(
			'---\n# Imported from a role of aichat\nmodel: gpt-4o\ntemperature: 0\nuse_tools: fs\n---\n' +
				'Only a command, costs below $$5: "$ARGUMENTS$INPUT"\n',
		);
		const messages = [{role: 'user', content: 'Only a command, costs below $5: "find it"'}];
		expect((await bodyOf('-t shell find it')).messages).toEqual(messages);
		expect(await bodyOf('-t ada hello')).toMatchObject({
			temperature: 0.3,
			messages: [{role: 'system', content: 'You are Ada. You owe me $1.'}, {content: 'hello'}],
		});
	});

	test('keeps the variables of a template of llm as parameters, with their defaults', async () => {
		const system = `system: You write in the style of \${voice}.`;
		const prompt = 'prompt: |\n  Summarize for $$2, $voice:\n\n  $input\n\n  Insert $mood items.';
		const rest = 'defaults:\n  voice: GlaDOS\noptions:\n  temperature: 0.5\n';
		const {templates, bodyOf} = await openHome(
			{},
			{
				'in/steampunk.yaml': `model: gpt-4o\n${system}\n${prompt}\n${rest}`,
				'in/shape.yml': 'prompt: "List: $input"\nschema_object: {type: object}\n',
			},
		);
		expect((await templates('import in')).exitCode).toBe(0);
		expect(await bodyOf('-t steampunk -p mood=grim', {stdin: 'A text.'})).toMatchObject({
			model: 'gpt-4o',
			temperature: 0.5,
			messages: [
				{role: 'system', content: 'You write in the style of GlaDOS.'},
				{content: 'Summarize for $2, GlaDOS:\n\nA text.\n\nInsert grim items.'},
			],
		});
		expect(await bodyOf('-t shape cats')).toMatchObject({
			response_format: {type: 'json_schema', json_schema: {schema: {type: 'object'}}},
			messages: [{content: 'List: cats'}],
		});
	});
});

describe('own templates', () => {
	test('are renamed with what the user has agreed to, and replace nothing', async () => {
		const {directory, folder, templates, read, has} = await openHome({
			'git/old.md': '---\nfiles: /etc/hosts\n---\n$1',
			'pdf/SKILL.md': 'x',
			'pdf/forms.md': 'Forms.',
			'b.md': 'b $1',
		});
		await templates('trust git:old');
		expect(await templates('rename git:old dev:new')).toEqual({
			stdout: '',
			stderr: `chat: renamed git:old to dev:new: ${folder}/dev/new.md\n`,
			exitCode: 0,
		});
		expect(has('git')).toBe(false);
		const trusted = readFileSync(join(directory, 'trusted-templates.json'), 'utf8');
		expect(trusted).toContain(`"${folder}/dev/new.md"`);
		await templates('rename pdf tools:pdf');
		expect(read('tools/pdf/forms.md')).toBe('Forms.');
		expect(await templates('rename dev:new b')).toMatchObject({
			stderr: `chat: the template b exists: ${folder}/b.md\n`,
			exitCode: 73,
		});
		expect(read('b.md')).toBe('b $1');
	});

	test('are deleted after a question, and not if one of the names is wrong', async () => {
		const mine = {'git/a.md': '$1', 'pdf/SKILL.md': 'x', 'pdf/forms.md': 'x', 'kept.md': '$1'};
		const skill = {'.agents/skills/other/SKILL.md': 'x'};
		const {folder, templates, has} = await openHome(mine, skill);
		const ask = (typed: string) =>
			templates('delete git:a', {stdin: {typed}, terminals: ['stderr'], columns: 200});
		const refused = await ask('no\r');
		expect(refused.stderr).toContain('Delete 1 template: git:a?');
		expect(refused.stderr).toContain('nothing was deleted');
		expect(has('git/a.md')).toBe(true);
		// Long lines are wrapped.
		const {stderr} = await ask('yes\r');
		expect(stderr.replaceAll(/\n {6}/g, ' ')).toContain(`deleted git:a: ${folder}/git/a.md`);
		expect((await templates('delete -y pdf')).exitCode).toBe(0);
		expect(['git', 'pdf'].filter(has)).toEqual([]);
		const unasked = await templates('delete kept');
		expect(unasked.exitCode).toBe(64);
		expect(unasked.stderr).toContain('terminal to confirm (or --yes): Delete 1 template: kept?\n');
		const foreign = await templates('delete -y kept other');
		expect(foreign.exitCode).toBe(64);
		expect(foreign.stderr).toContain('the template other is not in your own folder: ');
		expect((await templates('delete -y kept gone')).exitCode).toBe(66);
		expect(has('kept.md')).toBe(true);
	});

	test('are made by an editor, and checked; nothing stays of one that was not changed', async () => {
		const {home, folder, templates, read, has} = await openHome({'old.md': '$1'});
		const edit = (name: string, script: string) =>
			templates(`edit ${name}`, {variables: {VISUAL: `sh -c '${script}' sh`}});
		const stdout = '1 template checked, no mistakes\n';
		const made = await edit('a:b', 'printf "Hi \\$1" > "$1"');
		expect(made).toEqual({stdout, stderr: '', exitCode: 0});
		expect(read('a/b.md')).toBe('Hi $1');
		expect(modeOf(join(folder, 'a/b.md'))).toBe('600');
		const wrong = await edit('a:b', 'printf -- "---\\na: [\\n---\\n" > "$1"');
		expect(wrong.exitCode).toBe(65);
		expect(wrong.stderr).toContain('line ');
		for (const script of ['true', 'rm "$1"']) {
			const {stderr} = await edit('x', script);
			expect([stderr, has('x.md')]).toEqual(['chat: x was not changed, and not saved\n', false]);
		}
		expect(await edit('old', 'rm "$1"')).toMatchObject({
			stderr: `chat: ${folder}/old.md is gone: the editor left no file\n`,
			exitCode: 66,
		});
		const path = await edit('../x', 'echo made > "$1"');
		expect(path).toMatchObject({stdout: '', exitCode: 66});
		expect(existsSync(join(home, '..', 'x'))).toBe(false);
	});
});
