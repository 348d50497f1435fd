/** Command lines: the command, its flags and words, and refusals. */
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {flagsOf, rowsOf} from '../../src/cli/command-line/command.ts';
import {chat, commands, readLine} from '../../src/cli/commands.ts';
import {hintOf} from '../../src/errors.ts';
import {type Line, runChat, wordsOf} from '../helpers/run-chat.ts';
import {openScene} from '../helpers/run-table.ts';

/** Returns what a line does, for which command, with which words and flags. */
async function parse(line: Line): Promise<string> {
	const {command, verbName, flags, words, instead, failure} = await readLine(wordsOf(line));
	expect(failure).toBeUndefined();
	const texts = [verbName ?? [], words.map(({text}) => text)].flat().join('|');
	const given = Object.entries(flags).map(([name, values]) => `${name}=${values.join()}`);
	return `${instead ?? 'run'} ${command.name}: ${texts} {${given.join(' ')}}`;
}

describe('an argument list', () => {
	test.each<[Line, string]>([
		['', 'run chat:  {}'],
		['serve --port 0', 'run serve:  {port=0}'],
		['--port 0 serve', 'run serve:  {port=0}'],
		['-n 1 --all sessions list', 'run sessions: list {limit=1 all=true}'],
		['-v serve', 'run serve:  {verbose=true}'],
		['help chat', 'help chat:  {}'],
		['help all', 'full-help chat: help|all {}'],
		['sessions help', 'help sessions: help {}'],
		['help me write', 'run chat: help|me|write {}'],
		['help serve me', 'run chat: help|serve|me {}'],
		['config', 'help config:  {}'],
		['config get -- -x', 'run config: get|-x {}'],
		['-v --profile work config list', 'run config: list {verbose=true profile=work}'],
		[['auth set'], 'run chat: auth set {}'],
		['-m serve hello', 'run chat: hello {model=serve}'],
		['-qmterra help', 'help chat:  {quiet=true model=terra}'],
		['-mgamma-m p', 'run chat: p {model=gamma-m}'],
		['-s -- p', 'run chat: p {system=--}'],
		['--no-usage -u p', 'run chat: p {usage=false,true}'],
		['-f a -f b --file=c', 'run chat:  {file=a,b,c}'],
		['- p', 'run chat: -|p {}'],
		['-- history', 'run chat: history {}'],
	])('%j: %s', async (line, meaning) => {
		expect(await parse(line)).toBe(meaning);
	});

	test('keeps the flags that are valid beside a mistake', async () => {
		const {flags, failure} = await readLine(wordsOf('-o json --bogus --usage=yes p -m'));
		expect(flags).toEqual({output: ['json']});
		expect(failure?.message).toBe("unknown option '--bogus'");
	});

	test.each<[Line, string | RegExp, (string | RegExp)?]>([
		['--json p', "unknown option '--json' (Did you mean -o json?)"],
		['--timeout=5 p', /'--timeout' \(Did you mean --payload-timeout, .*timeout 60 chat/],
		['--no-tools p', "unknown option '--no-tools'", "--tools ''"],
		['--top-k 5 p', /'--top-k'/, '-O key=value sends any field of the request'],
		['serve --bogus', "unknown option '--bogus'", /^chat serve --help lists the options\.$/],
		['-z p', "unknown option '-z'", /chat help all lists.*--/],
		['--usage=yes p', '--usage takes no value'],
		['--family x', '--family is not an option, but a key of the config file'],
		['-qx serve --port', "unknown option '-q'"],
		['--port 0 tell me serve', "unknown option '--port'"],
		['p -m', '-m needs a value: -m, --model <name>'],
		['config list x', 'config list takes no arguments', 'chat config list [--all] [-o <format>]'],
		['sessions path --here', 'sessions path does not have --here'],
	])('%j is a mistake', async (line, message, words = '') => {
		const {instead, failure} = await readLine(wordsOf(line));
		expect([instead, failure?.kind]).toEqual([undefined, 'usage']);
		if (typeof message === 'string') expect(failure?.message).toBe(message);
		else expect(failure?.message).toMatch(message);
		const hint = failure === undefined ? '' : String(hintOf(failure) ?? '');
		if (typeof words === 'string') expect(hint).toContain(words);
		else expect(hint).toMatch(words);
	});

	test('has flags that mean the same for every command', async () => {
		const spellings = new Map<string, string>();
		const loaded = await Promise.all(Object.values(commands).map(({load}) => load()));
		const rowsOfAll = [chat, ...loaded].map((command) => rowsOf(command));
		for (const {long, spelling, name} of rowsOfAll.flatMap(flagsOf)) {
			// The value of -o is a file for some.
			const form = `${name} ${spelling.replace(/<.*>/, '<value>')}`;
			expect(spellings.get(long) ?? form).toBe(form);
			spellings.set(long, form);
		}
	});
});

describe('a prompt that looks like a command', () => {
	test.each<[Line, string, string?]>([
		['config my vim', 'config my vim'],
		['auth -- set', 'auth -- set'],
		['auth toString', 'auth toString'],
		['help nope', 'help nope'],
		[['auth', 'x', '--header', 'X-Key: hidden'], 'auth x --header …'],
		['configg set model x', 'configg set model x', 'chat config set model x'],
		['server --port 0', 'server --port 0', 'chat serve --port 0'],
		['-t sesions sesions list', 'sesions list', 'chat sessions list'],
		['import old.json', 'import old.json', 'chat sessions import old.json'],
		[['exec', 'list the files'], 'exec list the files', 'chat "your question"'],
	])('is refused with the command that sends it: %j', async (line, words, meant?: string) => {
		const {failure} = await readLine(wordsOf(line));
		expect(failure?.message).toContain(`unknown command "${words}"`);
		const hint = failure === undefined ? '' : String(hintOf(failure));
		expect(hint).toContain(`chat -- ${words}`);
		if (meant !== undefined) expect(hint).toContain(`Did you mean ${meant}?`);
	});

	test.each<[Line, string]>([
		['setup ollama', 'Without questions: chat config set base-url ollama:'],
		['serve 8099', 'Did you mean chat serve --port 8099?'],
		['sessions rm k3f9', 'Did you mean chat sessions delete?'],
	])('is not offered where it is certainly a command: %j', async (line, advice) => {
		const {failure} = await readLine(wordsOf(line));
		expect(failure && hintOf(failure)).toContain(advice);
	});
});

describe('a word that looks like an API key', () => {
	const keys = [
		'sk-proj-mysecretkey123',
		'sk-ant-api03-0aB1cD2eF3gH',
		'sk-or-v1-0123456789abcdef',
		'gsk_0aB1cD2eF3gH4iJ5kL6m',
		'AIzaSyA0bC1dE2fG3hI4jK5l',
		'hf_aBcDeFgHiJkLmNoPqR12',
		'xai-0aB1cD2eF3gH4iJ5kL6m',
		'ghp_0aB1cD2eF3gH4iJ5kL6mN7oP8qR9',
		'AKIAIOSFODNN7EXAMPLE',
	];

	test.each(keys)('is not sent, saved or repeated: %s', async (key) => {
		const scene = await openScene({variables: {CHAT_SAVE: 'true'}, secrets: [key]});
		const run = await scene.run([`why is "${key}" wrong?`]);
		expect(run).toMatchObject({stdout: '', exitCode: 64});
		expect(run.stderr).toContain('the prompt has what looks like an API key');
		expect(run.stderr).toContain('chat auth set');
		expect(scene.service.requests).toEqual([]);
		expect(existsSync(join(scene.home, '.local', 'state'))).toBe(false);
	});

	test.each([
		`-- is ${keys[0]} valid?`,
		'what is sk-learn-contrib-package',
		'what is hf_hub_download_files',
		'what is task-0123456789abcdef',
	])('is sent after --, and where it is only a word with such a beginning: %s', async (line) => {
		const {run, service} = await openScene();
		expect(await run(line)).toMatchObject({exitCode: 0, stderr: ''});
		expect(service.prompt()).toBe(line.replace('-- ', ''));
	});
});

describe('help', () => {
	test('of the chat fits two windows of 80 by 24', async () => {
		const lines = (await runChat('--help')).stdout.trimEnd().split('\n');
		expect(lines.length).toBeLessThanOrEqual(47);
		expect(Math.max(...lines.map(({length}) => length))).toBeLessThanOrEqual(80);
		expect(lines.join(' ')).not.toMatch(/terra|luna/);
		expect(lines.join(' ')).toContain('chat help all');
	});

	test.each(['--help', 'help all', ...Object.keys(commands).map((word) => `${word} --help`)])(
		'of %j is wrapped, its sections in order',
		async (line) => {
			const {stdout: piped} = await runChat(line);
			const wordsIn = (text: string) => text.split(/\s+/);
			const {stdout} = await runChat(line, {terminals: ['stdout'], columns: 60});
			expect(wordsIn(stdout)).toEqual(wordsIn(piped));
			// Lines for a shell stay whole.
			const examples = /^Examples:\n(?: {2}.*\n)+/m.exec(stdout)?.[0] ?? '';
			const lines = stdout.replace(examples, '').split('\n');
			expect(lines.filter(({length}) => length > 60)).toEqual([]);
			if (!line.endsWith(' --help')) return;
			const titles = [...piped.matchAll(/^([A-Z]\w+):/gm)].map(([, title = '']) => title);
			const order = ['Usage', 'Examples', 'Commands', 'Options'];
			expect(titles).toEqual(order.filter((title) => titles.includes(title)));
			expect(titles).toContain('Options');
		},
	);

	test('of a verb has its arguments and its flags alone, those before the -- of a program', async () => {
		const {stdout} = await runChat('sessions delete --help');
		expect(stdout).toMatch(/^Usage: chat sessions delete \[id\.\.\.\] \[--all\] \[-y\]\n/);
		expect(stdout).toContain('-y, --yes');
		expect(stdout).not.toContain('--older-than');
		const [usage = ''] = (await runChat('mcp add --help')).stdout.split('\n\n');
		expect(usage).toMatch(
			/^Usage: chat mcp add <name> \[--url <url>\] .* \[-- <program\.\.\.>\]$/s,
		);
	});
});
