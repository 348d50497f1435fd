/** Tools that are run: from the command line to the bodies of the requests. */
import {chmodSync, existsSync, realpathSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {parseResult} from '../helpers/json-output.ts';
import {errorReply, streamReply} from '../helpers/replies.ts';
import {openScene} from '../helpers/run-table.ts';

const parameters = {type: 'object', properties: {city: {type: 'string'}}, required: ['city']};
const toolOf = (name: string, command: readonly string[]) => ({
	type: 'function',
	function: {name, description: `The ${name}`, parameters},
	command,
});
const files = {
	'tools.json': JSON.stringify([
		toolOf('weather', ['echo', '{city}', 'is sunny']),
		toolOf('broken', ['sh', '-c', 'echo "oh no" >&2; exit 2']),
		toolOf('mark', ['touch', 'ran']),
	]),
};

const call = (id: string, name: string, text = '{"city":"Oslo"}') => ({
	call: {id, name, arguments: text},
});
const toCall = {finishReason: 'tool_calls', usage: {prompt_tokens: 5, completion_tokens: 2}};
const allowed = '--tools tools.json --allow-tool weather --allow-tool broken';
const callWeather = streamReply([call('c1', 'weather')], toCall);

const steps = [
	streamReply(['Let me see.', call('c1', 'weather'), call('c2', 'weather')], toCall),
	errorReply(429, 'busy', {'retry-after-ms': '1'}),
	streamReply([call('c3', 'broken', '{ "city": "Rome" }')], toCall),
	streamReply(['All done.'], {usage: {prompt_tokens: 9, completion_tokens: 3}}),
];

test('a run of three steps prints the answer and what was run, and sends the calls as they came', async () => {
	const {run, service} = await openScene({files, replies: steps});
	let [stdout, stdoutBefore] = ['', ''];
	const {stderr, exitCode} = await run(`${allowed} -u p`, {
		onStdout: (all) => {
			stdout = all;
		},
		onStderr: (all) => {
			if (all.includes('retrying')) stdoutBefore ||= stdout;
		},
	});
	expect({stdout, exitCode}).toEqual({stdout: 'Let me see.\nAll done.\n', exitCode: 0});
	// The wait is announced before it begins.
	expect(stdoutBefore).toBe('Let me see.\n');
	expect(stderr).toContain('chat: tool weather {"city":"Oslo"} ran\n');
	expect(stderr).toContain('chat: tool broken {"city":"Rome"} failed: [exit code 2]\n');
	expect(stderr).toContain('19 tokens in, 7 out');
	const wire = (id: string, name: string, text: string) => ({
		id,
		type: 'function',
		function: {name, arguments: text},
	});
	const first = ['c1', 'c2'].map((id) => wire(id, 'weather', '{"city":"Oslo"}'));
	const second = [wire('c3', 'broken', '{ "city": "Rome" }')];
	const [sent] = service.bodies();
	expect(service.bodies().at(-1)?.messages).toEqual([
		{role: 'user', content: 'p'},
		{role: 'assistant', content: 'Let me see.', tool_calls: first},
		{role: 'tool', tool_call_id: 'c1', content: 'Oslo is sunny\n'},
		{role: 'tool', tool_call_id: 'c2', content: 'Oslo is sunny\n'},
		{role: 'assistant', content: null, tool_calls: second},
		{role: 'tool', tool_call_id: 'c3', content: '[exit code 2]\n[stderr]\noh no\n'},
	]);
	expect(sent?.['tools']).toHaveLength(3);
	expect(JSON.stringify(sent?.['tools'])).not.toContain('command');
});

test('a run of three steps is one JSON object with every call and its result', async () => {
	const {run} = await openScene({files, replies: steps});
	const result = parseResult((await run(`${allowed} -o json p`)).stdout);
	expect(result.tool_calls.map(({id, result: output}) => [id, output])).toEqual([
		['c1', {output: 'Oslo is sunny\n', is_error: false}],
		['c2', {output: 'Oslo is sunny\n', is_error: false}],
		['c3', {output: '[exit code 2]\n[stderr]\noh no\n', is_error: true}],
	]);
	expect(result).toMatchObject({content: 'Let me see.\nAll done.', complete: true});
	// The counts of a service are never added up.
	expect(result.usage).toEqual({prompt_tokens: 9, completion_tokens: 3});
});

test('a program is found from its file, and runs in the current folder', async () => {
	const replies = [callWeather, streamReply(['All done.'])];
	for (const [line, exitCode] of [
		['#!/bin/sh\npwd\n', 0],
		['#!/no/such/interpreter\n', 79],
	] as const) {
		const {run, cwd, home} = await openScene({
			replies,
			files: {
				'in/weather.sh': line,
				'in/tools.json': JSON.stringify(toolOf('weather', ['./weather.sh'])),
			},
		});
		chmodSync(join(cwd, 'in/weather.sh'), 0o700);
		const flags = ['--tools', join(cwd, 'in/tools.json'), '--allow-tool', 'weather'];
		const result = await run([...flags, '-o', 'json', 'p'], {cwd: home});
		expect(result.exitCode).toBe(exitCode);
		const [{result: output} = {}] = parseResult(result.stdout).tool_calls;
		if (exitCode === 0) expect(output?.output).toBe(`${realpathSync(home)}\n`);
		else expect(result.stderr).toMatch(/tool weather cannot be started.*\n.*interpreter/);
	}
});

test.each([
	['stop', 77],
	// Another reason to end outweighs the denial.
	['length', 79],
])(
	'without a terminal nothing runs that was not allowed, and the model hears it (%s: %i)',
	async (finishReason, exitCode) => {
		const replies = [
			streamReply([call('c1', 'mark')], toCall),
			streamReply(['Then not.'], {finishReason}),
		];
		const {run, service, cwd} = await openScene({files, replies});
		const {stderr, ...rest} = await run(`${allowed} -q p`);
		expect(rest).toEqual({stdout: 'Then not.\n', exitCode});
		expect(stderr).toContain('mark was not run');
		expect(stderr).toContain('--allow-tool mark');
		expect(existsSync(join(cwd, 'ran'))).toBe(false);
		expect(JSON.stringify(service.bodies()[1]?.messages)).toContain('denied');
	},
);

test('a run that goes round in circles is cut, with what came', async () => {
	const {run} = await openScene({files, replies: [callWeather]});
	const {stderr, ...rest} = await run(`${allowed} p`);
	expect(rest).toEqual({stdout: '', exitCode: 79});
	expect(stderr).toContain('the same call of weather more than 3 times');
});
