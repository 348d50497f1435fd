/** Conversations of other programs become saved sessions. */
import {execFile, execFileSync} from 'node:child_process';
import {
	closeSync,
	mkdirSync,
	openSync,
	readdirSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import type {StoredSession} from '../../src/sessions/read-session.ts';
import {listSessionFiles} from '../../src/sessions/session-files.ts';
import {mediaFolder} from '../../src/sessions/session-path.ts';
import {
	chatGptExport,
	claudeExport,
	llmLog,
	openAiMessages,
} from '../fixtures/foreign-conversations.ts';
import {type Imported, linesOf, openStage} from '../helpers/import-stage.ts';
import {streamReply} from '../helpers/replies.ts';
import {startRecording} from '../helpers/start-service.ts';
import {zipOf} from '../helpers/zip.ts';

const png =
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

async function importOne(content: unknown, stage = openStage()): Promise<StoredSession> {
	const {sessions} = await stage.import(content);
	expect(sessions).toHaveLength(1);
	const session = stage.read(sessions[0]?.id ?? '');
	expect(session.notices).toEqual([]);
	return session;
}

const chatGptLines = [
	...['user: What is this?', 'call: python_run {"code":"print(1)"}', 'tool text: 1'],
	...['assistant reasoning: It is small.', 'assistant text: A pixel.'],
	...['user: Thanks', 'assistant text: Welcome.', 'branch after null: b1'],
];
const openAiLines = [
	...['system: Be brief', 'user: Look', 'image: https://example.com/a.png'],
	...['assistant reasoning: Need the tool.', 'call: look {"at":1}', 'call: look {"at":2}'],
	...['tool text: a cat', 'tool text: no result', 'assistant text: A cat.'],
	'draft: And the other?',
];
const branch = (uuid: string, parent: string, sender: string) => ({
	...{uuid, parent_message_uuid: parent, sender, text: uuid, content: [], attachments: []},
});
const answers = [branch('a1', 'q', 'assistant'), branch('a2', 'q', 'assistant')];
const chat_messages = [branch('q', 'root', 'human'), ...answers];
const branches = [{uuid: 'c', current_leaf_message_uuid: 'a1', chat_messages}];
const written = '## User\n\nName a bird\n\n## Assistant\n\nGulliver\n';

test.each<[string, unknown, readonly string[]]>([
	['an export of ChatGPT', chatGptExport, chatGptLines],
	[
		'an export of Claude',
		claudeExport,
		[
			...['user: Read it', 'file: hello', 'assistant reasoning: Hm.'],
			...['call: web_search {"query":"x"}', 'call: repl {"code":"1"}', 'tool text: one'],
			...['tool text: offline', 'assistant text: Done.'],
		],
	],
	['one with branches', branches, ['user: q', 'assistant text: a1', 'branch after null: a2']],
	['messages of chat completions', openAiMessages, openAiLines],
	['a fine-tuning file', `${JSON.stringify({messages: openAiMessages})}\n`, openAiLines],
	['Markdown of a person', written, ['user: Name a bird', 'assistant text: Gulliver']],
])('%s becomes a session', async (_, content, lines) => {
	expect(linesOf(await importOne(content))).toEqual(lines);
});

test('a session of ChatGPT has its images, times and model, and none through a link', async () => {
	const stage = openStage();
	stage.write('file-AbCd1234-photo.png', Buffer.from(png, 'base64'));
	const session = await importOne(chatGptExport, stage);
	const [turn] = session.conversation.turns;
	expect(turn).toMatchObject({model: 'gpt-5', times: {reasoningMs: 6000}});
	const part = {type: 'image', url: `data:image/png;base64,${png}`};
	expect(turn?.prompt.attachments).toEqual([{type: 'image', name: 'file-AbCd1234', part}]);
	expect(readdirSync(mediaFolder(session.path))).toHaveLength(1);
	expect(session).toMatchObject({title: 'A pixel', created: 1_700_000_000_100, cwd: stage.cwd});
	expect(session.path).toContain('/2023/11/14T221320Z-');
	expect(Math.round(statSync(session.path).mtimeMs)).toBe(1_700_000_100_900);
	const linked = openStage();
	writeFileSync(join(linked.cwd, '..', 'secret.png'), Buffer.from(png, 'base64'));
	symlinkSync('../secret.png', join(linked.cwd, 'file-AbCd1234.png'));
	const times = {create_time: -1e12, update_time: 1e12};
	const {stderr, sessions} = await linked.import([{...chatGptExport[0], ...times}]);
	expect(stderr).toBe('chat: imported 1 conversation\nchat: not taken: 2 images, 1 file\n');
	const other = linked.read(sessions[0]?.id ?? '');
	expect(linesOf(other)).toEqual(chatGptLines);
	// Times that cannot be are not kept.
	expect(other.created).toBe(1_700_000_000_500);
	expect(other.updated).toBeLessThanOrEqual(Date.now());
});

test('a log of llm becomes one session for each conversation, in the order of time', async () => {
	const stage = openStage();
	const {sessions, stderr} = await stage.import(llmLog);
	expect(sessions).toEqual([
		{id: expect.any(String), title: 'Greetings', turns: 2, source: 'llm:c1'},
		{id: expect.any(String), title: 'Alone', turns: 1, source: 'llm:c2'},
	]);
	const session = stage.read(sessions[0]?.id ?? '');
	expect(linesOf(session)).toEqual([
		...['system: Be short', 'user: Greet me', 'file: My name is Ada'],
		...['assistant reasoning: Easy.', 'assistant text: Hello'],
		...['user: And in French?', 'assistant text: Bonjour'],
	]);
	const times = {startedAt: Date.UTC(2024, 4, 5, 10), totalMs: 1500};
	expect(session.conversation.turns[0]?.times).toMatchObject(times);
	expect(stderr).toContain('not taken: 1 attachment\n');
});

describe('a conversation of chat', () => {
	async function openSaved() {
		const stage = openStage();
		stage.write('file-AbCd1234-photo.png', Buffer.from(png, 'base64'));
		const {sessions} = await stage.import(chatGptExport);
		const id = sessions[0]?.id ?? '';
		return {stage, id, saved: stage.read(id)};
	}

	test.each(['json', 'md'])('comes back from its export: %s', async (format) => {
		const {stage, id, saved} = await openSaved();
		const {stdout} = await stage.chat(`sessions export ${id} --format ${format}`);
		const other = openStage();
		const {sessions} = await other.import(stdout, 'exported');
		expect(sessions).toEqual([
			{id: expect.any(String), title: 'A pixel', turns: 2, source: `chat:${id}`},
		]);
		const copy = other.read(sessions[0]?.id ?? '');
		expect(copy.conversation.turns).toEqual(saved.conversation.turns);
		if (format === 'json') expect(copy.conversation).toEqual(saved.conversation);
		expect(copy.created).toBe(saved.created);
		const {stderr} = await stage.import(stdout);
		expect(stderr).toContain(`already there: ${id} "A pixel"\n`);
	});

	test('comes from the folder of another machine, with its images', async () => {
		const {stage, saved} = await openSaved();
		const other = openStage();
		const argv = ['sessions', 'import', '-o', 'json', saved.path];
		const [session]: Imported[] = JSON.parse((await other.chat(argv)).stdout);
		expect(session?.source).toBe('chatgpt:6650aaaa-0000-8000-a1b2-000000000001');
		expect(other.read(session?.id ?? '').conversation).toEqual(saved.conversation);
		const again = await stage.chat(argv);
		expect(again.stderr).toContain('imported 0 conversations, 1 already there\n');
	});
});

describe('an imported conversation', () => {
	const message = (uuid: string, sender: string) => ({
		...{uuid, sender, text: uuid, content: [], attachments: [], created_at: '2024-01-01T00:00:00Z'},
	});
	const messages = [
		...[message('q1', 'human'), message('a1', 'assistant')],
		...[message('q2', 'human'), message('a2', 'assistant')],
	];
	const exportOf = (count: number) => [{uuid: 'c', chat_messages: messages.slice(0, count)}];

	test.each([2, 3])('gets the turns of a later export (%i messages before)', async (count) => {
		const stage = openStage();
		const {sessions} = await stage.import(exportOf(count));
		const id = sessions[0]?.id ?? '';
		const {stderr, exitCode} = await stage.import(exportOf(4));
		expect(exitCode).toBe(0);
		expect(stderr).toContain('imported 0 conversations, 1 updated\n');
		expect(stderr).toContain(`updated: ${id} "q1" (1 turn added)\n`);
		expect(linesOf(stage.read(id))).toEqual([
			...['user: q1', 'assistant text: a1', 'user: q2', 'assistant text: a2'],
		]);
		expect(stage.read(id).draft).toBeUndefined();
	});

	test('continues on any service, where the user has gone on with it', async () => {
		const stage = openStage();
		const service = await startRecording(streamReply(['more']));
		const variables = {...service.variables, CHAT_SAVE: undefined, CHAT_MODEL: 'mine'};
		const {sessions} = await stage.import(exportOf(2));
		const id = sessions[0]?.id ?? '';
		expect((await stage.chat(`-r ${id} go on`, {variables})).exitCode).toBe(0);
		expect(service.bodies()[0]?.model).toBe('mine');
		await stage.import(exportOf(4));
		const session = stage.read(id);
		expect(linesOf(session).slice(2)).toEqual([
			...['user: go on', 'assistant text: more', 'branch after a1: a2'],
		]);
	});

	test('has no time in the future, where no other one could be the latest', async () => {
		const stage = openStage();
		const late = {created_at: '2999-01-01T00:00:00Z', updated_at: '2999-01-01T00:00:00Z'};
		const chat_messages = messages.map((one) => ({...one, ...late}));
		const {sessions} = await stage.import([{uuid: 'c', ...late, chat_messages}]);
		const {created, updated} = stage.read(sessions[0]?.id ?? '');
		expect(Math.max(created, updated)).toBeLessThanOrEqual(Date.now());
	});

	test('is not imported again, also without an id', async () => {
		const stage = openStage();
		const {sessions} = await stage.import(openAiMessages);
		const again = await stage.import(openAiMessages);
		expect(again).toMatchObject({sessions: [], exitCode: 0});
		expect(again.stderr).toContain('imported 0 conversations, 1 already there\n');
		expect(again.stderr).toContain(`already there: ${sessions[0]?.id} "`);
		expect(listSessionFiles(stage.directory)).toHaveLength(1);
	});

	test('is saved without the known keys', async () => {
		const stage = openStage();
		stage.write('a.json', JSON.stringify([{role: 'user', content: 'it is sk-0123456789'}]));
		const variables = {CHAT_API_KEY: 'sk-0123456789'};
		await stage.chat('sessions import a.json', {variables});
		const [file] = listSessionFiles(stage.directory);
		expect(file && stage.read(file.id).draft?.text).toBe('it is [redacted]');
	});
});

describe('what cannot be read', () => {
	const three = ['a', 'b', 'c'].map((id) => ({id, messages: openAiMessages}));

	test.each<[string, unknown, number, readonly string[]]>([
		[
			'items of a file',
			[{title: 'Trip\u001b[31m', mapping: {}}, 17, ...chatGptExport],
			1,
			['imported 1 conversation, 2 left out', '"Trip" (item 1: no messages)', 'item 2 (not a JSON'],
		],
		['the end of a cut file', JSON.stringify(three).slice(0, -20), 2, ['item 3 (not a JSON']],
	])('is counted and named: %s', async (_, content, count, messages) => {
		const {sessions, stderr, exitCode} = await openStage().import(content);
		expect([sessions.length, exitCode]).toEqual([count, count === 0 ? 65 : 0]);
		for (const message of messages) expect(stderr).toContain(message);
		expect(stderr).not.toContain('\u001b');
	});

	test.each(['{"name":"chat","version":"1.0.0"}', '', 'Dear diary,'])(
		'may be a whole file: %j',
		async (content) => {
			const stage = openStage();
			stage.write('a.json', content);
			const {stderr, exitCode} = await stage.chat('sessions import a.json');
			expect(exitCode).toBe(65);
			expect(stderr).toMatch(/^chat: found no conversations in a\.json\n +It reads /);
		},
	);

	test('is 74 if it is the disk that fails', async () => {
		const stage = openStage();
		mkdirSync(join(stage.directory, '..'), {recursive: true});
		writeFileSync(stage.directory, 'a file');
		stage.write('a.json', JSON.stringify([{role: 'user', content: 'Name a bird\nor two'}]));
		const {stderr, exitCode} = await stage.chat('sessions import a.json');
		expect(exitCode).toBe(74);
		expect(stderr).toMatch(/^chat: cannot save "Name a bird": \w+/);
	});

	test.each([
		['b.json', 66],
		['missing.json user.json a.json', 0],
	])('is named among other files, which are imported: %s', async (files, code) => {
		const stage = openStage();
		stage.write('user.json', '{"id":"ada"}');
		stage.write('a.json', JSON.stringify([17, ...chatGptExport]));
		const {stderr, exitCode} = await stage.chat(`sessions import ${files}`);
		expect([exitCode, listSessionFiles(stage.directory).length]).toEqual([
			code,
			code === 0 ? 1 : 0,
		]);
		if (code !== 0) for (const file of files.split(' ')) expect(stderr).toContain(file);
		else {
			expect(stderr.split('\n')).toEqual([
				'chat: imported 1 conversation, 1 left out, 2 files not imported',
				'chat: left out: a.json, item 1 (not a JSON object)',
				'chat: not imported: no such file: missing.json',
				'chat: not imported: found no conversations in user.json',
				'chat: not taken: 2 images, 1 file',
				'',
			]);
		}
	});
});

describe('the archive of a data export', () => {
	test.each(['as a ZIP file', 'unpacked in a folder'])('is read %s', async (form) => {
		const stage = openStage();
		const files = {
			'conversations-000.json': {content: JSON.stringify(chatGptExport)},
			'conversations-001.json': {content: JSON.stringify(claudeExport)},
			'__MACOSX/._conversations.json': {content: 'a resource fork'},
			'user.json': {content: '{}'},
			'dalle-generations/file-AbCd1234-photo.png': {content: Buffer.from(png, 'base64')},
		};
		if (form === 'as a ZIP file') stage.write('data', zipOf(files));
		else {
			for (const [name, {content}] of Object.entries(files)) {
				mkdirSync(join(stage.cwd, 'data', name, '..'), {recursive: true});
				stage.write(join('data', name), content);
			}
		}
		const before = readdirSync(stage.cwd, {recursive: true});
		const {stdout, exitCode} = await stage.chat('sessions import -o json data');
		const sessions: Imported[] = JSON.parse(stdout);
		expect([exitCode, sessions.length, sessions[0]?.title]).toEqual([0, 2, 'A pixel']);
		const attached = sessions
			.flatMap(({id}) => stage.read(id).conversation.turns)
			.flatMap(({prompt}) => prompt.attachments);
		expect(attached).toContainEqual(expect.objectContaining({type: 'image'}));
		expect(readdirSync(stage.cwd, {recursive: true})).toEqual(before);
	});

	test.each<[string, Uint8Array, string]>([
		['nothing', zipOf({'a.txt': {content: 'a'}}), 'data.zip has no conversations.json\n'],
		[
			'a file that is larger than it says',
			zipOf({'conversations.json': {content: ' '.repeat(100_000), size: 10}}),
			'cannot read data.zip/conversations.json: too many bytes in the stream.',
		],
		[
			'a file that would fill the memory',
			zipOf({'conversations.json': {content: ' ', size: 2 ** 31}}),
			'cannot read data.zip/conversations.json: it is too large\n',
		],
		[
			'a name outside of its folder',
			zipOf({'../conversations.json': {content: JSON.stringify(chatGptExport)}}),
			'cannot read data.zip: invalid relative path: ../conversations.json\n',
		],
	])('with %s is refused', async (_, bytes, message) => {
		const stage = openStage();
		stage.write('data.zip', bytes);
		const {stderr, exitCode} = await stage.chat('sessions import data.zip');
		expect(exitCode).toBe(65);
		expect(stderr).toContain(`chat: ${message}`);
	});
});

test('a pipe with a name is read to its end, or ended by Ctrl-C while it is silent', async () => {
	const stage = openStage();
	stage.write('a.json', JSON.stringify(chatGptExport));
	const pipe = join(stage.cwd, 'pipe');
	execFileSync('mkfifo', [pipe]);
	const writer = execFile('sh', ['-c', 'cat a.json > pipe'], {cwd: stage.cwd});
	onTestFinished(() => void writer.kill());
	const read = await stage.chat('sessions import pipe');
	expect(read).toMatchObject({stdout: expect.stringContaining('A pixel'), exitCode: 0});
	const silent = openSync(pipe, 'r+');
	onTestFinished(() => closeSync(silent));
	const {exitCode} = await stage.chat('sessions import pipe', {
		onListening: (send) => setImmediate(() => send('SIGINT')),
	});
	expect(exitCode).toBe(130);
});

test('UTF-16, as PowerShell writes it, is read, and - reads a pipe, and not a terminal', async () => {
	const stage = openStage();
	const stdin = Buffer.from(`\ufeff${JSON.stringify(llmLog)}`, 'utf16le');
	const {stdout} = await stage.chat('sessions import -', {stdin});
	expect(stdout).toMatch(/^\w{8} {2}2 turns {2}Greetings\n\w{8} {2}1 turn {3}Alone\n$/);
	const typed = await stage.chat('sessions import -', {stdin: 'terminal'});
	expect(typed.exitCode).toBe(64);
	expect(typed.stderr).toContain('- reads stdin, but nothing was piped in\n');
});
