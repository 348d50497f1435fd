/** Answers by a schema: stdout gets JSON that fits it, or nothing. */
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {parseLines, parseResult} from '../helpers/json-output.ts';
import {errorReply, streamReply} from '../helpers/replies.ts';
import {wordsOf} from '../helpers/run-chat.ts';
import {type Given, openScene, testRefusals} from '../helpers/run-table.ts';

const schema = {
	type: 'object',
	properties: {name: {type: 'string'}, age: {type: 'integer'}},
	required: ['name'],
	additionalProperties: false,
};
const files = {'person.schema.json': JSON.stringify(schema)};
const flags = '--json-schema person.schema.json';
const ada = '{"name":"Ada"}';
const fits = {stdout: `${ada}\n`, stderr: '', exitCode: 0};

/** Opens a folder with the schema, and a service with these answers. */
const open = (answers: readonly string[], more: Given = {}) =>
	openScene({files, replies: answers.map((text) => streamReply([text])), ...more});

describe('--json-schema', () => {
	test.each([
		['person.schema.json', 'person'],
		[JSON.stringify({...schema, title: 'A person'}), 'A_person'],
		['name, age? int', 'answer'],
	])('sends %s under a name, and prints what fits it', async (written, name) => {
		const {run, service} = await open([ada]);
		expect(await run(['--json-schema', written, 'p'])).toEqual(fits);
		expect(service.bodies()[0]?.['response_format']).toEqual({
			type: 'json_schema',
			json_schema: {name, schema: expect.objectContaining(schema)},
		});
	});

	const itn = /^chat: json-schema in the profile p: line 1, column 3: /;
	testRefusals(
		'is refused with the place of the mistake',
		[
			['--json-schema ["name"] p', 65, /^chat: --json-schema is not a JSON Schema: .* an object\n/],
			['--json-schema {"type":"objekt"} p', 65, /^chat: --json-schema: type must be .*\n.*2020-12/],
			['--json-schema person.json p', 66, /^chat: no such file: person.*\n {6}A schema is a/],
			[
				'--profile p p',
				78,
				itn,
				{config: {profiles: {p: {'base-url': 'http://127.0.0.1:1', 'json-schema': 'a itn'}}}},
			],
			['--json-schema name -x p', 64, '-x cannot be used with --json-schema'],
			...[
				['{"properties":{"a":{"minimum":"1"}}}', 'properties.a.minimum must be number'],
				['{"properties":{"a":{"$async":true,"type":"string"}}}', 'cannot be used'],
				[
					'{"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}},"$ref":"#/$defs/a"}',
					'cannot be used: the schema refers to itself without end',
				],
			].map(([text = '', message = '']) => {
				const given = {files: {'s.json': text}};
				return ['--json-schema s.json p', 65, message, given] as const;
			}),
		],
		{files},
	);

	test('is taken from a profile, where paths start at its file, and from a variable', async () => {
		const {run, service, directory} = await open([ada], {
			config: {
				profiles: {
					file: {'json-schema': 's.json'},
					object: {'json-schema': {...schema, title: 'Person'}},
				},
			},
		});
		writeFileSync(join(directory, 's.json'), JSON.stringify(schema));
		const json_schema = expect.objectContaining({type: 'json_schema'});
		const named = (name: string) =>
			expect.objectContaining({json_schema: expect.objectContaining({name})});
		for (const [line, variables, format] of [
			['--profile file p', {}, named('s')],
			['--profile object p', {}, named('Person')],
			[['--profile', 'file', '--json-schema', '', 'p'], {}, undefined],
			['p', {CHAT_JSON_SCHEMA: 'name'}, named('answer')],
			['p', {CHAT_JSON_SCHEMA: ''}, undefined],
			['--json-schema name p', {CHAT_RESPONSE_FORMAT: 'json_object'}, json_schema],
			['--response-format text p', {CHAT_JSON_SCHEMA: 'name'}, {type: 'text'}],
		] as const) {
			expect(await run(line, {variables})).toEqual(fits);
			expect(service.bodies().at(-1)?.['response_format']).toEqual(format);
		}
	});
});

describe('an answer', () => {
	test.each([
		['{"age":"x"}', "it must have required property 'name'"],
		['```json\n{"name":1}\n```', 'name must be string'],
	])('that does not fit is asked for again, with what is wrong: %j', async (wrong, problem) => {
		const {run, service} = await open([wrong, ada]);
		const stderr = expect.stringMatching(/^chat: the answer [^\n]+; retrying\n$/);
		const answer = await run(`${flags} p`);
		expect(answer).toEqual({...fits, stderr});
		expect(answer.stderr).toContain(problem);
		const messages = service.bodies()[1]?.messages;
		expect(messages?.map(({role}) => role)).toEqual(['user', 'assistant', 'user']);
		expect(messages?.[1]?.content).toBe(wrong);
		expect(messages?.[2]?.content).toContain(problem);
		expect(messages?.[2]?.content).toContain(JSON.stringify(schema));
	});

	test.each([
		['', 2],
		['--schema-repairs 0', 1],
	] as const)('has its number of repairs: %s %i', async (more, count) => {
		const {run, service} = await open(['{"age":1}']);
		const {stdout, stderr, exitCode} = await run(`${flags} ${more} p`);
		expect({stdout, exitCode}).toEqual({stdout: '', exitCode: 65});
		expect(stderr).toContain('{"age":1}\n');
		expect(stderr).toContain('the answer does not match the schema: it must have required');
		expect(service.requests).toHaveLength(count);
	});

	test('that was repaired, or not, is reported in JSON with the tokens of all requests', async () => {
		const usage = {prompt_tokens: 100, completion_tokens: 10, details: {cached: 4}, tier: 'a'};
		const {run} = await open([], {
			replies: [
				streamReply(['no'], {usage}),
				streamReply([ada], {usage: {...usage, completion_tokens: 7}}),
				streamReply(['no']),
			],
		});
		const repaired = await run(`${flags} -o json p`);
		expect(parseResult(repaired.stdout)).toMatchObject({
			content: ada,
			usage: {prompt_tokens: 100, completion_tokens: 7},
			total_usage: {prompt_tokens: 200, completion_tokens: 17, details: {cached: 8}, tier: 'a'},
			steps: 2,
		});
		const {stdout, exitCode} = await run(`${flags} -o jsonl p`);
		const last = parseLines(stdout).at(-1);
		expect([exitCode, last]).toMatchObject([65, {complete: true, error: {kind: 'data'}}]);
		expect(stdout).toContain('"type":"answer-rejected","problem":"is not valid JSON"');
	});

	const removed = 'chat: the code fence around the JSON was removed\n';

	test.each([
		[flags, removed],
		['--response-format json_object', removed],
	])('loses the code fence around it: %s', async (form, stderr) => {
		const {run, service} = await open(['```json\n{"name":"Ada"}\n```\n']);
		expect(await run(`${form} p`)).toEqual({...fits, stderr});
		expect(service.requests).toHaveLength(1);
		const lines = parseLines((await run(`${form} -o jsonl p`)).stdout);
		expect(lines).toContainEqual({type: 'answer-unwrapped', text: ada});
		expect(lines.at(-1)).toMatchObject({content: ada, notices: [{code: 'fence-removed'}]});
	});

	test('that is a refusal is not asked for again', async () => {
		const {run, service} = await open([], {replies: [streamReply([{refusal: 'I cannot.'}])]});
		const stderr = 'chat: the model refused: I cannot.\n';
		expect(await run(`${flags} p`)).toEqual({stdout: '', stderr, exitCode: 79});
		expect(service.requests).toHaveLength(1);
	});

	const draft07 = {
		$schema: 'http://json-schema.org/draft-07/schema#',
		properties: {pair: {items: [{type: 'string'}, {$ref: '#/definitions/count'}]}},
		definitions: {count: {type: 'number'}},
	};
	const endless = {properties: {a: {$ref: '#/$defs/x'}}, $defs: {x: {not: {$ref: '#/$defs/x'}}}};
	const tree = {type: 'object', properties: {left: {$ref: '#'}, right: {$ref: '#'}}};
	const unchecked = 'chat: the answer cannot be checked: the ';

	test.each<[string, object, string, number, string]>([
		['the rules of draft-07', draft07, '{"pair":["a","b"]}', 65, 'pair'],
		['a schema that refers to itself', tree, '{"left":{"right":{}}}', 0, ''],
		['own properties', {required: ['__proto__']}, '{}', 65, "required property '__proto__'"],
		['no endless reference', endless, '{"a":1}', 65, unchecked],
	])('is checked by %s: %j', async (_, written, answer, code, message) => {
		const {run} = await open([answer], {files: {'s.json': JSON.stringify(written)}});
		const {stdout, stderr, exitCode} = await run('--json-schema s.json --schema-repairs 0 p');
		expect({stdout, exitCode}).toEqual({stdout: code === 0 ? `${answer}\n` : '', exitCode: code});
		expect(stderr).toContain(message);
	});
});

test('a service that refuses the schema gets it in the system message', async () => {
	const words = "Invalid value for 'response_format': 'json_schema' is not supported";
	const {run, service} = await open([], {replies: [errorReply(400, words), streamReply([ada])]});
	expect(await run([...wordsOf(flags), '-s', 'Be brief.', 'p'])).toEqual({
		...fits,
		stderr: `chat: the service refused the JSON Schema; retrying with it in the system message: ${words}\n`,
	});
	const [, second] = service.bodies();
	expect(second?.['response_format']).toEqual({type: 'json_object'});
	const content = `Be brief.\n\nAnswer with nothing but JSON that fits this JSON Schema:\n${JSON.stringify(schema)}`;
	expect(second?.messages).toEqual([
		{role: 'system', content},
		{role: 'user', content: 'p'},
	]);
});
