/** The model of a run, that of one that names none, and its cost. */
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test, vi} from 'vitest';
import {findModel, followModels} from '../../src/cli/run/find-model.ts';
import {textDelta, turnEnd} from '../helpers/events.ts';
import {noLocalServices, startLocalService} from '../helpers/local-service.ts';
import {wholeReply} from '../helpers/replies.ts';
import {type Line, runChat, wordsOf} from '../helpers/run-chat.ts';
import {type Given, openScene} from '../helpers/run-table.ts';
import {rawReply, startPathService} from '../helpers/start-path-service.ts';
import {enter, stepEnd, stepStart} from '../repl/play.ts';
import {openScripted} from '../repl/scripted-repl.ts';

describe('a model', () => {
	const config = (own: string) => ({
		'base-url': own,
		model: 'own',
		profiles: {
			bare: {'base-url': 'http://127.0.0.1:1'},
			named: {'base-url': 'http://127.0.0.1:1', model: 'of-profile'},
			same: {model: 'of-profile'},
		},
	});

	test.each<[Line, Readonly<Record<string, string>>, string]>([
		['--profile same', {}, 'of-profile'],
		['-m mine', {CHAT_MODEL: 'given'}, 'mine'],
		['--base-url OWN', {CHAT_MODEL: 'x', CHAT_BASE_URL: 'http://127.0.0.1:1'}, 'own'],
		[['-m', ''], {CHAT_MODEL: 'given'}, 'listed'],
		['', {CHAT_MODEL: ''}, 'listed'],
	])('is for the base URL it came with: %j %j', async (line, variables, model) => {
		const {host} = await startLocalService(['listed']);
		const own = `http://${host}`;
		const {run} = await openScene({config: config(own), replies: null, variables});
		const words = wordsOf(line).map((word) => (word === 'OWN' ? own : word));
		expect((await run([...words, 'p'])).stdout).toBe(`Hello from ${model}\n`);
	});

	test('of the file, or of a saved conversation, goes to no other service', async () => {
		const other = await startLocalService(['listed']);
		const variables = {CHAT_SAVE: 'true', ...noLocalServices};
		const {run} = await openScene({
			config: config('http://127.0.0.1:2'),
			replies: null,
			variables,
		});
		expect(await run(`--no-save --base-url http://${other.host} p`)).toEqual({
			stdout: 'Hello from listed\n',
			stderr: `chat: using listed, the only model of ${other.host} (own is for http://127.0.0.1:2)\n`,
			exitCode: 0,
		});
		expect((await run('--profile bare --dry-run p')).stdout).not.toContain('"own"');
		const named = await run('--profile named --dry-run p');
		expect(JSON.parse(named.stdout).body.model).toBe('of-profile');
		const [first, second] = [await startLocalService(['a']), await startLocalService(['b'])];
		await run(`--base-url http://${first.host} -m chosen p`);
		const there = await run(`--base-url http://${first.host} -c p`);
		const elsewhere = await run(`--base-url http://${second.host} -c p`);
		expect([there.stdout, elsewhere.stdout]).toEqual(['Hello from chosen\n', 'Hello from b\n']);
	});
});

/** Opens a home and a service that lists these models, and answers with the one it was asked for. */
async function open(models: readonly unknown[], replies: object = {}, given: Given = {}) {
	const service = await startPathService({
		'GET /v1/models': {object: 'list', data: models},
		'POST /v1/chat/completions': {
			choices: [{message: {role: 'assistant', content: 'Hi.'}, finish_reason: 'stop'}],
		},
		...replies,
	});
	const variables = {CHAT_BASE_URL: service.url, CHAT_MAX_RETRIES: '0', ...given.variables};
	const scene = await openScene({...given, replies: null, variables});
	const asked = () => service.requests.map(({line}) => line);
	const model = () => JSON.parse(service.requests.at(-1)?.body ?? '').model;
	return {...scene, url: service.url, asked, model};
}

const idsOf = (...ids: readonly string[]) => ids.map((id) => ({id}));

describe('without a model', () => {
	const sol = 'MODEL-5.6-sol';
	const ofOthers = idsOf('text-embedding-3', 'whisper-1', 'tts-1', 'dall-e-3', 'bge-m3', 'b');
	const ollama = idsOf('a', 'b').map((one) => ({...one, owned_by: 'library'}));
	const studio = idsOf('a', 'b', 'text-embedding-nomic').map((one) => {
		return {...one, owned_by: 'organization_owner'};
	});
	const ps = {'GET /api/ps': {models: [{name: 'b', model: 'b'}]}};
	const instances = studio.map(({id}) => ({key: id, loaded_instances: id === 'a' ? [] : [{id}]}));
	const loaded = {'GET /api/v1/models': {models: instances}};
	const only = 'using b, the only model of';

	test.each<[string, readonly object[], object, string, string, Given?]>([
		['the default, if it is listed', idsOf('x', sol), {}, sol, ''],
		['the same for another list', [], {'GET /v1/models': 'hello'}, sol, ''],
		['the only one for prompts', [...ofOthers, {id: 'a', type: 'rerank'}], {}, 'b', only],
		['the one that Ollama has loaded', ollama, ps, 'b', 'using b, the loaded model of'],
		['the one that LM Studio has loaded', studio, loaded, 'b', 'using b, the loaded model of'],
	])('a run uses %s', async (_, models, replies, chosen, note, given?: Given) => {
		const {run, model} = await open(models, replies, given);
		const {stdout, stderr} = await run('p');
		expect([stdout, model()]).toEqual(['Hi.\n', chosen]);
		if (note === '') expect(stderr).toBe('');
		else expect(stderr).toContain(note);
	});

	test('many models are named, with the way to keep one, and no prompt is sent', async () => {
		const data = Array.from({length: 300}, (_, index) => ({id: `m${index}`}));
		const {run, asked, url} = await open(data);
		const {stdout, exitCode} = await run('-o json p');
		const {error} = JSON.parse(stdout);
		expect([exitCode, error.kind]).toEqual([64, 'usage']);
		expect(error.message).toContain('offers 300 models');
		const rest = 'm19, and 280 more; chat models lists them. Choose one with -m NAME';
		expect(error.hint).toContain(rest);
		expect(error.hint).toContain('CHAT_MODEL=NAME');
		expect(asked()).toEqual(['GET /v1/models']);
		const {run: other} = await openScene({
			config: {'base-url': url, profiles: {work: {'base-url': url}}},
			replies: null,
		});
		expect((await other('p')).stderr).toContain('for every run: chat config set model NAME');
		const profile = 'for every run: chat config set --profile work model NAME';
		expect((await other('--profile work p')).stderr).toContain(profile);
	});

	test('a choice on the terminal answers the prompt, but never a pipe', async () => {
		const {run, model, url} = await open(idsOf('a', 'b c'));
		const terminals = ['stderr'] as const;
		expect((await run('p', {stdin: '\r', terminals})).exitCode).toBe(64);
		expect((await run('--no-stdin p', {stdin: {typed: '\r'}, terminals})).exitCode).toBe(64);
		const {run: choose} = await openScene({config: {'base-url': url}, replies: null});
		const {stdout, stderr} = await choose('p', {stdin: {typed: '\x1b[B\r'}, terminals});
		expect([stdout, model()]).toEqual(['Hi.\n', 'b c']);
		expect(stderr).toContain("using b c. To keep it: chat config set model 'b c'");
	});

	test('a failure of the list is that of the run', async () => {
		const reply = rawReply(503, '{"error":"busy"}');
		const {run, asked} = await open([], {'GET /v1/models': reply});
		const {stdout, stderr, exitCode} = await run('p');
		expect({stdout, exitCode}).toEqual({stdout: '', exitCode: 69});
		expect(stderr).toContain('To send a prompt without the list, name a model: -m NAME');
		expect(asked()).toEqual(['GET /v1/models']);
	});

	test('the alias of a provider is its default, for which nothing is asked', async () => {
		const {stdout, stderr} = await runChat('--base-url mistral: --dry-run p');
		expect(JSON.parse(stdout).body.model).toBe('mistral-large-latest');
		expect(stderr).toContain('using mistral-large-latest, the default for Mistral');
		const unknown = await runChat('--base-url http://127.0.0.1:1 --dry-run p');
		const message = 'chat: no model is set: a run first asks 127.0.0.1:1 for its models\n';
		expect(unknown.stderr).toBe(message);
	});
});

describe('a model that the service does not know', () => {
	test.each([
		['-m smal', idsOf('small', 'large'), /mean small\? The service offers small, large\./, '*'],
		['', undefined, /the default MODEL-5\.6-sol was requested\. .*CHAT_MODEL/, 'offers'],
	])('%s: the next step has the names of %j', async (flags, data, hint, absent) => {
		const replies = {
			'GET /v1/models': data === undefined ? rawReply(404, 'no') : {data},
			'POST /v1/chat/completions': rawReply(
				404,
				JSON.stringify({error: {message: 'model not found'}}),
			),
		};
		const {run} = await open([], replies);
		const {stderr, exitCode} = await run(`${flags} Hello`);
		expect(exitCode).toBe(65);
		expect(stderr).toMatch(hint);
		expect(stderr).not.toContain(absent);
	});
});

test('a session learns the context window of its model after an answer, and of the next one', async () => {
	const usage = stepEnd({promptTokens: 1000, completionTokens: 24});
	const answered = [[stepStart, textDelta('a'), usage, turnEnd]];
	const {repl, actions, play, until, idle} = openScripted([answered, answered]);
	const service = new URL('https://api.example.com/v1/chat/completions');
	const source = {variables: {}, platform: 'linux', homedir: undefined};
	followModels(
		repl,
		() => service,
		(name) => findModel(service, name, source),
	);
	const found = () => actions.filter(({type}) => type === 'model-known');
	play(enter('/model gpt-4o'));
	await vi.dynamicImportSettled();
	expect(found()).toEqual([]);
	play(enter('hello'));
	const {knownModels} = await until(({knownModels: known}) => known.size > 0);
	expect(knownModels.get('gpt-4o')).toEqual({context: 128_000, prices: undefined});
	play(enter('/model o3'));
	await until(({knownModels: known}) => known.has('o3'));
	play(enter('again'));
	await idle();
	expect(found().map((action) => 'name' in action && action.name)).toEqual(['gpt-4o', 'o3']);
});

describe('the cost of an answer', () => {
	const usage = {prompt_tokens: 1000, completion_tokens: 170, total_tokens: 1170};

	/** Asks for an answer where the prices of `gpt-4o` are known, and returns the JSON and the line. */
	async function ask(model: string, counts: Readonly<Record<string, unknown>>) {
		const replies = [wholeReply({text: 'Hi.'}, {usage: counts})];
		const {run, home, service} = await openScene({replies});
		const {host} = new URL(service.variables.CHAT_BASE_URL);
		const services = {[host]: {'gpt-4o': [128_000, 16_384, 'it', 2.5, 10, 1.25]}};
		mkdirSync(join(home, '.cache', 'chat'), {recursive: true});
		const path = join(home, '.cache', 'chat', 'models.json');
		writeFileSync(path, JSON.stringify({date: '2026-07-01', services}));
		const line = `--no-stream -m ${model} p`;
		const {cost} = JSON.parse((await run(`-o json ${line}`)).stdout);
		return {cost, stderr: (await run(`-u ${line}`)).stderr};
	}

	test('is shown with the day of the prices, cached input at its own price', async () => {
		const {stderr} = await ask('gpt-4o', usage);
		const counts = 'chat: 1000 tokens in, 170 out, 1170 total';
		expect(stderr).toContain(`${counts}, about $0.0042 at the prices of 2026-07-01, `);
		const cached = {...usage, prompt_tokens_details: {cached_tokens: 800}};
		expect((await ask('gpt-4o', cached)).cost).toEqual({usd: 0.0032, prices_of: '2026-07-01'});
	});
});
