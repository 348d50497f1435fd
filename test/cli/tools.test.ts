/** Sources of tools: their contract, and in whole runs a source without a process, and files. */
import {describe, expect, test} from 'vitest';
import {joinSources} from '../../src/chat/tool-sources.ts';
import {readLine} from '../../src/cli/commands.ts';
import {runChat as runProgram} from '../../src/cli/run/run-chat.ts';
import {
	type OpenToolSource,
	openToolFiles,
	toolSources,
} from '../../src/cli/run/tools/open-tools.ts';
import {processControl} from '../../src/process-environment.ts';
import {openCamera} from '../helpers/camera-source.ts';
import {parseLines} from '../helpers/json-output.ts';
import {errorReply, streamReply} from '../helpers/replies.ts';
import {type RunOptions, runChat} from '../helpers/run-chat.ts';
import {openScene, testRefusals} from '../helpers/run-table.ts';
import {startRecording, type WireBody} from '../helpers/start-service.ts';
import {describeToolSource} from '../helpers/tool-source-contract.ts';
import {createDirectory} from '../input/input-helpers.ts';

const command = (name: string, ...argv: readonly string[]) => ({
	type: 'function',
	function: {
		name,
		parameters: {type: 'object', properties: {at: {type: 'string'}}, required: ['at']},
	},
	command: argv,
});

const files = {
	'tools.json': JSON.stringify([command('echo', 'cat'), command('sleep', 'sleep', '1000')]),
};

async function openFiles() {
	const cwd = createDirectory(files);
	const source = await openToolFiles(
		{tools: ['tools.json'], toolTimeout: 20_000},
		{cwd},
		{variables: process.env, platform: process.platform, processes: processControl},
	);
	if (source === undefined) throw new Error('there is no source');
	return source;
}

const look = {name: 'look', values: {at: 'door'}, unfit: {at: 1}};
const watch = {name: 'watch', values: {}};

describeToolSource('a tools file', {
	open: openFiles,
	call: {name: 'echo', values: {at: 'door'}, unfit: {}},
	endless: {name: 'sleep', values: {at: 'x'}},
});

describeToolSource('two sources in one', {
	async open() {
		const camera = openCamera();
		const joined = joinSources([openCamera(), camera]);
		return Object.assign(joined, {turn: () => camera.turn()});
	},
	call: look,
	endless: watch,
	change: (source) => source.turn(),
});

test('a tool hides those with its name in later sources', () => {
	const [front, back] = [openCamera(), openCamera()];
	back.turn();
	const names = joinSources([front, back]).tools.map(({definition}) => definition.name);
	expect(names).toEqual(['look', 'turn', 'watch', 'print', 'zoom']);
	expect(joinSources([front, back]).tools[0]).toBe(front.tools[0]);
});

/** Runs the program with a camera as one more kind of source. */
async function runWithCamera(
	argv: readonly string[],
	{onLog, ...options}: RunOptions & {readonly onLog?: (line: string) => void} = {},
) {
	const log: string[] = [];
	const openSource: OpenToolSource = async () => ({
		tools: openCamera((line) => {
			log.push(line);
			onLog?.(line);
		}),
	});
	const run = await runChat(argv, {
		...options,
		async program(words, environment) {
			const exitCode = await runProgram(await readLine(words), environment, [
				...toolSources,
				openSource,
			]);
			await environment.stdout.flush();
			return exitCode;
		},
	});
	return {...run, log};
}

const call = (name: string, values: object = {}) =>
	streamReply([{call: {id: 'c1', name, arguments: JSON.stringify(values)}}], {
		finishReason: 'tool_calls',
	});
const namesIn = ({tools}: WireBody) =>
	(tools as ReadonlyArray<{readonly function: {readonly name: string}}>).map(
		(tool) => tool.function.name,
	);

describe('a single answer', () => {
	test('offers what a call has changed in the next step, and asks again for it', async () => {
		const {variables, bodies} = await startRecording(
			call('turn'),
			call('look', {at: 'door'}),
			streamReply(['Done.']),
		);
		const allowed = ['turn', 'look'].flatMap((name) => ['--allow-tool', name]);
		const run = await runWithCamera([...allowed, 'p'], {variables});
		expect(bodies().map(namesIn)).toEqual([
			['look', 'turn', 'watch', 'print'],
			['look', 'turn', 'watch', 'zoom', 'print'],
			['look', 'turn', 'watch', 'zoom', 'print'],
		]);
		expect(run.log).toEqual(['turn {}', 'closed']);
		expect(run.stderr).toContain('turn {} ran\nchat: the camera was turned\n');
		expect(run.stderr).toContain('look was not run: the tool has changed since it was allowed\n');
		expect(run.exitCode).toBe(77);
	});
});

describe('the sources of a run', () => {
	test.each<readonly [name: string, argv: readonly string[], exitCode: number]>([
		['an unknown tool', ['--allow-tool', 'nope', 'p'], 64],
		['a refusal of the service', ['p'], 77],
	])('are closed after %s', async (_, argv, exitCode) => {
		const {variables} = await startRecording(errorReply(401, 'no'));
		const run = await runWithCamera(argv, {variables});
		expect(run).toMatchObject({exitCode, log: ['closed']});
	});

	test('are closed after a signal, when the call has ended', async () => {
		const {variables} = await startRecording(call('watch'));
		let interrupt = () => {};
		const run = await runWithCamera(['--allow-tool', 'watch', 'p'], {
			variables,
			onListening: (send) => {
				interrupt = () => send('SIGINT');
			},
			onLog: (line) => line === 'watch {}' && interrupt(),
		});
		expect(run).toMatchObject({exitCode: 130, log: ['watch {}', 'closed']});
	});
});

const tool = (name: string, more: object = {}) => ({type: 'function', function: {name, ...more}});
const city = {type: 'object', properties: {city: {type: 'string'}}};
const toolFiles = {
	'tools.json': JSON.stringify([tool('get_weather', {parameters: city}), tool('clock')]),
	'date.json': JSON.stringify(tool('date')),
	'clock.json': JSON.stringify(tool('clock')),
	'many.json': JSON.stringify([...Array(10).keys()].map((place) => tool(`tool_${place}`))),
};
const paris = {id: 'call_1', name: 'get_weather', arguments: '{ "city": "Paris" }'};
const time = {id: 'call_2', name: 'clock', arguments: '{}'};
const toCall = {finishReason: 'tool_calls'};

test('calls are the output, one a line, so that neither code nor JSON is missing', async () => {
	const replies = [streamReply(['Let me see.', {call: paris}, {call: time}], toCall)];
	const {run} = await openScene({files: toolFiles, replies});
	expect(await run('--tools tools.json p')).toEqual({
		stdout: 'Let me see.\nget_weather {"city":"Paris"}\nclock {}\n',
		stderr: '',
		exitCode: 0,
	});
	const alone = await openScene({files: toolFiles, replies: [streamReply([{call: time}], toCall)]});
	for (const flags of ['-x', '--response-format json_object']) {
		const answer = await alone.run(`${flags} --tools tools.json p`);
		expect(answer).toEqual({stdout: 'clock {}\n', stderr: '', exitCode: 0});
	}
});

test('calls that were cut are shown, and never runnable', async () => {
	const {run} = await openScene({
		files: toolFiles,
		replies: [streamReply([{call: paris}], {end: 'reset'})],
	});
	const {stdout, exitCode} = await run('-o jsonl --tools tools.json p');
	const result = {complete: false, tool_calls: [{...paris, runnable: false}]};
	expect(parseLines(stdout).at(-1)).toMatchObject(result);
	expect(exitCode).toBe(79);
});

const ofCommand = (program: string, parameters: object = {type: 'object'}) => {
	const text = JSON.stringify([{...tool('a', {parameters}), command: [program]}]);
	return {files: {'a.json': text}};
};
const mistyped = {type: 'object', properties: {n: {type: 'nummer'}}};
testRefusals(
	'a mistake is found before anything is sent',
	[
		['--tools a.json p', 65, /a\.json.*\[0\].*properties\.n\.type must/, ofCommand('sh', mistyped)],
		['--tools a.json p', 65, /does not exist: \/no\/a\n.*A relative path/, ofCommand('/no/a')],
		[
			'--tools a.json p',
			65,
			'a.json: [0].command[0] is a file that is not ex',
			ofCommand('./a.json'),
		],
		['--tools tools.json --tools clock.json p', 65, 'clock.json: function.name "clock" is already'],
		['--tools tools.json --tool-choice x p', 64, /auto, none, required, get_weather, clock/],
		['--tools many.json --allow-tool x p', 64, /must be one of tool_0, .* tool_7 and 2 more\n/],
		['--allow-tool clock p', 64, /--allow-tool needs --tools.*\n.*--tools/],
	],
	{files: toolFiles},
);

test('the tools of several files are joined', async () => {
	const {run, service} = await openScene({files: toolFiles});
	await run('--tools tools.json --tools date.json --tool-choice date p');
	const sent = service.bodies()[0]?.['tools'] as ReadonlyArray<ReturnType<typeof tool>>;
	expect(sent.map(({function: {name}}) => name)).toEqual(['get_weather', 'clock', 'date']);
});
