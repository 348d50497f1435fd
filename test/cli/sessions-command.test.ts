/** `chat sessions`: conversations that are listed, searched, shown, renamed and deleted. */
import {
	appendFileSync,
	chmodSync,
	existsSync,
	readFileSync,
	rmSync,
	statSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {createSearch} from '../../src/sessions/search-sessions.ts';
import {listSessionFiles} from '../../src/sessions/session-files.ts';
import {mediaFolder} from '../../src/sessions/session-path.ts';
import {textWidth} from '../../src/terminal/width.ts';
import {pixel} from '../helpers/camera-source.ts';
import {
	mediaOf,
	moveMediaToOldPlace,
	oldBlobsOf,
	openStage,
	saveOne,
} from '../helpers/sessions-stage.ts';
import {writeTree} from '../templates/template-files.ts';

describe('chat sessions', () => {
	test('lists the conversations, the latest first', async () => {
		const stage = await openStage();
		const first = await saveOne(stage, 'first\nand more');
		const second = await saveOne(stage, 'second');
		await stage.chat(['-r', first, 'again']);
		const {stdout} = await stage.chat(['sessions']);
		expect(stdout).toBe(
			`${first}  just now  2 turns  first\n${second}  just now  1 turn   second\n`,
		);
		const {stdout: json} = await stage.chat(['sessions', 'list', '-o', 'json']);
		expect(JSON.parse(json)).toMatchObject([
			{id: first, title: 'first', turns: 2, model: 'MODEL-5.6-sol'},
			{id: second, title: 'second', turns: 1},
		]);
	});

	test('keeps a prompt that got no answer, and shows it', async () => {
		const stage = await openStage();
		const variables = {
			CHAT_BASE_URL: 'http://127.0.0.1:1/v1',
			CHAT_MODEL: 'm',
			CHAT_MAX_RETRIES: '0',
		};
		expect((await stage.chat(['-m', 'm', 'a long prompt'], {variables})).exitCode).toBe(69);
		const [id = ''] = stage.ids();
		const listed = await stage.chat(['sessions', 'list', '--all']);
		expect(listed).toMatchObject({
			stdout: `${id}  just now  not answered  a long prompt\n`,
			stderr: '',
		});
		const {stdout} = await stage.chat(['sessions', 'show', id]);
		expect(stdout).toBe('## User\n\na long prompt\n');
		const {stdout: json} = await stage.chat(['sessions', 'show', id, '-o', 'json']);
		expect(JSON.parse(json).at(-1)).toMatchObject({type: 'user', text: 'a long prompt'});
	});

	test('lists those without an answer only with --all, and says how many there are', async () => {
		const stage = await openStage();
		const answered = await saveOne(stage, 'first');
		const variables = {
			CHAT_BASE_URL: 'http://127.0.0.1:1/v1',
			CHAT_MODEL: 'm',
			CHAT_MAX_RETRIES: '0',
		};
		await stage.chat(['lost'], {variables});
		await stage.chat(['-r', answered, 'lost too'], {variables});
		const {stdout, stderr} = await stage.chat(['sessions', 'list', '-o', 'json']);
		expect(JSON.parse(stdout)).toMatchObject([{id: answered}]);
		expect(stderr).toBe('chat: 1 conversation without an answer not listed; --all lists all\n');
	});

	test('says when a conversation was updated, with a date once that is long ago', async () => {
		const stage = await openStage();
		const id = await saveOne(stage, 'hello');
		const age = (days: number) => {
			const time = Date.now() / 1000 - days * 86_400;
			utimesSync(stage.fileOf(id), time, time);
			const {mtime} = statSync(stage.fileOf(id));
			return mtime.toLocaleDateString('sv-SE');
		};
		age(29);
		expect((await stage.chat(['sessions', 'list'])).stdout).toContain(' 29 days ago ');
		const date = age(31);
		expect((await stage.chat(['sessions', 'list'])).stdout).toContain(` ${date} `);
		expect((await stage.chat(['sessions', 'search', 'hello'])).stdout).toContain(` ${date} `);
	});

	test('searches a very long text at its start and its end, and says so', async () => {
		const stage = await openStage();
		const half = 'a line of a log\n'.repeat(250_000);
		const stdin = `the first heron\n${half}a hidden pelican\n${half}`;
		await stage.chat(['which gull?'], {stdin});
		writeFileSync(join(stage.home, 'long.txt'), stdin);
		await stage.chat(['-f', 'long.txt', 'which gull?'], {stdin});
		const search = (word: string) => stage.chat(['sessions', 'search', '-o', 'json', word]);
		for (const word of ['heron', 'gull']) {
			const {stdout, stderr} = await search(word);
			expect(JSON.parse(stdout)).toMatchObject([{title: 'which gull?'}, {title: 'which gull?'}]);
			expect(stderr).toBe(
				'chat: searched only the start and the end of texts over 1 MiB, in 2 conversations\n',
			);
		}
		expect((await search('pelican')).exitCode).toBe(1);
	});

	test('says on a terminal that a search found nothing', async () => {
		const stage = await openStage();
		await saveOne(stage, 'hello');
		const argv = ['sessions', 'search', 'pelican'];
		expect(await stage.chat(argv)).toMatchObject({stdout: '', stderr: '', exitCode: 1});
		const {stderr} = await stage.chat(argv, {terminals: ['stdout', 'stderr']});
		expect(stderr).toContain('no conversation has all these texts');
	});

	test('lists the latest ones, or those of this folder', async () => {
		const stage = await openStage();
		const first = await saveOne(stage, 'first');
		utimesSync(stage.fileOf(first), 0, 0);
		const second = await saveOne(stage, 'second');
		const {stdout} = await stage.chat(['sessions', 'list', '-n', '1', '-o', 'json']);
		expect(JSON.parse(stdout)).toMatchObject([{id: second}]);
		const here = await stage.chat(['sessions', 'list', '--here', '-o', 'json']);
		expect(JSON.parse(here.stdout)).toHaveLength(2);
		const elsewhere = {cwd: stage.directory};
		const none = await stage.chat(['sessions', 'list', '--here', '-o', 'json'], elsewhere);
		expect(JSON.parse(none.stdout)).toEqual([]);
	});

	test('refuses a flag of another command', async () => {
		const stage = await openStage();
		const {stderr, exitCode} = await stage.chat(['sessions', 'path', '--here']);
		expect(exitCode).toBe(64);
		expect(stderr).toContain('chat: sessions path does not have --here\n');
	});

	test('lists nothing, and creates nothing, where nothing was saved', async () => {
		const stage = await openStage();
		expect(await stage.chat(['sessions'])).toMatchObject({stdout: '', exitCode: 0});
		expect(existsSync(stage.directory)).toBe(false);
	});

	test('shows a conversation as Markdown, and as the JSON of its export', async () => {
		const stage = await openStage([[{reasoning: 'A greeting.'}, 'an answer']]);
		const id = await saveOne(stage, 'hello', '-s', 'Be kind.');
		const {stdout} = await stage.chat(['sessions', 'show', id]);
		expect(stdout).toBe('## System\n\nBe kind.\n\n## User\n\nhello\n\n## Assistant\n\nan answer\n');
		const {stdout: json} = await stage.chat(['sessions', 'show', id, '-o', 'json']);
		expect(json).toBe((await stage.chat(['sessions', 'export', id, '--format', 'json'])).stdout);
		const {stdout: line} = await stage.chat(['sessions', 'show', id, '-o', 'jsonl']);
		const records: readonly unknown[] = JSON.parse(json);
		expect(line).toBe(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
	});

	test('shows no bytes of images, nor other comments that only an import reads', async () => {
		const stage = await openStage();
		const image = join(stage.home, 'a.png');
		writeFileSync(image, Buffer.from(pixel.split(',')[1] ?? '', 'base64'));
		await stage.chat(['--image', 'a.png', '--', '<!-- chat turn -->']);
		const {stdout} = await stage.chat(['sessions', 'show', stage.ids()[0] ?? '']);
		const prompt = '[a.png]\n\n\\<!-- chat turn -->';
		expect(stdout).toBe(`## User\n\n${prompt}\n\n## Assistant\n\nan answer\n`);
	});

	test('shows the calls of an answer with their results', async () => {
		const stage = await openStage();
		const toolCall = {id: 'c', type: 'function', function: {name: 'f', arguments: '{}'}};
		const messages = [
			{role: 'user', content: 'hello'},
			{role: 'assistant', content: null, tool_calls: [toolCall]},
			{role: 'tool', tool_call_id: 'c', content: 'its result'},
			{role: 'assistant', content: 'done'},
		];
		const imported = await stage.chat(['sessions', 'import', '-'], {
			stdin: JSON.stringify(messages),
		});
		expect(imported.exitCode).toBe(0);
		const {stdout} = await stage.chat(['sessions', 'show', 'hello']);
		const call = ['## Assistant', '**Call of f**', '```json\n{}\n```'];
		const result = ['## Tool', '```text\nits result\n```'];
		const blocks = ['## User', 'hello', ...call, ...result, '## Assistant', 'done'];
		expect(stdout).toBe(`${blocks.join('\n\n')}\n`);
	});

	test('shows the current branch, and with --all-branches also the others', async () => {
		const stage = await openStage([['one'], ['two'], ['three'], ['four']]);
		const id = await saveOne(stage, 'first');
		await stage.chat(['-r', id, 'second']);
		await stage.chat(['-r', id, 'third']);
		const path = (await stage.chat(['sessions', 'path', id])).stdout.trim();
		const turns = readFileSync(path, 'utf8')
			.split('\n')
			.filter((line) => line.startsWith('{"type":"user"'))
			.map((line) => JSON.parse(line));
		appendFileSync(path, `${JSON.stringify({type: 'head', at: turns[0].id})}\n`);
		await stage.chat(['-r', id, 'other']);

		const current = ['## User', 'first', '## Assistant', 'one'];
		const other = ['## User', 'other', '## Assistant', 'four'];
		const shown = await stage.chat(['sessions', 'show', id]);
		expect(shown.stdout).toBe(`${[...current, ...other].join('\n\n')}\n`);
		expect(shown.stderr).toBe(
			`chat: ${id} has 2 turns on other branches; --all-branches shows them\n`,
		);
		const whole = await stage.chat(['sessions', 'show', id, '--all-branches']);
		const left = ['# Branch 2, after turn 1', '## User', 'second', '## Assistant', 'two'];
		const after = ['## User', 'third', '## Assistant', 'three'];
		expect(whole.stdout).toBe(`${[...current, ...other, ...left, ...after].join('\n\n')}\n`);
		expect(whole.stderr).toBe('');
		const {stdout} = await stage.chat(['sessions', 'show', id, '--all-branches', '-o', 'json']);
		const records: ReadonlyArray<{readonly type: string}> = JSON.parse(stdout);
		expect(records.filter(({type}) => type === 'user')).toMatchObject([
			{id: turns[0].id, text: 'first', parent: null},
			{text: 'other', parent: turns[0].id},
			{id: turns[1].id, text: 'second', parent: turns[0].id},
			{id: turns[2].id, text: 'third', parent: turns[1].id},
		]);
	});

	test('searches prompts and answers, whatever the case and the accents', async () => {
		const stage = await openStage([['A good «Pélican» name, \n"Gulliver"'], ['nothing']]);
		const id = await saveOne(stage, 'Name ideas');
		await saveOne(stage, 'pelican');
		const {stdout, exitCode} = await stage.chat(['sessions', 'search', 'pelican', 'IDEAS']);
		expect({stdout, exitCode}).toEqual({
			stdout: `${id}  just now  "Name ideas"  Name ideas\n`,
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

	test('shows where it found texts below each other, whatever cells the titles take', async () => {
		const stage = await openStage([['a pelican']]);
		const titles = ['名前 🦤', 'Name ideas', 'a'];
		for (const title of titles)
			await stage.chat(['sessions', 'rename', await saveOne(stage, title), title]);
		const {stdout} = await stage.chat(['sessions', 'search', 'pelican']);
		const cells = stdout
			.trimEnd()
			.split('\n')
			.map((line) => textWidth(line.replace(/a pelican$/, '')));
		expect(cells).toHaveLength(titles.length);
		expect(new Set(cells).size).toBe(1);
	});

	test('searches for phrases, which may go over a line break', async () => {
		const stage = await openStage([['a good\n  name'], ['a name, and good']]);
		const id = await saveOne(stage, 'first');
		await saveOne(stage, 'second');
		const {stdout} = await stage.chat(['sessions', 'search', 'good name', '-o', 'json']);
		expect(JSON.parse(stdout)).toMatchObject([{id, excerpt: 'a good name'}]);
	});

	test('finds texts with characters that are escaped in the file', async () => {
		const stage = await openStage();
		const id = await saveOne(stage, 'a "quoted" \\ and a \u009bcontrol');
		for (const text of ['"quoted"', '\\ and', '\u009bcontrol']) {
			const {stdout} = await stage.chat(['sessions', 'search', text, '-o', 'json']);
			expect(JSON.parse(stdout), text).toMatchObject([{id}]);
		}
	});

	test('finds a conversation by its new title, and not by the one before', async () => {
		const stage = await openStage();
		const id = await saveOne(stage, 'first');
		await stage.chat(['sessions', 'rename', id, 'pelicans']);
		const {stdout} = await stage.chat(['sessions', 'search', 'pelican', '-o', 'json']);
		expect(JSON.parse(stdout)).toMatchObject([{id, role: 'title', excerpt: 'pelicans'}]);
		await stage.chat(['sessions', 'rename', id, 'herons']);
		expect((await stage.chat(['sessions', 'search', 'pelican'])).exitCode).toBe(1);
	});

	test('searches the texts of some roles only, reasoning among them', async () => {
		const stage = await openStage([[{reasoning: 'let me think'}, 'an answer']]);
		const id = await saveOne(stage, 'a question');
		const search = async (...words: readonly string[]) => {
			const {stdout} = await stage.chat(['sessions', 'search', '-o', 'json', ...words]);
			return JSON.parse(stdout);
		};
		expect(await search('think')).toEqual([]);
		expect(await search('think', '--role', 'reasoning')).toMatchObject([{id, role: 'reasoning'}]);
		expect(await search('answer', '--role', 'user')).toEqual([]);
		const both = ['--role', 'user', '--role', 'assistant'];
		expect(await search('answer', 'question', ...both)).toMatchObject([{id, role: 'user'}]);
	});

	test('finds what had come of an answer before its run was killed', async () => {
		const stage = await openStage();
		const id = await saveOne(stage, 'a question');
		const path = stage.fileOf(id);
		const lines = readFileSync(path, 'utf8').split('\n');
		const [of] = lines.flatMap((line) => /"type":"answer","of":"([^"]+)"/.exec(line)?.[1] ?? []);
		const partial = (text: string) =>
			JSON.stringify({type: 'partial', of, ms: 1, events: [{type: 'text-delta', text}]});
		const kept = lines.filter((line) => !line.includes('"type":"answer"'));
		writeFileSync(
			path,
			[...kept.slice(0, -1), partial('a pelican '), partial('flies'), ''].join('\n'),
		);
		const {stdout} = await stage.chat(['sessions', 'search', 'pelican flies', '-o', 'json']);
		expect(JSON.parse(stdout)).toMatchObject([{id, excerpt: 'a pelican flies'}]);
	});

	test('lists and searches by age and model', async () => {
		const stage = await openStage();
		const old = await saveOne(stage, 'an old prompt', '-m', 'luna');
		const weekAgo = Date.now() / 1000 - 7 * 86_400;
		utimesSync(stage.fileOf(old), weekAgo, weekAgo);
		const recent = await saveOne(stage, 'a new prompt', '-m', 'terra');
		const ids = async (...words: readonly string[]) => {
			const {stdout} = await stage.chat(['sessions', ...words, '-o', 'json']);
			return JSON.parse(stdout).map(({id}: {readonly id: string}) => id);
		};
		expect(await ids('list', '--since', '6d')).toEqual([recent]);
		expect(await ids('search', 'prompt', '--since', '1w')).toEqual([recent]);
		expect(await ids('list', '--since', '2w')).toEqual([recent, old]);
		expect(await ids('list', '-m', 'Luna')).toEqual([old]);
		expect(await ids('search', 'prompt', '-m', 'terra')).toEqual([recent]);
	});

	test.each(['7', '7m', '0d', '-1d', '1.5d', 'yesterday'])('refuses the age %s', async (age) => {
		const stage = await openStage();
		const {stderr, exitCode} = await stage.chat(['sessions', 'list', `--since=${age}`]);
		expect(exitCode).toBe(64);
		expect(stderr).toContain(
			`--since is "${age}", but it must be an age such as 12h, 7d, 2w, 3mo or 1y`,
		);
	});

	test('passes over a conversation that another run deletes during the search', async () => {
		const stage = await openStage();
		const id = await saveOne(stage, 'a question');
		const [file] = listSessionFiles(stage.directory);
		await stage.chat(['sessions', 'delete', id]);
		expect(file && createSearch(['question'])(file)).toBeUndefined();
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

	test('continues the same conversation after another one was renamed', async () => {
		const stage = await openStage();
		const old = await saveOne(stage, 'the old one');
		utimesSync(stage.fileOf(old), 1000, 1000);
		const latest = await saveOne(stage, 'the latest one');
		await stage.chat(['sessions', 'rename', old, 'water birds']);
		const {stdout} = await stage.chat(['sessions', 'list', '-o', 'json']);
		expect(JSON.parse(stdout)).toMatchObject([
			{id: latest},
			{id: old, title: 'water birds', updated: '1970-01-01T00:16:40.000Z'},
		]);
		const {stderr} = await stage.chat(['-c', 'more']);
		expect(stderr).toContain(`continuing ${latest}`);
	});

	test('titles a conversation with what was written, not with what was piped in', async () => {
		const stage = await openStage();
		await stage.chat(['why', 'this?'], {stdin: '2026-01-01 ERROR foo\n\nbar\n'});
		await stage.chat([], {stdin: 'only piped\nmore\n'});
		writeTree(join(stage.home, '.config', 'chat', 'templates'), {
			'tr.md': 'Translate into English: $INPUT $ARGUMENTS',
			'terse.md': '---\nsystem: Be terse.\n---\n',
		});
		await stage.chat(['-t', 'tr'], {stdin: 'hallo\nwelt\n'});
		await stage.chat(['-t', 'tr', 'Tag'], {stdin: 'guten'});
		await stage.chat(['-t', 'terse', 'and then?'], {stdin: 'a log\n'});
		const {stdout} = await stage.chat(['sessions', 'list', '-o', 'json']);
		const titles = JSON.parse(stdout).map(({title}: {title: string}) => title);
		expect(titles.toSorted()).toEqual([
			'/tr Tag',
			'/tr hallo welt',
			'and then?',
			'only piped',
			'why this?',
		]);
		const {stderr} = await stage.chat(['-r', 'why this?', 'more']);
		expect(stderr).toContain('"why this?"');
	});

	test('keeps the start of a key out of a title that is cut in it', async () => {
		const stage = await openStage();
		const variables = {CHAT_API_KEY: 'sk-0123456789abcdef'};
		writeTree(join(stage.home, '.config', 'chat', 'templates'), {'tr.md': 'Translate: $INPUT'});
		const stdin = `a${' '.repeat(105)}sk-0123456789abcdef`;
		await stage.chat(['-t', 'tr'], {stdin, variables});
		const [id = ''] = stage.ids();
		expect(readFileSync(stage.fileOf(id), 'utf8')).not.toContain('sk-0123');
	});

	test('deletes a conversation with its attachments, and with no others', async () => {
		const stage = await openStage();
		writeFileSync(join(stage.home, 'a.pdf'), '%PDF-1.7\n%%EOF\n');
		const one = await saveOne(stage, 'one', '-a', 'a.pdf');
		const other = await saveOne(stage, 'other', '-a', 'a.pdf');
		const folder = mediaFolder(stage.fileOf(one));
		await stage.chat(['sessions', 'delete', one]);
		expect(existsSync(folder)).toBe(false);
		expect(mediaOf(stage, other)).toHaveLength(1);
	});

	test('deletes the attachments of an earlier version that no other conversation has', async () => {
		const stage = await openStage();
		const home = join(stage.directory, '..', '..', '..');
		for (const name of ['a', 'b']) {
			writeFileSync(join(home, `${name}.pdf`), `%PDF-1.7\n${name}\n%%EOF\n`);
		}
		const both = await saveOne(stage, 'both', '-a', 'a.pdf', '-a', 'b.pdf');
		const one = await saveOne(stage, 'one', '-a', 'a.pdf');
		moveMediaToOldPlace(stage);
		const blobs = () => oldBlobsOf(stage).length;
		expect(blobs()).toBe(2);
		const {stderr, exitCode} = await stage.chat(['sessions', 'delete', both]);
		expect({stderr, exitCode}).toEqual({stderr: `chat: deleted ${both} "both"\n`, exitCode: 0});
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

	test.skipIf(process.getuid?.() === 0)('reports a conversation that cannot be read', async () => {
		const stage = await openStage();
		const id = await saveOne(stage, 'hello');
		chmodSync(stage.fileOf(id), 0);
		for (const verb of ['show', 'export']) {
			const {stderr, exitCode} = await stage.chat(['sessions', verb, id]);
			expect({stderr, exitCode}, verb).toEqual({
				stderr: expect.stringContaining(`chat: cannot read the conversation ${id}: EACCES`),
				exitCode: 66,
			});
		}
		expect((await stage.chat(['sessions'])).stderr).toBe(`chat: ${id} cannot be read\n`);
		const folder = dirname(stage.fileOf(id));
		chmodSync(folder, 0);
		onTestFinished(() => chmodSync(folder, 0o700));
		for (const argv of [['sessions'], ['-c', 'more'], ['sessions', 'delete', id]]) {
			const {stderr, exitCode} = await stage.chat(argv);
			expect({stderr, exitCode}).toEqual({
				stderr: expect.stringContaining('chat: cannot read the saved conversations: EACCES'),
				exitCode: 66,
			});
		}
	});

	test('reports a conversation that is gone as it is shown', async () => {
		const stage = await openStage();
		const id = await saveOne(stage, 'hello');
		rmSync(stage.fileOf(id));
		expect((await stage.chat(['sessions', 'show', id])).exitCode).toBe(66);
	});
});
