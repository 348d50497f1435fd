/** Real processes: whatever a tool does, it ends, and the model gets its output. */
import {setTimeout as delay} from 'node:timers/promises';
import {describe, expect, test} from 'vitest';
import {declineElicitation} from '../../src/chat/elicitation.ts';
import {outputText, textOutput} from '../../src/chat/tool-output.ts';
import {processControl} from '../../src/process-environment.ts';
import {createCommandTools} from '../../src/tools/command-tool.ts';
import {createToolsFailure, parseTools} from '../../src/tools/parse-tools.ts';
import {isRunning} from '../helpers/is-running.ts';
import {createDirectory} from '../input/input-helpers.ts';

type RunOptions = {
	readonly script: string;
	readonly command?: readonly string[];
	readonly values?: Readonly<Record<string, string | number>>;
	readonly environment?: readonly string[];
	readonly variables?: Readonly<Record<string, string>>;
	readonly timeLimitMs?: number;
	readonly signal?: AbortSignal;
};

const node = process.execPath;
const properties = {city: {type: 'string'}, days: {type: 'integer'}};

async function load({script, command = [], environment = [], ...settings}: RunOptions) {
	const cwd = createDirectory({'tool.js': script});
	const entry = {
		type: 'function',
		function: {name: 'tool', parameters: {type: 'object', properties}},
		command: [node, 'tool.js', ...command],
		environment,
	};
	const fail = createToolsFailure('tools.json');
	const entries = parseTools(JSON.stringify([entry]), {fail, directory: cwd, taken: []});
	const {variables = {}, timeLimitMs = 20_000} = settings;
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

const untilGone = (pid: number) => expect.poll(() => isRunning(pid)).toBe(false);

const echo = 'process.stdin.pipe(process.stdout);';
const endless = 'setInterval(() => {}, 1000);';

describe('a tool', () => {
	test.each<readonly [name: string, options: RunOptions, output: string, isError: boolean]>([
		[
			'gets its arguments as JSON on stdin',
			{script: echo, values: {city: 'Zürich\n'}},
			'{"city":"Zürich\\n"}',
			false,
		],
		[
			'that closes its input before it has read it does no harm',
			{
				script: "process.stdin.destroy(); setTimeout(() => console.log('fine'), 50);",
				values: {city: 'x'.repeat(2_000_000)},
			},
			'fine\n',
			false,
		],
		['that prints nothing returns a note', {script: ''}, '[no output]', false],
		[
			'that fails returns its exit code, and stderr apart from stdout',
			{script: "console.log('out'); console.error('err'); process.exitCode = 3;"},
			'[exit code 3]\nout\n\n[stderr]\nerr\n',
			true,
		],
		[
			'that hangs ends at its time limit',
			{script: endless, timeLimitMs: 300},
			'[stopped after 0.3 s]',
			true,
		],
		[
			'whose signal is aborted already ends at once',
			{script: endless, signal: AbortSignal.abort()},
			'[stopped by the user]',
			true,
		],
		[
			'that writes binary data returns its type',
			{script: "process.stdout.write(Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'));"},
			'[binary output, image/png, 16 bytes]',
			false,
		],
		[
			'that writes noise returns its size',
			{script: 'process.stdout.write(Buffer.alloc(3000, 0xfe));'},
			'[binary output, 3000 bytes]',
			false,
		],
	])('%s', async (_name, options, output, isError) => {
		expect(await run(options)).toEqual({output, isError});
	});

	test('gets placeholders as whole elements, whatever they hold; absent ones are left out', async () => {
		const hostile = '$(id) `id` ; rm -rf "x" \n && {days}';
		const {output} = await run({
			script: 'console.log(JSON.stringify(process.argv.slice(2)));',
			command: ['--', '{city}', '{days}', 'end'],
			values: {city: hostile},
		});
		expect(JSON.parse(output)).toEqual(['--', hostile, 'end']);
	});

	test('gets a value that looks like an option only after --', async () => {
		const plain = await load({script: echo, command: ['{city}']});
		expect(await plain.check({city: '--output=/etc/passwd'})).toBe('city must not begin with -');
		expect(await plain.check({city: 'a\0b'})).toBe('city must not contain a NUL character');
		const guarded = await load({script: echo, command: ['--', '{city}']});
		expect(await guarded.check({city: '--x'})).toBeUndefined();
		expect(await plain.check({city: 1})).toBe('city must be string');
	});

	test('gets a few variables, those that it names, and never a key', async () => {
		const {output} = await run({
			script: 'console.log(JSON.stringify(process.env));',
			environment: ['WEATHER_TOKEN', 'UNSET'],
			variables: {PATH: '/bin', HOME: '/h', CHAT_API_KEY: 'sk-1', OTHER: 'x', WEATHER_TOKEN: 't'},
		});
		expect(JSON.parse(output)).toEqual({PATH: '/bin', HOME: '/h', WEATHER_TOKEN: 't'});
	});

	test('has no terminal, not even one that it opens itself', async () => {
		const {output} = await run({
			script: `
				import {openSync} from 'node:fs';
				try { openSync('/dev/tty', 'w'); console.log('open'); } catch { console.log('none'); }
			`.replace("import {openSync} from 'node:fs'", "const {openSync} = require('node:fs')"),
		});
		expect(output).toBe('none\n');
	});

	test('that writes much is cut in the middle, with a note', async () => {
		const script = "process.stdout.write('a'.repeat(30_000) + 'é'.repeat(50_000) + 'the end');";
		const {output, isError} = await run({script});
		expect(isError).toBe(false);
		expect(output.length).toBeLessThan(40_000);
		expect(output).toMatch(/^a{24576}\n\[… \d+ bytes omitted …\]\né+the end$/);
	});

	test('that floods is stopped', async () => {
		const script =
			"const b = 'y\\n'.repeat(65536); (function go() { process.stdout.write(b, go); })();";
		const {output, isError} = await run({script});
		expect(isError).toBe(true);
		expect(output).toContain('[stopped: more than 10 MiB of output]');
	});

	test('that ignores SIGTERM is killed', async () => {
		const interrupt = new AbortController();
		const script = `
			process.on('SIGTERM', () => {});
			require('node:fs').writeFileSync('pid', String(process.pid));
			setInterval(() => {}, 1000);
		`;
		const tool = await load({script});
		const ended = tool.run({}, interrupt.signal, declineElicitation);
		const pid = await readPid(tool.cwd);
		interrupt.abort();
		expect(await ended).toEqual(textOutput('[stopped by the user]', true));
		await untilGone(pid);
	});

	test('that leaves a process in its group ends it too', async () => {
		const script = `
			const {spawn} = require('node:child_process');
			const code = "process.on('SIGTERM', () => {}); process.on('SIGHUP', () => {}); setInterval(() => {}, 1000)";
			const child = spawn(process.execPath, ['-e', code], {stdio: 'inherit'});
			require('node:fs').writeFileSync('pid', String(child.pid));
			console.log('left');
			process.exit(0);
		`;
		const tool = await load({script});
		const result = await tool.run({}, new AbortController().signal, declineElicitation);
		expect(result).toEqual(textOutput('left\n', false));
		await untilGone(await readPid(tool.cwd));
	});
});

async function readPid(cwd: string): Promise<number> {
	const {readFile} = await import('node:fs/promises');
	for (;;) {
		const text = await readFile(`${cwd}/pid`, 'utf8').catch(() => '');
		if (text !== '') return Number(text);
		await delay(10);
	}
}
