/** The words that `chat __complete` offers for a command line. */
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {flagsOf} from '../../../src/cli/command-line/command.ts';
import {chat, commands as table} from '../../../src/cli/commands.ts';
import {configKeys} from '../../../src/settings/options/settings.ts';
import {fuzzProperty} from '../../helpers/fuzz.ts';
import {hostileServer, writeServers} from '../../helpers/mcp-servers.ts';
import {type RunOptions, runChat} from '../../helpers/run-chat.ts';
import {openScene} from '../../helpers/run-table.ts';
import {openStage, saveOne} from '../../helpers/sessions-stage.ts';
import {createHome, modeOf} from '../../helpers/settings-home.ts';
import {startPathService} from '../../helpers/start-path-service.ts';
import {writeTree} from '../../input/input-helpers.ts';

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
const keys = [...configKeys.keys()];
const outputs = ['text', 'json', 'jsonl'];

test.each<[Typed, readonly string[]]>([
	['chat ', [...commands, 'help']],
	['chat --profile work con', [...commands, 'help']],
	['chat help ', [...commands, 'all']],
	['chat --', [...flagsOf(chat.flags).map(({long}) => `--${long}`), '--version', '--help']],
	['chat hello ', []],
	['chat -o ', outputs],
	['chat config set output ', outputs],
	['chat --output=', outputs.map((word) => `--output=${word}`)],
	['chat sessions export --format ', ['md', 'json', 'html', 'openai']],
	['chat -m ', ['sol', 'terra', 'luna']],
	['chat config set ', keys],
])('the words of %j are %j', async (line, expected) => {
	expect(await texts(line)).toEqual(expected);
});

test('commands and verbs have meanings, and flags stand where they belong', async () => {
	// These take a file.
	const others = commands.filter((command) => !['batch', 'quotes', 'run'].includes(command));
	const listed = [...others.map((command) => `chat ${command} `), 'chat '];
	for (const line of listed) {
		const {candidates} = await ask(line);
		const [, command = ''] = line.split(' ');
		const verbs = Object.keys((await table[command]?.load())?.verbs ?? {});
		if (command !== '') expect(candidates.map(([text]) => text).sort()).toEqual(verbs.sort());
		for (const [, meaning] of candidates) expect(meaning).toMatch(/^[a-z].{8}/);
	}
	for (const command of ['batch', 'quotes', 'run']) {
		expect(await ask(`chat ${command} `)).toMatchObject({kind: 'files 0'});
	}
	expect(await texts('chat a --')).toContain('--model');
	expect(await texts('chat config unset -')).toContain('-y');
	expect(await texts('chat templates show x -')).not.toContain('-y');
	const {candidates} = await ask('chat --base-url ');
	expect(candidates).toContainEqual(['openai:', 'OpenAI']);
	expect(candidates).toContainEqual(['local:', 'the first service found on this machine']);
});

test.each<[Typed, string]>([
	['chat -f ', 'files 0'],
	['chat -s @pro', 'files 1'],
	[['chat', '-s', '"be brief'], 'words'],
	['chat -O provider=@pre', 'files 10'],
	['chat -t ./re', 'files 0'],
])('a file is completed by the shell: %s', async (line, kind) => {
	expect(await ask(line, {}, 'zsh')).toEqual({kind, candidates: []});
});

test.each<[Typed, string, string]>([
	['chat -f no', '', 'no'],
	[['chat', '--tools="my f'], '--tools=', '"my f'],
	[['chat', '-s', '@my\\ f'], '@', 'my\\ f'],
])('a file is completed by fish as a word: %s', async (line, head, path) => {
	expect((await ask(line)).candidates).toEqual([[head], [path]]);
});

describe('models', () => {
	test('are those that the service listed last', async () => {
		const ids = ['llama3.2:latest', 'qwen3:4b', '$(reboot)', 'two\nlines', 'a b'];
		const service = await startPathService({
			'GET /v1/models': {data: ids.map((id) => ({id}))},
		});
		const {source, home} = createHome();
		expect((await runChat(`models --base-url ${service.url}`, source)).exitCode).toBe(0);
		const requests = service.requests.length;
		const line = `chat --base-url ${service.url} -m `;
		expect(await texts(line, source)).toEqual(['llama3.2:latest', 'qwen3:4b', '$(reboot)']);
		expect(service.requests).toHaveLength(requests);
		const path = join(home, '.cache', 'chat', 'offered-models.json');
		expect(modeOf(path)).toBe('600');
		const bash = async (word: string, seen: string) =>
			(await ask(`${line}${word}`, source, 'bash', seen)).candidates.flat();
		expect(await bash('llama3.2:l', 'l')).toEqual(['latest']);
		expect(await bash('"llama3.2:l', 'llama3.2:l')).toEqual(['llama3.2:latest']);
		expect(await bash('', '')).toContain('\\$\\(reboot\\)');
		expect(await texts('chat --base-url http://127.0.0.1:9 -m ', source)).toEqual([]);
		writeFileSync(path, '{"a": ');
		expect(await texts(line, source)).toEqual([]);
	});
});

test('conversations have their titles', async () => {
	const stage = await openStage();
	const title = 'name it\'s $(touch PWNED) "odd"';
	const id = await saveOne(stage, title);
	const other = await saveOne(stage, 'another');
	const options = {home: stage.home, variables: stage.service.variables};
	for (const line of ['chat -r ', 'chat sessions delete k3f9 ', 'chat sessions rename ']) {
		expect((await ask(line, options)).candidates).toEqual([
			[other, 'another, just now'],
			[id, `${title}, just now`],
		]);
	}
	expect(await texts('chat -r nam', options)).toContain(title);
	const bash = async (line: string, word: string, type = '9') =>
		(await ask(line, options, 'bash', word, type)).candidates.flat();
	const quoted = 'name\\ it\\\'s\\ \\$\\(touch\\ PWNED\\)\\ \\"odd\\"';
	expect(await bash('chat -r nam', 'nam')).toEqual([quoted]);
	// The list after a second Tab is only shown.
	expect(await bash('chat -r ', '', '63')).toContain(`${other}  (another, just now)`);
});

test('profiles, servers and templates have what they are for', async () => {
	const config = {profiles: {work: {model: 'terra', 'base-url': 'openai:'}, home: {}}};
	const {source, home, directory} = createHome({config});
	writeServers(home, {files: {command: 'npx', args: ['-y', 'pkg', 'key']}, bad: {}});
	const front = '---\ndescription: Reviews a diff\nparams:\n  tone: dry\n  lang: null\n---\n';
	writeTree(join(directory, 'templates'), {
		'review.md': `${front}Review $ARGUMENTS`,
		'git/commit.md': 'Write a message.',
	});
	const cwd = join(home, 'work');
	writeTree(cwd, {'x.json': '{}', 'y.txt': ''});
	const problem = 'mcp.json, server bad: needs a command or a url';
	const templates = ['git:commit\tWrite a message.', 'review\tReviews a diff'];
	for (const [line, kind, lines] of [
		['chat --profile ', 'words', ['work\tterra, openai:', 'home\t']],
		['chat mcp show ', 'words', ['files\tnpx pkg', `bad\t${problem}`]],
		['chat --mcp ', 'words', ['files\tnpx pkg', `bad\t${problem}`, 'x.json\t']],
		['chat --mcp ./', 'files 0', ['', './']],
		['chat -t ', 'words', templates],
		['chat templates edit ', 'words', templates],
		['chat -t review -p ', 'open', ['tone=\tdefault: dry', 'lang=\trequired']],
	] as const) {
		const answer = await ask(line, {...source, cwd});
		const given = answer.candidates.map((parts) => parts.join('\t'));
		expect([line, ...given]).toEqual([line, ...lines]);
		if (kind !== 'words') expect(answer.kind).toBe(kind);
	}
	const bash = await ask('chat -t git:', source, 'bash', '');
	expect(bash.candidates).toEqual([['commit']]);
});

test('--allow-tool has the tools of the line, known without a start of their server', async () => {
	const {source, home} = createHome();
	const server = hostileServer(['many-tools=1']);
	writeServers(home, {
		one: {...server.entry, excludeTools: ['tool0']},
		two: hostileServer().entry,
	});
	const tool = {type: 'function', function: {name: 'look', description: 'Looks.'}};
	writeFileSync(join(home, 't.json'), JSON.stringify([tool]));
	const options = {...source, cwd: home};
	const line = 'chat --tools t.json --mcp one --mcp two --allow-tool ';
	expect((await ask(line, options)).candidates).toEqual([['look', 'Looks.']]);
	expect(server.events()).toEqual([]);
	await runChat('mcp refresh one -y', options);
	expect((await ask(line, options)).candidates).toEqual([
		['look', 'Looks.'],
		['mcp__one__echo', 'Does echo.'],
		['mcp__one__*', 'all tools of the MCP server one'],
	]);
	expect(server.events('start')).toHaveLength(1);
});

test.each([
	'',
	'powershell %',
	'fish chat --profile',
	'fish chat --base-url nope: -m',
	'fish chat -t missing -p',
])('a mistake is silent: %s', async (words) => {
	const {run} = await openScene({config: '{"profiles": ', replies: null});
	const argv = ['__complete', ...words.split(' '), ...(words.includes('chat') ? [''] : [])];
	const {stdout, stderr, exitCode} = await run(argv);
	expect({stderr, exitCode}).toEqual({stderr: '', exitCode: 0});
	expect(stdout).not.toMatch(/usage|error/i);
});

test('bash gets a path after an at sign, which it would take for the name of a host', async () => {
	const {home, source} = createHome();
	mkdirSync(join(home, 'my files'));
	writeFileSync(join(home, 'my files', 'a b.txt'), '');
	const from = {...source, cwd: home};
	const folder = await ask('chat -s @m', from, 'bash', '@m');
	expect(folder).toEqual({kind: 'open', candidates: [['@my\\ files/']]});
	const file = await ask(['chat', '-s', '"@my files/a'], from, 'bash', '@my files/a');
	expect(file).toEqual({kind: 'words', candidates: [['@my files/a b.txt']]});
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
	test('prints the script of a shell, and help without one', async () => {
		for (const shell of ['bash', 'zsh', 'fish', 'powershell']) {
			const {stdout, stderr, exitCode} = await runChat(`completion ${shell}`);
			expect(stdout).toContain(`__complete ${shell}`);
			expect(stdout.slice(0, 400)).toContain(`chat completion ${shell}`);
			expect({stderr, exitCode}).toEqual({stderr: '', exitCode: 0});
		}
		expect((await runChat('completion')).stdout).toContain('~/.bashrc');
	});
});
