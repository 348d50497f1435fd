import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {runChat} from '../helpers/run-chat.ts';
import {createHome, type SettingsHome} from '../helpers/settings-home.ts';
import {type Files, writeTree} from '../templates/template-files.ts';

/** A home folder with these files below it. */
function homeWith(files: Files, config: object = {}): SettingsHome {
	const home = createHome({config});
	writeTree(home.home, files);
	return home;
}

const files = {
	'.config/chat/templates/review.md':
		'---\ndescription: Reviews a diff\nargument-hint: "[focus]"\n---\nReview $INPUT',
	'.config/chat/templates/git/commit.md': 'Write a message for $INPUT',
	'.agents/skills/pdf/SKILL.md': '---\nname: pdf\ndescription: Reads PDFs\n---\n# PDF',
	'.claude/commands/fix.md': '---\ndescription: Fixes: an issue\n---\nFix $1',
};

describe('chat templates list', () => {
	test('prints names, arguments and descriptions', async () => {
		const {source} = homeWith(files);
		const run = await runChat(['templates'], source);
		expect(run).toEqual({
			stdout:
				'git:commit      Write a message for $INPUT\n' +
				'review [focus]  Reviews a diff\n' +
				'pdf             Reads PDFs\n',
			stderr: '',
			exitCode: 0,
		});
	});

	test('aligns by the cells of a terminal; a long name moves its own line alone', async () => {
		const long = 'a'.repeat(40);
		const {source} = homeWith({
			[`.config/chat/templates/${long}.md`]: '$1 one',
			'.config/chat/templates/b.md': '$1 two',
			'.config/chat/templates/校閲.md': '$1 three',
		});
		const {stdout} = await runChat(['templates'], source);
		expect(stdout).toBe(`${long}  $1 one\nb     $1 two\n校閲  $1 three\n`);
	});

	test('has those of the folders in template-paths', async () => {
		const home = homeWith(files, {'template-paths': ['../../.claude/commands']});
		const {stdout} = await runChat(['templates', 'list', '-o', 'json'], home.source);
		const listed = JSON.parse(stdout);
		expect(listed).toHaveLength(4);
		expect(listed[3]).toEqual({
			name: 'fix',
			kind: 'prompt',
			description: 'Fixes: an issue',
			argument_hint: '',
			params: {},
			path: join(home.home, '.claude/commands/fix.md'),
		});
		const set = ['config', 'set', 'template-paths', home.home];
		expect((await runChat(set, home.source)).exitCode).toBe(0);
		expect(home.config()).toEqual({'template-paths': home.home});
	});

	test('counts those that cannot be read, and shows no escape sequences', async () => {
		const description = '---\ndescription: "a\\u001b[31mb\\u202ec"\n---\n$1';
		const {source} = homeWith({
			'.config/chat/templates/red.md': description,
			'.config/chat/templates/bad.md': '---\na: "b\n---\n',
		});
		const run = await runChat(['templates', 'list'], source);
		expect(run.stdout).toBe('red  abc\n');
		expect(run.stderr).toBe('chat: 1 template cannot be read; chat templates check says why\n');
	});

	test('says where they go if there are none', async () => {
		const {source, directory} = createHome();
		const {stdout, stderr} = await runChat(['templates'], source);
		expect([stdout, stderr]).toEqual([
			'',
			`chat: there are no templates yet; yours go into ${directory}/templates\n`,
		]);
	});
});

test('chat templates show prints the file, and path where it is', async () => {
	const {source, home, directory} = homeWith(files);
	const stdoutOf = async (...argv: readonly string[]) =>
		(await runChat(['templates', ...argv], {...source, cwd: home})).stdout;
	expect(await stdoutOf('show', 'review')).toBe(`${files['.config/chat/templates/review.md']}\n`);
	expect(await stdoutOf('path')).toBe(`${directory}/templates\n`);
	expect(await stdoutOf('path', 'git:commit')).toBe(`${directory}/templates/git/commit.md\n`);
	expect(await stdoutOf('path', './.claude/commands/fix.md')).toBe(
		`${home}/.claude/commands/fix.md\n`,
	);
});

test('a template that is not there is 66, with the closest one', async () => {
	const {source} = homeWith(files);
	expect(await runChat(['templates', 'show', 'revew'], source)).toEqual({
		stdout: '',
		stderr: 'chat: there is no template revew\n      Did you mean review?\n',
		exitCode: 66,
	});
	expect((await runChat(['templates', 'show', './gone.md'], source)).exitCode).toBe(66);
	expect((await runChat(['templates', 'show'], source)).stderr).toContain(
		'Write: chat templates show <name>',
	);
});

describe('chat templates check', () => {
	test('reports each mistake with its place', async () => {
		const {source, directory} = homeWith({
			...files,
			'.config/chat/templates/bad.md': '---\na: 1\nb: "c\n---\n',
			'.config/chat/templates/nul.md': 'a\0b',
		});
		const run = await runChat(['templates', 'check'], source);
		expect(run.exitCode).toBe(65);
		expect(run.stderr.replaceAll(directory, '')).toMatch(
			/^chat: \/templates\/bad\.md: line 3, column 6: .*\nchat: \/templates\/nul\.md is binary/,
		);
		const wrong = await runChat(['templates', 'check', 'hot', 'list'], {
			...homeWith({
				'.config/chat/templates/hot.md': '---\ntemperature: 5\n---\n$1',
				'.config/chat/templates/list.md': '---\nfiles: [[a]]\n---\n$1',
			}).source,
		});
		expect(wrong.exitCode).toBe(65);
		expect(wrong.stderr).toMatch(/temperature in .*hot\.md is "5".*\n.*list\.md: files has to be/);
		const one = await runChat(['templates', 'check', 'review', 'pdf'], source);
		expect(one).toEqual({stdout: '2 templates checked, no mistakes\n', stderr: '', exitCode: 0});
	});

	test('remarks on what may surprise', async () => {
		const text = '---\nmodel: opus\nallowed-tools: Bash\n---\nSee @/etc/hosts !`date` $1 in $lang';
		const {source, directory} = homeWith({'.config/chat/templates/x.md': text});
		const run = await runChat(['templates', 'check'], source);
		expect(run.stdout).toBe('1 template checked, no mistakes\n');
		expect(run.stderr.replaceAll(`${directory}/templates/`, '')).toBe(
			'chat: x.md: without effect: model, allowed-tools\n' +
				'chat: x.md: $lang stays text; declare it in params: [lang]\n' +
				'chat: x.md: names /etc/hosts, outside of its folder\n' +
				'chat: x.md: contains a shell command, which chat does not run\n',
		);
	});
});
