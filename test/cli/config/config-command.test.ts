/** `chat config`: settings that are shown, changed and checked. */
import {chmodSync, mkdirSync, readFileSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {runChat} from '../../helpers/run-chat.ts';
import {openScene, testOutputs, testRefusals} from '../../helpers/run-table.ts';
import {createHome, modeOf} from '../../helpers/settings-home.ts';

const silence = {stdout: '', stderr: '', exitCode: 0};
const none = {replies: null};

describe('chat config set', () => {
	test.each([
		['max-tokens 50', 50],
		['temperature 0.50', '0.50'],
		['stream no', false],
		[['system', ' Be\nbrief 🙂 '], ' Be\nbrief 🙂 '],
		[['api-key-command', '["pass","show","a/key"]'], ['pass', 'show', 'a/key'], 'pass …\n'],
		[['stop', '["### a@b?", "STOP"]'], ['### a@b?', 'STOP'], '["### a@b?","STOP"]\n'],
	])('stores %j as %j, which get prints and a run reads', async (words, stored, shown?: string) => {
		const {run, config} = await openScene(none);
		const [key = '', ...rest] = typeof words === 'string' ? words.split(' ') : words;
		expect(await run(['config', 'set', key, ...rest])).toEqual(silence);
		expect(config()).toEqual({[key]: stored});
		expect(await run(`config get ${key}`)).toEqual({...silence, stdout: shown ?? `${stored}\n`});
	});

	const keys = 'API keys are stored separately: chat auth set';
	test('stores absolute paths, from the current folder', async () => {
		const {run, config, home} = await openScene(none);
		for (const words of ['api-key-file key.txt', 'system @style.txt']) {
			await run(`config set ${words}`, {cwd: home});
		}
		await run(['config', 'set', 'tools', '["a.json", "/b.json"]'], {cwd: '/etc'});
		expect(config()).toEqual({
			'api-key-file': join(home, 'key.txt'),
			system: `@${join(home, 'style.txt')}`,
			tools: ['/etc/a.json', '/b.json'],
		});
	});

	testRefusals(
		'is refused',
		[
			['config set max-tokens 0', 64, 'is "0", but it must be a whole number of at least 1'],
			['config set base-url https://u:hunter2hunter2@x', 64, 'is "https://[redacted]@x", but it'],
			['config set max-token 5', 64, /"max-token" is not a .*\n {6}Did you mean max-tokens\?/],
			['config set constructor 5', 64, '"constructor" is not a setting of the config file'],
			['config set image x.png', 64, 'It is set for each run: --image'],
			['config set api-key hunter2hunter2', 64, keys],
			['config set --profile ../x model y', 64, '"../x" is not a valid profile name'],
			['config set --profile __proto__ model y', 64, '"__proto__" is not a valid profile name'],
			['config set profiles 5', 64, '"profiles" is not a setting\n      Use --profile <name> with'],
			['config set model x', 73, 'XDG_CONFIG_HOME', {home: undefined}],
		],
		{secrets: ['hunter2hunter2']},
	);

	test('writes to a named profile without changing other settings', async () => {
		const {run, config} = await openScene({...none, config: {model: 'sol'}});
		expect(await run('config set --profile work base-url https://work.example')).toEqual(silence);
		await run('--profile work config set model terra');
		await run('config set seed 5', {variables: {CHAT_PROFILE: 'work'}});
		const work = {'base-url': 'https://work.example', model: 'terra'};
		expect(config()).toEqual({model: 'sol', seed: 5, profiles: {work}});
	});

	test('says that a variable overrides the value', async () => {
		const {run, config} = await openScene({...none, variables: {CHAT_MODEL: 'x', CHAT_FAMILY: ''}});
		const stderr = 'chat: CHAT_MODEL is set, and overrides the file\n';
		expect(await run('config set model y')).toEqual({...silence, stderr});
		expect(config()).toEqual({model: 'y'});
		expect(await run('config set family z')).toEqual(silence);
		expect(await run('config set --profile work model z')).toEqual(silence);
	});
});

test('chat config unset removes a value, also an unknown key, and says if it was not set', async () => {
	const {run, config} = await openScene({...none, config: {model: 'terra', usage: true, later: 1}});
	expect(await run('config unset model')).toEqual(silence);
	expect(await run('config unset later')).toEqual(silence);
	expect(config()).toEqual({usage: true});
	expect(await run('config unset model')).toEqual({
		...silence,
		stderr: 'chat: model was not set\n',
	});
});

describe('chat config get', () => {
	const config = {model: 'a', stream: 'yes', profiles: {work: {model: 'b'}}};
	const pair = {OPENAI_BASE_URL: 'https://x.example/v1?key=hunter2', OPENAI_API_KEY: 'sk-123456'};
	const hostile = {config: {system: 'a\u001b]0;title\u0007b'}};
	testOutputs(
		'prints the value that a run would use',
		[
			['config get idle-timeout', '2m\n', {}, /^chat: idle-timeout is not set; this is the/],
			['config get base-url', 'https://x.example/v1?key=%5Bredacted%5D\n', {variables: pair}],
			['config get system', 'a\u001b]0;title\u0007b\n', hostile],
			['config get system', 'ab\n', {...hostile, terminals: ['stdout']}],
		],
		{...none, config, secrets: ['hunter2']},
	);

	test('ends with 1 without a value', async () => {
		const {run} = await openScene({...none, config, variables: {CHAT_MODEL: ''}});
		const stderr = 'chat: model is not set\n';
		expect(await run('config get model')).toEqual({stdout: '', stderr, exitCode: 1});
	});
});

describe('the profiles of the config file', () => {
	const config = {model: 'a', profiles: {work: {model: 'b'}, home: {model: 'c'}}};
	test('are listed with their service and model', async () => {
		const work = {'base-url': 'https://x.example/?key=hunter2hunter2', model: 'b'};
		const {run} = await openScene({
			...none,
			config: {profiles: {work, ä日: {usage: true}}},
			secrets: ['hunter2hunter2'],
		});
		const {stdout} = await run('config profiles');
		expect(stdout).toMatch(/^work {2}https:\/\/x\.example\/\?\S+ {2}b\nä日\n$/);
		const json = JSON.parse((await run('config profiles -o json')).stdout);
		expect(json[1]).toEqual({name: 'ä日', base_url: null, model: null});
		const empty = await runChat('config profiles', createHome().source);
		expect(empty).toEqual({...silence, stderr: 'chat: there are no profiles yet\n'});
	});

	test('are removed as a whole, after a question, or with their last key', async () => {
		const {run, ...home} = await openScene({...none, config});
		const unset = 'config unset --profile work';
		const unasked = await run(unset);
		expect(unasked).toMatchObject({stdout: '', exitCode: 64});
		expect(unasked.stderr).toBe(
			'chat: chat config unset needs a terminal to confirm (or --yes): Remove the profile work (model)?\n',
		);
		const ask = (typed: string) => run(unset, {stdin: {typed}, terminals: ['stderr']});
		for (const answer of ['no\r', '\r']) {
			expect((await ask(answer)).stderr).toContain('nothing was removed');
		}
		expect(home.config()).toEqual(config);
		expect((await ask('yes\r')).exitCode).toBe(0);
		expect(home.config()).toEqual({model: 'a', profiles: {home: {model: 'c'}}});
		const missing = await run(`${unset} --yes`);
		expect(missing).toMatchObject({exitCode: 78});
		expect(missing.stderr).toContain('there is no profile work in ');
		expect(await run('config unset --profile home model')).toEqual(silence);
		expect(home.config()).toEqual({model: 'a'});
	});

	test('are renamed in their place, and replace no other', async () => {
		const {run, ...home} = await openScene({...none, config});
		const codeOf = async (names: string) => (await run(`config rename ${names}`)).exitCode;
		const refused = [await codeOf('work home'), await codeOf('gone x'), await codeOf('work ../x')];
		expect(refused).toEqual([73, 78, 64]);
		expect(home.config()).toEqual(config);
		expect(await codeOf('work job')).toBe(0);
		expect(JSON.stringify(home.config())).toBe(
			'{"model":"a","profiles":{"job":{"model":"b"},"home":{"model":"c"}}}',
		);
	});
});

describe('chat config list', () => {
	test('prints what is set with its source, aligned by cells, and the state of the file', async () => {
		const config = {model: '日本語', system: 'b', later: 1, profiles: {work: {system: 'c'}}};
		const variables = {CHAT_USAGE: 'yes', CHAT_PROFILE: 'work', CHAT_API_KEY: 'sk-other'};
		const {run, configPath} = await openScene({...none, config, variables});
		const {stdout} = await run('config list');
		expect(stdout.split('\n')).toEqual([
			...['model   日本語  config', 'system  c       profile work'],
			...['usage   true    CHAT_USAGE', 'save    false   CHAT_SAVE'],
			...['', `file          ${configPath}`, 'profiles      work'],
			...['unknown keys  later (ignored)', ''],
		]);
		const json = JSON.parse((await run('config list -o json')).stdout);
		expect(json[0]).toEqual({key: 'model', value: '日本語', source: 'config'});
		const all = (await run('config list --all -o jsonl')).stdout;
		expect(all).toContain('{"key":"base-url","value":null,"source":"default"}\n');
		expect(all).toContain('{"key":"idle-timeout","value":"2m","source":"default"}\n');
		rmSync(configPath);
		mkdirSync(configPath);
		expect((await run('config list', {variables: {CHAT_PROFILE: ''}})).stdout).toContain(
			`${configPath} (not readable)\n`,
		);
	});

	testOutputs(
		'shows no secret and no escape sequence',
		[
			[
				'config list',
				/^base-url +https:\/\/x\.example\/\S+ +config$/m,
				{config: {'base-url': 'https://x.example/?api-key=hunter2hunter2'}},
			],
			['config list', /a␛\]0;title␇b/, {config: {system: 'a\u001b]0;title\u0007b'}}],
		],
		{...none, terminals: ['stdout'], secrets: ['hunter2hunter2']},
	);
});

test('a broken config file ends what needs settings, and does not change', async () => {
	const text = '{\n\t"model": "terra",\n\t"temperature": 0.5,\n}\n';
	const {run, configPath} = await openScene({...none, config: text});
	for (const line of [
		'Hello',
		'--base-url http://127.0.0.1:1 Hello',
		'config get model',
		'config set model x',
		'config unset model',
		'config list',
		'auth status',
	]) {
		const {stdout, stderr, exitCode} = await run(line);
		expect({line, stdout, exitCode}).toEqual({line, stdout: '', exitCode: 78});
		expect(stderr).toContain(`${configPath} is not valid JSON: line 4, column 1: `);
		expect(stderr).toContain('chat config edit');
		expect(readFileSync(configPath, 'utf8')).toBe(text);
	}
	for (const line of ['--help', '--version x', 'config --help', 'config path']) {
		expect(await run(line)).toMatchObject({stderr: '', exitCode: 0});
	}
});

describe('chat config edit', () => {
	/** Installs an editor that writes this text to the file. */
	async function openEditor(text: string, config?: unknown) {
		const scene = await openScene({
			...none,
			config,
			files: {
				editor: '#!/bin/sh\n[ "$1" = "an argument" ] && cat "$(dirname "$0")/text" > "$2"\n',
				text,
			},
		});
		chmodSync(join(scene.cwd, 'editor'), 0o700);
		const EDITOR = `"${join(scene.cwd, 'editor')}" 'an argument'`;
		return {
			...scene,
			edit: () => scene.run('config edit', {variables: {EDITOR, PATH: '/usr/bin:/bin'}}),
		};
	}

	test.each([undefined, '{"model"'])('opens and creates the file: %s', async (before) => {
		const {edit, config, configPath} = await openEditor('{"model": "luna"}', before);
		expect(await edit()).toEqual(silence);
		expect(config()).toEqual({model: 'luna'});
		expect(modeOf(configPath)).toBe('600');
	});

	testRefusals(
		'reports an editor',
		[
			['config edit', 78, /editor false failed \(exit code 1\)\n.*not valid/s, {config: '{'}],
			['config edit', 78, 'cannot start the editor no-such', {variables: {EDITOR: 'no-such-0'}}],
		],
		{variables: {EDITOR: 'false'}},
	);
});
