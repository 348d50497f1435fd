import {describe, expect, test} from 'vitest';
import {parseLines, parseResult} from '../helpers/json-output.ts';
import {streamReply} from '../helpers/replies.ts';
import {runChat} from '../helpers/run-chat.ts';
import {startRecording} from '../helpers/start-service.ts';
import {createDirectory} from '../input/input-helpers.ts';

type Row = readonly [
	argv: readonly string[],
	exitCode: number,
	/** All of stderr. */
	message: RegExp,
	variables?: Readonly<Record<string, string>>,
];

const key = {CHAT_API_KEY: 'sk-0123456789'};

const allRows: readonly Row[] = [
	[['--temperature', '3', 'p'], 64, /^chat: --temperature is "3", but .* number from 0 to 2\n$/],
	[['--temperature', '-1', 'p'], 64, /^chat: --temperature is "-1", but .* number from 0 to 2\n$/],
	[['-f', '', 'p'], 64, /^chat: a file name is empty\n$/],
	[['--image', '', 'p'], 64, /^chat: a file name is empty\n$/],
	[['-s', '@', 'p'], 64, /^chat: a file name is empty\n$/],
	[['--profile', '', 'p'], 64, /^chat: --profile needs a name\n/],
	[['--top-p', 'x', 'p'], 64, /^chat: --top-p is "x", but it must be a number from 0 to 1\n$/],
	[['--max-tokens', '0', 'p'], 64, /^chat: --max-tokens is "0", but .* of at least 1\n$/],
	[['--max-retries', '1.5', 'p'], 64, /^chat: --max-retries is "1.5", but .* of at least 0\n$/],
	[['--idle-timeout', '10', 'p'], 64, /^chat: --idle-timeout is "10", but .* 10s or 2m/],
	[
		['--response-format', 'xml', 'p'],
		64,
		/^chat: --response-format is "xml", .* text, json_object/,
	],
	[
		['-o', 'yaml', 'p'],
		64,
		/^chat: --output is "yaml", but it must be one of text, json, jsonl\n$/,
	],
	[['--reasoning', 'on', 'p'], 64, /^chat: --reasoning is "on", .* auto, show, hide\n$/],
	[
		['--extract-block', '0', 'p'],
		64,
		/^chat: --extract-block is "0", .* first, last, all, or a number from 1\n$/,
	],
	[
		['--temper', '1', 'p'],
		64,
		/^chat: unknown option '--temper' \(Did you mean --temperature\?\)\n.*chat help all/,
	],
	[['--zzzzzz', 'p'], 64, /^chat: unknown option '--zzzzzz'\n.*chat help all/],
	[['--json', 'p'], 64, /^chat: unknown option '--json' \(Did you mean -o json\?\)\n/],
	[['--schema', 'x', 'p'], 64, /'--schema' \(Did you mean --json-schema\?\)\n/],
	[['--prompt', 'p'], 64, /'--prompt' \(Did you mean chat "your question", without a flag\?\)\n/],
	[['--timeout=5', 'p'], 64, /'--timeout' \(Did you mean --payload-timeout, .*timeout 60 chat/],
	[['--system-prompt', 'x', 'p'], 64, /'--system-prompt' \(Did you mean -s\?\)\n/],
	[['--attachment', 'x', 'p'], 64, /'--attachment' \(Did you mean -a\?\)\n/],
	[['--effort', 'high', 'p'], 64, /'--effort' \(Did you mean --reasoning-effort\?\)\n/],
	[['--url', 'x', 'p'], 64, /'--url' \(Did you mean --base-url\?\)\n/],
	[['--list-models'], 64, /'--list-models' \(Did you mean chat models\?\)\n/],
	[['-n', '3', 'p'], 64, /^chat: unknown option '-n'\n/],
	[['--yes', 'p'], 64, /^chat: unknown option '--yes'/],
	[
		['-p', 'hello there'],
		64,
		/^chat: -p is a parameter.*\n +The prompt needs no flag: chat "your question"/,
	],
	[['--top-k', '5', 'p'], 64, /-O key=value sends any field of the request/],
	[
		['--temprature', '1', 'p'],
		64,
		/^chat: unknown option '--temprature' .*--temperature\?\)\n.*chat help all/,
	],
	[['--tool', 'x', 'p'], 64, /^chat: unknown option '--tool' .*--tools\?\)\n.*chat help all/],
	[['-z', 'p'], 64, /^chat: unknown option '-z'\n.*chat help all lists.*--/],
	[['p', '-m'], 64, /^chat: -m needs a value: -m, --model <name>\n/],
	[[], 64, /^chat: there is no prompt\n {6}Give one: /],
	[['  '], 64, /^chat: there is no prompt\n/],
	[['--tool-choice', 'x', 'p'], 64, /^chat: --tool-choice needs --tools.*\n.*--tools/],
	[['-x', '-o', 'json', 'p'], 64, /^chat: -x cannot be used with --output json\n$/],
	[
		['--extract-block', 'all', '-o', 'jsonl', 'p'],
		64,
		/^chat: -x cannot be used with --output jsonl/,
	],
	[
		['-x', '--response-format', 'json_object', 'p'],
		64,
		/^chat: -x cannot be used with --response-format json_object\n$/,
	],
	[['--image', 'missing.png', 'p'], 66, /^chat: no such file: missing\.png\n {6}Check the path/],
	[
		['--image', 'a.txt', 'p'],
		65,
		/^chat: a\.txt is not an image.*\n {6}To send a text file use -f/,
	],
	[['--base-url', 'example.com', 'p'], 64, /^chat: --base-url is "example.com", .*http:\/\//],
	[
		['--api-key-file', 'gone', 'p'],
		66,
		/^chat: cannot read the key from the file gone: no such file/,
	],
	[
		['p'],
		78,
		/^chat: CHAT_BASE_URL is "ftp:\/\/x", .*https:\/\/, or a name such as ollama:\n$/,
		{CHAT_BASE_URL: 'ftp://x'},
	],
	[['p'], 78, /^chat: CHAT_TOP_P is "2", but .* from 0 to 1\n$/, {CHAT_TOP_P: '2'}],
	[['p'], 78, /^chat: CHAT_STREAM is "maybe", but .* true or false\n$/, {CHAT_STREAM: 'maybe'}],
	[['p'], 78, /^chat: CHAT_API_KEY is set.*\n.*CHAT_BASE_URL/, {CHAT_BASE_URL: '', ...key}],
	[
		['p'],
		78,
		/^chat: the API key would go unencrypted.*http:\/\/192\.0\.2\.1\/\n.*--insecure-http/,
		{CHAT_BASE_URL: 'http://192.0.2.1', ...key},
	],
	[['p'], 77, /^chat: CHAT_API_KEY is empty\n.*unset it/, {CHAT_API_KEY: ''}],
	[
		['p'],
		77,
		/^chat: CHAT_API_KEY does not contain a valid API key\n/,
		{CHAT_API_KEY: 'sk-1\nsk-2'},
	],
];

const rows = allRows.map(
	([argv, exitCode, message, variables = {}]) => [argv, exitCode, message, variables] as const,
);

describe('what is wrong from the start', () => {
	test.each(rows)('%j ends with %i before anything is sent', async (argv, code, message, more) => {
		const service = await startRecording(streamReply(['no']));
		const cwd = createDirectory({'a.txt': 'text'});
		const run = await runChat(argv, {cwd, variables: {...service.variables, ...more}});
		expect(run).toMatchObject({stdout: argv.includes('-o') ? run.stdout : '', exitCode: code});
		expect(run.stderr).toMatch(message);
		expect(run.stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(3);
		expect(service.requests).toEqual([]);
	});

	test.each(rows.filter(([argv]) => !argv.includes('-o')))(
		'%j is an object of the JSON output too',
		async (argv, exitCode, _, more) => {
			const service = await startRecording(streamReply(['no']));
			const cwd = createDirectory({'a.txt': 'text'});
			// A flag whose value is missing would take the next word.
			const words = ['-o', 'json', ...argv];
			const run = await runChat(words, {cwd, variables: {...service.variables, ...more}});
			const result = parseResult(run.stdout);
			expect(result).toMatchObject({content: '', complete: false, attempts: 0, service: null});
			expect(run.stderr).toContain(result.error?.message);
			expect(run.exitCode).toBe(argv.includes('-x') ? 64 : exitCode);
		},
	);

	test('is the last two lines of the JSON lines', async () => {
		const run = await runChat(['-o', 'jsonl', '--temperature', '3', 'p']);
		expect(parseLines(run.stdout).map(({type}) => type)).toEqual(['error', 'result']);
	});

	test('is not repeated with the value of an unknown flag, which may be a secret', async () => {
		for (const flag of ['--api-key=sk-of-mine', '--token=sk-of-mine', '-k=sk-of-mine']) {
			const run = await runChat([flag, 'p'], {secrets: ['sk-of-mine']});
			expect(run.exitCode).toBe(64);
			expect(run.stderr).toContain("unknown option '-");
		}
	});
});

test('what is refused before any request has used nothing, so -u says nothing', async () => {
	const run = await runChat(['--nope', 'p'], {variables: {CHAT_USAGE: 'true'}});
	expect(run).toMatchObject({stdout: '', exitCode: 64});
	expect(run.stderr).toMatch(/^chat: unknown option '--nope'\n[^\n]*\n$/);
});
