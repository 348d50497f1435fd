/** Tools of files: what goes out, what is printed of their calls, and mistakes. */
import {expect, test} from 'vitest';
import {parseLines} from '../helpers/json-output.ts';
import {streamReply} from '../helpers/replies.ts';
import {openScene, testRefusals} from '../helpers/run-table.ts';

const tool = (name: string, more: object = {}) => ({type: 'function', function: {name, ...more}});
const city = {type: 'object', properties: {city: {type: 'string'}}};
const files = {
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
	const {run} = await openScene({files, replies});
	expect(await run('--tools tools.json p')).toEqual({
		stdout: 'Let me see.\nget_weather {"city":"Paris"}\nclock {}\n',
		stderr: '',
		exitCode: 0,
	});
	const alone = await openScene({files, replies: [streamReply([{call: time}], toCall)]});
	for (const flags of ['-x', '--response-format json_object']) {
		const answer = await alone.run(`${flags} --tools tools.json p`);
		expect(answer).toEqual({stdout: 'clock {}\n', stderr: '', exitCode: 0});
	}
});

test('calls that were cut are shown, and never runnable', async () => {
	const {run} = await openScene({files, replies: [streamReply([{call: paris}], {end: 'reset'})]});
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
	{files},
);

test('the tools of several files are joined', async () => {
	const {run, service} = await openScene({files});
	await run('--tools tools.json --tools date.json --tool-choice date p');
	const sent = service.bodies()[0]?.['tools'] as ReadonlyArray<ReturnType<typeof tool>>;
	expect(sent.map(({function: {name}}) => name)).toEqual(['get_weather', 'clock', 'date']);
});
