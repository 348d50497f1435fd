/** Conversations that are saved, found again and continued. */
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {pixel} from '../helpers/camera-source.ts';
import {brokenPipe, type Line} from '../helpers/run-chat.ts';
import {
	lost,
	moveMediaToOldPlace,
	oldBlobsOf,
	openStage,
	type Stage,
	saveOne,
} from '../helpers/sessions-stage.ts';

/** The texts of the last request. */
function lastTexts({service}: Stage): readonly unknown[] {
	return (
		service
			.bodies()
			.at(-1)
			?.messages?.map(({content}) => content) ?? []
	);
}

const textOf = (stage: Stage, id = stage.ids()[0] ?? '') => readFileSync(stage.fileOf(id), 'utf8');

function append(stage: Stage, id: string, text: string): void {
	writeFileSync(stage.fileOf(id), text, {flag: 'a'});
}

describe('a single answer', () => {
	test('is saved, and the first one ever says so, but not with -q', async () => {
		const stage = await openStage();
		const notice =
			'chat: conversations are saved in ~/.local/state/chat; to stop that: --no-save, or chat config set save false\n';
		expect(await stage.chat('hello')).toEqual({stdout: 'an answer\n', stderr: notice, exitCode: 0});
		expect((await stage.chat('hello')).stderr).toBe('');
		expect(stage.ids()).toHaveLength(2);
		expect(textOf(stage)).toContain('an answer');
		const quiet = await openStage();
		expect((await quiet.chat('-q hello')).stderr).toBe('');
		expect(quiet.ids()).toHaveLength(1);
	});

	test.each<[string, Readonly<Record<string, string | undefined>>, object?]>([
		['--no-save hello', {}],
		['hello', {CHAT_BASE_URL: undefined}],
		['hello', {}, {save: false}],
	])('leaves nothing with %s %j %j', async (line, variables, config?: object) => {
		const stage = await openStage([['an answer']], config);
		await stage.chat(line, {variables});
		expect(existsSync(stage.directory)).toBe(false);
	});

	test('goes to the folder of CHAT_SESSIONS_DIR', async () => {
		const stage = await openStage();
		const variables = {CHAT_SESSIONS_DIR: 'elsewhere'};
		const {session} = JSON.parse((await stage.chat('-o json hello', {variables})).stdout);
		const {stdout: path} = await stage.chat(`sessions path ${session}`, {variables});
		expect(path).toContain('/elsewhere/sessions/');
		expect(existsSync(stage.directory)).toBe(false);
	});

	test('is printed in full when it cannot be saved, with one notice', async () => {
		const stage = await openStage();
		mkdirSync(join(stage.directory, '..'), {recursive: true});
		writeFileSync(stage.directory, 'a file');
		expect(await stage.chat('hello')).toEqual({
			stdout: 'an answer\n',
			stderr: expect.stringMatching(/^chat: the conversation could not be saved: .*\n$/),
			exitCode: 0,
		});
		const result = JSON.parse((await stage.chat('-o json hello')).stdout);
		expect(result).toMatchObject({session: null, notices: [{code: 'session-not-saved'}]});
	});

	test('is saved without the key of the service, also where a title is cut in it', async () => {
		const stage = await openStage();
		const CHAT_API_KEY = 'sk-0123456789abcdef';
		await stage.chat(['--', `my key is ${CHAT_API_KEY}`], {variables: {CHAT_API_KEY}});
		expect(textOf(stage)).toContain('my key is [redacted]');
		const stdin = `a${' '.repeat(105)}${CHAT_API_KEY}`;
		await stage.chat('', {stdin, variables: {CHAT_API_KEY}});
		for (const id of stage.ids()) expect(textOf(stage, id)).not.toContain('sk-0123');
	});

	test('that was abandoned by its reader keeps what had come', async () => {
		const stage = await openStage([['first ', 'second ', 'third']]);
		await stage.chat('hello', {
			onStdout() {
				throw brokenPipe();
			},
		});
		expect(textOf(stage)).toContain('first ');
	});
});

describe('-c', () => {
	test('continues the latest conversation of the folder, and says which', async () => {
		const stage = await openStage([['one'], ['two'], ['three']]);
		const id = await saveOne(stage, 'first');
		expect(await stage.chat('-c second')).toEqual({
			stdout: 'two\n',
			stderr: `chat: continuing ${id} "first" (1 turn, just now)\n`,
			exitCode: 0,
		});
		expect((await stage.chat('-qc third')).stderr).toBe('');
		expect(lastTexts(stage)).toEqual(['first', 'one', 'second', 'two', 'third']);
		expect(stage.ids()).toEqual([id]);
		const before = textOf(stage);
		await stage.chat('-c --no-save fourth');
		expect(lastTexts(stage)).toHaveLength(7);
		expect(textOf(stage)).toBe(before);
	});

	test('never continues a conversation of another folder', async () => {
		const stage = await openStage();
		await saveOne(stage, 'first');
		expect(await stage.chat('-c second', {cwd: stage.directory})).toEqual({
			stdout: '',
			stderr:
				'chat: no conversation began in this folder yet\n      chat sessions list shows 1 conversation from other folders.\n',
			exitCode: 66,
		});
		expect(stage.service.requests).toHaveLength(1);
	});

	test('passes over a conversation that got no answer, and names it if there is no other', async () => {
		const stage = await openStage();
		await stage.chat('lost', lost);
		const {stderr, exitCode} = await stage.chat('-c more');
		expect(exitCode).toBe(66);
		expect(stderr).toContain('no conversation of this folder has an answer yet');
		expect(stderr).toContain(`To go on with the last prompt: chat -r ${stage.ids()[0]}`);
		const id = await saveOne(stage, 'first');
		await stage.chat('lost again', lost);
		expect((await stage.chat('-c second')).stderr).toContain(`continuing ${id} "first"`);
	});

	test('continues where the user went back to, and --fork copies only that branch', async () => {
		const stage = await openStage();
		const id = await saveOne(stage, 'left behind');
		append(stage, id, '{"type":"head","at":null}\n');
		const {stderr} = await stage.chat('-c again');
		expect(stderr).toContain(`continuing ${id} "left behind" (0 turns, just now)`);
		expect(lastTexts(stage)).toEqual(['again']);
		const more = await stage.chat('-c and more');
		expect(more.stderr).toContain(`${id} has 2 branches; in a session, /tree shows them\n`);
		expect(lastTexts(stage)).toEqual(['again', 'an answer', 'and more']);
		const before = textOf(stage, id);
		const fork = await saveOne(stage, 'other', '-c', '--fork');
		expect(textOf(stage, id)).toBe(before);
		expect(textOf(stage, fork)).toContain('again');
		expect(textOf(stage, fork)).not.toContain('left behind');
	});

	test.each(['new', 'old'])('sends attachments again, from the %s place', async (place) => {
		const stage = await openStage();
		writeFileSync(join(stage.home, 'a.pdf'), '%PDF-1.7\n%%EOF\n');
		writeFileSync(join(stage.home, 'a.png'), Buffer.from(pixel.split(',')[1] ?? '', 'base64'));
		const id = await saveOne(stage, 'look', '-a', 'a.pdf', '--image', 'a.png');
		expect(textOf(stage)).not.toContain(pixel.slice(-40));
		if (place === 'old') moveMediaToOldPlace(stage);
		const fork = await saveOne(stage, 'second', '-c', '--fork');
		await stage.chat(`sessions delete ${id}`);
		expect(oldBlobsOf(stage)).toEqual([]);
		expect((await stage.chat(`-r ${fork} third`)).stderr).not.toContain('gone');
		const [first, second, third] = stage.service.bodies().map(({messages}) => messages?.[0]);
		expect(JSON.stringify(first)).toContain(pixel);
		expect([second, third]).toEqual([first, first]);
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

	test.each<[Line, number, string | RegExp]>([
		['-r', 64, /-r needs a value: -r, --resume <id>.*chat sessions lists the conversations/s],
		[['-r', 'name idea', 'x'], 66, /"name idea"; did you mean \w+ "name ideas"\?/],
		['-r same more', 64, /"same" fits 2 conversations: \w{8}.*\w{8}/],
	])('refuses %j', async (line, code, message) => {
		const stage = await openStage();
		for (const title of ['name ideas', 'same', 'same']) await saveOne(stage, title);
		const {stderr, exitCode} = await stage.chat(line);
		expect(exitCode).toBe(code);
		if (typeof message === 'string') expect(stderr).toContain(message);
		else expect(stderr).toMatch(message);
	});
});

describe('the settings of a conversation', () => {
	const settings = '-m terra -s @home --temperature 0 --stop END -O top_k=4 first';

	/** Saves a conversation with these settings, and returns the request of the next run. */
	async function continueWith(...more: readonly string[]) {
		const stage = await openStage();
		writeFileSync(join(stage.home, 'home'), '@mention everyone');
		await stage.chat(settings);
		await stage.chat(['-qc', ...more, 'second'], {variables: {CHAT_TEMPERATURE: '1'}});
		return stage.service.bodies().at(-1);
	}

	test('come back with it, but for those of the flags', async () => {
		const body = await continueWith();
		expect(body).toMatchObject({model: 'MODEL-5.6-terra', temperature: 0, stop: ['END'], top_k: 4});
		expect(body?.messages?.[0]).toEqual({role: 'system', content: '@mention everyone'});
		const flags = ['-m', 'luna', '-s', 'Be brief.', '--temperature', '', '--stop', ''];
		const other = await continueWith(...flags);
		expect(other).toMatchObject({model: 'MODEL-5.6-luna', top_k: 4});
		expect(other).not.toHaveProperty('temperature');
		expect(other).not.toHaveProperty('stop');
		expect(other?.messages?.[0]).toEqual({role: 'system', content: 'Be brief.'});
	});

	/** Saves a conversation, changes the options in its file, and continues it. */
	async function continueChanged(options: unknown, code = 0) {
		const stage = await openStage();
		await saveOne(stage, 'first');
		const written = `"options":${JSON.stringify(options)}}`;
		const path = stage.fileOf(stage.ids()[0] ?? '');
		writeFileSync(path, textOf(stage).replace(/"options":\{.*\}\}$/m, written));
		const {stderr, exitCode} = await stage.chat('-cv second');
		expect(exitCode).toBe(code);
		return {stderr, body: stage.service.bodies().at(-1)};
	}

	test('are left out if they are not valid, never read a file, and are named as its own', async () => {
		const {body, stderr} = await continueChanged({temperature: 99, seed: 7, stop: {}});
		expect(body).toMatchObject({seed: 7});
		expect(body).not.toHaveProperty('temperature');
		expect(stderr).toContain('= seed: 7 (the saved conversation)\n');
		const searching = await continueChanged({search: true}, 64);
		expect(searching.stderr).toContain('= search: true (the saved conversation)\n');
		for (const option of ['x=@/etc/hostname', ['x=@/etc/hostname'], {x: '@/etc/hostname'}]) {
			const changed = await continueChanged({option});
			expect([undefined, '@/etc/hostname']).toContain(changed.body?.['x']);
		}
	});

	test('are all the fields of a request: the config file adds none', async () => {
		const stage = await openStage([['an answer']], {options: {top_k: 40, min_p: 0.1}});
		await saveOne(stage, 'first', '-O', 'top_k=5', '-O', 'min_p=null');
		const {stderr} = await stage.chat('-cv second');
		expect(stage.service.bodies().at(-1)).not.toHaveProperty('min_p');
		expect(stderr).toContain('= options: {"top_k":5} (the saved conversation)\n');
	});
});
