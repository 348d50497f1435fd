/** Sources of tools: their contract, and a source without a process in whole runs. */
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
import {errorReply, streamReply} from '../helpers/replies.ts';
import {type RunOptions, runChat} from '../helpers/run-chat.ts';
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
