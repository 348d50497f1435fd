/** Tools that are run: from the command line to the bodies of the requests. */
import {chmodSync, readFileSync, realpathSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {parseResult} from '../helpers/json-output.ts';
import {errorReply, streamReply} from '../helpers/replies.ts';
import {runChat} from '../helpers/run-chat.ts';
import {startRecording} from '../helpers/start-service.ts';
import {createDirectory} from '../input/input-helpers.ts';

const parameters = {type: 'object', properties: {city: {type: 'string'}}, required: ['city']};
const toolOf = (name: string, script: string) => ({
	type: 'function',
	function: {name, description: `The ${name}`, parameters},
	command: ['sh', '-c', script],
});
const answerWith = (words: string) => `sed -E 's/.*"city":"([^"]*)".*/\\1 ${words}/'; echo`;
const files = {
	'tools.json': JSON.stringify([
		toolOf('weather', answerWith('is sunny')),
		toolOf('mayor', answerWith('has one')),
		toolOf('broken', 'echo "oh no" >&2; exit 2'),
		toolOf('mark', 'touch ran'),
	]),
};

const call = (id: string, name: string, text = '{"city":"Oslo"}') => ({
	call: {id, name, arguments: text},
});
const toCall = {finishReason: 'tool_calls', usage: {prompt_tokens: 5, completion_tokens: 2}};
const allowAll = ['weather', 'mayor', 'broken'].flatMap((name) => ['--allow-tool', name]);
const flags = ['--tools', 'tools.json', ...allowAll];

describe('a run of three steps', () => {
	const steps = () =>
		[
			streamReply(['Let me see.', call('c1', 'weather'), call('c2', 'mayor')], toCall),
			streamReply([call('c3', 'broken', '{ "city": "Rome" }')], toCall),
			streamReply(['All done.'], {usage: {prompt_tokens: 9, completion_tokens: 3}}),
		] as const;

	test('prints the answer and what was run, and sends the calls as they came', async () => {
		const {variables, bodies} = await startRecording(...steps());
		const run = await runChat([...flags, '-u', 'p'], {cwd: createDirectory(files), variables});
		expect(run.stdout).toBe('Let me see.\nAll done.\n');
		expect(run.stderr.split('\n').slice(0, 3)).toEqual([
			'chat: tool weather {"city":"Oslo"} ran',
			'chat: tool mayor {"city":"Oslo"} ran',
			'chat: tool broken {"city":"Rome"} failed: [exit code 2]',
		]);
		expect(run.stderr).toContain('19 tokens in, 7 out');
		expect(run.exitCode).toBe(0);
		const wire = (id: string, name: string, text: string) => ({
			id,
			type: 'function',
			function: {name, arguments: text},
		});
		const first = [
			wire('c1', 'weather', '{"city":"Oslo"}'),
			wire('c2', 'mayor', '{"city":"Oslo"}'),
		];
		const second = [wire('c3', 'broken', '{ "city": "Rome" }')];
		expect(bodies().map(({messages}) => messages?.length)).toEqual([1, 4, 6]);
		expect(bodies()[2]?.messages).toEqual([
			{role: 'user', content: 'p'},
			{role: 'assistant', content: 'Let me see.', tool_calls: first},
			{role: 'tool', tool_call_id: 'c1', content: 'Oslo is sunny\n'},
			{role: 'tool', tool_call_id: 'c2', content: 'Oslo has one\n'},
			{role: 'assistant', content: null, tool_calls: second},
			{role: 'tool', tool_call_id: 'c3', content: '[exit code 2]\n[stderr]\noh no\n'},
		]);
		expect(bodies()[0]?.['tools']).toHaveLength(4);
		expect(JSON.stringify(bodies()[0]?.['tools'])).not.toContain('command');
	});

	test('announces a wait between two steps before it waits', async () => {
		const [first, , last] = steps();
		const busy = errorReply(429, 'busy', {'retry-after-ms': '1'});
		const {variables} = await startRecording(first, busy, last);
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

describe('a run without a terminal', () => {
	test.each([
		['stop', 77],
		// Another reason to end outweighs the denial.
		['length', 79],
	])('runs nothing that was not allowed, and tells the model (%s: %i)', async (...row) => {
		const [finishReason, exitCode] = row;
		const {variables, bodies} = await startRecording(
			streamReply([call('c1', 'mark')], toCall),
			streamReply(['Then not.'], {finishReason}),
		);
		const cwd = createDirectory(files);
		const run = await runChat([...flags, '-q', 'p'], {cwd, variables});
		expect(run).toMatchObject({stdout: 'Then not.\n', exitCode});
		expect(run.stderr).toContain('mark was not run');
		expect(run.stderr).toContain('--allow-tool mark');
		expect(() => readFileSync(join(cwd, 'ran'))).toThrow();
		expect(JSON.stringify(bodies()[1]?.messages)).toContain('denied');
	});

	test('that goes round in circles is cut, with what came', async () => {
		const {variables} = await startRecording(streamReply([call('c1', 'weather')], toCall));
		const run = await runChat([...flags, 'p'], {cwd: createDirectory(files), variables});
		expect(run).toMatchObject({stdout: '', exitCode: 79});
		expect(run.stderr).toContain('the same call of weather more than 3 times');
	});

	test('has calls of the built-in service answered, and goes on with their results', async () => {
		const tools = ['get_weather', 'find_mayor'].map((name) =>
			toolOf(name, answerWith(`${name} ok`)),
		);
		const cwd = createDirectory({'tools.json': JSON.stringify(tools)});
		const allowed = ['--allow-tool', 'get_weather', '--allow-tool', 'find_mayor'];
		const argv = ['-q', '--tools', 'tools.json', '-o', 'json', ...allowed];
		const run = await runChat([...argv, 'the mayor and the weather in Rome'], {cwd});
		const {content, tool_calls: calls} = parseResult(run.stdout);
		expect(calls.map(({result}) => result?.output)).toEqual([
			'Rome find_mayor ok\n',
			'Rome get_weather ok\n',
		]);
		expect(content).toContain(': Rome get_weather ok');
		expect(run.exitCode).toBe(0);
	});
});
