/** `-t` and `-p`: prompt templates in a run. */
import {symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {quoteWord} from '../../src/wording.ts';
import {type RunOptions, type RunResult, runChat} from '../helpers/run-chat.ts';
import {openStage} from '../helpers/sessions-stage.ts';
import {createHome, modeOf} from '../helpers/settings-home.ts';
import {createDirectory, pixelPng} from '../input/input-helpers.ts';
import {type Files, writeTree} from '../templates/template-files.ts';

const review = `---
description: Reviews a diff
argument-hint: "[focus]"
model: terra
system: You review in $language.
temperature: 0.5
options: {max_tokens: 9, top_k: 40}
params: {language: English}
allowed-tools: Bash
---
Review this in $language. Focus: $ARGUMENTS

$INPUT
`;

/** Runs in a home folder with these templates. */
async function run(
	templates: Files,
	argv: readonly string[],
	{config = {}, ...options}: RunOptions & {readonly config?: object} = {},
): Promise<RunResult & {readonly folder: string}> {
	const home = createHome({config});
	const folder = join(home.directory, 'templates');
	writeTree(folder, templates);
	const variables = {CHAT_BASE_URL: 'http://127.0.0.1:9', CHAT_MODEL: 'sol', ...options.variables};
	return {...(await runChat(argv, {...home.source, ...options, variables})), folder};
}

/** Returns the body of the request that a run would send. */
async function bodyOf(
	templates: Files,
	argv: readonly string[],
	options: Parameters<typeof run>[2] = {},
) {
	const {stdout, stderr, exitCode} = await run(templates, ['--dry-run', ...argv], options);
	expect({stderr, exitCode}).toEqual({stderr: '', exitCode: 0});
	return JSON.parse(stdout).body;
}

describe('chat -t', () => {
	test('sends the prompt and the settings of the template', async () => {
		const argv = ['-t', 'review', 'security', 'first'];
		const body = await bodyOf({'review.md': review}, argv, {stdin: '+ a diff\n'});
		expect(body).toMatchObject({
			model: 'MODEL-5.6-terra',
			temperature: 0.5,
			max_tokens: 9,
			top_k: 40,
			messages: [
				{role: 'system', content: 'You review in English.'},
				{
					role: 'user',
					content: 'Review this in English. Focus: security first\n\n+ a diff',
				},
			],
		});
	});

	test('has values for its parameters, and flags that win', async () => {
		const flags = ['-p', 'language=a=b $1', '-m', 'luna', '-s', 'Short.', '-O', 'top_k=1'];
		const body = await bodyOf({'review.md': review}, ['-t', 'review', ...flags], {stdin: 'x'});
		expect(body).toMatchObject({model: 'MODEL-5.6-luna', temperature: 0.5, top_k: 1});
		expect(body.messages).toEqual([
			{role: 'system', content: 'Short.'},
			{role: 'user', content: 'Review this in a=b $1. Focus: \n\nx'},
		]);
	});

	test('wins over a profile of the command line and over variables', async () => {
		const options = {
			stdin: 'x',
			config: {temperature: 2, profiles: {work: {model: 'luna', 'max-tokens': 1}}},
			variables: {CHAT_MODEL: 'sol', CHAT_SYSTEM: 'None.'},
		};
		const argv = ['--profile', 'work', '-t', 'review'];
		const body = await bodyOf({'review.md': review}, argv, options);
		expect(body).toMatchObject({model: 'MODEL-5.6-terra', temperature: 0.5, max_tokens: 9});
		expect(body.messages[0].content).toBe('You review in English.');
	});

	test('is a source that -v names', async () => {
		const argv = ['-t', 'review', '-v', '--max-retries', '0', 'x'];
		const {stderr} = await run({'review.md': review}, argv, {stdin: 'x'});
		expect(stderr).toContain('= model: terra (the template review)\n');
		expect(stderr).toContain('= template: review (--template)\n');
		expect(stderr).toContain('= options: {"top_k":40} (the template review)\n');
	});

	test('continues a saved conversation with its system message and its settings', async () => {
		const stage = await openStage([['one'], ['two'], ['three']]);
		writeTree(stage.home, {
			'.config/chat/templates/t.md': '---\nsystem: Rhyme.\nmodel: b\n---\nAgain: $1',
		});
		await stage.chat(['-m', 'a', '-s', 'Be brief.', 'hello']);
		await stage.chat(['-c', '-t', 't', 'more words']);
		await stage.chat(['-c', 'end']);
		const [, second, third] = stage.service.bodies();
		expect(second?.['model']).toBe('b');
		expect(second?.messages?.map(({content}) => content)).toEqual([
			'Rhyme.',
			'hello',
			'one',
			'Again: more words',
		]);
		expect(third?.messages?.[0]?.content).toBe('Rhyme.');
	});

	test('is a system message without front matter, and its prompt is piped in or typed', async () => {
		const templates = {
			'pirate.md': '@bard, talk like a pirate for $5.\n',
			'p/system.md': '# ID',
			'p/user.md': 'CONTENT:',
		};
		const typed = await bodyOf(templates, ['-t', 'pirate', 'hello'], {stdin: 'text'});
		expect(typed.messages).toEqual([
			{role: 'system', content: '@bard, talk like a pirate for $5.'},
			{role: 'user', content: 'text\n\nhello'},
		]);
		const piped = await bodyOf(templates, ['-t', 'p'], {stdin: 'text'});
		expect(piped.messages).toEqual([
			{role: 'system', content: '# ID'},
			{role: 'user', content: 'CONTENT:\n\ntext'},
		]);
		const named = {'greet.md': '---\nsystem: $who, hello.\nparams: {who: }\n---\nHi.'};
		const greeted = await bodyOf(named, ['-t', 'greet', '-p', 'who=@all']);
		expect(greeted.messages?.[0]).toEqual({role: 'system', content: '@all, hello.'});
		const nothing = await run(templates, ['-t', 'p']);
		expect(nothing.exitCode).toBe(64);
	});

	test('puts a skill in front of the prompt, without its settings', async () => {
		const templates = {
			'pdf/SKILL.md': '---\nname: pdf\nmodel: x\nsystem: "@/etc/passwd"\n---\nRead it.',
			'pdf/forms.md': '',
		};
		const body = await bodyOf(templates, ['-t', 'pdf', 'fill in']);
		expect(body.model).toBe('MODEL-5.6-sol');
		expect(body.messages).toEqual([
			{
				role: 'user',
				content:
					'<skill name="pdf">\nRead it.\n\nOther files of this skill: forms.md\n</skill>\n\nfill in',
			},
		]);
	});

	test('is not a file in the format of another program', async () => {
		const cwd = createDirectory({'x.yaml': 'system: Be brief.\n'});
		const run = await runChat(['-t', './x.yaml', '--dry-run', 'hi'], {cwd});
		expect(run).toMatchObject({stdout: '', exitCode: 65});
		expect(run.stderr).toContain("./x.yaml has another program's format\n");
		expect(run.stderr).toContain('To use it: chat templates import ./x.yaml\n');
	});

	test('may be the path of a file', async () => {
		const cwd = createDirectory({'own.md': 'Explain $1 to $2', 'main.ts': ''});
		const body = await bodyOf({}, ['-t', './own.md', 'a monad', 'me'], {cwd});
		expect(body.messages).toEqual([{role: 'user', content: 'Explain a monad to me'}]);
		const file = await run({}, ['-t', 'own.md', 'main.ts'], {cwd});
		expect(file.stderr).toContain(
			'chat -t own.md -f main.ts. To send the text: chat -t own.md -- ',
		);
	});

	test('goes with files, images and piped text', async () => {
		const cwd = createDirectory({'a.txt': 'A', 'a.png': pixelPng});
		const templates = {
			'r.md': '---\nfiles: [docs/rules.md]\n---\nCompare with @docs/style.md. $ARGUMENTS',
			'docs/rules.md': 'Rules.',
			'docs/style.md': 'Style.',
		};
		const argv = ['-t', 'r', '-f', 'a.txt', '--image', 'a.png', 'now'];
		const body = await bodyOf(templates, argv, {cwd, stdin: 'piped'});
		const [text, image] = body.messages[0].content;
		expect(text.text).toBe(
			'<file name="docs/rules.md">\nRules.\n</file>\n<file name="docs/style.md">\nStyle.\n</file>\n' +
				'<file name="a.txt">\nA\n</file>\n\nCompare with @docs/style.md. now\n\npiped',
		);
		expect(image.type).toBe('image_url');
	});

	test('reads the files of its settings from its own folder', async () => {
		const templates = {
			't/json.md':
				'---\nsystem: @style.md\ntools: ./tools.json\njson-schema: {type: object}\n---\n$1',
			't/style.md': 'In $1 style.\n',
			't/tools.json': '[{"type": "function", "function": {"name": "clock"}}]',
		};
		const body = await bodyOf(templates, ['-t', 't:json', 'x']);
		expect(body.messages[0]).toEqual({role: 'system', content: 'In $1 style.'});
		expect(body.tools).toHaveLength(1);
		expect(body.response_format.json_schema.schema).toEqual({type: 'object'});
	});

	test('ignores the models and tools of other programs', async () => {
		const text = '---\nmodel: sonnet\ntools: [Read, Grep]\nagent: build\n---\n$1';
		const body = await bodyOf({'x.md': text}, ['-t', 'x', 'y']);
		expect([body.model, body.tools]).toEqual(['MODEL-5.6-sol', undefined]);
	});
});

describe('a mistake is reported before anything is sent', () => {
	test.each([
		[
			'an unknown template',
			['-t', 'revew', 'x'],
			66,
			'there is no template revew\n      Did you mean review?',
		],
		[
			'a missing parameter',
			['-t', 'needs', 'x'],
			64,
			'the template needs needs a and b: chat -t needs -p a=… -p b=…',
		],
		[
			'an unknown parameter',
			['-t', 'review', '-p', 'langage=x'],
			64,
			'the template review has no parameter langage; did you mean language?',
		],
		[
			'a parameter of none',
			['-t', 'one', '-p', 'x=y', 'z'],
			64,
			'the template one has no parameter x; it has none',
		],
		[
			'a parameter without a value',
			['-t', 'review', '-p', 'x'],
			64,
			'-p is "x", but it must be name=value',
		],
		[
			'a parameter without a template',
			['-p', 'x=y', 'z'],
			64,
			'-p is a parameter, and needs a template: -t',
		],
		[
			'a skill alone',
			['-t', 'pdf'],
			64,
			'the template pdf needs a text: pipe one in, attach a file with -f, or write it: chat -t pdf "your text"',
		],
		[
			'a missing argument',
			['-t', 'two', 'x'],
			64,
			'the template two needs 2 arguments: chat -t two <from> <to>',
		],
		[
			'a missing argument without a hint',
			['-t', 'one'],
			64,
			'the template one needs an argument: chat -t one "…"',
		],
		[
			'a missing text',
			['-t', 'review'],
			64,
			'the template review needs a text: pipe one in, attach a file with -f, or write it: chat -t review "your text"',
		],
		[
			'a wrong value',
			['-t', 'hot', 'x'],
			65,
			'temperature in FOLDER/hot.md is "5", but it must be a number from 0 to 2',
		],
		[
			'a wrong list of files',
			['-t', 'files', 'x'],
			65,
			'FOLDER/files.md: files has to be a list of paths',
		],
		[
			'options with a file in them',
			['-t', 'opts', 'x'],
			65,
			'options in FOLDER/opts.md must be an object of fields',
		],
		['a file that is not there', ['-t', 'gone', 'x'], 66, 'no such file: gone.txt'],
	])('%s', async (_, argv, exitCode, message) => {
		const templates = {
			'review.md': review,
			'needs.md': '---\nparams: [a, b, c]\nsystem: $a\n---\n$b',
			'one.md': 'Do $1',
			'opts.md': '---\noptions: "a=@/etc/passwd"\n---\n$1',
			'pdf/SKILL.md': 'Read it.',
			'two.md': '---\nargument-hint: <from> <to>\n---\n$1 to $2',
			'hot.md': '---\ntemperature: 5\n---\n$1',
			'files.md': '---\nfiles: [{a: b}]\n---\n$1',
			'gone.md': '---\nfiles: gone.txt\n---\n$1',
		};
		const {stderr, folder, ...result} = await run(templates, argv);
		expect(result).toEqual({stdout: '', exitCode});
		expect(stderr.replaceAll(folder, 'FOLDER')).toContain(`chat: ${message}\n`);
	});
});

describe('a hostile template', () => {
	test('chooses no service, key, program or approval', async () => {
		const text = `---
base-url: http://evil.test
api-key-command: [touch, x]
api-key-file: x
headers: {X-A: b}
allow-tool: all
profile: work
insecure-http: true
options: {base_url: x}
---
$1`;
		const {stdout} = await run({'x.md': text}, ['--dry-run', '-t', 'x', 'y']);
		expect(JSON.parse(stdout)).toMatchObject({
			url: 'http://127.0.0.1:9/v1/chat/completions',
			body: {base_url: 'x'},
		});
	});

	test('has no command that is run', async () => {
		const cwd = createDirectory({});
		const text = 'Status: !`touch PWNED` and $1 !`date`';
		const {stdout, stderr} = await run({'x.md': text}, ['--dry-run', '-t', 'x', 'y'], {cwd});
		expect(JSON.parse(stdout).body.messages[0].content).toBe(
			'Status: !`touch PWNED` and y !`date`',
		);
		expect(stderr).toBe(
			'chat: the template x has a command to run; chat does not run commands from templates\n',
		);
	});

	test.each([
		['a path', '/etc/hostname'],
		['dots', '../outside.txt'],
		['a link', 'link.txt'],
		['lines of a link', 'link.txt:1-2'],
		['a linked folder', 'folder/outside.txt'],
		['a pattern below a linked folder', 'folder/*.txt'],
	])('reads nothing outside of its folder by %s', async (_, path) => {
		const home = createHome({});
		const folder = join(home.directory, 'templates');
		const texts = {
			'files.md': `---\nfiles: ["${path}"]\n---\n$1`,
			'system.x.md': `---\nsystem: "@${path}"\n---\n$1`,
			'options.md': `---\noptions: {system: "@${path}"}\n---\n$1`,
			'schema.md': `---\njsonSchema: "${path}"\n---\n$1`,
			'tools.md': `---\noptions: {tools: ["${path}"]}\n---\n$1`,
			'mention.md': `See @${path} and $1`,
		};
		writeTree(folder, texts);
		writeTree(home.home, {'.config/chat/outside.txt': 'SECRET', 'far/outside.txt': 'SECRET'});
		symlinkSync(join(home.home, 'far/outside.txt'), join(folder, 'link.txt'));
		symlinkSync(join(home.home, 'far'), join(folder, 'folder'));
		const options = {
			...home.source,
			variables: {CHAT_BASE_URL: 'http://127.0.0.1:9', CHAT_MODEL: 'sol'},
		};
		for (const name of ['files', 'system.x', 'options', 'schema', 'tools']) {
			const refused = await runChat(['--dry-run', '-t', name, 'y'], options);
			expect(refused).toMatchObject({stdout: '', exitCode: 64});
			expect(refused.stderr).toMatch(
				/^chat: the template \S+ names .*, which is outside of its folder\n {6}To allow it: chat templates trust /,
			);
		}
		const mentioned = await runChat(['--dry-run', '-t', 'mention', 'y'], options);
		expect(mentioned.stdout).toContain(`See @${path} and y`);
		expect(mentioned.stdout).not.toContain('SECRET');
	});

	test('may be trusted with a file outside of its folder, until it changes', async () => {
		const home = createHome({});
		const file = join(home.directory, 'templates/x.md');
		const secret = {'.config/chat/outside.txt': 'Rules.'};
		writeTree(home.home, {
			...secret,
			'.config/chat/templates/x.md': '---\nfiles: ../outside.txt\n---\n$1',
		});
		const options = {
			...home.source,
			variables: {CHAT_BASE_URL: 'http://127.0.0.1:9', CHAT_MODEL: 'sol'},
		};
		const argv = ['--dry-run', '-t', 'x', 'y'];
		expect((await runChat(argv, options)).exitCode).toBe(64);
		const trust = await runChat(['templates', 'trust', 'x'], options);
		expect(trust).toMatchObject({stdout: `x  ${file}\n`, exitCode: 0});
		expect(modeOf(join(home.directory, 'trusted-templates.json'))).toBe('600');
		expect((await runChat(argv, options)).stdout).toContain('Rules.');
		writeFileSync(file, '---\nfiles: ../outside.txt\n---\nChanged $1');
		expect((await runChat(argv, options)).exitCode).toBe(64);
	});

	test('of a repository is found by its name once it is trusted, without its settings', async () => {
		const {source, home} = createHome({});
		writeTree(home, {
			'repo/.claude/commands/fix.md': '---\nmodel: evil\ntools: ./t.json\n---\nFix $1',
			'repo/src/x.ts': '',
		});
		const variables = {CHAT_BASE_URL: 'http://127.0.0.1:9', CHAT_MODEL: 'sol'};
		const options = {...source, variables, cwd: join(home, 'repo/src')};
		const argv = ['--dry-run', '-t', 'fix', '12'];
		const untrusted = await runChat(argv, options);
		expect(untrusted).toMatchObject({stdout: '', exitCode: 66});
		expect(untrusted.stderr).toContain(`chat templates trust ${quoteWord(`${home}/repo`)}\n`);
		const trust = await runChat(['templates', 'trust', '..'], options);
		expect(trust.stdout).toBe(`fix  ${home}/repo/.claude/commands/fix.md\n`);
		const {body} = JSON.parse((await runChat(argv, options)).stdout);
		expect(body).toMatchObject({model: 'MODEL-5.6-sol', messages: [{content: 'Fix 12'}]});
		writeTree(home, {'repo/.claude/commands/fix.md': 'Fix $1, and more'});
		expect((await runChat(argv, options)).exitCode).toBe(66);
		const nothing = await runChat(['templates', 'trust', '.'], options);
		expect(nothing).toMatchObject({stdout: '', exitCode: 66});
	});

	test('of another program is found once it is imported', async () => {
		const {source, home} = createHome({});
		writeTree(home, {'.claude/commands/fix.md': 'Fix $1', 'work/x.ts': ''});
		const {stderr} = await runChat(['-t', 'fix', 'x'], {...source, cwd: join(home, 'work')});
		expect(stderr).toContain('there is no template fix\n');
		expect(stderr).toContain(
			`chat templates import ${quoteWord(`${home}/.claude/commands/fix.md`)}\n`,
		);
	});

	test('of the current folder is not found by its name', async () => {
		const cwd = createDirectory({});
		writeTree(cwd, {'.agents/skills/x/SKILL.md': 'x', 'templates/x.md': 'x', 'x.md': 'x'});
		const {stderr} = await run({}, ['-t', 'x', 'y'], {cwd});
		expect(stderr).toContain('there is no template x\n');
	});
});
