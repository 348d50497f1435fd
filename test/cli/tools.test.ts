import {describe, expect, test} from 'vitest';
import {parseResult} from '../helpers/json-output.ts';
import {streamReply, wholeReply} from '../helpers/replies.ts';
import {runChat} from '../helpers/run-chat.ts';
import {startRecording} from '../helpers/start-service.ts';
import {createDirectory} from '../input/input-helpers.ts';

const tool = (name: string, more: object = {}) => ({type: 'function', function: {name, ...more}});
const tools = JSON.stringify([
	tool('get_weather', {parameters: {type: 'object', properties: {city: {type: 'string'}}}}),
	tool('clock'),
]);
const paris = {id: 'call_1', name: 'get_weather', arguments: '{ "city": "Paris" }'};
const time = {id: 'call_2', name: 'clock', arguments: '{}'};

describe('tool calls', () => {
	const toCall = {finishReason: 'tool_calls'};

	test.each([
		['streamed', streamReply([{call: paris}, {call: time}], toCall), []],
		['whole', wholeReply({call: paris}, toCall), ['--no-stream']],
	])('are the output when %s: one a line, the name and the arguments', async (_, reply, flags) => {
		const {variables} = await startRecording(reply);
		const cwd = createDirectory({'tools.json': tools});
		const run = await runChat([...flags, '--tools', 'tools.json', 'p'], {cwd, variables});
		const second = flags.length === 0 ? 'clock {}\n' : '';
		expect(run).toEqual({
			stdout: `get_weather {"city":"Paris"}\n${second}`,
			stderr: '',
			exitCode: 0,
		});
	});

	test('come after the text, on lines of their own', async () => {
		const {variables} = await startRecording(
			streamReply(['Let me see.', {call: time}], {finishReason: 'tool_calls'}),
		);
		const cwd = createDirectory({'tools.json': tools});
		const run = await runChat(['--tools', 'tools.json', 'p'], {cwd, variables});
		expect(run.stdout).toBe('Let me see.\nclock {}\n');
	});

	test('count as the answer: neither code nor JSON is missing', async () => {
		const {variables} = await startRecording(streamReply([{call: time}], toCall));
		const cwd = createDirectory({'tools.json': tools});
		for (const flags of [['-x'], ['--response-format', 'json_object']]) {
			const run = await runChat([...flags, '--tools', 'tools.json', 'p'], {cwd, variables});
			expect(run).toEqual({stdout: 'clock {}\n', stderr: '', exitCode: 0});
		}
	});

	test('are in the JSON as the service sent them', async () => {
		const {variables} = await startRecording(
			streamReply([{call: paris}, {call: {...time, arguments: '{"broken'}}], {
				finishReason: 'tool_calls',
			}),
		);
		const cwd = createDirectory({'tools.json': tools});
		const run = await runChat(['-o', 'json', '--tools', 'tools.json', 'p'], {cwd, variables});
		const result = parseResult(run.stdout);
		expect(result).toMatchObject({content: '', finish_reason: 'tool_calls', complete: true});
		expect(result.tool_calls).toEqual([
			{...paris, runnable: true},
			{...time, arguments: '{"broken', runnable: false},
		]);
		expect(run.exitCode).toBe(0);
	});

	test('that were cut are shown, and never runnable', async () => {
		const reply = streamReply([{call: paris}], {end: 'reset'});
		const {variables} = await startRecording(reply);
		const cwd = createDirectory({'tools.json': tools});
		const options = {cwd, variables};
		const run = await runChat(['-o', 'jsonl', '--tools', 'tools.json', 'p'], options);
		const result = JSON.parse(run.stdout.trim().split('\n').at(-1) ?? '');
		expect(result).toMatchObject({complete: false, tool_calls: [{...paris, runnable: false}]});
		expect(run.exitCode).toBe(79);
	});

	test('of the built-in service fit their tools', async () => {
		const cwd = createDirectory({'tools.json': tools});
		const argv = ['-q', '--tools', 'tools.json', '--tool-choice', 'get_weather'];
		const run = await runChat([...argv, 'What is the weather in Oslo?'], {cwd});
		expect(run.stdout).toBe('get_weather {"city":"Oslo"}\n');
		expect(run.exitCode).toBe(0);
	});
});

describe('a tools file', () => {
	const command = (argv: unknown, more: object = {}) => {
		const parameters = {type: 'object', properties: {city: {type: 'string'}}};
		return JSON.stringify([{...tool('a', {parameters}), command: argv, ...more}]);
	};
	const wrong: ReadonlyArray<readonly [content: string, message: string]> = [
		['', 'tools.json is not valid JSON: line 1, column 1: unexpected end'],
		['[{]', 'tools.json is not valid JSON: line 1, column 3: expected a key'],
		['{}', 'tools.json must be an array of tools'],
		['[]', 'tools.json contains no tools'],
		['[1]', 'tools.json: [0] must be an object'],
		['{"tools":{}}', 'tools.json: tools must be an array of tools'],
		['{"tools":[1]}', 'tools.json: tools[0] must be an object'],
		['{"tools":[],"model":"m"}', 'tools.json: model is not known; known are tools'],
		['{"type":"other"}', 'tools.json: type must be "function"'],
		[JSON.stringify(tool('')), 'tools.json: function.name must be 1 to 64'],
		['[{"type":"other"}]', 'tools.json: [0].type must be "function"'],
		['[{"type":"function"}]', 'tools.json: [0].function is missing'],
		[JSON.stringify([tool('a'), tool('b c')]), 'tools.json: [1].function.name must be 1 to 64'],
		[JSON.stringify([tool('')]), 'tools.json: [0].function.name must be 1 to 64'],
		[JSON.stringify([tool('x'.repeat(65))]), 'tools.json: [0].function.name must be 1 to 64'],
		[JSON.stringify([tool('a'), tool('a')]), 'tools.json: [1].function.name "a" is already used'],
		[
			JSON.stringify([tool('a', {description: 1})]),
			'tools.json: [0].function.description must be a string, not a number',
		],
		[JSON.stringify([tool('a', {parameters: []})]), 'tools.json: [0].function.parameters must be'],
		[
			JSON.stringify([tool('a', {parameters: {type: 'array'}})]),
			'tools.json: [0].function.parameters must be',
		],
		[command('curl -H key-1'), 'tools.json: [0].command must be an array, not a string\n'],
		[command([]), 'tools.json: [0].command must have a program'],
		[command(['a', 1]), 'tools.json: [0].command[1] must be a string, not a number'],
		[command(['']), 'tools.json: [0].command[0] must be the program'],
		[command(['{city}']), 'tools.json: [0].command[0] must be the program'],
		[command(['a', '{town}']), 'tools.json: [0].command[1] refers to an unknown parameter: "town"'],
		[command(['a', '--city={city}']), 'tools.json: [0].command[1] must be exactly {city}'],
		[
			command(['a'], {environment: ['A-B']}),
			'tools.json: [0].environment[0] is not a variable name',
		],
		[
			command(['a'], {environment: ['CHAT_API_KEY']}),
			'tools.json: [0].environment[0] is an API key',
		],
		[
			JSON.stringify([
				tool('a'),
				{
					...tool('b', {parameters: {type: 'object', properties: {n: {type: 'nummer'}}}}),
					command: ['sh'],
				},
			]),
			'tools.json: [1].function.parameters.properties.n.type must be',
		],
		[
			JSON.stringify([{...tool('a'), comand: ['date']}]),
			'tools.json: [0].comand is not known; did you mean command?',
		],
		[
			JSON.stringify([tool('a', {paramters: {type: 'object'}})]),
			'tools.json: [0].function.paramters is not known; did you mean parameters?',
		],
		[JSON.stringify([tool('a', {strict: 'yes'})]), 'tools.json: [0].function.strict must be true'],
	];

	test('of many tools is named by its first ones where a flag allows none of them', async () => {
		const names = Array.from({length: 10}, (_, index) => `tool_${index}`);
		const cwd = createDirectory({'tools.json': JSON.stringify(names.map((name) => tool(name)))});
		const run = await runChat(['--tools', 'tools.json', '--allow-tool', 'other', 'p'], {cwd});
		expect(run.exitCode).toBe(64);
		expect(run.stderr).toContain('it must be one of tool_0, tool_1');
		expect(run.stderr).toContain('tool_7 and 2 more\n');
	});

	test.each(wrong)('of %s is refused at its place', async (text, message) => {
		const {variables, requests} = await startRecording(streamReply(['no']));
		const cwd = createDirectory({'tools.json': text});
		const run = await runChat(['--tools', 'tools.json', 'p'], {cwd, variables});
		expect(run).toMatchObject({stdout: '', exitCode: 65});
		expect(run.stderr).toContain(`chat: ${message}`);
		expect(run.stderr).toContain('A tool looks like {');
		expect(requests).toEqual([]);
	});

	test.each([
		['/no/such/program', 'is a program that does not exist: /no/such/program'],
		['no-such-program', 'is a program that is not in PATH: no-such-program'],
		['./tools.json', 'is a file that is not executable: '],
	])('whose program cannot be started is refused before anything is sent: %s', async (...row) => {
		const [program, problem] = row;
		const {variables, requests} = await startRecording(streamReply(['no']));
		const cwd = createDirectory({'tools.json': command([program])});
		const run = await runChat(['-q', '--tools', 'tools.json', 'p'], {cwd, variables});
		expect(run).toMatchObject({stdout: '', exitCode: 65});
		expect(run.stderr).toContain(`chat: tools.json: [0].command[0] ${problem}`);
		expect(run.stderr).toContain('A relative path starts at the folder of the tools file,');
		expect(requests).toEqual([]);
	});

	test.each([
		['one tool', tool('clock', {strict: true})],
		['an object of tools', {tools: [tool('clock', {strict: true})]}],
	])('may hold %s', async (_, content) => {
		const {variables, bodies} = await startRecording(streamReply(['Hi.']));
		const cwd = createDirectory({'tools.json': JSON.stringify(content)});
		await runChat(['--tools', 'tools.json', 'p'], {cwd, variables});
		expect(bodies()[0]?.['tools']).toEqual([tool('clock', {strict: true})]);
	});

	test('joins the others that are named, unless they share a name', async () => {
		const {variables, bodies} = await startRecording(streamReply(['Hi.']));
		const cwd = createDirectory({
			'a.json': tools,
			'b.json': JSON.stringify(tool('date')),
			'c.json': JSON.stringify(tool('clock')),
		});
		const argv = ['--tools', 'a.json', '--tools', 'b.json'];
		await runChat([...argv, '--tool-choice', 'date', 'p'], {cwd, variables});
		const names = bodies()[0]?.['tools'] as ReadonlyArray<ReturnType<typeof tool>>;
		expect(names.map(({function: {name}}) => name)).toEqual(['get_weather', 'clock', 'date']);
		const run = await runChat([...argv, '--tools', 'c.json', 'p'], {cwd, variables});
		expect(run.exitCode).toBe(65);
		expect(run.stderr).toContain('c.json: function.name "clock" is already used');
	});

	test('that is missing is a missing input', async () => {
		const {variables, requests} = await startRecording(streamReply(['no']));
		const run = await runChat(['--tools', 'gone.json', 'p'], {variables});
		expect(run.exitCode).toBe(66);
		expect(requests).toEqual([]);
	});

	test('is what --tool-choice chooses from', async () => {
		const {variables, requests} = await startRecording(streamReply(['no']));
		const cwd = createDirectory({'tools.json': tools});
		const unknown = await runChat(['--tools', 'tools.json', '--tool-choice', 'date', 'p'], {
			cwd,
			variables,
		});
		expect(unknown.exitCode).toBe(64);
		expect(unknown.stderr).toContain('auto, none, required, get_weather, clock');
		for (const choice of ['clock', 'required', 'auto']) {
			const without = await runChat(['--tool-choice', choice, 'p'], {variables});
			expect(without.exitCode).toBe(64);
			expect(without.stderr).toMatch(/--tool-choice needs --tools.*\n.*--tools/);
		}
		expect(requests).toEqual([]);
	});
});
