/** Real processes: whatever a tool does, it ends, and the model gets its output. */
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {declineElicitation} from '../../src/chat/elicitation.ts';
import {outputText, textOutput} from '../../src/chat/tool-output.ts';
import {processControl} from '../../src/process-environment.ts';
import {createCommandTools} from '../../src/tools/command-tool.ts';
import {createToolsFailure, parseTools} from '../../src/tools/parse-tools.ts';
import {isRunning} from '../helpers/is-running.ts';
import {createDirectory} from '../input/input-helpers.ts';

type RunOptions = {
	readonly script: string;
	readonly words?: readonly string[];
	readonly values?: Readonly<Record<string, string | number>>;
	readonly environment?: readonly string[];
	readonly variables?: Readonly<Record<string, string>>;
	readonly timeLimitMs?: number;
	readonly signal?: AbortSignal;
};

const properties = {city: {type: 'string'}, days: {type: 'integer'}};

/** Loads a tool that is a script for the shell. */
async function load({script, words = [], environment = [], ...settings}: RunOptions) {
	const cwd = createDirectory({'tool.sh': script});
	const entry = {
		type: 'function',
		function: {name: 'tool', parameters: {type: 'object', properties}},
		command: ['/bin/sh', 'tool.sh', ...words],
		environment,
	};
	const fail = createToolsFailure('tools.json');
	const entries = parseTools(JSON.stringify([entry]), {fail, directory: cwd, taken: []});
	const {variables = {PATH: '/usr/bin:/bin'}, timeLimitMs = 20_000} = settings;
	const {platform} = process;
	const [tool] = await createCommandTools(
		entries,
		{cwd, variables, timeLimitMs, platform, processes: processControl},
		fail,
	);
	if (tool === undefined || !('run' in tool)) throw new Error('there is no tool');
	return {...tool, cwd};
}

async function run(options: RunOptions) {
	const tool = await load(options);
	const {values = {}, signal = new AbortController().signal} = options;
	const result = await tool.run(values, signal, declineElicitation);
	return {output: outputText(result), isError: result.isError};
}

/** Resolves with the process id that a script has written. */
async function readPid(cwd: string): Promise<number> {
	const path = join(cwd, 'pid');
	await expect.poll(() => existsSync(path) && readFileSync(path, 'utf8').endsWith('\n')).toBe(true);
	return Number(readFileSync(path, 'utf8'));
}

type Row = readonly [
	name: string,
	script: string,
	output: string | RegExp,
	isError?: boolean,
	options?: Partial<RunOptions>,
];

const endless = 'exec sleep 1000';
const big = {values: {city: 'x'.repeat(2_000_000)}};
const dash = 'a'.repeat(30_000) + 'é'.repeat(50_000);

const rows: readonly Row[] = [
	[
		'gets its arguments as JSON',
		'cat',
		'{"city":"Zürich\\n"}',
		false,
		{values: {city: 'Zürich\n'}},
	],
	['may close its input early', 'exec <&-; sleep 0.05; echo fine', 'fine\n', false, big],
	['prints nothing', '', '[no output]'],
	['fails', 'echo out; echo err >&2; exit 3', '[exit code 3]\nout\n\n[stderr]\nerr\n', true],
	['hangs', endless, '[stopped after 0.1 s]', true, {timeLimitMs: 100}],
	['is aborted already', endless, '[stopped by the user]', true, {signal: AbortSignal.abort()}],
	['writes an image', "printf '\\211PNG\\r\\n\\032\\n\\0'", '[binary output, image/png, 9 bytes]'],
	['writes noise', "printf '\\376\\0\\376'", '[binary output, 3 bytes]'],
	['writes much', `echo ${dash}the end`, /^a{24576}\n\[… \d+ bytes omitted …\]\né+the end\n$/],
	['floods', 'exec yes', /\[stopped: more than 10 MiB of output\]/, true],
	['opens a terminal', '(: >/dev/tty) 2>/dev/null || echo none', 'none\n'],
];

test.each(
	rows.map(([name, script, output, isError = false, options = {}]) => ({
		...{name, script, output, isError, options},
	})),
)(
	'a tool that $name has one bounded result',
	async ({script, output: expected, isError, options}) => {
		const {output, ...rest} = await run({script, ...options});
		if (typeof expected === 'string') expect(output).toBe(expected);
		else expect(output).toMatch(expected);
		expect(rest.isError).toBe(isError);
		if (expected instanceof RegExp && !isError) expect(output.length).toBeLessThan(40_000);
	},
);

test('placeholders are whole elements, whatever they hold; absent ones are left out', async () => {
	const hostile = '$(id) `id` ; rm -rf "x" \n && {days}';
	const script = 'printf \'<%s>\' "$@"';
	const words = ['--', '{city}', '{days}', 'end'];
	const {output} = await run({script, words, values: {city: hostile}});
	expect(output).toBe(`<--><${hostile}><end>`);
});

test('a value that looks like an option is passed only after --', async () => {
	const open = await load({script: 'cat', words: ['{city}']});
	expect(await open.check({city: '--output=/etc/passwd'})).toBe('city must not begin with -');
	expect(await open.check({city: 'a\0b'})).toBe('city must not contain a NUL character');
	expect(await open.check({city: 1})).toBe('city must be string');
	const guarded = await load({script: 'cat', words: ['--', '{city}']});
	expect(await guarded.check({city: '--x'})).toBeUndefined();
});

test('a tool gets a few variables, those that it names, and never a key', async () => {
	const {output} = await run({
		script: 'env',
		environment: ['WEATHER_TOKEN', 'UNSET'],
		variables: {PATH: '/bin', HOME: '/h', CHAT_API_KEY: 'sk-1', OTHER: 'x', WEATHER_TOKEN: 't'},
	});
	const own = output.split('\n').filter((line) => !/^(?:PWD|OLDPWD|SHLVL|_)=|^$/.test(line));
	expect(own.sort()).toEqual(['HOME=/h', 'PATH=/bin', 'WEATHER_TOKEN=t']);
});

test.each([
	['that ignores SIGTERM is killed', "trap '' TERM; echo $$ >pid; while :; do sleep 1; done", true],
	[
		'that leaves a process in its group ends it too',
		"(trap '' TERM HUP; while :; do sleep 1; done) & echo $! >pid; echo left",
		false,
	],
])('a tool %s', async (_, script, isStopped) => {
	const interrupt = new AbortController();
	const tool = await load({script});
	const ended = tool.run({}, interrupt.signal, declineElicitation);
	const pid = await readPid(tool.cwd);
	if (isStopped) interrupt.abort();
	const text = isStopped ? '[stopped by the user]' : 'left\n';
	expect(await ended).toEqual(textOutput(text, isStopped));
	await expect.poll(() => isRunning(pid)).toBe(false);
});
