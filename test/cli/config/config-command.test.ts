import {mkdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {runChat} from '../../helpers/run-chat.ts';
import {createHome} from '../../helpers/settings-home.ts';

const silence = {stdout: '', stderr: '', exitCode: 0};

describe('a mistyped command', () => {
	const rows: ReadonlyArray<readonly [argv: readonly string[], exitCode: number, stderr: RegExp]> =
		[
			[
				['config', 'lst'],
				64,
				/unknown command "config lst"\n {6}Did you mean chat config list\? To send/,
			],
			[
				['auth', 'stauts'],
				64,
				/unknown command "auth stauts"\n {6}Did you mean chat auth status\? To/,
			],
			[['auth', 'nonsense'], 64, /unknown command "auth nonsense"\n {6}chat auth --help lists/],
			[
				['config', 'get'],
				64,
				/^chat: config get needs more arguments\n {6}Write: chat config get <key>\n$/,
			],
			[
				['config', 'list', 'x'],
				64,
				/^chat: config list takes no arguments\n {6}Write: chat config list \[--all\] \[-o <format>\]\n$/,
			],
		];

	test.each(rows)('%j is a usage error with the right command', async (argv, exitCode, stderr) => {
		const run = await runChat(argv);
		expect(run).toMatchObject({stdout: '', exitCode});
		expect(run.stderr).toMatch(stderr);
	});
});

describe('OPENAI_BASE_URL', () => {
	const pair = {OPENAI_BASE_URL: 'https://x.example/v1?key=hunter2', OPENAI_API_KEY: 'sk-123456'};
	const shown = 'https://x.example/v1?key=%5Bredacted%5D';

	test('is shown by get and list, with its source', async () => {
		const {source} = createHome();
		const options = {...source, variables: pair, secrets: ['hunter2']};
		const got = await runChat(['config', 'get', 'base-url'], options);
		expect(got).toEqual({...silence, stdout: `${shown}\n`});
		const {stdout} = await runChat(['config', 'list'], options);
		expect(stdout).toMatch(/^base-url +https:\/\/x\.example\/v1\S+ +OPENAI_BASE_URL$/m);
	});

	test.each([
		[
			'another base URL',
			{CHAT_BASE_URL: 'https://y.example'},
			/^base-url +https:\/\/y.*CHAT_BASE_URL$/m,
		],
		['a key for something else', {CHAT_API_KEY: 'sk-other'}, /^base-url +\(not set\)/m],
	])('is not shown next to %s', async (_, variables, line) => {
		const {source} = createHome();
		const options = {...source, variables: {...pair, ...variables}};
		expect((await runChat(['config', 'list', '--all'], options)).stdout).toMatch(line);
	});
});

describe('chat config set', () => {
	test('stores a value that get and list print', async () => {
		const {source, config} = createHome();
		expect(await runChat(['config', 'set', 'base-url', 'https://x.example/v1'], source)).toEqual(
			silence,
		);
		expect(config()).toEqual({'base-url': 'https://x.example/v1'});
		const got = await runChat(['config', 'get', 'base-url'], source);
		expect(got).toEqual({...silence, stdout: 'https://x.example/v1\n'});
		const {stdout} = await runChat(['config', 'list'], source);
		expect(stdout).toMatch(/^base-url +https:\/\/x\.example\/v1 +config$/m);
	});

	test.each([
		['max-tokens', '50', 50],
		['temperature', '0.50', '0.50'],
		['temperature', '.5', '.5'],
		['stream', 'no', false],
		['usage', 'TRUE', true],
		['idle-timeout', '3s', '3s'],
		['idle-timeout', '0', 0],
		['model', '5', '5'],
		['system', 'true', 'true'],
		['system', ' Be\nbrief 🙂 ', ' Be\nbrief 🙂 '],
	])('stores %s %j as %j, and a run reads it', async (key, text, stored) => {
		const {source, config} = createHome();
		expect(await runChat(['config', 'set', key, text], source)).toEqual(silence);
		expect(config()).toEqual({[key]: stored});
		const got = await runChat(['config', 'get', key], source);
		expect(got).toMatchObject({stdout: `${stored}\n`, exitCode: 0});
	});

	test('stores absolute paths, from the current folder', async () => {
		const {source, config, home} = createHome();
		await runChat(['config', 'set', 'api-key-file', 'key.txt'], {...source, cwd: home});
		await runChat(['config', 'set', 'system', '@style.txt'], {...source, cwd: home});
		expect(config()).toEqual({
			'api-key-file': join(home, 'key.txt'),
			system: `@${join(home, 'style.txt')}`,
		});
	});

	test.each([
		[['max-tokens', '0'], 'max-tokens is "0", but it must be a whole number of at least 1'],
		[['output', 'xml'], 'output is "xml", but it must be one of text, json, jsonl'],
		[['base-url', 'https://u:hunter2hunter2@x'], 'base-url is "https://[redacted]@x", but it'],
		[
			['max-token', '5'],
			'"max-token" is not a setting of the config file\n      Did you mean max-tokens?',
		],
		[
			['nonsense', '5'],
			'"nonsense" is not a setting of the config file\n      chat config list --all shows all',
		],
		[['constructor', '5'], '"constructor" is not a setting of the config file'],
		[['image', 'x.png'], 'It is set for each run: --image'],
		[['profile', 'work'], 'It is set for each run: --profile'],
		[['api-key', 'hunter2hunter2'], 'API keys are stored separately: chat auth set'],
		[['OPENAI_API_KEY', 'hunter2hunter2'], 'API keys are stored separately: chat auth set'],
		[['token', 'hunter2hunter2'], 'API keys are stored separately: chat auth set'],
		[['model'], 'config set needs more arguments'],
		[
			['model', 'two', 'words'],
			'Write: chat config set <key> <value>; quote an argument of several words',
		],
		[['--profile', '../x', 'model', 'y'], '"../x" is not a valid profile name'],
		[['--profile', '', 'model', 'y'], '"" is not a valid profile name'],
		[['--profile', '__proto__', 'model', 'y'], '"__proto__" is not a valid profile name'],
		[['--bogus', 'model', 'y'], "unknown option '--bogus'"],
	])('refuses %j', async (words, message) => {
		const {source, config} = createHome();
		const options = {...source, secrets: ['hunter2hunter2']};
		const run = await runChat(['config', 'set', ...words], options);
		expect(run).toMatchObject({stdout: '', exitCode: 64});
		expect(run.stderr).toContain(message);
		expect(config()).toBeUndefined();
	});

	test('writes to a profile without changing other settings', async () => {
		const {source, config} = createHome({config: {model: 'sol'}});
		const argv = ['config', 'set', '--profile', 'work', 'base-url', 'https://work.example'];
		expect(await runChat(argv, source)).toEqual(silence);
		await runChat(['--profile', 'work', 'config', 'set', 'model', 'terra'], source);
		const work = {'base-url': 'https://work.example', model: 'terra'};
		expect(config()).toEqual({model: 'sol', profiles: {work}});
	});

	test('ignores CHAT_PROFILE', async () => {
		const {source, config} = createHome();
		const variables = {CHAT_PROFILE: 'work'};
		await runChat(['config', 'set', 'model', 'terra'], {...source, variables});
		expect(config()).toEqual({model: 'terra'});
	});

	test('says that a variable overrides the value', async () => {
		const {source, config} = createHome();
		const variables = {CHAT_MODEL: 'x', CHAT_FAMILY: ''};
		const run = await runChat(['config', 'set', 'model', 'y'], {...source, variables});
		expect(run).toEqual({...silence, stderr: 'chat: CHAT_MODEL is set, and overrides the file\n'});
		expect(config()).toEqual({model: 'y'});
		for (const words of [
			['family', 'z'],
			['--profile', 'work', 'model', 'z'],
		]) {
			expect(await runChat(['config', 'set', ...words], {...source, variables})).toEqual(silence);
		}
	});

	test('reports a file that cannot be written', async () => {
		const {source, configPath} = createHome({config: {}});
		const variables = {XDG_CONFIG_HOME: configPath};
		const run = await runChat(['config', 'set', 'model', 'x'], {...source, variables});
		expect(run).toMatchObject({stdout: '', exitCode: 73});
		expect(run.stderr).toContain(`cannot write ${configPath}/chat/config.json: ENOTDIR`);
	});

	test('reports a missing home folder', async () => {
		const options = {platform: 'linux', home: undefined};
		for (const words of [['set', 'model', 'x'], ['path'], ['edit']]) {
			const run = await runChat(['config', ...words], options);
			expect(run).toMatchObject({stdout: '', exitCode: 73});
			expect(run.stderr).toContain('XDG_CONFIG_HOME');
		}
	});
});

describe('chat config unset', () => {
	test('removes a value', async () => {
		const {source, config} = createHome({config: {model: 'terra', usage: true}});
		expect(await runChat(['config', 'unset', 'model'], source)).toEqual(silence);
		expect(config()).toEqual({usage: true});
	});

	test('removes an unknown key, but only if it exists', async () => {
		const {source, config} = createHome({config: {later: 1}});
		const missing = await runChat(['config', 'unset', 'earlier'], source);
		expect(missing).toMatchObject({exitCode: 64});
		expect(await runChat(['config', 'unset', 'later'], source)).toEqual(silence);
		expect(config()).toEqual({});
	});

	test('says that a value was not set', async () => {
		const {source, config} = createHome();
		const run = await runChat(['config', 'unset', 'model'], source);
		expect(run).toEqual({...silence, stderr: 'chat: model was not set\n'});
		expect(config()).toBeUndefined();
	});
});

describe('chat config get', () => {
	test('prints the value that a run would use, from any source', async () => {
		const {source} = createHome({config: {model: 'a', profiles: {work: {model: 'b'}}}});
		const get = async (...rest: readonly string[]) =>
			(await runChat(['config', 'get', 'model', ...rest], source)).stdout;
		expect(await get()).toBe('a\n');
		expect(await get('--profile', 'work')).toBe('b\n');
		const variables = {CHAT_MODEL: 'c', CHAT_PROFILE: 'work'};
		expect((await runChat(['config', 'get', 'model'], {...source, variables})).stdout).toBe('c\n');
		const dropped = await runChat(['config', 'get', 'model'], {
			...source,
			variables: {CHAT_MODEL: ''},
		});
		expect(dropped).toMatchObject({stdout: '', exitCode: 1});
		expect((await runChat(['config', 'get', 'idle-timeout'], source)).stdout).toBe('2m\n');
	});

	test('prints a switch as true or false', async () => {
		const {source} = createHome({config: {stream: 'yes'}});
		const variables = {CHAT_USAGE: 'OFF'};
		for (const [key, value] of [
			['stream', 'true\n'],
			['usage', 'false\n'],
			['quiet', 'false\n'],
		] as const) {
			const run = await runChat(['config', 'get', key], {...source, variables});
			expect(run.stdout).toBe(value);
		}
	});

	test('reports a setting without a value', async () => {
		const run = await runChat(['config', 'get', 'base-url'], createHome().source);
		expect(run).toEqual({stdout: '', stderr: 'chat: base-url is not set\n', exitCode: 1});
	});

	test('sends no escape sequence to a terminal', async () => {
		const {source} = createHome({config: {system: 'a\u001b]0;title\u0007b'}});
		const argv = ['config', 'get', 'system'];
		const shown = await runChat(argv, {...source, terminals: ['stdout']});
		expect(shown.stdout).toBe('ab\n');
		expect((await runChat(argv, source)).stdout).toBe('a\u001b]0;title\u0007b\n');
		const listed = await runChat(['config', 'list'], {...source, terminals: ['stdout']});
		expect(listed.stdout).toContain('a␛]0;title␇b');
	});
});

describe('the profiles of the config file', () => {
	const config = {model: 'a', profiles: {work: {model: 'b'}, home: {model: 'c'}}};

	test.each([
		[['get', 'profiles']],
		[['set', 'profiles', '5']],
		[['unset', 'profiles']],
		[['unset', '--profile', 'work', 'profiles']],
	])('are not a setting, and do not change: config %j', async (words) => {
		const home = createHome({config});
		const run = await runChat(['config', ...words], home.source);
		expect(run).toMatchObject({stdout: '', exitCode: 64});
		expect(run.stderr).toBe(
			'chat: "profiles" is not a setting\n' +
				"      Use --profile <name> with a setting's key; chat config profiles shows the profiles.\n",
		);
		expect(home.config()).toEqual(config);
	});

	test('are listed with their service and model', async () => {
		const work = {'base-url': 'https://x.example/?key=hunter2hunter2', model: 'b'};
		const {source} = createHome({config: {profiles: {work, ä日: {usage: true}}}});
		const options = {...source, secrets: ['hunter2hunter2']};
		const shown = await runChat(['config', 'profiles'], options);
		expect(shown.stdout).toMatch(/^work {2}https:\/\/x\.example\/\?\S+ {2}b\nä日\n$/);
		const {stdout} = await runChat(['config', 'profiles', '-o', 'json'], options);
		expect(JSON.parse(stdout)[1]).toEqual({name: 'ä日', base_url: null, model: null});
		const none = await runChat(['config', 'profiles'], createHome().source);
		expect(none).toEqual({stdout: '', stderr: 'chat: there are no profiles yet\n', exitCode: 0});
	});

	test('are removed as a whole, after a question', async () => {
		const home = createHome({config});
		const unset = ['config', 'unset', '--profile', 'work'];
		const unasked = await runChat(unset, home.source);
		expect(unasked).toMatchObject({stdout: '', exitCode: 64});
		expect(unasked.stderr).toBe(
			'chat: chat config unset needs a terminal to confirm (or --yes): Remove the profile work (model)?\n',
		);
		const ask = (typed: string) =>
			runChat(unset, {...home.source, stdin: {typed}, terminals: ['stderr']});
		for (const answer of ['no\r', '\r']) {
			expect((await ask(answer)).stderr).toContain('nothing was removed');
		}
		expect(home.config()).toEqual(config);
		expect((await ask('yes\r')).exitCode).toBe(0);
		expect(home.config()).toEqual({model: 'a', profiles: {home: {model: 'c'}}});
		const missing = await runChat([...unset, '--yes'], home.source);
		expect(missing).toMatchObject({exitCode: 78});
		expect(missing.stderr).toContain('there is no profile work in ');
		await runChat(['config', 'unset', '-y', '--profile', 'home'], home.source);
		expect(home.config()).toEqual({model: 'a'});
	});

	test('are renamed in their place, and replace no other', async () => {
		const home = createHome({config});
		const rename = (...names: readonly string[]) =>
			runChat(['config', 'rename', ...names], home.source);
		expect((await rename('work', 'home')).exitCode).toBe(73);
		expect((await rename('gone', 'x')).exitCode).toBe(78);
		expect((await rename('work', '../x')).exitCode).toBe(64);
		expect(home.config()).toEqual(config);
		expect((await rename('work', 'job')).exitCode).toBe(0);
		expect(JSON.stringify(home.config())).toBe(
			'{"model":"a","profiles":{"job":{"model":"b"},"home":{"model":"c"}}}',
		);
	});

	test('are removed with their last key', async () => {
		const home = createHome({config});
		for (const name of ['work', 'home']) {
			const argv = ['config', 'unset', '--profile', name, 'model'];
			expect(await runChat(argv, home.source)).toEqual(silence);
		}
		expect(home.config()).toEqual({model: 'a'});
	});
});

describe('chat config list', () => {
	test('prints the source of every setting', async () => {
		const {source, configPath} = createHome({
			config: {model: 'a', system: 'b', later: 1, profiles: {work: {system: 'c'}, home: {}}},
		});
		const variables = {CHAT_USAGE: 'yes', CHAT_PROFILE: 'work'};
		const options = {...source, variables};
		const {stdout, stderr, exitCode} = await runChat(['config', 'list', '--all'], options);
		expect({stderr, exitCode}).toEqual({stderr: '', exitCode: 0});
		expect(stdout).toMatch(/^model +a +config$/m);
		expect(stdout).toMatch(/^system +c +profile work$/m);
		expect(stdout).toMatch(/^usage +true +CHAT_USAGE$/m);
		expect(stdout).toMatch(/^idle-timeout +2m +default$/m);
		expect(stdout).toMatch(/^base-url +\(not set\) +default$/m);
		expect(stdout).toContain(`file          ${configPath}\n`);
		expect(stdout).toContain('profiles      work, home\n');
		expect(stdout).toContain('unknown keys  later (ignored)\n');
	});

	test('prints what is set, aligned by the cells of a terminal', async () => {
		const config = {model: '日本語', system: 'b', profiles: {work: {}}};
		const {source, configPath} = createHome({config});
		const set = [
			{key: 'model', value: '日本語', source: 'config'},
			{key: 'system', value: 'b', source: 'config'},
			{key: 'save', value: 'false', source: 'CHAT_SAVE'},
		];
		const shown = await runChat(['config', 'list'], source);
		expect(shown.stdout).toBe(
			'model   日本語  config\n' +
				'system  b       config\n' +
				'save    false   CHAT_SAVE\n\n' +
				`file      ${configPath}\nprofiles  work\n`,
		);
		const listed = await runChat(['config', 'list', '-o', 'json'], source);
		expect(JSON.parse(listed.stdout)).toEqual(set);
		const all = await runChat(['config', 'list', '--all', '-o', 'jsonl'], source);
		const lines = all.stdout.trim().split('\n');
		expect(lines).toContain('{"key":"base-url","value":null,"source":"default"}');
		expect(lines).toContain(JSON.stringify(set[0]));
	});

	test('works without a file, and prints its path', async () => {
		const {source, configPath} = createHome();
		const {stdout, exitCode} = await runChat(['config', 'list'], source);
		expect(exitCode).toBe(0);
		expect(stdout).toContain(`file      ${configPath} (does not exist yet)\n`);
		expect(stdout).toContain('profiles  (none)\n');
	});

	test('reports a file that cannot be read', async () => {
		const {source, configPath} = createHome();
		mkdirSync(configPath, {recursive: true});
		const {stdout} = await runChat(['config', 'list'], source);
		expect(stdout).toContain(`${configPath} (not readable)\n`);
	});

	test('shows no secret of a URL', async () => {
		const {source} = createHome({config: {'base-url': 'https://x/?api-key=hunter2hunter2'}});
		for (const argv of [
			['config', 'list'],
			['config', 'get', 'base-url'],
		]) {
			const run = await runChat(argv, {...source, secrets: ['hunter2hunter2']});
			expect(run.stdout).toContain('https://x/');
		}
	});
});

describe('chat config path', () => {
	test('prints the path, also of a broken file', async () => {
		const {source, configPath} = createHome({config: '{'});
		expect((await runChat(['config', 'path'], source)).stdout).toBe(`${configPath}\n`);
		const mac = await runChat(['config', 'path'], {home: '/Users/ada', platform: 'darwin'});
		expect(mac.stdout).toBe('/Users/ada/Library/Preferences/chat/config.json\n');
	});
});

describe('a broken config file', () => {
	test.each([
		['of a run', ['Hello']],
		['of a run with a service', ['--base-url', 'http://127.0.0.1:1', 'Hello']],
		['of get', ['config', 'get', 'model']],
		['of set', ['config', 'set', 'model', 'x']],
		['of unset', ['config', 'unset', 'model']],
		['of list', ['config', 'list']],
		['of auth', ['auth', 'status']],
	])('ends %s with an error, and does not change', async (_, argv) => {
		const text = '{\n\t"model": "terra",\n\t"temperature": 0.5,\n}\n';
		const {source, configPath} = createHome({config: text});
		const run = await runChat(argv, source);
		expect(run).toMatchObject({stdout: '', exitCode: 78});
		expect(run.stderr).toContain(`${configPath} is not valid JSON: line 4, column 1: `);
		expect(run.stderr).toContain('chat config edit');
		expect(readFileSync(configPath, 'utf8')).toBe(text);
	});

	test('does not matter to commands without settings', async () => {
		const {source} = createHome({config: '{'});
		for (const argv of [['--help'], ['--version', 'x'], ['config', '--help']]) {
			expect(await runChat(argv, source)).toMatchObject({stderr: '', exitCode: 0});
		}
	});
});
