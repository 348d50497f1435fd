/** Conversations that are saved, found again and continued. */
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {moveMediaToOldPlace, oldBlobsOf, openStage, saveOne} from '../helpers/sessions-stage.ts';
import type {RecordingService} from '../helpers/start-service.ts';

function sentTexts(service: RecordingService): ReadonlyArray<readonly unknown[]> {
	return service.bodies().map(({messages = []}) => messages.map(({content}) => content));
}

describe('a single answer', () => {
	test('is saved, and the first one ever says so', async () => {
		const stage = await openStage();
		const first = await stage.chat(['hello']);
		expect(first.stdout).toBe('an answer\n');
		expect(first.stderr).toBe(
			'chat: conversations are saved in ~/.local/state/chat; to stop that: --no-save, or chat config set save false\n',
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
		await stage.chat(['-q', '--', 'my key is sk-0123456789abcdef'], {variables});
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
			'chat: no conversation began in this folder yet\n      chat sessions list shows 1 conversation from other folders.\n',
		);
		expect(stage.service.requests).toHaveLength(1);
	});

	test('passes over a conversation that got no answer', async () => {
		const stage = await openStage();
		const id = await saveOne(stage, 'first');
		const variables = {CHAT_BASE_URL: 'http://127.0.0.1:9'};
		await stage.chat(['-m', 'm', '--max-retries', '0', 'lost'], {variables});
		expect(stage.ids()).toHaveLength(2);
		expect((await stage.chat(['-c', 'second'])).stderr).toContain(`continuing ${id} "first"`);
	});

	test('names the conversation of the folder that got no answer, if there is no other', async () => {
		const stage = await openStage();
		const variables = {CHAT_BASE_URL: 'http://127.0.0.1:9', CHAT_MODEL: 'm', CHAT_MAX_RETRIES: '0'};
		await stage.chat(['lost'], {variables});
		const {stderr, exitCode} = await stage.chat(['-c', 'more']);
		expect(exitCode).toBe(66);
		expect(stderr).toContain('no conversation of this folder has an answer yet');
		expect(stderr).toContain(`To go on with the last prompt: chat -r ${stage.ids()[0]}`);
		const other = await stage.chat(['-c', 'more'], {cwd: stage.directory});
		expect(other.stderr).not.toContain('from other folders');
	});

	test('continues where the user went back to, also if that is the start', async () => {
		const stage = await openStage();
		const id = await saveOne(stage, 'first');
		writeFileSync(stage.fileOf(id), '{"type":"head","at":null}\n', {flag: 'a'});
		const {stderr} = await stage.chat(['-c', 'again']);
		expect(stderr).toContain(`continuing ${id} "first" (0 turns, just now)`);
		expect(sentTexts(stage.service).at(-1)).toEqual(['again']);
		const more = await stage.chat(['-c', 'and more']);
		expect(more.stderr).toContain(`${id} has 2 branches; in a session, /tree shows them\n`);
		expect(sentTexts(stage.service).at(-1)).toEqual(['again', 'an answer', 'and more']);
	});

	test('counts no failed attempt at a prompt as a branch', async () => {
		const stage = await openStage();
		const id = await saveOne(stage, 'first');
		const records = readFileSync(stage.fileOf(id), 'utf8').trimEnd().split('\n');
		const failed = records
			.filter((line) => /^\{"type":"(?:user|answer)"/.test(line))
			.map((line) => {
				const record = JSON.parse(line);
				return record.type === 'user'
					? {...record, id: 'failed'}
					: {...record, of: 'failed', status: 'incomplete'};
			});
		const head = {type: 'head', at: JSON.parse(records.at(-1) ?? '').of};
		const lines = [...failed, head].map((record) => `${JSON.stringify(record)}\n`);
		writeFileSync(stage.fileOf(id), lines.join(''), {flag: 'a'});
		const {stderr} = await stage.chat(['-c', 'more']);
		expect(stderr).toContain(`continuing ${id} "first" (1 turn, just now)`);
		expect(stderr).not.toContain('branches');
	});

	test('with --fork copies the branch that continues', async () => {
		const stage = await openStage();
		const id = await saveOne(stage, 'left behind');
		writeFileSync(stage.fileOf(id), '{"type":"head","at":null}\n', {flag: 'a'});
		await stage.chat(['-c', 'again']);
		const fork = await saveOne(stage, 'more', '-c', '--fork');
		const text = readFileSync(stage.fileOf(fork), 'utf8');
		expect(text).toContain('again');
		expect(text).not.toContain('left behind');
	});

	test('with --no-save writes nothing', async () => {
		const stage = await openStage();
		const id = await saveOne(stage, 'first');
		const before = readFileSync(stage.fileOf(id));
		await stage.chat(['-c', '--no-save', 'second']);
		expect(sentTexts(stage.service).at(-1)).toEqual(['first', 'an answer', 'second']);
		expect(readFileSync(stage.fileOf(id))).toEqual(before);
	});

	test.each(['new', 'old'])(
		'with --fork copies the attachments, from the %s place',
		async (place) => {
			const stage = await openStage();
			writeFileSync(join(stage.home, 'a.pdf'), '%PDF-1.7\n%%EOF\n');
			const id = await saveOne(stage, 'first', '-a', 'a.pdf');
			if (place === 'old') moveMediaToOldPlace(stage);
			const fork = await saveOne(stage, 'second', '-c', '--fork');
			await stage.chat(['sessions', 'delete', id]);
			expect(oldBlobsOf(stage)).toEqual([]);
			expect((await stage.chat(['-r', fork, 'third'])).stderr).not.toContain('gone');
			expect(stage.service.bodies()[2]?.messages?.[0]).toEqual(
				stage.service.bodies()[0]?.messages?.[0],
			);
		},
	);

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

	test.each(['new', 'old'])(
		'sends images again, from the %s place of attachments',
		async (place) => {
			const stage = await openStage();
			const png =
				'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
			writeFileSync(join(stage.directory, '..', '..', '..', 'a.png'), Buffer.from(png, 'base64'));
			await stage.chat(['-q', '--image', 'a.png', 'look']);
			if (place === 'old') moveMediaToOldPlace(stage);
			await stage.chat(['-qc', 'again']);
			const [first, second] = stage.service.bodies();
			expect(second?.messages?.[0]).toEqual(first?.messages?.[0]);
			expect(JSON.stringify(first)).toContain(png);
			expect(readFileSync(stage.fileOf(stage.ids()[0] ?? ''), 'utf8')).not.toContain(png);
		},
	);
});

describe('-r', () => {
	test.each([[['-r']], [['-m', 'terra', '--resume']], [['a prompt', '-r']]])(
		'without an id and a screen to choose on names the list: %j',
		async (argv) => {
			const stage = await openStage();
			const {stderr, exitCode} = await stage.chat(argv);
			expect(exitCode).toBe(64);
			expect(stderr).toContain(`${argv.at(-1)} needs a value: -r, --resume <id>`);
			expect(stderr).toContain('chat sessions lists the conversations');
		},
	);

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
			`no conversation has the id or title "name idea"; did you mean ${id} "name ideas"?`,
		);
	});

	test('refuses a word that fits several', async () => {
		const stage = await openStage();
		const ids = [await saveOne(stage, 'same'), await saveOne(stage, 'same')];
		const {stderr, exitCode} = await stage.chat(['-r', 'same', 'more']);
		expect(exitCode).toBe(64);
		expect(stderr).toContain('"same" fits 2 conversations: ');
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

	/** Saves a conversation, changes the options in its file, and continues it. */
	async function continueChanged(options: unknown) {
		const stage = await openStage();
		const id = await saveOne(stage, 'first');
		const path = stage.fileOf(id);
		const text = readFileSync(path, 'utf8');
		writeFileSync(
			path,
			text.replace(/"options":\{.*\}\}$/m, `"options":${JSON.stringify(options)}}`),
		);
		const result = await stage.chat(['-cv', 'second']);
		return {...result, body: stage.service.bodies().at(-1)};
	}

	test('are left out if they are not valid', async () => {
		const {exitCode, body} = await continueChanged({temperature: 99, seed: 7, stop: {}});
		expect(exitCode).toBe(0);
		expect(body).toMatchObject({seed: 7});
		expect(body).not.toHaveProperty('temperature');
	});

	test('never read a file', async () => {
		for (const option of ['x=@/etc/hostname', ['x=@/etc/hostname'], {x: '@/etc/hostname'}]) {
			const {exitCode, body} = await continueChanged({option});
			expect(exitCode).toBe(0);
			expect([undefined, '@/etc/hostname']).toContain(body?.['x']);
		}
	});

	test('are reported as those of the conversation', async () => {
		const {stderr} = await continueChanged({temperature: 0.5});
		expect(stderr).toContain('= temperature: 0.5 (the saved conversation)\n');
		expect(stderr).not.toContain('= seed');
	});

	test('are all the fields of a request: the config file adds none, and is not their source', async () => {
		const stage = await openStage([['an answer']], {options: {top_k: 40, min_p: 0.1}});
		await saveOne(stage, 'first', '-O', 'top_k=5', '-O', 'min_p=null');
		const {stderr} = await stage.chat(['-cv', 'second']);
		expect(stage.service.bodies().at(-1)).not.toHaveProperty('min_p');
		expect(stderr).toContain('= options: {"top_k":5} (the saved conversation)\n');
	});
});
