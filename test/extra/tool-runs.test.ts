/** Tools that are run: from the command line to the bodies of the requests. */
import {chmodSync, readFileSync, realpathSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {parseLines, parseResult} from '../helpers/json-output.ts';
import {errorReply, streamReply} from '../helpers/replies.ts';
import {runChat} from '../helpers/run-chat.ts';
import {startRecording} from '../helpers/start-service.ts';
import {createDirectory} from '../input/input-helpers.ts';

const parameters = {type: 'object', properties: {city: {type: 'string'}}, required: ['city']};
const toolOf = (name: string, script: string) => ({
	type: 'function',
	function: {name, description: `The ${name}`, parameters},
	command: [process.execPath, '-e', script],
});
const answerWith = (words: string) =>
	`process.stdin.on('data', (d) => console.log(JSON.parse(d).city + ' ${words}'))`;
const files = {
	'tools.json': JSON.stringify([
		toolOf('weather', answerWith('is sunny')),
		toolOf('mayor', answerWith('has one')),
		toolOf('broken', "console.error('oh no'); process.exitCode = 2;"),
		toolOf('mark', "require('node:fs').writeFileSync('ran', ''); console.log('ran')"),
	]),
};

const call = (id: string, name: string, text = '{"city":"Oslo"}') => ({
	call: {id, name, arguments: text},
});
const toCall = {finishReason: 'tool_calls', usage: {prompt_tokens: 5, completion_tokens: 2}};
const allowAll = ['weather', 'mayor', 'broken'].flatMap((name) => ['--allow-tool', name]);
const flags = ['--tools', 'tools.json', ...allowAll];

describe('a run of three steps', () => {
	const steps = () => [
		streamReply(['Let me see.', call('c1', 'weather'), call('c2', 'mayor')], toCall),
		streamReply([call('c3', 'broken', '{ "city": "Rome" }')], toCall),
		streamReply(['All done.'], {usage: {prompt_tokens: 9, completion_tokens: 3}}),
	];

	test('prints the answer, with what was run on stderr', async () => {
		const {variables} = await startRecording(...steps());
		const run = await runChat([...flags, '-u', 'p'], {cwd: createDirectory(files), variables});
		expect(run.stdout).toBe('Let me see.\nAll done.\n');
		expect(run.stderr.split('\n').slice(0, 3)).toEqual([
			'chat: tool weather {"city":"Oslo"} ran',
			'chat: tool mayor {"city":"Oslo"} ran',
			'chat: tool broken {"city":"Rome"} failed: [exit code 2]',
		]);
		expect(run.stderr).toContain('19 tokens in, 7 out');
		expect(run.exitCode).toBe(0);
	});

	test('sends the calls as they came, and one tool message a call, in order', async () => {
		const {variables, bodies} = await startRecording(...steps());
		await runChat([...flags, 'p'], {cwd: createDirectory(files), variables});
		const wire = (id: string, name: string, text: string) => ({
			id,
			type: 'function',
			function: {name, arguments: text},
		});
		expect(bodies().map(({messages}) => messages?.length)).toEqual([1, 4, 6]);
		expect(bodies()[2]?.messages).toEqual([
			{role: 'user', content: 'p'},
			{
				role: 'assistant',
				content: 'Let me see.',
				tool_calls: [
					wire('c1', 'weather', '{"city":"Oslo"}'),
					wire('c2', 'mayor', '{"city":"Oslo"}'),
				],
			},
			{role: 'tool', tool_call_id: 'c1', content: 'Oslo is sunny\n'},
			{role: 'tool', tool_call_id: 'c2', content: 'Oslo has one\n'},
			{
				role: 'assistant',
				content: null,
				tool_calls: [wire('c3', 'broken', '{ "city": "Rome" }')],
			},
			{role: 'tool', tool_call_id: 'c3', content: '[exit code 2]\n[stderr]\noh no\n'},
		]);
		const [first] = bodies();
		expect(first?.['tools']).toHaveLength(4);
		expect(JSON.stringify(first?.['tools'])).not.toContain('command');
	});

	test('announces a wait between two steps before it waits', async () => {
		const [first, , last] = steps();
		const busy = errorReply(429, 'busy', {'retry-after-ms': '1'});
		const {variables} = await startRecording(
			...[first, busy, last].flatMap((reply) => reply ?? []),
		);
		let stdout = '';
		let stdoutBefore: string | undefined;
		const run = await runChat([...flags, 'p'], {
			cwd: createDirectory(files),
			variables,
			onStdout: (all) => {
				stdout = all;
			},
			onStderr: (all) => {
				if (all.includes('retrying')) stdoutBefore ??= stdout;
			},
		});
		expect(run.stdout).toBe('Let me see.\nAll done.\n');
		expect(stdoutBefore).toBe('Let me see.\n');
	});

	test('is one JSON object with every call and its result', async () => {
		const {variables} = await startRecording(...steps());
		const cwd = createDirectory(files);
		const run = await runChat([...flags, '-o', 'json', 'p'], {cwd, variables});
		const result = parseResult(run.stdout);
		expect(result.tool_calls.map(({id, result: output}) => [id, output])).toEqual([
			['c1', {output: 'Oslo is sunny\n', is_error: false}],
			['c2', {output: 'Oslo has one\n', is_error: false}],
			['c3', {output: '[exit code 2]\n[stderr]\noh no\n', is_error: true}],
		]);
		expect(result).toMatchObject({content: 'Let me see.\nAll done.', complete: true});
		// The counts of a service are never added up.
		expect(result.usage).toEqual({prompt_tokens: 9, completion_tokens: 3});
	});

	test('is a line for every event', async () => {
		const {variables} = await startRecording(...steps());
		const cwd = createDirectory(files);
		const run = await runChat([...flags, '-o', 'jsonl', 'p'], {cwd, variables});
		const lines = parseLines(run.stdout);
		const reported = lines.filter(({type}) => /^tool-(?:decision|result)$/.test(type));
		expect(
			reported.map((line) => ('call_id' in line ? `${line.type} ${line.call_id}` : '')),
		).toEqual([
			'tool-decision c1',
			'tool-decision c2',
			'tool-result c1',
			'tool-result c2',
			'tool-decision c3',
			'tool-result c3',
		]);
	});
});

describe('the program of a tool', () => {
	const runTool = async (script: string) => {
		const {variables, requests} = await startRecording(
			streamReply([call('c1', 'weather')], toCall),
			streamReply(['All done.']),
		);
		const folder = createDirectory({
			'weather.sh': script,
			'tools.json': JSON.stringify({...toolOf('weather', ''), command: ['./weather.sh']}),
		});
		chmodSync(join(folder, 'weather.sh'), 0o700);
		const argv = ['-q', '--tools', join(folder, 'tools.json'), '--allow-tool', 'weather', 'p'];
		const cwd = createDirectory();
		return {run: await runChat([...argv, '-o', 'json'], {cwd, variables}), cwd, requests};
	};

	test('is found from the file, and runs in the current folder', async () => {
		const {run, cwd} = await runTool('#!/bin/sh\npwd\n');
		expect(parseResult(run.stdout).tool_calls[0]?.result).toEqual({
			output: `${realpathSync(cwd)}\n`,
			is_error: false,
		});
	});

	test('whose interpreter is missing ends the turn with an error', async () => {
		const {run, requests} = await runTool('#!/no/such/interpreter\n');
		expect(run.exitCode).toBe(79);
		expect(run.stderr).toMatch(/^chat: .*the tool weather cannot be started.*\n.*interpreter/);
		expect(requests).toHaveLength(1);
	});
});

describe('without a terminal', () => {
	test('runs nothing that was not allowed, tells the model, and exits with 77', async () => {
		const {variables, bodies} = await startRecording(
			streamReply([call('c1', 'mark')], toCall),
			streamReply(['Then not.']),
		);
		const cwd = createDirectory(files);
		const run = await runChat([...flags, '-q', 'p'], {cwd, variables});
		expect(run).toMatchObject({stdout: 'Then not.\n', exitCode: 77});
		expect(run.stderr).toContain('mark was not run');
		expect(run.stderr).toContain('--allow-tool mark');
		expect(() => readFileSync(join(cwd, 'ran'))).toThrow();
		expect(JSON.stringify(bodies()[1]?.messages)).toContain('denied');
	});

	test('another reason to end outweighs the denial', async () => {
		const {variables} = await startRecording(
			streamReply([call('c1', 'mark')], toCall),
			streamReply(['Then not.'], {finishReason: 'length'}),
		);
		const run = await runChat([...flags, 'p'], {cwd: createDirectory(files), variables});
		expect(run.exitCode).toBe(79);
	});

	test('only tools of the file can be allowed', async () => {
		const cwd = createDirectory(files);
		const unknown = await runChat([...flags, '--allow-tool', 'rm', 'p'], {cwd});
		expect(unknown).toMatchObject({exitCode: 64, stdout: ''});
		expect(unknown.stderr).toContain('must be one of weather, mayor, broken, mark');
		expect((await runChat(['--allow-tool', 'x', 'p'], {cwd})).exitCode).toBe(64);
	});
});

describe('a run with tools', () => {
	test('that goes round in circles is cut, with what came', async () => {
		const {variables, requests} = await startRecording(
			streamReply([call('c1', 'weather')], toCall),
		);
		const run = await runChat([...flags, 'p'], {cwd: createDirectory(files), variables});
		expect(run.exitCode).toBe(79);
		expect(run.stdout).toBe('');
		expect(run.stderr).toContain('the same call of weather more than 3 times');
		expect(requests).toHaveLength(4);
	});

	test('misses an argument named as every object has one', async () => {
		const definition = toolOf('weather', answerWith('is sunny'));
		const required = {...parameters, required: ['toString']};
		const tool = {...definition, function: {...definition.function, parameters: required}};
		const {variables, bodies} = await startRecording(
			streamReply([call('c1', 'weather')], toCall),
			streamReply(['Sorry.']),
		);
		const cwd = createDirectory({'tools.json': JSON.stringify(tool)});
		await runChat(['--tools', 'tools.json', '--allow-tool', 'weather', 'p'], {cwd, variables});
		expect(bodies()[1]?.messages?.at(-1)?.content).toBe(
			"The arguments do not fit: it must have required property 'toString'.",
		);
	});

	test('answers arguments that do not fit, and goes on', async () => {
		const {variables, bodies} = await startRecording(
			streamReply([call('c1', 'weather', '{"city":7}')], toCall),
			streamReply(['Sorry.']),
		);
		const run = await runChat([...flags, 'p'], {cwd: createDirectory(files), variables});
		expect(run).toMatchObject({stdout: 'Sorry.\n', exitCode: 0});
		expect(bodies()[1]?.messages?.at(-1)?.content).toBe(
			'The arguments do not fit: city must be string.',
		);
	});

	test('never runs a call of a reply that was cut off', async () => {
		const whole = streamReply([call('c1', 'mark')], toCall).bodyChunks?.join('') ?? '';
		const end = whole.indexOf('"finish_reason":"tool_calls"');
		const cwd = createDirectory(files);
		const argv = ['--tools', 'tools.json', '--allow-tool', 'mark', '--max-retries', '0', 'p'];
		// Cut within the call, and after it but before the end of the step.
		for (const length of [whole.indexOf('arguments'), end]) {
			const {variables} = await startRecording({
				status: 200,
				headers: {'content-type': 'text/event-stream'},
				bodyChunks: [whole.slice(0, length)],
				chunkDelayMs: 0,
				end: 'reset',
			});
			const run = await runChat(argv, {cwd, variables});
			expect(run.exitCode).not.toBe(0);
		}
		expect(() => readFileSync(join(cwd, 'ran'))).toThrow();
	});

	test('ends by the signal while a tool runs, and takes the tool along', async () => {
		const script = "require('node:fs').writeFileSync('ran', ''); setInterval(() => {}, 1000)";
		const cwd = createDirectory({'tools.json': JSON.stringify([toolOf('hang', script)])});
		const {variables} = await startRecording(streamReply([call('c1', 'hang')], toCall));
		const {promise, send} = createSender();
		const argv = ['--tools', 'tools.json', '--allow-tool', 'hang', '-o', 'jsonl', 'p'];
		const run = await runChat(argv, {
			cwd,
			variables,
			onListening: promise,
			onStdout: (text) => {
				if (text.includes('tool-decision')) send('SIGINT');
			},
		});
		expect(run.exitCode).toBe(130);
		expect(parseLines(run.stdout).at(-1)).toMatchObject({complete: false});
	});
});

describe('the built-in service', () => {
	const named = (name: string) => toolOf(name, answerWith(`${name} is fine`));
	const embedded = {'tools.json': JSON.stringify([named('get_weather'), named('find_mayor')])};
	const argv = ['-q', '--tools', 'tools.json', '-o', 'json'];
	const allowed = ['--allow-tool', 'get_weather', '--allow-tool', 'find_mayor'];

	test('calls two at once, and goes on with their results', async () => {
		const cwd = createDirectory(embedded);
		const run = await runChat([...argv, ...allowed, 'the mayor and the weather in Rome'], {cwd});
		const {content, tool_calls: calls} = parseResult(run.stdout);
		expect(calls.map(({result}) => result?.output)).toEqual([
			'Rome find_mayor is fine\n',
			'Rome get_weather is fine\n',
		]);
		expect(content).toContain(': Rome get_weather is fine');
		expect(run.exitCode).toBe(0);
	});

	test('calls one after the other', async () => {
		const cwd = createDirectory(embedded);
		const prompt = 'Use find_mayor in Oslo, then get_weather.';
		const run = await runChat([...argv, ...allowed, prompt], {cwd});
		const {tool_calls: calls, attempts} = parseResult(run.stdout);
		expect(calls.map(({name}) => name)).toEqual(['find_mayor', 'get_weather']);
		expect(attempts).toBe(3);
	});

	test('answers by a schema', async () => {
		const properties = {name: {type: 'string'}, age: {type: 'integer'}};
		const schema = {type: 'object', properties, required: ['name', 'age']};
		const cwd = createDirectory({'person.json': JSON.stringify(schema)});
		const run = await runChat(['-q', '--json-schema', 'person.json', 'name: Ada, 36'], {cwd});
		expect(run).toMatchObject({stdout: '{"name":"Ada","age":36}\n', exitCode: 0});
	});
});

function createSender() {
	let deliver: ((signal: 'SIGINT') => void) | undefined;
	return {
		promise: (send: (signal: 'SIGINT') => void) => {
			deliver = send;
		},
		send: (signal: 'SIGINT') => {
			deliver?.(signal);
			deliver = undefined;
		},
	};
}
