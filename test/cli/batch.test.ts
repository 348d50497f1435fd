/** `chat batch`: lines in, answers out, and how it continues. */
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import type {InterruptSignal} from '../../src/errors.ts';
import type {JsonObject} from '../../src/json.ts';
import {errorReply, streamReply} from '../helpers/replies.ts';
import {type RunOptions, runChat} from '../helpers/run-chat.ts';
import {createHome, modeOf} from '../helpers/settings-home.ts';
import {startPathService} from '../helpers/start-path-service.ts';
import {startRecording} from '../helpers/start-service.ts';

/** Opens a folder with `in.jsonl`; values that are not texts are written as JSON. */
function openFolder(lines: readonly unknown[], variables: Record<string, string> = {}) {
	const {source, home} = createHome();
	const cwd = join(home, 'work');
	mkdirSync(cwd);
	const write = (name: string, all: readonly unknown[]) => {
		const texts = all.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
		writeFileSync(join(cwd, name), texts.map((text) => `${text}\n`).join(''));
	};
	write('in.jsonl', lines);
	const output = join(cwd, 'out.jsonl');
	return {
		write: (...all: readonly unknown[]) => write('in.jsonl', all),
		file: (name: string, text: string) => writeFileSync(join(cwd, name), text),
		output,
		answers: () => (existsSync(output) ? parseAnswers(readFileSync(output, 'utf8')) : []),
		run: (flags = '', options: RunOptions = {}) =>
			runChat(`batch in.jsonl -o out.jsonl -j 1 ${flags}`, {...source, cwd, variables, ...options}),
		chat: (line: string, options: RunOptions = {}) =>
			runChat(line, {...source, cwd, variables, ...options}),
	};
}

function parseAnswers(text: string): readonly JsonObject[] {
	const lines = text.split('\n').slice(0, -1);
	return lines.map((line) => JSON.parse(line));
}

const say = (text: string) => streamReply([text]);

test('each line is a request, with the flags as its defaults', async () => {
	const service = await startRecording(say('one'), say('two'), say('{"age": 3}'), say('four'));
	const folder = openFolder(
		[
			'"first"',
			{id: 'b', prompt: 'second', system: 'own', model: 'other', files: ['a.txt']},
			{prompt: 'third', schema: 'age int'},
			{custom_id: 'd', body: {messages: [{role: 'user', content: 'fourth'}], top_k: 4}},
		],
		service.variables,
	);
	folder.file('a.txt', 'of the line');
	folder.file('all.txt', 'of all');
	const run = await folder.run('-m any -s shared -f all.txt --temperature 0.5');
	expect(run).toMatchObject({exitCode: 0, stdout: ''});
	expect(run.stderr).toMatch(/^chat: 4 of 4 lines answered in .*\n$/);
	const bodies = service.bodies();
	expect(bodies.map(({model, temperature, top_k}) => [model, temperature, top_k])).toEqual([
		['any', 0.5, undefined],
		['other', 0.5, undefined],
		['any', 0.5, undefined],
		['any', 0.5, 4],
	]);
	const texts = bodies.map(({messages = []}) => messages.map(({content}) => String(content)));
	expect(texts.map(([system]) => system)).toEqual(['shared', 'own', 'shared', 'shared']);
	expect(texts[1]?.[1]).toMatch(/of all.*of the line.*second$/s);
	expect(bodies[2]).toHaveProperty('response_format.json_schema.schema.properties.age');
	const answers = folder.answers();
	expect(answers.map(({id, content, exit_code}) => [id, content, exit_code])).toEqual([
		['line-1', 'one', 0],
		['b', 'two', 0],
		['line-3', '{"age": 3}', 0],
		['d', 'four', 0],
	]);
	expect(Object.keys(answers[0] ?? {}).slice(0, 5)).toEqual([
		...['id', 'hash', 'exit_code', 'reply_id', 'model'],
	]);
	expect(modeOf(folder.output)).toBe('600');
});

test('a template gets the text and the parameters of each line', async () => {
	const service = await startRecording(say('ok'));
	const folder = openFolder(
		[{prompt: 'good day', params: {to: 'Welsh'}}, {prompt: 'hello'}],
		service.variables,
	);
	const front = 'system: You speak $to.\nparams:\n  to:\n  style: plain';
	folder.file('t.md', `---\n${front}\n---\nTranslate to $to, $style: $ARGUMENTS`);
	expect(await folder.run('-t ./t.md -p to=Latin')).toMatchObject({exitCode: 0});
	const texts = service.bodies().map(({messages}) => messages?.map(({content}) => content));
	expect(texts).toEqual([
		['You speak Welsh.', 'Translate to Welsh, plain: good day'],
		['You speak Latin.', 'Translate to Latin, plain: hello'],
	]);
	const lacking = await folder.run('-t ./t.md');
	expect(lacking).toMatchObject({exitCode: 65});
	expect(lacking.stderr).toContain('in.jsonl line 2: the template t needs to: params "to": "…"');
});

test('a file without JSON, from a pipe to a pipe, has a prompt a line', async () => {
	const service = await startRecording(say('ok'));
	const folder = openFolder([], service.variables);
	const run = await folder.chat('batch - -j 1', {stdin: '\ufeffWhy?\r\n\n{"x": 1}\r\n'});
	expect(run.exitCode).toBe(0);
	expect(parseAnswers(run.stdout).map(({id}) => id)).toEqual(['line-1', 'line-3']);
	expect(service.bodies().map(({messages}) => messages?.at(-1)?.content)).toEqual([
		'Why?',
		'{"x": 1}',
	]);
});

describe('a second run', () => {
	test('asks what is new or changed, keeps failures, and retries them on request', async () => {
		const refuse = errorReply(400, 'no');
		const service = await startRecording(say('one'), refuse, say('three'), say('four'));
		const folder = openFolder(['"a"', '"b"'], service.variables);
		const first = await folder.run();
		expect(first.exitCode).toBe(65);
		expect(first.stderr).toMatch(/line-2: .*: no\n.*1 failed.*--retry-failed/s);
		folder.write('"a"', '"b"', '"c"');
		expect(await folder.run()).toMatchObject({exitCode: 65});
		expect(folder.answers().map(({content}) => content)).toEqual(['one', '', 'three']);
		const again = await folder.run();
		expect(again.stderr).toMatch(/0 of 3 lines answered in \S+ s, 3 before, 1 failed/);
		expect(service.requests).toHaveLength(3);
		expect(await folder.run('--retry-failed')).toMatchObject({exitCode: 0});
		expect(folder.answers().map(({content}) => content)).toEqual(['one', 'three', 'four']);
		folder.write('"a"', '"changed"', '"c"');
		await folder.run();
		expect(service.bodies().map(({messages}) => messages?.at(-1)?.content)).toEqual([
			...['a', 'b', 'c', 'b', 'changed'],
		]);
	});
});

describe('nothing is sent or written for', () => {
	const twice = [
		{id: 1, prompt: 'a'},
		{id: '1', prompt: 'b'},
	];
	test.each<[string, readonly unknown[], string]>([
		['parameters without a template', [{prompt: 'a', params: {}}], 'params needs a template'],
		['an id twice', twice, 'id 1 is also that of line 1'],
		['a missing file', [{prompt: 'a', files: ['no.txt']}], 'line 1: no such file: no.txt'],
	])('%s', async (_, lines, message) => {
		const service = await startRecording(say('ok'));
		const folder = openFolder(lines, service.variables);
		const run = await folder.run();
		expect(run.stderr).toContain(message);
		expect(run.exitCode).toBe(65);
		expect([service.requests, folder.answers()]).toEqual([[], []]);
	});

	test('--dry-run, which checks all', async () => {
		const service = await startRecording(say('ok'));
		const folder = openFolder(['"a"', '"b"'], service.variables);
		expect(await folder.run('--dry-run')).toMatchObject({stdout: '2 lines, 2 requests to send\n'});
		expect(service.requests).toHaveLength(0);
	});
});

test('a service that refuses the key ends the run after three failures, which are not kept', async () => {
	const service = await startRecording(say('ok'), errorReply(401, 'no key'));
	const folder = openFolder(['"a"', '"b"', '"c"', '"d"', '"e"'], service.variables);
	const run = await folder.run();
	expect(run.exitCode).toBe(77);
	expect(run.stderr).toContain('stopped after 3 failures in a row: ');
	expect(service.requests).toHaveLength(4);
	expect(folder.answers()).toHaveLength(1);
});

const reply = JSON.stringify({choices: [{message: {content: 'ok'}, finish_reason: 'stop'}]});

describe('Ctrl-C', () => {
	test.each([
		['lets the running answer finish', ['SIGINT'], ['ok']],
		['twice stops it', ['SIGINT', 'SIGINT'], []],
	] as const)('%s', async (_, signals, contents) => {
		let send: (signal: InterruptSignal) => void = () => {};
		const service = await startPathService({
			'POST /v1/chat/completions': (response: {end(text: string): void}) => {
				for (const signal of signals) send(signal);
				if (signals.length === 1) response.end(reply);
			},
		});
		const folder = openFolder(['"a"', '"b"', '"c"'], {CHAT_BASE_URL: service.url});
		const run = await folder.run('-m any', {
			onListening(listener) {
				send = listener;
			},
		});
		expect(run.exitCode).toBe(130);
		expect(run.stderr).toContain('finishing the running answers; Ctrl-C again stops them');
		expect(service.requests).toHaveLength(1);
		expect(folder.answers().map(({content}) => content)).toEqual(contents);
	});
});

describe('a batch handed to the service', () => {
	const lines = ['"a"', '"b"', {prompt: 'c', schema: 'age int'}, '"d"', '"e"'];

	/** Starts a service with OpenAI's batches, which answers some requests of the uploaded file. */
	async function startBatchService() {
		const replies: Record<string, unknown> = {
			'POST /v1/files': {id: 'file-in'},
			'POST /v1/batches': {id: 'batch_1', status: 'validating'},
		};
		const service = await startPathService(replies);
		const uploaded = () => {
			const {body = ''} = service.requests.find(({line}) => line === 'POST /v1/files') ?? {};
			return body
				.split(/\r?\n/)
				.filter((line) => line.startsWith('{'))
				.map((line) => JSON.parse(line));
		};
		const resultOf = (place: number, content: string, status = 200) => {
			const message = {
				choices: [{message: {content}, finish_reason: 'stop'}],
				usage: {total_tokens: 3},
			};
			const body = status === 200 ? message : {error: {message: content}};
			return {custom_id: uploaded()[place].custom_id, response: {status_code: status, body}};
		};
		return {
			service,
			uploaded,
			progress: (status: string) => {
				const request_counts = {total: 5, completed: 3, failed: 1};
				const files = {output_file_id: 'out', error_file_id: 'errors'};
				replies['GET /v1/batches/batch_1'] = {id: 'batch_1', status, request_counts, ...files};
			},
			answer() {
				const write =
					(...results: readonly object[]) =>
					(response: {end(text: string): void}) =>
						response.end(results.map((result) => JSON.stringify(result)).join('\n'));
				replies['GET /v1/files/out/content'] = write(
					...[resultOf(2, '{"age": "x"}'), resultOf(1, 'two'), resultOf(0, 'one')],
				);
				const expired = {custom_id: uploaded()[4].custom_id, error: {code: 'batch_expired'}};
				replies['GET /v1/files/errors/content'] = write(resultOf(3, 'no', 400), expired);
			},
		};
	}

	test('is collected once it has ended, like any other answers', async () => {
		const {service, uploaded, progress, answer} = await startBatchService();
		const folder = openFolder(lines, {CHAT_BASE_URL: service.url});
		const submitted = await folder.run('-m any --submit');
		expect(submitted).toMatchObject({exitCode: 0, stdout: ''});
		expect(submitted.stderr).toContain('submitted 5 lines as batch_1');
		expect(uploaded()[0]).toMatchObject({
			...{method: 'POST', url: '/v1/chat/completions'},
			body: {model: 'any', messages: [{role: 'user', content: 'a'}], stream: false},
		});
		const [file, batch] = service.requests;
		expect(file?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
		expect(JSON.parse(batch?.body ?? '')).toEqual({
			...{input_file_id: 'file-in', endpoint: '/v1/chat/completions', completion_window: '24h'},
		});
		expect(modeOf(`${folder.output}.submitted.json`)).toBe('600');
		expect((await folder.run('-m any --submit')).stderr).toContain('is under way');

		progress('in_progress');
		const early = await folder.run('-m any --collect');
		expect(early.exitCode).toBe(75);
		expect(early.stderr).toContain('batch_1: in_progress, 3 of 5 answered, 1 failed');

		progress('expired');
		answer();
		expect(await folder.run('-m any --collect')).toMatchObject({exitCode: 75});
		expect(folder.answers().map(({id, content, exit_code}) => [id, content, exit_code])).toEqual([
			['line-1', 'one', 0],
			['line-2', 'two', 0],
			['line-3', '{"age": "x"}', 65],
			['line-4', '', 65],
		]);
		expect(existsSync(`${folder.output}.submitted.json`)).toBe(false);
		expect(await folder.run('-m any --collect')).toMatchObject({exitCode: 66});
	});
});
