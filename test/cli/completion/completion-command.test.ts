/** The words that `chat __complete` offers for a command line. */
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {flagsOf, type OptionRows} from '../../../src/cli/command-line/command.ts';
import {serve} from '../../../src/cli/commands/serve.ts';
import {chat, commands as table} from '../../../src/cli/commands.ts';
import {configKeys} from '../../../src/settings/options/settings.ts';
import {fuzzProperty} from '../../helpers/fuzz.ts';
import {hostileServer, writeServers} from '../../helpers/mcp-servers.ts';
import {type RunOptions, runChat} from '../../helpers/run-chat.ts';
import {openStage, saveOne} from '../../helpers/sessions-stage.ts';
import {createHome, modeOf} from '../../helpers/settings-home.ts';
import {startPathService} from '../../helpers/start-path-service.ts';

type Typed = string | readonly string[];

/** Returns the arguments that a shell hands over for a line up to the cursor, or for its words. */
function argumentsOf(typed: Typed, shell: string, word = '', type = '9'): readonly string[] {
	const words = typeof typed === 'string' ? typed.split(' ') : typed;
	return shell === 'bash' ? [type, word, words.join(' '), ...words] : words;
}

/** Returns the first line, and the candidates with their meanings. */
async function ask(typed: Typed, options: RunOptions = {}, shell = 'fish', ...more: string[]) {
	const argv = ['__complete', shell, ...argumentsOf(typed, shell, ...more)];
	const result = await runChat(argv, options);
	expect(result).toMatchObject({stderr: '', exitCode: 0});
	const [kind, ...lines] = result.stdout.replace(/\n$/, '').split('\n');
	return {kind, candidates: lines.map((text) => text.split('\t'))};
}

async function texts(line: Typed, options: RunOptions = {}): Promise<readonly string[]> {
	const {candidates} = await ask(line, options);
	return candidates.map(([text = '']) => text);
}

const commands = Object.keys(table);

describe('the words of a command line', () => {
	test('are commands at the first place, then verbs, each with its meaning', async () => {
		expect(await texts('chat ')).toEqual([...commands, 'help']);
		expect(await texts('chat --profile work con')).toEqual([...commands, 'help']);
		expect(await texts('chat help ')).toEqual([...commands, 'all']);
		for (const [command, {load}] of Object.entries(table)) {
			const {candidates} = await ask(`chat ${command} `);
			expect(candidates.map(([text]) => text).sort()).toEqual(
				Object.keys((await load()).verbs).sort(),
			);
			for (const [, meaning] of candidates) expect(meaning).toMatch(/^[a-z].{8}/);
		}
		const {candidates} = await ask('chat ');
		for (const [, meaning] of candidates) expect(meaning).toMatch(/^[a-z].{8}/);
	});

	test.each([
		'chat hello ',
		'chat "con',
		'chat -- ',
		'chat -- con',
		'chat config my ',
		'chat a --',
	])('are free in a prompt: %s', async (line) => {
		const expected = line.endsWith('--') ? expect.arrayContaining(['--model']) : [];
		expect(await texts(line)).toEqual(expected);
	});

	test('are the flags of the command after a dash', async () => {
		const longFlags = (rows: OptionRows) => flagsOf(rows).map(({long}) => `--${long}`);
		expect(await texts('chat --')).toEqual([...longFlags(chat.flags), '--version', '--help']);
		expect(await texts('chat serve --')).toEqual([...longFlags(serve.flags), '--help']);
		expect(await texts('chat -')).toEqual(expect.arrayContaining(['-m', '--model']));
		expect(await texts('chat sessions rename k3f9 --')).toEqual([
			'--output',
			'--profile',
			'--verbose',
			'--no-verbose',
			'--help',
		]);
		expect(await texts('chat sessions --')).toContain('--here');
		expect(await texts('chat config get x --')).toEqual([
			'--profile',
			'--verbose',
			'--no-verbose',
			'--help',
		]);
		expect(await texts('chat config unset -')).toContain('-y');
		expect(await texts('chat templates show x -')).not.toContain('-y');
		expect(await texts('chat mcp show x -')).not.toContain('-y');
		expect((await ask('chat --no-str')).candidates).toContainEqual([
			'--no-stream',
			'print the answer only when it is complete',
		]);
	});
});

describe('the value of a flag', () => {
	test.each([
		['chat -o ', ['text', 'json', 'jsonl']],
		['chat --output=', ['--output=text', '--output=json', '--output=jsonl']],
		['chat -xo ', ['text', 'json', 'jsonl']],
		['chat --tool-choice ', ['auto', 'none', 'required']],
		['chat --response-format ', ['text', 'json_object']],
		['chat sessions export --format ', ['md', 'json', 'html', 'openai']],
		['chat sessions search --role ', ['user', 'assistant', 'reasoning', 'tool']],
		['chat --temperature ', []],
		['chat --stream=', []],
		['chat -m ', ['sol', 'terra', 'luna']],
	])('is one of its words: %s', async (line, expected) => {
		expect(await texts(line)).toEqual(expected);
	});

	test.each([
		['chat -f ', 'files 0'],
		['chat --image re', 'files 0'],
		['chat --tools ', 'files 0'],
		['chat --json-schema=sc', 'files 14'],
		['chat --ca-file ', 'files 0'],
		['chat serve --scenario ', 'files 0'],
		['chat -s @pro', 'files 1'],
		[['chat', '-s', '"be brief'], 'words'],
		['chat -O provider=@pre', 'files 10'],
		['chat --option=a.b=@', 'files 14'],
		['chat -t ./re', 'files 0'],
		['chat sessions import ', 'files 0'],
		['chat config set ca-file ', 'files 0'],
	])('is a file, which the shell completes: %s', async (line, kind) => {
		expect(await ask(line, {}, 'zsh')).toEqual({kind, candidates: []});
	});

	test.each([
		['chat -f no', '', 'no'],
		['chat -f ', '', ''],
		[['chat', '--tools="my f'], '--tools=', '"my f'],
		[['chat', '-s', '@my\\ f'], '@', 'my\\ f'],
		[['chat', '-s', '"@my f'], '@', '"my f'],
	])('is a file, which fish completes as a word: %s', async (line, head, path) => {
		expect((await ask(line)).candidates).toEqual([[head], [path]]);
	});

	test('is the name of a service, with its title', async () => {
		const {candidates} = await ask('chat --base-url ');
		expect(candidates).toContainEqual(['openai:', 'OpenAI']);
		expect(candidates).toContainEqual(['ollama:', 'Ollama']);
		expect(candidates).toContainEqual(['local:', 'the first service found on this machine']);
	});

	test('is a profile', async () => {
		const config = {profiles: {work: {model: 'terra', 'base-url': 'openai:'}, home: {}}};
		const {source} = createHome({config});
		expect((await ask('chat --profile ', source)).candidates).toEqual([
			['work', 'terra, openai:'],
			['home', ''],
		]);
	});
});

describe('chat config', () => {
	test('has keys, then the values of a key', async () => {
		expect(await texts('chat config get ')).toEqual([...configKeys.keys()]);
		expect(await texts('chat config set ')).toEqual([...configKeys.keys()]);
		expect(await texts('chat config set output ')).toEqual(['text', 'json', 'jsonl']);
		expect(await texts('chat config set plain ')).toEqual(['true', 'false']);
		expect(await texts('chat config set base-url ')).toContain('ollama:');
		expect(await texts('chat config set seed ')).toEqual([]);
		expect(await texts('chat config unset model ')).toEqual([]);
	});
});

describe('models', () => {
	const cached = (home: string) => join(home, '.cache', 'chat', 'offered-models.json');

	test('are those that the service listed last', async () => {
		const ids = ['llama3.2:latest', 'qwen3:4b', '$(reboot)', 'two\nlines', 'a b'];
		const data = ids.map((id) => ({id}));
		const service = await startPathService({'GET /v1/models': {data}});
		const {source, home} = createHome();
		const asked = async (...flags: string[]) => await runChat(['models', ...flags], source);
		expect((await asked('--base-url', service.url)).exitCode).toBe(0);
		const requests = service.requests.length;
		const line = `chat --base-url ${service.url} -m `;
		expect(await texts(line, source)).toEqual(['llama3.2:latest', 'qwen3:4b', '$(reboot)']);
		expect(service.requests).toHaveLength(requests);
		expect(modeOf(cached(home))).toBe('600');
		const bash = async (word: string, seen: string) =>
			(await ask(`${line}${word}`, source, 'bash', seen)).candidates.flat();
		expect(await bash('llama3.2:l', 'l')).toEqual(['latest']);
		expect(await bash('"llama3.2:l', 'llama3.2:l')).toEqual(['llama3.2:latest']);
		expect(await bash('', '')).toContain('\\$\\(reboot\\)');
		expect(await texts('chat --base-url http://127.0.0.1:9 -m ', source)).toEqual([]);
		writeFileSync(cached(home), '{"a": ');
		expect(await texts(line, source)).toEqual([]);
	});

	test('of a local service are found by its name', async () => {
		const {source, home} = createHome({config: {'base-url': 'ollama:'}});
		mkdirSync(join(home, '.cache', 'chat'), {recursive: true});
		writeFileSync(cached(home), JSON.stringify({'http://127.0.0.1:11434/v1': ['qwen3:4b']}));
		expect(await texts('chat --model=', source)).toEqual(['--model=qwen3:4b']);
		expect(await texts('chat models show ', source)).toEqual(['qwen3:4b']);
		expect(await texts('chat config set model ', source)).toEqual(['qwen3:4b']);
	});

	test('are the public ones of a known service that has not listed any', async () => {
		const {source, home} = createHome();
		mkdirSync(join(home, '.cache', 'chat'), {recursive: true});
		const services = {'api.openai.com': {'gpt-5': [1, 1, '']}};
		const catalog = JSON.stringify({date: '2026-11-22', models: {}, services});
		writeFileSync(join(home, '.cache', 'chat', 'models.json'), catalog);
		expect(await texts('chat --base-url openai: -m ', source)).toEqual(['gpt-5']);
		expect(await texts('chat --base-url groq: -m ', source)).toEqual([]);
	});
});

describe('conversations and templates', () => {
	test('have their titles and descriptions', async () => {
		const stage = await openStage();
		const id = await saveOne(stage, 'name it\'s $(touch PWNED) "odd"');
		const other = await saveOne(stage, 'another');
		const options = {home: stage.home, variables: stage.service.variables};
		for (const line of ['chat -r ', 'chat sessions delete k3f9 ', 'chat sessions rename ']) {
			expect((await ask(line, options)).candidates).toEqual([
				[other, 'another, just now'],
				[id, 'name it\'s $(touch PWNED) "odd", just now'],
			]);
		}
		expect(await texts('chat sessions rename k3f9 ', options)).toEqual([]);
		expect(await texts('chat -r nam', options)).toContain('name it\'s $(touch PWNED) "odd"');
		const bash = async (line: string, word: string, type = '9') =>
			(await ask(line, options, 'bash', word, type)).candidates.flat();
		expect(await bash('chat -r nam', 'nam')).toEqual([
			'name\\ it\\\'s\\ \\$\\(touch\\ PWNED\\)\\ \\"odd\\"',
		]);
		// The list after a second Tab is only shown.
		expect(await bash('chat -r ', '', '63')).toContain(`${other}  (another, just now)`);
		expect(await bash('chat -r ', '')).toEqual([other, id]);
	});

	test('of an MCP server: its name and how it is reached', async () => {
		const {source, home} = createHome();
		writeServers(home, {files: {command: 'npx', args: ['-y', 'pkg', 'key']}});
		const line = 'chat mcp show ';
		expect((await ask(line, source)).candidates).toEqual([['files', 'npx pkg']]);
		expect(await texts('chat mcp show files ', source)).toEqual([]);
	});

	test('of --mcp: the servers, and files that may have others', async () => {
		const {source, home} = createHome();
		writeServers(home, {files: {command: 'npx', args: ['-y', 'pkg']}, bad: {}});
		writeFileSync(join(home, 'x.json'), '{}');
		writeFileSync(join(home, 'y.txt'), '');
		expect((await ask('chat --mcp ', {...source, cwd: home})).candidates).toEqual([
			['files', 'npx pkg'],
			['bad', 'mcp.json, server bad: needs a command or a url'],
			['x.json', ''],
		]);
		expect((await ask('chat --mcp ./', {...source, cwd: home})).kind).toBe('files 0');
	});

	test('of --allow-tool: the tools of the line, known without a start of their server', async () => {
		const {source, home} = createHome();
		const server = hostileServer(['many-tools=1']);
		const entry = {...server.entry, excludeTools: ['tool0']};
		writeServers(home, {one: entry, two: hostileServer().entry});
		const tool = {type: 'function', function: {name: 'look', description: 'Looks.'}};
		writeFileSync(join(home, 't.json'), JSON.stringify([tool]));
		const options = {...source, cwd: home};
		const line = 'chat --tools t.json --mcp one --mcp two --allow-tool ';
		expect((await ask(line, options)).candidates).toEqual([['look', 'Looks.']]);
		expect(server.events()).toEqual([]);
		await runChat(['mcp', 'refresh', 'one', '-y'], options);
		expect((await ask(line, options)).candidates).toEqual([
			['look', 'Looks.'],
			['mcp__one__echo', 'Does echo.'],
			['mcp__one__*', 'all tools of the MCP server one'],
		]);
		expect(await texts('chat --mcp two --allow-tool ', options)).toEqual([]);
		expect(server.events('start')).toHaveLength(1);
	});

	test('of a template: its name, its description and its parameters', async () => {
		const {source, directory} = createHome({config: {}});
		mkdirSync(join(directory, 'templates', 'git'), {recursive: true});
		const front = '---\ndescription: Reviews a diff\nparams:\n  tone: dry\n  lang: null\n---\n';
		writeFileSync(join(directory, 'templates', 'review.md'), `${front}Review $ARGUMENTS`);
		writeFileSync(join(directory, 'templates', 'git', 'commit.md'), 'Write a message.');
		const named = [
			['git:commit', 'Write a message.'],
			['review', 'Reviews a diff'],
		];
		expect((await ask('chat -t ', source)).candidates).toEqual(named);
		expect((await ask('chat templates edit ', source)).candidates).toEqual(named);
		expect(await ask('chat -t review -p ', source)).toEqual({
			kind: 'open',
			candidates: [
				['tone=', 'default: dry'],
				['lang=', 'required'],
			],
		});
		expect(await ask('chat -t git:', source, 'bash', '')).toMatchObject({candidates: [['commit']]});
	});
});

test('bash gets a path after an at sign, which it would take for the name of a host', async () => {
	const {home, source} = createHome();
	mkdirSync(join(home, 'my files'));
	writeFileSync(join(home, 'my files', 'a b.txt'), '');
	const from = {...source, cwd: home};
	expect(await ask('chat -s @m', from, 'bash', '@m')).toEqual({
		kind: 'open',
		candidates: [['@my\\ files/']],
	});
	expect(await ask(['chat', '-s', '"@my files/a'], from, 'bash', '@my files/a')).toEqual({
		kind: 'words',
		candidates: [['@my files/a b.txt']],
	});
});

test('a mistake anywhere is silent', async () => {
	const {source} = createHome({config: '{"profiles": '});
	const answers = [
		['__complete'],
		['__complete', 'tcsh', 'chat', ''],
		['__complete', 'bash'],
		['__complete', 'powershell', '%'],
		['__complete', 'zsh', 'chat', '--help', ''],
		['__complete', 'fish', 'chat', '--profile', ''],
		['__complete', 'fish', 'chat', '--base-url', 'nope:', '-m', ''],
		['__complete', 'fish', 'chat', '-t', 'missing', '-p', ''],
	];
	for (const argv of answers) {
		const {stdout, stderr, exitCode} = await runChat(argv, source);
		expect({stderr, exitCode}).toEqual({stderr: '', exitCode: 0});
		expect(stdout).not.toMatch(/usage|error/i);
	}
});

const anyLine = fc.string({unit: fc.constantFrom(...' ab-=:@/~.\t\n\'"\\$`()|&;<>é😀')});

fuzzProperty(
	'any line gets a reply without an error',
	100,
	fc.asyncProperty(anyLine, fc.constantFrom('bash', 'zsh', 'fish'), async (line, shell) => {
		const {kind} = await ask(`chat ${line}`, {}, shell, line.slice(-2));
		expect(kind).toMatch(/^(?:words|open|files \d+)$/);
	}),
);

describe('chat completion', () => {
	test.each(['bash', 'zsh', 'fish', 'powershell'])('prints the script of %s', async (shell) => {
		const {stdout, stderr, exitCode} = await runChat(['completion', shell]);
		expect(stdout).toContain(`__complete ${shell}`);
		expect(stdout.slice(0, 400)).toContain(`chat completion ${shell}`);
		expect({stderr, exitCode}).toEqual({stderr: '', exitCode: 0});
	});

	test('without a shell prints help, and refuses an unknown one', async () => {
		expect((await runChat(['completion'])).stdout).toContain('~/.bashrc');
		const {stderr, exitCode} = await runChat(['completion', 'bsh']);
		expect(stderr).toContain('Did you mean chat completion bash?');
		expect(exitCode).toBe(64);
		expect((await runChat(['completion', 'bash', 'zsh'])).exitCode).toBe(64);
	});
});
