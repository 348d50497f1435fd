/** Answers by a schema: stdout gets JSON that fits it, or nothing. */
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {parseLines, parseResult} from '../helpers/json-output.ts';
import {errorReply, streamReply} from '../helpers/replies.ts';
import {runChat} from '../helpers/run-chat.ts';
import {createHome} from '../helpers/settings-home.ts';
import {startRecording} from '../helpers/start-service.ts';
import {createDirectory} from '../input/input-helpers.ts';

const schema = {
	type: 'object',
	properties: {name: {type: 'string'}, age: {type: 'integer'}},
	required: ['name'],
	additionalProperties: false,
};
const files = {'person.schema.json': JSON.stringify(schema)};
const flags = ['--json-schema', 'person.schema.json'];

describe('--json-schema', () => {
	test('sends the schema under a name, and prints what fits it', async () => {
		const {variables, bodies} = await startRecording(streamReply(['{"name":', '"Ada"}']));
		const run = await runChat([...flags, 'p'], {cwd: createDirectory(files), variables});
		expect(run).toEqual({stdout: '{"name":"Ada"}\n', stderr: '', exitCode: 0});
		expect(bodies()[0]?.['response_format']).toEqual({
			type: 'json_schema',
			json_schema: {name: 'person', schema},
		});
	});

	test.each([
		['JSON', JSON.stringify({...schema, title: 'A person'}), 'A_person'],
		['JSON without a title', ` ${JSON.stringify(schema)}`, 'answer'],
		['fields', 'name, age? int', 'answer'],
	])('takes a schema as %s', async (_, written, name) => {
		const {variables, bodies} = await startRecording(streamReply(['{"name":"Ada"}']));
		const run = await runChat(['--json-schema', written, 'p'], {variables});
		expect(run).toEqual({stdout: '{"name":"Ada"}\n', stderr: '', exitCode: 0});
		expect(bodies()[0]?.['response_format']).toEqual({
			type: 'json_schema',
			json_schema: {name, schema: expect.objectContaining(schema)},
		});
	});

	test.each([
		[
			'{"type":}',
			65,
			/^chat: --json-schema is not valid JSON: line 1, column 9: expected a value\n/,
		],
		['["name"]', 65, /^chat: --json-schema is not a JSON Schema: it must be an object\n/],
		[
			'{"type":"objekt"}',
			65,
			/^chat: --json-schema: type must be one of "array", "boolean", .*\n.*2020-12/,
		],
		[
			'name, age itn',
			65,
			/^chat: --json-schema: line 1, column 11: unknown type itn: .*\n.*tags\[\]\n$/,
		],
		['name\nage itn', 65, /^chat: --json-schema: line 2, column 5: unknown type itn/],
		['person.json', 66, /^chat: no such file: person\.json\n {6}A schema is a file/],
		['schemas/person', 66, /^chat: no such file: schemas\/person\n/],
		['https://example.com/s', 66, /^chat: no such file: https:/],
		['C:\\s', 66, /^chat: no such file: C:/],
		['address.city, name', 66, /^chat: no such file: .*\n.*name, age int, tags\[\]\n$/],
	])('refuses %j, and says where the mistake is', async (written, exitCode, stderr) => {
		const {variables, requests} = await startRecording(streamReply(['no']));
		const run = await runChat(['--json-schema', written, 'p'], {variables});
		expect(run).toEqual({stdout: '', stderr: expect.stringMatching(stderr), exitCode});
		expect(requests).toEqual([]);
	});

	test('is taken from a profile, where paths start at its file, and from a variable', async () => {
		const {source, directory} = createHome({
			config: {
				profiles: {
					file: {'json-schema': 's.json'},
					fields: {'json-schema': 'name'},
					object: {'json-schema': {...schema, title: 'Person'}},
				},
			},
		});
		writeFileSync(join(directory, 's.json'), JSON.stringify(schema));
		const {variables, bodies} = await startRecording(streamReply(['{"name":"Ada"}']));
		const run = (argv: readonly string[], more = {}) =>
			runChat([...argv, 'p'], {...source, variables: {...variables, ...more}});
		const fits = {stdout: '{"name":"Ada"}\n', stderr: '', exitCode: 0};
		expect(await run(['--profile', 'file'])).toEqual(fits);
		expect(await run(['--profile', 'fields'])).toEqual(fits);
		expect(await run(['--profile', 'object'])).toEqual(fits);
		expect(await run(['--profile', 'fields', '--json-schema', ''])).toEqual(fits);
		expect(await run([], {CHAT_JSON_SCHEMA: 'name'})).toEqual(fits);
		expect(await run([], {CHAT_JSON_SCHEMA: ''})).toEqual(fits);
		const names = bodies().map(
			({response_format: format}) =>
				(format as {json_schema: {name: string}} | undefined)?.json_schema.name,
		);
		expect(names).toEqual(['s', 'answer', 'Person', undefined, 'answer', undefined]);
	});

	test.each([
		['--json-schema', 'name', {CHAT_RESPONSE_FORMAT: 'json_object'}, 'json_schema'],
		['--response-format', 'text', {CHAT_JSON_SCHEMA: 'name'}, 'text'],
	])('%s %s wins over another form that is stored', async (flag, value, stored, type) => {
		const {variables, bodies} = await startRecording(streamReply(['{"name":"Ada"}']));
		const options = {variables: {...variables, ...stored}};
		const run = await runChat([flag, value, 'p'], options);
		expect(run).toEqual({stdout: '{"name":"Ada"}\n', stderr: '', exitCode: 0});
		expect(bodies()[0]).toMatchObject({response_format: {type}});
	});

	test.each([
		['CHAT_JSON_SCHEMA', [], /^chat: CHAT_JSON_SCHEMA: line 1, column 3: unknown type itn/],
		['a profile', ['--profile', 'p'], /^chat: json-schema in the profile p: line 1, column 3: /],
	])('with a mistake in %s names that place', async (_, flags, stderr) => {
		const {source} = createHome({config: {profiles: {p: {'json-schema': 'a itn'}}}});
		const {variables} = await startRecording(streamReply(['no']));
		const more = flags.length === 0 ? {CHAT_JSON_SCHEMA: 'a itn'} : {};
		const options = {...source, variables: {...variables, ...more}};
		const run = await runChat([...flags, 'p'], options);
		expect(run).toEqual({stdout: '', stderr: expect.stringMatching(stderr), exitCode: 78});
	});

	test.each(['toString', 'constructor', '__proto__'])(
		'knows only own properties: %s',
		async (name) => {
			const {variables} = await startRecording(streamReply(['{}']));
			const properties = {toString: {type: 'string'}, constructor: {type: 'string'}};
			const cwd = createDirectory({
				'required.json': JSON.stringify({type: 'object', required: [name]}),
				'optional.json': JSON.stringify({type: 'object', properties}),
			});
			const missing = await runChat(['--json-schema', 'required.json', 'p'], {cwd, variables});
			expect(missing).toMatchObject({stdout: '', exitCode: 65});
			expect(missing.stderr).toContain(`must have required property '${name}'`);
			const absent = await runChat(['--json-schema', 'optional.json', 'p'], {cwd, variables});
			expect(absent).toMatchObject({stdout: '{}\n', exitCode: 0});
		},
	);

	test.each([
		['does not fit', '{"age":"x"}', "it must have required property 'name'"],
		['is fenced and does not fit', '```json\n{"name":1}\n```', 'name must be string'],
		['has words before it', 'Here: {"name":"Ada"}', 'is not valid JSON'],
	])('asks again for an answer that %s, with what is wrong', async (_, wrong, problem) => {
		const {variables, bodies} = await startRecording(
			streamReply([wrong]),
			streamReply(['{"name":"Ada"}']),
		);
		const run = await runChat([...flags, 'p'], {cwd: createDirectory(files), variables});
		expect(run).toEqual({
			stdout: '{"name":"Ada"}\n',
			stderr: expect.stringMatching(/^chat: the answer [^\n]+; retrying\n$/),
			exitCode: 0,
		});
		expect(run.stderr).toContain(problem);
		const messages = bodies()[1]?.messages;
		expect(messages?.map(({role}) => role)).toEqual(['user', 'assistant', 'user']);
		expect(messages?.[1]?.content).toBe(wrong);
		expect(messages?.[2]?.content).toContain(problem);
		expect(messages?.[2]?.content).toContain(JSON.stringify(schema));
	});

	const fenced = streamReply(['```json\n{"name":', '"Ada"}\n```\n']);

	test.each([
		['of the schema', flags, 'chat: the code fence around the JSON was removed\n'],
		['of the schema, quietly', [...flags, '-q'], ''],
		[
			'of an object',
			['--response-format', 'json_object'],
			'chat: the code fence around the JSON was removed\n',
		],
	])('removes the code fence around an answer with the form %s', async (_, form, stderr) => {
		const {variables, requests} = await startRecording(fenced);
		const run = await runChat([...form, 'p'], {cwd: createDirectory(files), variables});
		expect(run).toEqual({stdout: '{"name":"Ada"}\n', stderr, exitCode: 0});
		expect(requests).toHaveLength(1);
	});

	test('gets the word JSON into a message if the service requires it', async () => {
		const {variables, bodies} = await startRecording(
			errorReply(
				400,
				"'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
			),
			streamReply(['{}']),
		);
		const run = await runChat(['--response-format', 'json_object', 'p'], {variables});
		expect(run).toEqual({
			stdout: '{}\n',
			stderr:
				'chat: this service needs the word JSON in a message; retrying with it in the system message\n',
			exitCode: 0,
		});
		expect(bodies()[1]).toMatchObject({
			response_format: {type: 'json_object'},
			messages: [{role: 'system', content: expect.stringContaining('JSON')}, {role: 'user'}],
		});
	});

	test('reports the removed code fence in JSON output', async () => {
		const {variables} = await startRecording(fenced);
		const options = {cwd: createDirectory(files), variables};
		const {stdout} = await runChat([...flags, '-o', 'json', 'p'], options);
		expect(parseResult(stdout)).toMatchObject({
			content: '{"name":"Ada"}',
			notices: [{code: 'fence-removed'}],
			error: null,
		});
		const lines = await runChat([...flags, '-o', 'jsonl', 'p'], options);
		expect(parseLines(lines.stdout)).toContainEqual({
			type: 'answer-unwrapped',
			text: '{"name":"Ada"}',
		});
	});

	test('counts the tokens of all requests, beside those of the last one', async () => {
		const usage = {prompt_tokens: 100, completion_tokens: 10, details: {cached: 4}, tier: 'a'};
		const {variables} = await startRecording(
			streamReply(['no'], {usage}),
			streamReply(['{"name":"Ada"}'], {usage: {...usage, completion_tokens: 7}}),
		);
		const options = {cwd: createDirectory(files), variables};
		const run = await runChat([...flags, '-o', 'json', 'p'], options);
		expect(parseResult(run.stdout)).toMatchObject({
			usage: {prompt_tokens: 100, completion_tokens: 7},
			total_usage: {
				prompt_tokens: 200,
				completion_tokens: 17,
				details: {cached: 8},
				tier: 'a',
			},
			steps: 2,
		});
	});

	test('does not ask again after a refusal', async () => {
		const {variables, requests} = await startRecording(streamReply([{refusal: 'I cannot.'}]));
		const run = await runChat([...flags, 'p'], {cwd: createDirectory(files), variables});
		expect(run).toEqual({
			stdout: '',
			stderr: 'chat: the model refused: I cannot.\n',
			exitCode: 79,
		});
		expect(requests).toHaveLength(1);
	});

	test.each([
		['text', []],
		['text on a terminal', ['stdout', 'stderr']],
	] as const)('gives up after one repair: %s', async (_, terminals) => {
		const {variables, requests} = await startRecording(streamReply(['{"age":1}']));
		const options = {cwd: createDirectory(files), variables, terminals};
		const run = await runChat([...flags, 'p'], options);
		expect(run).toMatchObject({stdout: '', exitCode: 65});
		expect(run.stderr).toContain('{"age":1}\n');
		// A terminal wraps it.
		expect(run.stderr.replace(/\s+/g, ' ')).toContain(
			'the answer does not match the schema: it must have required',
		);
		expect(requests).toHaveLength(2);
	});

	test('asks again as often as --schema-repairs says', async () => {
		const {variables, requests} = await startRecording(streamReply(['no']));
		const options = {cwd: createDirectory(files), variables};
		await runChat([...flags, '--schema-repairs', '0', 'p'], options);
		expect(requests).toHaveLength(1);
		await runChat([...flags, '--schema-repairs', '2', 'p'], options);
		expect(requests).toHaveLength(4);
	});

	test.each([
		['json', 'json'],
		['jsonl', 'jsonl'],
	])('is reported in %s as the final answer, or as an error', async (format) => {
		const cwd = createDirectory(files);
		const repaired = await startRecording(streamReply(['no']), streamReply(['{"name":"Ada"}']));
		const {variables} = repaired;
		const run = await runChat([...flags, '-o', format, 'p'], {cwd, variables});
		expect(run.exitCode).toBe(0);
		if (format === 'json') expect(parseResult(run.stdout).content).toBe('{"name":"Ada"}');
		else expect(run.stdout).toContain('"type":"answer-rejected","problem":"is not valid JSON"');
		const hopeless = await startRecording(streamReply(['no']));
		const failed = await runChat([...flags, '-o', format, 'p'], {
			cwd,
			variables: hopeless.variables,
		});
		expect(failed.exitCode).toBe(65);
		const last = failed.stdout.trim().split('\n').at(-1) ?? '';
		expect(JSON.parse(last)).toMatchObject({complete: true, error: {kind: 'data'}});
	});

	test.each([
		"Invalid value for 'response_format': 'json_schema' is not supported",
		"Invalid schema for response_format 'person': 'additionalProperties' is required",
		'JSON schema conversion failed: unrecognized schema',
		'generation_config.response_schema: should be non-empty for OBJECT type',
	])('goes into the system message for a service that says: %s', async (words) => {
		const {variables, bodies} = await startRecording(
			errorReply(400, words),
			streamReply(['{"name":"Ada"}']),
		);
		const argv = [...flags, '-s', 'Be brief.', 'p'];
		const run = await runChat(argv, {cwd: createDirectory(files), variables});
		expect(run).toEqual({
			stdout: '{"name":"Ada"}\n',
			stderr: `chat: the service refused the JSON Schema; retrying with it in the system message: ${words}\n`,
			exitCode: 0,
		});
		const [, second] = bodies();
		expect(second?.['response_format']).toEqual({type: 'json_object'});
		const [system, user] = second?.messages ?? [];
		expect(system?.content).toBe(
			`Be brief.\n\nAnswer with nothing but JSON that fits this JSON Schema:\n${JSON.stringify(schema)}`,
		);
		expect(user).toEqual({role: 'user', content: 'p'});
	});

	test.each([
		['{', 's.json is not valid JSON: line 1, column 2: unexpected end'],
		['[]', 's.json is not a JSON Schema'],
		['{"type":"objekt"}', 's.json: type must be'],
		['{"properties":{"a":{"minimum":"1"}}}', 's.json: properties.a.minimum must be number'],
		['{"$ref":"#/$defs/none"}', 's.json cannot be used'],
		['{"$async":true,"type":"object"}', 's.json: $async is not supported'],
		['{"properties":{"a":{"$async":true,"type":"string"}}}', 's.json cannot be used'],
		['{"$ref":"#"}', 's.json cannot be used: the schema refers to itself without end'],
		['{"anyOf":[{"$ref":"#"}]}', 's.json cannot be used: the schema refers to itself'],
		[
			'{"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}},"$ref":"#/$defs/a"}',
			's.json cannot be used: the schema refers to itself without end',
		],
		['{"$schema":"http://json-schema.org/draft-04/schema#"}', 's.json: $schema must be'],
		['{"$schema":"constructor"}', 's.json: $schema must be'],
	])('refuses %s before anything is sent', async (text, message) => {
		const {variables, requests} = await startRecording(streamReply(['no']));
		const cwd = createDirectory({'s.json': text});
		const run = await runChat(['--json-schema', 's.json', 'p'], {cwd, variables});
		expect(run).toMatchObject({stdout: '', exitCode: 65});
		expect(run.stderr).toContain(`chat: ${message}`);
		expect(requests).toEqual([]);
	});

	test.each([
		['["a",1]', 0],
		['["a","b"]', 65],
	])('of draft-07 checks the answer %s by its own rules', async (pair, exitCode) => {
		const draft07 = {
			$schema: 'http://json-schema.org/draft-07/schema#',
			properties: {pair: {items: [{type: 'string'}, {$ref: '#/definitions/count'}]}},
			definitions: {count: {type: 'number'}},
		};
		const cwd = createDirectory({'s.json': JSON.stringify(draft07)});
		const {variables} = await startRecording(streamReply([`{"pair":${pair}}`]));
		const run = await runChat(['--json-schema', 's.json', 'p'], {cwd, variables});
		expect(run.exitCode).toBe(exitCode);
	});

	test('takes a schema that refers to itself for the parts of a value', async () => {
		const tree = {type: 'object', properties: {left: {$ref: '#'}, right: {$ref: '#'}}};
		const {variables} = await startRecording(streamReply(['{"left":{"right":{}}}']));
		const cwd = createDirectory({'tree.json': JSON.stringify(tree)});
		const run = await runChat(['--json-schema', 'tree.json', 'p'], {cwd, variables});
		expect(run).toEqual({stdout: '{"left":{"right":{}}}\n', stderr: '', exitCode: 0});
	});

	test.each([
		['a pattern that takes hours', {items: {pattern: '^(a+)+$'}}, `["${'a'.repeat(40)}!"]`],
		[
			'an endless reference below a property',
			{properties: {a: {$ref: '#/$defs/x'}}, $defs: {x: {not: {$ref: '#/$defs/x'}}}},
			'{"a":1}',
		],
	])('cannot check an answer against %s', async (_, endless, answer) => {
		const {variables} = await startRecording(streamReply([answer]));
		const cwd = createDirectory({'s.json': JSON.stringify(endless)});
		const run = await runChat(['--json-schema', 's.json', 'p'], {cwd, variables});
		expect(run).toMatchObject({stdout: '', exitCode: 65});
		expect(run.stderr).toContain('chat: the answer cannot be checked: the ');
	});

	test('cannot be used with options for another form', async () => {
		const cwd = createDirectory(files);
		for (const other of [['-x'], ['--response-format', 'json_object']]) {
			expect((await runChat([...flags, ...other, 'p'], {cwd})).exitCode).toBe(64);
		}
	});
});
