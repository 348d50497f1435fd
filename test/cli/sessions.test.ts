/** Conversations that are saved, found again, continued and deleted. */
import {existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import type {ReplyDelta} from '../helpers/replies.ts';
import {streamReply} from '../helpers/replies.ts';
import {type RunOptions, type RunResult, runChat} from '../helpers/run-chat.ts';
import {createHome} from '../helpers/settings-home.ts';
import {type RecordingService, startRecording} from '../helpers/start-service.ts';

type Stage = {
	readonly service: RecordingService;
	/** The folder of saved conversations. */
	readonly directory: string;
	chat(argv: readonly string[], options?: RunOptions): Promise<RunResult>;
	/** The ids of the sessions, oldest first. */
	ids(): readonly string[];
	fileOf(id: string): string;
};

/** Opens a home folder, and a service with these replies, the last of which repeats. */
async function openStage(
	replies: ReadonlyArray<ReadonlyArray<ReplyDelta | string>> = [['an answer']],
	config?: unknown,
): Promise<Stage> {
	const service = await startRecording(...replies.map((deltas) => streamReply(deltas)));
	const {source, home} = createHome(config === undefined ? {} : {config});
	const directory = join(home, '.local', 'state', 'chat');
	const files = () =>
		existsSync(join(directory, 'sessions'))
			? readdirSync(join(directory, 'sessions'), {recursive: true, encoding: 'utf8'})
					.filter((name) => name.endsWith('.jsonl'))
					.sort()
			: [];
	const idOf = (name: string) => name.replace(/^.*-|\.jsonl$/g, '');
	return {
		service,
		directory,
		chat: (argv, {variables, ...options} = {}) =>
			runChat(argv, {
				...source,
				cwd: home,
				...options,
				variables: {...service.variables, CHAT_SAVE: undefined, ...variables},
			}),
		ids: () => files().map(idOf),
		fileOf(id) {
			const name = files().find((file) => idOf(file) === id) ?? '';
			return join(directory, 'sessions', name);
		},
	};
}

function sentTexts(service: RecordingService): ReadonlyArray<readonly unknown[]> {
	return service.bodies().map(({messages = []}) => messages.map(({content}) => content));
}

/** Runs one answer, and returns the id of its session. */
async function saveOne(stage: Stage, prompt: string, ...flags: readonly string[]): Promise<string> {
	const {stdout} = await stage.chat(['-o', 'json', ...flags, prompt]);
	const {session} = JSON.parse(stdout);
	expect(session).toMatch(/^[0-9a-v]{8}$/);
	return session;
}

describe('a single answer', () => {
	test('is saved, and the first one ever says so', async () => {
		const stage = await openStage();
		const first = await stage.chat(['hello']);
		expect(first.stdout).toBe('an answer\n');
		expect(first.stderr).toBe(
			`chat: conversations are saved in ${stage.directory}; to stop that: --no-save, or chat config set save false\n`,
		);
		expect((await stage.chat(['hello'])).stderr).toBe('');
		expect(stage.ids()).toHaveLength(2);
		expect(readFileSync(stage.fileOf(stage.ids()[0] ?? ''), 'utf8')).toContain('an answer');
	});

	test('says nothing of it with -q', async () => {
		const stage = await openStage();
		expect((await stage.chat(['-q', 'hello'])).stderr).toBe('');
		expect(stage.ids()).toHaveLength(1);
	});

	test.each([
		{name: '--no-save', argv: ['--no-save'], variables: {}},
		{name: 'CHAT_SAVE=false', argv: [], variables: {CHAT_SAVE: 'false'}},
		{name: '--dry-run', argv: ['--dry-run'], variables: {}},
		{name: 'the built-in service', argv: [], variables: {CHAT_BASE_URL: undefined}},
	])('leaves nothing with $name', async ({argv, variables}) => {
		const stage = await openStage();
		await stage.chat([...argv, 'hello'], {variables});
		expect(existsSync(stage.directory)).toBe(false);
	});

	test('has no session in JSON if nothing is saved', async () => {
		const stage = await openStage();
		const {stdout} = await stage.chat(['--no-save', '-o', 'json', 'hello']);
		expect(JSON.parse(stdout).session).toBeNull();
	});

	test('leaves nothing with save set to false in the config file', async () => {
		const stage = await openStage([['an answer']], {save: false});
		await stage.chat(['hello']);
		expect(existsSync(stage.directory)).toBe(false);
	});

	test('goes to the folder of CHAT_SESSIONS_DIR', async () => {
		const stage = await openStage();
		const variables = {CHAT_SESSIONS_DIR: 'elsewhere'};
		const {stdout} = await stage.chat(['-o', 'json', 'hello'], {variables});
		const {session} = JSON.parse(stdout);
		const {stdout: path} = await stage.chat(['sessions', 'path', session], {variables});
		expect(path).toContain('/elsewhere/sessions/');
		expect(existsSync(stage.directory)).toBe(false);
	});

	test('is printed in full when it cannot be saved, with one notice', async () => {
		const stage = await openStage();
		mkdirSync(join(stage.directory, '..'), {recursive: true});
		writeFileSync(stage.directory, 'a file');
		const {stdout, stderr, exitCode} = await stage.chat(['hello']);
		expect({stdout, exitCode}).toEqual({stdout: 'an answer\n', exitCode: 0});
		expect(stderr).toMatch(/^chat: the conversation could not be saved: .*\n$/);
		const {stdout: json} = await stage.chat(['-o', 'json', 'hello']);
		expect(JSON.parse(json)).toMatchObject({
			session: null,
			notices: [{code: 'session-not-saved'}],
		});
	});

	test('is saved without the key of the service', async () => {
		const stage = await openStage();
		const variables = {CHAT_API_KEY: 'sk-0123456789abcdef'};
		await stage.chat(['my key is sk-0123456789abcdef', '-q'], {variables});
		const text = readFileSync(stage.fileOf(stage.ids()[0] ?? ''), 'utf8');
		expect(text).toContain('my key is [redacted]');
		expect(text).not.toContain('0123456789');
	});

	test('that was abandoned by its reader keeps what had come', async () => {
		const stage = await openStage([['first ', 'second ', 'third']]);
		await stage.chat(['hello'], {
			onStdout() {
				throw Object.assign(new Error('write EPIPE'), {code: 'EPIPE'});
			},
		});
		expect(readFileSync(stage.fileOf(stage.ids()[0] ?? ''), 'utf8')).toContain('first ');
	});
});

describe('-c', () => {
	test('continues the latest conversation of the folder, and says which', async () => {
		const stage = await openStage([['one'], ['two'], ['three']]);
		const id = await saveOne(stage, 'first');
		const {stdout, stderr} = await stage.chat(['-c', 'second']);
		expect(stdout).toBe('two\n');
		expect(stderr).toBe(`chat: continuing ${id} "first" (1 turn, just now)\n`);
		expect((await stage.chat(['-qc', 'third'])).stderr).toBe('');
		expect(sentTexts(stage.service).at(-1)).toEqual(['first', 'one', 'second', 'two', 'third']);
		expect(stage.ids()).toEqual([id]);
	});

	test('never continues a conversation of another folder', async () => {
		const stage = await openStage();
		await saveOne(stage, 'first');
		const {stderr, exitCode} = await stage.chat(['-c', 'second'], {cwd: stage.directory});
		expect(exitCode).toBe(66);
		expect(stderr).toBe(
			'chat: no conversation was saved in this folder yet\n      chat sessions list shows 1 of other folders.\n',
		);
		expect(stage.service.requests).toHaveLength(1);
	});

	test('passes over a conversation that got no answer', async () => {
		const stage = await openStage();
		const id = await saveOne(stage, 'first');
		const variables = {CHAT_BASE_URL: 'http://127.0.0.1:9'};
		await stage.chat(['--max-retries', '0', 'lost'], {variables});
		expect(stage.ids()).toHaveLength(2);
		expect((await stage.chat(['-c', 'second'])).stderr).toContain(`continuing ${id} "first"`);
	});

	test('with --no-save writes nothing', async () => {
		const stage = await openStage();
		const id = await saveOne(stage, 'first');
		const before = readFileSync(stage.fileOf(id));
		await stage.chat(['-c', '--no-save', 'second']);
		expect(sentTexts(stage.service).at(-1)).toEqual(['first', 'an answer', 'second']);
		expect(readFileSync(stage.fileOf(id))).toEqual(before);
	});

	test('with --fork leaves the conversation as it is, and continues a copy', async () => {
		const stage = await openStage([['one'], ['two'], ['three']]);
		const id = await saveOne(stage, 'first');
		const before = readFileSync(stage.fileOf(id));
		const fork = await saveOne(stage, 'second', '-c', '--fork');
		expect(readFileSync(stage.fileOf(id))).toEqual(before);
		await stage.chat(['-r', fork, 'third']);
		expect(sentTexts(stage.service).at(-1)).toEqual(['first', 'one', 'second', 'two', 'third']);
	});

	test('continues with a damaged line, and says so', async () => {
		const stage = await openStage();
		const id = await saveOne(stage, 'first');
		writeFileSync(stage.fileOf(id), '{"type":"ans', {flag: 'a'});
		const {stderr} = await stage.chat(['-c', 'second']);
		expect(stderr).toContain(`chat: 1 line of ${id} left out: damaged\n`);
		await stage.chat(['-c', 'third']);
		expect(sentTexts(stage.service).at(-1)).toEqual([
			'first',
			'an answer',
			'second',
			'an answer',
			'third',
		]);
	});

	test('sends images again, which are stored apart', async () => {
		const stage = await openStage();
		const png =
			'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
		writeFileSync(join(stage.directory, '..', '..', '..', 'a.png'), Buffer.from(png, 'base64'));
		await stage.chat(['-q', '--image', 'a.png', 'look']);
		await stage.chat(['-qc', 'again']);
		const [first, second] = stage.service.bodies();
		expect(second?.messages?.[0]).toEqual(first?.messages?.[0]);
		expect(JSON.stringify(first)).toContain(png);
		expect(readFileSync(stage.fileOf(stage.ids()[0] ?? ''), 'utf8')).not.toContain(png);
	});
});

describe('-r', () => {
	test('continues by id, by its beginning, and by title', async () => {
		const stage = await openStage();
		const id = await saveOne(stage, 'name ideas');
		await saveOne(stage, 'something else');
		for (const word of [id, id.slice(0, 4), id.toUpperCase(), 'name ideas']) {
			const {stderr, exitCode} = await stage.chat(['-r', word, 'more']);
			expect({exitCode, word}).toEqual({exitCode: 0, word});
			expect(stderr).toContain(`continuing ${id} "name ideas"`);
		}
	});

	test('refuses an unknown word with the closest one', async () => {
		const stage = await openStage();
		const id = await saveOne(stage, 'name ideas');
		const {stderr, exitCode} = await stage.chat(['-r', 'name idea', 'more']);
		expect(exitCode).toBe(66);
		expect(stderr).toContain(
			`no session has the id or title "name idea"; did you mean ${id} "name ideas"?`,
		);
	});

	test('refuses a word that fits several', async () => {
		const stage = await openStage();
		const ids = [await saveOne(stage, 'same'), await saveOne(stage, 'same')];
		const {stderr, exitCode} = await stage.chat(['-r', 'same', 'more']);
		expect(exitCode).toBe(64);
		expect(stderr).toContain('"same" fits 2 sessions: ');
		for (const id of ids) expect(stderr).toContain(id);
	});

	test.each([['-c', '-r', 'x'], ['--fork']])('is refused as %s %s', async (...flags) => {
		const stage = await openStage();
		expect((await stage.chat([...flags, 'p'])).exitCode).toBe(64);
	});
});

describe('the settings of a conversation', () => {
	const flags = [
		'-m',
		'terra',
		'-s',
		'@home',
		'--temperature',
		'0',
		'--stop',
		'END',
		'-O',
		'top_k=4',
	];

	/** Saves a conversation with these settings, and returns the last request of the next run. */
	async function continueWith(...more: readonly string[]) {
		const stage = await openStage();
		const home = join(stage.directory, '..', '..', '..');
		writeFileSync(join(home, 'home'), '@mention everyone');
		await saveOne(stage, 'first', ...flags);
		await stage.chat(['-qc', ...more, 'second'], {variables: {CHAT_TEMPERATURE: '1'}});
		return stage.service.bodies().at(-1);
	}

	test('come back with it', async () => {
		const body = await continueWith();
		expect(body).toMatchObject({model: 'MODEL-5.6-terra', temperature: 0, stop: ['END'], top_k: 4});
		expect(body?.messages?.[0]).toEqual({role: 'system', content: '@mention everyone'});
	});

	test('are those of the flags, if there are some', async () => {
		const body = await continueWith(
			'-m',
			'luna',
			'-s',
			'Be brief.',
			'--temperature',
			'',
			'--stop',
			'',
		);
		expect(body).toMatchObject({model: 'MODEL-5.6-luna', top_k: 4});
		expect(body).not.toHaveProperty('temperature');
		expect(body).not.toHaveProperty('stop');
		expect(body?.messages?.[0]).toEqual({role: 'system', content: 'Be brief.'});
	});
});

describe('chat sessions', () => {
	test('lists the conversations, the latest first', async () => {
		const stage = await openStage();
		const first = await saveOne(stage, 'first\nand more');
		const second = await saveOne(stage, 'second');
		await stage.chat(['-r', first, 'again']);
		const {stdout} = await stage.chat(['sessions']);
		expect(stdout).toBe(
			`${first}      just now    2 turns  first\n${second}      just now    1 turn   second\n`,
		);
		const {stdout: json} = await stage.chat(['sessions', 'list', '-o', 'json']);
		expect(JSON.parse(json)).toMatchObject([
			{id: first, title: 'first', turns: 2, model: 'MODEL-5.6-sol'},
			{id: second, title: 'second', turns: 1},
		]);
	});

	test('lists nothing, and creates nothing, where nothing was saved', async () => {
		const stage = await openStage();
		expect(await stage.chat(['sessions'])).toMatchObject({stdout: '', exitCode: 0});
		expect(existsSync(stage.directory)).toBe(false);
	});

	test('shows a conversation as Markdown, and as JSON', async () => {
		const stage = await openStage();
		const id = await saveOne(stage, 'hello', '-s', 'Be kind.');
		const {stdout} = await stage.chat(['sessions', 'show', id]);
		expect(stdout).toBe('## System\n\nBe kind.\n\n## User\n\nhello\n\n## Assistant\n\nan answer\n');
		const {stdout: json} = await stage.chat(['sessions', 'show', id, '-o', 'json']);
		expect(JSON.parse(json)).toMatchObject({
			id,
			system: 'Be kind.',
			turns: [{prompt: 'hello', answer: 'an answer', status: 'complete'}],
		});
	});

	test('searches prompts and answers, whatever the case and the accents', async () => {
		const stage = await openStage([['A good «Pélican» name, \n"Gulliver"'], ['nothing']]);
		const id = await saveOne(stage, 'Name ideas');
		await saveOne(stage, 'pelican');
		const {stdout, exitCode} = await stage.chat(['sessions', 'search', 'pelican', 'IDEAS']);
		expect({stdout, exitCode}).toEqual({
			stdout: `${id}      just now  "Name ideas"  Name ideas\n`,
			exitCode: 0,
		});
		const {stdout: json} = await stage.chat(['sessions', 'search', '"gulliver"', '-o', 'json']);
		expect(JSON.parse(json)).toMatchObject([
			{id, turns: 1, role: 'assistant', excerpt: 'A good «Pélican» name, "Gulliver"'},
		]);
		expect(await stage.chat(['sessions', 'search', 'albatross'])).toMatchObject({
			stdout: '',
			exitCode: 1,
		});
	});

	test('does not find texts that only its records have', async () => {
		const stage = await openStage();
		await saveOne(stage, 'hello');
		expect((await stage.chat(['sessions', 'search', 'attachments'])).exitCode).toBe(1);
	});

	test('renames a conversation, which -r then knows by its title', async () => {
		const stage = await openStage();
		const id = await saveOne(stage, 'hello');
		const {stderr} = await stage.chat(['sessions', 'rename', id, 'a better name']);
		expect(stderr).toBe(`chat: ${id} is now called "a better name"\n`);
		expect((await stage.chat(['-r', 'a better name', 'more'])).stderr).toContain(
			`continuing ${id} "a better name" (1 turn`,
		);
	});

	test('deletes conversations with the attachments that no other one has', async () => {
		const stage = await openStage();
		const home = join(stage.directory, '..', '..', '..');
		for (const name of ['a', 'b']) {
			writeFileSync(join(home, `${name}.pdf`), `%PDF-1.7\n${name}\n%%EOF\n`);
		}
		const both = await saveOne(stage, 'both', '-a', 'a.pdf', '-a', 'b.pdf');
		const one = await saveOne(stage, 'one', '-a', 'a.pdf');
		const blobs = () => readdirSync(join(stage.directory, 'blobs')).length;
		expect(blobs()).toBe(2);
		const {stderr, exitCode} = await stage.chat(['sessions', 'delete', both]);
		expect({stderr, exitCode}).toEqual({stderr: `chat: deleted ${both}\n`, exitCode: 0});
		expect(stage.ids()).toEqual([one]);
		expect(blobs()).toBe(1);
		await stage.chat(['sessions', 'delete', one]);
		expect(blobs()).toBe(0);
	});

	test('deletes nothing if one of the ids is unknown', async () => {
		const stage = await openStage();
		const id = await saveOne(stage, 'hello');
		expect((await stage.chat(['sessions', 'delete', id, 'nothere'])).exitCode).toBe(66);
		expect(stage.ids()).toEqual([id]);
	});

	test.each([
		['show', []],
		['show', ['a', 'b']],
		['delete', []],
		['list', ['a']],
	])('refuses the wrong number of words: %s %j', async (verb, words) => {
		const stage = await openStage();
		expect((await stage.chat(['sessions', verb, ...words])).exitCode).toBe(64);
	});

	test('reports a conversation that is gone as it is shown', async () => {
		const stage = await openStage();
		const id = await saveOne(stage, 'hello');
		rmSync(stage.fileOf(id));
		expect((await stage.chat(['sessions', 'show', id])).exitCode).toBe(66);
	});
});
