import {describe, expect, test} from 'vitest';
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
		['streamed', streamReply(['Let me see.', {call: paris}, {call: time}], toCall), []],
		['whole', wholeReply({call: paris}, toCall), ['--no-stream']],
	])('are the output when %s: one a line, the name and the arguments', async (_, reply, flags) => {
		const {variables} = await startRecording(reply);
		const cwd = createDirectory({'tools.json': tools});
		const run = await runChat([...flags, '--tools', 'tools.json', 'p'], {cwd, variables});
		const [before, after] = flags.length === 0 ? ['Let me see.\n', 'clock {}\n'] : ['', ''];
		expect(run).toEqual({
			stdout: `${before}get_weather {"city":"Paris"}\n${after}`,
			stderr: '',
			exitCode: 0,
		});
	});

	test('count as the answer: neither code nor JSON is missing', async () => {
		const {variables} = await startRecording(streamReply([{call: time}], toCall));
		const cwd = createDirectory({'tools.json': tools});
		for (const flags of [['-x'], ['--response-format', 'json_object']]) {
			const run = await runChat([...flags, '--tools', 'tools.json', 'p'], {cwd, variables});
			expect(run).toEqual({stdout: 'clock {}\n', stderr: '', exitCode: 0});
		}
	});

	test('that were cut are shown, and never runnable', async () => {
		const {variables} = await startRecording(streamReply([{call: paris}], {end: 'reset'}));
		const cwd = createDirectory({'tools.json': tools});
		const options = {cwd, variables};
		const run = await runChat(['-o', 'jsonl', '--tools', 'tools.json', 'p'], options);
		const result = JSON.parse(run.stdout.trim().split('\n').at(-1) ?? '');
		expect(result).toMatchObject({complete: false, tool_calls: [{...paris, runnable: false}]});
		expect(run.exitCode).toBe(79);
	});
});

describe('a tools file', () => {
	const ofCommand = (program: string, parameters: object = {type: 'object'}) =>
		JSON.stringify([{...tool('a', {parameters}), command: [program]}]);
	const mistyped = {type: 'object', properties: {n: {type: 'nummer'}}};

	test.each([
		[ofCommand('sh', mistyped), '[0].function.parameters.properties.n.type must be', ''],
		[ofCommand('/no/such/a'), 'is a program that does not exist: /no/such/a', 'A relative path'],
		[ofCommand('./tools.json'), 'is a file that is not executable: ', 'A relative path'],
	])('with a mistake is refused before anything is sent: %s', async (text, problem, hint) => {
		const {variables, requests} = await startRecording(streamReply(['no']));
		const cwd = createDirectory({'tools.json': text});
		const run = await runChat(['--tools', 'tools.json', 'p'], {cwd, variables});
		expect(run).toMatchObject({stdout: '', exitCode: 65});
		expect(run.stderr).toMatch(/^chat: tools\.json/);
		expect(run.stderr).toContain(problem);
		expect(run.stderr).toContain(hint);
		expect(requests).toEqual([]);
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

	const names = Array.from({length: 10}, (_, index) => `tool_${index}`);
	const many = JSON.stringify(names.map((name) => tool(name)));

	test.each([
		['tools.json', ['--tool-choice', 'date'], /auto, none, required, get_weather, clock/],
		['many.json', ['--allow-tool', 'other'], /must be one of tool_0, .* tool_7 and 2 more\n/],
		[undefined, ['--allow-tool', 'clock'], /--allow-tool needs --tools.*\n.*--tools/],
	])('is what flags choose from: %s %j', async (file, flags, message) => {
		const {variables, requests} = await startRecording(streamReply(['no']));
		const cwd = createDirectory({'tools.json': tools, 'many.json': many});
		const named = file === undefined ? [] : ['--tools', file];
		const run = await runChat([...named, ...flags, 'p'], {cwd, variables});
		expect(run.exitCode).toBe(64);
		expect(run.stderr).toMatch(message);
		expect(requests).toEqual([]);
	});
});
