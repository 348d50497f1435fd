/** `chat templates import` and `edit`: templates of other programs, and of an editor. */
import {existsSync, readFileSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {type RunOptions, runChat} from '../helpers/run-chat.ts';
import {createHome, modeOf} from '../helpers/settings-home.ts';
import {type Files, writeTree} from '../templates/template-files.ts';

/** A home folder with these files, where `chat templates` runs. */
function homeWith(files: Files) {
	const {source, home, directory} = createHome();
	writeTree(home, files);
	const folder = join(directory, 'templates');
	return {
		home,
		folder,
		templates: (argv: readonly string[], options: RunOptions = {}) =>
			runChat(['templates', ...argv], {...source, cwd: home, ...options}),
		read: (name: string) => readFileSync(join(folder, name), 'utf8'),
		config: () => JSON.parse(readFileSync(join(directory, 'config.json'), 'utf8')),
	};
}

const commands = {
	'.claude/commands/fix.md':
		'---\ndescription: Fixes\nallowed-tools: Bash\n---\nFix $1 with !`date`',
	'.claude/commands/git/commit.md': 'Write a commit message.',
	'.claude/commands/README.md': 'not one',
};

describe('chat templates import', () => {
	test('copies the commands of a folder, for their owner alone', async () => {
		const {folder, templates, read} = homeWith(commands);
		const run = await templates(['import', '.claude/commands']);
		expect(run.stdout).toBe(`fix  ${folder}/fix.md\ngit:commit  ${folder}/git/commit.md\n`);
		expect(run.stderr.replaceAll(`${folder}/`, '')).toBe(
			'chat: fix.md: without effect: allowed-tools\n' +
				'chat: fix.md: contains a shell command, which chat does not run\n' +
				'chat: imported 2 of 2 templates\n',
		);
		expect(read('fix.md')).toBe(commands['.claude/commands/fix.md']);
		// Without front matter it would be a system message.
		expect(read('git/commit.md')).toBe('---\n---\nWrite a commit message.');
		expect([modeOf(join(folder, 'fix.md')), modeOf(folder)]).toEqual(['600', '700']);
	});

	test('copies skills and patterns with their files, but no links and nothing hidden', async () => {
		const {home, folder, templates, read} = homeWith({
			'in/pdf/SKILL.md': '---\nname: pdf\n---\nRead.',
			'in/pdf/docs/forms.md': 'Forms.',
			'in/pdf/.git/config': 'x',
			'in/wisdom/system.md': '# IDENTITY',
			'in/wisdom/user.md': 'CONTENT:',
			'in/wisdom/README.md': 'x',
			'in/trap/.keep': '',
			'secret.md': 'SECRET',
		});
		symlinkSync(join(home, 'secret.md'), join(home, 'in/link.md'));
		symlinkSync(join(home, 'secret.md'), join(home, 'in/pdf/link.md'));
		symlinkSync(home, join(home, 'in/loop'));
		// The main file of a skill or a pattern, too.
		symlinkSync(join(home, 'secret.md'), join(home, 'in/trap/SKILL.md'));
		const run = await templates(['import', 'in']);
		expect(run.stdout).toBe(`pdf  ${folder}/pdf/SKILL.md\nwisdom  ${folder}/wisdom/system.md\n`);
		expect(read('pdf/docs/forms.md')).toBe('Forms.');
		expect(read('wisdom/user.md')).toBe('CONTENT:');
		const others = ['link.md', 'pdf/link.md', 'pdf/.git', 'wisdom/README.md'];
		expect(others.filter((name) => existsSync(join(folder, name)))).toEqual([]);
		const one = await templates(['import', 'in/pdf/SKILL.md', 'other']);
		expect(one.stdout).toBe(`other  ${folder}/other/SKILL.md\n`);
		expect(read('other/docs/forms.md')).toBe('Forms.');
		const listed = await templates(['list']);
		expect(listed.stdout).toBe('other   Read.\npdf     Read.\nwisdom\n');
	});

	test('copies one file or stdin, under another name if there is one', async () => {
		const {folder, templates, read} = homeWith(commands);
		await templates(['import', '.claude/commands/fix.md', 'dev:repair']);
		expect(read('dev/repair.md')).toContain('Fix $1');
		const piped = await templates(['import', '-', 'joke'], {stdin: 'Tell $1 a joke'});
		expect(piped).toEqual({stdout: `joke  ${folder}/joke.md\n`, stderr: '', exitCode: 0});
		expect(read('joke.md')).toBe('Tell $1 a joke');
		const nameless = await templates(['import', '-'], {stdin: 'x'});
		expect(nameless.stderr).toContain('Write: chat templates import - <name>');
	});

	test('overwrites nothing without a question', async () => {
		const {templates, read} = homeWith({
			...commands,
			'.config/chat/templates/fix.md': 'mine $1',
		});
		const kept = await templates(['import', '.claude/commands/fix.md']);
		expect(kept).toEqual({
			stdout: '',
			stderr:
				'chat: chat templates import needs a terminal to confirm (or --yes): The template fix exists. Replace it?\n',
			exitCode: 64,
		});
		const others = await templates(['import', '.claude/commands']);
		expect(
			(await templates(['import', '-y', '.claude/commands/git/commit.md', 'git:commit'])).exitCode,
		).toBe(0);
		expect(others.exitCode).toBe(64);
		expect(others.stderr).toContain('chat: imported 1 of 2 templates\n');
		expect(read('fix.md')).toBe('mine $1');
		const asked = await templates(['import', '.claude/commands/fix.md'], {
			stdin: {typed: 'yes\r'},
			terminals: ['stderr'],
		});
		expect(asked.stderr).toContain('The template fix exists. Replace it?');
		expect(read('fix.md')).toContain('Fix $1');
	});

	test.each([
		['a path as its name', ['a.md', '../x'], 64, '"../x" is not a valid name for a template'],
		['a name of escape sequences', ['a.md', 'a\u001b[31m'], 64, 'is not a valid name'],
		['a file that is not there', ['gone.md'], 66, 'no such file: '],
		['a folder without templates', ['empty'], 66, 'there are no templates in empty'],
		[
			'another name for several',
			['.claude/commands', 'x'],
			64,
			'has 2 templates, which keep their names',
		],
		[
			'a file of another format',
			['a.txt'],
			65,
			'a.txt is not in a format of templates that is known',
		],
		['a binary file', ['nul.md'], 65, 'is binary'],
		['a large file', ['large.md'], 65, 'larger than the 1 MiB limit'],
		['a template of the other kind', ['pdf', 'both'], 64, 'which is in the way'],
	])('refuses %s', async (_, argv, exitCode, message) => {
		const {folder, templates} = homeWith({
			...commands,
			'a.md': '$1',
			'a.txt': '$1',
			'nul.md': 'a\0b',
			'large.md': 'x'.repeat(1_100_000),
			'empty/x.txt': '',
			'pdf/SKILL.md': 'x',
			'.config/chat/templates/both.md': '$1',
		});
		const run = await templates(['import', ...argv]);
		expect(run).toMatchObject({stdout: '', exitCode});
		expect(run.stderr).toContain(message);
		expect(existsSync(join(folder, '../x.md'))).toBe(false);
	});
});

describe('chat templates rename', () => {
	const own = (files: Files) =>
		homeWith(
			Object.fromEntries(
				Object.entries(files).map(([name, text]) => [`.config/chat/templates/${name}`, text]),
			),
		);

	test('moves a file or a folder, and keeps what the user has agreed to', async () => {
		const {home, folder, templates, read} = own({
			'git/old.md': '---\nfiles: /etc/hosts\n---\n$1',
			'pdf/SKILL.md': 'x',
			'pdf/forms.md': 'Forms.',
		});
		await templates(['trust', 'git:old']);
		const renamed = await templates(['rename', 'git:old', 'dev:new']);
		expect(renamed).toEqual({
			stdout: '',
			stderr: `chat: renamed git:old to dev:new: ${folder}/dev/new.md\n`,
			exitCode: 0,
		});
		expect(existsSync(join(folder, 'git'))).toBe(false);
		const trusted = readFileSync(join(home, '.config/chat/trusted-templates.json'), 'utf8');
		expect(trusted).toContain(`"${folder}/dev/new.md"`);
		await templates(['rename', 'pdf', 'tools:pdf']);
		expect(read('tools/pdf/forms.md')).toBe('Forms.');
	});

	test('replaces nothing', async () => {
		const {folder, templates, read} = own({'a.md': 'a $1', 'b.md': 'b $1'});
		const run = await templates(['rename', 'a', 'b']);
		expect(run).toMatchObject({
			stderr: `chat: the template b exists: ${folder}/b.md\n`,
			exitCode: 73,
		});
		expect(read('b.md')).toBe('b $1');
	});
});

describe('chat templates delete', () => {
	const mine = {
		'.config/chat/templates/git/a.md': '$1',
		'.config/chat/templates/pdf/SKILL.md': 'x',
		'.config/chat/templates/pdf/forms.md': 'x',
		'.config/chat/templates/kept.md': '$1',
	};

	test('deletes after a question, or with --yes', async () => {
		const {folder, templates} = homeWith(mine);
		const ask = (typed: string) =>
			templates(['delete', 'git:a'], {stdin: {typed}, terminals: ['stderr']});
		const refused = await ask('no\r');
		expect(refused.stderr).toContain('Delete 1 template: git:a?');
		expect(refused.stderr).toContain('nothing was deleted');
		expect(existsSync(join(folder, 'git/a.md'))).toBe(true);
		const {stderr} = await ask('yes\r');
		// Long lines are wrapped.
		expect(stderr.replaceAll(/\n {6}/g, ' ')).toContain(`deleted git:a: ${folder}/git/a.md`);
		expect((await templates(['delete', '-y', 'pdf'])).exitCode).toBe(0);
		expect((await templates(['list'])).stdout).toBe('kept  $1\n');
		expect(['git', 'pdf'].filter((name) => existsSync(join(folder, name)))).toEqual([]);
	});

	test('deletes nothing if it cannot ask, or one of the names is wrong', async () => {
		const {folder, templates} = homeWith({...mine, '.agents/skills/other/SKILL.md': 'x'});
		const unasked = await templates(['delete', 'kept']);
		expect(unasked).toEqual({
			stdout: '',
			stderr:
				'chat: chat templates delete needs a terminal to confirm (or --yes): Delete 1 template: kept?\n',
			exitCode: 64,
		});
		const foreign = await templates(['delete', '-y', 'kept', 'other']);
		expect(foreign.exitCode).toBe(64);
		expect(foreign.stderr).toContain('the template other is not in your own folder: ');
		expect((await templates(['delete', '-y', 'kept', 'gone'])).exitCode).toBe(66);
		expect(existsSync(join(folder, 'kept.md'))).toBe(true);
	});
});

describe('chat templates edit', () => {
	const editor = (script: string) => ({VISUAL: `sh -c '${script}' sh`});

	test('makes a new template, and checks it', async () => {
		const {folder, templates, read} = homeWith({});
		const write = editor('printf "Hi \\$1" > "$1"');
		const made = await templates(['edit', 'a:b'], {variables: write});
		expect(made).toEqual({stdout: '1 template checked, no mistakes\n', stderr: '', exitCode: 0});
		expect(read('a/b.md')).toBe('Hi $1');
		expect(modeOf(join(folder, 'a/b.md'))).toBe('600');
		const broken = editor('printf -- "---\\na: [\\n---\\n" > "$1"');
		const wrong = await templates(['edit', 'a:b'], {variables: broken});
		expect(wrong.exitCode).toBe(65);
		expect(wrong.stderr).toContain('line ');
	});

	test('leaves nothing of one that was not changed', async () => {
		const {folder, templates} = homeWith({});
		const run = await templates(['edit', 'x'], {variables: editor('true')});
		expect(run.stderr).toBe('chat: x was not changed, and not saved\n');
		expect(existsSync(join(folder, 'x.md'))).toBe(false);
	});

	test('makes no file at a path', async () => {
		const {home, templates} = homeWith({'work/a.md': '$1'});
		const run = await templates(['edit', '../x'], {
			cwd: join(home, 'work'),
			variables: editor('echo made > "$1"'),
		});
		expect(run).toMatchObject({stdout: '', exitCode: 66});
		expect(run.stderr).toContain(`no such file: ${home}/x\n`);
		expect(existsSync(join(home, 'x'))).toBe(false);
	});

	test('reports an editor that leaves no file', async () => {
		const {folder, templates} = homeWith({'.config/chat/templates/old.md': '$1'});
		const run = (name: string) => templates(['edit', name], {variables: {EDITOR: 'rm'}});
		expect((await run('new')).stderr).toBe('chat: new was not changed, and not saved\n');
		expect(await run('old')).toMatchObject({
			stderr: `chat: ${folder}/old.md is gone: the editor left no file\n`,
			exitCode: 66,
		});
	});
});
